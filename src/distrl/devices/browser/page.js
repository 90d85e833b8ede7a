// Lives in every page of a browser device, from before the page's own scripts: knows when the page has
// settled, lists what is on the screen as Android's accessibility tree does, and shows the choices of a
// <select> as a list, as browsers on phones do. Python calls it through the one name `__distrl`.
(() => {
  "use strict";
  if (globalThis.__distrl) return;

  const FRAME_MS = 17;
  const QUIET_MS = 2 * FRAME_MS; // without change, after which a page counts as settled
  const MOST_NODES = 400;
  const MOST_TEXT = 300; // characters of one element
  const TOUCH_EVENTS = new Set(["click", "mousedown", "mouseup", "touchstart", "touchend", "pointerdown", "pointerup"]);

  // --- what responds to a touch: pages say so by listening -----------------------------------------

  const listening = new WeakSet();
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (kind, ...rest) {
    if (TOUCH_EVENTS.has(kind) && this instanceof Element) listening.add(this);
    return listen.call(this, kind, ...rest);
  };

  // --- when the page has settled -------------------------------------------------------------------

  let changedAt = performance.now();
  new MutationObserver(() => { changedAt = performance.now(); }).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });

  listen.call(document, "scroll", () => { changedAt = performance.now(); }, { capture: true, passive: true });

  const pause = (ms) => new Promise((go) => setTimeout(go, ms));

  const animated = () => document.getAnimations().some((one) =>
    one.playState === "running" && Number.isFinite(one.effect?.getComputedTiming().endTime));

  async function settle(acted, deadlineMs) {
    const begin = performance.now();
    for (;;) {
      const now = performance.now();
      if (now - begin >= deadlineMs) return false;
      const quiet = now - Math.max(changedAt, acted ? begin : 0);
      if (document.readyState !== "complete") await pause(FRAME_MS);
      else if (quiet < QUIET_MS) await pause(QUIET_MS - quiet);
      else if (animated()) await pause(FRAME_MS);
      else return true;
    }
  }

  async function change(deadlineMs) {
    const begin = performance.now();
    while (changedAt < begin && performance.now() - begin < deadlineMs) await pause(FRAME_MS);
  }

  // --- the accessibility tree ----------------------------------------------------------------------

  const CLASSES = {
    a: "TextView", button: "Button", img: "ImageView", input: "EditText", option: "CheckedTextView",
    select: "Spinner", textarea: "EditText", progress: "ProgressBar",
  };
  const INPUTS = {
    button: "Button", checkbox: "CheckBox", image: "ImageButton", radio: "RadioButton", range: "SeekBar",
    reset: "Button", submit: "Button",
  };
  const ROLES = {
    button: "Button", checkbox: "CheckBox", combobox: "Spinner", img: "ImageView", radio: "RadioButton",
    slider: "SeekBar", switch: "Switch", textbox: "EditText", progressbar: "ProgressBar",
  };
  const TOUCHED_ROLES = new Set(["button", "checkbox", "combobox", "link", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "radio", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem"]);
  const TOUCHED_TAGS = new Set(["button", "input", "option", "select", "summary", "textarea"]);
  const SHAPES = new Set(["circle", "ellipse", "image", "line", "path", "polygon", "polyline", "rect", "text"]);
  const KEPT = new Set(["fieldset", "form", "label", "li", "tr"]); // holders that say what belongs together
  const FLAGS = ["clickable", "long_clickable", "scrollable", "editable", "focused", "checkable", "checked",
    "selected", "enabled", "password"];
  const CLICKABLE = 1, SCROLLABLE = 4, EDITABLE = 8;

  const tidy = (text) => text.replace(/\s+/g, " ").trim().slice(0, MOST_TEXT);
  const tag = (element) => element.localName;

  function className(element) {
    const name = tag(element), role = element.getAttribute("role");
    const found = ROLES[role] || (name === "input" && INPUTS[element.type]) || CLASSES[name];
    return "android." + (found ? `widget.${found}` : "view.View");
  }

  const isTyped = (element) => element.isContentEditable || tag(element) === "textarea" ||
    (tag(element) === "input" && !INPUTS[element.type] && element.type !== "hidden" && element.type !== "file");

  function flagsOf(element, style) {
    const name = tag(element), role = element.getAttribute("role");
    const typed = isTyped(element) && (!element.isContentEditable || !element.parentElement?.isContentEditable);
    const checkable = (name === "input" && /^(checkbox|radio)$/.test(element.type)) ||
      /^(checkbox|radio|switch)$/.test(role);
    const moves = (size, room, how) => size > room + 1 && /auto|scroll/.test(how);
    return [
      TOUCHED_TAGS.has(name) || TOUCHED_ROLES.has(role) || typed || (name === "a" && element.href) ||
        listening.has(element) || element.onclick || element.onmousedown || element.tabIndex >= 0 ||
        (style.cursor === "pointer" && element.parentElement &&
          getComputedStyle(element.parentElement).cursor !== "pointer"),
      Boolean(element.oncontextmenu),
      moves(element.scrollHeight, element.clientHeight, style.overflowY) ||
        moves(element.scrollWidth, element.clientWidth, style.overflowX),
      typed && !element.readOnly,
      document.activeElement === element && element !== document.body,
      checkable,
      checkable && (element.checked || element.getAttribute("aria-checked") === "true"),
      element.getAttribute("aria-selected") === "true" || (name === "option" && element.selected),
      !element.disabled && element.getAttribute("aria-disabled") !== "true",
      name === "input" && element.type === "password",
    ].reduce((bits, set, place) => bits | (set ? 1 << place : 0), 0);
  }

  function nameOf(element) {
    const labels = element.labels ? [...element.labels].map((label) => label.textContent).join(" ") : "";
    return tidy(element.getAttribute("aria-label") || element.getAttribute("alt") || labels ||
      element.getAttribute("placeholder") || element.getAttribute("title") ||
      (SHAPES.has(tag(element)) && tag(element) !== "text" ? tag(element) : ""));
  }

  function textOf(element) {
    const name = tag(element);
    if (name === "select") return tidy(element.selectedOptions[0]?.textContent ?? "");
    if (name === "input" && element.type === "password") return "•".repeat(element.value.length);
    if (name === "input" && /^(checkbox|radio|image)$/.test(element.type)) return "";
    if (name === "input" || name === "textarea") return element.value.slice(0, MOST_TEXT);
    if (element.getAttribute("role") === "slider") return element.getAttribute("aria-valuenow") ?? "";
    return element.firstElementChild ? "" : tidy(element.textContent);
  }

  // The part of a box that its holders do not cut off: [left, top, right, bottom], or null.
  function within(box, clip) {
    const cut = [Math.max(box.left, clip[0]), Math.max(box.top, clip[1]),
      Math.min(box.right, clip[2]), Math.min(box.bottom, clip[3])];
    return cut[2] - cut[0] >= 1 && cut[3] - cut[1] >= 1 ? cut : null;
  }

  // Inline text in several lines has a box for each: a finger goes to the largest.
  function boxOf(thing) {
    const boxes = thing.getClientRects();
    if (boxes.length < 2) return thing.getBoundingClientRect();
    return [...boxes].reduce((best, box) => box.width * box.height > best.width * best.height ? box : best);
  }

  // The box, or a half or a quarter of it, whose middle nothing else covers; null if there is none.
  function uncovered(box, element) {
    const [left, top, right, bottom] = box, x = (left + right) / 2, y = (top + bottom) / 2;
    const parts = [box, [left, top, right, y], [left, y, right, bottom], [left, top, x, bottom], [x, top, right, bottom],
      [left, top, x, y], [x, top, right, y], [left, y, x, bottom], [x, y, right, bottom]];
    return parts.find((part) => {
      const hit = document.elementFromPoint((part[0] + part[2]) / 2, (part[1] + part[3]) / 2);
      return hit && (element.contains(hit) || hit.contains(element));
    }) ?? null;
  }

  function nodesIn(holder, clip) {
    const found = [];
    for (const child of holder.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) found.push(...nodesOf(child, clip));
      else if (child.nodeType === Node.TEXT_NODE && child.data.trim()) {
        const range = document.createRange();
        range.selectNodeContents(child);
        const whole = within(boxOf(range), clip), box = whole && uncovered(whole, holder);
        if (box) {
          found.push({ kind: "android.widget.TextView", text: tidy(child.data), name: "", id: "", box,
            flags: 1 << FLAGS.indexOf("enabled"), inner: [] });
        }
      }
    }
    return found;
  }

  function nodesOf(element, clip) {
    const name = tag(element);
    if (name === "script" || name === "style" || element.getAttribute("aria-hidden") === "true") return [];
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
      return name === "option" ? [] : nodesShownBy(element, clip);
    }
    const style = getComputedStyle(element);
    if (style.display === "contents") return nodesIn(element, clip);
    const box = within(boxOf(element), clip);
    const clips = style.overflowX !== "visible" || style.overflowY !== "visible";
    if (!box) return clips ? [] : nodesIn(element, clip);
    const text = textOf(element), flags = flagsOf(element, style), label = nameOf(element);
    const leaf = !element.firstElementChild || name === "select" || (flags & EDITABLE) !== 0;
    const inner = leaf && !(name === "select" && element.size > 1) ? [] : nodesIn(element, clips ? box : clip);
    const shown = text || label || (flags & (CLICKABLE | SCROLLABLE)) || SHAPES.has(name);
    const open = leaf || !inner.length ? uncovered(box, element) : box;
    if (!open || (leaf && !shown)) return inner;
    if (!shown && !KEPT.has(name) && inner.length < 2) return inner;
    if (!shown && !inner.length) return [];
    const kind = className(element);
    const plain = kind === "android.view.View" && text && !inner.length;
    return [{ kind: plain ? "android.widget.TextView" : kind, text, name: label === text ? "" : label,
      id: element.id || element.classList[0] || "", box: open, flags, inner }];
  }

  // Something hidden may hold something visible; something transparent may not.
  function nodesShownBy(element, clip) {
    const style = getComputedStyle(element);
    return style.visibility === "hidden" && style.display !== "none" ? nodesIn(element, clip) : [];
  }

  function tree() {
    const rows = [];
    const add = (node, parent) => {
      if (rows.length >= MOST_NODES) return;
      const place = rows.push([node.kind, node.text, node.name, node.id, node.box, parent, node.flags]) - 1;
      for (const child of node.inner) add(child, place);
    };
    const screen = [0, 0, innerWidth, innerHeight];
    const page = document.scrollingElement;
    const scrolls = page && page.scrollHeight > innerHeight + 1 ? SCROLLABLE : 0;
    add({ kind: "android.webkit.WebView", text: tidy(document.title), name: "", id: "", box: screen,
      flags: scrolls | 1 << FLAGS.indexOf("enabled"), inner: document.body ? nodesIn(document.body, screen) : [] }, -1);
    return rows;
  }

  // --- before typing and swiping -------------------------------------------------------------------

  // What a picker of dates or colours would make of a text; "" if nothing.
  const PICKED = {
    date: (text) => text.replace(/^(\d\d?)\/(\d\d?)\/(\d{4})$/, (_, month, day, year) =>
      `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`),
    time: (text) => text.replace(/^(\d\d?):(\d\d)(?:\s*([AP])\.?M\.?)?$/i, (_, hour, minute, half) =>
      `${String(half ? hour % 12 + (/p/i.test(half) ? 12 : 0) : hour).padStart(2, "0")}:${minute}`),
    color: (text) => text, month: (text) => text, week: (text) => text, "datetime-local": (text) => text,
  };

  // Prepare what has the focus for a text: true if its old text is selected and the new one can be typed.
  function readyToType(text) {
    const element = document.activeElement;
    if (!element || element === document.body || !isTyped(element) || element.readOnly || element.disabled) return false;
    if (element.isContentEditable) {
      getSelection().selectAllChildren(element);
      return true;
    }
    if (!(element.type in PICKED)) {
      element.select();
      return true;
    }
    element.value = PICKED[element.type](text.trim());
    for (const kind of ["input", "change"]) element.dispatchEvent(new Event(kind, { bubbles: true }));
    return false;
  }

  // Whether something under the point would scroll if dragged by (dx, dy) with a finger.
  function scrollsAt(x, y, dx, dy) {
    const can = (at, room, size, by) => by < 0 ? at + room < size - 1 : by > 0 && at > 0;
    for (let element = document.elementFromPoint(x, y); element; element = element.parentElement) {
      const style = getComputedStyle(element);
      const page = element === document.scrollingElement;
      if ((page || /auto|scroll/.test(style.overflowY)) &&
        can(element.scrollTop, element.clientHeight, element.scrollHeight, dy)) return true;
      if ((page || /auto|scroll/.test(style.overflowX)) &&
        can(element.scrollLeft, element.clientWidth, element.scrollWidth, dx)) return true;
    }
    return false;
  }

  // --- the choices of a <select>, which Chromium would show in a window that no screenshot has ---------

  function offer(select) {
    const list = document.createElement("div");
    list.setAttribute("role", "listbox");
    list.style.cssText = "position:fixed;inset:4%;margin:auto;height:fit-content;max-height:92%;overflow:auto;" +
      "background:#fff;color:#000;border:1px solid #888;z-index:2147483647;font:12px sans-serif";
    [...select.options].forEach((option, place) => {
      const row = list.appendChild(document.createElement("div"));
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", String(option.selected));
      row.textContent = option.textContent;
      row.style.cssText = "padding:5px 8px;border-bottom:1px solid #ddd";
      listen.call(row, "click", (event) => {
        event.stopPropagation();
        list.remove();
        if (option.disabled || select.selectedIndex === place) return;
        select.selectedIndex = place;
        for (const kind of ["input", "change"]) select.dispatchEvent(new Event(kind, { bubbles: true }));
      });
    });
    document.body.append(list);
  }

  listen.call(document, "mousedown", (event) => {
    const select = event.target instanceof Element ? event.target.closest("select") : null;
    if (!select || select.disabled || select.multiple || select.size > 1) return;
    event.preventDefault();
    select.focus();
    offer(select);
  }, true);

  // A blinking caret would make two pictures of the same screen differ.
  listen.call(document, "DOMContentLoaded", () => {
    const style = document.createElement("style");
    style.textContent = "*{caret-color:transparent!important}";
    document.head?.append(style);
  });

  Object.defineProperty(globalThis, "__distrl", { value: Object.freeze({
    async look(acted, deadlineMs) {
      await settle(acted, deadlineMs);
      return JSON.stringify({ url: location.href, changed: changedAt, nodes: tree() });
    },
    change, readyToType, scrollsAt, settle,
  }) });
})();

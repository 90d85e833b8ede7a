"""One tab with a phone's screen, in a browser context of its own: no cookie or storage is shared."""

from __future__ import annotations

import asyncio
import io
import json
import time
from functools import cache
from importlib import resources

import msgspec
from PIL import Image

from distrl.devices.browser.cdp import Params, Refused, as_text, read
from distrl.devices.browser.chromium import Chromium
from distrl.devices.browser.options import BrowserOptions
from distrl.errors import DeviceError, DeviceTimeout
from distrl.imaging import encode_image
from distrl.records import Screenshot

AGENT = (
    "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Mobile Safari/537.36"
)
MOVING_PAUSE_S = 0.005  # before a page that is being replaced is asked again
MOST_EPISODES = 50  # in one tab, before its process is replaced
_EMPTY = """(async () => {
    window.name = "";
    try {
        localStorage.clear();
        sessionStorage.clear();
        for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
    } catch (error) {
        if (error.name !== "SecurityError" && error.name !== "UnknownError") throw error; // it has no storage
    }
})()"""
# What a question hears whose page is being replaced by another one.
_MOVING = ("context was destroyed", "navigated or closed", "Cannot find context", "Cannot find default")


class ScriptError(DeviceError):
    """A script of ours, a task's or a page's has thrown something."""


class _Created(msgspec.Struct, rename="camel"):
    browser_context_id: str = ""
    target_id: str = ""
    session_id: str = ""


class _Added(msgspec.Struct):
    identifier: str


class _Picture(msgspec.Struct):
    data: bytes


class _Exception(msgspec.Struct):
    description: str = ""


class _Details(msgspec.Struct):
    text: str = ""
    exception: _Exception = msgspec.field(default_factory=_Exception)


class _Value(msgspec.Struct):
    value: object = None


class _Evaluated(msgspec.Struct, rename="camel"):
    result: _Value
    exception_details: _Details | None = None


class _Navigated(msgspec.Struct, rename="camel"):
    error_text: str = ""


class _Entry(msgspec.Struct):
    id: int


class _History(msgspec.Struct, rename="camel"):
    current_index: int
    entries: list[_Entry]


@cache
def page_script() -> str:
    """What lives in every page; see page.js."""
    return resources.files("distrl.devices.browser").joinpath("page.js").read_text(encoding="utf-8")


class Tab:
    """A page on a phone-like screen; made by `open_tab`."""

    def __init__(self, browser: Chromium, context: str, session: str, options: BrowserOptions) -> None:
        self._browser = browser
        self._session = session
        self._options = options
        self.context = context
        self._scripts: list[str] = []  # that a task's set-up wants in every page
        self._episodes = 0
        self._layout: tuple[int, bool] | None = None
        self.pointer = ""
        self.zoom = 1.0  # pixels of the screen for one of the page
        self.size = (options.width, options.height)  # of the page's window, in its own pixels

    async def call(self, method: str, **params: object) -> msgspec.Raw:
        """A command and its answer."""
        return await self._browser.pipe.call(
            method, params, msgspec.Raw, self._session, self._options.timeout_s
        )

    async def call_all(self, *commands: tuple[str, Params]) -> None:
        """Several commands, sent at once, carried out in order."""
        answers = [self._browser.pipe.send(method, params, self._session) for method, params in commands]
        try:
            async with asyncio.timeout(self._options.timeout_s):
                for answer in answers:
                    await answer
        except TimeoutError as error:
            raise DeviceTimeout(f"Chromium did not carry out {commands[0][0]} in time") from error

    def hear(self, method: str, params: msgspec.Raw) -> None:
        """What the browser says about this tab by itself."""
        del params
        if method == "Page.javascriptDialogOpening":  # everything would wait for its answer
            self._browser.pipe.send("Page.handleJavaScriptDialog", {"accept": True}, self._session)
        elif method == "Inspector.targetCrashed":
            self._browser.pipe.lose(self._session, "the tab has crashed: the next reset opens another one")

    async def set_width(self, width: int, *, mobile: bool) -> None:
        """Make the page as many of its own pixels wide as given; the screen stays as large as it is.

        Pictures have the page's own pixels. With any other scale, a picture would make Chromium change the
        page's scale for a moment, and touches in that moment would go astray.
        """
        if self._layout == (width, mobile):
            return
        self._layout = (width, mobile)
        self.zoom = self._options.width / width
        self.size = (width, max(1, round(self._options.height / self.zoom)))
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=self.size[1],
            deviceScaleFactor=1,
            mobile=mobile,
        )

    async def use_pointer(self, pointer: str) -> None:
        """Be a screen that is touched, or one with a mouse."""
        if self.pointer == pointer:
            return
        self.pointer, touch = pointer, pointer == "touch"
        await self.call("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=5 if touch else 1)

    async def evaluate(self, script: str) -> object:
        """The value of an expression in the page, promises awaited; raises ScriptError if it throws."""
        deadline = time.monotonic() + self._options.timeout_s
        while True:
            try:
                answer = await self.call(
                    "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
                )
                break
            except Refused as error:
                if not any(words in str(error) for words in _MOVING) or time.monotonic() > deadline:
                    raise
            await asyncio.sleep(MOVING_PAUSE_S)
        found = read(answer, _Evaluated)
        if found.exception_details is None:
            return found.result.value
        details = found.exception_details
        raise ScriptError(details.exception.description.partition("\n")[0] or details.text)

    async def ask(self, function: str, *arguments: object) -> object:
        """What one of page.js's functions answers."""
        call = f"__distrl.{function}({','.join(json.dumps(argument) for argument in arguments)})"
        try:
            return await self.evaluate(call)
        except ScriptError as error:
            if "__distrl is not defined" not in str(error):
                raise
        await self.evaluate(page_script())  # a page that was there before the script
        return await self.evaluate(call)

    async def ask_text(self, function: str, *arguments: object) -> str:
        """The same, as text."""
        return as_text(await self.ask(function, *arguments))

    async def go(self, address: str) -> None:
        """Load a page and wait until it has settled; raises ScriptError if it cannot be had."""
        found = read(await self.call("Page.navigate", url=address), _Navigated)
        if found.error_text:
            raise ScriptError(f"{address} cannot be loaded: {found.error_text}")
        await self.ask("settle", False, 1e3 * self._options.settle_s)

    async def add_script(self, source: str) -> None:
        """Run this in every page from now on, before the page's own scripts."""
        added = await self.call("Page.addScriptToEvaluateOnNewDocument", source=source)
        self._scripts.append(read(added, _Added).identifier)

    async def clean(self) -> bool:
        """Make the tab as good as new; False if only a new one is.

        Pages from files have no cookies, and what else they can keep is emptied here, which takes a tenth of
        the time of a new process for a new context. After pages from the network there is no such certainty.
        """
        self._episodes += 1
        if self._options.kind.hosts or self._episodes >= MOST_EPISODES:
            return False
        try:
            await self.evaluate(_EMPTY)
            remove = "Page.removeScriptToEvaluateOnNewDocument"
            scripts: list[tuple[str, Params]] = [(remove, {"identifier": id}) for id in self._scripts]
            await self.call_all(*scripts, ("Page.resetNavigationHistory", {}))
        except DeviceError:
            return False
        self._scripts = []
        return True

    async def depth(self) -> int:
        """How many pages BACK could go back."""
        return read(await self.call("Page.getNavigationHistory"), _History).current_index

    async def go_back(self, to: int | None, floor: int) -> None:
        """Go to an earlier page, by default the last; never to one from before `floor`."""
        history = read(await self.call("Page.getNavigationHistory"), _History)
        index = history.current_index - 1 if to is None else to
        if floor <= index < history.current_index:
            await self.call("Page.navigateToHistoryEntry", entryId=history.entries[index].id)

    async def picture(self, scale: float) -> Screenshot:
        """What the screen shows, at most as large as this part of the screen."""
        raw = await self.call(
            "Page.captureScreenshot", format="jpeg", quality=self._options.quality, optimizeForSpeed=True
        )
        data = read(raw, _Picture).data
        image = Image.open(io.BytesIO(data))
        width, height = round(self._options.width * scale), round(self._options.height * scale)
        if image.width <= width:
            return Screenshot(data=data, encoding="jpeg", width=image.width, height=image.height)
        image.draft("RGB", (width, height))  # decodes a half or a quarter of it in less time
        return encode_image(image.resize((width, height), Image.Resampling.BOX))

    async def close(self) -> None:
        """Close the tab and forget everything that its pages stored."""
        pipe = self._browser.pipe
        pipe.forget(self._session)
        if self._browser.alive:
            try:
                await pipe.call(
                    "Target.disposeBrowserContext", {"browserContextId": self.context}, msgspec.Raw
                )
            except DeviceError:
                return  # it went with its browser


async def open_tab(browser: Chromium, options: BrowserOptions) -> Tab:
    """A new tab, still empty, in a context of its own."""
    pipe, timeout_s = browser.pipe, options.timeout_s

    async def create(method: str, params: Params) -> _Created:
        return await pipe.call(method, params, _Created, timeout_s=timeout_s)

    context = (await create("Target.createBrowserContext", {"disposeOnDetach": True})).browser_context_id
    where: Params = {"browserContextId": context}
    target = (await create("Target.createTarget", {"url": "about:blank", **where})).target_id
    session = (await create("Target.attachToTarget", {"targetId": target, "flatten": True})).session_id
    tab = Tab(browser, context, session, options)
    pipe.listen(session, tab.hear)
    pipe.send("Browser.setDownloadBehavior", {"behavior": "deny", **where})
    await tab.call_all(
        ("Page.enable", {}),
        ("Inspector.enable", {}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": page_script()}),
        ("Emulation.setUserAgentOverride", {"userAgent": AGENT, "platform": "Android"}),
        ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
    )
    return tab

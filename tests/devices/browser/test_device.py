"""Tabs of a real Chromium: the contracts, what is seen, what actions do, and what a page may not do."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from distrl.devices.browser.device import BrowserDevice
from distrl.errors import DeviceError, TaskError
from distrl.records import Action, ActionKind, Point, Task, UiNode
from distrl.testing.device_contract import DEVICE_CONTRACT, Clause
from distrl.testing.repair_contract import REPAIR_CONTRACT

Make = Callable[..., BrowserDevice]
PageTask = Callable[..., Task]

NOTEPAD = """<body style="height:1500px"><input id=field><button onclick="count.textContent++">More</button>
<p id=count>0</p><a href="#far">Far</a>"""
NOTEPAD_STATE = "JSON.stringify([field.value, count.textContent])"


@pytest.mark.parametrize("clause", [*DEVICE_CONTRACT, *REPAIR_CONTRACT], ids=lambda clause: clause.__name__)
def test_contract(clause: Clause, make: Make, page_task: PageTask) -> None:
    asyncio.run(clause(make, page_task(NOTEPAD, state=NOTEPAD_STATE)))


def on_page(device: BrowserDevice, task: Task, work: Callable[[BrowserDevice], Awaitable[None]]) -> None:
    """Do something on a page."""

    async def run() -> None:
        await device.open()
        try:
            await device.reset(task, 0)
            await work(device)
        finally:
            await device.close()

    asyncio.run(run())


def find(ui: tuple[UiNode, ...] | None, label: str) -> UiNode:
    return next(node for node in ui or () if label in (node.text, node.description, node.resource_id))


async def tap(device: BrowserDevice, label: str) -> None:
    """Look, and tap what has this label."""
    seen = await device.observe()
    left, top, right, bottom = find(seen.ui, label).bounds
    point = Point((left + right) / 2 / seen.width, (top + bottom) / 2 / seen.height)
    await device.act(Action(ActionKind.TAP, point=point))


def test_the_tree_says_what_is_on_the_screen(make: Make, page_task: PageTask) -> None:
    body = """<button>Buy</button><label><input type=checkbox checked>Gift</label>
        <input type=password value=abc aria-label=Secret><input placeholder=Name>
        <textarea disabled>Off</textarea>
        <div id=heard>Heard</div><div>Plain <b>bold</b> text</div><div aria-hidden=true>Unseen</div>
        <div style="display:none">Gone</div><div style="overflow:auto;height:30px">
        <p>One</p><p>Two</p><p>Three</p></div>
        <div style="position:relative"><p>Under</p>
        <div style="position:absolute;inset:0;background:#fff">Over</div></div>
        <div style="position:absolute;top:3000px">Below</div>
        <script>heard.addEventListener("click", () => 0)</script>"""

    async def work(device: BrowserDevice) -> None:
        seen = await device.observe()
        texts = {node.text for node in seen.ui or ()}
        assert find(seen.ui, "Buy").class_name == "android.widget.Button"
        assert find(seen.ui, "Buy").clickable
        gift = next(node for node in seen.ui or () if node.checkable)
        assert (gift.class_name, gift.description, gift.checked) == ("android.widget.CheckBox", "Gift", True)
        secret = find(seen.ui, "Secret")
        assert (secret.text, secret.password, secret.editable) == ("•••", True, True)
        assert find(seen.ui, "Name").editable
        assert not find(seen.ui, "Off").enabled
        assert find(seen.ui, "Heard").clickable
        assert not find(seen.ui, "bold").clickable
        assert {"Plain", "text", "Over"} <= texts
        assert not {"Unseen", "Gone", "Under", "Below", "Three"} & texts
        assert any(node.scrollable for node in (seen.ui or ())[1:])
        assert (seen.width, seen.height, seen.screenshot.width) == (412, 732, 206)

    on_page(make(), page_task(body), work)


def test_what_is_half_covered_is_touched_where_it_can_be_seen(make: Make, page_task: PageTask) -> None:
    body = """<button style="position:absolute;left:0;top:0;width:200px;height:9em" onclick=hit=1>Low</button>
        <button style="position:absolute;left:80px;top:0;width:200px;height:60px">High</button>"""

    async def work(device: BrowserDevice) -> None:
        await tap(device, "Low")
        await device.observe()
        assert await device.probe("eval hit") == "1"

    on_page(make(), page_task(body), work)


def test_touches_swipes_and_keys(make: Make, page_task: PageTask) -> None:
    body = """<body style="height:3000px;touch-action:auto"><form onsubmit="heard.push('sent');return false">
        <input id=field value=before></form><button id=b>Touch</button><script>heard = [];
        for (const kind of ["touchstart", "click"]) b.addEventListener(kind, () => heard.push(kind));
        field.addEventListener("input", () => heard.push("input"))</script>"""

    async def work(device: BrowserDevice) -> None:
        await tap(device, "Touch")
        await device.observe()
        assert await device.probe("eval heard") == '["touchstart","click"]'
        await tap(device, "field")
        await device.observe()
        await device.act(Action(ActionKind.TYPE, text="Grüße, 東京"))
        await device.act(Action(ActionKind.ENTER))
        assert find((await device.observe()).ui, "field").text == "Grüße, 東京"
        assert await device.probe("eval heard.slice(2)") == '["input","sent"]'
        await device.act(Action(ActionKind.SWIPE, point=Point(0.5, 0.9), to=Point(0.5, 0.3)))
        await device.observe()
        assert float(await device.probe("eval scrollY")) == pytest.approx(0.6 * 732, abs=1)

    on_page(make(), page_task(body), work)


def test_a_mouse_drags_and_scrolls(make: Make, page_task: PageTask) -> None:
    body = """<div id=list style="height:100px;overflow:auto"><p>1<p>2<p>3<p>4<p>5<p>6<p>7</div>
        <div id=pad style="height:100px;background:#ccc"></div><script>
        pad.onmousedown = (e) => down = e.clientX; pad.onmouseup = (e) => moved = e.clientX - down</script>"""

    async def work(device: BrowserDevice) -> None:
        await device.act(Action(ActionKind.SWIPE, point=Point(0.5, 0.12), to=Point(0.5, 0.02)))
        await device.observe()
        assert float(await device.probe("eval list.scrollTop")) > 50
        await device.act(Action(ActionKind.SWIPE, point=Point(0.25, 0.2), to=Point(0.75, 0.2)))
        assert float(await device.probe("eval moved")) == pytest.approx(206, abs=2)

    on_page(make(), page_task(body, "pointer mouse"), work)


@pytest.mark.parametrize("pointer", ["touch", "mouse"])
def test_choices_of_a_select_can_be_seen_and_tapped(make: Make, page_task: PageTask, pointer: str) -> None:
    body = "<select id=s onchange='changed=s.value'><option>Red<option>Green<option>Blue</select>"

    async def work(device: BrowserDevice) -> None:
        await tap(device, "Red")
        await tap(device, "Green")
        assert find((await device.observe()).ui, "s").text == "Green"
        assert await device.probe("eval changed") == "Green"

    on_page(make(pointer=pointer), page_task(body), work)


def test_dates_and_times_are_typed_as_they_are_written(make: Make, page_task: PageTask) -> None:
    async def work(device: BrowserDevice) -> None:
        for field, text in (("d", "05/20/2010"), ("t", "9:37 PM")):
            await tap(device, field)
            await device.observe()
            await device.act(Action(ActionKind.TYPE, text=text))
        assert await device.probe("eval [d.value, t.value]") == '["2010-05-20","21:37"]'

    on_page(make(pointer="mouse"), page_task("<input type=date id=d><p><input type=time id=t>"), work)


def test_a_dialog_of_the_page_blocks_nothing(make: Make, page_task: PageTask) -> None:
    async def work(device: BrowserDevice) -> None:
        await tap(device, "Ask")
        assert find((await device.observe()).ui, "Ask").text == "Ask"
        assert await device.probe("eval answer") == "true"

    on_page(make(), page_task("<button onclick='answer=confirm(1)'>Ask</button>"), work)


def test_looking_waits_for_animations(make: Make, page_task: PageTask) -> None:
    body = """<button onclick="o.style.width='300px'">Go</button>
        <p id=o style="width:50px;transition:width 0.4s linear">0</p>"""

    async def work(device: BrowserDevice) -> None:
        await tap(device, "Go")
        left, _, right, _ = find((await device.observe()).ui, "o").bounds
        assert right - left == 300

    on_page(make(settle_s="20"), page_task(body), work)


def test_back_stays_within_the_episode(make: Make, page_task: PageTask) -> None:
    body = "<button onclick='history.pushState((history.state ?? 0) + 1, 0)'>Next</button>"

    async def work(device: BrowserDevice) -> None:
        for _ in range(2):
            await tap(device, "Next")
        await device.observe()
        pages = [await device.probe("eval history.state")]
        for _ in range(3):
            await device.act(Action(ActionKind.BACK))
            await device.observe()
            pages.append(await device.probe("eval history.state"))
        assert pages == ["2", "1", "null", "null"]

    on_page(make(), page_task(body), work)


def test_what_cannot_be_prepared_is_the_tasks_fault(make: Make, page_task: PageTask) -> None:
    async def run(line: str) -> None:
        device = make()
        await device.open()
        try:
            await device.reset(page_task("", line), 0)
        finally:
            await device.close()

    for line, words in (
        ("goto https://elsewhere.example/", "sites"),
        ("goto package:no_such_package/page.html", "not installed"),
        ("goto package:distrl/../x.html", "no file"),
        ("require 1 === 2", "not so"),
        ("eval nonsense()", "not defined"),
        ("dance", "browsers know"),
    ):
        with pytest.raises(TaskError, match=words):
            asyncio.run(run(line))


def test_a_probe_that_fails_is_an_answer_but_an_unknown_one_is_not(make: Make, page_task: PageTask) -> None:
    async def work(device: BrowserDevice) -> None:
        assert (await device.probe("eval nonsense")).startswith("error: ReferenceError")
        with pytest.raises(DeviceError, match="does not know"):
            await device.probe("getprop")

    on_page(make(), page_task(""), work)

"""Web pages on a phone's screen as devices: each is a tab in a context of its own, all in one Chromium.

Set-up commands and probes are lines of a small language:

    goto ADDRESS      load a page: one of the option `sites`, or package:NAME/PATH, a file of a Python package
    width N           lay the page out N of its own pixels wide, and enlarge it to the screen
    pointer mouse     use a mouse from here on (or: touch)
    script JS         run this in every page before its own scripts
    eval JS           run this in the page now; as a probe, its value is the answer
    wait JS           go on as soon as this is true
    require JS        fail unless this is true
    url               as a probe: the address of the page
"""

from __future__ import annotations

import asyncio
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from distrl.config import DeviceConfig
from distrl.devices.browser import chromium
from distrl.devices.browser.cdp import as_text
from distrl.devices.browser.gestures import perform
from distrl.devices.browser.options import POINTERS, BrowserOptions, read_options
from distrl.devices.browser.screen import look
from distrl.devices.browser.tab import ScriptError, Tab, open_tab
from distrl.errors import ConfigError, DeviceError, DeviceLost, DeviceTimeout, TaskError
from distrl.records import FINAL_KINDS, Action, ActionKind, Observation, Screenshot, Task

PACKAGE = "package:"
WAIT_PAUSE_S = 0.01  # between two looks at what `wait` waits for
ANSWER_S = 5.0  # within which a browser that is not to be replaced must answer
_REMEDIES = ("restart_app", "reboot")


class BrowserDevice:
    """One tab behind the Device interface; see the module's docstring."""

    def __init__(self, index: int, options: BrowserOptions, picture_scale: float = 1.0) -> None:
        self.id = f"browser-{index}"
        self._options = options
        self._picture_scale = picture_scale
        self._lease: chromium.Lease | None = None
        self._tab: Tab | None = None
        self._ready = False  # whether the tab is at the start of an episode, or in one
        self._floor = 0  # the page of the history that BACK does not go beyond
        self._acted = False  # since the last look
        self._picture: tuple[object, Screenshot] | None = None  # while nothing was done and nothing changed

    # -- the Device interface --------------------------------------------------------------------

    async def open(self) -> None:
        """Take part in this process's browser, which is started if need be."""
        if self._lease is not None and self._lease.browser.alive:
            return
        await self.close()
        self._lease = await chromium.lease(self._options.kind)

    async def reset(self, task: Task, seed: int) -> None:
        """Open a new tab in a new context and run the task's set-up; the seed changes nothing.

        A browser that has ended meanwhile is replaced first.
        """
        del seed
        if self._lease is None:
            raise DeviceLost(f"{self.id} is not open: open it first")
        await self.open()
        self._ready = False
        line = f"goto {self._options.start}"
        try:
            tab = await self._clean_tab(self._lease.browser, task)
            for line in task.setup:
                await self._prepare(tab, line)
        except ScriptError as error:
            raise TaskError(f"task {task.id}: set-up command `{line[:200]}` failed: {error}") from error
        self._floor = await tab.depth()
        self._acted, self._picture, self._ready = False, None, True

    async def observe(self) -> Observation:
        """The page once it has settled, or as it is after `settle_s`."""
        tab = self._opened()
        seen = await look(tab, self._acted, self._options.settle_s)
        self._acted = False
        if self._picture is None or self._picture[0] != seen.changed:
            self._picture = seen.changed, await tab.picture(self._picture_scale)
        return Observation(
            screenshot=self._picture[1],
            width=self._options.width,
            height=self._options.height,
            ui=seen.ui,
            app=seen.app,
            captured_at=time.time(),
        )

    async def act(self, action: Action) -> None:
        """Carry out an action; HOME returns to the first page, OPEN_APP goes to a site of the options."""
        tab = self._opened()
        if action.kind in FINAL_KINDS or action.kind is ActionKind.INVALID:
            return
        self._acted, self._picture = action.kind is not ActionKind.WAIT, None
        if action.kind is ActionKind.BACK:
            await tab.go_back(None, self._floor)
        elif action.kind is ActionKind.HOME:
            await tab.go_back(self._floor, self._floor)
        elif action.kind is ActionKind.OPEN_APP:
            address = self._options.sites.get((action.text or "").strip().lower())
            if address is not None:
                await self._visit(tab, address)
        else:
            await perform(tab, action)

    async def probe(self, command: str) -> str:
        """The page's answer to `eval JS` or `url`; a script that fails answers `error: …`."""
        tab = self._opened()
        verb, _, rest = command.strip().partition(" ")
        if not verb:
            return ""
        if verb == "url":
            rest = "location.href"
        elif verb != "eval":
            raise DeviceError(f"{self.id} does not know the probe `{command}`; it knows `eval JS` and `url`")
        try:
            return as_text(await tab.evaluate(rest))
        except ScriptError as error:
            return f"error: {error}"

    async def close(self) -> None:
        """Close the tab; the last device to close ends the browser."""
        lease, self._lease = self._lease, None
        await self._close_tab()
        if lease is not None:
            await lease.release()

    # -- remedies --------------------------------------------------------------------------------

    def remedies(self) -> tuple[str, ...]:
        """What helps a tab."""
        return _REMEDIES

    async def repair(self, remedy: str) -> None:
        """A new tab comes with every reset; a browser that does not answer is replaced, for all its tabs."""
        if self._lease is None:
            raise DeviceLost(f"{self.id} is not open: open it first")
        if remedy not in _REMEDIES:
            raise DeviceError(f"{self.id} knows no remedy {remedy!r}; it knows {', '.join(_REMEDIES)}")
        browser = self._lease.browser
        if remedy == "reboot" and browser.alive and not await browser.answers(ANSWER_S):
            browser.kill()
            await browser.process.wait()
        await self.open()
        if not await self._lease.browser.answers(ANSWER_S):
            raise DeviceTimeout("Chromium does not answer: reboot it")

    # -- set-up ------------------------------------------------------------------------------------

    async def _clean_tab(self, browser: chromium.Chromium, task: Task) -> Tab:
        """A tab that knows nothing of earlier episodes, with the screen and the pointer of the options."""
        tab = self._tab
        if tab is not None and not await tab.clean():
            await self._close_tab()
            tab = None
        if tab is None:
            tab = self._tab = await open_tab(browser, self._options)
        asked = {line.partition(" ")[0] for line in task.setup}
        if "width" not in asked:
            await tab.set_width(self._options.width, mobile=True)
        if "pointer" not in asked:
            await tab.use_pointer(self._options.pointer)
        if "goto" not in asked:
            await tab.go(self._options.start)
        return tab

    async def _prepare(self, tab: Tab, line: str) -> None:
        """Carry out one line of a set-up; raises ScriptError if the line cannot be carried out."""
        verb, _, rest = line.strip().partition(" ")
        if verb == "goto":
            await tab.go(self._address(rest.strip()))
        elif verb == "width" and rest.strip().isdecimal() and int(rest):
            await tab.set_width(int(rest), mobile=False)
        elif verb == "pointer" and rest.strip() in POINTERS:
            await tab.use_pointer(rest.strip())
        elif verb == "script":
            await tab.add_script(rest)
        elif verb == "eval":
            await tab.evaluate(rest)
        elif verb == "wait":
            await self._wait(tab, rest)
        elif verb == "require":
            if not await tab.evaluate(rest):
                raise ScriptError("it is not so")
        else:
            raise ScriptError("browsers know goto, width, pointer, script, eval, wait and require")

    async def _wait(self, tab: Tab, script: str) -> None:
        deadline = time.monotonic() + self._options.timeout_s
        while not await tab.evaluate(script):
            if time.monotonic() > deadline:
                raise DeviceTimeout(f"{self.id} waited {self._options.timeout_s:g} s in vain for `{script}`")
            await asyncio.sleep(WAIT_PAUSE_S)

    def _address(self, address: str) -> str:
        """An address that may be visited, as the browser writes it."""
        if address.startswith(PACKAGE):
            return _file_of_package(address.removeprefix(PACKAGE))
        parts = urlsplit(address)
        if parts.scheme in ("data", "about") or parts.hostname in self._options.kind.hosts:
            return address
        raise ScriptError("this address is not among the option `sites`")

    async def _visit(self, tab: Tab, address: str) -> None:
        try:
            await tab.go(address)
        except ScriptError as error:
            raise DeviceError(f"{self.id}: {error}") from error

    def _opened(self) -> Tab:
        if self._lease is None or self._tab is None or not self._ready:
            raise DeviceLost(f"{self.id} shows no page: open and reset it first")
        return self._tab

    async def _close_tab(self) -> None:
        tab, self._tab = self._tab, None
        if tab is not None:
            await tab.close()


def _file_of_package(place: str) -> str:
    """The address of a file in an installed Python package, which is not imported."""
    name, _, path = place.partition("/")
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ScriptError(f"the Python package {name!r} is not installed: pip install {name}")
    folder = Path(spec.origin).parent.resolve()
    file = (folder / path).resolve()
    if not file.is_relative_to(folder) or not file.is_file():
        raise ScriptError(f"the package {name!r} has no file {path!r}")
    return file.as_uri()


def build(config: DeviceConfig, index: int = 0, seed: int = 0) -> BrowserDevice:
    """Tab number `index`; the seed changes nothing."""
    del seed
    if config.profile != "instant":
        raise ConfigError("only simulated phones have one", "device.profile")
    return BrowserDevice(index, read_options(config.options), config.picture_scale)

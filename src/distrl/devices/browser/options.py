"""What `device.options` may say about browsers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from distrl.devices.browser.chromium import BrowserKind
from distrl.errors import ConfigError

KNOWN = {
    "chromium": "the browser's program; by default the first Chromium on the PATH",
    "screen": "size of the screen in pixels, for instance 412x732",
    "sites": "pages that may be visited, and their names: Shop=https://shop.example/,Wiki=https://wiki.example/",
    "start": "address that an episode starts at, unless the task's set-up goes somewhere",
    "pointer": "touch, or mouse for pages that know no touch",
    "quality": "of the pictures (JPEG), from 1 to 100",
    "settle_s": "seconds after which a page that does not settle is taken as it is",
    "timeout_s": "seconds after which a browser that does not answer counts as hung",
}
POINTERS = ("touch", "mouse")


@dataclass(frozen=True)
class BrowserOptions:
    """The options, read and checked."""

    chromium: str = ""
    width: int = 412
    height: int = 732
    sites: dict[str, str] = field(default_factory=dict)  # name in small letters → address
    start: str = "about:blank"
    pointer: str = "touch"
    quality: int = 80
    settle_s: float = 2.0
    timeout_s: float = 30.0

    @property
    def kind(self) -> BrowserKind:
        """The browser that these options need."""
        addresses = [*self.sites.values(), self.start]
        hosts = sorted({urlsplit(address).hostname or "" for address in addresses} - {""})
        return BrowserKind(self.chromium, tuple(hosts))


def read_options(options: dict[str, str]) -> BrowserOptions:
    """The options of a configuration; one ConfigError names all faults."""
    faults = [
        f"there is no option {name!r}; known: {', '.join(KNOWN)}" for name in options if name not in KNOWN
    ]
    defaults = BrowserOptions()
    screen = options.get("screen", f"{defaults.width}x{defaults.height}")
    size = re.fullmatch(r"(\d{2,4})x(\d{2,4})", screen)
    if size is None:
        faults.append(f"screen = {screen!r}: should be WIDTHxHEIGHT, for instance 412x732")
    pointer = options.get("pointer", defaults.pointer)
    if pointer not in POINTERS:
        faults.append(f"pointer = {pointer!r}: should be touch or mouse")
    read = BrowserOptions(
        chromium=options.get("chromium", ""),
        width=int(size[1]) if size else defaults.width,
        height=int(size[2]) if size else defaults.height,
        sites=_sites(options.get("sites", ""), faults),
        start=options.get("start", defaults.start),
        pointer=pointer,
        quality=round(_number("quality", options, defaults.quality, faults, most=100)),
        settle_s=_number("settle_s", options, defaults.settle_s, faults),
        timeout_s=_number("timeout_s", options, defaults.timeout_s, faults),
    )
    if faults:
        raise ConfigError(faults, "device.options")
    return read


def _sites(text: str, faults: list[str]) -> dict[str, str]:
    sites: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, sign, address = pair.partition("=")
        if not sign or not name.strip() or not re.match(r"https?://[^/]", address.strip()):
            faults.append(f"sites: {pair!r} should be NAME=ADDRESS, for instance Shop=https://shop.example/")
        sites[name.strip().lower()] = address.strip()
    return sites


def _number(
    name: str, options: dict[str, str], default: float, faults: list[str], most: float = 1e6
) -> float:
    text = options.get(name)
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= most:
        faults.append(f"{name} = {text!r}: should be a number above 0 and at most {most:g}")
        return default
    return value

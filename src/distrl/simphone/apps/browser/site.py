"""What a web site is to the browser: a host, a title, and functions from an address to widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import BrowserData, Ctx
from distrl.simphone.scene import Message
from distrl.simphone.widgets import Dialog, Surface, Widget
from distrl.simphone.world import World


def visit(address: Address | str) -> Message:
    """The message that opens a web page: `Row(title="Cart", on_tap=visit("larkspur.market/cart"))`."""
    return ("visit", address if isinstance(address, str) else address.text)


def window(name: str) -> Message:
    """The message that opens one of the site's windows (sheet, dialog, menu) over the page."""
    return ("window", name)


class Found(msgspec.Struct, frozen=True, gc=False):
    """A page that the search engine knows. `text` is what it looks into, in small letters."""

    url: str
    title: str
    snippet: str
    text: str
    kind: Literal["shop", "news", "reference", "other"] = "other"


class CookieWords(msgspec.Struct, frozen=True):
    """What a site's question about cookies says, and whether it covers the page or lies at its foot."""

    text: str = "We use cookies to make this site work and to learn how it is used."
    accept: str = "Accept all"
    reject: str = "Reject all"
    manage: str = "Manage options"
    covers: bool = False


PLAIN_COOKIES = CookieWords()


@dataclass(frozen=True)
class Site:
    """A web site. Messages other than `visit` and `window` come back to its `update`."""

    host: str
    title: str
    icon: str
    about: str
    build: Callable[[Ctx, Address], Sequence[Widget]]
    update: Callable[[Ctx, Address, Message], None] = lambda *_: None
    build_window: Callable[[Ctx, Address, str], Surface] = lambda *_: Dialog("Nothing here")
    bottom: Callable[[Ctx, Address], Widget | None] = lambda *_: None
    page_title: Callable[[Ctx, Address], str] = lambda *_: ""
    """What a page is called in the history; empty: the site's title."""
    pages: Callable[[World], tuple[Found, ...]] = lambda *_: ()
    """What the search engine finds on the site in this world."""
    planted: Callable[[BrowserData], list[Found]] = lambda *_: []
    """What the shell has added to it."""
    hue: float | None = None
    """The site's own colour; None: the phone's."""
    sticky: int = 0
    """How many widgets at the top of its pages stay there when the page is scrolled."""
    cookies: CookieWords = PLAIN_COOKIES
    newsletter: str = ""
    """What its newsletter pop-up promises; empty: it has none."""

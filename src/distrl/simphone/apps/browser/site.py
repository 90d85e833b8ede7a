"""What a web site is to the browser: a host, a title, and functions from an address to widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.scene import Message
from distrl.simphone.widgets import Dialog, Surface, Widget


def visit(address: Address | str) -> Message:
    """The message that opens a web page: `Row(title="Cart", on_tap=visit("larkspur.market/cart"))`."""
    return ("visit", address if isinstance(address, str) else address.text)


def window(name: str) -> Message:
    """The message that opens one of the site's windows (sheet, dialog, menu) over the page."""
    return ("window", name)


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

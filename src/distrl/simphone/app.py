"""What an app is, and what it is handed when it builds a page or answers a touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from distrl.simphone import chance, navigation, notifications, permissions
from distrl.simphone.scene import Message
from distrl.simphone.state import Entry, Task, Value, put_setting, setting
from distrl.simphone.store import Store
from distrl.simphone.theme import Colour, Look, look_of
from distrl.simphone.widgets import Surface
from distrl.simphone.world import World, world

D = TypeVar("D", bound=msgspec.Struct)
T = TypeVar("T")

Cell = str | int | float
Cells = dict[str, Cell]
"""One row of a content table."""


def go(page: str, /, **args: Value) -> Message:
    """The message that opens another page of the same app: `Row(title="Display", on_tap=go("display"))`."""
    return ("@go", page, tuple(args.items()))


def launch(package: str, page: str = "", /, **args: Value) -> Message:
    """The message that opens another app, or one of its pages."""
    return ("@launch", package, page, tuple(args.items()))


class Context(Generic[D]):
    """An app's view of the phone: its own data, the page it is asked about, and what it may do.

    Page functions only read; `update` may change `data`, `fields` and call the methods that act. A page is
    shown again from memory until something has changed (see `system/pages.py`), so it takes the clock from
    `minute_s`, or from `now_s` if it shows seconds, and other pages from `below` and `tasks`.
    """

    __slots__ = ("data", "entry", "fleeting", "look", "package", "state", "store", "world")

    def __init__(self, store: Store, app: App[D], entry: Entry) -> None:
        state = store.state
        self.store = store
        self.state = state
        self.entry = entry
        self.fleeting = False
        """Whether the page has read what changes without notice: seconds, or which pages are open."""
        self.package = app.package
        content = world(state.world_seed)
        self.world: World = content
        self.look: Look = look_of(state)
        # The store keeps the function: one that held this context would tie the store to itself.
        self.data: D = store.data(app.package, app.data, lambda: app.fill(content))

    # -- reading ---------------------------------------------------------------------------------------

    @property
    def page(self) -> str:
        """The name of the page."""
        return self.entry.page

    @property
    def now_s(self) -> float:
        """The phone's clock, seconds since 1970."""
        self.fleeting = True
        return self.state.now_s

    @property
    def minute_s(self) -> float:
        """When the current minute of the phone's clock began, for pages that show no seconds."""
        return self.state.now_s // 60 * 60

    @property
    def tasks(self) -> list[Task]:
        """The open apps, the one in front last."""
        self.fleeting = True
        return self.state.tasks

    def arg(self, name: str, default: Value = "") -> Value:
        """An argument that the page was opened with."""
        return self.entry.args.get(name, default)

    def arg_int(self, name: str, default: int = 0) -> int:
        """An argument as a whole number."""
        value = self.entry.args.get(name, default)
        return value if isinstance(value, int) else default

    def arg_str(self, name: str, default: str = "") -> str:
        """An argument as text."""
        return str(self.entry.args.get(name, default))

    def text(self, name: str, default: str = "") -> str:
        """What stands in the text field `name` of this page (`default`: the field's `initial`)."""
        return self.entry.fields.get(name, default)

    def setting(self, namespace: str, key: str, default: str = "") -> str:
        """One of Android's settings."""
        return setting(self.state, namespace, key, default)

    def shuffled(self, items: Sequence[T], salt: str) -> list[T]:
        """The items in an order that varies from phone to phone (presentation seed) but not over time."""
        return chance.shuffled(items, self.state.seed, salt)

    def chance(self, salt: str) -> float:
        """A number in [0, 1) that varies from phone to phone but not over time."""
        return chance.fraction(self.state.seed, salt)

    @property
    def loading(self) -> bool:
        """Whether this page is still loading (show a `Spinner`)."""
        return self.now_s < self.entry.ready_at_s

    # -- acting ----------------------------------------------------------------------------------------

    def go(self, page: str, /, **args: Value) -> None:
        """Open a page of this app on top; it loads first if the phone was told to be slow."""
        navigation.push(self.state, page, args).ready_at_s = navigation.ready_at(self.state)

    def replace(self, page: str, /, **args: Value) -> None:
        """Open a page instead of this one."""
        navigation.unfocus(self.state)
        stack = navigation.front(self.state).stack
        stack[-1] = Entry(page, dict(args))

    def back(self) -> None:
        """Close this page (or dialog, or menu)."""
        navigation.unfocus(self.state)
        navigation.back(self.state)

    def launch(self, package: str, page: str = "", /, **args: Value) -> None:
        """Open another app, or one of its pages."""
        navigation.launch(self.state, package, page, args)

    def top_page(self) -> str:
        """The name of the page that is on top now, after `back` or `go`."""
        return self.tasks[-1].stack[-1].page

    def below(self) -> Entry:
        """The page under this dialog or menu."""
        stack = self.tasks[-1].stack
        return stack[-2] if len(stack) > 1 else stack[-1]

    def toast(self, text: str) -> None:
        """Show a short notice."""
        navigation.toast(self.state, text)

    def notify(self, title: str, text: str = "", page: str = "", /, **args: Value) -> None:
        """Post a notification of this app; touching it opens the page (the first one if none is named)."""
        notifications.post(self.state, self.package, title, text, page, args)

    def allowed(self, permission: str) -> bool:
        """Whether the user has allowed this app something (a word of `permissions.PERMISSIONS`)."""
        return permissions.allowed(self.state, self.package, permission)

    def ask(self, permission: str) -> None:
        """Ask the user for a permission, unless the question was answered before."""
        if not permissions.answer(self.state, self.package, permission):
            navigation.overlay(self.state, "permission", package=self.package, permission=permission)

    def focus(self, field: str) -> None:
        """Give a text field the keyboard."""
        navigation.focus(self.state, field)

    def set_text(self, name: str, text: str) -> None:
        """Replace what stands in a text field."""
        self.entry.fields[name] = text

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        """Change one of Android's settings."""
        put_setting(self.state, namespace, key, value)


@dataclass(frozen=True)
class Table(Generic[D]):
    """A part of an app's data that the shell can query as `content://<package>/<name>`.

    `rows` must give every row an `_id`. `insert` takes the columns bound in the command, `delete` the `_id`.
    """

    rows: Callable[[D, World], list[Cells]]
    insert: Callable[[D, Mapping[str, str]], None] | None = None
    update: Callable[[D, int, Mapping[str, str]], None] | None = None
    delete: Callable[[D, int], None] | None = None


@dataclass(frozen=True)
class App(Generic[D]):
    """An app: its name and icon, its data, its pages (from a context to widgets) and its answers."""

    package: str
    label: str
    icon: str
    colour: Colour
    data: type[D]
    fill: Callable[[World], D]
    """The app's data on a fresh phone with this world's content."""
    pages: Mapping[str, Callable[[Context[D]], Surface]]
    """By name; `main` is the first. A Dialog, Menu or BottomSheet lies over the page below."""
    update: Callable[[Context[D], Message], None]
    """Answers the message of a touched widget."""
    tables: Mapping[str, Table[D]] = field(default_factory=dict)
    intents: Mapping[str, str] = field(default_factory=dict)
    """Which page opens for `am start -a <action>`."""
    page_for_uri: Callable[[str], tuple[str, dict[str, Value]] | None] | None = None
    """Which page, with which arguments, shows what `am start -d <uri>` names; None if none does."""
    swiped: frozenset[str] = frozenset()
    """The pages on which a swipe that scrolls nothing says ("@swipe", "up" | "down" | "left" | "right")."""
    activity: str = ".MainActivity"
    in_launcher: bool = True
    preinstalled: bool = True


AnyApp = App[Any]

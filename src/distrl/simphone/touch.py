"""What happens when something is touched or typed: messages find their way to the system or an app."""

from __future__ import annotations

from distrl.simphone import navigation
from distrl.simphone.app import Context
from distrl.simphone.scene import Field, Message, Scene
from distrl.simphone.state import Keyboard, Value
from distrl.simphone.store import Store
from distrl.simphone.system.screen import app_of, compose

LONGEST_TEXT = 4000


def deliver(store: Store, scene: Scene, message: Message) -> None:
    """Act on a message: words with @ are the system's, the rest goes to the app that owns the top page."""
    state = store.state
    match message:
        case ("@go", str(page), tuple(args)):
            navigation.push(state, page, _arguments(args)).ready_at_s = navigation.ready_at(state)
        case ("@launch", str(package), str(page), tuple(args)):
            navigation.launch(state, package, page, _arguments(args))
        case ("@back",):
            navigation.back(state)
        case ("@home",):
            navigation.home(state)
        case ("@recents",):
            navigation.recents(state)
        case ("@shade",):
            if not state.overlays:
                navigation.overlay(state, "shade")
        case ("@focus", str(field)):
            focus(store, scene, field)
        case ("@clear", str(field)):
            navigation.top(state).fields[field] = ""
            navigation.focus(state, field)
        case ("@key", str(sign)):
            type_text(store, scene, sign)
            state.keyboard.shift = state.keyboard.shift and state.keyboard.symbols
        case ("@shift",):
            state.keyboard.shift = not state.keyboard.shift
        case ("@symbols",):
            state.keyboard = Keyboard(shown=True, symbols=not state.keyboard.symbols)
        case ("@delete",):
            delete(store, scene)
        case ("@enter",):
            enter(store, scene)
        case ("@nothing",):
            pass
        case _:
            app, entry = app_of(navigation.owner(state)), navigation.top(state)
            if message[0] != "@swipe" or entry.page in app.swiped:
                store.edition += 1
                app.update(Context(store, app, entry), message)


def _arguments(pairs: object) -> dict[str, Value]:
    found: dict[str, Value] = {}
    if isinstance(pairs, tuple):
        for name, value in pairs:
            found[str(name)] = value
    return found


def focused_field(store: Store, scene: Scene) -> Field | None:
    """The text field that has the focus, if it is still there."""
    wanted = store.state.focus
    return next((field for field in scene.fields if field.name == wanted), None) if wanted else None


def focus(store: Store, scene: Scene, name: str) -> None:
    """Give a field the keyboard and scroll it into the part of the screen that the keyboard leaves free."""
    state = store.state
    entry = navigation.top(state)
    field = next((field for field in scene.fields if field.name == name), None)
    if field is None:
        return
    if field.fresh:
        entry.fields[name] = ""
    entry.fields.setdefault(name, field.initial)
    navigation.focus(state, name)
    after = compose(store)
    placed = next((field for field in after.fields if field.name == name), None)
    area = next((area for area in reversed(after.areas) if not area.horizontal), None)
    if placed is None or area is None:
        return
    hidden = placed.box[3] + 8 - area.box[3]
    if hidden > 0:
        entry.scroll[area.name] = min(area.limit, area.offset + hidden)


def type_text(store: Store, scene: Scene, text: str) -> None:
    """Put text at the end of the focused field; a line break submits a field of one line."""
    for number, part in enumerate(text.split("\n")):
        if number:
            enter(store, scene)
        field = focused_field(store, scene)
        if field is None:
            return
        fields = navigation.top(store.state).fields
        printable = "".join(sign for sign in part if sign.isprintable())
        fields[field.name] = (fields.get(field.name, field.initial) + printable)[:LONGEST_TEXT]


def delete(store: Store, scene: Scene) -> None:
    """Remove the last character of the focused field."""
    field = focused_field(store, scene)
    if field is not None:
        fields = navigation.top(store.state).fields
        fields[field.name] = fields.get(field.name, field.initial)[:-1]


def clear(store: Store, scene: Scene) -> None:
    """Remove everything that stands in the focused field."""
    field = focused_field(store, scene)
    if field is not None:
        navigation.top(store.state).fields[field.name] = ""


def enter(store: Store, scene: Scene) -> None:
    """A new line, or the field's own message, or at least the keyboard goes."""
    field = focused_field(store, scene)
    if field is None:
        return
    fields = navigation.top(store.state).fields
    if field.multiline:
        fields[field.name] = fields.get(field.name, field.initial) + "\n"
        return
    navigation.unfocus(store.state)
    if field.submit is not None:
        fields.setdefault(field.name, field.initial)
        deliver(store, scene, field.submit)

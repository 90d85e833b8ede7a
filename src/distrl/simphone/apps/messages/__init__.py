"""Messages: conversations by text; write, search, pin, archive, block and delete."""

from __future__ import annotations

from distrl.simphone import navigation
from distrl.simphone.app import App
from distrl.simphone.apps.messages.content import fill
from distrl.simphone.apps.messages.data import SENT, TABLES, MessagesData, Sms, mark_read
from distrl.simphone.apps.messages.pages import (
    Ctx,
    build_archived,
    build_blocked,
    build_details,
    build_main,
    build_new,
    build_search,
    build_thread,
    name_of,
)
from distrl.simphone.apps.when import now_ms
from distrl.simphone.scene import Message
from distrl.simphone.state import Value
from distrl.simphone.widgets import Dialog, Menu, Row, Surface

END_OF_LIST = 1_000_000


def build_menu(ctx: Ctx) -> Surface:
    """Where else to look, and what to do with all conversations."""
    del ctx
    return Menu(
        [
            ("Archived", ("instead", "archived")),
            ("Spam and blocked", ("instead", "blocked")),
            ("Mark all as read", ("all_read",)),
        ]
    )


def _choices(ctx: Ctx) -> list[tuple[str, str, Message]]:
    """What can be done with a conversation: word, icon, message."""
    number = ctx.arg_int("id")
    thread = ctx.data.thread_by_id(number)
    if thread is None:
        return []
    unread = any(not text.read for text in ctx.data.texts_of(thread.address))
    return [
        ("Unpin" if thread.pinned else "Pin", "push_pin", ("pin", number)),
        ("Unarchive" if thread.archived else "Archive", "archive", ("archive", number)),
        ("Mark as read" if unread else "Mark as unread", "mark_chat_unread", ("unread", number)),
        ("Unblock", "block", ("unblock", number))
        if thread.blocked
        else ("Block", "block", ("instead", "block")),
        ("Delete", "delete", ("instead", "delete")),
    ]


def build_thread_menu(ctx: Ctx) -> Surface:
    """What can be done with the open conversation."""
    return Menu([(word, message) for word, _, message in _choices(ctx)])


def build_hold(ctx: Ctx) -> Surface:
    """What can be done with a conversation that was held."""
    thread = ctx.data.thread_by_id(ctx.arg_int("id"))
    rows = [Row(title=word, icon=icon, on_tap=message) for word, icon, message in _choices(ctx)]
    return Dialog(name_of(ctx, thread.address) if thread is not None else "Conversation", body=rows)


def build_delete(ctx: Ctx) -> Surface:
    """The question before a conversation goes."""
    thread = ctx.data.thread_by_id(ctx.arg_int("id"))
    name = name_of(ctx, thread.address) if thread is not None else "this sender"
    return Dialog(
        "Delete conversation?",
        f"All messages with {name} will be deleted from this phone.",
        actions=[("Cancel", ("@back",)), ("Delete", ("delete", ctx.arg_int("id")))],
    )


def build_block(ctx: Ctx) -> Surface:
    """The question before a sender is blocked."""
    thread = ctx.data.thread_by_id(ctx.arg_int("id"))
    name = name_of(ctx, thread.address) if thread is not None else "this sender"
    return Dialog(
        f"Block {name}?",
        "You will no longer get messages from this number.",
        actions=[("Cancel", ("@back",)), ("Block", ("block", ctx.arg_int("id")))],
        icon="block",
    )


def build_hold_text(ctx: Ctx) -> Surface:
    """What can be done with one text."""
    number = ctx.arg_int("id")
    rows = [
        Row(title="Copy text", icon="content_copy", on_tap=("copy", number)),
        Row(title="Forward", icon="forward", on_tap=("forward", number)),
        Row(title="Delete message", icon="delete", on_tap=("delete_text", number)),
    ]
    return Dialog("Message", body=rows)


def _open(ctx: Ctx, address: str, body: str = "", instead: bool = False) -> None:
    """Open a conversation at its end; whatever came in counts as read."""
    mark_read(ctx.data, address, read=True)
    args: dict[str, Value] = {"address": address, "body": body} if body else {"address": address}
    if instead:
        ctx.replace("thread", **args)
    else:
        ctx.go("thread", **args)
    _to_end(ctx)


def _to_end(ctx: Ctx) -> None:
    navigation.front(ctx.state).stack[-1].scroll["message_list"] = END_OF_LIST


def _send(ctx: Ctx, body: str) -> None:
    address, body = ctx.arg_str("address"), body.strip()
    if not body or not address:
        return
    thread = ctx.data.thread(address)
    if thread is not None and thread.blocked:
        return
    ctx.data.add(address, body, SENT, now_ms(ctx.state), True, name_of(ctx, address))
    ctx.set_text("draft", "")
    ctx.entry.args.pop("body", None)
    _to_end(ctx)


def _find(ctx: Ctx, text_id: int) -> Sms | None:
    return next((text for text in ctx.data.texts if text.id == text_id), None)


def _close_window(ctx: Ctx) -> None:
    """Close the menu or dialog that a choice was made in; a page stays open."""
    if ctx.page in ("thread_menu", "hold", "block", "delete"):
        ctx.back()


def _change_thread(ctx: Ctx, verb: str, thread_id: int) -> None:
    data, thread = ctx.data, ctx.data.thread_by_id(thread_id)
    if thread is None:
        ctx.back()
        return
    _close_window(ctx)
    match verb:
        case "pin":
            thread.pinned = not thread.pinned
        case "archive":
            thread.archived = not thread.archived
            ctx.toast("Conversation archived" if thread.archived else "Conversation unarchived")
        case "block" | "unblock":
            thread.blocked = verb == "block"
            ctx.toast("Blocked" if thread.blocked else "Unblocked")
        case "unread":
            unread = any(not text.read for text in data.texts_of(thread.address))
            mark_read(data, thread.address, read=unread)
            if not unread and ctx.top_page() == "thread":
                ctx.back()
        case "delete":
            data.remove_thread(thread_id)
            if ctx.top_page() == "thread":
                ctx.back()
            ctx.toast("Conversation deleted")


def _change_text(ctx: Ctx, verb: str, text_id: int) -> None:
    text = _find(ctx, text_id)
    if text is None:
        ctx.back()
        return
    match verb:
        case "copy":
            ctx.state.clipboard = text.body
            ctx.back()
            ctx.toast("Copied")
        case "forward":
            ctx.replace("new", body=text.body)
        case "delete_text":
            ctx.data.remove_text(text_id)
            ctx.back()
            ctx.toast("Message deleted")


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    match message:
        case ("open", str(address)):
            _open(ctx, address)
        case ("send",):
            _send(ctx, ctx.text("draft", ctx.arg_str("body")))
        case ("quick", str(word)):
            _send(ctx, word)
        case ("choose", str(address)):
            _open(ctx, address, ctx.arg_str("body"), instead=True)
        case ("typed",):
            to = ctx.text("to").strip()
            if sum(sign.isdecimal() for sign in to) >= 3:
                _open(ctx, to, ctx.arg_str("body"), instead=True)
        case ("filter", str(kind)):
            ctx.entry.args["filter"] = kind
        case ("instead", str(page)):
            ctx.replace(page, **ctx.entry.args)
        case ("hold", int(number)):
            ctx.go("hold", id=number)
        case ("hold_text", int(number)):
            ctx.go("hold_text", id=number)
        case ("all_read",):
            for text in ctx.data.texts:
                text.read = True
            ctx.back()
        case ("call",):
            ctx.toast(f"Calling {name_of(ctx, ctx.arg_str('address'))}…")
        case ("attach",):
            ctx.toast("No files to attach")
        case ("add_contact",):
            ctx.state.clipboard = ctx.arg_str("address")
            ctx.launch("com.android.contacts", "edit", id=0)
        case (("copy" | "forward" | "delete_text") as verb, int(number)):
            _change_text(ctx, str(verb), number)
        case (("pin" | "archive" | "block" | "unblock" | "unread" | "delete") as verb, int(number)):
            _change_thread(ctx, str(verb), number)


MESSAGES = App(
    package="com.android.messaging",
    label="Messages",
    icon="chat",
    colour=(36, 124, 92),
    data=MessagesData,
    fill=fill,
    pages={
        "main": build_main,
        "menu": build_menu,
        "archived": build_archived,
        "blocked": build_blocked,
        "thread": build_thread,
        "thread_menu": build_thread_menu,
        "details": build_details,
        "hold": build_hold,
        "hold_text": build_hold_text,
        "delete": build_delete,
        "block": build_block,
        "search": build_search,
        "new": build_new,
    },
    update=update,
    tables=TABLES,
    intents={"android.intent.action.SENDTO": "new"},
)

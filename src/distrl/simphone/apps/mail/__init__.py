"""Mail: folders, reading, answering, forwarding, moving, starring, searching."""

from __future__ import annotations

from distrl.simphone import navigation
from distrl.simphone.app import App
from distrl.simphone.apps.mail.content import fill
from distrl.simphone.apps.mail.data import FOLDERS, MOVABLE, OWNER, TABLES, Mail, MailData
from distrl.simphone.apps.mail.pages import (
    Ctx,
    build_compose,
    build_folder,
    build_folders,
    build_mail,
    build_search,
    build_select,
    draft_of,
    picked,
    shown,
)
from distrl.simphone.apps.when import now_ms
from distrl.simphone.scene import Message
from distrl.simphone.state import Value
from distrl.simphone.widgets import Dialog, Menu, Row, Surface

MOVED = {"archive": "Archived", "bin": "Moved to Bin", "spam": "Reported as spam", "inbox": "Moved to Inbox"}


def build_list_menu(ctx: Ctx) -> Surface:
    """What can be done with the whole list."""
    oldest = bool(ctx.below().args.get("oldest_first", False))
    return Menu(
        [
            ("Newest first" if oldest else "Oldest first", ("sort", not oldest)),
            ("Mark all as read", ("all_read",)),
        ]
    )


def build_mail_menu(ctx: Ctx) -> Surface:
    """What else can be done with a mail."""
    mail = ctx.data.find(ctx.arg_int("id"))
    spam = mail is not None and mail.folder == "spam"
    number = ctx.arg_int("id")
    return Menu(
        [
            ("Move to", ("instead_move", number)),
            ("Not spam", ("put", number, "inbox")) if spam else ("Report spam", ("put", number, "spam")),
            ("Copy text", ("copy", number)),
        ]
    )


def build_move(ctx: Ctx) -> Surface:
    """Which folder the mails go to."""
    del ctx
    rows = [
        Row(title=FOLDERS[folder][0], icon=FOLDERS[folder][1], on_tap=("move", folder)) for folder in MOVABLE
    ]
    return Dialog("Move to", body=rows, actions=[("Cancel", ("@back",))])


def build_forever(ctx: Ctx) -> Surface:
    """The question before a mail in the bin goes for good."""
    number = ctx.arg_int("id")
    return Dialog(
        "Delete forever?",
        "This mail cannot be brought back.",
        actions=[("Cancel", ("@back",)), ("Delete", ("forever", number))],
    )


def build_ask_empty(ctx: Ctx) -> Surface:
    """The question before the bin is emptied."""
    count = len(ctx.data.in_folder("bin"))
    return Dialog(
        "Empty bin?",
        f"{count} mail{'s' if count != 1 else ''} will be deleted forever.",
        actions=[("Cancel", ("@back",)), ("Empty", ("empty",))],
    )


def build_compose_menu(ctx: Ctx) -> Surface:
    """What else can be done with a mail that is being written."""
    del ctx
    return Menu([("Save draft", ("keep_draft",)), ("Discard", ("discard",))])


def _put(ctx: Ctx, number: int, folder: str) -> None:
    """Move one mail and close the windows and the page that showed it."""
    mail = ctx.data.find(number)
    if mail is None:
        ctx.back()
        return
    if mail.folder == "bin" and folder == "bin":
        ctx.go("forever", id=number)
        return
    mail.folder = folder
    ctx.toast(MOVED.get(folder, "Moved"))
    while ctx.top_page() in ("move", "mail_menu", "mail"):
        ctx.back()


def _put_picked(ctx: Ctx, what: str) -> None:
    mails = [mail for number in picked(ctx) if (mail := ctx.data.find(number)) is not None]
    for mail in mails:
        if what == "read":
            mail.read = True
        else:
            mail.folder = what
    if mails:
        ctx.toast(f"{len(mails)} marked as read" if what == "read" else f"{len(mails)} {MOVED[what].lower()}")
    while ctx.top_page() in ("move", "select"):
        ctx.back()


def _written(ctx: Ctx, folder: str) -> Mail:
    to, subject, body, quoted = draft_of(ctx)
    text = ctx.text("body", body)
    if quoted:
        text = f"{text}\n\n{quoted}".strip()
    recipient = ctx.text("to", to).strip().strip(",")
    subject = ctx.text("subject", subject).strip()
    return Mail(0, folder, "Me", OWNER, recipient, subject, text, now_ms(ctx.state))


def _send(ctx: Ctx) -> None:
    mail = _written(ctx, "sent")
    if "@" not in mail.recipient:
        ctx.toast("Add a recipient with an address")
        return
    ctx.data.remove(ctx.arg_int("draft"))
    ctx.data.add(mail)
    ctx.back()
    ctx.toast("Sent")


def _open(ctx: Ctx, number: int) -> None:
    mail = ctx.data.find(number)
    if mail is None:
        return
    if mail.folder == "drafts":
        ctx.go("compose", draft=number)
        return
    mail.read = True
    ctx.go("mail", id=number)


def _toggle(ctx: Ctx, number: int) -> None:
    chosen = picked(ctx)
    chosen = [other for other in chosen if other != number] if number in chosen else [*chosen, number]
    if not chosen:
        ctx.back()
    ctx.entry.args["ids"] = ",".join(map(str, chosen))


def _select(ctx: Ctx, number: int) -> None:
    """Start selecting in the same list, at the same place."""
    args: dict[str, Value] = {**ctx.entry.args, "ids": str(number)}
    scroll = dict(ctx.entry.scroll)
    ctx.go("select", **args)
    navigation.front(ctx.state).stack[-1].scroll.update(scroll)


def _show_folder(ctx: Ctx, folder: str) -> None:
    """Show a folder instead of the one before; the inbox is always at the bottom."""
    stack = navigation.front(ctx.state).stack
    while len(stack) > 1:
        stack.pop()
    stack[0].args.pop("filter", None)
    if folder != "inbox":
        ctx.go("folder", folder=folder)


def _below_compose(ctx: Ctx, keep: bool) -> None:
    """Leave the form from its menu, with or without a draft."""
    ctx.back()
    form = Ctx(ctx.store, MAIL, navigation.front(ctx.state).stack[-1])
    if keep:
        ctx.data.remove(form.arg_int("draft"))
        ctx.data.add(_written(form, "drafts"))
        ctx.toast("Draft saved")
    ctx.back()


def _change_mail(ctx: Ctx, verb: str, number: int) -> None:
    mail = ctx.data.find(number)
    if mail is None:
        return
    match verb:
        case "star":
            mail.starred = not mail.starred
        case "unread":
            mail.read = False
            ctx.back()
        case "copy":
            ctx.state.clipboard = mail.body
            ctx.back()
            ctx.toast("Copied")
        case "forever":
            ctx.data.remove(number)
            ctx.back()
            ctx.back()
            ctx.toast("Deleted forever")


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    match message:
        case ("open", int(number)):
            _open(ctx, number)
        case ("folder", str(folder)) if folder in FOLDERS:
            _show_folder(ctx, folder)
        case ("filter", str(kind)):
            ctx.entry.args["filter"] = kind
        case ("sort", bool(oldest)):
            ctx.below().args["oldest_first"] = oldest
            ctx.back()
        case ("all_read",):
            for mail in ctx.data.in_folder(str(ctx.below().args.get("folder", "inbox"))):
                mail.read = True
            ctx.back()
        case ("select", int(number)):
            _select(ctx, number)
        case ("toggle", int(number)):
            _toggle(ctx, number)
        case ("pick_all",):
            ctx.entry.args["ids"] = ",".join(str(mail.id) for mail in shown(ctx))
        case ("picked", str(what)) if what == "read" or what in MOVED:
            _put_picked(ctx, what)
        case ("put", int(number), str(folder)) if folder in MOVED:
            _put(ctx, number, folder)
        case ("instead_move", int(number)):
            ctx.replace("move", id=number)
        case ("move", str(folder)) if folder in MOVED:
            if ctx.arg_str("ids"):
                _put_picked(ctx, folder)
            else:
                _put(ctx, ctx.arg_int("id"), folder)
        case ("to", str(address)):
            before = ctx.text("to").rpartition(",")[0]
            ctx.set_text("to", f"{before}, {address}" if before else address)
        case ("send",):
            _send(ctx)
        case ("keep_draft",) | ("discard",):
            _below_compose(ctx, message[0] == "keep_draft")
        case ("empty",):
            for mail in ctx.data.in_folder("bin"):
                ctx.data.remove(mail.id)
            ctx.back()
        case ("attach",):
            ctx.toast("No files to attach")
        case ("attachment",):
            ctx.toast("No app can open this file")
        case (("star" | "unread" | "copy" | "forever") as verb, int(number)):
            _change_mail(ctx, str(verb), number)


MAIL = App(
    package="com.simphone.mail",
    label="Mail",
    icon="mail",
    colour=(192, 64, 56),
    data=MailData,
    fill=fill,
    pages={
        "main": build_folder,
        "folder": build_folder,
        "folders": build_folders,
        "list_menu": build_list_menu,
        "select": build_select,
        "mail": build_mail,
        "mail_menu": build_mail_menu,
        "move": build_move,
        "forever": build_forever,
        "ask_empty": build_ask_empty,
        "compose": build_compose,
        "compose_menu": build_compose_menu,
        "search": build_search,
    },
    update=update,
    tables=TABLES,
)

"""The pages of Mail: folders, one mail, writing, searching, selecting."""

from __future__ import annotations

from distrl.simphone.app import Context, go
from distrl.simphone.apps.mail.data import FOLDERS, OWNER, Mail, MailData
from distrl.simphone.apps.people import matching
from distrl.simphone.apps.when import day_text, time_text, when_text
from distrl.simphone.scene import Message
from distrl.simphone.widgets import (
    Across,
    AppBar,
    BottomSheet,
    Button,
    Card,
    Chip,
    Chips,
    Column,
    Divider,
    Empty,
    FloatingButton,
    Gap,
    IconButton,
    Page,
    Row,
    SearchBar,
    Stack,
    Surface,
    Text,
    TextField,
    Widget,
)

Ctx = Context[MailData]
FILTERS = (("all", "All"), ("unread", "Unread"), ("attachment", "Attachments"))


def folder_of(ctx: Ctx) -> str:
    """The folder that this page shows."""
    folder = ctx.arg_str("folder", "inbox")
    return folder if folder in FOLDERS else "inbox"


def _who(mail: Mail) -> str:
    if mail.folder in ("sent", "drafts"):
        return f"To: {mail.recipient or '(nobody yet)'}"
    return mail.sender or mail.sender_address or "Unknown sender"


def _row(ctx: Ctx, mail: Mail, tap: Message, selected: bool = False, hold: Message | None = None) -> Row:
    snippet = " ".join(mail.body.split())
    return Row(
        title=_who(mail),
        subtitle=f"{mail.subject or '(no subject)'}\n{snippet}",
        avatar=mail.sender or "?",
        end_text=when_text(ctx.state, mail.date),
        end_icon="star" if mail.starred else "star_border",
        end_role="primary" if mail.starred else "outline",
        on_end=("star", mail.id),
        bold=not mail.read,
        selected=selected,
        lines=2,
        on_tap=tap,
        on_long_press=hold,
    )


def shown(ctx: Ctx) -> list[Mail]:
    """The mails of this page's folder, after its filter and in its order."""
    mails = ctx.data.in_folder(folder_of(ctx))
    match ctx.arg("filter"):
        case "unread":
            mails = [mail for mail in mails if not mail.read]
        case "attachment":
            mails = [mail for mail in mails if mail.attachment]
    return mails[::-1] if ctx.arg("oldest_first") else mails


def build_folder(ctx: Ctx) -> Surface:
    """The mails of a folder; the first page is the inbox."""
    folder = folder_of(ctx)
    label, icon = FOLDERS[folder]
    mails = shown(ctx)
    wanted = ctx.arg_str("filter", "all") or "all"
    body: list[Widget] = [Chips([Chip(word, ("filter", key), key == wanted) for key, word in FILTERS])]
    if folder == "inbox" and ctx.chance("mail_tip") < 0.35:
        tip = Row(title="Tip", subtitle="Press and hold a mail to select several", icon="lightbulb")
        body.insert(0, Card([tip], inner=0))
    if folder == "bin" and mails:
        body.append(Button("Empty bin", go("ask_empty"), "text"))
    body += [_row(ctx, mail, ("open", mail.id), hold=("select", mail.id)) for mail in mails]
    if not mails:
        body.append(Empty(icon, f"Nothing in {label}"))
    search = IconButton("search", go("search"), "Search mail", "search")
    unread = ctx.data.unread(folder)
    bar = AppBar(
        f"{label} ({unread})" if unread else label,
        actions=[search],
        on_menu=go("list_menu"),
        lead_icon="menu",
        on_lead=go("folders"),
    )
    return Page(
        Column(body, "mail_list", 88), bar, button=FloatingButton("edit", go("compose"), "", "Compose")
    )


def build_folders(ctx: Ctx) -> Surface:
    """Where to look; unread mails are counted."""
    current = ctx.below().args.get("folder", "inbox")
    rows = []
    for folder, (label, icon) in FOLDERS.items():
        count = ctx.data.unread(folder) if folder in ("inbox", "spam") else 0
        row = Row(
            title=label,
            icon=icon,
            end_text=str(count) if count else "",
            selected=folder == current,
            on_tap=("folder", folder),
        )
        rows.append(row)
    return BottomSheet([Text(OWNER, 13, "faint"), *rows], "Mail")


def picked(ctx: Ctx) -> list[int]:
    """The numbers of the selected mails."""
    return [int(word) for word in ctx.arg_str("ids").split(",") if word.isdecimal()]


def build_select(ctx: Ctx) -> Surface:
    """The list while several mails are being selected."""
    chosen = picked(ctx)
    rows = [_row(ctx, m, ("toggle", m.id), m.id in chosen, ("toggle", m.id)) for m in shown(ctx)]
    actions = [
        IconButton("archive", ("picked", "archive"), "", "archive"),
        IconButton("delete", ("picked", "bin"), "", "delete"),
        IconButton("drafts", ("picked", "read"), "", "mark_read"),
        IconButton("drive_file_move", go("move", ids=ctx.arg_str("ids")), "", "move"),
    ]
    everything: Message = ("pick_all",)
    bar = AppBar(str(len(chosen)), actions=actions, lead_icon="close", on_lead=("@back",))
    top = Across([Text(f"{len(chosen)} selected", role="faint"), Button("Select all", everything, "text")])
    return Page(Column([top, *rows], "mail_list"), bar)


def build_mail(ctx: Ctx) -> Surface:
    """One mail, with icons for what can be done."""
    mail = ctx.data.find(ctx.arg_int("id"))
    if mail is None:
        return Page(Column([Empty("mail", "This mail no longer exists")]), AppBar())
    star = IconButton(
        "star" if mail.starred else "star_border",
        ("star", mail.id),
        "",
        "star",
        "primary" if mail.starred else "faint",
        selected=mail.starred,
    )
    actions = [
        IconButton("archive", ("put", mail.id, "archive"), "", "archive"),
        IconButton("delete", ("put", mail.id, "bin"), "", "delete"),
        IconButton("mark_email_unread", ("unread", mail.id), "", "mark_unread"),
        star,
    ]
    stamp = f"{day_text(ctx.state, mail.date)}, {time_text(ctx.state, mail.date)}"
    who = f"{mail.sender_address} to {'me' if mail.recipient == OWNER else mail.recipient}"
    body: list[Widget] = [
        Text(mail.subject or "(no subject)", 20, pad_y=8, name="subject"),
        Row(title=mail.sender, subtitle=who, avatar=mail.sender or "?", end_text=stamp, bold=True, lines=1),
        Text(mail.body or "(empty)", 15, pad_y=8, name="body"),
    ]
    if mail.attachment:
        row = Row(title=mail.attachment, subtitle="Attachment", icon="attach_file", on_tap=("attachment",))
        body += [Gap(8), Card([row], inner=0)]
    answers = [
        Button("Reply", go("compose", reply=mail.id), "outlined", "reply", pad_x=6),
        Button("Forward", go("compose", forward=mail.id), "outlined", "forward", pad_x=6),
    ]
    foot = Stack([Divider(), Gap(4), Across(answers, pad_x=8), Gap(4)])
    return Page(Column(body, "mail"), AppBar(actions=actions, on_menu=go("mail_menu", id=mail.id)), foot)


def draft_of(ctx: Ctx) -> tuple[str, str, str, str]:
    """What a new mail starts with: recipient, subject, body, and the quoted mail below."""
    draft = ctx.data.find(ctx.arg_int("draft"))
    if draft is not None:
        return draft.recipient, draft.subject, draft.body, ""
    original = ctx.data.find(ctx.arg_int("reply")) or ctx.data.find(ctx.arg_int("forward"))
    if original is None:
        return ctx.arg_str("to"), ctx.arg_str("subject"), ctx.arg_str("body"), ""
    quoted = f"From: {original.sender}\nSubject: {original.subject}\n\n{original.body}"
    bare = original.subject.removeprefix("Re: ").removeprefix("Fwd: ")
    if ctx.arg_int("reply"):
        sent = original.folder == "sent"
        return (original.recipient if sent else original.sender_address), f"Re: {bare}", "", ""
    return "", f"Fwd: {bare}", "", quoted


def build_compose(ctx: Ctx) -> Surface:
    """The form for a new mail, an answer or a forwarded mail."""
    to, subject, body, quoted = draft_of(ctx)
    form: list[Widget] = [TextField("to", "To", to)]
    typed = ctx.text("to", to).rsplit(",", 1)[-1].strip()
    if typed and "@" not in typed:
        found = [person for person in matching(ctx.store, typed) if person.email][:3]
        form += [
            Row(title=p.name, subtitle=p.email, avatar=p.name or "?", on_tap=("to", p.email)) for p in found
        ]
    form.append(TextField("subject", "Subject", subject))
    form.append(TextField("body", "Write your mail", body, rows=5 if quoted else 8))
    if quoted:
        form.append(Card([Text("Forwarded mail", 12, "faint"), Text(quoted, 13, "faint")]))
    actions = [
        IconButton("attach_file", ("attach",), "", "attach"),
        IconButton("send", ("send",), "", "send", "primary"),
    ]
    title = "Reply" if ctx.arg_int("reply") else "Forward" if ctx.arg_int("forward") else "Compose"
    return Page(Column(form, "compose"), AppBar(title, actions=actions, on_menu=go("compose_menu")))


def build_search(ctx: Ctx) -> Surface:
    """All mails that contain some words, wherever they are."""
    query = ctx.text("query").strip().lower()
    body: list[Widget] = []
    found: list[Mail] = []
    if query:
        everything = sorted(ctx.data.mails, key=lambda mail: -mail.date)
        for mail in everything:
            text = f"{mail.sender}\n{mail.sender_address}\n{mail.recipient}\n{mail.subject}\n{mail.body}"
            if query in text.lower() and mail.folder not in ("bin", "spam"):
                found.append(mail)
        body = [_row(ctx, mail, ("open", mail.id)) for mail in found]
        if not found:
            body = [Empty("search_off", "No mail found")]
    else:
        body = [Empty("search", "Search senders, subjects and texts")]
    return Page(Column([SearchBar("query", "Search mail"), *body], "results"), AppBar("Search"))

"""The pages of Messages: lists of conversations, one conversation, new message, search."""

from __future__ import annotations

from distrl.simphone.app import Context, go
from distrl.simphone.apps.messages.bubbles import Bubble, ThreadRow, composer
from distrl.simphone.apps.messages.data import INCOMING, SENT, MessagesData, Sms, Thread, address_key
from distrl.simphone.apps.people import matching, people
from distrl.simphone.apps.when import day_text, time_text, when_text
from distrl.simphone.scene import CENTRE
from distrl.simphone.widgets import (
    AppBar,
    Avatar,
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
    SectionHeader,
    Stack,
    Surface,
    Text,
    Widget,
)

Ctx = Context[MessagesData]
SHOWN_RESULTS = 40
QUICK_ANSWERS = ("OK", "On my way", "Thanks!", "Call you later", "Sounds good", "Not today")


def _contact_names(ctx: Ctx) -> dict[str, str]:
    """The names in Contacts by the keys of their numbers."""
    return {address_key(person.phone): person.name for person in people(ctx.store) if person.phone}


def name_of(ctx: Ctx, address: str) -> str:
    """Whose number this is: the name in Contacts, else what the sender is known as, else the number."""
    known = _contact_names(ctx).get(address_key(address))
    if known:
        return known
    thread = ctx.data.thread(address)
    return (thread.name if thread is not None else ctx.arg_str("name")) or address or "Unknown"


def _thread_rows(ctx: Ctx, archived: bool = False, unread_only: bool = False) -> list[Widget]:
    """The conversations of a list: pinned first, then the newest."""
    texts, names = ctx.data.by_thread(), _contact_names(ctx)
    found: list[tuple[Thread, list[Sms]]] = []
    for thread in ctx.data.threads:
        inside = texts.get(address_key(thread.address), [])
        if thread.blocked or thread.archived != archived or not inside:
            continue
        if not unread_only or any(not text.read for text in inside):
            found.append((thread, inside))
    found.sort(key=lambda one: (not one[0].pinned, -one[1][-1].date, one[0].id))
    rows: list[Widget] = []
    for thread, inside in found:
        last = inside[-1]
        row = ThreadRow(
            name=names.get(address_key(thread.address)) or thread.name or thread.address or "Unknown",
            snippet=("You: " if last.type == SENT else "") + last.body or " ",
            when=when_text(ctx.state, last.date),
            unread=sum(not text.read for text in inside),
            pinned=thread.pinned,
            on_tap=("open", thread.address),
            on_long_press=("hold", thread.id),
        )
        rows.append(row)
    return rows


def build_main(ctx: Ctx) -> Surface:
    """All conversations that are neither archived nor blocked."""
    unread = ctx.arg("filter") == "unread"
    threads = _thread_rows(ctx, unread_only=unread)
    body: list[Widget] = []
    if ctx.chance("messages_tip") < 0.4:
        tip = Row(title="Keep your chats tidy", subtitle="Press and hold a conversation to pin or archive it")
        body.append(Card([tip], inner=0))
    chips = [Chip("All", ("filter", ""), not unread), Chip("Unread", ("filter", "unread"), unread)]
    body += [Chips(chips), *threads]
    if not threads:
        body.append(Empty("forum", "No unread conversations" if unread else "No conversations"))
    search = IconButton("search", go("search"), "Search messages", "search")
    return Page(
        Column(body, "conversation_list", 88),
        AppBar("Messages", back=False, actions=[search], on_menu=go("menu")),
        button=FloatingButton("chat", go("new"), "", "Start chat" if ctx.chance("fab") < 0.5 else ""),
    )


def build_archived(ctx: Ctx) -> Surface:
    """The conversations that were put away."""
    rows = _thread_rows(ctx, archived=True)
    if not rows:
        rows = [Empty("archive", "Conversations you archive appear here")]
    return Page(Column(rows, "archived_list"), AppBar("Archived"))


def build_blocked(ctx: Ctx) -> Surface:
    """The senders whose texts stay out of sight."""
    rows: list[Widget] = []
    for thread in ctx.data.threads:
        if not thread.blocked:
            continue
        row = Row(
            title=name_of(ctx, thread.address),
            subtitle=thread.address,
            icon="block",
            end_icon="close",
            on_end=("unblock", thread.id),
            on_tap=("open", thread.address),
        )
        rows.append(row)
    if not rows:
        rows = [Empty("block", "Nobody is blocked")]
    return Page(Column(rows, "blocked_list"), AppBar("Spam and blocked"))


def _chat(ctx: Ctx, address: str) -> list[Widget]:
    body: list[Widget] = []
    day = ""
    texts = ctx.data.texts_of(address)
    for number, text in enumerate(texts):
        if day_text(ctx.state, text.date) != day:
            day = day_text(ctx.state, text.date)
            body.append(Text(day, 12, "faint", align=CENTRE, pad_y=8))
        after = texts[number + 1] if number + 1 < len(texts) else None
        grouped = after is not None and after.type == text.type and after.date - text.date < 60_000
        stamp = "" if grouped else time_text(ctx.state, text.date)
        if stamp and text.type == SENT and after is None:
            stamp += " · Sent"
        body.append(Bubble(text.body, text.type == SENT, stamp, ("hold_text", text.id)))
    return body


def build_thread(ctx: Ctx) -> Surface:
    """One conversation, with the line to write in."""
    address = ctx.arg_str("address")
    thread = ctx.data.thread(address)
    title = name_of(ctx, address)
    body = _chat(ctx, address)
    if not body:
        body = [Gap(40), Avatar(title), Text(f"Texting with {title}", role="faint", align=CENTRE)]
    initial = ctx.arg_str("body")
    foot: list[Widget] = [composer(initial, bool(ctx.text("draft", initial).strip()))]
    texts = ctx.data.texts_of(address)
    if texts and texts[-1].type == INCOMING and ctx.chance("quick_answers") < 0.5 and not ctx.text("draft"):
        words = ctx.shuffled(QUICK_ANSWERS, "quick_words")[:3]
        foot.insert(0, Chips([Chip(word, ("quick", word)) for word in words], "quick_answers"))
    if thread is not None and thread.blocked:
        foot = [Divider(), Text("You blocked this sender.", role="faint", align=CENTRE, pad_y=14)]
    call = IconButton("call", ("call",), "", "call")
    details = IconButton("info_outline", go("details", address=address), "", "details")
    menu = go("thread_menu", id=thread.id) if thread is not None else None
    return Page(
        Column(body, "message_list"), AppBar(title, actions=[call, details], on_menu=menu), Stack(foot)
    )


def build_details(ctx: Ctx) -> Surface:
    """Who this is and what can be decided about the conversation."""
    address = ctx.arg_str("address")
    thread, name = ctx.data.thread(address), name_of(ctx, address)
    known = any(p.phone and address_key(p.phone) == address_key(address) for p in people(ctx.store))
    body: list[Widget] = [Avatar(name), Text(name, 22, align=CENTRE), Divider(16)]
    body.append(Row(title=address, subtitle="Mobile", icon="call", on_tap=("call",)))
    if not known:
        body.append(Row(title="Add to contacts", icon="person_add", on_tap=("add_contact",)))
    if thread is not None:
        pin, away = ("pin", thread.id), ("archive", thread.id)
        body += [
            SectionHeader("Conversation"),
            Row(title="Pin to top", icon="push_pin", trailing="switch", checked=thread.pinned, on_tap=pin),
            Row(title="Archived", icon="archive", trailing="switch", checked=thread.archived, on_tap=away),
            Row(
                title="Unblock" if thread.blocked else "Block",
                icon="block",
                icon_role="error",
                title_role="error",
                on_tap=("unblock", thread.id) if thread.blocked else go("block", id=thread.id),
            ),
        ]
    return Page(Column(body, "details"), AppBar("Details"))


def build_search(ctx: Ctx) -> Surface:
    """Texts and people that contain some words."""
    query = ctx.text("query").strip().lower()
    body: list[Widget] = [SearchBar("query", "Search messages")]
    if not query:
        return Page(Column([*body, Empty("search", "Search in all conversations")]), AppBar("Search"))
    blocked = {address_key(thread.address) for thread in ctx.data.threads if thread.blocked}
    texts = sorted(ctx.data.texts, key=lambda text: -text.date)
    names = {address: name_of(ctx, address) for address in {text.address for text in texts}}
    people_found = sorted({a: n for a, n in names.items() if query in n.lower()}.items())
    found = [t for t in texts if query in t.body.lower() and address_key(t.address) not in blocked]
    if people_found:
        body.append(SectionHeader("People"))
        body += [Row(title=n, subtitle=a, avatar=n, on_tap=("open", a)) for a, n in people_found]
    if found:
        body.append(SectionHeader("Messages"))
    for text in found[:SHOWN_RESULTS]:
        who = ("You to " if text.type == SENT else "") + names[text.address]
        when = when_text(ctx.state, text.date)
        body.append(Row(title=who, subtitle=text.body, end_text=when, on_tap=("open", text.address)))
    if not people_found and not found:
        body.append(Empty("search_off", "Nothing found"))
    return Page(Column(body, "results"), AppBar("Search"))


def build_new(ctx: Ctx) -> Surface:
    """Whom to write to: a person from Contacts, or any number."""
    query = ctx.text("to").strip()
    body: list[Widget] = [
        SearchBar("to", "Type a name or number", icon="person_search", on_submit=("typed",))
    ]
    digits = query.lstrip("+").replace(" ", "").replace("-", "")
    if len(digits) >= 3 and digits.isdecimal():
        body.append(Row(title=f"Send to {query}", icon="send", icon_role="primary", on_tap=("typed",)))
    found = [person for person in matching(ctx.store, query) if person.phone]
    if found:
        body.append(SectionHeader("Contacts"))
    body += [
        Row(title=p.name, subtitle=p.phone, avatar=p.name or "?", on_tap=("choose", p.phone)) for p in found
    ]
    if not found and not digits.isdecimal():
        body.append(Empty("person_search", "No contacts found"))
    return Page(Column(body, "recipients"), AppBar("Forward to" if ctx.arg("body") else "New message"))

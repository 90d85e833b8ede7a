"""Contacts: people with phone numbers and addresses; add, edit, star, search and delete them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import App, Cells, Context, Table, go
from distrl.simphone.scene import CENTRE, Message
from distrl.simphone.widgets import (
    AppBar,
    Avatar,
    Column,
    Dialog,
    Divider,
    Empty,
    FloatingButton,
    IconButton,
    Menu,
    Page,
    Row,
    SearchBar,
    SectionHeader,
    Surface,
    Text,
    TextField,
    Widget,
)
from distrl.simphone.world import World


class Contact(msgspec.Struct):
    """One person."""

    id: int
    name: str
    phone: str = ""
    email: str = ""
    starred: bool = False


class ContactsData(msgspec.Struct):
    """All people, in no particular order."""

    people: list[Contact]
    next_id: int

    def find(self, contact_id: int) -> Contact | None:
        """A person by number."""
        return next((person for person in self.people if person.id == contact_id), None)

    def add(self, name: str, phone: str = "", email: str = "", starred: bool = False) -> Contact:
        """Add a person."""
        person = Contact(self.next_id, name, phone, email, starred)
        self.next_id += 1
        self.people.append(person)
        return person

    def remove(self, contact_id: int) -> None:
        """Delete a person."""
        self.people = [person for person in self.people if person.id != contact_id]

    def sorted(self) -> list[Contact]:
        """The people by name."""
        return sorted(self.people, key=lambda person: (person.name.lower(), person.id))


Ctx = Context[ContactsData]


def fill(world: World) -> ContactsData:
    """The people of a world."""
    people = [
        Contact(number, person.name, person.phone, person.email, person.starred)
        for number, person in enumerate(world.people, 1)
    ]
    return ContactsData(people, len(people) + 1)


def _row(person: Contact) -> Row:
    return Row(title=person.name, avatar=person.name or "?", on_tap=go("contact", id=person.id))


def build_main(ctx: Ctx) -> Surface:
    """Favourites, then everybody by first letter; a search narrows the list down."""
    query = ctx.text("query").strip().lower()
    people = [
        person
        for person in ctx.data.sorted()
        if query in person.name.lower() or query in person.phone.replace(" ", "") or query in person.email
    ]
    body: list[Widget] = [SearchBar("query", "Search contacts")]
    starred = [person for person in people if person.starred]
    if starred and not query:
        body += [SectionHeader("Favourites"), *map(_row, starred)]
    letter = ""
    for person in people:
        if person.name[:1].upper() != letter and not query:
            letter = person.name[:1].upper()
            body.append(SectionHeader(letter or "#"))
        body.append(_row(person))
    if not people:
        body.append(Empty("person_search", "No contacts found"))
    return Page(
        Column(body, "contacts_list", 88),
        AppBar("Contacts", back=False),
        button=FloatingButton("add", go("edit", id=0), "Create contact"),
    )


def build_contact(ctx: Ctx) -> Surface:
    """One person's card."""
    person = ctx.data.find(ctx.arg_int("id"))
    if person is None:
        return Page(Column([Empty("person_off", "This contact no longer exists")]), AppBar())
    star = IconButton(
        "star" if person.starred else "star_border",
        ("star",),
        "",
        "star",
        "primary" if person.starred else "faint",
        selected=person.starred,
    )
    edit = IconButton("edit", go("edit", id=person.id), "Edit contact", "edit")
    body: list[Widget] = [
        Avatar(person.name or "?"),
        Text(person.name, 22, align=CENTRE, pad_y=10, name="large_title"),
        Divider(16),
    ]
    if person.phone:
        body.append(Row(title=person.phone, subtitle="Mobile", icon="call", on_tap=("call",)))
    if person.email:
        body.append(Row(title=person.email, subtitle="Home", icon="mail", on_tap=("mail",)))
    if not person.phone and not person.email:
        body.append(Text("No contact details", role="faint", align=CENTRE, pad_y=16))
    bar = AppBar(actions=[star, edit], on_menu=go("menu", id=person.id))
    return Page(Column(body, "contact"), bar)


def build_menu(ctx: Ctx) -> Surface:
    """What else can be done with a person."""
    return Menu([("Share", ("share",)), ("Delete", ("ask_delete", ctx.arg_int("id")))])


def build_delete(ctx: Ctx) -> Surface:
    """The question before a person goes."""
    person = ctx.data.find(ctx.arg_int("id"))
    name = person.name if person is not None else "This contact"
    return Dialog(
        "Delete contact?",
        f"{name} will be removed from this phone.",
        actions=[("Cancel", ("@back",)), ("Delete", ("delete", ctx.arg_int("id")))],
    )


def build_edit(ctx: Ctx) -> Surface:
    """The form for a new person (number 0) or a known one."""
    person = ctx.data.find(ctx.arg_int("id")) or Contact(0, "")
    fields: list[Widget] = [
        TextField("name", "Name", person.name, "person"),
        TextField("phone", "Phone", person.phone, "call", numeric=True),
        TextField("email", "Email", person.email, "mail"),
    ]
    save = IconButton("check", ("save",), "Save", "save", "primary")
    title = "Edit contact" if person.id else "Create contact"
    return Page(Column(fields, "form"), AppBar(title, actions=[save]))


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    data = ctx.data
    person = data.find(ctx.arg_int("id"))
    match message:
        case ("save",):
            known = person or Contact(0, "")
            name = ctx.text("name", known.name).strip()
            phone, email = ctx.text("phone", known.phone).strip(), ctx.text("email", known.email).strip()
            if not name:
                ctx.toast("Add a name first")
                return
            if person is None:
                person = data.add(name, phone, email)
                ctx.replace("contact", id=person.id)
            else:
                person.name, person.phone, person.email = name, phone, email
                ctx.back()
            ctx.toast("Contact saved")
        case ("star",) if person is not None:
            person.starred = not person.starred
        case ("call",) if person is not None:
            ctx.toast(f"Calling {person.name}…")
        case ("mail",) | ("share",):
            ctx.toast("No app can do this")
        case ("ask_delete", int(number)):
            ctx.replace("delete", id=number)
        case ("delete", int(number)):
            data.remove(number)
            ctx.back()
            ctx.back()
            ctx.toast("Contact deleted")


def _rows(data: ContactsData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": person.id,
            "display_name": person.name,
            "phone": person.phone,
            "email": person.email,
            "starred": int(person.starred),
        }
        for person in data.sorted()
    ]


def _insert(data: ContactsData, bound: Mapping[str, str]) -> None:
    starred = bound.get("starred", "0") == "1"
    data.add(bound.get("display_name", ""), bound.get("phone", ""), bound.get("email", ""), starred)


def _update(data: ContactsData, row: int, bound: Mapping[str, str]) -> None:
    person = data.find(row)
    if person is not None:
        person.name = bound.get("display_name", person.name)
        person.phone, person.email = bound.get("phone", person.phone), bound.get("email", person.email)
        person.starred = bound.get("starred", str(int(person.starred))) == "1"


CONTACTS = App(
    package="com.android.contacts",
    label="Contacts",
    icon="person",
    colour=(52, 116, 206),
    data=ContactsData,
    fill=fill,
    pages={
        "main": build_main,
        "contact": build_contact,
        "menu": build_menu,
        "delete": build_delete,
        "edit": build_edit,
    },
    update=update,
    tables={"contacts": Table(_rows, _insert, _update, ContactsData.remove)},
    intents={"android.intent.action.INSERT": "edit"},
)

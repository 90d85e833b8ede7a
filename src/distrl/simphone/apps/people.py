"""The people in Contacts, for other apps that let the user choose one."""

from __future__ import annotations

from distrl.simphone.apps.contacts import CONTACTS, Contact
from distrl.simphone.store import Store
from distrl.simphone.world import world


def people(store: Store) -> list[Contact]:
    """Everybody in Contacts, by name, as they are now."""
    seed = store.state.world_seed
    return store.data(CONTACTS.package, CONTACTS.data, lambda: CONTACTS.fill(world(seed))).sorted()


def matching(store: Store, query: str) -> list[Contact]:
    """The people whose name or number contains the query, or whose mail address begins with it."""
    wanted = query.strip().lower()
    digits = wanted.replace(" ", "")
    return [
        person
        for person in people(store)
        if wanted in person.name.lower()
        or person.email.lower().startswith(wanted)
        or (digits and digits in person.phone.replace(" ", ""))
    ]

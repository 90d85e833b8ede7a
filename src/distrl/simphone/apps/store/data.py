"""What the store knows about every app it offers, and what is under way."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import flag
from distrl.simphone.apps.extras import EXTRAS_LISTED
from distrl.simphone.chance import generator
from distrl.simphone.world import World

# Package, label, icon, category of the phone's own apps, which can be updated but not removed.
SYSTEM = (
    ("com.simphone.notes", "Notes", "sticky_note_2", "Productivity"),
    ("com.android.contacts", "Contacts", "person", "Communication"),
    ("com.android.messaging", "Messages", "chat", "Communication"),
    ("com.simphone.mail", "Mail", "mail", "Communication"),
    ("com.simphone.music", "Music", "music_note", "Music"),
    ("com.simphone.maps", "Maps", "map", "Travel"),
)
CATEGORY_OF = {
    "tally": "Tools", "pushups": "Health", "laps": "Health", "dice": "Games", "dice20": "Games",
    "coin": "Games", "garden": "Lifestyle", "stretch": "Health", "cook": "Lifestyle", "sleep": "Health",
    "shopping": "Productivity", "packing": "Travel", "chores": "Productivity", "habits": "Productivity",
}  # fmt: skip
CATEGORIES = ("Games", "Health", "Lifestyle", "Productivity", "Tools", "Travel", "Communication", "Music")
DEVELOPERS = ("Small Steps", "Fernlight", "Orbit Works", "Two Pines", "Kettle Labs", "Blue Door")
PRAISE = (
    "Simple and quick.", "Does what it says.", "I use it every day.", "Could be prettier.", "Very helpful!",
    "Works without a network.", "Too many colours for me.",
)  # fmt: skip


class Listing(msgspec.Struct):
    """One app in the store.

    `started_s` is when its download began on the phone's clock, 0 if none did; the first download is the
    installation, a later one an update.
    """

    id: int
    package: str
    label: str
    icon: str
    category: str
    developer: str
    rating: float
    reviews: int
    size_mb: int
    version: str
    newest: str
    system: bool = False
    wishlisted: bool = False
    installed: bool = False
    started_s: float = 0.0
    first_download: bool = False

    @property
    def outdated(self) -> bool:
        """Whether a newer version is to be had."""
        return self.version != self.newest


class StoreData(msgspec.Struct):
    """All apps that the store offers."""

    listings: list[Listing]
    auto_update: bool = False

    def find(self, package: str) -> Listing | None:
        """An app by its package."""
        return next((listing for listing in self.listings if listing.package == package), None)


def older(newest: str) -> str:
    """The version before the newest one."""
    return newest.rpartition(".")[0] + ".0"


def fill(world: World) -> StoreData:
    """The store of a world: ratings, sizes and pending updates differ."""
    random = generator("store", world.seed)
    offered = [(*entry, True, True) for entry in SYSTEM]
    for extra in EXTRAS_LISTED:
        category = CATEGORY_OF[extra.name]
        offered.append((extra.package, extra.label, extra.icon, category, False, extra.preinstalled))
    # No two apps share a rating or a size, so that "the best rated" and "the smallest" have one answer.
    ratings = random.sample(range(28, 50), len(offered))
    sizes = random.sample(range(3, 140), len(offered))
    listings: list[Listing] = []
    for number, (package, label, icon, category, system, present) in enumerate(offered, 1):
        major, minor = random.randint(1, 7), random.randint(0, 9)
        newest = f"{major}.{minor}.{random.randint(1, 9)}"
        outdated = present and random.random() < 0.6
        version = older(newest) if outdated else newest
        listing = Listing(
            number, package, label, icon, category,
            developer="Simphone" if system else random.choice(DEVELOPERS),
            rating=ratings[number - 1] / 10,
            reviews=random.randint(40, 9000),
            size_mb=sizes[number - 1],
            version=version,
            newest=newest,
            system=system,
            installed=present,
        )  # fmt: skip
        listings.append(listing)
    for listing in random.sample([one for one in listings if not one.installed], 2):
        listing.wishlisted = True
    return StoreData(listings)


def _rows(data: StoreData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": listing.id,
            "package": listing.package,
            "label": listing.label,
            "category": listing.category,
            "installed": int(listing.installed),
            "version": listing.version if listing.installed else "",
            "newest_version": listing.newest,
            "update_available": int(listing.installed and listing.outdated),
            "rating": listing.rating,
            "reviews": listing.reviews,
            "size_mb": listing.size_mb,
            "wishlisted": int(listing.wishlisted),
            "developer": listing.developer,
        }
        for listing in data.listings
    ]


def _update(data: StoreData, row: int, bound: Mapping[str, str]) -> None:
    listing = next((listing for listing in data.listings if listing.id == row), None)
    if listing is None:
        return
    listing.wishlisted = flag(bound, "wishlisted", listing.wishlisted)
    if "update_available" in bound:
        outdated = flag(bound, "update_available")
        listing.version = older(listing.newest) if outdated else listing.newest


def _setting_rows(data: StoreData, world: World) -> list[Cells]:
    del world
    return [{"_id": 1, "auto_update": int(data.auto_update)}]


def _update_settings(data: StoreData, row: int, bound: Mapping[str, str]) -> None:
    del row
    data.auto_update = flag(bound, "auto_update", data.auto_update)


TABLES: dict[str, Table[StoreData]] = {
    "apps": Table(_rows, None, _update, None),
    "preferences": Table(_setting_rows, None, _update_settings, None),
}

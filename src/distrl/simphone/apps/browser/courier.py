"""The Harbour Courier: a news site whose stories tell different facts in every world."""

from __future__ import annotations

import random
from functools import lru_cache

import msgspec

from distrl.simphone.apps.browser.article import Article
from distrl.simphone.apps.browser.reading import Magazine, magazine_site
from distrl.simphone.apps.browser.site import CookieWords
from distrl.simphone.apps.browser.tables import pairs
from distrl.simphone.chance import generator

HOST = "harbourcourier.news"
PEOPLE = (
    "Agnes Boyle", "Bertil Crane", "Carmen Duval", "Dmitri Eklund", "Elsa Fonseca", "Farid Gupta",
    "Greta Hollis", "Henrik Ito", "Isla Jardine", "Jonah Kessler", "Katya Lund", "Luis Mercer",
)  # fmt: skip
PLACES = ("Brookvale", "Northmere", "Sandport", "Tarnwick", "Ellerby", "Quayford", "Millhaven", "Osterdale")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("June", "July", "August", "September", "October")
TEAMS = ("Sandport Gulls", "Tarnwick Rovers", "Northmere Foxes", "Brookvale United", "Quayford Tides")
WRITERS = ("Nell Archer", "Tom Brandt", "Ruth Castell", "Ivan Dorn")


class Story(msgspec.Struct, frozen=True):
    """A story with gaps; its facts, `name=value;…`, may use the same gaps."""

    section: str
    picture: str
    title: str
    body: str
    facts: str


STORIES = (
    Story(
        "Local", "directions_boat", "New ferry to {place} starts in {month}",
        "A new ferry will connect the harbour with {place} from {date} {month}.\nThe crossing takes "
        "{minutes} minutes and a ticket costs ${price}. Captain {person} expects {count} passengers a "
        "day.\nBicycles travel free.",
        "Destination={place};Start={date} {month};Crossing={minutes} "
        "minutes;Ticket=${price};Captain={person}",
    ),
    Story(
        "Local", "local_library", "Library in {place} reopens after repairs",
        "The library in {place} opens its doors again on {day}.\nThe repairs cost {million} million "
        "dollars. Head librarian {person} says that {count} new books wait on the shelves.",
        "Town={place};Opening={day};Cost={million} million dollars;Librarian={person};New books={count}",
    ),
    Story(
        "Local", "park", "{place} plants {count} trees",
        "Volunteers in {place} plant {count} trees this {month}.\nMost of them are {tree}s. Organiser "
        "{person} asks helpers to meet at {hour} o'clock on {day} at the town hall.",
        "Trees={count};Kind={tree};Organiser={person};Meeting time={hour} o'clock;Day={day}",
    ),
    Story(
        "Local", "traffic", "Bridge Street closed until {date} {month}",
        "Bridge Street in {place} is closed to cars until {date} {month}.\nThe council replaces water pipes"
        " that are {years} years old. Buses on line {number} stop at the market instead.",
        "Closed until={date} {month};Pipes' age={years} years;Bus line={number}",
    ),
    Story(
        "Business", "storefront", "{person} opens a bakery in {place}",
        "Baker {person} opens a shop in {place} on {day}.\nIt employs {number} people and bakes {count} "
        "loaves every morning. The opening hour is {hour} o'clock.",
        "Baker={person};Employees={number};Loaves a day={count};Opens at={hour} o'clock",
    ),
    Story(
        "Business", "factory", "Bicycle maker moves to {place}",
        "The bicycle maker Pellworth moves its factory to {place} in {month}.\nDirector {person} promises "
        "{count} jobs. The new hall costs {million} million dollars.",
        "Town={place};Jobs={count};Cost={million} million dollars;Director={person}",
    ),
    Story(
        "Business", "phone_android", "Lumora shows a phone that folds twice",
        "Lumora presented a phone that folds twice on {day}.\nIt costs ${dear} and weighs {grams} grams. "
        "According to designer {person} its battery lasts {hour} hours.",
        "Price=${dear};Weight={grams} grams;Designer={person};Battery={hour} hours",
    ),
    Story(
        "Business", "coffee", "Coffee prices rise by {percent} per cent",
        "Coffee has become {percent} per cent dearer since {month}.\nRoaster {person} in {place} now asks "
        "${price} for a bag. Tea costs the same as before.",
        "Rise={percent} per cent;Roaster={person};Bag=${price}",
    ),
    Story(
        "Science", "pets", "Rare otters seen near {place}",
        "Researchers counted {number} river otters near {place}, the first in {years} years.\nBiologist "
        "{person} asks walkers to keep {metres} metres away.",
        "Otters={number};Place={place};First in={years} years;Biologist={person};Distance={metres} metres",
    ),
    Story(
        "Science", "nightlight", "Comet visible until {date} {month}",
        "A comet can be seen with the naked eye until {date} {month}.\nAstronomer {person} recommends to "
        "look {direction} at {hour} o'clock in the evening. It returns in {years} years.",
        "Visible until={date} {month};Direction={direction};Astronomer={person};Returns in={years} years",
    ),
    Story(
        "Science", "water", "Lake at {place} is {metres} metres deeper than thought",
        "Divers measured the lake at {place} anew: it is {metres} metres deeper than thought.\nTeam leader "
        "{person} found a boat that sank {years} years ago.",
        "Lake={place};Deeper by={metres} metres;Leader={person};Boat sank={years} years ago",
    ),
    Story(
        "Sport", "sports_soccer", "{team} win {goals} to {less}",
        "The {team} won {goals} to {less} on {day}.\n{person} scored the decisive goal in minute {minutes}."
        " {count} people watched the game in {place}.",
        "Winner={team};Score={goals} to {less};Scorer={person};Minute={minutes};Spectators={count}",
    ),
    Story(
        "Sport", "directions_run", "{person} wins the {place} marathon",
        "{person} won the {place} marathon in {hour2} hours and {minutes} minutes.\n{count} runners took "
        "part; the oldest was {years} years old.",
        "Winner={person};Time={hour2} hours {minutes} minutes;Runners={count};Oldest={years} years",
    ),
    Story(
        "Sport", "pool", "Swimming pool in {place} open all night",
        "In {month} the pool in {place} stays open all night on {day}s.\nA ticket costs ${price}. Pool "
        "manager {person} heats the water to {warm} degrees.",
        "Night={day};Ticket=${price};Manager={person};Water={warm} degrees",
    ),
    Story(
        "Culture", "museum", "Museum of Clocks opens in {place}",
        "The Museum of Clocks in {place} opens on {date} {month}.\nIt shows {count} clocks; the oldest is "
        "{years} years old. Director {person} winds all of them herself.",
        "Town={place};Opening={date} {month};Clocks={count};Director={person}",
    ),
    Story(
        "Culture", "movie", "Film about {place} wins the Silver Heron",
        "The film “The road to {place}” won the Silver Heron on {day}.\nDirector {person} worked on it for "
        "{number} years. It runs {minutes} minutes and starts in {month}.",
        "Film=The road to {place};Director={person};Length={minutes} minutes;Starts in={month}",
    ),
    Story(
        "Culture", "music_note", "Music festival moves to {place}",
        "The summer festival moves to {place} this year.\nIt lasts from {date} to {later} {month}, and "
        "{number} bands play on two stages. A day ticket costs ${price}. {person} opens the festival.",
        "Place={place};Dates={date} to {later} {month};Bands={number};Day ticket=${price};Opened "
        "by={person}",
    ),
    Story(
        "Culture", "menu_book", "{person} writes a novel about {place}",
        "The new novel by {person} plays in {place}.\nIt has {pages} pages and costs ${price}. The author "
        "reads from it on {day} at {hour} o'clock in the town library.",
        "Author={person};Pages={pages};Price=${price};Reading={day} at {hour} o'clock",
    ),
)  # fmt: skip


def _gaps(chance: random.Random) -> dict[str, str]:
    date = chance.randint(2, 18)
    goals = chance.randint(2, 6)
    return {
        "place": chance.choice(PLACES), "person": chance.choice(PEOPLE), "day": chance.choice(DAYS),
        "month": chance.choice(MONTHS), "team": chance.choice(TEAMS), "date": str(date),
        "later": str(date + chance.randint(1, 6)), "minutes": str(chance.randint(12, 58)),
        "price": f"{chance.randint(3, 39)}.{chance.choice(('00', '50', '90'))}",
        "count": str(chance.randint(12, 99) * 10), "million": str(chance.randint(2, 19)),
        "tree": chance.choice(("oak", "lime tree", "cherry tree", "maple", "birch")),
        "hour": str(chance.randint(7, 12)), "hour2": str(chance.randint(2, 3)),
        "years": str(chance.randint(31, 96)), "number": str(chance.randint(4, 28)),
        "dear": str(chance.randint(690, 1490)), "grams": str(chance.randint(180, 320)),
        "percent": str(chance.randint(4, 31)), "metres": str(chance.randint(8, 60)),
        "direction": chance.choice(("north", "east", "south", "west")), "goals": str(goals),
        "less": str(chance.randint(0, goals - 1)), "warm": str(chance.randint(24, 31)),
        "pages": str(chance.randint(180, 620)),
    }  # fmt: skip


@lru_cache(maxsize=128)
def stories(world_seed: int) -> tuple[Article, ...]:
    """The news of a world."""
    chance = generator("courier", world_seed)
    told: list[Article] = []
    for number, story in enumerate(STORIES, 1):
        gaps = _gaps(chance)
        facts = tuple(pairs(story.facts.format(**gaps)))
        byline = f"{chance.choice(WRITERS)}, {chance.randint(1, 14)} May"
        title, body = story.title.format(**gaps), story.body.format(**gaps)
        told.append(Article(number, HOST, story.section, title, body, facts, byline, story.picture))
    return tuple(told)


COURIER = magazine_site(
    Magazine(
        host=HOST,
        name="The Harbour Courier",
        icon="newspaper",
        about="News from the coast since 1887.",
        search="Search the news",
        kind="news",
        hue=0.0,
        front="Today",
        write=stories,
        cookies=CookieWords(
            "We care about your privacy.", "Accept and continue", "Continue without", "Preferences", True
        ),
        newsletter="The Courier's morning letter",
        adverts=True,
    )
)

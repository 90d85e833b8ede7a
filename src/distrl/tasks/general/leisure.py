"""Tasks in Music, Maps, Store, Weather and Calculator."""

from __future__ import annotations

from distrl.tasks.general.times import COUNTRIES, with_article
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    clear,
    commit,
    hold,
    open_app,
    rows,
    switch,
    tap,
    where,
    write,
)

SONGS, PLAYLISTS = "content://com.simphone.music/songs", "content://com.simphone.music/playlists"
MEMBERS, PLAYER = "content://com.simphone.music/playlist_songs", "content://com.simphone.music/player"
APPS = "content://com.simphone.store/apps"
CITIES = "content://com.simphone.weather/cities"
HISTORY = "content://com.android.calculator2/history"

ARTISTS = (
    "Clay Pigeons", "Dora Whitlock", "Fogline", "Marble Arch Choir", "Pale Monday", "Ruby Thornton",
    "Tandem Sisters", "Umber Coast", "Wes Calloway", "Zinc Parade",
)  # fmt: skip
TUNES = (
    "Bicycle Weather", "Cold Pancakes", "Dust on Dials", "Eleven Umbrellas", "Fridge Magnets", "Gravel Waltz",
    "Hotel Carpet", "Inkblot", "Juggler", "Kite Season", "Lemon Street", "Moth Parade",
)  # fmt: skip


def _song(title: str, artist: str, seconds: int = 200, year: int = 2015, **columns: str) -> str:
    return bind(
        SONGS,
        title=title,
        artist=artist,
        album="Singles",
        duration=str(seconds * 1000),
        year=str(year),
        **columns,
    )


LIKE = {
    True: ("I love {} by {}: remember that", "Give {} by {} a heart"),
    False: ("I am tired of {} by {}: it is no favourite of mine any more", "Take the heart off {} by {}"),
}
UNSEEN_LIKE = {
    True: ("Count {} by {} among my best-loved tunes",),
    False: ("I have fallen out of love with {} by {}",),
}


def like(draw: Draw) -> Draft:
    """A heart for one of two songs of the same name."""
    title, artist, on = draw.triple(TUNES, ARTISTS, (True, False))
    other = draw.any([another for another in ARTISTS if another != artist])
    before, after = str(int(not on)), str(int(on))
    return Draft(
        goal=draw.say(LIKE[on], UNSEEN_LIKE[on]).format(title, artist),
        setup=(_song(title, artist, is_favorite=before), _song(title, other, is_favorite=before)),
        probes={
            "song": where(SONGS, title=title, artist=artist, is_favorite=after),
            "other": where(SONGS, title=title, artist=other, is_favorite=before),
        },
        check=(rows("song", 1), rows("other", 1)),
        plan=(
            open_app("Music"),
            tap("#search"),
            write(title, "#query"),
            hold(f"~{artist} ·"),
            commit("Add to favourites" if on else "Remove from favourites"),
        ),
        level=2,
        distinct=artist + str(on),
    )


EXTREMES = {
    "longest": ("the longest piece", "the most drawn-out piece"),
    "shortest": ("the shortest piece", "the briefest piece"),
}
PLAY = ("Play {} by {}", "I would like to hear {} by {}")
UNSEEN_PLAY = ("Of all that {1} recorded, I am in the mood for {0}",)


def longest(draw: Draw) -> Draft:
    """Compare the songs of an artist and play one."""
    artist, which, title = draw.triple(ARTISTS, EXTREMES, TUNES)
    others = draw.some([tune for tune in TUNES if tune != title], 2)
    lengths = sorted(draw.some(range(121, 400, 12), 3), reverse=which == "longest")
    songs = [_song(one, artist, length) for one, length in zip((title, *others), lengths, strict=True)]
    return Draft(
        goal=draw.say(PLAY, UNSEEN_PLAY).format(draw.any(EXTREMES[which]), artist),
        setup=tuple(draw.mixed(songs)),
        probes={"player": where(PLAYER, title=title, artist=artist, playing="1")},
        check=(rows("player", 1),),
        plan=(
            open_app("Music"),
            tap("#search"),
            write(artist, "#query"),
            tap(artist, within="Artists"),
            tap(title),
        ),
        level=3,
        distinct=artist + which + title,
    )


MIXES = (
    "Long drive",
    "Ironing",
    "Rainy day",
    "First snow",
    "Tax return",
    "Bath time",
    "Night train",
    "Gym rage",
)
COLLECT = ('Put {} by {} on the list "{}"', 'Whenever I play "{2}" I want to hear {0} by {1} too')
UNSEEN_COLLECT = ('{} by {} is missing from "{}": mend that',)


def collect(draw: Draw) -> Draft:
    """A song goes into one of two playlists."""
    title, mix = draw.pair(TUNES, MIXES)
    artist = draw.any(ARTISTS)
    other = draw.any([another for another in MIXES if another != mix])
    return Draft(
        goal=draw.say(COLLECT, UNSEEN_COLLECT).format(title, artist, mix),
        setup=(_song(title, artist), bind(PLAYLISTS, name=other), bind(PLAYLISTS, name=mix)),
        probes={
            "member": where(MEMBERS, playlist=mix, title=title, artist=artist),
            "list": where(MEMBERS, playlist=mix),
            "other": where(MEMBERS, playlist=other),
        },
        check=(rows("member", 1), rows("list", 1), rows("other", 0)),
        plan=(
            open_app("Music"),
            tap("#search"),
            write(title, "#query"),
            hold(f"~{artist} ·"),
            tap("Add to playlist"),
            commit(mix),
        ),
        level=2,
        distinct=artist + mix,
    )


# Apps of the store by their package, and what they are good for in other words.
OFFERED = {
    "pushups": ("Push-up Counter", "keeps count of how often I press myself off the floor"),
    "laps": ("Lap Counter", "keeps count of the lengths I swim"),
    "dice": ("Dice Roller", "throws a cube with six sides for board games"),
    "garden": ("Garden Guide", "tells me when to plant and prune"),
    "stretch": ("Daily Stretch", "shows me exercises against a stiff neck"),
    "cook": ("Kitchen Tips", "teaches me tricks for cooking"),
    "sleep": ("Sleep Guide", "helps me to rest better at night"),
    "shopping": ("Shopping List", "notes what I have to buy"),
    "packing": ("Packing List", "notes what goes into my suitcase"),
    "chores": ("Chore List", "notes what has to be cleaned at home"),
    "habits": ("Habit List", "helps me to drink water and walk every day"),
}
GET = ("Install {}", "Get {} from the store")
FETCH = ("I need something that {}: get it for this phone", "Is there an app that {}? I want to have it")
UNSEEN_FETCH = ("There must be something that {}. I want it on my phone",)
LATER = (
    "Remember the app that {} for later, do not install it yet",
    "Put the app that {} on my list of wishes",
)
UNSEEN_LATER = ("Not now, but some day I want the app that {}: keep it in mind for me",)


def obtain(draw: Draw) -> Draft:
    """Install an app, or put it on the wish list."""
    name, wish = draw.pair(OFFERED, (False, True))
    label, use = OFFERED[name]
    package = f"com.simphone.extra.{name}"
    known, unseen = (LATER, UNSEEN_LATER) if wish else ((*GET, *FETCH), UNSEEN_FETCH)
    phrase = draw.say(known, unseen)
    plain = phrase in GET
    off = f"content update --uri {APPS} --where \"wishlisted='1'\" --bind wishlisted:s:0"
    column = "wishlisted" if wish else "installed"
    search = (tap("#open_search"), write(label, "#query")) if plain else ()
    return Draft(
        goal=phrase.format(label if plain else use),
        setup=(off,),
        probes={
            "app": where(APPS, package=package, **{column: "1"}),
            "wished": where(APPS, wishlisted="1"),
            "present": where(APPS, package=package, installed="1"),
        },
        check=(rows("app", 1), rows("wished", int(wish)), rows("present", int(not wish))),
        plan=(open_app("Store"), *search, tap(label), switch("#wish", True) if wish else commit("Install")),
        level=1 if plain else 2,
        distinct=name + str(wish),
    )


ARITHMETIC = (("+", "plus"), ("−", "minus"), ("×", "times"))
COMPUTE = ("Calculate {} {} {} with the calculator", "Use the calculator: {} {} {}")
WORDS = {
    "+": (
        "I paid {} and then {} more. Have the phone work out what that makes",
        "{} guests and {} children: let the phone add them up",
    ),
    "−": (
        "I had {} and spent {}. Have the phone work out what is left",
        "Of {} seats, {} are taken: let the phone find out how many are free",
    ),
    "×": (
        "{} rows of {} chairs: let the phone find out how many chairs",
        "{} boxes hold {} eggs each. Have the phone work out the total",
    ),
}
UNSEEN_WORDS = {
    "+": ("Sum up {} and {} for me",),
    "−": ("Take {1} away from {0} for me",),
    "×": ("Multiply {} by {} for me",),
}


def compute(draw: Draw) -> Draft:
    """Type a calculation on the keypad."""
    (sign, word), first, second = draw.triple(ARITHMETIC, range(121, 199, 3), range(12, 98, 7))
    phrase = draw.say((*COMPUTE, *WORDS[sign]), UNSEEN_WORDS[sign])
    plain = phrase in COMPUTE
    numbers = (first, word, second) if plain else (first, second)
    value = {"+": first + second, "−": first - second, "×": first * second}[sign]
    expression = f"{first}{sign}{second}"
    return Draft(
        goal=phrase.format(*numbers),
        setup=(clear(HISTORY),),
        probes={
            "line": where(HISTORY, result=str(value)),
            "all": f"content query --uri {HISTORY}",
        },
        check=(rows("line", 1), rows("all", 1)),
        plan=(open_app("Calculator"), *map(commit, expression), commit("=")),
        level=1 if plain else 2,
    )


CLIMATE = (
    "I fly to {} soon: let me follow how warm it is there",
    "Add {} to the places whose sun and rain I follow",
)
UNSEEN_CLIMATE = ("My parents moved to {}: keep an eye on the rain there for me",)


def climate(draw: Draw) -> Draft:
    """Save the city of a country in Weather."""
    country = draw.own(tuple(COUNTRIES))
    city = COUNTRIES[country]
    return Draft(
        goal=draw.say(CLIMATE, UNSEEN_CLIMATE).format(with_article(country)),
        setup=(clear(CITIES), bind(CITIES, name="Toronto"), bind(CITIES, name="Denver")),
        probes={"city": where(CITIES, name=city), "all": f"content query --uri {CITIES}"},
        check=(rows("city", 1), rows("all", 3)),
        plan=(
            open_app("Weather"),
            tap("More options"),
            tap("Add city"),
            write(country, "#query"),
            commit(city),
        ),
        level=2,
    )


HOME = (
    "When I open the forecast, {} should come first",
    "I live in {} now: show its sun and rain before all others",
)
UNSEEN_HOME = ("{} is home now, the forecast should start there",)


def home_city(draw: Draw) -> Draft:
    """Another of the saved cities comes first."""
    city = draw.own(tuple(COUNTRIES.values()))
    others = draw.some([other for other in COUNTRIES.values() if other != city], 2)
    return Draft(
        goal=draw.say(HOME, UNSEEN_HOME).format(city),
        setup=(clear(CITIES), *(bind(CITIES, name=name) for name in (others[0], city, others[1]))),
        probes={"first": where(CITIES, name=city, is_default="1"), "all": f"content query --uri {CITIES}"},
        check=(rows("first", 1), rows("all", 3)),
        plan=(open_app("Weather"), tap("#cities"), hold(city), commit("Set as default")),
        level=2,
    )

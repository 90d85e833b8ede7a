"""Tasks with the clock's timers and its cities."""

from __future__ import annotations

from distrl.tasks.general.clock import CLOCK
from distrl.tasks.templates import (
    Draft,
    Draw,
    clear,
    commit,
    open_app,
    rows,
    switch,
    tap,
    where,
    write,
)

TIMERS, CITIES = f"{CLOCK}/timers", f"{CLOCK}/cities"
LENGTHS = tuple(sorted({*range(1, 10), *range(11, 60), 70, 75, 90}))
TIMER = ("Start a timer for {} minutes", "Set a {} minute timer", "Run a timer of {} minutes")
COUNT = (
    "My tea needs {} minutes: count down", "Tell me when {} minutes are over",
    "Ring when {} minutes have passed", "Count down {} minutes for the eggs",
)  # fmt: skip
UNSEEN_TIMER = ("Let me know after {} minutes", "The cake is done in {} minutes, watch the time")


def timer(draw: Draw) -> Draft:
    """Start a timer; the keypad takes digits from the right."""
    minutes = draw.own(LENGTHS)
    phrase = draw.say((*TIMER, *COUNT), UNSEEN_TIMER)
    digits = list(str(minutes)) if minutes < 60 else [*str(minutes // 60), *f"{minutes % 60:02d}"]
    keys = tuple(commit(digit) for digit in (*digits, "00"))
    return Draft(
        goal=phrase.format(minutes),
        setup=(clear(TIMERS),),
        probes={
            "timer": where(TIMERS, length=str(minutes * 60), state="running"),
            "all": f"content query --uri {TIMERS}",
        },
        check=(rows("timer", 1), rows("all", 1)),
        plan=(open_app("Clock"), tap("Timer"), tap("Set a timer"), *keys, commit("Start")),
        level=1 if phrase in TIMER else 2,
    )


COUNTRIES = {
    "Netherlands": "Amsterdam", "Greece": "Athens", "Thailand": "Bangkok", "Germany": "Berlin",
    "Colombia": "Bogotá", "Argentina": "Buenos Aires", "Egypt": "Cairo", "Senegal": "Dakar", "India": "Delhi",
    "Ireland": "Dublin", "Finland": "Helsinki", "Indonesia": "Jakarta", "Nepal": "Kathmandu", "Peru": "Lima",
    "Portugal": "Lisbon", "Spain": "Madrid", "Philippines": "Manila", "Mexico": "Mexico City",
    "Kenya": "Nairobi", "Norway": "Oslo", "France": "Paris", "Iceland": "Reykjavik", "Italy": "Rome",
    "Chile": "Santiago", "Brazil": "São Paulo", "South Korea": "Seoul", "Singapore": "Singapore",
    "Australia": "Sydney", "Japan": "Tokyo", "Austria": "Vienna", "Switzerland": "Zurich",
    "Türkiye": "Istanbul", "Costa Rica": "San José",
}  # fmt: skip
HOURS_OF = (
    "I often call {}: let the clock show the time there",
    "My sister lives in {}: have the clock show me her time as well",
    "The clock should also tell me what time it is in {}",
)
UNSEEN_HOURS_OF = ("My office has a branch in {}: keep the time of day there in view",)


def with_article(country: str) -> str:
    """A country as it stands in a sentence: the Netherlands, but Greece."""
    return f"the {country}" if country in ("Netherlands", "Philippines") else country


def world_clock(draw: Draw) -> Draft:
    """Add the city of a country to the world clock."""
    country = draw.own(tuple(COUNTRIES))
    city = COUNTRIES[country]
    return Draft(
        goal=draw.say(HOURS_OF, UNSEEN_HOURS_OF).format(with_article(country)),
        setup=(clear(CITIES),),
        probes={"city": where(CITIES, name=city), "all": f"content query --uri {CITIES}"},
        check=(rows("city", 1), rows("all", 1)),
        plan=(
            open_app("Clock"),
            tap("World clock"),
            tap("Add city"),
            write(country, "#query"),
            switch(city, True),
        ),
        level=2,
    )

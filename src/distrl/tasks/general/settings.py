"""Tasks in the settings: switches by label and by wish, conditions, and sliders."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.records import Condition
from distrl.tasks.families.settings import SLIDERS, SOUND
from distrl.tasks.general.need import Need
from distrl.tasks.general.needs import NEEDS
from distrl.tasks.templates import (
    Draft,
    Draw,
    equals,
    open_app,
    press,
    slide,
    switch,
    tap,
)

STATES = tuple(product(NEEDS, (True, False)))
AIRPLANE = NEEDS[0]  # left out of combinations, since it switches other radios off


def _flight(need: Need, on: bool) -> Condition:
    """Flight mode, which would also switch a radio off, is on only if it is asked for."""
    return equals("flight", AIRPLANE.value(need is AIRPLANE and on))


SWITCH = {
    True: ("Turn on {}", "Switch {} on", "Enable {} in the settings"),
    False: ("Turn off {}", "Switch {} off", "Disable {} in the settings"),
}
UNSEEN_SWITCH = {
    True: ("{} should be active", "Activate {}"),
    False: ("{} should be inactive", "Deactivate {}"),
}


def turn(draw: Draw) -> Draft:
    """Bring a switch that the goal calls by its label to the other state."""
    need, on = draw.own(STATES)
    return Draft(
        goal=draw.say(SWITCH[on], UNSEEN_SWITCH[on]).format(need.label),
        setup=(need.put(not on),),
        probes={"state": need.get, "flight": AIRPLANE.get},
        check=(equals("state", need.value(on)), _flight(need, on)),
        plan=need.plan(on),
    )


ASK = ("{}", "One thing, please: {}", "Could you help: {}", "In the settings: {}")
UNSEEN_ASK = ("I have a wish: {}", "Here is what I need: {}")


def wish(draw: Draw) -> Draft:
    """Find out which switch a wish is about."""
    need, on = draw.own(STATES)
    return Draft(
        goal=capital(draw.say(ASK, UNSEEN_ASK).format(need.wish(draw, on))),
        setup=(need.put(not on),),
        probes={"wished": need.get, "flight": AIRPLANE.get},
        check=(equals("wished", need.value(on)), _flight(need, on)),
        plan=need.plan(on),
        level=2,
    )


BOTH = ("Two things: {}. And {}.", "{}. Besides, {}.", "{}. Also: {}.")
UNSEEN_BOTH = ("{}, and also this: {}.",)


def wishes(draw: Draw) -> Draft:
    """Two wishes on two pages."""
    first, second = _different(draw)
    (one, one_on), (two, two_on) = first, second
    return Draft(
        goal=capital(draw.say(BOTH, UNSEEN_BOTH).format(one.wish(draw, one_on), two.wish(draw, two_on))),
        setup=(one.put(not one_on), two.put(not two_on)),
        probes={"first": one.get, "second": two.get},
        check=(equals("first", one.value(one_on)), equals("second", two.value(two_on))),
        plan=(*one.plan(one_on), *_leave(one, two), switch(two.label, two_on)),
        level=3,
        distinct=" ".join(sorted((one.key, two.key))),
        calm=True,
    )


def _different(draw: Draw) -> tuple[tuple[Need, bool], tuple[Need, bool]]:
    """Two states of switches on different pages."""
    while True:
        first, second = draw.own(STATES), draw.own(STATES)
        if AIRPLANE not in (first[0], second[0]) and first[0].path[0] != second[0].path[0]:
            return first, second


def _leave(here: Need, there: Need) -> tuple[PlanStep, ...]:
    """The way from one switch to another."""
    if here.path == there.path:
        return ()
    return (*(press("back") for _ in here.path), *there.reach())


IF = ("If {} is {}, {}. Otherwise {}.", "See whether {} is {}. If so, {}. If not, {}.")
UNSEEN_IF = ("{2}, but only if {0} is {1}. If it is not, {3}.", "Unless {0} is {1}, {3}. If it is, {2}.")


def either(draw: Draw) -> Draft:
    """The state of one switch decides which of two others is to be changed."""
    (target, on), (asked, is_on) = _different(draw)
    (other, other_on), _ = _different(draw)
    if len({target.key, asked.key, other.key}) < 3:
        return either(draw)
    said = draw.any((True, False))
    wanted, unwanted = target.wish(draw, on), other.wish(draw, other_on)
    then, otherwise = (wanted, unwanted) if said == is_on else (unwanted, wanted)
    return Draft(
        goal=capital(draw.say(IF, UNSEEN_IF).format(asked.name, "on" if said else "off", then, otherwise)),
        setup=(target.put(not on), other.put(not other_on), asked.put(is_on)),
        probes={"target": target.get, "other": other.get, "asked": asked.get},
        check=(
            equals("target", target.value(on)),
            equals("other", other.value(not other_on)),
            equals("asked", asked.value(is_on)),
        ),
        plan=(
            open_app("Settings"),
            *asked.reach(),
            PlanStep("scroll_to", asked.label),
            *_leave(asked, target),
            switch(target.label, on),
        ),
        level=3,
        distinct=f"{target.key} {on}",
        calm=True,
    )


SOUNDS = {
    "volume_music": ("songs and films", "what I listen to with headphones"),
    "volume_ring": ("the bell for callers", "the phone when somebody rings"),
    "volume_alarm": ("what wakes me", "the morning bell"),
    "volume_notification": ("the beep for alerts", "the ping of incoming alerts"),
}
LOUD = {
    0: ("I do not want to hear {} at all", "Mute {} completely", "{} must be silent"),
    25: (
        "Make {} quiet, about a quarter of the range",
        "{} may be heard, but only at a quarter of the range",
        "A quarter is enough for {}",
    ),
    50: (
        "Put {} in the middle of the range",
        "{} should be neither quiet nor loud: half the range",
        "Half strength for {}",
    ),
    75: (
        "Make {} rather loud, three quarters of the range",
        "{} should be at three quarters of the range",
        "Three quarters for {}, please",
    ),
    100: ("I never hear {}: as loud as possible", "{} should be as loud as it gets", "Give {} full strength"),
}
LIGHT = {
    0: (
        "Make the screen as dim as possible",
        "I sit in the dark: least light from the screen",
        "Lowest possible glow",
    ),
    25: (
        "Dim the screen to about a quarter",
        "A quarter of the possible light is enough",
        "One quarter of the glow, please",
    ),
    50: (
        "The screen should give about half its light",
        "Medium light for the screen",
        "Half the glow is fine",
    ),
    75: (
        "Make the screen rather bright, about three quarters",
        "Three quarters of the possible light",
        "Three quarters of the glow",
    ),
    100: (
        "I sit in the sun: as much light as possible",
        "Give the screen all its light",
        "Full glow, please",
    ),
}
_FAR = {0: 80, 25: 90, 50: 10, 75: 10, 100: 20}
_ALLOWANCE = 0.13  # of the range, for "about"
_AT_END = 0.02  # a finger may miss the very end
LEVELS = tuple(product(SLIDERS, LOUD))


def level(draw: Draw) -> Draft:
    """Bring a slider to its ends, its middle or a quarter."""
    item, percent = draw.own(LEVELS)
    span = item.high - item.low
    wanted = item.low + span * percent / 100
    allowance = span * (_AT_END if percent in (0, 100) else _ALLOWANCE)
    if item.key in SOUNDS:
        goal = draw.say(LOUD[percent][:2], LOUD[percent][2:]).format(draw.any(SOUNDS[item.key]))
    else:
        goal = draw.say(LIGHT[percent][:2], LIGHT[percent][2:])
    return Draft(
        goal=capital(goal),
        setup=(f"settings put system {item.key} {round(item.low + span * _FAR[percent] / 100)}",),
        probes={"level": f"settings get system {item.key}"},
        check=(
            Condition("level", "at_least", f"{wanted - allowance:g}"),
            Condition("level", "at_most", f"{wanted + allowance:g}"),
        ),
        plan=(open_app("Settings"), tap(item.page), slide(item.label, percent)),
        level=2,
    )


SILENCE = ("Silence everything except {}", "Only {} may be heard from now on")


def silence(draw: Draw) -> Draft:
    """All volumes but one go down."""
    kept = draw.own([item for item in SLIDERS if item.key in SOUNDS])
    others = [item for item in SLIDERS if item.key in SOUNDS and item != kept]
    return Draft(
        goal=draw.any(SILENCE).format(draw.any(SOUNDS[kept.key])),
        setup=tuple(f"settings put system {item.key} {item.high - 2}" for item in (kept, *others)),
        probes={item.key: f"settings get system {item.key}" for item in (kept, *others)},
        check=(equals(kept.key, str(kept.high - 2)), *(equals(item.key, "0") for item in others)),
        plan=(open_app("Settings"), tap(SOUND), *(slide(item.label, 0) for item in others)),
        level=3,
    )


def capital(sentence: str) -> str:
    """The sentence with a capital letter at its start and after each full stop."""
    parts = [part[:1].upper() + part[1:] for part in sentence.split(". ")]
    return ". ".join(parts)

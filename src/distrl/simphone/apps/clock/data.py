"""What the clock remembers: alarms, timers, the stopwatch, cities, preferences; and its tables."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import flag, whole
from distrl.simphone.apps.places import NAMES, NUMBERS, PLACES
from distrl.simphone.apps.preferences import preference_table
from distrl.simphone.chance import generator
from distrl.simphone.world import World

RINGTONES = ("Morning dew", "Bell tower", "Marimba", "Soft chime", "Rooster", "Signal", "Silent")
LABELS = (
    "", "", "Wake up", "Gym", "School run", "Medicine", "Call home", "Stand-up", "Bins out", "Water plants",
    "Early shift", "Yoga", "Feed the cat",
)  # fmt: skip
DAY_MASKS = (0, 0, 31, 31, 96, 127, 21, 10, 64, 1)
"""Repeat days as Android stores them: Monday is 1, Tuesday 2, … Sunday 64; 0 means once."""

PREFERENCES = {
    "snooze_minutes": "10",
    "silence_after_minutes": "10",
    "alarm_volume": "70",
    "week_start": "Monday",
    "show_seconds": "0",
    "sort_alarms": "time",
    "tip_dismissed": "0",
}


class Alarm(msgspec.Struct):
    """One alarm; `days` is a bit mask (see DAY_MASKS)."""

    id: int
    hour: int
    minute: int
    days: int = 0
    enabled: bool = True
    label: str = ""
    vibrate: bool = True
    ringtone: str = RINGTONES[0]


class Timer(msgspec.Struct):
    """One timer: `left_s` counts while it stands still, `ends_at_s` while it runs (else 0)."""

    id: int
    length_s: int
    left_s: float
    ends_at_s: float = 0.0
    label: str = ""

    def remaining(self, now_s: float) -> float:
        """Seconds to go; below zero once the time is up."""
        return self.ends_at_s - now_s if self.ends_at_s else self.left_s

    @property
    def state(self) -> str:
        """running, paused or ready."""
        if self.ends_at_s:
            return "running"
        return "ready" if self.left_s == self.length_s else "paused"


class Stopwatch(msgspec.Struct):
    """Seconds measured before the last start, when that was (0 while it stands still), and lap splits."""

    measured_s: float = 0.0
    started_at_s: float = 0.0
    splits: list[float] = []

    def elapsed(self, now_s: float) -> float:
        """Seconds measured until now."""
        return self.measured_s + (now_s - self.started_at_s if self.started_at_s else 0.0)


class ClockData(msgspec.Struct):
    """Everything the clock remembers."""

    alarms: list[Alarm]
    timers: list[Timer]
    cities: list[str]
    next_id: int
    stopwatch: Stopwatch = msgspec.field(default_factory=Stopwatch)
    preferences: dict[str, str] = msgspec.field(default_factory=lambda: dict(PREFERENCES))

    def number(self) -> int:
        """A number for something new."""
        self.next_id += 1
        return self.next_id - 1

    def alarm(self, alarm_id: int) -> Alarm | None:
        """An alarm by its number."""
        return next((alarm for alarm in self.alarms if alarm.id == alarm_id), None)

    def timer(self, timer_id: int) -> Timer | None:
        """A timer by its number."""
        return next((timer for timer in self.timers if timer.id == timer_id), None)

    def remove_alarm(self, alarm_id: int) -> None:
        """Delete an alarm."""
        self.alarms = [alarm for alarm in self.alarms if alarm.id != alarm_id]

    def remove_timer(self, timer_id: int) -> None:
        """Delete a timer."""
        self.timers = [timer for timer in self.timers if timer.id != timer_id]

    def add_timer(self, length_s: int, label: str = "") -> Timer:
        """A new timer that stands still."""
        length_s = min(360_000 - 1, max(1, length_s))
        timer = Timer(self.number(), length_s, float(length_s), label=label)
        self.timers.append(timer)
        return timer

    def remove_city(self, row: int) -> None:
        """Take a city from the world clock by its row number."""
        if NAMES.get(row) in self.cities:
            self.cities.remove(NAMES[row])


def fill(world: World) -> ClockData:
    """The clock of a world: a handful of alarms, some at like times, a few cities, perhaps a timer."""
    random = generator("clock", world.seed)
    alarms: list[Alarm] = []
    taken: set[tuple[int, int]] = set()
    base = random.randint(5, 8)
    count = random.randint(5, 8)
    while len(alarms) < count:
        hour = base if len(alarms) < 2 else random.randint(5, 22)
        minute = random.choice((0, 10, 15, 20, 30, 40, 45, 50))
        if (hour, minute) in taken:
            continue
        taken.add((hour, minute))
        alarms.append(
            Alarm(
                len(alarms) + 1, hour, minute, random.choice(DAY_MASKS), random.random() < 0.5,
                random.choice(LABELS), random.random() < 0.6, random.choice(RINGTONES[:6]),
            )
        )  # fmt: skip
    cities = random.sample(list(PLACES), random.randint(3, 4))
    data = ClockData(alarms, [], cities, len(alarms) + 1)
    if random.random() < 0.4:
        data.add_timer(60 * random.choice((3, 8, 12, 25)), random.choice(("Tea", "Pasta", "Laundry", "")))
    return data


def _alarm_rows(data: ClockData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": alarm.id,
            "hour": alarm.hour,
            "minutes": alarm.minute,
            "daysofweek": alarm.days,
            "enabled": int(alarm.enabled),
            "vibrate": int(alarm.vibrate),
            "message": alarm.label,
            "ringtone": alarm.ringtone,
        }
        for alarm in data.alarms
    ]


def _bind_alarm(alarm: Alarm, bound: Mapping[str, str]) -> None:
    alarm.hour = whole(bound, "hour", alarm.hour) % 24
    alarm.minute = whole(bound, "minutes", alarm.minute) % 60
    alarm.days = whole(bound, "daysofweek", alarm.days) & 127
    alarm.enabled = flag(bound, "enabled", alarm.enabled)
    alarm.vibrate = flag(bound, "vibrate", alarm.vibrate)
    alarm.label = bound.get("message", alarm.label)
    alarm.ringtone = bound.get("ringtone", alarm.ringtone)


def _insert_alarm(data: ClockData, bound: Mapping[str, str]) -> None:
    alarm = Alarm(data.number(), 8, 0)
    _bind_alarm(alarm, bound)
    data.alarms.append(alarm)


def _update_alarm(data: ClockData, row: int, bound: Mapping[str, str]) -> None:
    alarm = data.alarm(row)
    if alarm is not None:
        _bind_alarm(alarm, bound)


def _timer_rows(data: ClockData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": timer.id,
            "label": timer.label,
            "length": timer.length_s,
            "state": timer.state,
            "remaining": round(timer.left_s),
            "ends_at": round(timer.ends_at_s),
        }
        for timer in data.timers
    ]


def _insert_timer(data: ClockData, bound: Mapping[str, str]) -> None:
    data.add_timer(whole(bound, "length", 300), bound.get("label", ""))


def _update_timer(data: ClockData, row: int, bound: Mapping[str, str]) -> None:
    timer = data.timer(row)
    if timer is not None:
        timer.label = bound.get("label", timer.label)
        if "length" in bound:
            timer.length_s = min(360_000 - 1, max(1, whole(bound, "length", timer.length_s)))
            timer.left_s, timer.ends_at_s = float(timer.length_s), 0.0


def _stopwatch_rows(data: ClockData, world: World) -> list[Cells]:
    del world
    watch = data.stopwatch
    state = "running" if watch.started_at_s else "paused" if watch.measured_s else "reset"
    return [
        {
            "_id": 1,
            "state": state,
            "elapsed_ms": round(watch.measured_s * 1000),
            "started_at": round(watch.started_at_s),
            "laps": len(watch.splits),
        }
    ]


def _lap_rows(data: ClockData, world: World) -> list[Cells]:
    del world
    return [
        {"_id": number, "lap": number, "split_ms": round(split * 1000)}
        for number, split in enumerate(data.stopwatch.splits, 1)
    ]


def _city_rows(data: ClockData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": NUMBERS[name],
            "name": name,
            "country": PLACES[name].country,
            "offset_minutes": PLACES[name].offset_minutes,
        }
        for name in data.cities
    ]


def _insert_city(data: ClockData, bound: Mapping[str, str]) -> None:
    name = bound.get("name", "")
    if name in PLACES and name not in data.cities:
        data.cities.append(name)


TABLES: dict[str, Table[ClockData]] = {
    "alarms": Table(_alarm_rows, _insert_alarm, _update_alarm, ClockData.remove_alarm),
    "timers": Table(_timer_rows, _insert_timer, _update_timer, ClockData.remove_timer),
    "stopwatch": Table(_stopwatch_rows),
    "laps": Table(_lap_rows),
    "cities": Table(_city_rows, _insert_city, None, ClockData.remove_city),
    "preferences": preference_table(lambda data: data.preferences, PREFERENCES),
}

"""Latency and faults: seeded, with the means that the profiles promise."""

from __future__ import annotations

import hashlib
import statistics

import msgspec
import pytest

from distrl.simphone import PROFILES, Trouble
from distrl.simphone.trouble import FAULTS, OPERATIONS


def steps(name: str, count: int = 20_000) -> list[float]:
    trouble = Trouble(PROFILES[name], 1)
    return [trouble.next("act").delay_s + trouble.next("observe").delay_s for _ in range(count)]


def test_instant_never_waits() -> None:
    trouble = Trouble(PROFILES["instant"], 0)
    for operation in OPERATIONS:
        event = trouble.next(operation)
        assert event.delay_s == 0
        assert event.fault is None


@pytest.mark.parametrize("name", ["emulator", "emulator-low", "emulator-high"])
def test_emulators_take_two_seconds_a_step(name: str) -> None:
    assert statistics.mean(steps(name)) == pytest.approx(2.0, rel=0.1)


def test_variance_grows_from_low_to_high() -> None:
    spread = [statistics.stdev(steps(name)) for name in ("emulator-low", "emulator", "emulator-high")]
    assert spread == sorted(spread)
    assert spread[0] < 0.3
    assert 10 < max(steps("emulator")) < 80


def test_same_seed_same_trouble() -> None:
    for name in PROFILES:
        one, other = Trouble(PROFILES[name], 5), Trouble(PROFILES[name], 5)
        assert [one.next("act") for _ in range(200)] == [other.next("act") for _ in range(200)]


def test_flaky_phones_meet_every_fault() -> None:
    trouble = Trouble(PROFILES["flaky"], 0)
    faults = [trouble.next("act").fault for _ in range(5000)]
    assert set(faults) == {*FAULTS, None}
    assert 20 < sum(fault is not None for fault in faults) < 100


def test_the_profiles_are_frozen() -> None:
    """Published results name a profile: whoever needs other numbers adds a profile with another name."""
    frozen = ("instant", "emulator", "emulator-low", "emulator-high", "flaky")
    values = msgspec.json.encode({name: PROFILES[name] for name in frozen})
    assert hashlib.sha256(values).hexdigest()[:16] == "54968f79d28eb336"

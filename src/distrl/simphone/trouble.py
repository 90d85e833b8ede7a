"""How long operations take and what goes wrong, sampled from seeded profiles. The caller does the waiting.

An operation's delay is log-normal, with a rare stall on top (an app that settles, a busy host). Faults are
drawn independently. Equal profile, seed and sequence of operations give equal events.
"""

from __future__ import annotations

import math
import random

import msgspec

OPERATIONS = ("observe", "act", "reset")
FAULTS = ("hang", "disconnect", "black_screen", "reboot")


class Timing(msgspec.Struct, frozen=True):
    """A log-normal duration: its mean in seconds and its sigma (of the logarithm)."""

    mean_s: float
    sigma: float

    def sample(self, source: random.Random) -> float:
        """One duration; with mean 0 always 0."""
        if self.mean_s <= 0:
            return 0.0
        # The mean of a log-normal is exp(mu + sigma^2 / 2), so mu follows from the mean we want.
        return source.lognormvariate(math.log(self.mean_s) - self.sigma**2 / 2, self.sigma)


class Profile(msgspec.Struct, frozen=True):
    """Latency and faults of one kind of phone. Probabilities are per operation."""

    observe: Timing
    act: Timing
    reset: Timing
    stall_probability: float = 0.0
    stall_s: tuple[float, float] = (10.0, 30.0)
    fault_probability: float = 0.0
    fault_weights: tuple[float, float, float, float] = (4.0, 3.0, 2.0, 1.0)
    hang_s: float = 60.0
    reboot_s: tuple[float, float] = (25.0, 28.0)


NOTHING = Timing(0.0, 0.0)

# Published measurements on Android emulators: `screencap -p` median 2.1 s, raw 0.7 s; snapshot restore 2.5 to
# 3.7 s; cold boot 25 to 28 s. An agent with raw screenshots spends about 0.8 s observing and 0.8 s acting
# and settling (assumed); stalls of 10 to 30 s at 1 % per operation (assumed) add 0.2 s to each: about 2 s a
# step. The variants keep that mean: `low` has no stalls and a small sigma, `high` a heavier tail.
PROFILES: dict[str, Profile] = {
    "instant": Profile(NOTHING, NOTHING, NOTHING),
    "emulator": Profile(Timing(0.8, 0.5), Timing(0.8, 0.6), Timing(3.1, 0.15), stall_probability=0.01),
    "emulator-low": Profile(Timing(1.0, 0.1), Timing(1.0, 0.1), Timing(3.1, 0.05)),
    "emulator-high": Profile(Timing(0.6, 1.0), Timing(0.6, 1.1), Timing(3.3, 0.4), stall_probability=0.02),
    "flaky": Profile(
        Timing(0.8, 0.7),
        Timing(0.8, 0.8),
        Timing(3.3, 0.4),
        stall_probability=0.015,
        fault_probability=0.01,
    ),
}


class Event(msgspec.Struct, frozen=True):
    """What one operation meets: a delay, and a fault or None.

    `hang`: no answer within the delay. `disconnect`: the connection is gone. `black_screen`: a black
    screenshot. `reboot`: the phone starts again, which is part of the delay.
    """

    delay_s: float
    fault: str | None = None


class Trouble:
    """A stream of events for one phone."""

    def __init__(self, profile: Profile, seed: int) -> None:
        self._profile = profile
        self._source = random.Random(f"trouble:{seed}")

    def next(self, operation: str) -> Event:
        """The event for the next operation: `observe`, `act` or `reset`."""
        profile, source = self._profile, self._source
        timing = {"observe": profile.observe, "reset": profile.reset}.get(operation, profile.act)
        delay_s = timing.sample(source)
        if source.random() < profile.stall_probability:
            delay_s += source.uniform(*profile.stall_s)
        if source.random() >= profile.fault_probability:
            return Event(delay_s)
        fault = source.choices(FAULTS, profile.fault_weights)[0]
        if fault == "hang":
            delay_s += profile.hang_s
        elif fault == "reboot":
            delay_s += source.uniform(*profile.reboot_s)
        return Event(delay_s, fault)

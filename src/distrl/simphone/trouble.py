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

# Where the numbers come from. Published are measurements on Android emulators by others: a raw screenshot
# takes 0.7 s and `screencap -p` 2.1 s (medians), restoring a snapshot 2.5 to 3.7 s, a cold boot 25 to 28 s.
# All else is assumed. `emulator` is meant to take about two seconds a step, observing and acting, as such
# agents do; `low` and `high` keep that mean with less and more variance. These profiles are frozen:
# measurements refer to them by name, so a change needs a new name (a test pins their values).
PROFILES: dict[str, Profile] = {
    # No waiting, no faults.
    "instant": Profile(NOTHING, NOTHING, NOTHING),
    "emulator": Profile(
        # Mean: a raw screenshot, published as 0.7 s, and its transfer, assumed 0.1 s. Sigma assumed.
        observe=Timing(0.8, 0.5),
        # Assumed: the input event itself is quick, the rest is the screen coming to rest.
        act=Timing(0.8, 0.6),
        # Mean: the middle of the published 2.5 to 3.7 s for restoring a snapshot; sigma to fit that range.
        reset=Timing(3.1, 0.15),
        # Assumed: 1 % of operations meet an app that starts, a page that loads or a busy host, for 10 to 30 s
        # (the class's default), which adds 0.2 s to an operation on average.
        stall_probability=0.01,
    ),
    "emulator-low": Profile(
        # Means: as `emulator` with its stalls spread evenly. Sigmas assumed, small. No stalls.
        observe=Timing(1.0, 0.1),
        act=Timing(1.0, 0.1),
        reset=Timing(3.1, 0.05),
    ),
    "emulator-high": Profile(
        # Means: two seconds a step again, with twice the stalls of `emulator`. Sigmas assumed, large.
        observe=Timing(0.6, 1.0),
        act=Timing(0.6, 1.1),
        # Mean assumed, within the published range; sigma assumed.
        reset=Timing(3.3, 0.4),
        stall_probability=0.02,  # assumed
    ),
    "flaky": Profile(
        # Means of observing and resetting as above; sigmas assumed, between `emulator` and `emulator-high`.
        observe=Timing(0.8, 0.7),
        act=Timing(0.8, 0.8),
        reset=Timing(3.3, 0.4),
        stall_probability=0.015,  # assumed
        # Assumed: one operation in a hundred fails. How the faults divide (hang 4, disconnect 3, black screen
        # 2, reboot 1: the class's defaults) is assumed too, and so are the 60 s of a hang; a reboot takes the
        # published 25 to 28 s of a cold boot.
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

"""What changes as a run goes on: weights of the loss that fade towards its end."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Paced(Protocol):
    """An algorithm that behaves differently as its run goes on; optional beside Algorithm."""

    def pace(self, progress: float) -> None:
        """Hear which share of the budget is spent, from 0 to 1, before an update."""


class FadingWeight:
    """A weight that is constant at first and falls linearly to 0 over the last `share` of a run."""

    def __init__(self, full: float, share: float) -> None:
        self._full = full
        self._share = share
        self.value = full

    def pace(self, progress: float) -> None:
        """Take the value that belongs to this point of the run; with a share of 0 always the full one."""
        left = 1 - min(max(progress, 0.0), 1.0)
        self.value = self._full * (min(1.0, left / self._share) if self._share > 0 else 1.0)

"""What a training run looks like at a glance, kept up to date from its records."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from distrl.config import RunConfig
from distrl.interfaces import PartStatus
from distrl.recording import Line

WINDOW_S = 60.0  # what counts as recent
BARS = "▁▂▃▄▅▆▇█"


@dataclass
class Counter:
    """A number that only grows, also when the part that counts is restarted and begins at 0 again."""

    before: float = 0.0  # of former incarnations
    last: float = 0.0

    def read(self, value: float) -> None:
        """Take a new reading."""
        if value < self.last:
            self.before += self.last
        self.last = value

    @property
    def total(self) -> float:
        """Counted by all incarnations."""
        return self.before + self.last


@dataclass
class Board:
    """The state of a run as far as its records tell."""

    run: str
    config: RunConfig
    counters: dict[tuple[str, str], Counter] = field(default_factory=dict)
    history: deque[tuple[float, dict[str, float]]] = field(default_factory=deque)
    recent: list[float] = field(default_factory=list)  # success of recent episodes, for the curve
    evaluations: dict[str, list[Line]] = field(default_factory=dict)
    learner: dict[str, float | None] = field(default_factory=dict)
    messages: deque[str] = field(default_factory=lambda: deque(maxlen=4))
    restarts: int = 0

    def take(self, statuses: Sequence[PartStatus], lines: Sequence[Line]) -> None:
        """Take in what happened since the last call."""
        for line in lines:
            if line.kind == "metrics":
                self._take_metrics(line)
            elif line.kind == "warning":
                self.messages.append(f"warning: {line.fields.get('text')}")
            elif line.kind in ("device_lost", "device_down"):
                self.messages.append(f"{line.kind.replace('_', ' ')}: {line.fields.get('device')}")
            elif line.kind == "resumed":
                self.messages.append(f"learner resumed at update {line.fields.get('updates')}")
        restarts = sum(status.restarts for status in statuses)
        for status in statuses:
            if restarts > self.restarts and status.restarts and status.error:
                self.messages.append(f"{status.name} was started anew: {status.error.splitlines()[0]}")
        self.restarts = restarts

    def _take_metrics(self, line: Line) -> None:
        if line.name == "worker":
            for key, value in line.values.items():
                if value is not None:
                    self.counters.setdefault((line.part, key), Counter()).read(value)
            totals = {key: self.total(key) for key in ("episodes", "success", "failure", "steps", "waited_s")}
            self.history.append((line.t, totals))
            while self.history[-1][0] - self.history[0][0] > WINDOW_S:
                self.history.popleft()
            self.recent.append(self.recent_success or 0.0)
        elif line.name == "learner":
            self.learner = line.values
        elif line.name == "evaluation":
            self.evaluations.setdefault(str(line.fields.get("decoding")), []).append(line)

    # --- numbers --------------------------------------------------------------------------------

    def total(self, key: str) -> float:
        """A worker's count, summed over workers."""
        return sum(counter.total for (_, name), counter in self.counters.items() if name == key)

    def _growth(self, key: str) -> float:
        return self.history[-1][1][key] - self.history[0][1][key] if self.history else 0.0

    @property
    def recent_success(self) -> float | None:
        """Success among the judged episodes of the last minute."""
        judged = self._growth("success") + self._growth("failure")
        return self._growth("success") / judged if judged else None

    def per_minute(self, key: str) -> float:
        """How fast a count grows."""
        span = self.history[-1][0] - self.history[0][0] if self.history else 0.0
        return 60 * self._growth(key) / span if span else 0.0

    @property
    def utilisation(self) -> float:
        """Share of the devices' time that went into episodes rather than waiting for permission."""
        span = self.history[-1][0] - self.history[0][0] if self.history else 0.0
        devices = self.config.collect.workers * self.config.collect.devices
        return max(0.0, 1.0 - self._growth("waited_s") / (span * devices)) if span else 1.0

    @property
    def seconds(self) -> float:
        """Trained so far."""
        return self.learner.get("seconds") or 0.0

    def waiting(self) -> str:
        """Who waits for whom, in words."""
        if not self._growth("waited_s") and not self.seconds:
            return "everybody, for the first episodes"
        held = 1.0 - self.utilisation
        idle = (self.learner.get("waited_s") or 0.0) / self.seconds if self.seconds else 0.0
        if max(held, idle) < 0.03:
            return "nobody"
        return f"workers for the learner {held:.0%} of their time, learner for workers {idle:.0%}"

    # --- pictures -------------------------------------------------------------------------------

    def render(self) -> RenderableType:
        """The whole board."""
        budget_s = 60 * self.config.budget.minutes
        left = max(0.0, budget_s - self.seconds)
        bar = Table.grid(padding=(0, 1))
        bar.add_row(
            ProgressBar(total=budget_s, completed=min(self.seconds, budget_s), width=40),
            f"{clock(self.seconds)} of {clock(budget_s)}, {clock(left)} left",
        )
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold")
        table.add_column()
        for label, value in self.rows():
            table.add_row(label, value)
        notes = [Text(message, "yellow") for message in self.messages]
        mode = f"{self.config.algorithm.kind}, {self.config.mode}, suite {self.config.suite}"
        return Panel(Group(bar, table, *notes), title=f"{self.run}: {mode}", title_align="left")

    def rows(self) -> list[tuple[str, str]]:
        """Label and value of each line."""
        devices = self.config.collect.workers * self.config.collect.devices
        recent = self.recent_success
        rows = [
            (
                "recent episodes",
                f"{recent:.1%} succeed  {sparkline(self.recent)}" if recent is not None else "none yet",
            )
        ]
        for decoding, lines in self.evaluations.items():
            curve = [line.values.get("success") or 0.0 for line in lines]
            last = lines[-1].values
            interval = f"[{last.get('low') or 0:.0%}, {last.get('high') or 0:.0%}]"
            split = lines[-1].fields.get("split")
            rows.append((f"{split}, {decoding}", f"{curve[-1]:.1%} {interval}  {sparkline(curve)}"))
        values = self.learner
        rows += [
            (
                "collected",
                f"{self.total('episodes'):,.0f} trajectories, {self.per_minute('episodes'):,.0f} a minute, "
                f"{devices} devices {self.utilisation:.0%} busy",
            ),
            (
                "trained",
                f"{values.get('update') or 0:,.0f} updates, {values.get('trained_steps') or 0:,.0f} steps, "
                f"version {values.get('version') or 0:.0f}, "
                f"version gap {values.get('version_gap_mean') or 0:.1f} "
                f"(max {values.get('version_gap_max') or 0:.0f})",
            ),
            ("waiting", self.waiting()),
        ]
        if values.get("entropy") is not None:
            entropy, critic = values.get("entropy") or 0.0, values.get("critic_loss") or 0.0
            rows.append(("learner", f"entropy {entropy:.2f}, critic loss {critic:.2f}"))
        return rows

    def line(self) -> str:
        """The board as one line, for logs and pipes."""
        return f"{clock(self.seconds)}  " + "; ".join(f"{label}: {value}" for label, value in self.rows())


def clock(seconds: float) -> str:
    """Seconds as 1:05 or 2:03:04."""
    whole = int(seconds)
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"


def sparkline(values: Sequence[float], width: int = 24) -> str:
    """A curve of shares between 0 and 1 in one line of text."""
    if len(values) > width:
        values = [values[index * (len(values) - 1) // (width - 1)] for index in range(width)]
    return "".join(BARS[min(len(BARS) - 1, int(max(0.0, value) * len(BARS)))] for value in values)

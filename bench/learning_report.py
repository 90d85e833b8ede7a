"""What rows of results say together: means, spreads, differences paired by seed, and learning curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev

import msgspec
from learning_rows import CurvePoint, Row
from learning_times import Arrival
from rich.markup import escape
from rich.table import Table

from distrl.errors import ConfigError

# Student's t, two-sided 95 %, for 1, 2, … degrees of freedom.
T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145)
HEADLINE = "test"


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95 % interval, which a single value does not have."""

    mean: float
    low: float | None
    high: float | None

    def text(self, sign: str = "+") -> str:
        """In percent (points), with a sign unless told otherwise."""
        middle = f"{100 * self.mean:{sign}.1f}"
        if self.low is None or self.high is None:
            return f"{middle} [one seed]"
        return f"{middle} [{100 * self.low:{sign}.1f}, {100 * self.high:{sign}.1f}]"


class Summary(msgspec.Struct, frozen=True):
    """All runs of one entry."""

    name: str
    seeds: list[int]
    start: dict[str, Interval]  # "test, sampled" → success
    end: dict[str, Interval]
    spread: dict[str, float | None]  # standard deviation over seeds at the end
    measured: dict[str, int]  # in how many of the runs
    wall_s: float
    cpu_s: float
    environment_steps: float
    updates: float


class Difference(msgspec.Struct, frozen=True):
    """An entry against another at the end, on the same seeds."""

    name: str
    against: str
    metric: str
    seeds: list[int]
    difference: Interval  # of success
    relative: Interval | None  # of their ratio, less 1; none where the other never succeeds


class Report(msgspec.Struct, frozen=True):
    """Everything that is printed."""

    suite: str
    suite_version: str
    suite_digest: str
    code: list[str]  # more than one: the rows were made by different versions
    machines: list[str]
    summaries: list[Summary]
    differences: list[Difference]
    missing: list[str]  # runs that were asked for and are not there
    arrivals: list[Arrival] = []  # how long entries took to the success that was asked for


def interval(values: Sequence[float]) -> Interval:
    """Student's interval of a mean."""
    mean = fmean(values)
    if len(values) < 2:
        return Interval(mean, None, None)
    freedom = len(values) - 1
    quantile = T_95[freedom - 1] if freedom <= len(T_95) else 1.96 + 2.5 / freedom
    half = quantile * stdev(values) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half)


def ratio_interval(values: Sequence[float], others: Sequence[float]) -> Interval | None:
    """How much larger the values are than the others, relatively; the interval is of paired log-ratios."""
    if not fmean(others):
        return None
    mean = fmean(values) / fmean(others) - 1
    if len(values) < 2 or min(*values, *others) <= 0:
        return Interval(mean, None, None)
    logs = interval([math.log(a / b) for a, b in zip(values, others, strict=True)])
    assert logs.low is not None
    assert logs.high is not None
    return Interval(mean, math.exp(logs.low) - 1, math.exp(logs.high) - 1)


def success(row: Row, metric: str) -> float | None:
    """A row's success at the end by "split, decoding"."""
    split, _, decoding = metric.partition(", ")
    found = row.end.get(split, {}).get(decoding)
    return found.success if found is not None else None


def metrics(rows: Sequence[Row]) -> list[str]:
    """All "split, decoding" of the rows, in order."""
    names = [f"{split}, {decoding}" for row in rows for split, both in row.end.items() for decoding in both]
    return list(dict.fromkeys(names))


def summarize(name: str, rows: Sequence[Row]) -> Summary:
    """The runs of one entry together."""
    start: dict[str, list[float]] = {}
    end: dict[str, list[float]] = {}
    for row in rows:
        for scores, into in ((row.start, start), (row.end, end)):
            for split, both in scores.items():
                for decoding, score in both.items():
                    into.setdefault(f"{split}, {decoding}", []).append(score.success)
    return Summary(
        name=name,
        seeds=[row.seed for row in rows],
        start={metric: interval(values) for metric, values in start.items()},
        end={metric: interval(values) for metric, values in end.items()},
        spread={metric: stdev(values) if len(values) > 1 else None for metric, values in end.items()},
        measured={metric: len(values) for metric, values in end.items()},
        wall_s=fmean(row.training.wall_s for row in rows),
        cpu_s=fmean(row.training.cpu_s for row in rows),
        environment_steps=fmean(row.environment_steps for row in rows),
        updates=fmean(row.updates for row in rows),
    )


def compare(rows: Sequence[Row], name: str, against: str, metric: str) -> Difference | None:
    """An entry's success less another's, paired by seed; None where they share no seed."""
    ours = {row.seed: success(row, metric) for row in rows if row.name == name}
    theirs = {row.seed: success(row, metric) for row in rows if row.name == against}
    pairs = [
        (seed, a, b)
        for seed in sorted(ours.keys() & theirs.keys())
        if (a := ours[seed]) is not None and (b := theirs[seed]) is not None
    ]
    if not pairs:
        return None
    values, others = [a for _, a, _ in pairs], [b for _, _, b in pairs]
    return Difference(
        name=name,
        against=against,
        metric=metric,
        seeds=[seed for seed, _, _ in pairs],
        difference=interval([a - b for a, b in zip(values, others, strict=True)]),
        relative=ratio_interval(values, others),
    )


def report(rows: Sequence[Row], against: str, missing: Sequence[str] = ()) -> Report:
    """All rows together; each other entry is compared with `against`."""
    if not rows:
        raise ConfigError("there are no results yet", "the report")
    names = list(dict.fromkeys(row.name for row in rows))
    found = [
        compare(rows, name, against, metric)
        for metric in metrics(rows)
        if metric.startswith(f"{HEADLINE},")
        for name in names
        if name != against
    ]
    return Report(
        suite=rows[0].suite,
        suite_version=rows[0].suite_version,
        suite_digest=rows[0].suite_digest,
        code=sorted({row.code for row in rows}),
        machines=sorted({str(row.machine) for row in rows}),
        summaries=[summarize(name, [row for row in rows if row.name == name]) for name in names],
        differences=[each for each in found if each is not None],
        missing=list(missing),
    )


# --- tables -------------------------------------------------------------------------------------


def success_table(result: Report) -> Table:
    """Start and end of every entry, a line for each measurement: it fits where tables are narrow."""
    table = Table(
        title=f"{result.suite} v{result.suite_version} ({result.suite_digest[:12]}): success in %, mean of "
        "seeds ± standard deviation",
        title_justify="left",
    )
    for column in ("", "metric", "seeds", "start", "end"):
        table.add_column(column, justify="left" if column in ("", "metric") else "right")
    for each in result.summaries:
        for number, (metric, end) in enumerate(each.end.items()):
            start, spread = each.start.get(metric), each.spread[metric]
            table.add_row(
                each.name if number == 0 else "",
                metric,
                str(each.measured[metric]),
                f"{100 * start.mean:.1f}" if start is not None else "",
                f"{100 * end.mean:.1f}" + (f" ± {100 * spread:.1f}" if spread is not None else ""),
                end_section=number == len(each.end) - 1,
            )
    return table


def cost_table(result: Report) -> Table:
    """What a run of every entry took."""
    table = Table(title="one run, mean of seeds", title_justify="left")
    for column in ("", "seeds", "wall-clock s", "CPU-s", "env steps", "updates"):
        table.add_column(column, justify="left" if column == "" else "right")
    for each in result.summaries:
        costs = (each.wall_s, each.cpu_s, each.environment_steps, each.updates)
        table.add_row(each.name, str(len(each.seeds)), *(f"{cost:,.0f}" for cost in costs))
    return table


def difference_table(result: Report) -> Table:
    """Every entry against the one that it is compared with."""
    against = result.differences[0].against
    table = Table(
        title=f"against {against}, paired by seed, [95 % interval, Student's t]", title_justify="left"
    )
    for column in ("", "metric", "seeds", "difference, points", "relative gain, %"):
        table.add_column(column, justify="left" if column in ("", "metric") else "right")
    for each in result.differences:
        table.add_row(
            each.name,
            each.metric,
            str(len(each.seeds)),
            escape(each.difference.text()),
            escape(each.relative.text()) if each.relative is not None else "",
        )
    return table


# --- curves -------------------------------------------------------------------------------------


def plot(rows: Sequence[Row], path: Path, split: str) -> None:
    """Success while training over wall-clock and over environment steps; shaded from worst to best seed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError("plots need matplotlib: pip install 'distrl[dev]'", "--plot") from error
    figure = Figure(figsize=(11, 7), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, 2, sharey=True)
    names = list(dict.fromkeys(row.name for row in rows))
    for line, decoding in enumerate(("sampled", "greedy")):
        for column, (field, label) in enumerate(
            (("seconds", "minutes of training"), ("steps", "environment steps"))
        ):
            axis = axes[line][column]
            for number, name in enumerate(names):
                curves = [_curve(row.curve, decoding, field) for row in rows if row.name == name]
                grid, low, middle, high = band([curve for curve in curves if curve])
                if not grid:
                    continue
                across = [x / 60 for x in grid] if field == "seconds" else grid
                axis.plot(across, middle, color=f"C{number}", label=name)
                axis.fill_between(across, low, high, color=f"C{number}", alpha=0.15, linewidth=0)
            axis.set_xlabel(label)
            axis.set_ylabel(f"{split} success, {decoding}, %")
            axis.set_ylim(0, 100)
            axis.grid(alpha=0.3)
    axes[0][0].legend(fontsize="small")
    figure.suptitle(f"{rows[0].suite} v{rows[0].suite_version}: mean of seeds, shaded from worst to best")
    figure.savefig(str(path), dpi=120)


def _curve(points: Sequence[CurvePoint], decoding: str, field: str) -> list[tuple[float, float]]:
    chosen = [point for point in points if point.decoding == decoding]
    xs = [point.seconds if field == "seconds" else point.steps for point in chosen]
    # Cloning takes no step in the environment: a single place on that axis is no curve.
    return sorted(zip(xs, (point.success for point in chosen), strict=True)) if len(set(xs)) > 1 else []


def band(
    curves: Sequence[Sequence[tuple[float, float]]], points: int = 60
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Several curves on one grid, as far as all of them reach: x, and lowest, mean and highest in percent."""
    if not curves:
        return [], [], [], []
    left, right = max(curve[0][0] for curve in curves), min(curve[-1][0] for curve in curves)
    if right <= left:
        return [], [], [], []
    grid = [left + (right - left) * index / (points - 1) for index in range(points)]
    values = [[100 * _at(curve, x) for curve in curves] for x in grid]
    return grid, [min(v) for v in values], [fmean(v) for v in values], [max(v) for v in values]


def _at(curve: Sequence[tuple[float, float]], x: float) -> float:
    """A curve's value at a place between its points."""
    for (x0, y0), (x1, y1) in pairwise(curve):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * ((x - x0) / (x1 - x0) if x1 > x0 else 1.0)
    return curve[-1][1]

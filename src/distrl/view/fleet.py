"""A run's devices at a glance: where each one stands, how often it failed and what helped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.table import Table
from rich.text import Text

from distrl.recording import Line

STYLES = {"quarantined": "bold red", "repairing": "yellow", "suspect": "yellow", "booting": "cyan"}


@dataclass
class DeviceRow:
    """What the records tell of one slot of one worker."""

    part: str
    device: str
    state: str = "?"
    since: float = 0.0  # seconds since the epoch
    why: str = ""  # of the last trouble
    numbers: Mapping[str, float | None] = field(default_factory=dict)


def fleet_rows(lines: Sequence[Line]) -> list[DeviceRow]:
    """The devices of all workers, in order; lines as `recording.Reader` gives them."""
    rows: dict[tuple[str, int], DeviceRow] = {}
    for line in lines:
        is_metrics = line.kind == "metrics" and line.name == "device"
        if not is_metrics and line.kind != "device":
            continue
        key = (line.part, int(str(line.fields.get("slot", 0))))
        row = rows.setdefault(key, DeviceRow(line.part, ""))
        row.device = str(line.fields.get("device", ""))
        if is_metrics:
            row.numbers = line.values
            continue
        state = str(line.fields.get("state", "?"))
        if state != row.state:
            row.state, row.since = state, line.t
        if state in ("suspect", "quarantined"):  # the others tell what is done about it
            row.why = str(line.fields.get("why", ""))
    return [rows[key] for key in sorted(rows)]


def fleet_table(lines: Sequence[Line]) -> Table:
    """One line for each device: its state, its faults, and how long it ran between two of them."""
    table = Table(box=None, pad_edge=False)
    for column in ("worker", "device", "state"):
        table.add_column(column)
    for column in ("faults", "between faults", "in use", "broken"):
        table.add_column(column, justify="right")
    table.add_column("last trouble", overflow="fold")
    for row in fleet_rows(lines):
        share = {name: row.numbers.get(f"share/{name}") or 0.0 for name in ("busy", *STYLES)}
        broken = sum(share[name] for name in ("suspect", "repairing", "quarantined"))
        known = bool(row.numbers)
        table.add_row(
            row.part,
            row.device,
            Text(row.state, style=STYLES.get(row.state, "green")),
            f"{row.numbers.get('faults') or 0:.0f}" if known else "–",
            _duration(row.numbers.get("between_faults_s")),
            f"{share['busy']:.0%}" if known else "–",
            f"{broken:.1%}" if known else "–",
            Text(row.why),
        )
    return table


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"

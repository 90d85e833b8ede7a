"""The table of devices, from recorded lines."""

from __future__ import annotations

from rich.console import Console

from distrl.recording import Line
from distrl.view.fleet import fleet_rows, fleet_table


def event(t: float, part: str, slot: int, state: str, why: str = "") -> Line:
    fields: dict[str, object] = {"device": f"sim-{slot}", "slot": slot, "state": state, "why": why}
    return Line(t=t, part=part, kind="device", fields=fields)


LINES = [
    event(1.0, "worker-1", 0, "ready"),
    event(1.0, "worker-0", 10, "ready"),
    event(1.0, "worker-0", 2, "ready"),
    event(5.0, "worker-0", 2, "quarantined", "no remedy lasts"),
    event(9.0, "worker-0", 10, "suspect", "hang: lost in an episode"),
    event(10.0, "worker-0", 10, "ready"),
    Line(
        t=11.0,
        part="worker-0",
        kind="metrics",
        name="device",
        values={"faults": 3.0, "between_faults_s": 7500.0, "share/busy": 0.5, "share/repairing": 0.25},
        fields={"device": "sim-10", "slot": "10"},
    ),
]


def test_rows_hold_the_latest_state_in_the_order_of_slots() -> None:
    rows = fleet_rows(LINES)
    assert [(row.part, row.device, row.state) for row in rows] == [
        ("worker-0", "sim-2", "quarantined"),
        ("worker-0", "sim-10", "ready"),
        ("worker-1", "sim-0", "ready"),
    ]
    assert rows[0].since == 5.0
    assert rows[1].why == "hang: lost in an episode"


def test_the_table_can_be_read() -> None:
    console = Console(width=120, record=True, file=None, quiet=True)
    with console.capture() as captured:
        console.quiet = False
        console.print(fleet_table(LINES))
    text = captured.get()
    assert "2.1 h" in text
    assert "50%" in text
    assert "25.0%" in text
    assert "no remedy lasts" in text

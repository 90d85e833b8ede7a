"""`distrl devices list`: what is attached to this machine, or how a run's devices have fared."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from distrl.errors import DeviceError, RunError
from distrl.recording import Reader, RunFolder
from distrl.view import host
from distrl.view.fleet import DeviceRow, fleet_rows, fleet_table

console = Console()


# --- attached here --------------------------------------------------------------------------------


def list_attached(*, start_server: bool, as_json: bool) -> None:
    """Phones behind adb, virtual devices and browsers."""
    running, phones = asyncio.run(_ask_adb(start_server))
    avds, browsers = host.find_avds(), host.find_browsers()
    if as_json:
        told = {"adb_server": running, "phones": [asdict(phone) for phone in phones]}
        print(json.dumps({**told, "avds": avds, "browsers": browsers}, indent=2))
        return
    if not running:
        console.print(
            "No adb server runs, and a list is no reason to start one; do so with: "
            "[bold]distrl devices list --start-server[/bold]"
        )
    elif not phones:
        console.print("adb knows no phone. Plug one in, or try: [bold]distrl phone serve[/bold]")
    else:
        console.print(_phone_table(phones))
    console.print(f"Virtual devices: {', '.join(avds) or 'none'}", highlight=False)
    console.print(f"Browsers: {', '.join(browsers) or 'none'}", highlight=False)
    missing = [name for name, there in (("phones", phones), ("browsers", browsers)) if not there]
    if missing:
        console.print("What is missing, and how to mend it: [bold]distrl doctor[/bold]")


async def _ask_adb(start_server: bool) -> tuple[bool, list[host.AttachedPhone]]:
    server = host.adb_server()
    if start_server:
        await server.start()
    elif await host.server_version(server) is None:
        return False, []
    try:
        return True, await host.attached_phones(server)
    except TimeoutError as error:
        raise DeviceError("the adb server does not answer; try `adb kill-server`") from error


def _phone_table(phones: list[host.AttachedPhone]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("serial", "state", "model", "Android", "screen", ""):
        table.add_column(column)
    for phone in phones:
        kind = {True: "simulated", False: "guarded (docs/safety.md)", None: ""}[phone.simulated]
        table.add_row(phone.serial, phone.state, phone.model, phone.android, phone.screen, kind)
    return table


# --- a run's fleet --------------------------------------------------------------------------------


def list_fleet(path: Path, *, as_json: bool) -> None:
    """Every device of a run: its state, its faults by kind, and how long they took to mend."""
    folder = RunFolder.open(path)
    lines = Reader(folder).poll()
    rows = fleet_rows(lines)
    if not rows:
        raise RunError(f"{path} has recorded nothing about devices yet; train it first")
    if as_json:
        print(json.dumps([_as_dict(row) for row in rows], indent=2))
        return
    console.print(fleet_table(lines))
    troubled = [row for row in rows if _kinds(row)]
    if troubled:
        console.print()
        console.print(_fault_table(troubled))


def _fault_table(rows: list[DeviceRow]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("worker", "device", "fault"):
        table.add_column(column)
    for column in ("times", "survived", "mended in (median)", "(90 %)"):
        table.add_column(column, justify="right")
    for row in rows:
        for kind in _kinds(row):
            table.add_row(
                row.part,
                row.device,
                kind,
                f"{row.numbers.get(f'faults/{kind}') or 0:.0f}",
                f"{row.numbers.get(f'survived/{kind}') or 0:.0f}",
                *(_seconds(row.numbers.get(f"mend_s/{kind}/{part}")) for part in ("median", "p90")),
            )
    return table


def _kinds(row: DeviceRow) -> list[str]:
    return [name.removeprefix("faults/") for name in sorted(row.numbers) if name.startswith("faults/")]


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} s"


def _as_dict(row: DeviceRow) -> dict[str, object]:
    named = {"worker": row.part, "device": row.device, "state": row.state, "since": row.since, "why": row.why}
    return {**named, **row.numbers}

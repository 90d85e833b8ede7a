"""Devices and their states: repaired by the mildest remedy, set aside when nothing helps, never given up."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from distrl.collect.faults import DISCONNECT, HANG, Fault
from distrl.collect.fleet import MOVES, Fleet, Slot
from distrl.collect.health import STATES
from distrl.collect.ladder import RepairSettings
from distrl.interfaces import Device

Make = Callable[..., Any]


class Events:
    def __init__(self) -> None:
        self.seen: list[tuple[float, str, dict[str, object]]] = []
        self.metric: dict[str, dict[str, float]] = {}

    def event(self, kind: str, **fields: object) -> None:
        self.seen.append((time.monotonic(), kind, fields))

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None:
        self.metric[name] = values

    def states(self, slot: int = 0) -> list[object]:
        return [
            fields["state"] for _, kind, fields in self.seen if kind == "device" and fields["slot"] == slot
        ]

    def warnings(self) -> list[str]:
        return [str(fields["text"]) for _, kind, fields in self.seen if kind == "warning"]


def fleet_of(
    devices: Sequence[Device], events: Events, replace: Callable[[int], Device] | None = None
) -> Fleet:
    settings = RepairSettings(quarantine_s=10, longest_quarantine_s=100, good_episodes=1)
    return Fleet("worker-0", devices, settings, events, replace=replace, clock=lambda: time.monotonic())


async def lose(slot: Slot, kind: str = HANG) -> None:
    slot.begin_episode()
    slot.note(Fault(kind, "act", survived=False))
    await slot.end_episode(lost=True)


def test_the_diagram_names_every_state() -> None:
    assert set(MOVES) == set(STATES)
    assert {state for targets in MOVES.values() for state in targets} <= set(STATES)


def test_a_move_that_the_diagram_lacks_is_refused(mendable: Make) -> None:
    slot = fleet_of([mendable("d")], Events()).slots[0]
    with pytest.raises(RuntimeError, match="from booting to busy"):
        slot.begin_episode()


def test_the_mildest_remedy_that_helps_is_the_last_one_tried(mendable: Make, simulated_time: Make) -> None:
    device, events = mendable("d", broken=["reconnect"]), Events()

    async def go() -> None:
        slot = fleet_of([device], events).slots[0]
        await slot.boot()
        await lose(slot)

    simulated_time(go())
    assert device.applied == ["reconnect", "restart_app"]
    assert events.states() == ["ready", "suspect", "repairing", "repairing", "ready"]


def test_a_plain_device_is_closed_and_opened(fake_device: Make, simulated_time: Make) -> None:
    device = fake_device("d")

    async def go() -> None:
        slot = fleet_of([device], Events()).slots[0]
        await slot.boot()
        await lose(slot)
        assert slot.log.helped == {"reopen": 1}

    simulated_time(go())
    assert device.calls == ["close", "open", "close", "open"]


def test_a_rung_that_hangs_is_left_at_its_deadline(mendable: Make, simulated_time: Make) -> None:
    device = mendable("d")

    async def hang(remedy: str) -> None:
        await asyncio.Event().wait()

    device.repair = hang

    async def go() -> float:
        slot = fleet_of([device], Events()).slots[0]
        await slot.boot()
        begin = time.monotonic()
        await lose(slot)
        assert slot.log.tries == {"reconnect": 1, "restart_app": 1, "reboot": 1, "reopen": 1}
        return time.monotonic() - begin

    assert simulated_time(go()) == pytest.approx(20 + 30 + 180)


def test_when_nothing_helps_another_device_takes_the_slot(
    mendable: Make, fake_device: Make, simulated_time: Make
) -> None:
    def pulled(operation: str) -> None:
        if operation == "open" and len(first.calls) > 2:
            raise TimeoutError

    first = mendable("first", pulled, broken=["reconnect", "restart_app", "reboot"])
    second = fake_device("second")

    async def go() -> Slot:
        slot = fleet_of([first], Events(), replace=lambda index: second).slots[0]
        await slot.boot()
        await lose(slot)
        return slot

    slot = simulated_time(go())
    assert slot.device is second
    assert second.calls == ["open"]
    assert slot.log.faults == {HANG: 1}  # the slot's history goes on


def test_quarantine_backs_off_says_so_and_goes_on_trying(fake_device: Make, simulated_time: Make) -> None:
    unplugged = True

    def trouble(operation: str) -> None:
        if operation == "open" and unplugged:
            raise TimeoutError

    devices, events = [fake_device("a", trouble), fake_device("b", trouble)], Events()

    async def go() -> Fleet:
        nonlocal unplugged
        fleet = fleet_of(devices, events)
        boots = asyncio.gather(*(slot.boot() for slot in fleet.slots))
        await asyncio.sleep(1000)
        assert [slot.state for slot in fleet.slots] == ["quarantined"] * 2
        unplugged = False
        await boots
        return fleet

    fleet = simulated_time(go())
    assert all(slot.state == "ready" for slot in fleet.slots)
    down = [
        at
        for at, kind, fields in events.seen
        if kind == "device_down" and fields["device"] == "a" and at < 500
    ]
    pauses = [round(after - before) for before, after in itertools.pairwise(down)]
    assert pauses == [10, 20, 40, 80, 100, 100, 100]
    first, second = events.warnings()
    assert "all 2 devices of worker-0 are quarantined" in first
    assert "again" in second


def test_a_device_that_fails_every_episode_climbs_and_is_set_aside(
    mendable: Make, simulated_time: Make
) -> None:
    device, events = mendable("d"), Events()

    async def go() -> None:
        slot = fleet_of([device], events).slots[0]
        await slot.boot()
        for _ in range(9):
            await lose(slot, DISCONNECT)

    simulated_time(go())
    assert device.applied[:6] == ["reconnect"] * 2 + ["restart_app"] * 2 + ["reboot"] * 2
    assert "quarantined" in events.states()


def test_numbers_of_the_fleet(mendable: Make, simulated_time: Make) -> None:
    events = Events()

    async def go() -> None:
        fleet = fleet_of([mendable("a"), mendable("b")], events)
        first, second = fleet.slots
        await asyncio.gather(first.boot(), second.boot())
        first.begin_episode()
        first.note(Fault(HANG, "observe", True, "reconnect", 4.0))
        await asyncio.sleep(30)
        await first.end_episode(lost=False)
        await lose(second, DISCONNECT)
        await asyncio.sleep(10)
        fleet.report(final=True)

    simulated_time(go())
    numbers = events.metric["fleet"]
    assert numbers["faults"] == 2
    assert numbers["faults/hang"] == numbers["survived/hang"] == 1
    assert numbers["between_faults_s"] == pytest.approx(40)  # 80 seconds of two devices, two faults
    assert numbers["share/busy"] == pytest.approx(30 / 80)
    assert numbers["state/ready"] == 2
    assert numbers["mend_s/hang/median"] == 4.0
    assert numbers["helped/reconnect"] == 2
    assert events.metric["device"]["devices"] == 1


def test_beginning_and_ending_episodes_is_told_at_most_once_a_report(
    mendable: Make, simulated_time: Make
) -> None:
    events = Events()

    async def go() -> None:
        fleet = fleet_of([mendable("a")], events)
        await fleet.slots[0].boot()
        for _ in range(20):
            fleet.slots[0].begin_episode()
            await fleet.slots[0].end_episode(lost=False)
        fleet.slots[0].begin_episode()
        fleet.report()

    simulated_time(go())
    assert events.states() == ["ready", "busy"]

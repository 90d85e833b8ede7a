"""What a device must do that is Repairable, and Resumable if it wants to go on within an episode.

@pytest.mark.parametrize("clause", REPAIR_CONTRACT, ids=lambda clause: clause.__name__)
def test_repairs(clause):
    asyncio.run(clause(make_my_device, a_task_it_can_prepare))
"""

from __future__ import annotations

from distrl.collect.faults import Resumable
from distrl.interfaces import REMEDIES, Device, Repairable
from distrl.records import Action, ActionKind, Observation, Task
from distrl.testing.device_contract import Clause, Make


async def names_remedies_in_order(make: Make, task: Task) -> None:  # noqa: ARG001
    """Remedies are some of REMEDIES, mildest first, each once."""
    device = make()
    assert isinstance(device, Repairable)
    known = device.remedies()
    assert known
    assert list(known) == [remedy for remedy in REMEDIES if remedy in known]


async def every_remedy_leaves_a_usable_device(make: Make, task: Task) -> None:
    """After any remedy, also of a device that was sound, the next episode can begin."""
    device = make()
    await device.open()
    assert isinstance(device, Repairable)
    for remedy in device.remedies():
        await device.reset(task, 0)
        await device.repair(remedy)
        await device.reset(task, 0)
        await device.act(Action(ActionKind.HOME))
        assert isinstance(await device.observe(), Observation)
    await device.close()


async def reconnecting_changes_nothing(make: Make, task: Task) -> None:
    """`reconnect` keeps boot id, screen and answers; a device without it or without boot id is excused."""
    device = make()
    if not (isinstance(device, Repairable) and isinstance(device, Resumable)):
        return
    if "reconnect" not in device.remedies():
        return
    await device.open()
    await device.reset(task, 0)
    before = await device.boot_id(), (await device.observe()).ui, await _answers(device, task)
    await device.repair("reconnect")
    assert (await device.boot_id(), (await device.observe()).ui, await _answers(device, task)) == before
    await device.close()


async def a_restart_shows_in_the_boot_id(make: Make, task: Task) -> None:
    """`reboot`, and closing and opening if that restarts it, give another boot id, or there is none."""
    device = make()
    if not (isinstance(device, Repairable) and isinstance(device, Resumable)):
        return
    await device.open()
    await device.reset(task, 0)
    before = await device.boot_id()
    assert await device.boot_id() == before
    if "reboot" in device.remedies():
        await device.repair("reboot")
        assert await device.boot_id() != before
    await device.close()


async def _answers(device: object, task: Task) -> dict[str, str]:
    assert isinstance(device, Device)
    return {name: await device.probe(command) for name, command in task.probes.items()}


REPAIR_CONTRACT: tuple[Clause, ...] = (
    names_remedies_in_order,
    every_remedy_leaves_a_usable_device,
    reconnecting_changes_nothing,
    a_restart_shows_in_the_boot_id,
)

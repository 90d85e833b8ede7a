"""What every Device must do, as checks that a test of any device can run.

    @pytest.mark.parametrize("clause", DEVICE_CONTRACT, ids=lambda clause: clause.__name__)
    def test_contract(clause):
        asyncio.run(clause(make_my_device, a_task_it_can_prepare))

`make` returns a new device that has not been opened, always the same kind; the task needs a set-up that works
and at least one probe.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager

from distrl.errors import DeviceError
from distrl.imaging import decode_array
from distrl.interfaces import Device
from distrl.records import Action, ActionKind, Observation, Point, Task

Make = Callable[[], Device]
Clause = Callable[[Make, Task], Coroutine[None, None, None]]

HARMLESS = (
    Action(ActionKind.DONE),
    Action(ActionKind.IMPOSSIBLE),
    Action(ActionKind.ANSWER, text="forty-two"),
    Action(ActionKind.INVALID, text="???"),
)
EVERYTHING = (
    *HARMLESS,
    Action(ActionKind.TAP, point=Point(0.5, 0.5)),
    Action(ActionKind.TAP, point=Point(1.0, 1.0)),
    Action(ActionKind.LONG_PRESS, point=Point(0.0, 0.0)),
    Action(ActionKind.SWIPE, point=Point(0.5, 0.8), to=Point(0.5, 0.2)),
    Action(ActionKind.TYPE, text="hello, wörld"),
    Action(ActionKind.ENTER),
    Action(ActionKind.BACK),
    Action(ActionKind.OPEN_APP, text="Settings"),
    Action(ActionKind.OPEN_APP, text="An app that does not exist"),
    Action(ActionKind.WAIT),
    Action(ActionKind.HOME),
)


@asynccontextmanager
async def _ready(make: Make, task: Task, seed: int = 0) -> AsyncIterator[Device]:
    """A device at the start of an episode."""
    device = make()
    await device.open()
    try:
        await device.reset(task, seed)
        yield device
    finally:
        await device.close()


async def observes_what_it_promises(make: Make, task: Task) -> None:
    """The picture decodes, the tree fits the screen, and the parents in it come before their children."""
    async with _ready(make, task) as device:
        assert isinstance(device, Device)
        assert device.id
        seen = await device.observe()
    assert decode_array(seen.screenshot).shape == (seen.screenshot.height, seen.screenshot.width, 3)
    assert seen.screenshot.width <= seen.width
    assert seen.captured_at > 0
    for index, node in enumerate(seen.ui or ()):
        left, top, right, bottom = node.bounds
        assert 0 <= left < right <= seen.width, node
        assert 0 <= top < bottom <= seen.height, node
        assert -1 <= node.parent < index, node


async def carries_out_every_action(make: Make, task: Task) -> None:
    """No action raises, wherever it lands and whatever it says."""
    async with _ready(make, task) as device:
        for action in EVERYTHING:
            await device.act(action)
            await device.observe()


async def final_actions_change_nothing(make: Make, task: Task) -> None:
    """DONE, IMPOSSIBLE, ANSWER and INVALID leave the probes' answers as they were."""
    async with _ready(make, task) as device:
        before = await _answers(device, task)
        for action in HARMLESS:
            await device.act(action)
        assert await _answers(device, task) == before


async def same_seed_same_episode(make: Make, task: Task) -> None:
    """Two devices, and one device reset, show the same for the same seed and actions."""
    async with _ready(make, task, seed=3) as device:
        first = await _episode(device, task)
        await device.reset(task, 3)
        again = await _episode(device, task)
    async with _ready(make, task, seed=3) as device:
        other = await _episode(device, task)
    assert first == again
    assert first == other


async def reset_undoes_everything(make: Make, task: Task) -> None:
    """After a reset the probes answer as they did at the start."""
    async with _ready(make, task) as device:
        before = await _answers(device, task)
        for action in EVERYTHING:
            await device.act(action)
        await device.reset(task, 0)
        assert await _answers(device, task) == before


async def survives_cancelled_calls(make: Make, task: Task) -> None:
    """A call that is cancelled at its deadline leaves the device usable."""
    async with _ready(make, task) as device:
        calls: tuple[Callable[[], Awaitable[object]], ...] = (
            device.observe,
            lambda: device.act(Action(ActionKind.HOME)),
            lambda: device.reset(task, 1),
        )
        for call in calls:
            pending = asyncio.ensure_future(call())
            await asyncio.sleep(0)
            pending.cancel()
            await asyncio.gather(pending, return_exceptions=True)
        await device.reset(task, 0)
        await device.act(Action(ActionKind.HOME))
        assert isinstance(await device.observe(), Observation)


async def refuses_work_when_closed(make: Make, task: Task) -> None:
    """Before `open` and after `close` every call raises DeviceError; closing twice and reopening are fine."""
    device = make()
    await _refuses(device, task)
    await device.open()
    await device.reset(task, 0)
    await device.close()
    await device.close()
    await _refuses(device, task)
    await device.open()
    await device.reset(task, 0)
    await device.observe()
    await device.close()


async def _refuses(device: Device, task: Task) -> None:
    calls: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: device.reset(task, 0),
        device.observe,
        lambda: device.act(Action(ActionKind.HOME)),
        lambda: device.probe("getprop"),
    )
    for call in calls:
        try:
            await call()
        except DeviceError:
            continue
        raise AssertionError("a closed device did something")


async def _answers(device: Device, task: Task) -> dict[str, str]:
    return {name: await device.probe(command) for name, command in task.probes.items()}


async def _episode(device: Device, task: Task) -> list[object]:
    """What a fixed run of actions shows, without the times."""
    seen: list[object] = []
    for action in EVERYTHING:
        await device.act(action)
        observation = await device.observe()
        seen.append((observation.screenshot, observation.ui, observation.app))
    seen.append(await _answers(device, task))
    return seen


DEVICE_CONTRACT: tuple[Clause, ...] = (
    observes_what_it_promises,
    carries_out_every_action,
    final_actions_change_nothing,
    same_seed_same_episode,
    reset_undoes_everything,
    survives_cancelled_calls,
    refuses_work_when_closed,
)

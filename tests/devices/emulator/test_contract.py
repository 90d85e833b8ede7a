import asyncio
from collections.abc import Callable

import pytest

from distrl.devices.emulator.device import EmulatorDevice
from distrl.imaging import decode_array
from distrl.records import Action, ActionKind, Observation, Point, Task
from distrl.testing.device_contract import DEVICE_CONTRACT, Clause
from distrl.testing.repair_contract import REPAIR_CONTRACT

TASK = Task(
    id="t", goal="Look around.", suite="s", split="train", max_steps=4, setup=("simphone world 1",),
    probes={"wifi": "settings get global wifi_on"},
)  # fmt: skip
PATIENCE_S = 180.0  # much more than any of these tests needs


@pytest.mark.parametrize("clause", DEVICE_CONTRACT[:3], ids=lambda clause: clause.__name__)
def test_contract_with_pictures_and_touches_through_grpc(
    clause: Clause, make: Callable[..., EmulatorDevice]
) -> None:
    pytest.importorskip("grpc", reason="needs grpcio: pip install 'distrl[android]'")
    asyncio.run(asyncio.wait_for(clause(lambda: make(0, screen="grpc"), TASK), PATIENCE_S))


def test_both_ways_see_the_same_screen(make: Callable[..., EmulatorDevice]) -> None:
    pytest.importorskip("grpc", reason="needs grpcio: pip install 'distrl[android]'")

    async def look(screen: str) -> Observation:
        device = make(0, screen=screen)
        await device.open()
        await device.reset(TASK, 5)
        await device.act(Action(ActionKind.OPEN_APP, text="Settings"))
        listed = await device.observe()
        await device.act(Action(ActionKind.TAP, point=Point(0.5, 0.4)))
        assert (await device.observe()).ui != listed.ui
        await device.act(Action(ActionKind.SWIPE, point=Point(0.5, 0.8), to=Point(0.5, 0.3)))
        seen = await device.observe()
        await device.close()
        return seen

    near, far = (asyncio.run(asyncio.wait_for(look(screen), PATIENCE_S)) for screen in ("adb", "grpc"))
    assert near.app == far.app == "com.android.settings"
    assert near.ui == far.ui
    assert (decode_array(near.screenshot) == decode_array(far.screenshot)).all()


@pytest.mark.parametrize("clause", [*DEVICE_CONTRACT, *REPAIR_CONTRACT], ids=lambda clause: clause.__name__)
def test_contract(clause: Clause, make: Callable[..., EmulatorDevice]) -> None:
    asyncio.run(asyncio.wait_for(clause(lambda: make(0), TASK), PATIENCE_S))

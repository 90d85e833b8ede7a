"""What every Judge must do, as checks that a test of any judge can run.

@pytest.mark.parametrize("clause", JUDGE_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause):
    asyncio.run(clause(MyJudge()))
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine

import msgspec

from distrl.interfaces import Judge
from distrl.records import Ending, Outcome, Verdict
from distrl.testing.trajectories import make_trajectory

Clause = Callable[[Judge], Coroutine[None, None, None]]


async def signs_its_verdicts(judge: Judge) -> None:
    """A verdict names the judge and its version, and says why."""
    assert isinstance(judge, Judge)
    verdict = await judge.judge(make_trajectory("t"))
    assert isinstance(verdict, Verdict)
    assert (verdict.judge, verdict.judge_version) == (judge.name, judge.version)
    assert verdict.evidence


async def knows_nothing_of_a_lost_device(judge: Judge) -> None:
    """Whatever the screens show, an episode that lost its device is UNKNOWN."""
    for ending in (Ending.DEVICE_LOST, Ending.TIME_LIMIT):
        trajectory = make_trajectory("t", ending=ending)
        assert (await judge.judge(trajectory)).outcome is Outcome.UNKNOWN


async def survives_an_empty_episode(judge: Judge) -> None:
    """A trajectory with no steps, no final screen and no answers gets a verdict, and no success."""
    trajectory = make_trajectory("t", steps=0, ending=Ending.DEVICE_LOST)
    trajectory = msgspec.structs.replace(trajectory, final=None, answers={})
    assert (await judge.judge(trajectory)).outcome is Outcome.UNKNOWN
    trajectory = msgspec.structs.replace(trajectory, ending=Ending.STEP_LIMIT)
    assert (await judge.judge(trajectory)).outcome is not Outcome.SUCCESS


async def ignores_earlier_verdicts(judge: Judge) -> None:
    """Judging a trajectory again gives the same verdict, whatever it was marked with before."""
    first = make_trajectory("t")
    verdict = await judge.judge(first)
    marked = msgspec.structs.replace(first, verdict=msgspec.structs.replace(verdict, outcome=Outcome.UNKNOWN))
    assert await judge.judge(marked) == verdict


JUDGE_CONTRACT: tuple[Clause, ...] = (
    signs_its_verdicts,
    knows_nothing_of_a_lost_device,
    survives_an_empty_episode,
    ignores_earlier_verdicts,
)

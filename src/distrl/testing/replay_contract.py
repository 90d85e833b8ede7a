"""What every `Replay` must do, as checks that an implementation's own tests run.

    @pytest.mark.parametrize("check", replay_contract.CHECKS, ids=lambda check: check.__name__)
    def test_contract(check, tmp_path):
        asyncio.run(check(lambda config: my_replay(tmp_path / "replay", config)))

The opener gives an async context manager. Within one check, opening again after closing must find the same
memory; each check needs an opener for a new, empty one. The replay runs in the asynchronous mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager

from distrl.config import ReplayConfig
from distrl.errors import ReplayError
from distrl.interfaces import Outdated, Replay, TaskRecord
from distrl.records import Ending, Outcome
from distrl.testing.trajectories import make_trajectory

Opener = Callable[[ReplayConfig], AbstractAsyncContextManager[Replay]]
Check = Callable[[Opener], Coroutine[None, None, None]]

# Nobody is held back: drawing starts with the first trajectory and the slack is never used up.
FREE = ReplayConfig(alpha=0.5, min_trajectories=1, slack=10**9)


async def starts_empty(open_replay: Opener) -> None:
    """A new replay holds nothing and says so when asked to draw."""
    async with open_replay(FREE) as replay:
        stats = await replay.stats()
        assert (stats.trajectories, stats.collected, stats.trained_steps) == (0, 0, 0)
        sample = await replay.sample(4, version=0)
        assert not sample.drawn
        assert sample.reason
        assert await replay.task_records() == {}


async def gives_back_what_was_stored(open_replay: Opener) -> None:
    """A drawn trajectory equals the stored one, pictures and all."""
    trajectory = make_trajectory("one", steps=4, seed=7)
    async with open_replay(FREE) as replay:
        assert await replay.add(trajectory) is True
        (drawn,) = (await replay.sample(1, version=0)).drawn
        assert drawn.trajectory == trajectory
        assert drawn.probability == 1.0
        assert drawn.weight == 1.0


async def stores_an_id_once(open_replay: Opener) -> None:
    """Adding an id again is answered with False and changes nothing, even after the trajectory has left."""
    async with open_replay(FREE.model_copy(update={"capacity": 2})) as replay:
        for index in range(4):
            assert await replay.add(make_trajectory(f"t{index}"))
        before = await replay.stats()
        for index in range(4):
            assert not await replay.add(make_trajectory(f"t{index}", steps=9))
        assert await replay.stats() == before
        assert before.trajectories == 2
        assert before.collected == 4


async def forgets_the_oldest_first(open_replay: Opener) -> None:
    """Beyond its capacity the replay keeps the newest trajectories."""
    async with open_replay(FREE.model_copy(update={"capacity": 3})) as replay:
        for index in range(10):
            await replay.add(make_trajectory(f"t{index}", seed=index))
        drawn = (await replay.sample(300, version=0)).drawn
        assert {one.trajectory.id for one in drawn} == {"t7", "t8", "t9"}


async def reaches_every_length(open_replay: Opener) -> None:
    """Trajectories of one step are drawn like those of many."""
    async with open_replay(FREE) as replay:
        for steps in range(1, 11):
            await replay.add(make_trajectory(f"t{steps}", steps=steps))
        drawn = (await replay.sample(500, version=0)).drawn
        assert {len(one.trajectory.steps) for one in drawn} == set(range(1, 11))


async def never_draws_the_unusable(open_replay: Opener) -> None:
    """Lost devices, time limits, unknown verdicts and empty episodes are counted but never drawn."""
    async with open_replay(FREE) as replay:
        await replay.add(make_trajectory("lost", ending=Ending.DEVICE_LOST))
        await replay.add(make_trajectory("late", ending=Ending.TIME_LIMIT))
        await replay.add(make_trajectory("unknown", outcome=Outcome.UNKNOWN))
        await replay.add(make_trajectory("empty", steps=0, ending=Ending.DEVICE_LOST))
        assert not (await replay.sample(8, version=0)).drawn
        await replay.add(make_trajectory("good"))
        drawn = (await replay.sample(50, version=0)).drawn
        assert {one.trajectory.id for one in drawn} == {"good"}
        stats = await replay.stats()
        assert (stats.collected, stats.unusable, stats.collected_steps) == (5, 4, 3)


async def leaves_out_the_stale(open_replay: Opener) -> None:
    """The oldest step decides whether a trajectory is within the version gap."""
    async with open_replay(FREE.model_copy(update={"max_version_gap": 2})) as replay:
        await replay.add(make_trajectory("edge", version=(3, 4, 5)))
        await replay.add(make_trajectory("old", version=(2, 5, 5)))
        await replay.add(make_trajectory("ahead", version=9))
        drawn = (await replay.sample(200, version=5)).drawn
        assert {one.trajectory.id for one in drawn} == {"edge", "ahead"}
        stale = await replay.sample(4, version=100)
        assert not stale.drawn
        assert stale.reason


async def follows_priorities(open_replay: Opener) -> None:
    """Chances are p^alpha over their sum, and weights (N·P)^-beta relative to the largest in the batch."""
    async with open_replay(FREE.model_copy(update={"alpha": 0.5, "beta": 1.0})) as replay:
        for name in ("a", "b", "gone"):
            await replay.add(make_trajectory(name))
        await replay.set_priorities({"a": 9.0, "b": 1.0, "gone": 0.0, "never seen": 5.0})
        drawn = {one.trajectory.id: one for one in (await replay.sample(400, version=0)).drawn}
        assert math.isclose(drawn["a"].probability, 0.75, rel_tol=0.01)
        assert math.isclose(drawn["b"].probability, 0.25, rel_tol=0.01)
        assert math.isclose(drawn["a"].weight / drawn["b"].weight, 1 / 3, rel_tol=1e-6)
        assert max(one.weight for one in drawn.values()) == 1.0


async def refuses_impossible_priorities(open_replay: Opener) -> None:
    """A priority that is no finite number is the learner's fault and is told so."""
    async with open_replay(FREE) as replay:
        await replay.add(make_trajectory("a"))
        for bad in (math.nan, math.inf, -1.0):
            try:
                await replay.set_priorities({"a": bad})
            except ReplayError:
                continue
            raise AssertionError(f"the priority {bad} was accepted")
        assert (await replay.sample(1, version=0)).drawn


async def tells_which_priorities_are_old(open_replay: Opener) -> None:
    """Priorities age with published versions, until they are set; what cannot be drawn is left out."""
    async with open_replay(FREE.model_copy(update={"max_version_gap": 20})) as replay:
        assert await replay.outdated(4, version=0, gap=0) == Outdated((), 0, 0.0, 0)
        for name in ("a", "b", "c"):
            await replay.add(make_trajectory(name))
        await replay.add(make_trajectory("lost", ending=Ending.DEVICE_LOST))
        await replay.published(3)
        await replay.set_priorities({"b": 1.0})
        await replay.add(make_trajectory("new", version=3))
        await replay.published(5)
        await replay.set_priorities({"c": 1.0})
        old = await replay.outdated(10, version=5, gap=1)
        assert [one.id for one in old.trajectories] == ["a", "b", "new"]
        assert old.trajectories[0] == make_trajectory("a")
        assert (old.waiting, old.mean_age, old.max_age) == (3, (5 + 2 + 2 + 0) / 4, 5)
        assert [one.id for one in (await replay.outdated(10, version=5, gap=2)).trajectories] == ["a"]
        few = await replay.outdated(1, version=5, gap=1)
        assert ([one.id for one in few.trajectories], few.waiting) == (["a"], 3)
        assert not (await replay.outdated(0, version=5, gap=1)).trajectories
        assert (await replay.stats()).trained_steps == 0
        await replay.set_priorities({"a": 2.0, "b": 2.0, "new": 2.0})
        assert (await replay.outdated(10, version=5, gap=0)).waiting == 0
        # From version 21 on, what version 0 did is not drawn any more.
        assert [one.id for one in (await replay.outdated(10, version=21, gap=0)).trajectories] == ["new"]


async def counts_what_is_handed_out(open_replay: Opener) -> None:
    """A step counts as trained each time a sample contains it."""
    async with open_replay(FREE) as replay:
        await replay.add(make_trajectory("a", steps=3))
        await replay.sample(2, version=0)
        assert (await replay.stats()).trained_steps == 6


async def holds_back_whoever_runs_ahead(open_replay: Opener) -> None:
    """Learner and workers are refused with a reason, and let go once the other has caught up."""
    config = ReplayConfig(min_trajectories=2, ratio=1.0, slack=6)
    async with open_replay(config) as replay:
        assert (await replay.permit("worker-0", 2)).granted == 2
        await replay.add(make_trajectory("a", steps=3))
        assert "waits for workers" in (await replay.sample(1, version=0)).reason
        await replay.add(make_trajectory("b", steps=3))
        held = await replay.permit("worker-0", 5)
        assert held.granted == 0
        assert "workers wait" in held.reason
        for _ in range(4):
            assert (await replay.sample(1, version=0)).drawn
        assert not (await replay.sample(1, version=0)).drawn
        assert (await replay.permit("worker-0", 2)).granted == 2
        await replay.add(make_trajectory("c", steps=3))
        assert (await replay.sample(1, version=0)).drawn


async def remembers_recent_results(open_replay: Opener) -> None:
    """Tasks are recorded by what their usable trajectories achieved."""
    async with open_replay(FREE) as replay:
        await replay.add(make_trajectory("a", task="x", success=True))
        await replay.add(make_trajectory("b", task="x", success=False))
        await replay.add(make_trajectory("c", task="x", ending=Ending.DEVICE_LOST))
        await replay.add(make_trajectory("d", task="y", success=False))
        assert await replay.task_records() == {"x": TaskRecord(2, 1), "y": TaskRecord(1, 0)}


async def continues_after_reopening(open_replay: Opener) -> None:
    """Trajectories, priorities, counters and results outlive the process that kept them."""
    async with open_replay(FREE) as replay:
        for name in ("a", "b"):
            await replay.add(make_trajectory(name))
        await replay.set_priorities({"a": 9.0, "b": 1.0})
        await replay.sample(2, version=0)
        before, records = await replay.stats(), await replay.task_records()
    async with open_replay(FREE) as replay:
        assert await replay.stats() == before
        assert await replay.task_records() == records
        assert not await replay.add(make_trajectory("a"))
        await replay.add(make_trajectory("new"))  # enters with the largest priority, 9
        drawn = {one.trajectory.id: one.probability for one in (await replay.sample(400, version=0)).drawn}
        assert math.isclose(drawn["a"], 3 / 7)
        assert math.isclose(drawn["new"], 3 / 7)


CHECKS: tuple[Check, ...] = (
    starts_empty,
    gives_back_what_was_stored,
    stores_an_id_once,
    forgets_the_oldest_first,
    reaches_every_length,
    never_draws_the_unusable,
    leaves_out_the_stale,
    follows_priorities,
    refuses_impossible_priorities,
    tells_which_priorities_are_old,
    counts_what_is_handed_out,
    holds_back_whoever_runs_ahead,
    remembers_recent_results,
    continues_after_reopening,
)

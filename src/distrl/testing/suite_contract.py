"""What every task with a plan must do, as checks that a test of any suite or task file can run.

    @pytest.mark.parametrize("clause", SUITE_CONTRACT, ids=lambda clause: clause.__name__)
    @pytest.mark.parametrize("task", all_tasks(SUITE), ids=lambda task: task.id)
    def test_contract(clause, task):
        asyncio.run(clause(make_my_device, SUITE, task))

`make` returns a new device that has not been opened. Tasks without a plan or a check pass as they are.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine, Iterable, Sequence

import msgspec

from distrl.agents.expert import Expert
from distrl.interfaces import Device, PlanStep, Suite
from distrl.records import (
    FINAL_KINDS,
    Action,
    ActionKind,
    Decision,
    Ending,
    Outcome,
    Situation,
    Step,
    Task,
    Trajectory,
    Verdict,
)
from distrl.rewards.checks import CheckJudge

Make = Callable[[], Device]
Clause = Callable[[Make, Suite, Task], Coroutine[None, None, None]]

SEEDS = (0, 1)
SIBLINGS = 2  # whose solutions are tried on each task; a clause may be given another number
_DONE = Action(ActionKind.DONE)


def all_tasks(suite: Suite) -> list[Task]:
    """The tasks of all splits."""
    return [task for split in suite.splits() for task in suite.tasks(split)]


async def the_expert_solves_it(make: Make, suite: Suite, task: Task) -> None:
    """The plan, carried out within the step limit, satisfies the check on differently looking devices."""
    plan = suite.plan(task)
    for seed in SEEDS if plan and task.check else ():
        trajectory = await run_plan(make, task, plan or (), seed)
        assert trajectory.success, describe(trajectory)


async def doing_nothing_fails(make: Make, suite: Suite, task: Task) -> None:
    """Saying DONE at once does not satisfy the check."""
    del suite
    if task.check:
        trajectory = await run_actions(make, task, (_DONE,), 0)
        assert trajectory.verdict.outcome is Outcome.FAILURE, describe(trajectory)


async def siblings_solutions_fail(make: Make, suite: Suite, task: Task, most: int = SIBLINGS) -> None:
    """The plans of other tasks of the family, some of them or all, do not satisfy the check."""
    siblings = [
        other
        for other in all_tasks(suite)
        if task.check and other.id != task.id and other.family == task.family and suite.plan(other)
    ]
    for sibling in random.Random(task.id).sample(siblings, min(most, len(siblings))):
        plan = suite.plan(sibling) or ()
        trajectory = await run_plan(make, task, plan, 0)
        actions = [step.decision.action for step in trajectory.steps]
        if trajectory.ending is not Ending.AGENT_DONE:
            trajectory = await run_actions(make, task, (*actions, _DONE), 0)
        assert not trajectory.success, f"solved by the plan of: {sibling.goal}\n{describe(trajectory)}"


async def stopping_early_fails(make: Make, suite: Suite, task: Task) -> None:
    """The expert's run without the last action that changed a probe's answer does not satisfy the check."""
    plan = suite.plan(task)
    if not plan or not task.check or not any(task.probes.values()):
        return
    whole = await run_plan(make, task, plan, 0)
    actions = [step.decision.action for step in whole.steps]
    answers = await answers_along(make, task, actions, 0)
    changes = [index for index in range(len(actions)) if answers[index] != answers[index + 1]]
    assert changes, f"no action changes any probe's answer\n{describe(whole)}"
    trajectory = await run_actions(make, task, (*actions[: changes[-1]], _DONE), 0)
    assert not trajectory.success, f"solved without its last change\n{describe(trajectory)}"


SUITE_CONTRACT: tuple[Clause, ...] = (
    the_expert_solves_it,
    doing_nothing_fails,
    siblings_solutions_fail,
    stopping_early_fails,
)


# --- episodes ---------------------------------------------------------------------------------------


async def run_plan(
    make: Make, task: Task, plan: Sequence[PlanStep], seed: int, noise: float = 0.0
) -> Trajectory:
    """An episode of the scripted expert, judged by the task's check."""
    expert = Expert(plan, seed=seed, noise=noise)
    return await run_decisions(make, task, expert.decide, seed)


async def run_decisions(
    make: Make, task: Task, decide: Callable[[Situation], Decision], seed: int
) -> Trajectory:
    """An episode of whoever decides, judged by the task's check."""
    return await _run(make, task, decide, seed, task.max_steps)


async def run_actions(make: Make, task: Task, actions: Iterable[Action], seed: int) -> Trajectory:
    """An episode of given actions, judged by the task's check."""
    script = list(actions)

    def decide(situation: Situation) -> Decision:
        action = script[len(situation.past)]
        return Decision(action, str(action), (), (), 0, "testing")

    return await _run(make, task, decide, seed, len(script))


async def answers_along(make: Make, task: Task, actions: Sequence[Action], seed: int) -> list[dict[str, str]]:
    """The probes' answers before the first action and after each."""
    device = make()
    await device.open()
    try:
        await device.reset(task, seed)
        answers = [await _answers(device, task)]
        for action in actions:
            await device.act(action)
            answers.append(await _answers(device, task))
    finally:
        await device.close()
    return answers


async def _run(
    make: Make, task: Task, decide: Callable[[Situation], Decision], seed: int, limit: int
) -> Trajectory:
    device = make()
    await device.open()
    try:
        await device.reset(task, seed)
        steps: list[Step] = []
        while len(steps) < limit and not _ended(steps):
            seen = await device.observe()
            decision = decide(Situation(task.goal, tuple(steps), seen, task.max_steps))
            await device.act(decision.action)
            steps.append(Step(seen, decision, 0.0))
        trajectory = Trajectory(
            id=f"{task.id}:{seed}",
            run="testing",
            task=task,
            seed=seed,
            steps=tuple(steps),
            final=await device.observe(),
            ending=Ending.AGENT_DONE if _ended(steps) else Ending.STEP_LIMIT,
            answers=await _answers(device, task),
            verdict=Verdict(Outcome.UNKNOWN, "", "", "not judged yet"),
            worker="testing",
            device=device.id,
            started_at=0.0,
            ended_at=0.0,
        )
    finally:
        await device.close()
    return await _judged(trajectory)


async def _judged(trajectory: Trajectory) -> Trajectory:
    return msgspec.structs.replace(trajectory, verdict=await CheckJudge().judge(trajectory))


def _ended(steps: Sequence[Step]) -> bool:
    return bool(steps) and steps[-1].decision.action.kind in FINAL_KINDS


async def _answers(device: Device, task: Task) -> dict[str, str]:
    return {name: await device.probe(command) for name, command in task.probes.items()}


def describe(trajectory: Trajectory) -> str:
    """An episode in words, for a test that failed."""
    actions = (str(step.decision.action) for step in trajectory.steps)
    return "\n".join([trajectory.task.goal, trajectory.verdict.evidence, *actions])

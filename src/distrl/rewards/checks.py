"""The programmatic judge: compares what the device answered to the task's probes with what the task asks.

A verdict is a function of the trajectory alone, so stored trajectories can be judged again. What the agent
cannot be blamed for (a lost device, a probe that was never answered, a task without a check) is UNKNOWN.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from distrl.config import JudgeConfig
from distrl.errors import ConfigError, JudgeError
from distrl.records import ActionKind, Condition, Ending, Outcome, Task, Trajectory, Verdict

VERSION = "1"

_SHOWN_CHARACTERS = 80  # of an answer, when it is quoted as evidence


def _matches(answer: str, value: str) -> bool:
    try:
        return re.search(value, answer) is not None
    except re.error as error:
        raise JudgeError(f"{value!r} is not a regular expression ({error}): correct the task") from error


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _wanted_number(value: str) -> float:
    number = _number(value)
    if number is None:
        raise JudgeError(f"a check compares with {value!r}, which is not a number: correct the task")
    return number


def _at_least(answer: str, value: str) -> bool:
    wanted, number = _wanted_number(value), _number(answer)
    return number is not None and number >= wanted


def _at_most(answer: str, value: str) -> bool:
    wanted, number = _wanted_number(value), _number(answer)
    return number is not None and number <= wanted


def count_rows(answer: str) -> int:
    """How many rows the answer of `content query` holds; "No result found." holds none."""
    return sum(line.startswith("Row:") for line in answer.splitlines())


_COMPARISONS: dict[str, tuple[str, Callable[[str, str], bool]]] = {
    "equals": ("should be", lambda answer, value: answer == value),
    "differs": ("should not be", lambda answer, value: answer != value),
    "contains": ("should contain", lambda answer, value: value in answer),
    "lacks": ("should not contain", lambda answer, value: value not in answer),
    "matches": ("should match", _matches),
    "rows": (
        "should have this many rows:",
        lambda answer, value: count_rows(answer) == _wanted_number(value),
    ),
    "at_least": ("should be at least", _at_least),
    "at_most": ("should be at most", _at_most),
}


def evaluate(conditions: Sequence[Condition], answers: Mapping[str, str]) -> list[str]:
    """The conditions that do not hold, each in words with the actual answer; JudgeError if it cannot tell.

    Spaces and line ends around an answer do not count.
    """
    missing = sorted({condition.probe for condition in conditions} - answers.keys())
    if missing:
        raise JudgeError(f"the device never answered the probe {', '.join(missing)}")
    failures = []
    for condition in conditions:
        answer, value = answers[condition.probe].strip(), condition.value.strip()
        words, holds = _COMPARISONS[condition.op]
        if not holds(answer, value):
            failures.append(f"{condition.probe} {words} {value!r} but is {_shorten(answer)}")
    return failures


def _shorten(answer: str) -> str:
    if len(answer) > _SHOWN_CHARACTERS:
        return f"{answer[:_SHOWN_CHARACTERS]!r}…"
    return repr(answer)


def collect_answers(trajectory: Trajectory) -> dict[str, str]:
    """The device's answers, and the agent's own for each probe whose command is empty."""
    said = ""
    if trajectory.steps and trajectory.steps[-1].decision.action.kind is ActionKind.ANSWER:
        said = trajectory.steps[-1].decision.action.text or ""
    own = {name: said for name, command in trajectory.task.probes.items() if not command.strip()}
    return {**trajectory.answers, **own}


class CheckJudge:
    """Judges by the task's own check; see the module's docstring."""

    name = "check"
    version = VERSION

    def __init__(self, require_done: bool = True) -> None:
        self._require_done = require_done

    async def judge(self, trajectory: Trajectory) -> Verdict:
        """SUCCESS if every condition holds and, where required, the agent said that it was done."""
        outcome, evidence = self._decide(trajectory)
        return Verdict(outcome=outcome, judge=self.name, judge_version=self.version, evidence=evidence)

    def _decide(self, trajectory: Trajectory) -> tuple[Outcome, str]:
        unknown = _why_unknown(trajectory)
        if unknown:
            return Outcome.UNKNOWN, unknown
        try:
            failures = evaluate(trajectory.task.check, collect_answers(trajectory))
        except JudgeError as error:
            return Outcome.UNKNOWN, str(error)
        if failures:
            return Outcome.FAILURE, "; ".join(failures)
        if self._require_done and not said_done(trajectory):
            return Outcome.FAILURE, "the goal is reached, but the agent did not say that it was done"
        return Outcome.SUCCESS, f"all {len(trajectory.task.check)} conditions hold"


def _why_unknown(trajectory: Trajectory) -> str:
    """Why the agent cannot be judged at all, or an empty text."""
    if trajectory.ending is Ending.DEVICE_LOST:
        return "the device was lost during the episode"
    if trajectory.ending is Ending.TIME_LIMIT:
        return "the episode was cut off by the time limit"
    if not trajectory.task.check:
        return "the task has no check: only a model judge can tell"
    return ""


def said_done(trajectory: Trajectory) -> bool:
    """Whether the agent ended the episode itself, by DONE or an ANSWER."""
    if trajectory.ending is not Ending.AGENT_DONE or not trajectory.steps:
        return False
    return trajectory.steps[-1].decision.action.kind in (ActionKind.DONE, ActionKind.ANSWER)


def require_checks(tasks: Sequence[Task], suite: str) -> None:
    """Raise a ConfigError if this judge could tell of no task at all whether it was done."""
    if tasks and not any(task.check for task in tasks):
        raise ConfigError(
            f"the tasks of {suite!r} have no checks, so only a model judge can tell whether they were done; "
            "add --set judge.kind=model --set judge.url=http://HOST:PORT/v1 --set judge.model=NAME "
            "(docs/judges.md)",
            "judge.kind",
        )


def build(config: JudgeConfig | None = None, *, require_done: bool = True) -> CheckJudge:
    """The judge called `check`; nothing of the configuration concerns it."""
    del config
    return CheckJudge(require_done)

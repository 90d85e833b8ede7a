"""The vocabulary of distrl: what a task, a step, a trajectory and a verdict are.

Every record is frozen, validated on construction, and travels as msgpack or JSON inside an envelope
``[schema, type, body]``; nothing is ever pickled.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

import msgspec

from distrl.errors import RecordError

SCHEMA = 1


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen value that crosses modules, processes and disks."""


# --- what a device shows -----------------------------------------------------------------------


class Screenshot(Record, frozen=True):
    """One picture of the screen, encoded; see `distrl.imaging` for the encodings."""

    data: bytes
    encoding: str  # "rgb-zstd", "jpeg" or "png"
    width: int
    height: int


class UiNode(Record, frozen=True, array_like=True, gc=False):
    """One element of the accessibility tree, as Android describes it; bounds in screen pixels."""

    class_name: str
    text: str
    description: str
    resource_id: str
    package: str
    bounds: tuple[int, int, int, int]  # left, top, right, bottom
    parent: int = -1  # index into the tree's tuple, -1 for the root
    clickable: bool = False
    long_clickable: bool = False
    scrollable: bool = False
    editable: bool = False
    focused: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    enabled: bool = True
    password: bool = False

    @property
    def label(self) -> str:
        """What a person would call this element."""
        return self.text or self.description


class Observation(Record, frozen=True, weakref=True):
    """What the agent sees at one moment: the picture, the accessibility tree, and the app in front."""

    screenshot: Screenshot
    width: int  # of the screen in pixels; the picture may be smaller
    height: int
    ui: tuple[UiNode, ...] | None
    app: str
    captured_at: float  # seconds since the epoch


# --- what an agent does -------------------------------------------------------------------------


class ActionKind(StrEnum):
    """The things an agent can do."""

    TAP = "tap"
    LONG_PRESS = "long_press"
    SWIPE = "swipe"
    TYPE = "type"
    BACK = "back"
    HOME = "home"
    ENTER = "enter"
    OPEN_APP = "open_app"
    WAIT = "wait"
    DONE = "done"
    IMPOSSIBLE = "impossible"
    ANSWER = "answer"
    INVALID = "invalid"  # what the model said means nothing; kept, never executed


_WITH_POINT = {ActionKind.TAP, ActionKind.LONG_PRESS, ActionKind.SWIPE}
_WITH_TEXT = {ActionKind.TYPE, ActionKind.OPEN_APP, ActionKind.ANSWER}
FINAL_KINDS = frozenset({ActionKind.DONE, ActionKind.IMPOSSIBLE, ActionKind.ANSWER})


class Point(Record, frozen=True, array_like=True, gc=False):
    """A place on the screen; both coordinates from 0 (left, top) to 1 (right, bottom)."""

    x: float
    y: float

    def __post_init__(self) -> None:
        if not (0.0 <= self.x <= 1.0 and 0.0 <= self.y <= 1.0):
            raise ValueError(f"point ({self.x:g}, {self.y:g}) lies outside the screen")


class Action(Record, frozen=True):
    """One thing done to the device; combinations that make no sense cannot be built."""

    kind: ActionKind
    point: Point | None = None
    to: Point | None = None  # where a swipe ends
    text: str | None = None  # typed text, app name, answer; for INVALID, what the model said

    def __post_init__(self) -> None:
        if (self.point is not None) != (self.kind in _WITH_POINT):
            raise ValueError(f"{self.kind} {'needs a' if self.kind in _WITH_POINT else 'takes no'} point")
        if (self.to is not None) != (self.kind is ActionKind.SWIPE):
            raise ValueError("only a swipe has, and needs, an end point")
        if self.kind in _WITH_TEXT and not self.text:
            raise ValueError(f"{self.kind} needs a text")
        if self.text is not None and self.kind not in _WITH_TEXT and self.kind is not ActionKind.INVALID:
            raise ValueError(f"{self.kind} takes no text")

    def __str__(self) -> str:
        parts = [str(self.kind)]
        if self.point is not None:
            parts.append(f"({self.point.x:.3f}, {self.point.y:.3f})")
        if self.to is not None:
            parts.append(f"-> ({self.to.x:.3f}, {self.to.y:.3f})")
        if self.text is not None:
            parts.append(repr(self.text))
        return " ".join(parts)


class Decision(Record, frozen=True, omit_defaults=True):
    """An action together with how the policy came to it."""

    action: Action
    output: str  # what the model said, in its language
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]  # of each token, under the very distribution it was sampled from
    version: int  # number of the policy version that decided
    language: str
    slip: bool = False  # in a demonstration: not what was meant, so nothing to imitate
    meant: Action | None = None  # what should have been done in place of a slip, if that is known

    def __post_init__(self) -> None:
        if len(self.tokens) != len(self.logprobs):
            raise ValueError(f"{len(self.tokens)} tokens but {len(self.logprobs)} log-probabilities")

    @property
    def logprob(self) -> float:
        """log μ(a|s) of the whole action."""
        return sum(self.logprobs)


class Step(Record, frozen=True, weakref=True):
    """One look at the device, one decision, and how long carrying it out took."""

    observation: Observation
    decision: Decision
    seconds: float
    fault: str | None = None  # trouble the device had during the step, survived


class Situation(Record, frozen=True):
    """All that a policy may look at when it decides: the goal, the past, and the screen."""

    goal: str
    past: tuple[Step, ...]
    observation: Observation
    max_steps: int

    @property
    def steps_left(self) -> int:
        """How many decisions remain, this one included."""
        return self.max_steps - len(self.past)


# --- tasks and verdicts -------------------------------------------------------------------------


class Condition(Record, frozen=True):
    """One requirement on a probe's answer, for instance: "airplane" equals "1"."""

    probe: str
    op: str  # one of CONDITION_OPS
    value: str

    def __post_init__(self) -> None:
        if self.op not in CONDITION_OPS:
            raise ValueError(f"unknown comparison {self.op!r}; known: {', '.join(CONDITION_OPS)}")


CONDITION_OPS = ("equals", "differs", "contains", "lacks", "matches", "rows", "at_least", "at_most")


DRAWN_ANEW = "#"  # in a task's id: what follows is the seed by which it was drawn in another one's place


class Task(Record, frozen=True):
    """Something to do on a device, how to prepare it, and how to find out whether it was done."""

    id: str
    goal: str
    suite: str
    split: str
    max_steps: int
    family: str = ""  # tasks of one template
    level: int = 1  # 1 easy to 3 hard
    setup: tuple[str, ...] = ()  # shell commands run on the clean device before the episode
    probes: dict[str, str] = {}  # name → shell command, asked after the episode
    check: tuple[Condition, ...] = ()  # all must hold; empty: only a model judge can tell

    @property
    def origin(self) -> str:
        """The id of the training task in whose place this one was drawn, or its own."""
        return self.id.partition(DRAWN_ANEW)[0]

    def __post_init__(self) -> None:
        if not self.goal.strip():
            raise ValueError(f"task {self.id} has an empty goal")
        if self.max_steps < 1:
            raise ValueError(f"task {self.id} allows {self.max_steps} steps")
        missing = {condition.probe for condition in self.check} - self.probes.keys()
        if missing:
            raise ValueError(f"task {self.id} checks probes it does not ask: {', '.join(sorted(missing))}")


class Outcome(StrEnum):
    """What a judge says of a trajectory."""

    SUCCESS = "success"
    FAILURE = "failure"
    UNKNOWN = "unknown"


class Verdict(Record, frozen=True):
    """A judge's opinion of a trajectory; a function of the trajectory alone."""

    outcome: Outcome
    judge: str
    judge_version: str
    evidence: str


class Ending(StrEnum):
    """Why an episode ended."""

    AGENT_DONE = "agent_done"
    STEP_LIMIT = "step_limit"
    TIME_LIMIT = "time_limit"
    DEVICE_LOST = "device_lost"


class Trajectory(Record, frozen=True):
    """One episode, whole: what was asked, seen and done, how it ended and what a judge says of it."""

    id: str
    run: str
    task: Task
    seed: int
    steps: tuple[Step, ...]
    final: Observation | None
    ending: Ending
    answers: dict[str, str]  # probe name → the device's answer
    verdict: Verdict
    worker: str
    device: str
    started_at: float
    ended_at: float

    @property
    def trainable(self) -> bool:
        """Whether the agent, and not a device or a judge, is responsible for the outcome."""
        return (
            bool(self.steps)
            and self.ending in (Ending.AGENT_DONE, Ending.STEP_LIMIT)
            and self.verdict.outcome is not Outcome.UNKNOWN
        )

    @property
    def success(self) -> bool:
        """Whether the judge said SUCCESS."""
        return self.verdict.outcome is Outcome.SUCCESS

    def situations(self) -> list[Situation]:
        """What the policy saw before each of its decisions."""
        return [
            Situation(
                goal=self.task.goal,
                past=self.steps[:index],
                observation=step.observation,
                max_steps=self.task.max_steps,
            )
            for index, step in enumerate(self.steps)
        ]


class PolicyVersion(Record, frozen=True):
    """The name of one immutable set of weights."""

    run: str
    number: int
    learner_step: int
    digest: str  # of the weights' bytes


# --- to bytes and back --------------------------------------------------------------------------

R = TypeVar("R")

_msgpack = msgspec.msgpack.Encoder()
_json = msgspec.json.Encoder(order="deterministic")
_decoders: dict[tuple[str, type], Any] = {}


def encode(record: Record) -> bytes:
    """A record as msgpack, in its envelope."""
    return _msgpack.encode((SCHEMA, type(record).__name__, record))


def encode_json(record: Record) -> bytes:
    """A record as JSON, in its envelope; bytes become base64."""
    return _json.encode((SCHEMA, type(record).__name__, record))


def decode(data: bytes, kind: type[R]) -> R:
    """A record from `encode`'s bytes; damaged or foreign input raises one RecordError."""
    return _open("msgpack", data, kind)


def decode_json(data: bytes | str, kind: type[R]) -> R:
    """A record from `encode_json`'s text; damaged or foreign input raises one RecordError."""
    return _open("json", data.encode() if isinstance(data, str) else data, kind)


def _open(form: str, data: bytes, kind: type[R]) -> R:
    module = msgspec.msgpack if form == "msgpack" else msgspec.json
    key = (form, kind)
    if key not in _decoders:
        _decoders[key] = module.Decoder(tuple[int, str, kind])  # type: ignore[valid-type]
    try:
        schema, name, record = _decoders[key].decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(_explain(module, data, kind, error)) from error
    if schema != SCHEMA or name != kind.__name__:
        raise RecordError(_explain(module, data, kind, ValueError("wrong envelope")))
    return record  # type: ignore[no-any-return]


def _explain(module: Any, data: bytes, kind: type, error: Exception) -> str:
    """Say whether the envelope is another schema's or type's, or the content is damaged."""
    try:
        envelope = module.decode(data)
        schema, name, _ = envelope
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError, ValueError):
        return f"not a {kind.__name__} record: the data is damaged ({error})"
    if schema != SCHEMA:
        return f"the record has schema {schema}; this distrl reads schema {SCHEMA}"
    if name != kind.__name__:
        return f"this is a {name}, where a {kind.__name__} was expected"
    return f"the {kind.__name__} record is damaged: {error}"

"""What the parts of distrl ask of each other; implementations are found by name (see `distrl.plugins`).

Parts that may live in another process have async methods whose arguments and results are records or plain
data, so that the same object serves inline, over a socket or in a cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from distrl.records import (
    Action,
    Decision,
    Observation,
    PolicyVersion,
    Record,
    Situation,
    Task,
    Trajectory,
    Verdict,
)

if TYPE_CHECKING:
    import numpy as np
    import torch

# --- tasks, devices, judges ---------------------------------------------------------------------


@runtime_checkable
class Suite(Protocol):
    """A named, versioned set of tasks with disjoint splits."""

    name: str
    version: str

    def splits(self) -> tuple[str, ...]:
        """The names of its splits; `train` is among them."""

    def tasks(self, split: str) -> Sequence[Task]:
        """The tasks of a split, always in the same order; raises TaskError on an unknown split."""

    def digest(self) -> str:
        """A fingerprint of every task of every split; changes when anything in the suite does."""

    def plan(self, task: Task) -> Sequence[PlanStep] | None:
        """How an expert solves the task, if the suite knows; never shown to an agent."""


@runtime_checkable
class VaryingSuite(Suite, Protocol):
    """A suite that has more training tasks than it lists."""

    def vary(self, task: Task, seed: int) -> Task:
        """A task of the same family in the place of a training task, decided by the seed; or that one.

        It is as unlike the tasks of other splits as the training task is. If it is another one, so is its id,
        and its `origin` is the training task. `plan` knows it too, if it knows the training task's.
        """


class PlanStep(Record, frozen=True):
    """One instruction of an expert's plan, in terms of what is on the screen (see `agents.expert`)."""

    do: str  # open_app, tap, long_press, set, type, scroll_to, back, home, enter, answer, wait
    target: str = ""  # the label to look for: text or description, exact unless it starts with "~"
    value: str = ""  # text to type, "on"/"off" for set
    within: str = ""  # only inside the element with this label, or the row that holds it


@runtime_checkable
class Device(Protocol):
    """Something with a screen that can be observed, touched and asked.

    Every method may raise DeviceError; none waits without a deadline of its own.
    """

    id: str

    async def open(self) -> None:
        """Connect or boot; afterwards `reset` may be called."""

    async def reset(self, task: Task, seed: int) -> None:
        """Bring the device to its clean state, vary it by `seed`, then run the task's set-up."""

    async def observe(self) -> Observation:
        """The screen as it is now, once it has settled."""

    async def act(self, action: Action) -> None:
        """Carry out an action; DONE, IMPOSSIBLE, ANSWER and INVALID change nothing."""

    async def probe(self, command: str) -> str:
        """The device's answer to a shell command."""

    async def close(self) -> None:
        """Let the device go; safe to call twice."""


# The rungs of the repair ladder, mildest first; after the last one a device is replaced or set aside.
REMEDIES = ("reconnect", "restart_app", "restore_snapshot", "reboot", "replace")


@runtime_checkable
class Repairable(Protocol):
    """A device that knows more remedies than being closed and opened again; optional beside Device."""

    def remedies(self) -> tuple[str, ...]:
        """Those of REMEDIES that this device knows, in that order."""

    async def repair(self, remedy: str) -> None:
        """Apply one remedy; afterwards `reset` may be called. Raises DeviceError when it does not help."""


@runtime_checkable
class Judge(Protocol):
    """Reaches a verdict from a trajectory alone."""

    name: str
    version: str

    async def judge(self, trajectory: Trajectory) -> Verdict:
        """SUCCESS, FAILURE, or UNKNOWN when it cannot tell; a judge's own trouble is UNKNOWN too."""


# --- policies -----------------------------------------------------------------------------------

UNPUBLISHED = -1  # the version of weights that nobody has published: those that a policy is built with


@runtime_checkable
class Policy(Protocol):
    """Decides what to do, for many devices at once."""

    language: str

    @property
    def version(self) -> int:
        """The number of the weights in use; UNPUBLISHED until `load` was called."""

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:
        """One decision for each situation, sampled from the policy's distribution or its mode."""

    def load(self, weights: bytes, version: int) -> None:
        """Use these weights from the next decision on."""


@runtime_checkable
class PolicyClient(Protocol):
    """Where an episode gets its decisions: from a policy in this process or from a service elsewhere."""

    async def decide(self, situation: Situation) -> Decision:
        """The decision for one situation, made together with whatever else is waiting."""


class PolicyOutput(Protocol):
    """What the learner needs of a batch of stored steps; all differentiable, all [N]."""

    logprob: torch.Tensor  # log π(a|s) of the stored action
    entropy: torch.Tensor  # of the policy's own distribution at s
    value: torch.Tensor  # [N, 2] logits of the step critic's two heads
    prior: torch.Tensor  # [N] logits of the trajectory critic (meaningful at first steps)


@runtime_checkable
class TrainablePolicy(Policy, Protocol):
    """A policy whose decisions can be differentiated.

    Features are plain arrays that a learner may keep, so that a screenshot is decoded once however often a
    step is trained on.
    """

    module: torch.nn.Module

    def featurize(self, trajectory: Trajectory) -> StepFeatures:
        """The stored steps as arrays, each with T rows."""

    def forward(self, features: Sequence[StepFeatures]) -> PolicyOutput:
        """Evaluate the stored actions of several trajectories, concatenated in order."""

    def export(self) -> bytes:
        """The weights as safetensors bytes, to be published."""


StepFeatures = dict[str, "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"]


# --- replay and weights -------------------------------------------------------------------------


class Permit(Record, frozen=True):
    """An answer to a worker that wants to start episodes."""

    granted: int
    reason: str = ""  # who is waited for when fewer were granted than asked


class Drawn(Record, frozen=True):
    """One trajectory of a sample, with the chance it had to be drawn."""

    trajectory: Trajectory
    probability: float
    weight: float  # importance weight, at most 1 in a batch


class Sample(Record, frozen=True):
    """Trajectories to learn from, or the reason why there are none yet."""

    drawn: tuple[Drawn, ...]
    reason: str = ""


class Outdated(Record, frozen=True):
    """Trajectories whose priorities were set longest ago, and how old all priorities are."""

    trajectories: tuple[Trajectory, ...]  # the oldest first
    waiting: int  # priorities that are too old, those of `trajectories` included
    mean_age: float  # in versions, over all that can be drawn
    max_age: int


class TaskRecord(Record, frozen=True):
    """How often a task was tried and solved lately."""

    tried: int
    solved: int


class ReplayStats(Record, frozen=True):
    """The state of the replay in numbers."""

    trajectories: int  # held now
    steps: int
    bytes: int
    collected: int  # trajectories ever accepted
    collected_steps: int
    trained_steps: int
    success: int  # of the trajectories held
    unusable: int  # accepted, but never trained on: device lost, time limit, unknown verdict
    oldest_version: int
    newest_version: int
    worker_wait_s: float  # time that workers were held back, summed
    learner_wait_s: float


@runtime_checkable
class Replay(Protocol):
    """Durable memory of trajectories: what `add` has returned for is never lost."""

    async def add(self, trajectory: Trajectory) -> bool:
        """Store durably; True if it is new, False if this id was stored before."""

    async def permit(self, worker: str, wanted: int) -> Permit:
        """How many episodes a worker may start now; episodes granted count as under way."""

    async def sample(self, trajectories: int, version: int) -> Sample:
        """Draw by priority among what is fresh enough for a learner at `version`."""

    async def set_priorities(self, priorities: dict[str, float]) -> None:
        """New priorities by trajectory id; ids no longer held are ignored."""

    async def outdated(self, trajectories: int, version: int, gap: int) -> Outdated:
        """What can be drawn at `version`, but has a priority set more than `gap` versions before it.

        At most `trajectories` of them, which do not count as trained. A new trajectory's priority counts as
        set when it arrived. The version at which something is set is the newest one published.
        """

    async def published(self, version: int) -> None:
        """Tell that the learner has published a version (rounds and version gaps follow it)."""

    async def task_records(self) -> dict[str, TaskRecord]:
        """Recent record of every task tried, for a curriculum."""

    async def stats(self) -> ReplayStats:
        """Where the replay stands."""


@runtime_checkable
class WeightStore(Protocol):
    """Immutable, numbered weights."""

    async def publish(self, weights: bytes, learner_step: int) -> PolicyVersion:
        """Store under the next number."""

    async def latest(self) -> PolicyVersion | None:
        """The newest version, if any."""

    async def load(self, number: int) -> bytes:
        """The weights of a version, checked against its digest."""


# --- learning -----------------------------------------------------------------------------------


class Update(Record, frozen=True):
    """What one learner update did."""

    metrics: dict[str, float]
    priorities: dict[str, float]  # by trajectory id


class Learnable(Record, frozen=True):
    """One drawn trajectory as an algorithm gets it: numbers only."""

    id: str
    task: str
    success: bool
    behaviour_logprob: tuple[float, ...]  # log μ of each step
    versions: tuple[int, ...]  # that decided each step
    invalid: tuple[bool, ...]
    repeated: tuple[bool, ...]  # same action on an unchanged screen
    weight: float
    said_done: bool = False  # the agent ended the episode itself, by DONE or an ANSWER
    tokens: tuple[int, ...] = ()  # how many tokens each step's decision has; unknown when empty


@runtime_checkable
class Algorithm(Protocol):
    """Turns drawn trajectories into a better policy."""

    def update(self, batch: Sequence[Learnable], features: Sequence[StepFeatures], version: int) -> Update:
        """Change the policy and the critics once; report metrics and new priorities."""

    def state_dict(self) -> dict[str, object]:
        """Optimisers and whatever else a resumed run needs; loadable with weights_only."""

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Continue from `state_dict`."""


# --- running ------------------------------------------------------------------------------------


class Part(Protocol):
    """A piece of a run with a life of its own: replay, learner, worker, evaluator."""

    async def run(self) -> None:
        """Work until done or cancelled; raising means failure, and the engine may start it anew."""


class PartSpec(Record, frozen=True):
    """How to build a part where it will live."""

    name: str  # unique in the run: "worker-0"
    kind: str  # "replay", "learner", "worker", "evaluator"
    index: int = 0
    restarts: int = 0  # how often the engine may start it anew after a crash


class PartStatus(Record, frozen=True):
    """How a part is doing, as its engine sees it."""

    name: str
    state: str  # "starting", "running", "finished", "failed"
    restarts: int = 0
    pid: int = 0
    error: str = ""


@runtime_checkable
class Engine(Protocol):
    """Runs parts somewhere and lets them reach each other's services."""

    def start(self, specs: Sequence[PartSpec]) -> None:
        """Start the parts, services first; returns once all are under way."""

    def poll(self) -> list[PartStatus]:
        """How every part is doing; also revives what may be revived. Called a few times a second."""

    def stop(self, timeout_s: float = 10.0) -> None:
        """Ask every part to end, then make it; safe to call twice."""

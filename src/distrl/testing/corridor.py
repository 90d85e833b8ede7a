"""A corridor to walk down: the smallest task on which every algorithm has to learn, within seconds.

The agent stands in cell 0 and succeeds by walking to the last cell and saying DONE there; DONE anywhere else,
or no DONE within the step limit, fails. One of its actions is nonsense. Success is computed, not sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from safetensors.torch import load as load_safetensors
from safetensors.torch import save as save_safetensors
from torch import Tensor, nn

from distrl.interfaces import StepFeatures
from distrl.records import (
    Action,
    ActionKind,
    Decision,
    Ending,
    Observation,
    Outcome,
    Situation,
    Step,
    Task,
    Trajectory,
    Verdict,
)
from distrl.testing.trajectories import make_screenshot

CELLS = 4
MAX_STEPS = 8
ACTIONS = (
    Action(ActionKind.ENTER),  # a cell forward
    Action(ActionKind.BACK),  # a cell back
    Action(ActionKind.DONE),
    Action(ActionKind.INVALID, text="nonsense"),
)
FORWARD, BACK, DONE, NONSENSE = range(4)
TASK = Task(id="corridor", goal="Walk to the end", suite="testing", split="train", max_steps=MAX_STEPS)
CLUMSY = np.array([0.4, 0.2, 0.2, 0.2])  # a behaviour policy that succeeds in one episode of twelve
_SCREENS = [make_screenshot(cell) for cell in range(CELLS)]


@dataclass
class CorridorOutput:
    """What the learner needs; see `interfaces.PolicyOutput`."""

    logprob: Tensor  # [N]
    entropy: Tensor  # [N]
    value: Tensor  # [N, 2]
    prior: Tensor  # [N]


class CorridorModule(nn.Module):
    """A two-layer actor and linear critics on top of it."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Linear(CELLS, 16)
        self.head = nn.Linear(16, len(ACTIONS))
        self.step_critic = nn.Linear(16 + CELLS + MAX_STEPS, 2)
        self.trajectory_critic = nn.Linear(16, 1)

    def actor_parameters(self) -> list[nn.Parameter]:
        """What acts."""
        return [*self.trunk.parameters(), *self.head.parameters()]

    def critic_parameters(self) -> list[nn.Parameter]:
        """What only judges."""
        return [*self.step_critic.parameters(), *self.trajectory_critic.parameters()]

    def forward(self, cells: Tensor, steps: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Log-probabilities [N, A], both step critics [N, 2], the trajectory critic [N]."""
        place = nn.functional.one_hot(cells, CELLS).float()
        when = nn.functional.one_hot(steps, MAX_STEPS).float()
        hidden = torch.tanh(self.trunk(place))
        judged = hidden.detach()
        value: Tensor = self.step_critic(torch.cat([judged, place, when], dim=1))
        prior: Tensor = self.trajectory_critic(judged)[:, 0]
        return torch.log_softmax(self.head(hidden), dim=1), value, prior


class CorridorPolicy:
    """A trainable policy for the corridor."""

    language = "corridor"

    def __init__(self, seed: int = 0) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.module: nn.Module = CorridorModule()
        self.version = 0
        self._rng = np.random.default_rng(seed)

    @torch.no_grad()
    def probabilities(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """π(a|cell) of every cell, [CELLS, A]."""
        logs, _, _ = self.module(torch.arange(CELLS), torch.zeros(CELLS, dtype=torch.long))
        chances = logs.exp().double().numpy()
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def decide(self, situations: Sequence[Situation], *, greedy: bool = False) -> list[Decision]:
        """Look at the cell and nothing else."""
        rows = self.probabilities()[[_cell(situation.observation) for situation in situations]]
        choices = [
            int(row.argmax()) if greedy else int(self._rng.choice(len(ACTIONS), p=row)) for row in rows
        ]
        return [
            _decision(choice, float(np.log(row[choice])), self.version)
            for choice, row in zip(choices, rows, strict=True)
        ]

    def featurize(self, trajectory: Trajectory) -> StepFeatures:
        """Cell, step and action of every step."""
        return {
            "cell": np.array([_cell(step.observation) for step in trajectory.steps]),
            "step": np.arange(len(trajectory.steps)),
            "action": np.array([(step.decision.tokens or (0,))[0] for step in trajectory.steps]),
        }

    def forward(self, features: Sequence[StepFeatures]) -> CorridorOutput:
        """Evaluate stored actions."""
        column = {
            name: torch.from_numpy(np.concatenate([entry[name] for entry in features]).astype(np.int64))
            for name in ("cell", "step", "action")
        }
        logs, value, prior = self.module(column["cell"], column["step"])
        chosen = logs.gather(1, column["action"][:, None])[:, 0]
        return CorridorOutput(chosen, -(logs.exp() * logs).sum(dim=1), value, prior)

    def export(self) -> bytes:
        """The weights."""
        return save_safetensors({name: value.clone() for name, value in self.module.state_dict().items()})

    def load(self, weights: bytes, version: int) -> None:
        """Use other weights."""
        self.module.load_state_dict(load_safetensors(weights))
        self.version = version


def success_probability(policy: CorridorPolicy) -> float:
    """The exact chance that an episode of the policy succeeds."""
    chances = policy.probabilities()
    here = np.zeros(CELLS)
    here[0] = 1.0
    success = 0.0
    for _ in range(MAX_STEPS):
        success += here[-1] * chances[-1, DONE]
        after = here * chances[:, NONSENSE]
        for cell in range(CELLS):
            after[min(cell + 1, CELLS - 1)] += here[cell] * chances[cell, FORWARD]
            after[max(cell - 1, 0)] += here[cell] * chances[cell, BACK]
        here = after
    return float(success)


def walk(count: int, seed: int, chances: Sequence[float] | None = None) -> list[Trajectory]:
    """Episodes of a policy that chooses alike in every cell, CLUMSY unless told otherwise."""
    rng = np.random.default_rng(seed)
    row = CLUMSY if chances is None else np.asarray(chances)
    return [_episode(f"walk-{seed}-{index}", rng, row) for index in range(count)]


def _episode(
    id: str, rng: np.random.Generator, chances: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> Trajectory:
    cell, steps, ending, outcome = 0, [], Ending.STEP_LIMIT, Outcome.FAILURE
    for _ in range(MAX_STEPS):
        choice = int(rng.choice(len(ACTIONS), p=chances))
        steps.append(Step(_observe(cell), _decision(choice, float(np.log(chances[choice])), 0), 0.0))
        if choice == DONE:
            ending = Ending.AGENT_DONE
            outcome = Outcome.SUCCESS if cell == CELLS - 1 else Outcome.FAILURE
            break
        cell = min(max(cell + {FORWARD: 1, BACK: -1}.get(choice, 0), 0), CELLS - 1)
    return Trajectory(
        id=id,
        run="testing",
        task=TASK,
        seed=0,
        steps=tuple(steps),
        final=_observe(cell),
        ending=ending,
        answers={},
        verdict=Verdict(outcome, "testing", "1", ""),
        worker="worker-0",
        device="device-0",
        started_at=0.0,
        ended_at=0.0,
    )


def _observe(cell: int) -> Observation:
    return Observation(_SCREENS[cell], 8, 8, None, f"cell-{cell}", 0.0)


def _cell(observation: Observation) -> int:
    return int(observation.app.removeprefix("cell-"))


def _decision(choice: int, logprob: float, version: int) -> Decision:
    return Decision(ACTIONS[choice], str(ACTIONS[choice]), (choice,), (logprob,), version, "corridor")

"""What reaches a batch, what does not, and how steps become tensors."""

from __future__ import annotations

import math

import msgspec
import pytest
import torch

from distrl.interfaces import Drawn
from distrl.learn.batches import (
    Batcher,
    describe,
    first_rows,
    invalid_steps,
    learnable,
    log_ratios,
    pad,
    padding_mask,
    repeated_steps,
    tabulate,
    trajectory_means,
    unpad,
)
from distrl.records import Action, ActionKind, Ending, Outcome, Point, Trajectory, UiNode
from distrl.testing.corridor import CorridorPolicy, walk
from distrl.testing.trajectories import make_trajectory


def draw(trajectory: Trajectory, weight: float = 1.0) -> Drawn:
    return Drawn(trajectory=trajectory, probability=0.1, weight=weight)


def acting(trajectory: Trajectory, actions: list[Action], same_screen: bool = False) -> Trajectory:
    """The trajectory with other actions, and if asked with one unchanging screen."""
    first = trajectory.steps[0].observation
    steps = tuple(
        msgspec.structs.replace(
            step,
            decision=msgspec.structs.replace(step.decision, action=action),
            observation=first if same_screen else step.observation,
        )
        for step, action in zip(trajectory.steps, actions, strict=True)
    )
    final = first if same_screen else trajectory.final
    return msgspec.structs.replace(trajectory, steps=steps, final=final)


def tap(x: float, y: float) -> Action:
    return Action(ActionKind.TAP, point=Point(x, y))


# --- only what the agent is responsible for -----------------------------------------------------


def test_device_trouble_and_unknown_verdicts_never_reach_a_batch() -> None:
    good = walk(2, seed=0)
    lost = msgspec.structs.replace(good[0], id="lost", ending=Ending.DEVICE_LOST)
    late = msgspec.structs.replace(good[0], id="late", ending=Ending.TIME_LIMIT)
    unknown = msgspec.structs.replace(
        good[0], id="unknown", verdict=msgspec.structs.replace(good[0].verdict, outcome=Outcome.UNKNOWN)
    )
    empty = msgspec.structs.replace(good[0], id="empty", steps=())
    batcher = Batcher(CorridorPolicy())
    batch = batcher.prepare([draw(entry) for entry in (lost, good[0], late, unknown, good[1], empty)])
    assert [entry.id for entry in batch.learnables] == [good[0].id, good[1].id]
    assert len(batch.features) == 2
    assert batch.dropped == batcher.dropped == 4


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_every_step_is_learnt_from_whatever_the_length(steps: int) -> None:
    entry = learnable(make_trajectory("a", steps=steps, version=list(range(steps))), weight=0.5)
    assert entry.versions == tuple(range(steps))
    assert entry.behaviour_logprob == pytest.approx((-0.75,) * steps)
    assert entry.weight == 0.5
    assert len(entry.invalid) == len(entry.repeated) == steps


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (Action(ActionKind.DONE), True),
        (Action(ActionKind.ANSWER, text="42"), True),
        (Action(ActionKind.IMPOSSIBLE), False),
        (Action(ActionKind.BACK), False),
    ],
    ids=str,
)
def test_saying_done_is_told_from_giving_up_and_from_the_step_limit(last: Action, said: bool) -> None:
    trajectory = acting(make_trajectory("a", steps=2), [Action(ActionKind.DONE), last])
    assert learnable(trajectory, weight=1.0).said_done is said


def test_the_done_rate_counts_episodes_not_steps() -> None:
    done = acting(make_trajectory("a", steps=3), [Action(ActionKind.BACK)] * 2 + [Action(ActionKind.DONE)])
    limit = acting(make_trajectory("b", steps=1), [Action(ActionKind.BACK)])
    batch = [learnable(entry, weight=1.0) for entry in (done, limit, limit, limit)]
    assert describe(batch, version=0)["done_rate"] == 0.25


# --- invalid and repeated -----------------------------------------------------------------------


def test_nonsense_and_blank_text_are_invalid() -> None:
    trajectory = acting(
        make_trajectory("a", steps=4),
        [
            Action(ActionKind.INVALID, text="Invalid"),
            Action(ActionKind.TYPE, text="  "),
            Action(ActionKind.TYPE, text="hello"),
            Action(ActionKind.DONE),
        ],
    )
    assert invalid_steps(trajectory) == (True, True, False, False)


def test_an_action_is_rejected_where_nothing_receives_it_and_nothing_happens() -> None:
    actions = [tap(0.5, 0.9), tap(0.5, 0.25), Action(ActionKind.TYPE, text="hello"), Action(ActionKind.DONE)]
    trajectory = make_trajectory("a", steps=4)
    # The lower half of the screen holds no element that reacts; no field has the focus.
    assert invalid_steps(acting(trajectory, actions, same_screen=True)) == (True, False, True, False)
    # The same actions on screens that change: something happened, so they were not rejected.
    assert invalid_steps(acting(trajectory, actions)) == (False, False, False, False)


def test_typing_into_a_focused_field_is_valid() -> None:
    trajectory = acting(
        make_trajectory("a", steps=1), [Action(ActionKind.TYPE, text="hello")], same_screen=True
    )
    step = trajectory.steps[0]
    field = UiNode("android.widget.EditText", "", "", "", "", (0, 0, 8, 8), editable=True, focused=True)
    seen = msgspec.structs.replace(step.observation, ui=(field,))
    trajectory = msgspec.structs.replace(
        trajectory, steps=(msgspec.structs.replace(step, observation=seen),), final=seen
    )
    assert invalid_steps(trajectory) == (False,)


def test_a_repeat_needs_the_same_target_and_an_unchanged_screen() -> None:
    actions = [
        tap(0.5, 0.25),
        tap(0.51, 0.25),
        tap(0.5, 0.6),
        Action(ActionKind.BACK),
        Action(ActionKind.BACK),
    ]
    trajectory = make_trajectory("a", steps=5)
    assert repeated_steps(acting(trajectory, actions, same_screen=True)) == (False, True, False, False, True)
    assert repeated_steps(acting(trajectory, actions)) == (False,) * 5


def test_a_repeat_is_no_repeat_when_only_the_tree_changed() -> None:
    trajectory = acting(make_trajectory("a", steps=2), [tap(0.5, 0.25)] * 2, same_screen=True)
    second = trajectory.steps[1]
    changed = msgspec.structs.replace(second.observation, ui=())
    trajectory = msgspec.structs.replace(
        trajectory, steps=(trajectory.steps[0], msgspec.structs.replace(second, observation=changed))
    )
    assert repeated_steps(trajectory) == (False, False)


# --- the feature cache --------------------------------------------------------------------------


def test_features_are_made_once_and_forgotten_by_age() -> None:
    trajectories = walk(3, seed=0)
    policy = CorridorPolicy()
    sizes = [sum(array.nbytes for array in policy.featurize(entry).values()) for entry in trajectories]
    batcher = Batcher(policy, cache_mb=(sizes[0] + sizes[1] + 1) / 1e6)
    first, second, third = (draw(entry) for entry in trajectories)
    before = batcher.prepare([first, second]).features
    again = batcher.prepare([first]).features
    assert again[0] is before[0]
    assert (batcher.hits, batcher.misses) == (1, 2)
    batcher.prepare([third])  # pushes out the second, used longest ago, and if need be more
    batcher.prepare([second])
    assert (batcher.hits, batcher.misses) == (1, 4)


def test_what_does_not_fit_the_cache_is_still_learnt_from() -> None:
    batcher = Batcher(CorridorPolicy(), cache_mb=0.0)
    for _ in range(2):
        assert len(batcher.prepare([draw(walk(1, seed=0)[0])]).features) == 1
    assert batcher.hits == 0


# --- tensors ------------------------------------------------------------------------------------


def test_flat_and_padded_are_two_views_of_the_same() -> None:
    lengths = [2, 1, 3]
    flat = torch.arange(6.0)
    padded = pad(flat, lengths)
    assert padded.tolist() == [[0, 1, 0], [2, 0, 0], [3, 4, 5]]
    assert padding_mask(lengths).tolist() == [[1, 1, 0], [1, 0, 0], [1, 1, 1]]
    assert torch.equal(unpad(padded, padding_mask(lengths)), flat)
    assert trajectory_means(flat, lengths).tolist() == [0.5, 2.0, 4.0]
    assert first_rows(lengths).tolist() == [0, 2, 3]


def test_the_table_has_one_row_for_each_step() -> None:
    batch = [
        learnable(make_trajectory("a", steps=2, version=[3, 4]), weight=0.5),
        learnable(make_trajectory("b", steps=1, success=False, version=7), weight=1.0),
    ]
    table = tabulate(batch)
    assert table.lengths == [2, 1]
    assert table.success.tolist() == [1, 1, 0]
    assert table.final.tolist() == [0, 1, 1]
    assert table.weight.tolist() == [0.5, 0.5, 1.0]
    described = describe(batch, version=8)
    assert described["success_in_batch"] == 0.5
    assert described["version_gap_max"] == 5
    assert described["version_gap_mean"] == pytest.approx(10 / 3)


def test_ratios_are_of_whole_actions_or_of_their_average_token() -> None:
    """make_trajectory's decisions have two tokens; an entry that does not say counts as one."""
    entry = learnable(make_trajectory("a", steps=3), 1.0)
    assert entry.tokens == (2, 2, 2)
    table = tabulate([entry, msgspec.structs.replace(entry, tokens=())])
    now = table.behaviour_logprob + math.log(4)
    whole = log_ratios(now, table.behaviour_logprob, table, "action")
    assert whole.exp().tolist() == pytest.approx([4.0] * 6)
    average = log_ratios(now, table.behaviour_logprob, table, "length")
    assert average.exp().tolist() == pytest.approx([2.0] * 3 + [4.0] * 3)


def test_steps_without_tokens_do_not_divide_by_zero() -> None:
    entry = msgspec.structs.replace(learnable(make_trajectory("a", steps=2), 1.0), tokens=(0, 3))
    assert tabulate([entry]).tokens.tolist() == [1.0, 3.0]

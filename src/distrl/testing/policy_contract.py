"""What every Policy must do, as checks that a test of any policy can run.

@pytest.mark.parametrize("clause", POLICY_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause):
    clause(lambda seed: MyPolicy(seed))

A policy that learns passes TRAINABLE_CONTRACT as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
import torch
from msgspec.structs import replace
from PIL import Image, ImageDraw

from distrl.errors import PolicyError
from distrl.imaging import encode_image
from distrl.interfaces import Policy, TrainablePolicy
from distrl.records import (
    Action,
    ActionKind,
    Decision,
    Ending,
    Observation,
    Outcome,
    Point,
    Situation,
    Step,
    Task,
    Trajectory,
    UiNode,
    Verdict,
    decode,
    encode,
)

MakePolicy = Callable[[int], Policy]  # from a seed
MakeTrainable = Callable[[int], TrainablePolicy]

LABELS = (
    "Wi-Fi", "Bluetooth", "Display", "Sound", "Battery", "Buy milk", "Save", "Cancel", "Add to cart", "Alarm",
    "7:30 AM", "$24.99", "Running Shoes", "Search", "Notes", "Anna Schmidt", "Messages", "More options",
)  # fmt: skip
GOALS = (
    "Turn on Wi-Fi",
    'Write a note that says "Buy milk, eggs and bread!" and save it.',
    "Set an alarm for 7:30 AM, then send a message to Anna Schmidt.",
    "Add the Running Shoes to the cart",
)


# --- material ---------------------------------------------------------------------------------------


def make_screen(seed: int, rows: int = 9) -> Observation:
    """A plausible phone screen: a title, list rows with texts and switches, a button, a picture of it all."""
    chance = random.Random(seed)
    nodes = [_node("android.widget.FrameLayout", "", (0, 0, 412, 732), -1)]
    nodes.append(_node("android.widget.TextView", chance.choice(LABELS), (16, 30, 300, 62), 0))
    image = Image.new("RGB", (206, 366), tuple(chance.choices(range(200, 256), k=3)))
    draw = ImageDraw.Draw(image)
    for row in range(rows):
        top = 70 + row * 600 // max(1, rows)
        bottom = top + 600 // max(1, rows) - 4
        parent = len(nodes)
        nodes.append(_node("android.widget.LinearLayout", "", (0, top, 412, bottom), 0, clickable=True))
        for column, place in enumerate((70, 200)):
            text = f"{chance.choice(LABELS)} {chance.randrange(100) if column else ''}".strip()
            nodes.append(_node("android.widget.TextView", text, (place, top, place + 120, bottom), parent))
            draw.text((place // 2, top // 2), text, fill=(20, 20, 20))
        switch = (350, top, 400, bottom)
        on = chance.random() < 0.5
        nodes.append(_node("android.widget.Switch", "", switch, parent, checkable=True, checked=on))
        draw.rectangle([edge // 2 for edge in switch], fill=(40, 90, 200) if on else (160, 160, 160))
    nodes.append(_node("android.widget.EditText", "", (20, 680, 300, 725), 0, editable=True, clickable=True))
    return Observation(
        screenshot=encode_image(image),
        width=412,
        height=732,
        ui=tuple(nodes),
        app=chance.choice(("com.android.settings", "com.example.notes")),
        captured_at=float(seed),
    )


def _node(
    class_name: str, text: str, bounds: tuple[int, int, int, int], parent: int, **flags: bool
) -> UiNode:
    return UiNode(class_name, text, "", "", "com.example", bounds, parent, **flags)


def make_situations(count: int, seed: int = 0) -> list[Situation]:
    """Situations of different goals and screens, each with some past behind it."""
    chance = random.Random(seed)
    situations = []
    for number in range(count):
        past = tuple(
            Step(make_screen(1000 * number + index, chance.randrange(3, 10)), _PLACEHOLDER, 0.1)
            for index in range(chance.randrange(7))
        )
        seen = make_screen(1000 * number + len(past), chance.randrange(1, 10))
        situations.append(Situation(chance.choice(GOALS), past, seen, 15))
    return situations


def make_episode(policy: Policy, seed: int, steps: int) -> Trajectory:
    """A trajectory that the policy itself decided, over screens that do not answer."""
    task = Task(f"task-{seed}", GOALS[seed % len(GOALS)], "testing", "train", steps)
    past: tuple[Step, ...] = ()
    for index in range(steps):
        seen = make_screen(100 * seed + index, 1 + (seed + index) % 9)
        (decision,) = policy.decide([Situation(task.goal, past, seen, task.max_steps)])
        past = (*past, Step(seen, decision, 0.1))
    return Trajectory(
        id=f"trajectory-{seed}",
        run="testing",
        task=task,
        seed=seed,
        steps=past,
        final=None,
        ending=Ending.STEP_LIMIT,
        answers={},
        verdict=Verdict(Outcome.FAILURE, "testing", "1", "made up"),
        worker="worker-0",
        device="device-0",
        started_at=0.0,
        ended_at=1.0,
    )


_PLACEHOLDER = Decision(Action(ActionKind.TAP, Point(0.3, 0.3)), "tap 0.3 0.3", (), (), 0, "distrl")


# --- every policy -----------------------------------------------------------------------------------


def decides_once_for_each_situation(make: MakePolicy) -> None:
    """As many decisions as situations, none for none."""
    policy = make(0)
    assert policy.decide([]) == []
    for count in (1, 2, 5):
        assert len(policy.decide(make_situations(count))) == count


def decisions_name_version_and_language(make: MakePolicy) -> None:
    """Every decision says who made it, and survives the wire."""
    policy = make(0)
    for decision in policy.decide(make_situations(4)):
        assert decision.version == policy.version
        assert decision.language == policy.language
        assert all(logprob <= 0 for logprob in decision.logprobs)
        assert decode(encode(decision), Decision) == decision


def greedy_decisions_are_deterministic(make: MakePolicy) -> None:
    """The mode of a distribution does not depend on chance."""
    policy, other = make(0), make(0)
    situations = make_situations(6)
    chosen = [decision.action for decision in policy.decide(situations, greedy=True)]
    policy.decide(situations)
    assert [decision.action for decision in policy.decide(situations, greedy=True)] == chosen
    assert [decision.action for decision in other.decide(situations, greedy=True)] == chosen


def decides_whatever_is_on_the_screen(make: MakePolicy) -> None:
    """No tree, an empty tree, hundreds of nodes, broken bounds, endless goals: a decision all the same."""
    policy = make(0)
    seen = make_screen(1)
    nodes = seen.ui or ()
    broken = tuple(
        _node("", "x", bounds, 7) for bounds in ((9, 9, 9, 9), (50, 50, 10, 10), (-9, -9, 9000, 9000))
    )
    blank = encode_image(Image.new("RGB", (1, 1)))
    screens = [
        _with(seen, ui=None),
        _with(seen, ui=()),
        _with(seen, ui=nodes * 15),
        _with(seen, ui=broken),
        _with(seen, screenshot=blank),
        _with(seen, width=0, height=0),
    ]
    situations = [
        Situation(goal, (), screen, 1) for screen in screens for goal in ("Go", "word " * 3000, '"')
    ]
    assert len(policy.decide(situations)) == len(situations)
    for situation in situations:
        assert len(policy.decide([situation], greedy=True)) == 1


def _with(seen: Observation, **changes: object) -> Observation:
    return replace(seen, **changes)


POLICY_CONTRACT: tuple[Callable[[MakePolicy], None], ...] = (
    decides_once_for_each_situation,
    decisions_name_version_and_language,
    greedy_decisions_are_deterministic,
    decides_whatever_is_on_the_screen,
)


# --- policies that learn ----------------------------------------------------------------------------


def weights_survive_export_and_load(make: MakeTrainable) -> None:
    """Another instance with the exported weights decides alike, under the version it was given."""
    teacher, student = make(1), make(2)
    situations = make_situations(5)
    student.load(teacher.export(), 7)
    assert student.version == 7
    expected, got = (policy.decide(situations, greedy=True) for policy in (teacher, student))
    assert [decision.action for decision in got] == [decision.action for decision in expected]
    _assert_close([d.logprob for d in got], [d.logprob for d in expected])
    assert {decision.version for decision in got} == {7}


def foreign_weights_are_refused(make: MakeTrainable) -> None:
    """Bytes that are no weights raise a PolicyError, and the policy goes on as before."""
    policy = make(0)
    situations = make_situations(3)
    before = policy.decide(situations, greedy=True)
    try:
        policy.load(b"not weights at all", 3)
    except PolicyError:
        assert policy.decide(situations, greedy=True) == before
        return
    raise AssertionError("load accepted bytes that are no weights")


def recomputed_logprobs_equal_sampled_ones(make: MakeTrainable) -> None:
    """On the version that sampled, log π = log μ to 1e-4 for every step: the ratio ρ is 1."""
    policy = make(3)
    episodes = [make_episode(policy, seed, steps) for seed, steps in enumerate((1, 6, 3, 8))]
    behaviour = [step.decision.logprob for episode in episodes for step in episode.steps]
    features = [policy.featurize(episode) for episode in episodes]
    together = policy.forward(features)
    assert together.logprob.shape == together.entropy.shape == together.prior.shape == (len(behaviour),)
    assert together.value.shape == (len(behaviour), 2)
    _assert_close(together.logprob.tolist(), behaviour)
    alone = [policy.forward([part]) for part in features]
    _assert_close([value for part in alone for value in part.logprob.tolist()], behaviour)
    for name in ("entropy", "value", "prior"):
        apart = torch.cat([getattr(part, name) for part in alone])
        _assert_close(apart.flatten().tolist(), getattr(together, name).flatten().tolist())


def company_does_not_change_a_decision(make: MakeTrainable) -> None:
    """A situation is decided alike alone and among others, whatever the padding."""
    policy = make(4)
    situations = make_situations(9)
    alone = [policy.decide([situation], greedy=True)[0] for situation in situations]
    for batch in (situations, situations[::-1][:4], situations[2:7]):
        for situation, decision in zip(batch, policy.decide(batch, greedy=True), strict=True):
            expected = alone[next(i for i, other in enumerate(situations) if other is situation)]
            assert decision.action == expected.action
            _assert_close(decision.logprobs, expected.logprobs)


def features_have_a_row_for_each_step(make: MakeTrainable) -> None:
    """All arrays of a trajectory have T rows, and any rows of them can be evaluated on their own."""
    policy = make(5)
    features = policy.featurize(make_episode(policy, 2, 7))
    assert {len(array) for array in features.values()} == {7}
    whole = policy.forward([features]).logprob.tolist()
    rows = np.array([5, 1])
    some = policy.forward([{name: array[rows] for name, array in features.items()}]).logprob.tolist()
    _assert_close(some, [whole[5], whole[1]])


def gradients_flow_and_entropy_is_true(make: MakeTrainable) -> None:
    """log π and entropy can be differentiated; entropy is what sampling measures."""
    policy = make(6)
    output = policy.forward([policy.featurize(make_episode(policy, 1, 4))])
    (output.logprob.sum() + output.entropy.sum()).backward()  # type: ignore[no-untyped-call]
    gradients = [p.grad for p in policy.module.parameters() if p.grad is not None]
    assert gradients
    assert all(bool(torch.isfinite(gradient).all()) for gradient in gradients)
    situation = make_situations(1, seed=3)[0]
    sampled = policy.decide([situation] * 500)
    surprise = np.array([-decision.logprob for decision in sampled])
    step = Step(situation.observation, sampled[0], 0.1)
    episode = make_episode(policy, 1, 1)
    exact = policy.forward([policy.featurize(_continued(episode, situation, step))]).entropy[-1].item()
    error = surprise.std() / len(surprise) ** 0.5
    assert abs(surprise.mean() - exact) < 4 * error + 1e-3, (surprise.mean(), exact, error)


def _continued(episode: Trajectory, situation: Situation, step: Step) -> Trajectory:
    task = replace(episode.task, goal=situation.goal, max_steps=situation.max_steps)
    return replace(episode, task=task, steps=(*situation.past, step))


def _assert_close(got: Sequence[float], expected: Sequence[float]) -> None:
    assert len(got) == len(expected)
    worst = max(abs(a - b) for a, b in zip(got, expected, strict=True))
    assert worst < 1e-4, f"differs by {worst:.2g}"


TRAINABLE_CONTRACT: tuple[Callable[[MakeTrainable], None], ...] = (
    weights_survive_export_and_load,
    foreign_weights_are_refused,
    recomputed_logprobs_equal_sampled_ones,
    company_does_not_change_a_decision,
    features_have_a_row_for_each_step,
    gradients_flow_and_entropy_is_true,
)

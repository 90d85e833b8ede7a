"""The small policy itself: spelling actions, weights, critics, and whether it can learn at all."""

from collections import Counter

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from distrl.agents.small import SmallPolicy, build
from distrl.agents.small.tokens import KINDS
from distrl.config import PolicyConfig
from distrl.errors import ConfigError, PolicyError
from distrl.interfaces import UNPUBLISHED, TrainablePolicy
from distrl.records import Action, ActionKind, Decision, Point, Situation, Step
from distrl.testing.policy_contract import make_episode, make_screen, make_situations

torch.set_num_threads(1)
SMALL = PolicyConfig(width=32, layers=1)


def test_it_is_a_trainable_policy_of_the_promised_size() -> None:
    policy: TrainablePolicy = build(PolicyConfig())
    assert isinstance(policy, TrainablePolicy)
    assert 1e6 < sum(parameter.numel() for parameter in policy.module.parameters()) < 3e6


def test_blind_policies_and_unknown_options_are_refused() -> None:
    with pytest.raises(ConfigError, match="tree or pixels"):
        build(PolicyConfig(tree=False, pixels=False))
    with pytest.raises(ConfigError, match="no option 'speed'"):
        build(PolicyConfig(options={"speed": "9"}))
    with pytest.raises(ConfigError, match="at least one app"):
        build(PolicyConfig(options={"apps": " ,"}))


# --- spelling -----------------------------------------------------------------------------------


GOAL = 'In Notes write "Buy milk, eggs!" and open Zebra'


def spelled(policy: SmallPolicy, action: Action) -> tuple[int, ...] | None:
    return policy.action_tokens(action, Situation(GOAL, (), make_screen(3), 10))


@pytest.mark.parametrize(
    ("action", "tokens"),
    [
        (Action(ActionKind.TYPE, text="Buy milk, eggs!"), ("type", 3, 5)),
        (Action(ActionKind.OPEN_APP, text="Notes"), ("launch", 0)),
        (Action(ActionKind.OPEN_APP, text="Zebra"), ("open_app", 8, 8)),
        (Action(ActionKind.OPEN_APP, text="Mars"), None),
        (Action(ActionKind.ANSWER, text="Buy milk"), ("answer", 3, 4)),
        (Action(ActionKind.ANSWER, text="eggs"), None),  # inside quotes punctuation belongs to the word
        (Action(ActionKind.BACK), ("back",)),
        (Action(ActionKind.DONE), ("done",)),
        (Action(ActionKind.SWIPE, Point(0.5, 0.9), Point(0.45, 0.2)), ("swipe_up",)),
        (Action(ActionKind.SWIPE, Point(0.2, 0.5), Point(0.9, 0.4)), ("swipe_right",)),
        (Action(ActionKind.SWIPE, Point(0.2, 0.5), Point(0.2, 0.5)), None),
        (Action(ActionKind.TAP, Point(0.99, 0.005)), None),
        (Action(ActionKind.INVALID, text="what?"), None),
    ],
)
def test_actions_become_tokens(action: Action, tokens: tuple[str | int, ...] | None) -> None:
    policy = build(replace_options(SMALL, apps="Notes, Settings"))
    expected = None if tokens is None else (KINDS.index(str(tokens[0])), *tokens[1:])
    assert spelled(policy, action) == expected


def replace_options(config: PolicyConfig, **options: str) -> PolicyConfig:
    return config.model_copy(update={"options": options})


def test_a_tap_is_spelled_as_the_element_under_it_and_an_answer_as_one_that_reads_so() -> None:
    policy = build(SMALL)
    seen = make_screen(3)
    title = next(node for node in seen.ui or () if node.text)
    left, top, right, bottom = title.bounds
    touch = Action(ActionKind.TAP, Point((left + 2) / 412, (top + bottom) / 2 / 732))
    tokens = policy.action_tokens(touch, Situation("Go", (), seen, 10))
    assert tokens is not None
    decided = policy._decision(Situation("Go", (), seen, 10), list(tokens), [0.0, 0.0]).action
    assert decided.point is not None
    assert decided.point.x == pytest.approx((left + right) / 2 / 412, abs=1e-4)
    answer = Action(ActionKind.ANSWER, text=title.text)
    assert policy.action_tokens(answer, Situation("Go", (), seen, 10)) == (KINDS.index("read"), tokens[1])


@pytest.mark.parametrize("tree", [True, False])
def test_every_decision_can_be_spelled_again(tree: bool) -> None:
    policy = build(SMALL.model_copy(update={"tree": tree}), seed=1)
    situations = make_situations(6)
    kinds: Counter[ActionKind] = Counter()
    for _ in range(20):
        for situation, decision in zip(situations, policy.decide(situations), strict=True):
            kinds[decision.action.kind] += 1
            tokens = policy.action_tokens(decision.action, situation)
            if decision.action.kind is ActionKind.INVALID:
                assert tokens is None
            elif tokens is not None:
                again = policy._decision(situation, list(tokens), [0.0] * 3).action
                assert again.kind is decision.action.kind
                assert again.text == decision.action.text
            else:
                pytest.fail(f"{decision.output} cannot be spelled")
    assert len(kinds) >= 10


def test_foreign_tokens_are_refused() -> None:
    policy = build(SMALL)
    episode = make_episode(policy, 1, 2)
    for tokens in ((0, 400), (0,), (99,), (6, 3, 1), (7, 1), (-1,)):
        decision = replace(episode.steps[0].decision, tokens=tokens, logprobs=(0.0,) * len(tokens))
        foreign = replace(episode, steps=(replace(episode.steps[0], decision=decision),))
        with pytest.raises(PolicyError, match="mean nothing on this screen"):
            policy.featurize(foreign)
    with pytest.raises(PolicyError, match="has no steps"):
        policy.featurize(replace(episode, steps=()))


def test_steps_without_tokens_have_no_say_in_the_gradient() -> None:
    policy = build(SMALL)
    episode = make_episode(policy, 1, 3)
    mute = Decision(Action(ActionKind.OPEN_APP, text="Mars"), "", (), (), 0, "distrl")
    episode = policy.translate(replace(episode, steps=(*episode.steps, Step(make_screen(1), mute, 0.1))))
    features = policy.featurize(episode)
    assert [bool(kind >= 0) for kind in features["action"][:, 0].tolist()] == [True, True, True, False]
    logprob = policy.forward([features]).logprob
    assert logprob[3].item() == 0
    logprob[3].backward()  # type: ignore[no-untyped-call]
    assert not any(p.grad.any() for p in policy.module.parameters() if p.grad is not None)


def test_steps_are_compact() -> None:
    policy = build(SMALL)
    features = policy.featurize(make_episode(policy, 1, 5))
    assert sum(array.nbytes for array in features.values()) / 5 < 16_000
    assert features["glimpses"].dtype == np.uint8
    assert "picture" not in features


# --- weights and critics ------------------------------------------------------------------------


def test_weights_of_another_shape_are_refused_in_one_sentence() -> None:
    policy = build(SMALL)
    before = policy.export()
    for other in (SMALL.model_copy(update={"width": 48}), SMALL.model_copy(update={"pixels": False})):
        with pytest.raises(PolicyError, match=r"version 5 are for another policy .* use the settings"):
            policy.load(build(other).export(), 5)
    assert policy.export() == before
    assert policy.version == UNPUBLISHED


def test_the_seed_decides_weights_and_samples() -> None:
    situations = make_situations(8)
    first, same, other = build(SMALL, 1), build(SMALL, 1), build(SMALL, 2)
    assert first.export() == same.export() != other.export()
    assert first.decide(situations) == same.decide(situations)
    assert first.decide(situations) != other.decide(situations)


def test_building_leaves_global_chance_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3).tolist()
    torch.manual_seed(5)
    build(SMALL, 9)
    assert torch.rand(3).tolist() == expected


def test_critics_never_touch_the_trunk() -> None:
    policy = build(SMALL)
    output = policy.forward([policy.featurize(make_episode(policy, 1, 4))])
    (output.value.sum() + output.prior.sum()).backward()  # type: ignore[no-untyped-call]
    assert all(parameter.grad is None for parameter in policy._network.actor_parameters())
    assert all(parameter.grad is not None for parameter in policy._network.critic_parameters())
    split = [*policy._network.actor_parameters(), *policy._network.critic_parameters()]
    assert {id(p) for p in split} == {id(p) for p in policy.module.parameters()}
    assert len(split) == len(list(policy.module.parameters()))


def test_critics_see_single_places_and_how_sure_the_policy_is() -> None:
    """The same network gives another value when one row says something else, or the policy doubts."""
    policy = build(SMALL, seed=3)
    (situation,) = make_situations(1, seed=4)
    seen = situation.observation
    assert seen.ui is not None
    ui = [replace(node, text="Another label") if index == 4 else node for index, node in enumerate(seen.ui)]
    other = replace(situation, observation=replace(seen, ui=tuple(ui)))

    def values() -> list[float]:
        rows = [policy._featurizer.situation(each) for each in (situation, other)]
        return policy.forward(rows).value[:, 0].tolist()

    first, second = values()
    assert abs(first - second) > 1e-5
    with torch.no_grad():  # nothing but the chances of the kinds changes
        policy._network.actor.heads.kind.bias[0] += 3.0
    assert abs(values()[0] - first) > 1e-4


# --- odd company --------------------------------------------------------------------------------


@pytest.mark.parametrize("sight", [{}, {"pixels": False}, {"tree": False}], ids=str)
def test_odd_screens_do_not_disturb_their_neighbours(sight: dict[str, bool]) -> None:
    policy = build(SMALL.model_copy(update=sight), seed=2)
    plain = make_situations(4)
    seen = plain[0].observation
    odd = [
        replace(plain[0], observation=replace(seen, ui=None)),
        replace(plain[1], observation=replace(seen, ui=(seen.ui or ()) * 13)),
        replace(plain[2], goal="long " * 500, max_steps=1),
    ]
    situations = [plain[0], odd[0], plain[1], odd[1], odd[2], plain[2], plain[3]]
    for batch in (situations, situations[:2], situations[3:5], situations[::-1]):
        decisions = policy.decide(batch)
        for situation, decision in zip(batch, decisions, strict=True):
            alone = policy.forward([policy._featurizer.situation(situation, decision.tokens)])
            assert alone.logprob.item() == pytest.approx(decision.logprob, abs=1e-4)
        rows = [policy._featurizer.situation(s, d.tokens) for s, d in zip(batch, decisions, strict=True)]
        together = policy.forward(rows).logprob.tolist()
        assert together == pytest.approx([decision.logprob for decision in decisions], abs=1e-4)

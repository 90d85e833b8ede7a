"""The baselines without weights."""

from collections.abc import Callable

import pytest

from distrl.agents.heuristic import HeuristicPolicy, RandomPolicy
from distrl.errors import PolicyError
from distrl.interfaces import Policy
from distrl.records import (
    Action,
    ActionKind,
    Decision,
    Observation,
    Point,
    Screenshot,
    Situation,
    Step,
    UiNode,
)
from distrl.testing.policy_contract import POLICY_CONTRACT, MakePolicy, make_situations

NO_PICTURE = Screenshot(data=b"", encoding="rgb-zstd", width=0, height=0)
MAKERS: dict[str, MakePolicy] = {"heuristic": lambda _: HeuristicPolicy(), "random": RandomPolicy}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("clause", POLICY_CONTRACT, ids=lambda clause: clause.__name__)
def test_contract(clause: Callable[[MakePolicy], None], name: str) -> None:
    clause(MAKERS[name])


@pytest.mark.parametrize("name", MAKERS)
def test_decisions_claim_no_distribution(name: str) -> None:
    for decision in MAKERS[name](0).decide(make_situations(4)):
        assert decision.tokens == decision.logprobs == ()


@pytest.mark.parametrize("name", MAKERS)
def test_weights_are_refused_but_a_version_is_taken(name: str) -> None:
    policy = MAKERS[name](0)
    policy.load(b"", 4)
    assert policy.version == 4
    with pytest.raises(PolicyError, match="has no weights"):
        policy.load(b"weights", 5)


def screen(*labels: str, field: bool = False) -> Observation:
    """Labels one under the other, and perhaps a text field that has the focus."""
    nodes = [
        UiNode(
            "android.widget.Button", label, "", "", "", (0, 100 * row, 400, 100 * row + 90), clickable=True
        )
        for row, label in enumerate(labels)
    ]
    if field:
        nodes.append(
            UiNode(
                "android.widget.EditText", "", "", "", "", (0, 700, 400, 800), editable=True, focused=True
            )
        )  # fmt: skip
    return Observation(NO_PICTURE, 400, 800, tuple(nodes), "", 0.0)


def decide(policy: Policy, goal: str, seen: Observation, past: tuple[Step, ...] = ()) -> Action:
    (decision,) = policy.decide([Situation(goal, past, seen, 10)])
    return decision.action


def test_it_taps_the_label_that_shares_most_words() -> None:
    action = decide(
        HeuristicPolicy(), "Turn on the Wi-Fi hotspot", screen("Wi-Fi", "Hotspot Wi-Fi", "Bluetooth")
    )
    assert action == Action(ActionKind.TAP, Point(0.5, 0.1812))


def test_it_does_not_tap_the_same_label_twice_and_then_says_done() -> None:
    policy = HeuristicPolicy()
    seen = screen("Display", "Sound")
    tap = decide(policy, "Open Display", seen)
    past = (Step(seen, Decision(tap, "", (), (), 0, "distrl"), 0.1),)
    assert tap.kind is ActionKind.TAP
    assert decide(policy, "Open Display", seen, past) == Action(ActionKind.DONE)


def test_it_types_the_quoted_text_into_a_focused_field() -> None:
    action = decide(
        HeuristicPolicy(), 'Search for "red Shoes, size 9!" in the shop.', screen("Shop", field=True)
    )
    assert action == Action(ActionKind.TYPE, text="red Shoes, size 9!")


def test_random_decisions_depend_on_the_seed_only() -> None:
    situations = make_situations(12)
    chosen = [[d.action for d in RandomPolicy(seed).decide(situations)] for seed in (1, 1, 2)]
    assert chosen[0] == chosen[1] != chosen[2]

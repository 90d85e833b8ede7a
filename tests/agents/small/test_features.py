"""What the small policy notices: numbers to carry, the next key, who is first of those meant."""

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from distrl.agents.small import build
from distrl.agents.small.elements import COUNTED, MET_NUMBERS
from distrl.agents.small.features import Featurizer, Remembered, join, select
from distrl.agents.small.policy import DECIDED_TOGETHER, TOGETHER
from distrl.agents.small.screen import STATIC_NUMBERS
from distrl.agents.small.tokens import KINDS
from distrl.agents.small.words import word_id
from distrl.config import PolicyConfig
from distrl.records import Action, ActionKind, Decision, Observation, Point, Situation, Step, UiNode
from distrl.testing.policy_contract import make_episode, make_screen

torch.set_num_threads(1)
SMALL = PolicyConfig(width=32, layers=1)
KEY, NEXT_NUMBER, SUBJECT = (STATIC_NUMBERS + n for n in (8, 9, 10))  # columns of "element_numbers"
RANKS = STATIC_NUMBERS + MET_NUMBERS
FIRST_MEANT, LAST_MEANT, LEAST_MEANT, MOST_MEANT, LEAST_OTHER, MOST_OTHER, MEANT = (
    RANKS + n for n in (5, 6, 7, 8, 9, 10, 11)
)


def screen_of(*texts: str) -> Observation:
    """Buttons one below the other."""
    nodes = tuple(
        UiNode(
            "android.widget.Button", text, "", "", "app", (0, 40 * row, 400, 40 * row + 40), clickable=True
        )
        for row, text in enumerate(texts)
    )
    return replace(make_screen(0), ui=nodes)


def tapped(screen: Observation, text: str) -> Step:
    row = next(row for row, node in enumerate(screen.ui or ()) if node.text == text)
    action = Action(ActionKind.TAP, Point(0.5, (40 * row + 20) / 732))
    return Step(screen, Decision(action, "", (), (), 0, "distrl"), 0.0)


def column(situation: Situation, number: int) -> list[float]:
    features = Featurizer(tree=True, pixels=False, apps=1).situation(situation)
    return [float(value) for value in features["element_numbers"][0, :, number]]


@pytest.mark.parametrize(
    ("keyed", "due", "then"),
    [
        ("", "1", None),
        ("1", "6", None),
        ("16", "3", None),
        ("163", None, "1"),  # whole: the sign comes first, if there is one
        ("163×", "1", None),
        ("163×1", "2", None),
        ("1631", "2", None),  # without a sign
        ("163×12", None, None),
        ("7", None, None),
        ("163×12×1", None, None),
    ],
)
def test_the_next_digit_of_the_goals_numbers_is_marked(keyed: str, due: str | None, then: str | None) -> None:
    texts = ("1", "2", "3", "6", "7", "×")
    keys = screen_of(*texts)
    past = tuple(tapped(keys, key) for key in keyed)
    situation = Situation("Calculate 163 times 12", past, keys, 15)
    assert column(situation, KEY) == [float(text == due) for text in texts]
    assert column(situation, NEXT_NUMBER) == [float(text == then) for text in texts]


def test_what_the_goal_mentions_more_than_others_is_marked() -> None:
    rows = screen_of("Tilda Marsh: Hello", "Tilda Quill: Did he come?", "Mei Berg: Hi")
    assert column(Situation("Block Tilda Quill", (), rows, 15), MEANT) == [0, 1, 0]
    assert column(Situation("Block Ada", (), rows, 15), MEANT) == [0, 0, 0]


def test_what_stands_as_far_from_the_chosen_one_as_the_goal_says_is_marked() -> None:
    days = screen_of("13", "14", "15", "16", "17")
    chosen = replace(days, ui=tuple(replace(node, selected=node.text == "14") for node in days.ui or ()))
    situation = Situation("Mark the day in two days", (), chosen, 15)
    assert column(situation, STATIC_NUMBERS + COUNTED) == [0, 0, 0, 1, 0]
    assert column(replace(situation, observation=days), STATIC_NUMBERS + COUNTED) == [0, 0, 0, 0, 0]
    traits = Featurizer(tree=True, pixels=False, apps=1).situation(situation)["element_traits"][0]
    assert word_id("place:2") in traits[3]
    assert word_id("place:-1") in traits[0]
    assert not traits[1, -1]


def test_what_is_remembered_about_the_goals_subject_marks_whom_it_names() -> None:
    notes = screen_of("Tom feeds the rabbits daily", "Ottilie waters the plants daily")
    chats = screen_of("Tom", "Ottilie", "Mei")
    goal = "My notes say who waters the plants. Text that person"
    situation = Situation(goal, (tapped(notes, "Tom feeds the rabbits daily"),), chats, 15)
    assert column(situation, SUBJECT) == [0, 1, 0]
    assert column(replace(situation, goal="Sing"), SUBJECT) == [0, 0, 0]


ROWS = screen_of("Delete", "Orla oldest", "Ada", "Orla oldest", "Tom")


def test_first_and_last_of_those_that_the_goal_mentions_are_marked() -> None:
    situation = Situation("Delete the oldest by Orla", (), ROWS, 15)
    assert column(situation, FIRST_MEANT) == [0, 1, 0, 0, 0]
    assert column(situation, LAST_MEANT) == [0, 0, 0, 1, 0]


def test_least_and_most_are_marked_among_those_meant_and_for_the_other_number() -> None:
    rows = screen_of(
        "Tea, $1", "Lamp, 4.1 stars, $9", "Lamp, 3.2 stars, $5", "Lamp, 4.9 stars, $7", "Cup, $99"
    )
    situation = Situation("Buy the cheapest lamp", (), rows, 15)
    assert column(situation, LEAST_MEANT) == [0, 0, 1, 0, 0]
    assert column(situation, MOST_MEANT) == [0, 1, 0, 0, 0]
    assert column(situation, LEAST_OTHER) == [0, 0, 1, 0, 0]
    assert column(situation, MOST_OTHER) == [0, 0, 0, 1, 0]


def test_a_number_seen_before_can_be_typed_and_is_spelled_as_where_it_was_seen() -> None:
    policy = build(SMALL)
    mail, note = screen_of("Hello there you", "Use 980328 to sign in"), screen_of("Title", "Save")
    situation = Situation("Note the code", (tapped(mail, "Hello there you"),), note, 15)
    tokens = policy.action_tokens(Action(ActionKind.TYPE, text="980328"), situation)
    assert tokens == (KINDS.index("recite"), 0)
    decided = policy._decision(situation, list(tokens), [0.0, 0.0]).action
    assert decided == Action(ActionKind.TYPE, text="980328")
    assert policy.action_tokens(Action(ActionKind.TYPE, text="980329"), situation) is None
    empty = policy._decision(situation, [KINDS.index("recite"), 5], [0.0, 0.0]).action
    assert empty.kind is ActionKind.INVALID


def test_many_steps_are_evaluated_in_parts_and_come_back_in_order() -> None:
    policy = build(SMALL)
    episodes = [policy.featurize(make_episode(policy, seed, 12)) for seed in range(8)]
    assert sum(len(each["action"]) for each in episodes) > TOGETHER
    together = policy.forward(episodes)
    alone = [policy.forward([each]) for each in episodes]
    for name in ("logprob", "entropy", "value", "prior"):
        expected = torch.cat([getattr(each, name) for each in alone])
        torch.testing.assert_close(getattr(together, name), expected, atol=1e-4, rtol=1e-4)


def test_many_situations_are_decided_in_parts_and_answered_in_order() -> None:
    policy = build(SMALL)
    situations = [each for seed in range(4) for each in make_episode(policy, seed, 12).situations()]
    assert len(situations) > DECIDED_TOGETHER
    together = policy.decide(situations, greedy=True)
    alone = [policy.decide([each], greedy=True)[0] for each in situations]
    assert [each.action for each in together] == [each.action for each in alone]
    logprobs = [each.logprob for each in together]
    assert logprobs == pytest.approx([each.logprob for each in alone], abs=1e-4)
    assert logprobs != pytest.approx(logprobs[::-1], abs=1e-2)


def test_what_was_read_is_remembered_as_long_as_the_screen_exists() -> None:
    read: list[float] = []

    def when(seen: Observation) -> float:
        read.append(seen.captured_at)
        return seen.captured_at

    remembered = Remembered(when)
    screens = [replace(make_screen(0), captured_at=float(number)) for number in range(2000)]
    for _ in range(2):
        assert [remembered(screen) for screen in screens] == list(range(2000))
    assert len(read) == len(remembered) == 2000
    del screens[10:]
    assert len(remembered) == 10


def test_a_selection_has_no_more_padding_than_it_needs() -> None:
    policy = build(SMALL)
    joined = join([policy.featurize(make_episode(policy, seed, 3)) for seed in range(4)])
    rows = np.argsort(joined["element_count"])[:2]
    selected = select(joined, rows)
    assert selected["element_words"].shape[1] == selected["element_count"].max()
    assert np.array_equal(selected["action"], joined["action"][rows])

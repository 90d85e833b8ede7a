"""What goes with what: pairs of words, learnt from an example or two."""

import math

import pytest
import torch
from msgspec.structs import replace

from distrl.agents.small import SmallPolicy, build
from distrl.agents.small.associations import FACTORS, PAIRS, SCALE, Associations, content
from distrl.agents.small.features import join
from distrl.agents.small.network import to_inputs
from distrl.agents.small.tokens import KINDS
from distrl.agents.small.words import ids_of, word_id
from distrl.config import PolicyConfig
from distrl.interfaces import StepFeatures
from distrl.records import (
    Action,
    ActionKind,
    Decision,
    Observation,
    Screenshot,
    Situation,
    Step,
    UiNode,
)
from distrl.testing.trajectories import make_trajectory

torch.set_num_threads(1)

ROWS = ("Adaptive brightness", "Dark theme", "Screen saver")


def page(goal: str, rows: tuple[str, ...] = ROWS) -> Situation:
    """A page of settings with a row for each title."""
    nodes = tuple(
        UiNode("TextView", title, "", "", "", (0, 100 * place, 412, 100 * place + 90), clickable=True)
        for place, title in enumerate(rows)
    )
    blank = Screenshot(b"", "png", 0, 0)
    return Situation(goal, (), Observation(blank, 412, 732, nodes, "settings", 0.0), 10)


def chances(policy: SmallPolicy, situation: Situation) -> list[float]:
    """How likely a tap is to go to each row."""
    inputs = to_inputs(join([policy._featurizer.situation(situation)]), torch.device("cpu"))
    with torch.inference_mode():
        scores, _ = policy._network.actor(inputs)
    found: list[float] = scores.place[0, 0].exp().tolist()
    return found


def test_every_pair_counts_once_and_only_with_its_own_situation() -> None:
    associations = Associations(apps=2)
    with torch.no_grad():
        associations.pairs.normal_(generator=torch.Generator().manual_seed(0))
    goal = torch.tensor([[7, 9, 0], [3, 0, 0]])
    labels = torch.tensor([[5, 9, 0], [0, 0, 0], [8, 0, 6]])
    owners = torch.tensor([0, 0, 1])

    def number(asked: int, said: int) -> float:
        return associations.pairs[(asked * FACTORS[0] + said * FACTORS[1]) % PAIRS, 0].item()

    wanted = [number(7, 5) + number(9, 5) + number(7, 9) + number(9, 9), 0.0, number(3, 8) + number(3, 6)]
    found = associations(goal, labels, owners)
    assert found.shape == (3, 3)
    torch.testing.assert_close(found.sum(-1), SCALE * torch.tensor(wanted))


def test_content_closes_the_gaps() -> None:
    assert content(torch.tensor([[4, 0, 6, 0], [0, 5, 0, 0]])).tolist() == [[6, 4], [5, 0]]
    assert content(torch.zeros(2, 3, dtype=torch.int32)).tolist() == [[0], [0]]


def test_two_examples_are_enough_and_carry_over_to_another_sentence_with_the_word() -> None:
    policy = build(PolicyConfig(width=32, pixels=False))
    lessons = (("White pages hurt my eyes", 1), ("Let the phone fit its light to the room", 0))
    features = join(
        [policy._featurizer.situation(page(goal), (KINDS.index("tap"), row)) for goal, row in lessons]
    )
    table = policy._network.actor.trunk.associations.pairs
    optimiser = torch.optim.Adam([table], lr=1e-2)
    before = chances(policy, page("I prefer black letters on white"))
    for _ in range(20):
        optimiser.zero_grad()
        (-policy.forward([features]).logprob.mean()).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    assert chances(policy, page("White pages hurt my eyes"))[1] > 0.8
    after = chances(policy, page("I prefer black letters on white"))
    assert after[1] == max(after)
    assert after[1] > before[1] + 0.05
    elsewhere = chances(
        policy, page("I prefer black letters on white", ("Dark theme", "Font size", "Display size"))
    )
    assert elsewhere[0] == max(elsewhere)


def associated(policy: SmallPolicy, situation: Situation) -> list[float]:
    """How much each row goes with the goal."""
    inputs = to_inputs(join([policy._featurizer.situation(situation)]), torch.device("cpu"))
    found: list[float] = policy._network.actor.trunk(inputs).associated[0].tolist()
    return found


def test_a_word_that_the_screen_shows_is_associated_with_nothing() -> None:
    policy = build(PolicyConfig(width=32, pixels=False))
    with torch.no_grad():
        policy._network.actor.trunk.associations.pairs.fill_(1.0)
    assert associated(policy, page("Tilda Quill")) == [2 * 2 * SCALE] * 3  # two words go with two
    assert associated(policy, page("Tilda Quill", ("Tilda Marsh", "Mei Berg"))) == [2 * SCALE] * 2
    assert associated(policy, page("Tilda Quill", ("Tilda Marsh", "Ada Quill"))) == [0, 0]


def test_ranks_and_places_are_words_that_go_with_those_of_the_goal() -> None:
    policy = build(PolicyConfig(width=32, pixels=False))
    pairs = policy._network.actor.trunk.associations.pairs
    longest, most = ids_of("longest")[0], word_id("rank:most")
    with torch.no_grad():
        pairs[(longest * FACTORS[0] + most * FACTORS[1]) % PAIRS] = 1.0
    songs = ("Waltz 3:45", "Juggler 2:10", "Carpet 6:37")
    assert associated(policy, page("Play the longest", songs)) == [0, 0, SCALE]
    assert associated(policy, page("Play the shortest", songs)) == [0, 0, 0]


def test_quoted_and_common_words_are_associated_with_nothing() -> None:
    policy = build(PolicyConfig(width=32, pixels=False))
    goal = 'and the "white pages" by'
    before = chances(policy, page(goal))
    with torch.no_grad():
        policy._network.actor.trunk.associations.pairs.normal_()
        policy._network.actor.trunk.associations.apps.normal_()
    assert chances(policy, page(goal)) == before


def test_neighbours_in_a_batch_change_nothing() -> None:
    policy = build(PolicyConfig(width=32, pixels=False))
    with torch.no_grad():
        policy._network.actor.trunk.associations.pairs.normal_(generator=torch.Generator().manual_seed(1))
    situations = [
        page("White pages hurt my eyes"),
        page("Turn on the saver of the screen", ROWS[:1]),
        page(""),
    ]
    alone = [policy._featurizer.situation(one, (KINDS.index("tap"), 0)) for one in situations]
    together = policy.forward([join(alone)]).logprob
    torch.testing.assert_close(together, torch.cat([policy.forward([one]).logprob for one in alone]))


def test_a_word_can_stand_for_an_app() -> None:
    associations = Associations(apps=3)
    with torch.no_grad():
        associations.apps[7] = torch.tensor([0.0, 2.0, 0.0])
        associations.apps[0] = 5.0
    assert associations.launching(torch.tensor([[7, 0], [0, 0]])).tolist() == [[0, 2 * SCALE, 0], [0, 0, 0]]


# --- where a touch leads ------------------------------------------------------------------------


def walk(policy: SmallPolicy, *screens: tuple[str, ...], touched: int = 0) -> StepFeatures:
    """The features of an episode through screens of rows, which touches the row of that number each time."""
    steps = []
    for rows in screens:
        seen = page("Look around", rows).observation
        point = policy._featurizer.screen(seen).point(touched)
        tap = Action(ActionKind.TAP, point)
        decision = Decision(tap, "tap", (KINDS.index("tap"), touched), (0.0, 0.0), 0, "distrl")
        steps.append(Step(seen, decision, 0.0))
    return policy.featurize(replace(make_trajectory("walk"), steps=tuple(steps)))


def test_what_a_step_brings_to_the_screen_is_kept() -> None:
    policy = build(PolicyConfig(width=32, pixels=False))
    features = walk(policy, ("Display", "Sound"), ("Dark theme", "Sound"), ("The end",))
    expected = [{*ids_of("Dark theme")}, {*ids_of("end")}, set()]
    assert [set(row[row > 0].tolist()) for row in features["revealed_words"]] == expected


def test_hindsight_teaches_which_row_leads_to_a_word() -> None:
    policy = build(PolicyConfig(width=32, pixels=False))
    pages = ("Accessibility", "Display", "Sound")
    lessons = [
        walk(policy, pages, ("Magnification", "Captions"), touched=0),
        walk(policy, pages, ("Dark theme", "Font size"), touched=1),
    ]
    before = policy.hindsight(lessons)
    assert before.tolist() == pytest.approx([-math.log(3), 0, -math.log(3), 0])
    optimiser = torch.optim.Adam([policy._network.actor.trunk.associations.pairs], lr=1e-2)
    for _ in range(80):
        optimiser.zero_grad()
        (-policy.hindsight(lessons).mean()).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    assert policy.hindsight(lessons).min() > -0.2
    assert chances(policy, page("Switch Magnification on", pages))[0] > 0.8
    assert chances(policy, page("Switch Dark theme on", pages))[1] > 0.8


def test_without_a_touch_there_is_no_hindsight() -> None:
    policy = build(PolicyConfig(width=32, pixels=False))
    features = walk(policy, ("Display", "Sound"), ("Dark theme", "Sound"))
    features["action"][:, 0] = KINDS.index("back")
    assert policy.hindsight([features]).tolist() == [0, 0]

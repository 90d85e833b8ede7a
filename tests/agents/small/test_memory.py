"""What is kept in mind of earlier screens, and which words meet."""

import numpy as np
import torch

from distrl.agents.small.disguise import Disguise
from distrl.agents.small.elements import ELEMENT_NUMBERS, TRAITS
from distrl.agents.small.meetings import meet
from distrl.agents.small.memory import MEMORY, MEMORY_WORDS, Text, recall, to_arrays
from distrl.agents.small.tokens import KINDS, LAUNCH
from distrl.agents.small.words import (
    VOCABULARY,
    WordIds,
    ids_of,
    long_number_in,
    number_in,
    other_number_in,
    stem,
)
from distrl.interfaces import StepFeatures


def _text(words: WordIds | str, value: str = "") -> Text:
    return Text(ids_of(words) if isinstance(words, str) else words, value)


def test_what_is_about_the_goal_is_remembered_first() -> None:
    request = _text("Please switch the night light on, says the bank")
    others = [_text(f"A long text without any bearing number {number} at all") for number in range(9)]
    memory = recall([[*others], [request]], frozenset(ids_of("the bank")), frozenset())
    assert memory[0].words == request.words
    assert memory[0].age == 1
    assert len(memory) == MEMORY


def test_what_is_in_sight_need_not_be_remembered() -> None:
    text = _text("Something to read here")
    assert recall([[text]], frozenset(), frozenset({text.words})) == []
    assert [each.words for each in recall([[text]], frozenset(), frozenset())] == [text.words]


def test_a_text_seen_twice_is_remembered_once_and_as_the_later_one() -> None:
    text = _text("Something to read here")
    (memory,) = recall([[text], [], [text]], frozenset(), frozenset())
    assert memory.age == 1


def test_long_texts_are_cut_in_arrays() -> None:
    words = tuple(range(1, 40))
    arrays = to_arrays(recall([[_text(words)]], frozenset(), frozenset()))
    assert arrays["memory_words"].shape == (1, MEMORY, MEMORY_WORDS)
    assert arrays["memory_words"][0, 0].tolist() == list(words[:MEMORY_WORDS])
    assert arrays["memory_numbers"][0, :, 0].tolist() == [1] + [0] * (MEMORY - 1)


def test_a_text_with_a_number_to_carry_is_kept_before_longer_ones_and_with_its_number() -> None:
    code = _text("Use 980328 to sign in", "980328")
    others = [_text(f"A long text that says nothing at all about text {number} here") for number in range(9)]
    memory = recall([[*others, code]], frozenset(), frozenset())
    assert memory[0].value == "980328"
    assert to_arrays(memory)["memory_numbers"][0, :, 3].tolist() == [1, 0, 0, 0, 0, 0]


def test_long_numbers_are_taken_as_one_would_type_them() -> None:
    assert long_number_in("Use 980328 to sign in") == "980328"
    assert long_number_in("Mobile +1 555-798 6305") == "+15557986305"
    assert long_number_in("at 09:30, 12 of 15") == ""


def test_words_are_shared_and_no_word_is_not() -> None:
    history, memory = torch.tensor([[[0]]]), torch.tensor([[[0, 0]]])
    goal = torch.tensor([[[3, 0, 0], [4, 5, 4], [0, 0, 0]]])
    elements = torch.tensor([[[5, 9], [0, 0], [3, 4]]])
    met = meet(history, memory, goal, elements)[0]  # situation, history, memory, 3 words, 3 elements
    assert met[3:6, 6:].tolist() == [[0, 0, 1], [1, 0, 1], [0, 0, 0]]
    assert met.sum() == 6


def test_meetings_are_mutual_and_only_between_different_sorts() -> None:
    history, memory = torch.tensor([[[7]]]), torch.tensor([[[8]]])
    goal, elements = torch.tensor([[[7], [8]]]), torch.tensor([[[7], [7], [9]]])
    met = meet(history, memory, goal, elements)[0]  # situation, history, memory, 2 words, 3 elements
    assert torch.equal(met, met.T)
    assert met[1].tolist() == [0, 0, 0, 1, 0, 1, 1, 0]
    assert met[2].tolist() == [0, 0, 0, 0, 1, 0, 0, 0]
    assert met[5, 6] == 0  # two elements with the same label


def test_a_time_is_also_its_hour_and_its_minute() -> None:
    assert set(ids_of("09") + ids_of("30")) < set(ids_of("at 09:30"))


def test_endings_do_not_keep_words_apart() -> None:
    assert stem("Locking") == stem("locked") == stem("locks") == "lock"
    assert stem("swimming") == "swim"
    assert stem("glass") == "glass"
    assert stem("red") == "red"


def test_a_price_counts_before_other_numbers() -> None:
    assert number_in("Hose 15 m, $24.90") == number_in("24.90")


def test_the_other_number_is_the_first_one_besides() -> None:
    assert other_number_in("4.3 stars · Café · 3.7 km") == number_in("3.7")
    assert other_number_in("Hose, 4.5 stars, $24.90, 12 left") == number_in("4.5")
    assert other_number_in("at 09:30 in room 12") == number_in("12")
    assert other_number_in("only 3") == other_number_in("none") == 0.0


def test_a_duration_is_one_number() -> None:
    assert number_in("Waltz · 3:45") > number_in("Waltz · 3:20") > number_in("Waltz · 3") > 0


def _step(goal: list[int], elements: list[int], kind: int) -> StepFeatures:
    return {
        "goal_words": np.array([goal], np.uint16)[:, :, None],
        "element_words": np.array([elements], np.uint16)[:, :, None],
        "element_classes": np.ones((1, len(elements)), np.uint16),
        "element_numbers": np.zeros((1, len(elements), ELEMENT_NUMBERS), np.float16),
        "element_traits": np.zeros((1, len(elements), TRAITS), np.uint16),
        "history_words": np.zeros((1, 5, 8), np.uint16),
        "memory_words": np.zeros((1, MEMORY, MEMORY_WORDS), np.uint16),
        "action": np.array([[kind, 0, -1]], np.int16),
    }


def test_a_disguise_replaces_rare_words_everywhere_and_leaves_common_ones() -> None:
    common, tap = 11, KINDS.index("tap")
    steps = [_step([common, 100 + number], [100 + number, 12], tap) for number in range(20)]
    changed = Disguise(steps, share=1.0, seed=0)(steps[3])
    goal, elements = changed["goal_words"].ravel().tolist(), changed["element_words"].ravel().tolist()
    assert goal[0] == common
    assert elements[1] == 12  # not a word of the goal
    assert goal[1] == elements[0] != 103
    assert 0 < goal[1] < VOCABULARY
    assert steps[3]["goal_words"].ravel().tolist() == [common, 103]  # the original stays


def test_a_disguise_spares_rare_words_that_nothing_on_the_phone_can_be_matched_with() -> None:
    tap, type_ = KINDS.index("tap"), KINDS.index("type")
    pages = [_step([11, 100 + number], [12], tap) for number in range(20)]
    assert Disguise(pages, share=1.0, seed=0)(pages[3]) is pages[3]
    copied = [_step([100 + number, 200 + number], [12], type_) for number in range(20)]
    for step in copied:
        step["action"] = np.array([[type_, 1, 1]], np.int16)
    goal = Disguise(copied, share=1.0, seed=0)(copied[3])["goal_words"].ravel().tolist()
    assert goal[0] == 103
    assert goal[1] != 203


def test_names_of_things_compared_are_disguised_too() -> None:
    tap = KINDS.index("tap")
    steps = [_step([11, 12, 100 + number], [11, 21, 22, 23], tap) for number in range(20)]
    step = steps[0]
    step["element_classes"][0, 3] = 2  # of another kind
    assert Disguise(steps, share=1.0, seed=0)(step) is step
    step["element_traits"][0, 0, 1] = 5  # the touched one is the most of its column
    changed = Disguise(steps, share=1.0, seed=0)(step)
    words = changed["element_words"].ravel().tolist()
    assert (words[0], words[3]) == (11, 23)
    assert words[1] != 21
    assert words[2] != 22
    assert changed["goal_words"].ravel().tolist() == [11, 12, 100]


def test_no_disguise_hides_which_app_to_launch() -> None:
    steps = [_step([11, 100 + number], [12], LAUNCH) for number in range(20)]
    disguise = Disguise(steps, share=1.0, seed=0)
    assert all(disguise(step) is step for step in steps)
    assert Disguise(steps, share=0.0, seed=0)(steps[0]) is steps[0]

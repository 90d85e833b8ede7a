import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.errors import TaskError
from distrl.records import Condition, Task
from distrl.tasks.dealing import split_pool
from distrl.tasks.suite import TaskSuite
from distrl.tasks.templates import Draft, Draw, Recipe, build_suite, equals, quote, tap

SHARES = {"train": 3.0, "val": 1.0, "test": 1.0}


@given(st.integers(3, 60))
def test_a_pool_is_dealt_out_whole_and_to_everyone(size: int) -> None:
    dealt = split_pool(range(size), SHARES)
    assert sorted(value for values in dealt.values() for value in values) == list(range(size))
    assert all(dealt.values())
    if size >= 5:
        assert len(dealt["train"]) == pytest.approx(size * 3 / 5, abs=1.5)


def test_a_pool_too_small_for_the_splits_is_refused() -> None:
    with pytest.raises(TaskError, match="2 values"):
        split_pool((1, 2), SHARES)


def colour_template(draw: Draw) -> Draft:
    colour = draw.own(("red", "green", "blue", "black", "white", "pink", "grey"))
    goal = draw.any(("Paint it {}", "Make it {}")).format(colour)
    return Draft(goal, (equals("colour", colour),), {"colour": "getprop colour"}, (tap(colour),))


RECIPE = Recipe("paint", "1", {"colour": colour_template}, {"train": 3, "val": 1, "test": 1})


def test_a_recipe_always_gives_the_same_suite_with_its_own_values_in_each_split() -> None:
    suite = build_suite(RECIPE)
    assert build_suite(RECIPE).digest() == suite.digest()
    assert suite.splits() == ("train", "val", "test")
    wanted = [{task.check[0].value for task in suite.tasks(split)} for split in suite.splits()]
    assert not (wanted[0] & wanted[1] | wanted[0] & wanted[2] | wanted[1] & wanted[2])
    for task in suite.tasks("train"):
        assert task.setup[0].startswith("simphone world ")
        assert suite.plan(task) == (tap(task.check[0].value),)


def test_an_exhausted_template_is_named() -> None:
    with pytest.raises(TaskError, match="colour"):
        build_suite(Recipe("paint", "1", {"colour": colour_template}, {"train": 30, "val": 1, "test": 1}))


def test_unknown_splits_are_refused() -> None:
    with pytest.raises(TaskError, match="train, val, test"):
        build_suite(RECIPE).tasks("nothing")


def test_the_digest_notices_every_change() -> None:
    suite = build_suite(RECIPE)
    tasks = [task for split in suite.splits() for task in suite.tasks(split)]
    plans = {task.id: suite.plan(task) or () for task in tasks}
    same = TaskSuite("paint", "1", tasks, plans)
    assert same.digest() == suite.digest()
    changed = [msgspec.structs.replace(tasks[0], max_steps=99), *tasks[1:]]
    assert TaskSuite("paint", "1", changed, plans).digest() != suite.digest()
    assert TaskSuite("paint", "1", tasks, {**plans, tasks[0].id: ()}).digest() != suite.digest()
    assert TaskSuite("paint", "2", tasks, plans).digest() != suite.digest()


def test_unusable_tasks_are_refused_all_together() -> None:
    one = Task("a", "Do", "s", "train", 5, probes={"p": "x"}, check=(Condition("p", "matches", "("),))
    with pytest.raises(TaskError) as caught:
        TaskSuite("s", "1", [one, msgspec.structs.replace(one, split="test")], {})
    for expected in ("used twice", "goal of split train in split test", "regular expression"):
        assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("text", "word"), [("plain", "plain"), ("two words", "'two words'"), ("it's", "'it'\\''s'")]
)
def test_quoting(text: str, word: str) -> None:
    assert quote(text) == word

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.errors import TaskError
from distrl.records import Condition, Task
from distrl.tasks.dealing import split_pool
from distrl.tasks.suite import Index, TaskSuite
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


def test_further_training_tasks_keep_to_what_training_may_use() -> None:
    suite = build_suite(RECIPE)
    task = suite.tasks("train")[0]
    mine = {each.check[0].value for each in suite.tasks("train")}
    drawn = [suite.vary(task, seed) for seed in range(40)]
    assert {each.check[0].value for each in drawn} >= mine
    held = {each.check[0].value for split in ("val", "test") for each in suite.tasks(split)}
    assert not held & {each.check[0].value for each in drawn}
    assert len({each.goal for each in drawn}) > len(mine), "the same thing is asked for in other words too"
    assert drawn == [suite.vary(drawn[0], seed) for seed in range(40)], "the seed decides"
    for seed, each in enumerate(drawn):
        assert (each.id, each.origin, each.split) == (f"{task.id}#{seed}", task.id, "train")
        assert suite.plan(each) == (tap(each.check[0].value),)


def test_tasks_are_found_by_their_ids_wherever_they_come_from() -> None:
    suite = build_suite(RECIPE)
    index = Index(suite)
    train, test = suite.tasks("train")[0], suite.tasks("test")[0]
    assert index.get(train.id) is train
    assert index.get(test.id) is test
    drawn = suite.vary(train, 17)
    assert index.get(drawn.id) == drawn
    for wrong in (f"{test.id}#3", f"{train.id}#x", f"{train.id}#", "nothing", "nothing#1"):
        assert index.get(wrong) is None
    assert Index(TaskSuite("paint", "1", [train], {})).get(drawn.id) is None


def test_a_suite_without_templates_has_only_the_tasks_it_lists() -> None:
    task = Task("a", "Do", "s", "train", 5)
    suite = TaskSuite("s", "1", [task], {})
    assert suite.vary(task, 3) is task
    assert suite.plan(task) is None


def test_where_nothing_else_can_be_drawn_the_task_stays() -> None:
    def held_back(draw: Draw) -> Draft:
        return Draft("Wash it", (equals("state", "clean"),), {"state": "getprop state"}, (tap("Wash"),))

    recipe = Recipe("paint", "1", {"colour": colour_template, "wash": held_back}, {"train": 1, "test": 1},
                    {"wash": {"test": 1}})  # fmt: skip
    suite = build_suite(recipe)
    task = msgspec.structs.replace(suite.tasks("test")[-1], split="train")
    assert task.family == "wash"
    assert suite.vary(task, 1) is task


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

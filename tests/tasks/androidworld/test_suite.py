"""The list of AndroidWorld's tasks, read from an installation."""

from __future__ import annotations

from pathlib import Path

import pytest

from distrl.assembly import fitted
from distrl.config import RunConfig
from distrl.errors import TaskError
from distrl.interfaces import Suite
from distrl.tasks import androidworld, find_suite
from distrl.tasks.androidworld import SPLITS, AndroidWorldSuite

KINDS = 7  # that the stand-in can make


@pytest.mark.usefixtures("phone_file")
def test_every_kind_is_there_with_the_seeds_of_each_split() -> None:
    suite = find_suite("androidworld")
    assert isinstance(suite, Suite)
    assert {split: len(suite.tasks(split)) for split in suite.splits()} == {
        split: KINDS * count for split, (_, count) in SPLITS.items()
    }
    task = next(task for task in suite.tasks("val") if task.family == "Dial")
    assert task.max_steps == 20
    assert task.setup == ("androidworld begin Dial 1000",)
    assert suite.plan(task) is None


@pytest.mark.usefixtures("phone_file")
def test_seeds_make_parameters_and_the_same_ones_again() -> None:
    goals = [task.goal for split in SPLITS for task in AndroidWorldSuite().tasks(split) if "Dial" in task.id]
    assert len(set(goals)) == len(goals) > 1
    digest = AndroidWorldSuite().digest()
    androidworld._listed.cache_clear()
    assert AndroidWorldSuite().digest() == digest


@pytest.mark.usefixtures("phone_file")
def test_what_cannot_be_made_is_left_out_and_said() -> None:
    assert AndroidWorldSuite().left_out == {"Unmakable": "KeyError: 'missing'"}


@pytest.mark.usefixtures("phone_file")
def test_patterns_choose_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISTRL_ANDROIDWORLD_TASKS", "Turn*, Half")
    assert {task.family for task in AndroidWorldSuite().tasks("train")} == {"TurnOn", "Half"}
    monkeypatch.setenv("DISTRL_ANDROIDWORLD_TASKS", "Nothing*")
    with pytest.raises(TaskError, match=r"no task called Nothing\*; correct DISTRL_ANDROIDWORLD_TASKS"):
        AndroidWorldSuite()


@pytest.mark.usefixtures("phone_file")
def test_unknown_splits_are_refused() -> None:
    with pytest.raises(TaskError, match="no split 'dev'; it has train, val, test"):
        AndroidWorldSuite().tasks("dev")


def test_a_python_that_is_missing_or_has_no_androidworld_is_one_sentence(
    phone_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del phone_file
    monkeypatch.setenv("PYTHONPATH", "")
    with pytest.raises(TaskError, match=r"cannot import AndroidWorld \(ModuleNotFoundError: .*android_world"):
        find_suite("androidworld")
    monkeypatch.setenv("DISTRL_ANDROIDWORLD_PYTHON", "/no/such/python")
    with pytest.raises(TaskError, match="'/no/such/python' is no program; name the Python of your"):
        find_suite("androidworld")
    monkeypatch.delenv("DISTRL_ANDROIDWORLD_PYTHON")
    with pytest.raises(TaskError, match="it is not set"):
        find_suite("androidworld")


def test_its_device_is_chosen_without_asking_the_installation() -> None:
    assert fitted(RunConfig(suite="androidworld")).device.kind == "androidworld"

"""Demonstrations from files become trajectories: repeated on a phone, or with the screens they bring."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from distrl import assembly
from distrl.config import resolve
from distrl.demonstration_files import Handed, hand_over, read_files, shorten
from distrl.demonstrators import Order, Stage, Troupe
from distrl.errors import TaskError
from distrl.interfaces import Device
from distrl.records import Outcome, Trajectory
from distrl.tasks.demonstrations import save

CONFIG = resolve("tiny", overrides=["device.picture_scale=0.25"])
SUITE = assembly.make_suite(CONFIG)


def quiet(stage: str, done: int, of: int) -> None:
    """Nobody looks."""


def phones() -> list[Device]:
    return assembly.make_devices(CONFIG, 3, 0)


def use(*paths: Path) -> Handed:
    return asyncio.run(hand_over(read_files(paths, SUITE), phones, assembly.make_judge(CONFIG), quiet))


@pytest.fixture(scope="module")
def expert() -> list[Trajectory]:
    return Troupe(Stage(SUITE, phones, assembly.make_judge(CONFIG))).show(Order(8, 0.1, 3), quiet)


def test_the_expert_demonstrates_the_same_every_time(expert: list[Trajectory]) -> None:
    stage = Stage(SUITE, lambda: phones()[:1], assembly.make_judge(CONFIG))
    again = Troupe(stage).show(Order(8, 0.1, 3), quiet)
    assert [shown.task.id for shown in again] == [shown.task.id for shown in expert]
    assert [shown.verdict for shown in again] == [shown.verdict for shown in expert]
    assert {shown.task.split for shown in expert} == {"train"}


def test_actions_alone_are_repeated_to_the_same_screens(expert: list[Trajectory], tmp_path: Path) -> None:
    solved = [shown for shown in expert if shown.success]
    save(tmp_path / "short.jsonl", [shorten(shown) for shown in solved])
    handed = use(tmp_path / "short.jsonl")
    assert handed.left_out == []
    assert [shown.id for shown in handed.solutions] == [shown.id for shown in solved]
    for before, after in zip(solved, handed.solutions, strict=True):
        assert [s.observation.screenshot for s in after.steps] == [
            s.observation.screenshot for s in before.steps
        ]
        assert [s.observation.ui for s in after.steps] == [s.observation.ui for s in before.steps]
        assert [s.decision.slip for s in after.steps] == [s.decision.slip for s in before.steps]
        assert [str(s.decision.meant) for s in after.steps] == [str(s.decision.meant) for s in before.steps]
    assert any(s.decision.slip for shown in solved for s in shown.steps)


def test_recorded_episodes_are_judged_again_by_the_check(expert: list[Trajectory], tmp_path: Path) -> None:
    good = next(shown for shown in expert if shown.success)
    boast = msgspec.structs.replace(good, id="boast", answers=dict.fromkeys(good.answers, "nothing"))
    silent = msgspec.structs.replace(good, id="silent", answers={})
    save(tmp_path / "full.jsonl", [good, boast, silent])
    handed = use(tmp_path / "full.jsonl")
    assert [shown.id for shown in handed.solutions] == [good.id, "silent"]
    assert len(handed.left_out) == 1
    assert handed.left_out[0].startswith("full.jsonl, line 2: failure, ")


def test_an_episode_that_does_not_solve_its_task_is_left_out(tmp_path: Path) -> None:
    task = SUITE.tasks("train")[0].id
    (tmp_path / "lazy.jsonl").write_text(json.dumps({"task": task, "steps": [{"action": "done"}]}))
    handed = use(tmp_path / "lazy.jsonl")
    assert handed.solutions == []
    assert "line 1: failure" in handed.left_out[0]


def test_screens_may_come_as_pictures_with_a_tree(tmp_path: Path) -> None:
    Image.new("RGB", (200, 400), "white").save(tmp_path / "1.png")
    Image.new("RGB", (200, 400), "black").save(tmp_path / "2.jpg")
    button = {"text": "OK", "class": "android.widget.Button", "bounds": [0, 0, 400, 200], "clickable": True}
    steps = [
        {"action": "tap 0.5 0.1", "screen": "1.png", "ui": [button], "size": [400, 800], "app": "com.shop"},
        {"action": "done", "screen": "2.jpg"},
    ]
    line = {"goal": "Press OK", "by": "ada", "outcome": "success", "steps": steps}
    (tmp_path / "own.jsonl").write_text(json.dumps(line))
    (shown,) = use(tmp_path / "own.jsonl").solutions
    first, second = (step.observation for step in shown.steps)
    assert (first.width, first.height, first.screenshot.width) == (400, 800, 200)
    assert first.ui is not None
    assert (first.ui[0].text, first.ui[0].class_name) == ("OK", "android.widget.Button")
    assert (second.screenshot.encoding, second.width, second.ui) == ("jpeg", 200, None)
    assert shown.verdict.outcome is Outcome.SUCCESS
    assert shown.verdict.judge == "ada"
    policy = assembly.make_policy(CONFIG, 0)
    assert all(step.decision.tokens for step in policy.translate(shown).steps)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"steps": [{"action": "tapp 1 2"}, {"action": "done"}]}, "step 1: 'tapp 1 2' means nothing"),
        ({"steps": [{"action": ""}, {"action": "done"}]}, "step 1: '' means nothing"),
        (
            {"steps": [{"action": "back", "meant": "fly"}, {"action": "done"}]},
            "step 1: 'fly' means nothing",
        ),
        ({"steps": [{"action": "done"}, {"action": "back"}]}, "step 2: the action before it has ended"),
        ({"steps": [{"action": "back"}]}, "ends with `done`"),
        ({"language": "klingon", "steps": [{"action": "done"}]}, "no action language 'klingon'"),
        ({"outcome": "success", "steps": [{"action": "done", "screen": "no.png"}]}, "cannot be read"),
        ({"outcome": "success", "steps": [{"action": "done", "screen": "bad.png"}]}, "is not a picture"),
    ],
)
def test_one_bad_line_keeps_the_whole_file_out(line: dict[str, object], words: str, tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_text("no pixels")
    task = SUITE.tasks("train")[0].id
    good = {"task": task, "steps": [{"action": "done"}]}
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in (good, {"task": task, **line})))
    with pytest.raises(TaskError, match="cannot be used") as raised:
        read_files([path], SUITE)
    assert f"line 2{', ' if words.startswith('step') else ''}" in str(raised.value)
    assert words in str(raised.value)

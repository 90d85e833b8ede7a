"""The warm start: cached by all it depends on, from the expert and from files, honest about weak families."""

from __future__ import annotations

from pathlib import Path

import pytest

from distrl import assembly
from distrl import run as runs
from distrl.config import RunConfig, resolve
from distrl.demonstration_files import shorten
from distrl.demonstrators import Order, Progress, Troupe
from distrl.errors import TaskError
from distrl.evaluate import Evaluation, rate
from distrl.records import Trajectory
from distrl.tasks import find_suite
from distrl.tasks.demonstrations import save
from distrl.warmstart import WarmStart, hopeless_families, stuck_families, tells_enough, warning

STAGES: list[str] = []


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    STAGES.clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "distrl" / "warmstart"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = configure()
    shown = Troupe(assembly.make_stage(config)).show(Order(4, 0.0, 5), note)
    path = tmp_path_factory.mktemp("demos") / "human.jsonl"
    save(path, [shorten(trajectory) for trajectory in shown])
    return path


def configure(*overrides: str) -> RunConfig:
    return resolve("tiny", overrides=["device.picture_scale=0.25", "warmstart.demonstrations=4", *overrides])


def note(stage: str, done: int, of: int) -> None:
    STAGES.append(stage)


def start(*overrides: str, fresh: bool = False) -> tuple[bytes, WarmStart]:
    policy, started = runs.warm_policy(configure(*overrides), note, fresh=fresh)
    return policy.export(), started


def test_the_second_time_it_comes_from_the_cache(own_cache: Path) -> None:
    weights, first = start()
    assert not first.cached
    assert set(STAGES) == {"demonstrations", "cloning"}
    assert first.file is not None
    assert first.file.parent == own_cache
    STAGES.clear()
    same, second = start()
    assert second.cached
    assert STAGES == []
    assert (same, second.file) == (weights, first.file)
    anew, third = start(fresh=True)
    assert not third.cached
    assert anew == weights, "the same settings gave other weights"


def test_the_rest_of_the_demonstrations_goes_where_it_is_hard(monkeypatch: pytest.MonkeyPatch) -> None:
    orders: list[Order] = []
    show = Troupe.show

    def watched(self: Troupe, order: Order, progress: Progress) -> list[Trajectory]:
        orders.append(order)
        return show(self, order, progress)

    monkeypatch.setattr(Troupe, "show", watched)
    _, started = start("warmstart.demonstrations=120", "warmstart.processes=1", "warmstart.evenly=0.4")
    first, probe, rest = orders
    assert [order.count for order in orders] == [56, 56, 8]
    assert not first.shares
    assert not probe.shares, "a few of all families, to see how hard they are"
    assert len({order.seed for order in orders}) == 3
    assert set(rest.shares) == {task.family for task in find_suite("starter").tasks("train")}
    assert min(rest.shares.values()) > 0
    assert len(set(rest.shares.values())) > 1
    assert len(first.shown) < len(probe.shown) < len(rest.shown)
    assert started.metrics["slips"] > 0
    assert not first.pupil
    assert probe.pupil, "the second half shows what the pupil does wrong"
    assert rest.pupil
    assert {order.noise for order in orders} == {0.15}
    orders.clear()
    start("warmstart.demonstrations=60", "warmstart.processes=1", "warmstart.pupil=0", "warmstart.noise=0.3")
    assert [(order.count, order.noise, order.pupil) for order in orders] == [(56, 0.3, b""), (4, 0.3, b"")]
    orders.clear()
    start("warmstart.demonstrations=12", "warmstart.evenly=1")
    assert [order.count for order in orders] == [12]


def test_train_finds_what_warmstart_has_made(tmp_path: Path) -> None:
    weights, _ = start()
    folder = runs.create(tmp_path / "run", configure("algorithm.kind=digirl", "mode=sync"))
    assert runs.prepare(folder, note) == {"cached": 1.0}
    assert runs.load_policy(folder, 0).export() == weights


@pytest.mark.parametrize(
    "override", ["seed=1", "warmstart.noise=0", "warmstart.pupil=0", "warmstart.epochs=2", "policy.width=48"]
)
def test_what_matters_makes_another_one(override: str) -> None:
    start()
    assert not start(override)[1].cached


def test_files_stand_beside_the_expert_or_alone(written: Path, own_cache: Path) -> None:
    setting = f"warmstart.files=[{written}]"
    _, both = start(setting)
    assert both.metrics["demonstrations"] > 4
    STAGES.clear()
    _, alone = start(setting, "warmstart.demonstrations=0")
    assert alone.metrics["demonstrations"] == 4
    assert set(STAGES) == {"repeating", "cloning"}
    assert both.file != alone.file
    assert start(setting, "warmstart.demonstrations=0")[1].cached


def test_other_content_of_a_file_makes_another_one(written: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(written.read_bytes())
    setting = f"warmstart.files=[{copy}]"
    start(setting)
    assert start(f"warmstart.files=[{written}]")[1].cached, "the name of a file matters, not only its content"
    copy.write_bytes(b"".join(copy.read_bytes().splitlines(keepends=True)[1:]))
    assert not start(setting)[1].cached


def test_bad_files_are_found_before_a_run_is_made(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"task": "starter/val/toggle-00", "steps": [{"action": "done"}]}')
    with pytest.raises(TaskError, match="of split 'val'"):
        runs.create(tmp_path / "run", configure(f"warmstart.files=[{tmp_path / 'bad.jsonl'}]"))
    assert not (tmp_path / "run").exists()


def test_files_without_a_solution_are_refused(tmp_path: Path, own_cache: Path) -> None:
    (tmp_path / "lazy.jsonl").write_text('{"task": "starter/train/toggle-00", "steps": [{"action": "done"}]}')
    with pytest.raises(TaskError, match="none of the 1 demonstrations"):
        start(f"warmstart.files=[{tmp_path / 'lazy.jsonl'}]")
    assert not list(own_cache.glob("*"))


def test_nothing_to_imitate_is_no_warm_start() -> None:
    _, started = start("warmstart.demonstrations=0")
    assert started == WarmStart(None, False, {})


def evaluation(**families: tuple[int, int]) -> Evaluation:
    rates = {name: rate([True] * solved + [False] * (of - solved)) for name, (solved, of) in families.items()}
    return Evaluation(
        suite="", suite_version="", suite_digest="", split="val", policy_version=0, greedy=False, seed=0,
        rate=rate([]), by_family=rates, by_level={}, unknown=0, mean_steps=0, said_done=0, seconds=0,
    )  # fmt: skip


def test_families_near_zero_are_named() -> None:
    sampled = evaluation(good=(3, 4), weak=(1, 40), none=(0, 4), rare=(0, 1), turned=(0, 4))
    greedy = evaluation(good=(4, 4), weak=(0, 40), none=(0, 4), rare=(0, 1), turned=(2, 4))
    assert hopeless_families([sampled, greedy]) == ["none", "weak"]
    text = warning(["none", "weak"], 5)
    assert text.startswith("2 of 5 families start near 0 %: none, weak.")
    assert warning([], 5) == ""
    assert stuck_families([sampled], [greedy]) == ["none", "weak"]  # `turned` got better
    assert warning(["none"], 5, still=True).startswith("1 of 5 families are still near 0 %: none.")
    assert tells_enough([sampled])
    assert not tells_enough([evaluation(one=(0, 1), two=(0, 2))])

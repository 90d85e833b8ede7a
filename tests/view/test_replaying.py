"""`distrl replay show`, `export` and `import` and `distrl track`, as a person meets them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image
from typer.testing import CliRunner

from distrl.cli import app
from distrl.config import resolve
from distrl.errors import ConfigError, DistrlError, ReplayError, RunError
from distrl.recording import Recorder, RunFolder
from distrl.records import Ending, Trajectory
from distrl.replay import iterate, open_replay
from distrl.testing.trajectories import make_trajectory
from distrl.view import replaying


def make_run(path: Path, *trajectories: Trajectory) -> RunFolder:
    async def fill() -> None:
        replay = open_replay(folder.replay_file, folder.config().replay)
        for trajectory in trajectories:
            await replay.add(trajectory)
        replay.close()

    folder = RunFolder.create(path, resolve("tiny"))
    asyncio.run(fill())
    return folder


def speaking(trajectory: Trajectory, language: str) -> Trajectory:
    steps = [replace(one, decision=replace(one.decision, language=language)) for one in trajectory.steps]
    return replace(trajectory, steps=tuple(steps))


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    faulty = make_trajectory("deadbeef02", task="shop/buy", success=False, version=(1, 2, 3), size=(64, 96))
    faulty = replace(faulty, steps=(replace(faulty.steps[0], fault="hung for 3 s"), *faulty.steps[1:]))
    lost = make_trajectory("c0ffee03", steps=0, ending=Ending.DEVICE_LOST)
    return make_run(tmp_path / "run", make_trajectory("deadbeef01"), faulty, lost)


def distrl(*arguments: object) -> str:
    """What a command prints; its error is raised."""
    result = CliRunner(env={"COLUMNS": "120"}).invoke(app, [str(one) for one in arguments])
    if result.exception is not None:
        raise result.exception
    return result.output


def test_the_list_has_a_line_for_each(run: RunFolder) -> None:
    out = distrl("replay", "show", run.path)
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["deadbeef", "deadbeef", "c0ffee03"]
    assert "shop/buy" in out
    assert "1–3" in out
    assert "device lost" in out
    assert len(json.loads(distrl("replay", "show", run.path, "--json"))) == 3


def test_the_list_can_be_narrowed(run: RunFolder) -> None:
    def ids(*options: str) -> list[str]:
        return [one["id"] for one in json.loads(distrl("replay", "show", run.path, "--json", *options))]

    assert ids("--outcome", "failure") == ["deadbeef02"]
    assert ids("--task", "shop") == ["deadbeef02"]
    assert ids("--ending", "device-lost") == ["c0ffee03"]
    assert ids("--last", "1") == ["c0ffee03"]
    assert ids("--last", "0") == ["deadbeef01", "deadbeef02", "c0ffee03"]
    assert "no such trajectory" in distrl("replay", "show", run.path, "--task", "none")


def test_one_is_told_step_by_step_and_drawn(run: RunFolder, tmp_path: Path) -> None:
    film = tmp_path / "x.gif"
    out = distrl("replay", "show", run.path, "deadbeef02", "-o", film)
    for words in ("Press the OK button", "tap “OK”", "-0.750", "hung for 3 s", "made up", "x.gif"):
        assert words in out
    with Image.open(film) as image:
        assert getattr(image, "n_frames", 1) == 4
    plain = json.loads(distrl("replay", "show", run.path, "deadbeef02", "--json"))
    assert [step["decision"]["version"] for step in plain["steps"]] == [1, 2, 3]
    assert "device lost" in distrl("replay", "show", run.path, "c0f")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "RUN", "deadbeef"], "2 trajectories begin with 'deadbeef'"),
        (["show", "RUN", "xyz"], "'xyz' is not among them"),
        (["show", "RUN", "--outcome", "good"], "none of success, failure, unknown"),
        (["show", "RUN", "--ending", "soon"], "none of agent_done"),
        (["show", "RUN", "-o", "x.gif"], "name the trajectory to save"),
        (["show", "RUN", "c0ffee03", "-o", "x.xyz"], "cannot write x.xyz"),
        (["export", "RUN", "out.csv"], "should end in .parquet"),
        (["export", "RUN", "none/out.parquet"], "the folder none does not exist"),
        (["import", "none.parquet", "--into", "RUN"], "none.parquet cannot be read"),
        (["import", "none.parquet", "--into", "nowhere"], "not a run folder"),
    ],
)
def test_bad_input_is_one_sentence(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    monkeypatch.chdir(run.path.parent)
    with pytest.raises(DistrlError, match=sentence):
        distrl("replay", *(str(run.path) if one == "RUN" else one for one in arguments))
    assert [one.name for one in run.path.parent.iterdir()] == ["run"]


def test_an_export_is_not_overwritten_by_accident(run: RunFolder, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    assert "3 trajectories in 9 rows" in distrl("replay", "export", run.path, out)
    with pytest.raises(ConfigError, match="exists; choose another name, or add --overwrite"):
        distrl("replay", "export", run.path, out, "--limit", "1")
    assert "1 trajectories" in distrl("replay", "export", run.path, out, "--limit", "1", "--overwrite")


def test_an_import_adds_to_a_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from distrl.assembly import make_policy

    language = make_policy(resolve("tiny"), 0).language
    made = [speaking(make_trajectory(f"t{at}", seed=at), language) for at in range(5)]
    source, target = make_run(tmp_path / "a", *made), make_run(tmp_path / "b", made[3])
    distrl("replay", "export", source.path, tmp_path / "a.parquet")
    done = "4 trajectories added, 1 were known already"
    assert done in distrl("replay", "import", tmp_path / "a.parquet", "--into", target.path)
    assert "0 trajectories added, 5" in distrl(
        "replay", "import", tmp_path / "a.parquet", "--into", target.path
    )
    assert sorted(iterate(target.replay_file), key=lambda one: one.id) == made


def test_an_import_refuses_what_the_run_cannot_learn_from(run: RunFolder, tmp_path: Path) -> None:
    distrl("replay", "export", run.path, tmp_path / "a.parquet")
    target = make_run(tmp_path / "b")
    with pytest.raises(ReplayError, match=r"in the language 'testing', but .* nothing was imported"):
        distrl("replay", "import", tmp_path / "a.parquet", "--into", target.path)
    assert list(iterate(target.replay_file)) == []


def test_import_and_track_refuse_while_the_run_is_trained(run: RunFolder, tmp_path: Path) -> None:
    distrl("replay", "export", run.path, tmp_path / "a.parquet")
    with run.lock():
        with pytest.raises(RunError, match="is in use by process"):
            distrl("replay", "import", tmp_path / "a.parquet", "--into", run.path)
        with pytest.raises(RunError, match="is in use by process"):
            distrl("track", run.path)
        assert "3 trajectories" in distrl("replay", "show", run.path)


def test_without_pyarrow_the_extra_is_named(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"pip install 'distrl\[data\]'"):
        replaying.export_replay(
            run.path,
            tmp_path / "a.parquet",
            replaying.selection(None, None),
            None,
            images=True,
            overwrite=False,
        )


def test_track_writes_the_curves_of_an_old_run(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(run, "learner")
    recorder.metrics("learner", {"update": 1.0})
    recorder.close()
    assert "1 records are tracked" in distrl("track", run.path)
    assert list((run.path / "tensorboard").glob("events.*"))
    monkeypatch.setitem(__import__("sys").modules, "wandb", None)
    with pytest.raises(RunError, match="W&B is off: wandb: not installed"):
        distrl("track", run.path, "--wandb", "phones")

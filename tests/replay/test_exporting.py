"""What is exported comes back the same; what is no export is refused, and nothing is done by halves."""

import asyncio
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from distrl.config import ReplayConfig
from distrl.errors import ReplayError
from distrl.imaging import decode_array, encode_image
from distrl.records import Action, ActionKind, Ending, Outcome, Point, Trajectory
from distrl.replay import SqliteReplay, iterate, open_replay, read_stats
from distrl.replay.browsing import Selection
from distrl.replay.columns import COLUMNS, SCHEMA, table_schema, to_picture, to_table
from distrl.replay.exporting import GROUP_ROWS, export
from distrl.replay.importing import adopt, import_into, read_exports
from distrl.replay.rows import to_rows, to_trajectory
from distrl.testing.trajectories import make_trajectory

CONFIG = "suite: testing\n"


def fill(file: Path, *trajectories: Trajectory) -> Path:
    async def add() -> None:
        replay = open_replay(file, ReplayConfig())
        for trajectory in trajectories:
            assert await replay.add(trajectory)
        replay.close()

    asyncio.run(add())
    return file


def varied() -> list[Trajectory]:
    """Every kind of action, picture, ending and absence."""
    plain = make_trajectory("plain", version=(1, 2, 3))
    actions = [
        Action(ActionKind.SWIPE, Point(0.1, 1 / 3), Point(0.9, 0.123456789012345)),
        Action(ActionKind.TYPE, text="Grüße, “quoted” \n 电话"),
        Action(ActionKind.INVALID, text="nonsense"),
        Action(ActionKind.BACK),
    ]
    acted = make_trajectory("acted", steps=4, ending=Ending.STEP_LIMIT, success=False, seed=3)
    acted = replace(
        acted,
        steps=tuple(
            replace(
                step, decision=replace(step.decision, action=action), fault="hung for 3 s" if not at else None
            )
            for at, (step, action) in enumerate(zip(acted.steps, actions, strict=True))
        ),
    )
    seen = [plain.steps[0].observation, replace(plain.steps[1].observation, ui=None)]
    seen.append(replace(plain.steps[2].observation, ui=()))
    treeless = replace(
        plain,
        id="treeless",
        steps=tuple(replace(step, observation=one) for step, one in zip(plain.steps, seen, strict=True)),
        final=None,
    )
    lost = make_trajectory("lost", steps=0, ending=Ending.DEVICE_LOST, outcome=Outcome.UNKNOWN)
    silent = replace(plain.steps[0].decision, tokens=(), logprobs=(), output="")
    speechless = replace(plain, id="speechless", steps=(replace(plain.steps[0], decision=silent),))
    return [plain, acted, treeless, replace(lost, final=None, answers={}), speechless]


def test_what_is_exported_comes_back_the_same(tmp_path: Path) -> None:
    source = fill(tmp_path / "a.sqlite", *varied())
    result = export(source, tmp_path / "a.parquet", config=CONFIG)
    assert result.trajectories == 5
    assert result.rows == sum(len(one.steps) + 1 for one in varied())
    assert list(read_exports([tmp_path / "a.parquet"])) == varied()
    done = import_into(tmp_path / "b.sqlite", ReplayConfig(), read_exports([tmp_path / "a.parquet"]))
    assert done == (5, 0, 0)
    assert list(iterate(tmp_path / "b.sqlite")) == list(iterate(source)) == varied()
    assert read_stats(tmp_path / "b.sqlite") == read_stats(source)


@pytest.mark.parametrize("encoding", ["rgb-zstd", "png", "jpeg"])
def test_pictures_keep_every_pixel(encoding: str, tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (13, 7, 3), dtype=np.uint8)
    trajectory = make_trajectory("a", steps=1)
    shot = encode_image(Image.fromarray(noise), encoding)
    observation = replace(trajectory.steps[0].observation, screenshot=shot)
    trajectory = replace(trajectory, steps=(replace(trajectory.steps[0], observation=observation),))
    export(fill(tmp_path / "a.sqlite", trajectory), tmp_path / "a.parquet", config=CONFIG)
    (back,) = read_exports([tmp_path / "a.parquet"])
    after = back.steps[0].observation.screenshot
    assert (after.encoding, after.width, after.height) == (encoding, 7, 13)
    assert np.array_equal(decode_array(after), decode_array(shot))
    row = pq.read_table(tmp_path / "a.parquet").to_pylist()[0]
    with Image.open(io.BytesIO(row["image"]["bytes"])) as image:
        assert image.format == ("JPEG" if encoding == "jpeg" else "PNG")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=5),
    numbers=st.lists(st.floats(allow_nan=False), min_size=1, max_size=5),
    x=st.floats(0, 1),
)
def test_any_text_and_number_survives(texts: list[str], numbers: list[float], x: float) -> None:
    whole = make_trajectory("t", steps=1)
    action = Action(ActionKind.TYPE, text=texts[0]) if len(texts) % 2 else Action(ActionKind.TAP, Point(x, x))
    decision = replace(
        whole.steps[0].decision,
        action=action,
        output=texts[-1],
        tokens=tuple(range(len(numbers))),
        logprobs=tuple(numbers),
    )
    answers = {f"{index}{text}": text for index, text in enumerate(texts)}
    whole = replace(whole, steps=(replace(whole.steps[0], decision=decision),), answers=answers)
    table = to_table(whole, table_schema(CONFIG), "digest", to_picture)
    assert to_trajectory([row for batch in table.to_batches() for row in to_rows(batch)]) == whole


def test_rows_say_what_users_of_datasets_look_for(tmp_path: Path) -> None:
    source = fill(tmp_path / "a.sqlite", make_trajectory("a", version=(4, 5, 6)))
    export(source, tmp_path / "a.parquet", config=CONFIG)
    schema = pq.read_schema(tmp_path / "a.parquet")
    features = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert list(features) == schema.names == list(COLUMNS)
    assert features["image"] == {"_type": "Image"}
    assert schema.field("image").type == pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    assert features["logprobs"] == [{"dtype": "float64", "_type": "Value"}]
    assert features["ui"][0]["left"] == {"dtype": "int32", "_type": "Value"}
    assert schema.metadata[b"distrl.config"].decode() == CONFIG
    first, _, _, last = pq.read_table(tmp_path / "a.parquet").to_pylist()
    assert first["goal"] == "Press the OK button"
    assert (first["action"], first["action_kind"], first["action_x"]) == ("tap (0.500, 0.250)", "tap", 0.5)
    assert (first["logprob"], first["version"], first["split"]) == (-0.75, 4, "train")
    assert (first["outcome"], first["judge"], first["evidence"]) == ("success", "testing", "made up")
    assert first["ui"][1]["text"] == "OK"
    assert (last["final"], last["action"], last["step"]) == (True, None, 3)
    assert last["image"]["bytes"]


def test_selection_limit_and_pictures_are_options(tmp_path: Path) -> None:
    source = fill(tmp_path / "a.sqlite", *(make_trajectory(f"t{at}", success=at % 2 == 0) for at in range(9)))
    out = tmp_path / "a.parquet"
    failed = Selection(outcome=Outcome.FAILURE)
    assert export(source, out, config=CONFIG, selection=failed).trajectories == 4
    export(source, out, config=CONFIG, selection=failed, limit=2)
    assert [one.id for one in read_exports([out])] == ["t5", "t7"]
    assert export(source, out, config=CONFIG, selection=Selection(task="none")).rows == 0
    assert list(read_exports([out])) == []
    export(source, out, config=CONFIG, images=False)
    assert pq.read_table(out, columns=["image"]).column("image").null_count == 36
    with pytest.raises(ReplayError, match="exported with --no-images"):
        list(read_exports([out]))


def test_an_export_is_written_in_small_groups_with_progress(tmp_path: Path) -> None:
    source = fill(tmp_path / "a.sqlite", *(make_trajectory(f"t{at}") for at in range(60)))
    heard: list[tuple[int, int]] = []
    export(source, tmp_path / "a.parquet", config=CONFIG, progress=lambda done, of: heard.append((done, of)))
    assert heard == [(done, 60) for done in range(1, 61)]
    metadata = pq.read_metadata(tmp_path / "a.parquet")
    groups = [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)]
    assert sum(groups) == 240
    assert max(groups) < GROUP_ROWS + 4


def test_an_export_that_fails_leaves_the_former_file_and_no_remains(tmp_path: Path) -> None:
    source = fill(tmp_path / "a.sqlite", *(make_trajectory(f"t{at}") for at in range(3)))
    out = tmp_path / "out" / "a.parquet"
    out.parent.mkdir()
    out.write_bytes(b"former")

    def full(done: int, of: int) -> None:
        if done == 2:
            raise OSError(28, "No space left on device")

    with pytest.raises(ReplayError, match=r"cannot be written: No space left on device; nothing was left"):
        export(source, out, config=CONFIG, progress=full)
    assert [inside.name for inside in out.parent.iterdir()] == ["a.parquet"]
    assert out.read_bytes() == b"former"


# --- importing


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    source = fill(tmp_path / "source.sqlite", *(make_trajectory(f"t{at}", seed=at) for at in range(6)))
    export(source, tmp_path / "six.parquet", config=CONFIG)
    return tmp_path / "six.parquet"


def test_importing_twice_adds_once(exported: Path, tmp_path: Path) -> None:
    target = fill(tmp_path / "b.sqlite", make_trajectory("t2"), make_trajectory("own"))
    files = [exported, exported]
    assert import_into(target, ReplayConfig(), read_exports(files)) == (5, 7, 0)
    assert import_into(target, ReplayConfig(), read_exports(files)) == (0, 12, 0)
    assert [one.id for one in iterate(target)] == ["t2", "own", "t0", "t1", "t3", "t4", "t5"]
    assert read_stats(target).collected == 7


def test_a_full_replay_lets_the_oldest_go(exported: Path, tmp_path: Path) -> None:
    target = fill(tmp_path / "b.sqlite", make_trajectory("own"))
    assert import_into(target, ReplayConfig(capacity=4), read_exports([exported])) == (6, 0, 3)
    assert [one.id for one in iterate(target)] == ["t2", "t3", "t4", "t5"]


def test_an_imported_replay_can_be_drawn_from(exported: Path, tmp_path: Path) -> None:
    import_into(tmp_path / "b.sqlite", ReplayConfig(), read_exports([exported]))
    replay = open_replay(tmp_path / "b.sqlite", ReplayConfig(min_trajectories=6))
    drawn = asyncio.run(replay.sample(60, version=0)).drawn
    assert {one.trajectory.id for one in drawn} == {f"t{at}" for at in range(6)}
    replay.close()


def test_another_runs_versions_neither_go_stale_at_once_nor_stay_fresh_for_ever(tmp_path: Path) -> None:
    foreign = [make_trajectory("old", version=(1, 2, 3)), make_trajectory("new", version=(900, 900, 901))]
    export(fill(tmp_path / "a.sqlite", *foreign), tmp_path / "a.parquet", config=CONFIG)
    config = ReplayConfig(min_trajectories=1, max_version_gap=10)

    async def drawn_at(replay: SqliteReplay, version: int) -> set[str]:
        return {one.trajectory.id for one in (await replay.sample(20, version=version)).drawn}

    async def import_at(version: int) -> None:
        replay = open_replay(tmp_path / "b.sqlite", config)
        await replay.published(version)
        replay.close()
        import_into(tmp_path / "b.sqlite", config, read_exports([tmp_path / "a.parquet"]), run="b")
        replay = open_replay(tmp_path / "b.sqlite", config)
        assert await drawn_at(replay, version) == {"old", "new"}
        assert await drawn_at(replay, version + 10) == {"old", "new"}
        assert await drawn_at(replay, version + 11) == set()
        replay.close()

    asyncio.run(import_at(100))
    held = list(iterate(tmp_path / "b.sqlite"))
    assert {step.decision.version for one in held for step in one.steps} == {100}
    assert [one.run for one in held] == ["testing", "testing"]
    assert [step.decision.logprobs for step in held[0].steps] == [
        step.decision.logprobs for step in foreign[0].steps
    ]


def test_a_runs_own_export_keeps_its_versions() -> None:
    own = make_trajectory("own", version=(1, 2, 3))
    assert adopt(own, "testing", 3) is own
    namesake = adopt(own, "testing", 2)  # newer than the run itself: another one of that name
    assert [step.decision.version for step in namesake.steps] == [2, 2, 2]


def test_a_fault_in_the_middle_imports_nothing(exported: Path, tmp_path: Path) -> None:
    table = pq.read_table(exported)
    pq.write_table(table.slice(0, len(table) - 2), tmp_path / "cut.parquet")
    target = fill(tmp_path / "b.sqlite", make_trajectory("own"))
    before = read_stats(target)
    with pytest.raises(ReplayError, match=r"cut.parquet cannot be imported: trajectory t5 needs 3 steps"):
        import_into(target, ReplayConfig(), read_exports([exported, tmp_path / "cut.parquet"]))
    assert read_stats(target) == before
    assert import_into(target, ReplayConfig(), read_exports([exported])).added == 6


def changed(exported: Path, column: str, value: object) -> Path:
    table = pq.read_table(exported)
    values = table.column(column).to_pylist()
    values[5] = value
    at = table.schema.get_field_index(column)
    field = table.schema.field(column)
    path = exported.with_name("changed.parquet")
    pq.write_table(table.set_column(at, field, pa.array(values, field.type)), path)
    return path


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("schema", SCHEMA + 8, "it has schema 9; this distrl reads schema 1"),
        ("action_kind", "dance", "'dance' is not a valid ActionKind"),
        ("action_x", 7.0, "lies outside the screen"),
        ("logprobs", [1.0], "2 tokens but 1 log-probabilities"),
        ("seconds", None, "seconds"),
        ("image", {"bytes": b"no picture", "path": None}, "cannot identify image file"),
    ],
)
def test_a_file_that_was_changed_is_refused(
    exported: Path, column: str, value: object, sentence: str
) -> None:
    with pytest.raises(ReplayError, match=sentence):
        list(read_exports([changed(exported, column, value)]))


def test_foreign_and_damaged_files_are_refused(exported: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.parquet"
    pq.write_table(pa.table({"song": ["a"]}), foreign)
    with pytest.raises(ReplayError, match=r"was not written by `distrl replay export`: it lacks the columns"):
        list(read_exports([foreign]))
    half = tmp_path / "half.parquet"
    half.write_bytes(exported.read_bytes()[: exported.stat().st_size // 2])
    with pytest.raises(ReplayError, match=r"half.parquet is not a Parquet file, or is damaged"):
        list(read_exports([half]))
    with pytest.raises(ReplayError, match=r"none.parquet cannot be read: "):
        list(read_exports([tmp_path / "none.parquet"]))

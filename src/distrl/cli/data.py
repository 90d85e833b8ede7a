"""Looking at tasks, demonstrations and stored trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from distrl.cli.options import RunPath, Sets
from distrl.errors import ConfigError

tasks_app = typer.Typer(help="Look at task suites.", no_args_is_help=True)
demos_app = typer.Typer(help="Record and check demonstrations for the warm start.", no_args_is_help=True)
replay_app = typer.Typer(help="Look into a run's replay, export and import it.", no_args_is_help=True)

DemoFile = Annotated[Path, typer.Argument(help="File of demonstrations, JSON lines.", metavar="FILE")]
DemoFiles = Annotated[list[Path], typer.Argument(help="Files of demonstrations, JSON lines.", metavar="FILE")]

Outcomes = Annotated[str | None, typer.Option("--outcome", help="Only success, failure or unknown.")]
TaskPart = Annotated[str | None, typer.Option("--task", help="Only tasks whose id contains this.")]


@tasks_app.command("list")
def tasks_list(
    suite: Annotated[str, typer.Argument(help="Suite, or the path of a task file or list.")] = "starter",
    split: Annotated[str | None, typer.Option(help="Only this split.")] = None,
) -> None:
    """List the tasks of a suite."""
    from distrl.view.tables import list_tasks

    list_tasks(suite, split)


@tasks_app.command("show")
def tasks_show(
    task: Annotated[str, typer.Argument(help="Task id.")],
    suite: Annotated[
        str | None,
        typer.Option(help="Suite, or the path of a task file or list; by default the one that the id names."),
    ] = None,
) -> None:
    """Show one task: goal, set-up, probes, check and the expert's plan."""
    from distrl.view.tables import show_task

    show_task(suite, task)


@demos_app.command("record")
def demos_record(
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write.")],
    suite: Annotated[str, typer.Option(help="Task suite, or the path of a task file or list.")] = "starter",
    count: Annotated[int, typer.Option(help="Episodes.", min=1)] = 100,
    noise: Annotated[
        float, typer.Option(help="Share of the expert's actions replaced by random ones.", min=0, max=1)
    ] = 0.15,
    seed: Annotated[int, typer.Option(help="Seed of the choice of tasks and of the phones.", min=0)] = 0,
    split: Annotated[
        str, typer.Option(help="Which tasks; only those of train can be learnt from.")
    ] = "train",
    failures: Annotated[bool, typer.Option("--failures", help="Keep episodes that failed.")] = False,
    actions_only: Annotated[
        bool,
        typer.Option("--actions-only", help="Leave the screens out; they are seen anew when it is used."),
    ] = False,
    set_: Sets = None,
) -> None:
    """Let the scripted expert solve tasks, and keep its episodes in a file."""
    from distrl.config import resolve
    from distrl.view.demonstrating import record

    settings = resolve(overrides=[f"suite={suite}", f"seed={seed}", *(set_ or [])])
    record(
        settings, output, split=split, count=count, noise=noise, failures=failures, actions_only=actions_only
    )


@demos_app.command("show")
def demos_show(file: DemoFile) -> None:
    """Tell what a file of demonstrations holds."""
    from distrl.view.demonstrating import show

    show(file)


@demos_app.command("check")
def demos_check(
    files: DemoFiles,
    suite: Annotated[str, typer.Option(help="Task suite, or the path of a task file or list.")] = "starter",
    set_: Sets = None,
) -> None:
    """Tell whether a warm start can use files: bad lines, tasks that are off limits, what is no solution.

    Episodes without screens are repeated on a device and judged by their task's check.
    """
    from distrl.config import resolve
    from distrl.view.demonstrating import check

    check(files, resolve(overrides=[f"suite={suite}", *(set_ or [])]))


@replay_app.command("stats")
def replay_stats(
    run: RunPath, json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False
) -> None:
    """Tell what a run's replay holds."""
    from distrl.view.tables import replay_stats

    replay_stats(run, as_json=json)


@replay_app.command("show")
def replay_show(
    run: RunPath,
    trajectory: Annotated[
        str | None,
        typer.Argument(help="Id of one trajectory; its first characters suffice.", metavar="[TRAJECTORY]"),
    ] = None,
    outcome: Outcomes = None,
    task: TaskPart = None,
    ending: Annotated[
        str | None, typer.Option(help="Only agent_done, step_limit, time_limit or device_lost.")
    ] = None,
    last: Annotated[int, typer.Option(help="How many of the newest; 0 lists all.", min=0)] = 20,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Save the one trajectory as animation: .gif, .webp or .png."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """List the newest trajectories, or show one of them step by step; also while the run is trained."""
    from distrl.view import replaying

    if trajectory is not None:
        replaying.show_trajectory(run, trajectory, output, as_json=json)
        return
    if output is not None:
        raise ConfigError("name the trajectory to save; distrl replay show RUN lists them", "--output")
    replaying.list_trajectories(run, replaying.selection(outcome, task, ending), last, as_json=json)


@replay_app.command("export")
def replay_export(
    run: RunPath,
    out: Annotated[Path, typer.Argument(help="File to write, such as run.parquet.", metavar="OUT")],
    outcome: Outcomes = None,
    task: TaskPart = None,
    limit: Annotated[int | None, typer.Option(help="At most so many, the newest.", min=1)] = None,
    images: Annotated[bool, typer.Option("--images/--no-images", help="With or without screenshots.")] = True,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace OUT if it exists.")] = False,
) -> None:
    """Write the trajectories to a Parquet file that the datasets library reads (docs/data.md)."""
    from distrl.view import replaying

    wanted = replaying.selection(outcome, task)
    replaying.export_replay(run, out, wanted, limit, images=images, overwrite=overwrite)


@replay_app.command("import")
def replay_import(
    files: Annotated[list[Path], typer.Argument(help="Files that export has written.", metavar="FILES")],
    into: Annotated[Path, typer.Option("--into", help="The run that gets the trajectories.")],
) -> None:
    """Add exported trajectories to a run's replay: all of them or none, each id only once."""
    from distrl.view import replaying

    replaying.import_files(files, into)

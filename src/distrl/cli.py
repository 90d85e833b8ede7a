"""The command line: `distrl train`, `eval`, `play` and what is needed around them.

Heavy imports (torch, devices) happen inside the commands, so that help answers at once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from distrl import __version__
from distrl.errors import ConfigError, DistrlError

app = typer.Typer(
    name="distrl",
    help="Train agents that operate phones: asynchronous, distributed reinforcement learning.\n\n"
    "Start with [bold]distrl train[/bold]: simulated phones, a small policy, no GPU needed.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
tasks_app = typer.Typer(help="Look at task suites.", no_args_is_help=True)
replay_app = typer.Typer(help="Look into a run's replay.", no_args_is_help=True)
config_app = typer.Typer(help="Look at the configuration.", no_args_is_help=True)
app.add_typer(tasks_app, name="tasks")
app.add_typer(replay_app, name="replay")
app.add_typer(config_app, name="config")

Preset = Annotated[str, typer.Option("--preset", "-p", help="Named defaults: laptop, tiny, sync.")]
File = Annotated[Path | None, typer.Option("--config", "-c", help="YAML file with settings.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", help="Override one setting: --set replay.ratio=2. Repeatable."),
]
RunPath = Annotated[Path, typer.Argument(help="The run's folder, such as runs/starter-1.", metavar="RUN")]


@app.command()
def train(
    run: Annotated[
        Path | None,
        typer.Argument(
            help="Folder for the new run; by default the next free runs/SUITE-N.", metavar="[RUN]"
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Continue this run: weights, optimiser, replay and curriculum."),
    ] = None,
    suite: Annotated[str | None, typer.Option(help="Task suite, or a YAML task file.")] = None,
    algorithm: Annotated[str | None, typer.Option(help="a-ride, digirl or filtered-bc.")] = None,
    minutes: Annotated[float | None, typer.Option(help="Minutes of training.")] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes.")] = None,
    devices: Annotated[int | None, typer.Option(help="Devices of each worker.")] = None,
    engine: Annotated[str | None, typer.Option(help="inline or processes.")] = None,
    sync: Annotated[
        bool, typer.Option("--sync", help="Collect in rounds with a barrier, the baseline.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None,
    preset: Preset = "laptop",
    config: File = None,
    set_: Sets = None,
) -> None:
    """Train an agent: workers collect, the learner learns, nothing waits.

    Press Ctrl-C to stop; the run continues later with --resume.
    """
    from distrl.view.training import resume as resume_run
    from distrl.view.training import start as start_run

    shortcuts = {
        "suite": suite,
        "algorithm.kind": algorithm,
        "budget.minutes": minutes,
        "collect.workers": workers,
        "collect.devices": devices,
        "engine": engine,
        "mode": "sync" if sync else None,
        "seed": seed,
    }
    overrides = [f"{key}={value}" for key, value in shortcuts.items() if value is not None] + (set_ or [])
    if resume is not None:
        if run is not None:
            raise ConfigError("give either a new folder or --resume, not both", "train")
        resume_run(resume, minutes=minutes, overrides=overrides)
        return
    from distrl.config import resolve

    start_run(run, resolve(preset, config, overrides))


@app.command("eval")
def evaluate(
    run: RunPath,
    split: Annotated[str, typer.Option(help="Which tasks: val, test, …")] = "test",
    episodes: Annotated[
        int, typer.Option(help="Episodes; tasks are repeated with other seeds.", min=1)
    ] = 128,
    version: Annotated[int | None, typer.Option(help="Policy version; the newest by default.")] = None,
    greedy: Annotated[bool, typer.Option("--greedy", help="Only the most likely actions.")] = False,
    sampled: Annotated[bool, typer.Option("--sampled", help="Only sampled actions.")] = False,
    devices: Annotated[int | None, typer.Option(help="Devices side by side.", min=1)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Measure a policy on fixed tasks and seeds; both sampled and greedy unless told otherwise."""
    from distrl.view.evaluating import evaluate as evaluate_run

    decodings = [False] if sampled and not greedy else [True] if greedy and not sampled else [False, True]
    evaluate_run(run, split, episodes, version, decodings, devices, as_json=json)


@app.command()
def play(
    run: Annotated[
        Path | None,
        typer.Argument(
            help="Run whose newest policy plays; without it the scripted expert does.", metavar="[RUN]"
        ),
    ] = None,
    task: Annotated[str | None, typer.Option(help="Task id (distrl tasks list); random by default.")] = None,
    suite: Annotated[str | None, typer.Option(help="Task suite, or a YAML task file.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the phone's variation and of the choice of task.")] = 0,
    greedy: Annotated[bool, typer.Option("--greedy", help="Take the most likely actions.")] = False,
    delay: Annotated[float, typer.Option(help="Seconds between steps in the terminal.", min=0)] = 0.7,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Also write an animation: .gif, .webp or .png."),
    ] = None,
    profile: Annotated[str | None, typer.Option(help="Latency profile of the phone.")] = None,
) -> None:
    """Watch one episode in the terminal, and save it as an animation with the touches drawn in."""
    from distrl.view.playing import play as play_episode

    play_episode(run, task, suite, seed=seed, greedy=greedy, delay_s=delay, output=output, profile=profile)


@tasks_app.command("list")
def tasks_list(
    suite: Annotated[str, typer.Argument(help="Suite, or a YAML task file.")] = "starter",
    split: Annotated[str | None, typer.Option(help="Only this split.")] = None,
) -> None:
    """List the tasks of a suite."""
    from distrl.view.tables import list_tasks

    list_tasks(suite, split)


@tasks_app.command("show")
def tasks_show(
    task: Annotated[str, typer.Argument(help="Task id.")],
    suite: Annotated[str, typer.Option(help="Suite, or a YAML task file.")] = "starter",
) -> None:
    """Show one task: goal, set-up, probes, check and the expert's plan."""
    from distrl.view.tables import show_task

    show_task(suite, task)


@replay_app.command("stats")
def replay_stats(
    run: RunPath, json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False
) -> None:
    """Tell what a run's replay holds."""
    from distrl.view.tables import replay_stats

    replay_stats(run, as_json=json)


@config_app.command("show")
def config_show(
    run: Annotated[
        Path | None,
        typer.Argument(help="Show the configuration of this run instead.", metavar="[RUN]"),
    ] = None,
    preset: Preset = "laptop",
    config: File = None,
    set_: Sets = None,
) -> None:
    """Show every setting with its value and what it means."""
    from distrl.view.tables import show_config

    show_config(run, preset, config, set_ or [])


@app.command()
def plugins() -> None:
    """List the devices, policies, judges, suites, algorithms and engines that were found."""
    from distrl.view.tables import list_plugins

    list_plugins()


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def main() -> None:
    """Run the command line; whoever gave bad input sees one sentence, and the exit status tells the truth."""
    try:
        app()
    except DistrlError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()

"""The command line: `distrl train`, `eval`, `play` and what is needed around them.

Heavy imports (torch, devices) happen inside the commands, so that help answers at once.
"""

from __future__ import annotations

import signal
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
replay_app = typer.Typer(help="Look into a run's replay, export and import it.", no_args_is_help=True)
config_app = typer.Typer(help="Look at the configuration.", no_args_is_help=True)
demos_app = typer.Typer(help="Record and check demonstrations for the warm start.", no_args_is_help=True)
phone_app = typer.Typer(help="Simulated phones for the world outside.", no_args_is_help=True)
devices_app = typer.Typer(help="Look at phones, emulators and browsers.", no_args_is_help=True)
app.add_typer(devices_app, name="devices")
app.add_typer(tasks_app, name="tasks")
app.add_typer(phone_app, name="phone")
app.add_typer(demos_app, name="demos")
app.add_typer(replay_app, name="replay")
app.add_typer(config_app, name="config")

Preset = Annotated[
    str, typer.Option("--preset", "-p", help="Named defaults: laptop, general, web-shopping, tiny, sync.")
]
File = Annotated[Path | None, typer.Option("--config", "-c", help="YAML file with settings.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", help="Override one setting: --set replay.ratio=2. Repeatable."),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Send nothing to the devices: a few looks, and what would be done."),
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
    suite: Annotated[str | None, typer.Option(help="Task suite, or the path of a task file or list.")] = None,
    algorithm: Annotated[str | None, typer.Option(help="a-ride, digirl, filtered-bc, ppo or grpo.")] = None,
    minutes: Annotated[float | None, typer.Option(help="Minutes of training.")] = None,
    device: Annotated[str | None, typer.Option(help="Kind of device: simulated, adb, …")] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes.")] = None,
    devices: Annotated[int | None, typer.Option(help="Devices of each worker.")] = None,
    engine: Annotated[str | None, typer.Option(help="inline, processes or ray.")] = None,
    address: Annotated[
        str | None,
        typer.Option(help="Ray cluster to run on, auto or HOST:PORT; implies --engine ray."),
    ] = None,
    sync: Annotated[
        bool, typer.Option("--sync", help="Collect in rounds with a barrier, the baseline.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None,
    dry_run: DryRun = False,
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
        "device.kind": device,
        "collect.workers": workers,
        "collect.devices": devices,
        "engine": "ray" if address and engine is None else engine,
        "ray.address": address,
        "mode": "sync" if sync else None,
        "seed": seed,
    }
    overrides = [f"{key}={value}" for key, value in shortcuts.items() if value is not None] + (set_ or [])
    if resume is not None:
        if run is not None:
            raise ConfigError("give either a new folder or --resume, not both", "train")
        if dry_run:
            from distrl.view.rehearsing import rehearse_run

            rehearse_run(resume)
            return
        resume_run(resume, minutes=minutes, overrides=overrides)
        return
    from distrl.config import resolve

    settings = resolve(preset, config, overrides)
    if dry_run or settings.safety.dry_run:
        from distrl.view.rehearsing import rehearse_training

        rehearse_training(settings)
        return
    start_run(run, settings)


@app.command()
def warmstart(
    suite: Annotated[str | None, typer.Option(help="Task suite, or the path of a task file or list.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the run that it is for.")] = None,
    measure: Annotated[
        bool, typer.Option("--measure/--no-measure", help="Measure the result, family by family.")
    ] = True,
    split: Annotated[str, typer.Option(help="Tasks to measure on.")] = "val",
    episodes: Annotated[
        int | None, typer.Option(help="Episodes to measure with; by default every task twice.", min=1)
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Clone anew, whatever is in the cache.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    preset: Preset = "laptop",
    config: File = None,
    set_: Sets = None,
) -> None:
    """Clone demonstrations ahead of time; `train` with the same settings then starts at once.

    Tells where the result is kept, how good it is sampled and greedy, and which families start near 0 %.
    """
    from distrl.config import resolve
    from distrl.view.warmstarting import warm_start

    shortcuts = {"suite": suite, "seed": seed}
    overrides = [f"{key}={value}" for key, value in shortcuts.items() if value is not None] + (set_ or [])
    settings = resolve(preset, config, overrides)
    warm_start(settings, split=split, episodes=episodes, fresh=fresh, measure=measure, as_json=json)


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
    suite: Annotated[str | None, typer.Option(help="Task suite, or the path of a task file or list.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the phone's variation and of the choice of task.")] = 0,
    greedy: Annotated[bool, typer.Option("--greedy", help="Take the most likely actions.")] = False,
    delay: Annotated[float, typer.Option(help="Seconds between steps in the terminal.", min=0)] = 0.7,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Also write an animation: .gif, .webp or .png."),
    ] = None,
    profile: Annotated[str | None, typer.Option(help="Latency profile of the phone.")] = None,
    dry_run: DryRun = False,
) -> None:
    """Watch one episode in the terminal, and save it as an animation with the touches drawn in."""
    if dry_run:
        from distrl.view.rehearsing import rehearse_play

        rehearse_play(run, task, suite, seed, {"profile": profile} if profile else {})
        return
    from distrl.view.playing import play as play_episode

    play_episode(run, task, suite, seed=seed, greedy=greedy, delay_s=delay, output=output, profile=profile)


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


DemoFile = Annotated[Path, typer.Argument(help="File of demonstrations, JSON lines.", metavar="FILE")]
DemoFiles = Annotated[list[Path], typer.Argument(help="Files of demonstrations, JSON lines.", metavar="FILE")]


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


@phone_app.command("serve")
def phone_serve(
    count: Annotated[int, typer.Option(help="How many phones.", min=1, max=1000)] = 1,
    port: Annotated[
        int | None,
        typer.Option(help="Port of the first phone: 5600, or 5555 with --emulator.", min=1, max=65535),
    ] = None,
    emulator: Annotated[
        bool, typer.Option("--emulator", help="Register as emulator-5554, 5556, … with the adb server.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the first phone; the others follow.", min=0)] = 0,
    profile: Annotated[str, typer.Option(help="Latency and fault profile.")] = "instant",
    time_scale: Annotated[float, typer.Option(help="Multiplies every delay of the profile.", min=0)] = 1.0,
    clock: Annotated[
        str, typer.Option(help="real: the phone's clock runs; actions: it moves 1 s with every action.")
    ] = "real",
    names: Annotated[
        str, typer.Option(help="google: apps go by the package names of Google's system images.")
    ] = "own",
    server_port: Annotated[
        int, typer.Option(envvar="ANDROID_ADB_SERVER_PORT", help="Port of the adb server.", min=1, max=65535)
    ] = 5037,
) -> None:
    """Serve simulated phones that speak the adb protocol, so that the real adb connects to them.

    They listen on this machine only. Commands that only they know start with `simphone`; see docs/android.md.
    """
    from distrl.view.phones import serve

    serve(
        count,
        port,
        emulator=emulator,
        seed=seed,
        profile=profile,
        time_scale=time_scale,
        clock=clock,
        server_port=server_port,
        names=names,
    )


@replay_app.command("stats")
def replay_stats(
    run: RunPath, json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False
) -> None:
    """Tell what a run's replay holds."""
    from distrl.view.tables import replay_stats

    replay_stats(run, as_json=json)


Outcomes = Annotated[str | None, typer.Option("--outcome", help="Only success, failure or unknown.")]
TaskPart = Annotated[str | None, typer.Option("--task", help="Only tasks whose id contains this.")]


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


@app.command()
def track(
    run: RunPath,
    wandb: Annotated[str | None, typer.Option(help="Also send it to this W&B project.")] = None,
    trackio: Annotated[str | None, typer.Option(help="Also record it in this trackio project.")] = None,
) -> None:
    """Write what a run has recorded to TensorBoard files, W&B or trackio, where that was not done yet."""
    from distrl.view.tracking import track_run

    track_run(run, wandb=wandb, trackio=trackio)


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


@devices_app.command("list")
def devices_list(
    run: Annotated[
        Path | None,
        typer.Argument(help="A run: show its fleet instead of what is attached here.", metavar="[RUN]"),
    ] = None,
    start_server: Annotated[
        bool, typer.Option("--start-server", help="Start the adb server if none runs.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """List the phones that adb knows, Android's virtual devices and browsers; or the fleet of a run."""
    from distrl.view import devices

    if run is not None:
        devices.list_fleet(run, as_json=json)
        return
    devices.list_attached(start_server=start_server, as_json=json)


@app.command()
def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Tell what is here, what is missing, what that is needed for, and the command that mends it.

    Changes nothing and starts nothing. Exit status 0: what the default training needs is here.
    """
    from distrl.view.doctor import examine

    if not examine(as_json=json):
        raise typer.Exit(1)


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
    """Run the command line; whoever gave bad input sees one sentence, and the exit status tells the truth.

    SIGTERM, as `timeout`, systemd and batch systems send it, ends a command in as good an order as Ctrl-C.
    """
    terminated = False

    def terminate(*_: object) -> None:
        nonlocal terminated
        terminated = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, terminate)
    try:
        app()
    except DistrlError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(1)
    except SystemExit:
        if terminated:
            sys.exit(128 + signal.SIGTERM)
        raise


if __name__ == "__main__":
    main()

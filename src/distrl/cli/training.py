"""Training a policy, measuring it, watching it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from distrl.cli.options import DryRun, File, Preset, RunPath, Sets
from distrl.errors import ConfigError


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


def track(
    run: RunPath,
    wandb: Annotated[str | None, typer.Option(help="Also send it to this W&B project.")] = None,
    trackio: Annotated[str | None, typer.Option(help="Also record it in this trackio project.")] = None,
) -> None:
    """Write what a run has recorded to TensorBoard files, W&B or trackio, where that was not done yet."""
    from distrl.view.tracking import track_run

    track_run(run, wandb=wandb, trackio=trackio)

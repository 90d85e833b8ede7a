"""The command line: `distrl train`, `eval`, `play` and what is needed around them.

Heavy imports (torch, devices) happen inside the commands, so that help answers at once.
"""

from __future__ import annotations

import signal
import sys

import typer

from distrl.cli import data, machine, training
from distrl.errors import DistrlError

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
app.command()(training.train)
app.command()(training.warmstart)
app.command("eval")(training.evaluate)
app.command()(training.play)
app.command()(training.track)
app.command()(machine.doctor)
app.command()(machine.plugins)
app.command()(machine.version)
app.add_typer(machine.devices_app, name="devices")
app.add_typer(data.tasks_app, name="tasks")
app.add_typer(machine.phone_app, name="phone")
app.add_typer(data.demos_app, name="demos")
app.add_typer(data.replay_app, name="replay")
app.add_typer(machine.config_app, name="config")


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

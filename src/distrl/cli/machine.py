"""What is on this machine: phones, settings, plugins, and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from distrl import __version__
from distrl.cli.options import File, Preset, Sets

phone_app = typer.Typer(help="Simulated phones for the world outside.", no_args_is_help=True)
devices_app = typer.Typer(help="Look at phones, emulators and browsers.", no_args_is_help=True)
config_app = typer.Typer(help="Look at the configuration.", no_args_is_help=True)


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


def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Tell what is here, what is missing, what that is needed for, and the command that mends it.

    Changes nothing and starts nothing. Exit status 0: what the default training needs is here.
    """
    from distrl.view.doctor import examine

    if not examine(as_json=json):
        raise typer.Exit(1)


def plugins() -> None:
    """List the devices, policies, judges, suites, algorithms and engines that were found."""
    from distrl.view.tables import list_plugins

    list_plugins()


def version() -> None:
    """Print the version."""
    typer.echo(__version__)

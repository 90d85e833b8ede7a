"""`distrl phone serve`: simulated phones that the real adb, or clients of emulators, connect to."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import signal
from pathlib import Path
from typing import Protocol

from rich.console import Console

from distrl.errors import ConfigError, DeviceError
from distrl.simphone.adbd.listening import LOOPBACK, ListeningPhone, PhoneFarm, keep_registered
from distrl.simphone.emulator.console import EmulatorConsole, make_token_file
from distrl.simphone.emulator.snapshots import Snapshots
from distrl.simphone.served import CLOCKS, Conduct
from distrl.simphone.shell.names import NAMES, OWN
from distrl.simphone.trouble import PROFILES

PHONE_PORT, EMULATOR_PORT = 5600, 5555  # where the first one listens unless told otherwise
GRPC_ABOVE = 2999  # from an emulator's adb port to its gRPC port


def serve(
    count: int,
    port: int | None,
    *,
    emulator: bool,
    seed: int,
    profile: str,
    time_scale: float,
    clock: str,
    server_port: int,
    names: str = OWN,
) -> None:
    """Serve phones until Ctrl-C or SIGTERM."""
    faults = []
    if profile not in PROFILES:
        faults.append(f"--profile {profile}: there are {', '.join(PROFILES)}")
    if clock not in CLOCKS:
        faults.append(f"--clock {clock}: there are {', '.join(CLOCKS)}")
    if names not in NAMES:
        faults.append(f"--names {names}: there are {', '.join(NAMES)}")
    first, step = (port or EMULATOR_PORT, 2) if emulator else (port or PHONE_PORT, 1)
    if emulator and first % 2 == 0:
        faults.append(f"--port {first}: an emulator's adb port is odd, for instance {EMULATOR_PORT}")
    highest = first + step * (count - 1) + (GRPC_ABOVE if emulator else 0)
    if highest > 65535:
        faults.append(f"--port {first}: {count} phones from there on do not fit below 65536")
    if faults:
        raise ConfigError(faults, "phone serve")
    conduct = Conduct(profile=profile, time_scale=time_scale, clock=clock, names=names)
    farm = PhoneFarm(count, first, seed=seed, conduct=conduct, step=step)
    asyncio.run(_serve(farm, emulator=emulator, server_port=server_port))


class Face(Protocol):
    """One more way to reach a phone."""

    async def start(self) -> None:
        """Listen; raises OSError when the port is taken."""

    async def stop(self) -> None:
        """Listen no more."""


def emulator_faces(phone: ListeningPhone, home: Path) -> list[Face]:
    """What an emulator has beside adb: its console on the port below and, with grpcio, gRPC 3000 above.

    As with real emulators, the console's token is in the home folder, and `adb emu` needs it.
    """
    console, snapshots = phone.port - 1, Snapshots(phone.served)
    faces: list[Face] = [
        EmulatorConsole(console, phone.served.name, snapshots, token_file=make_token_file(home))
    ]
    if has_grpc():
        from distrl.simphone.emulator.grpc_face import PORT_OFFSET, GrpcFace

        faces.append(GrpcFace(phone.served, console + PORT_OFFSET, snapshots))
    return faces


def has_grpc() -> bool:
    """Whether the gRPC service can be offered."""
    return importlib.util.find_spec("grpc") is not None


async def _serve(farm: PhoneFarm, *, emulator: bool, server_port: int) -> None:
    faces = [face for phone in farm.phones for face in emulator_faces(phone, Path.home())] if emulator else []
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    try:
        await _start(farm, faces)
        registration = asyncio.ensure_future(keep_registered(farm.phones, server_port)) if emulator else None
        _tell(farm, emulator)
        await stopping.wait()
        if registration is not None:
            registration.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await registration
    finally:
        for face in faces:
            await face.stop()
        await farm.stop()


async def _start(farm: PhoneFarm, faces: list[Face]) -> None:
    try:
        await farm.start()
        for face in faces:
            await face.start()
    except OSError as error:
        why = error.strerror or str(error)
        raise DeviceError(f"the phones cannot listen: {why}; try another --port") from error


def _tell(farm: PhoneFarm, emulator: bool) -> None:
    """Say where the phones are and what to type next."""
    console = Console()
    serials, ports = farm.serials(emulator), [phone.port for phone in farm.phones]
    names = serials[0] if len(serials) == 1 else f"{serials[0]} … {serials[-1]}"
    console.print(f"{len(serials)} simulated phone{'s' * (len(serials) > 1)}: {names}  (Ctrl-C stops them)")
    if emulator:
        console.print("Registered with the adb server as soon as one runs: [bold]adb devices[/bold]")
        grpc = f"gRPC on {ports[0] + GRPC_ABOVE}" if has_grpc() else "no gRPC: pip install 'distrl[android]'"
        console.print(f"The first one's console is on port {ports[0] - 1}, {grpc}", markup=False)
        chosen = ",".join(serials)
    else:
        console.print(f"Try: [bold]adb connect {serials[0]} && adb -s {serials[0]} shell getprop[/bold]")
        chosen = serials[0] + (f"-{ports[-1]}" if len(ports) > 1 else "")
    console.print(
        f"Train on them: distrl train --device adb --set device.options.serials={chosen}",
        soft_wrap=True,
        highlight=False,
    )


__all__ = ["LOOPBACK", "serve"]

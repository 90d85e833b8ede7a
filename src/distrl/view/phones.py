"""`distrl phone serve`: simulated phones that the real adb connects to."""

from __future__ import annotations

import asyncio
import contextlib
import signal

from rich.console import Console

from distrl.errors import ConfigError, DeviceError
from distrl.simphone.adbd.listening import LOOPBACK, PhoneFarm, keep_registered
from distrl.simphone.served import CLOCKS, Conduct
from distrl.simphone.trouble import PROFILES

PHONE_PORT, EMULATOR_PORT = 5600, 5555  # where the first one listens unless told otherwise


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
) -> None:
    """Serve phones until Ctrl-C or SIGTERM."""
    faults = []
    if profile not in PROFILES:
        faults.append(f"--profile {profile}: there are {', '.join(PROFILES)}")
    if clock not in CLOCKS:
        faults.append(f"--clock {clock}: there are {', '.join(CLOCKS)}")
    first, step = (port or EMULATOR_PORT, 2) if emulator else (port or PHONE_PORT, 1)
    if emulator and first % 2 == 0:
        faults.append(f"--port {first}: an emulator's adb port is odd, for instance {EMULATOR_PORT}")
    if first + step * (count - 1) > 65535:
        faults.append(f"--port {first}: {count} phones from there on do not fit below 65536")
    if faults:
        raise ConfigError(faults, "phone serve")
    conduct = Conduct(profile=profile, time_scale=time_scale, clock=clock)
    farm = PhoneFarm(count, first, seed=seed, conduct=conduct, step=step)
    asyncio.run(_serve(farm, emulator=emulator, server_port=server_port))


async def _serve(farm: PhoneFarm, *, emulator: bool, server_port: int) -> None:
    try:
        await farm.start()
    except OSError as error:
        raise DeviceError(f"the phones cannot listen: {error.strerror}; try another --port") from error
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    registration = asyncio.ensure_future(keep_registered(farm.phones, server_port)) if emulator else None
    _tell(farm, emulator)
    try:
        await stopping.wait()
    finally:
        if registration is not None:
            registration.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await registration
        await farm.stop()


def _tell(farm: PhoneFarm, emulator: bool) -> None:
    """Say where the phones are and what to type next."""
    console = Console()
    serials, ports = farm.serials(emulator), [phone.port for phone in farm.phones]
    names = serials[0] if len(serials) == 1 else f"{serials[0]} … {serials[-1]}"
    console.print(f"{len(serials)} simulated phone{'s' * (len(serials) > 1)}: {names}  (Ctrl-C stops them)")
    if emulator:
        console.print("Registered with the adb server as soon as one runs: [bold]adb devices[/bold]")
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

"""`distrl doctor`: what is here, what is missing, and the command that mends it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import platform
import re
import resource
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from distrl.devices.adb.protocol import AdbServer
from distrl.errors import DeviceError
from distrl.view import host

OK, WARNING, MISSING = "ok", "warning", "missing"
STYLES = {OK: "green", WARNING: "yellow", MISSING: "red"}
GIB = 2**30
ENOUGH_DISK, LITTLE_DISK = 6 * GIB, 1 * GIB  # a replay holds 4 GB by default
ENOUGH_MEMORY, LITTLE_MEMORY = 3 * GIB, GIB
ENOUGH_FILES = 1024
# What the extras of pyproject.toml are for.
EXTRAS = {
    "ray": "several machines",
    "vlm": "multimodal language models as policies",
    "android": "emulators over gRPC",
    "browser": "browsers and MiniWoB++",
    "dashboard": "the dashboard",
    "data": "exporting and importing trajectories",
    "wandb": "Weights & Biases",
    "trackio": "trackio",
}
SDK_PARTS = ("emulator", "cmdline-tools;latest", "system-images;android-34;google_apis;x86_64")
_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)[^;]*(?:;.*extra\s*==\s*['\"]([^'\"]+)['\"])?")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked for."""

    name: str
    status: str  # OK, WARNING or MISSING
    found: str
    needed_for: str
    mend: str = ""  # the command, or what else to do; empty if nothing needs to be done
    required: bool = False  # the default training does not run without it


def examine(*, as_json: bool) -> bool:
    """Print all findings; True if the default training can run here."""
    findings = asyncio.run(look())
    well = all(finding.status != MISSING for finding in findings if finding.required)
    if as_json:
        print(json.dumps({"ok": well, "findings": [asdict(finding) for finding in findings]}, indent=2))
        return well
    console = Console()
    table = Table(box=None, pad_edge=False)
    for column in ("", "status", "found"):
        table.add_column(column, overflow="fold")
    for finding in findings:
        status = Text(finding.status, style=STYLES[finding.status])
        table.add_row(finding.name, status, Text(finding.found))
    console.print(table)
    mends = [finding for finding in findings if finding.mend]
    if mends:
        console.print("\nWhat can be mended, and what it is needed for:")
    for finding in mends:
        console.print(f"  {finding.name}: {finding.needed_for}", highlight=False, soft_wrap=True)
        console.print("     ", Text(finding.mend, style="bold"), soft_wrap=True)
    last = (
        "The default training (distrl train) can run here."
        if well
        else "The default training cannot run here."
    )
    console.print(f"\n{last}", style="bold green" if well else "bold red")
    return well


async def look() -> list[Finding]:
    """Look for everything at once; no question takes longer than `host.ASK_S`."""
    adb, chromium, gpu = await asyncio.gather(_adb(), _chromium(), _gpu())
    return [*_python(), gpu, *_room(), *_extras(), *adb, *_emulators(), chromium]


# --- the machine ----------------------------------------------------------------------------------


def _python() -> Iterator[Finding]:
    good = sys.version_info >= (3, 11)
    yield Finding(
        "Python", OK if good else MISSING, platform.python_version(), "everything",
        "" if good else "sudo apt install python3.11 python3.11-venv", required=True,
    )  # fmt: skip
    torch = _version("torch")
    yield Finding(
        "torch", OK if torch else MISSING, torch or "not installed", "policies and training",
        "" if torch else "pip install torch", required=True,
    )  # fmt: skip
    lacking = [name for name in _packages("") if _version(name) is None]
    yield Finding(
        "distrl's packages",
        MISSING if lacking else OK,
        f"without {', '.join(lacking)}" if lacking else "all",
        "everything",
        f"pip install {' '.join(lacking)}" if lacking else "",
        required=True,
    )


async def _gpu() -> Finding:
    """The GPU by its driver, and whether torch was built for it; torch itself takes seconds to import."""
    cards = await host.output_of("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader")
    why = "large policies; the small one learns on a CPU"
    if not cards:
        return Finding("GPU", WARNING, "none: training uses the CPU", f"only for {why}")
    found = "; ".join(cards.splitlines())
    if _torch_for_cpu():
        mend = "pip install --force-reinstall torch  # the build with CUDA"
        return Finding("GPU", WARNING, f"{found}, but torch was built for CPUs only", why, mend)
    return Finding("GPU", OK, found, why)


def _torch_for_cpu() -> bool:
    """Whether torch was built without CUDA, read from its own file."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return False
    try:
        text = Path(spec.origin).with_name("version.py").read_text(encoding="utf-8")
    except OSError:
        return False
    return re.search(r"^cuda\b.*=\s*None", text, re.MULTILINE) is not None


def _room() -> Iterator[Finding]:
    free = shutil.disk_usage(Path.cwd()).free
    yield Finding(
        "disk", _level(free, LITTLE_DISK, ENOUGH_DISK), f"{free / GIB:.1f} GiB free here",
        "the run folder; a replay holds up to 4 GB by default",
        "" if free >= ENOUGH_DISK else "train in a folder on another disk, or --set replay.capacity_gb=1",
        required=True,
    )  # fmt: skip
    memory = _free_memory()
    if memory is not None:
        yield Finding(
            "memory", _level(memory, LITTLE_MEMORY, ENOUGH_MEMORY), f"{memory / GIB:.1f} GiB available",
            "workers, learner and evaluator",
            "" if memory >= ENOUGH_MEMORY else "close other programs, or --set collect.devices=8",
            required=True,
        )  # fmt: skip
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = soft == resource.RLIM_INFINITY or soft >= ENOUGH_FILES
    most = "unlimited" if hard == resource.RLIM_INFINITY else str(hard)
    yield Finding(
        "open files", OK if enough else WARNING, f"{soft} at most, can be raised to {most}",
        "many devices in one worker: about 4 for each",
        "" if enough else f"ulimit -n {min(65536, hard) if hard > 0 else 65536}",
    )  # fmt: skip


def _level(have: float, little: float, enough: float) -> str:
    return OK if have >= enough else WARNING if have >= little else MISSING


def _free_memory() -> int | None:
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    found = re.search(r"MemAvailable:\s+(\d+) kB", text)
    return int(found[1]) * 1024 if found else None


# --- packages -------------------------------------------------------------------------------------


def _extras() -> Iterator[Finding]:
    for extra, purpose in EXTRAS.items():
        wanted = {name: _version(name) for name in _packages(extra)}
        lacking = [name for name, installed in wanted.items() if installed is None]
        found = ", ".join(f"{name} {installed}" for name, installed in wanted.items() if installed)
        yield Finding(
            f"extra {extra}",
            MISSING if lacking else OK,
            f"without {', '.join(lacking)}" if lacking else found,
            f"only for {purpose}",
            f"pip install 'distrl[{extra}]'" if lacking else "",
        )


def _packages(extra: str) -> list[str]:
    """The packages that distrl, or one of its extras, asks for."""
    try:
        wanted = requires("distrl") or []
    except PackageNotFoundError:
        return []
    found = (_REQUIREMENT.match(line) for line in wanted)
    return [match[1] for match in found if match and (match[2] or "") == extra]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


# --- devices --------------------------------------------------------------------------------------


async def _adb() -> list[Finding]:
    """The program, the server and the phones; a server that does not run is left alone."""
    purpose = "only for real phones and emulators"
    program = shutil.which("adb")
    told = await host.output_of(program, "version") if program else None
    found = told.splitlines() if told else []
    server = host.adb_server()
    running = await host.server_version(server)
    where = f"{server.host}:{server.port}"
    findings = [
        Finding("adb", OK, f"{found[1] if len(found) > 1 else found[0]} ({program})", purpose)
        if found
        else Finding("adb", MISSING, "no adb that works", purpose, "sudo apt install adb"),
        Finding("adb server", OK, f"protocol {running} at {where}", purpose)
        if running
        else Finding(
            "adb server", WARNING, f"none at {where}; distrl starts one when it needs it", purpose,
            "adb start-server" if found else "",
        ),
    ]  # fmt: skip
    if running:
        findings.append(await _phones(server))
    return findings


async def _phones(server: AdbServer) -> Finding:
    purpose = "only for training on phones (distrl devices list)"
    try:
        phones = await host.attached_phones(server)
    except (DeviceError, TimeoutError):
        return Finding("phones", WARNING, "the adb server does not list them", purpose, "adb kill-server")
    bad = [phone for phone in phones if phone.state != "device"]
    if not phones:
        mend = "switch on USB debugging on a phone and plug it in, or try: distrl phone serve"
        return Finding("phones", WARNING, "none attached", purpose, mend)
    found = f"{len(phones) - len(bad)} ready"
    if not bad:
        return Finding("phones", OK, found, purpose)
    trouble = ", ".join(f"{phone.serial} is {phone.state}" for phone in bad)
    unauthorized = any(phone.state == "unauthorized" for phone in bad)
    mend = "accept this computer's key on the phone's screen" if unauthorized else "adb reconnect offline"
    return Finding("phones", WARNING, f"{found}; {trouble}", purpose, mend)


def _emulators() -> Iterator[Finding]:
    purpose = "only for Android emulators"
    sdk = host.find_sdk()
    if sdk is None:
        mend = f"sudo apt install sdkmanager && export ANDROID_HOME=~/Android/Sdk && {_install(*SDK_PARTS)}"
        yield Finding("Android SDK", MISSING, "not found; ANDROID_HOME is looked at first", purpose, mend)
    else:
        yield Finding("Android SDK", OK, str(sdk.folder), purpose)
        names = ("emulator", "avdmanager", "system images")
        found = (str(sdk.emulator or ""), str(sdk.avdmanager or ""), ", ".join(sdk.images))
        for name, there, part in zip(names, found, SDK_PARTS, strict=True):
            mend = "" if there else f"ANDROID_HOME={sdk.folder} {_install(part)}"
            yield Finding(name, OK if there else MISSING, there or "none", purpose, mend)
    yield _kvm(purpose)


def _install(*parts: str) -> str:
    """The command that adds parts to the SDK; Debian and Ubuntu have `sdkmanager` as a package."""
    return f"sdkmanager {' '.join(repr(part) for part in parts)}"


def _kvm(purpose: str) -> Finding:
    kvm = Path("/dev/kvm")
    if not kvm.exists():
        mend = "switch virtualisation on in the firmware (in a cloud: take a machine with nested "
        mend += "virtualisation), then: sudo modprobe kvm-intel || sudo modprobe kvm-amd"
        return Finding("KVM", MISSING, "no /dev/kvm", f"{purpose} at a usable speed", mend)
    if not os.access(kvm, os.R_OK | os.W_OK):
        mend = "sudo usermod -aG kvm $USER  # then log in again"
        return Finding(
            "KVM", MISSING, "/dev/kvm may not be used by you", f"{purpose} at a usable speed", mend
        )
    return Finding("KVM", OK, "/dev/kvm", f"{purpose} at a usable speed")


async def _chromium() -> Finding:
    purpose = "only for browsers and MiniWoB++"
    browsers = host.find_browsers()
    if not browsers:
        return Finding("Chromium", MISSING, "not found", purpose, "sudo apt install chromium-headless-shell")
    told = await host.output_of(browsers[0], "--version", timeout_s=1.0)
    return Finding("Chromium", OK, f"{told} ({browsers[0]})" if told else browsers[0], purpose)

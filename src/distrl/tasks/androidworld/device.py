"""An emulator whose tasks are set up and scored by AndroidWorld, in a process beside it.

Touching and looking is done by one of distrl's own devices (`adb` or `emulator`); AndroidWorld's process
shares the emulator with it. The process is connected when the first task begins. If it fails, the episode is
lost and its verdict UNKNOWN, and the next episode gets another process.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import msgspec

from distrl import plugins
from distrl.config import DeviceConfig
from distrl.errors import ConfigError, DeviceError, TaskError
from distrl.interfaces import Device, Repairable
from distrl.records import Action, ActionKind, Observation, Task
from distrl.tasks.androidworld import PREFIX, SCORE
from distrl.tasks.androidworld.client import AndroidWorldProcess, find_python

OWN_OPTIONS = {
    "phone": "adb (emulators that run already) or emulator (distrl boots them)",
    "world_tree": "how AndroidWorld's evaluators see the screen: uiautomator, or forwarder (its own app)",
    "world_s": "seconds that AndroidWorld may take to begin, score or end a task",
    "adb": "the adb program that AndroidWorld calls",
}
PHONES, TREES = ("adb", "emulator"), ("uiautomator", "forwarder")
GRPC_ABOVE = 3000  # from an emulator's console port to its gRPC port
QUICK_S = 10.0
KEEPS_STATE = ("reconnect", "restart_app")  # remedies after which an episode may go on
_EMULATOR = re.compile(r"emulator-(\d+)")


@runtime_checkable
class Restartable(Protocol):
    """A device that can tell whether it has restarted."""

    async def boot_id(self) -> str:
        """The same text as long as the system runs."""


@dataclass(frozen=True)
class WorldOptions:
    """The options that concern AndroidWorld, read and checked."""

    phone: str = "adb"
    tree: str = "uiautomator"
    patience_s: float = 180.0
    adb: str = "adb"
    adb_server_port: int = 5037


def read_options(options: dict[str, str]) -> WorldOptions:
    """The options of a configuration; one ConfigError names all faults. The phone's own are not looked at."""
    faults = []
    phone, tree = options.get("phone", WorldOptions.phone), options.get("world_tree", WorldOptions.tree)
    if phone not in PHONES:
        faults.append(f"phone = {phone!r}: should be {' or '.join(PHONES)}")
    if tree not in TREES:
        faults.append(f"world_tree = {tree!r}: should be {' or '.join(TREES)}")
    patience = options.get("world_s", f"{WorldOptions.patience_s:g}")
    if not re.fullmatch(r"\d{1,5}(\.\d+)?", patience) or float(patience) <= 0:
        faults.append(f"world_s = {patience!r}: should be a number of seconds above 0")
    adb = shutil.which(os.path.expanduser(options.get("adb", WorldOptions.adb)))
    if adb is None:
        faults.append("the adb program is not found; install it (apt install adb), or name it as `adb`")
    port = options.get("server", os.environ.get("ANDROID_ADB_SERVER_PORT", "5037")).rpartition(":")[2]
    if not port.isdecimal():
        faults.append(f"server = {options.get('server', port)!r}: should be HOST:PORT")
    if faults:
        raise ConfigError(faults, "device.options")
    return WorldOptions(phone, tree, float(patience), adb or "", int(port))


class AndroidWorldDevice:
    """A phone together with AndroidWorld; is Repairable and Resumable exactly if the phone is."""

    def __init__(self, phone: Device, process: AndroidWorldProcess, options: WorldOptions) -> None:
        self.id = phone.id
        self._phone = phone
        self._process = process
        self._options = options
        self._under_way = False  # a task has begun, and nobody has torn it down
        if isinstance(phone, Repairable):
            self.remedies = phone.remedies
            self.repair = self._repair
        if isinstance(phone, Restartable):
            self.boot_id = phone.boot_id

    async def open(self) -> None:
        """Open the phone; AndroidWorld drives emulators only."""
        await self._phone.open()
        self.id = self._phone.id
        if _EMULATOR.fullmatch(self.id) is None:
            await self._phone.close()
            raise ConfigError(
                f"AndroidWorld drives emulators only, and {self.id} is none; name one, say emulator-5554",
                "device.options.serials",
            )

    async def reset(self, task: Task, seed: int) -> None:
        """Tear down the task before, clean the phone, and let AndroidWorld begin this one."""
        begin = [line for line in task.setup if line.startswith(f"{PREFIX} begin ")]
        if len(begin) != 1:
            raise TaskError(f"task {task.id} is none of AndroidWorld's: use another device for it")
        await self._end()
        others = tuple(line for line in task.setup if line not in begin)
        await self._phone.reset(msgspec.structs.replace(task, setup=others), seed)
        _, _, name, number = begin[0].split()
        await self._connect()
        reply = await self._process.ask("begin", self._options.patience_s, name=name, seed=int(number))
        self._under_way = True
        if reply.goal != task.goal:
            raise TaskError(
                f"task {task.id}: AndroidWorld now asks for {reply.goal!r}, the suite for {task.goal!r}; "
                "was another version installed? Start again"
            )

    async def observe(self) -> Observation:
        """The screen once it has settled."""
        return await self._phone.observe()

    async def act(self, action: Action) -> None:
        """Carry out an action; AndroidWorld hears of an answer, which some of its tasks ask for."""
        await self._phone.act(action)
        if action.kind is ActionKind.ANSWER:
            await self._ask_about_task("answer", QUICK_S, text=action.text)

    async def probe(self, command: str) -> str:
        """AndroidWorld's score, or the phone's answer to a shell command."""
        if command != SCORE:
            return await self._phone.probe(command)
        return f"{await self._ask_about_task('score', self._options.patience_s):g}"

    async def close(self) -> None:
        """Tear down the task under way, end AndroidWorld's process, and let the phone go."""
        try:
            await self._end()
            await self._process.close()
        finally:
            await self._phone.close()

    async def _ask_about_task(self, do: str, timeout_s: float, **fields: object) -> float:
        if not (self._under_way and self._process.running):
            raise DeviceError(f"AndroidWorld's process for {self.id} was lost with its task")
        return (await self._process.ask(do, timeout_s, **fields)).score

    async def _connect(self) -> None:
        """Connect a process that is new to the emulator; one that runs is connected."""
        if self._process.running:
            return
        found = _EMULATOR.fullmatch(self.id)
        assert found is not None
        console = int(found[1])
        await self._process.ask(
            "connect",
            self._options.patience_s,
            console_port=console,
            grpc_port=console + GRPC_ABOVE,
            adb=self._options.adb,
            adb_server_port=self._options.adb_server_port,
            tree=self._options.tree,
        )

    async def _end(self) -> None:
        """Tear down the task under way; if that fails, another process and a clean phone must do.

        An emulator that distrl boots is cleaned by its snapshot. That undoes more than tearing down does, but
        cuts the connections that AndroidWorld holds: it gets another process for every episode.
        """
        under_way, self._under_way = self._under_way, False
        if self._options.phone == "emulator":
            await self._process.close()
        if not (under_way and self._process.running):
            return
        try:
            await self._process.ask("end", self._options.patience_s)
        except DeviceError:
            self._process.kill()

    async def _repair(self, remedy: str) -> None:
        """Apply one remedy; after those that start the phone anew, AndroidWorld must connect anew too."""
        if remedy not in KEEPS_STATE:
            self._under_way = False
            self._process.kill()
        assert isinstance(self._phone, Repairable)
        await self._phone.repair(remedy)
        self.id = self._phone.id


def build(config: DeviceConfig, index: int = 0, seed: int = 0) -> AndroidWorldDevice:
    """Number `index` of the phones; options that are not AndroidWorld's are the phone's."""
    options = read_options(config.options)
    rest = {name: text for name, text in config.options.items() if name not in OWN_OPTIONS}
    if (
        options.phone == "emulator"
    ):  # AndroidWorld needs the gRPC service, which only `screen=grpc` switches on
        rest["screen"] = "grpc"
    inner = config.model_copy(update={"kind": options.phone, "options": rest})
    phone = plugins.find("devices", options.phone)(inner, index=index, seed=seed)
    return AndroidWorldDevice(phone, AndroidWorldProcess(find_python()), options)

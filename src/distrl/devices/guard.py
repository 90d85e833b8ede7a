"""A device with a guard in front of it, for phones with a person's data; the rules are in docs/safety.md.

The guard judges every action by the screen it would land on. What is refused never reaches the phone: for the
agent it is an action that changes nothing. If an action leads out of the allowed apps, the guard goes back,
or home, before anybody sees or touches what is there.
"""

from __future__ import annotations

import logging
import time
from typing import Protocol, runtime_checkable

from distrl.config import DeviceConfig, SafetyConfig
from distrl.devices.safety_rules import HOMES, Rules, Surroundings, rules_from
from distrl.devices.veil import Veil
from distrl.errors import ConfigError, DeviceError, TaskError
from distrl.interfaces import Device, Repairable
from distrl.records import FINAL_KINDS, Action, ActionKind, Observation, Task

UNGUARDED = ("simulated", "browser")  # kinds that hold nobody's data
SIMULATED_BRAND = "simphone"
STALE_S = 5.0  # an action is judged by a screen that is no older than this
WAYS_OUT = (ActionKind.BACK, ActionKind.HOME, ActionKind.HOME)

_BRAND = "getprop ro.product.brand"
_HOME = "cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.HOME"
_KEYBOARD = "settings get secure default_input_method"
_PACKAGES = "pm list packages"
_log = logging.getLogger(__name__)


@runtime_checkable
class Restartable(Protocol):
    """A device that can tell whether it has restarted: what `collect` calls Resumable, seen from below."""

    async def boot_id(self) -> str:
        """The same text as long as the system runs."""


class Note(Protocol):
    """Who hears of what the guard did: `refused`, `sent_back` and `dry_run`, with device, action and why."""

    def __call__(self, kind: str, **fields: object) -> None: ...


def log_note(kind: str, **fields: object) -> None:
    """Write it to the log, where there are no records to write it to."""
    _log.warning("%s: %s", kind, ", ".join(f"{name} {value}" for name, value in fields.items()))


class GuardedDevice:
    """Another device, guarded by rules; is Repairable and Resumable exactly if that one is."""

    def __init__(
        self,
        device: Device,
        rules: Rules,
        *,
        veil: Veil | None = None,
        dry_run: bool = False,
        exempt: bool = False,  # holds nobody's data: only a dry run concerns it
        note: Note = log_note,
    ) -> None:
        self.id = device.id
        self._device = device
        self._rules = rules
        self._veil = veil or Veil("sharp")
        self._dry_run = dry_run
        self._exempt = exempt
        self._note = note
        self._guarding = not exempt
        self._around = Surroundings()
        self._seen: Observation | None = None
        self._seen_at = 0.0
        if isinstance(device, Repairable):
            self.remedies = device.remedies
            self.repair = self._repair
        if isinstance(device, Restartable):
            self.boot_id = device.boot_id

    # -- the Device interface --------------------------------------------------------------------

    async def open(self) -> None:
        """Open the device, and find out whether it is simulated: then there is nothing to guard."""
        self._seen = None
        await self._device.open()
        self.id = self._device.id  # only now it is known which phone it is
        if self._exempt:
            return
        self._guarding = (await self._ask(_BRAND)) != SIMULATED_BRAND
        if not self._guarding:
            return
        if not self._rules.allowed:
            await self._device.close()
            raise ConfigError(
                f"{self.id} may hold a person's data, and no app is allowed on it: name those that the agent "
                "may use (--set safety.allowed_apps=clock,com.example.shop), or `any`",
                "safety.allowed_apps",
            )
        self._around = await self._look_around()

    async def reset(self, task: Task, seed: int) -> None:
        """Reset the device, unless the task's commands may destroy a person's data; not in a dry run."""
        self._seen = None
        if self._guarding and (line := self._rules.bad_command([*task.setup, *task.probes.values()])):
            raise TaskError(
                f"task {task.id} wants to run `{line}` on {self.id}, which may destroy a person's data; use "
                "another suite, or permit it: --set safety.all_commands=true"
            )
        if self._dry_run:
            self._tell("dry_run", f"reset for {task.id}", "")
            return
        await self._device.reset(task, seed)

    async def observe(self) -> Observation:
        """The screen, once nothing but allowed apps, home and dialogs of the system is in front."""
        seen = await self._device.observe()
        if self._guarding and not self._dry_run:
            seen = await self._return(seen)
        self._remember(seen)
        return self._veil.over(seen, self.id, self._rules.is_allowed) if self._guarding else seen

    async def act(self, action: Action) -> None:
        """Carry out an action if the rules permit it; otherwise note it, and change nothing."""
        chosen, why = await self._judge(action) if self._guarding else (action, "")
        if self._dry_run:
            self._tell("dry_run", action, why)
        elif why:
            self._tell("refused", action, why)
        else:
            await self._pass(chosen)

    async def probe(self, command: str) -> str:
        """The device's answer; there is none in a dry run, so that no verdict is reached by accident."""
        if self._dry_run:
            raise DeviceError(f"{self.id} is not asked in a dry run, so there is nothing to judge")
        if self._guarding and (line := self._rules.bad_command([command])):
            raise TaskError(f"the probe `{line}` may destroy a person's data on {self.id} (docs/safety.md)")
        return await self._device.probe(command)

    async def close(self) -> None:
        """Let the device go."""
        self._seen = None
        await self._device.close()

    # -- judging -----------------------------------------------------------------------------------

    async def _judge(self, action: Action) -> tuple[Action, str]:
        """What to carry out, and why not."""
        if action.kind in FINAL_KINDS or action.kind is ActionKind.INVALID:
            return action, ""
        if action.kind is ActionKind.OPEN_APP and action.text is not None:
            package = self._rules.package_to_open(action.text, self._around)
            # By package from here on, so that nobody else's idea of a name can open another app.
            chosen = Action(ActionKind.OPEN_APP, text=package) if package else action
            return chosen, "" if package else f"{action.text!r} is no app that is allowed and installed"
        if self._seen is None or time.monotonic() - self._seen_at > STALE_S:
            self._remember(await self._device.observe())
        assert self._seen is not None
        return action, self._rules.objection(action, self._seen, self._around)

    async def _pass(self, action: Action) -> None:
        if action.kind not in FINAL_KINDS and action.kind is not ActionKind.INVALID:
            self._seen = None  # it shows what was, not what is
        await self._device.act(action)

    async def _return(self, seen: Observation) -> Observation:
        """Leave apps that are not allowed; raises DeviceError if that does not work."""
        app = self._rules.outside(seen, self._around)
        if not app:
            return seen
        for way in WAYS_OUT:
            await self._device.act(Action(way))
            seen = await self._device.observe()
            if not self._rules.outside(seen, self._around):
                self._tell("sent_back", way.value, f"{app} is not allowed")
                return seen
        stuck = self._rules.outside(seen, self._around)
        raise DeviceError(
            f"{self.id} cannot be brought out of {stuck}; if that is its home screen, add it to "
            "safety.allowed_apps"
        )

    def _remember(self, seen: Observation) -> None:
        self._seen, self._seen_at = seen, time.monotonic()

    def _tell(self, kind: str, action: object, why: str) -> None:
        self._note(kind, device=self.id, action=str(action), why=why)

    # -- the phone itself --------------------------------------------------------------------------

    async def _look_around(self) -> Surroundings:
        """Home screen, keyboard and apps of the phone; what it does not tell is taken to be as usual."""
        home = (await self._ask(_HOME)).splitlines()[-1:]
        keyboard = (await self._ask(_KEYBOARD)).partition("/")[0]
        packages = (await self._ask(_PACKAGES)).split()
        return Surroundings(
            homes=HOMES | {line.partition("/")[0] for line in home if "/" in line},
            keyboards=frozenset({keyboard} if "." in keyboard else ()),
            installed=frozenset(package.removeprefix("package:") for package in packages),
        )

    async def _ask(self, command: str) -> str:
        try:
            return (await self._device.probe(command)).strip()
        except DeviceError as error:
            _log.info("%s does not answer `%s`: %s", self.id, command, error)
            return ""

    async def _repair(self, remedy: str) -> None:
        """Repair the device; in a dry run only by connecting again, which sends it nothing."""
        assert isinstance(self._device, Repairable)
        self._seen = None
        if self._dry_run and remedy != "reconnect":
            raise DeviceError(f"{self.id} is not repaired by {remedy} in a dry run")
        await self._device.repair(remedy)
        self.id = self._device.id


def guard(device: Device, config: DeviceConfig, safety: SafetyConfig, note: Note | None = None) -> Device:
    """The device behind its guard, or as it is where neither its kind nor a dry run asks for one."""
    exempt = config.kind in UNGUARDED or not safety.guard
    if exempt and not safety.dry_run:
        return device
    return GuardedDevice(
        device,
        Rules(frozenset()) if exempt else rules_from(safety, _named(config)),
        veil=Veil(safety.pictures, safety.originals),
        dry_run=safety.dry_run,
        exempt=exempt,
        note=log_note if note is None else note,
    )


def quiet(config: DeviceConfig, safety: SafetyConfig) -> DeviceConfig:
    """The device's settings for a run; in a dry run not even another keyboard is taken into use."""
    if not safety.dry_run or config.kind != "adb":
        return config
    return config.model_copy(update={"options": {**config.options, "keyboard": "ascii"}})


def _named(config: DeviceConfig) -> dict[str, str]:
    """Packages by the names that `device.options.apps` gives them."""
    pairs = (pair.partition("=") for pair in config.options.get("apps", "").split(","))
    return {name.strip().lower(): package.strip() for name, _, package in pairs if package.strip()}

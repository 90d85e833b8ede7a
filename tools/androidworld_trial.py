"""Run AndroidWorld's own tasks, with its own evaluators, on a simulated phone; see docs/androidworld.md.

Run it with the Python of an AndroidWorld installation, beside `distrl phone serve --emulator --names google`:

    PYTHON_OF_ANDROIDWORLD tools/androidworld_trial.py [--only Wifi] [--seed 0]

Every task is run three times from a fresh boot: nothing is done, nearly the right thing is done, the right
thing is done. A task passes when AndroidWorld scores these 0, below 1 and 1. (Tasks called Verify begin
solved: for them nothing done scores 1, and undoing it is the near miss.) The phone is touched through
AndroidWorld's `execute_action` only. This proves protocol and plumbing, not Android itself.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

warnings.filterwarnings("ignore")

from absl import logging  # noqa: E402
from android_env import loader  # noqa: E402
from android_env.components import config_classes  # noqa: E402
from android_world import registry  # noqa: E402
from android_world.env import android_world_controller, interface, json_action  # noqa: E402

Params = Mapping[str, Any]


class LostElement(Exception):
    """What a script wants to touch is not on the screen."""


class Hand:
    """Touches the phone as an agent does: by AndroidWorld's actions on the elements that it lists."""

    def __init__(self, env: interface.AsyncAndroidEnv) -> None:
        self._env = env
        self.actions = 0

    def do(self, kind: str, **values: Any) -> None:
        """One action."""
        self.actions += 1
        self._env.execute_action(json_action.JSONAction(action_type=kind, **values))

    def open(self, app: str) -> None:
        """Open an app by name."""
        self.do("open_app", app_name=app)

    def back(self) -> None:
        """Press BACK."""
        self.do("navigate_back")

    def index(self, label: str, after: str = "") -> int:
        """The place of an element in the list; `after`: the first one behind the element called so."""
        begun = not after
        for place, element in enumerate(self._env.get_state().ui_elements):
            names = (element.text, element.content_description, (element.resource_id or "").split("/")[-1])
            if begun and label in names:
                return place
            begun = begun or after in names
        raise LostElement(f"no element {label!r} on the screen")

    def tap(self, label: str, after: str = "", kind: str = "click") -> None:
        """Touch an element; scrolls down until it is there."""
        for _ in range(12):
            try:
                self.do(kind, index=self.index(label, after))
            except LostElement:
                self.do("scroll", direction="down")
            else:
                return
        raise LostElement(f"no element {label!r}, however far one scrolls")

    def touch(self, label: str, across: float) -> None:
        """Touch an element at a part of its width, as one sets a slider."""
        box = self._env.get_state().ui_elements[self.index(label)].bbox_pixels
        x = box.x_min + across * (box.x_max - 1 - box.x_min)
        self.do("click", x=round(x), y=round((box.y_min + box.y_max) / 2))

    def write(self, label: str, text: str) -> None:
        """Type into a text field; AndroidWorld presses ENTER afterwards."""
        self.do("input_text", index=self.index(label), text=text)


Script = Callable[[Hand, Params], None]


@dataclass(frozen=True)
class Case:
    """How a task is solved, and how it is nearly solved."""

    solve: Script
    near: Script
    near_miss: str  # in words
    begins_solved: bool = False
    params: Params | None = None


def tiles(*names: str) -> Script:
    """Pull the shade down and touch quick settings."""

    def run(hand: Hand, _: Params) -> None:
        hand.do("swipe", direction="down")
        for name in names:
            hand.tap(name)
        hand.back()

    return run


def wifi_in_settings(hand: Hand, _: Params) -> None:
    """Touch the switch on the page of networks."""
    hand.open("settings")
    hand.tap("Network & internet")
    hand.tap("Internet")
    hand.tap("Wi-Fi")


def brightness(across: float) -> Script:
    """Set the slider on the display's page."""

    def run(hand: Hand, _: Params) -> None:
        hand.open("settings")
        hand.tap("Display")
        hand.touch("screen_brightness", across)

    return run


def open_app(app: str = "") -> Script:
    """Open the app that is asked for, or another one."""
    return lambda hand, params: hand.open(app or params["app_name"])


def both(first: Script, second: Script) -> Script:
    """One after the other."""

    def run(hand: Hand, params: Params) -> None:
        first(hand, params)
        second(hand, params)

    return run


def timer(start: bool) -> Script:
    """Type the timer's digits, and start it or not."""

    def run(hand: Hand, params: Params) -> None:
        hand.open("clock")
        hand.tap("Timer")
        hand.tap("Add timer")
        for digit in f"{params['hours']:02d}{params['minutes']:02d}{params['seconds']:02d}".lstrip("0"):
            hand.tap(digit)
        if start:
            hand.tap("Start")

    return run


def contact(change: Callable[[str], str] = str, save: bool = True) -> Script:
    """Fill the form of a new contact."""

    def run(hand: Hand, params: Params) -> None:
        hand.open("contacts")
        hand.tap("Create contact")
        hand.write("Name", params["name"])
        hand.write("Phone", change(params["number"]))
        if save:
            hand.tap("Save")

    return run


def delete_file(confirm: bool) -> Script:
    """Delete the file in its folder."""

    def run(hand: Hand, params: Params) -> None:
        hand.open("files")
        hand.tap(params["subfolder"], after="Folders")
        hand.tap(params["file_name"], kind="long_press")
        hand.tap("delete")
        hand.tap("Delete" if confirm else "Cancel")

    return run


def transfer_file(verb: str) -> Script:
    """Move or copy the file into the other folder."""

    def run(hand: Hand, params: Params) -> None:
        hand.open("files")
        hand.tap(params["source_folder"], after="Folders")
        hand.tap(params["file_name"], kind="long_press")
        hand.tap(verb.lower())
        hand.tap("Up one level")
        hand.tap(params["destination_folder"])
        hand.tap(f"{verb} here")

    return run


def send_text(change: Callable[[str], str] = str) -> Script:
    """Write to a number."""

    def run(hand: Hand, params: Params) -> None:
        hand.open("simple sms messenger")
        hand.tap("fab")
        hand.write("to", params["number"])
        hand.write("draft", change(params["message"]))  # its ENTER sends

    return run


def send_to_person(name: str) -> Script:
    """Send the text to a person from Contacts."""

    def run(hand: Hand, params: Params) -> None:
        hand.open("simple sms messenger")
        hand.tap("fab")
        hand.tap(params[name])
        hand.write("draft", params["message"])  # its ENTER sends

    return run


def reply(change: Callable[[str], str] = str) -> Script:
    """Answer the conversation with the number."""

    def run(hand: Hand, params: Params) -> None:
        hand.open("simple sms messenger")
        hand.tap(params["number"])
        hand.write("draft", change(params["message"]))  # its ENTER sends

    return run


def copy_text(copy: bool) -> Script:
    """Send the text to somebody and copy it from the conversation."""

    def run(hand: Hand, params: Params) -> None:
        hand.open("simple sms messenger")
        hand.tap("fab")
        hand.write("to", "5551234")
        hand.write("draft", params["clipboard_content"])  # its ENTER sends
        if copy:
            hand.tap(params["clipboard_content"], kind="long_press")
            hand.tap("Copy text")

    return run


def other_end(number: str) -> str:
    """A number that differs in its last digit."""
    return number[:-1] + str((int(number[-1]) + 1) % 10)


def cut(text: str) -> str:
    """The first half of a text."""
    return text[: len(text) // 2].strip()


WIFI, BLUETOOTH, MOBILE = tiles("Wi-Fi"), tiles("Bluetooth"), tiles("Mobile data")
CASES: dict[str, Case] = {
    "SystemWifiTurnOff": Case(wifi_in_settings, MOBILE, "mobile data instead"),
    "SystemWifiTurnOn": Case(wifi_in_settings, tiles("Wi-Fi", "Wi-Fi"), "on, and off again"),
    "SystemWifiTurnOffVerify": Case(open_app("settings"), WIFI, "switched on", True),
    "SystemWifiTurnOnVerify": Case(open_app("settings"), WIFI, "switched off", True),
    "SystemBluetoothTurnOff": Case(BLUETOOTH, WIFI, "Wi-Fi instead"),
    "SystemBluetoothTurnOn": Case(BLUETOOTH, tiles("Bluetooth", "Bluetooth"), "on, and off again"),
    "SystemBluetoothTurnOffVerify": Case(open_app("settings"), BLUETOOTH, "switched on", True),
    "SystemBluetoothTurnOnVerify": Case(open_app("settings"), BLUETOOTH, "switched off", True),
    "SystemBrightnessMax": Case(brightness(1), brightness(0.98), "not quite the end"),
    "SystemBrightnessMin": Case(brightness(0), brightness(0.02), "not quite the end"),
    "SystemBrightnessMaxVerify": Case(open_app("settings"), brightness(0.98), "dimmed a little", True),
    "SystemBrightnessMinVerify": Case(open_app("settings"), brightness(0.02), "raised a little", True),
    "SystemCopyToClipboard": Case(copy_text(True), copy_text(False), "written, not copied"),
    "TurnOffWifiAndTurnOnBluetooth": Case(tiles("Wi-Fi", "Bluetooth"), WIFI, "only Wi-Fi off"),
    "TurnOnWifiAndOpenApp": Case(
        both(WIFI, open_app()), open_app(), "only the app opened", params={"app_name": "clock"}
    ),
    "OpenAppTaskEval": Case(open_app(), open_app("files"), "another app", params={"app_name": "contacts"}),
    "ClockTimerEntry": Case(timer(start=False), timer(start=True), "timer started"),
    "ContactsAddContact": Case(contact(), contact(other_end), "last digit wrong"),
    "FilesDeleteFile": Case(delete_file(True), delete_file(False), "not confirmed"),
    "FilesMoveFile": Case(transfer_file("Move"), transfer_file("Copy"), "copied"),
    "SimpleSmsSend": Case(send_text(), send_text(cut), "half of the message"),
    "SimpleSmsSendClipboardContent": Case(send_text(), send_text(cut), "half of the message"),
    "SimpleSmsSendReceivedAddress": Case(
        send_to_person("name1"), send_to_person("name2"), "sent back to the sender"
    ),
    "SimpleSmsReply": Case(reply(), reply(cut), "half of the message"),
    "SimpleSmsReplyMostRecent": Case(reply(), reply(cut), "half of the message"),
}


def connect(args: argparse.Namespace) -> interface.AsyncAndroidEnv:
    """AndroidWorld's environment; the tree comes from uiautomator, since the phone runs no Android apps."""
    task_file = android_world_controller._write_default_task_proto()
    simulator = config_classes.EmulatorConfig(
        emulator_launcher=config_classes.EmulatorLauncherConfig(
            emulator_console_port=args.console_port,
            adb_port=args.console_port + 1,
            grpc_port=args.console_port + 3000,
        ),
        adb_controller=config_classes.AdbControllerConfig(
            adb_path=args.adb, adb_server_port=args.adb_server_port
        ),
    )
    task = config_classes.FilesystemTaskConfig(path=task_file)
    env = loader.load(config_classes.AndroidEnvConfig(task=task, simulator=simulator))
    method = android_world_controller.A11yMethod.UIAUTOMATOR
    controller = android_world_controller.AndroidWorldController(env, method, False)
    return interface.AsyncAndroidEnv(controller)


class Trial:
    """Runs cases on one phone."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._env = connect(args)
        self._tasks = registry.TaskRegistry().get_registry("android_world")

    def score(self, name: str, case: Case, script: Script | None) -> tuple[float, int]:
        """What AndroidWorld says after a script, and how many actions that took."""
        self._boot()
        random.seed(self._args.seed)
        cls = self._tasks[name]
        cls.set_device_time(self._env)
        params = {**(case.params or cls.generate_random_params()), "seed": self._args.seed}
        task = cls(params)
        self._env.reset(go_home=True)
        task.initialize_task(self._env)
        hand = Hand(self._env)
        try:
            if script is not None:
                script(hand, params)
            return float(task.is_successful(self._env)), hand.actions
        finally:
            task.tear_down(self._env)

    def _boot(self) -> None:
        serial = f"emulator-{self._args.console_port}"
        server = ["-P", str(self._args.adb_server_port), "-s", serial]
        subprocess.run(
            [self._args.adb, *server, "shell", "simphone", "reset", str(self._args.seed)],
            check=True,
            timeout=30,
            stdin=subprocess.DEVNULL,
        )


def main() -> int:
    """Print a table; the exit status tells whether every task passed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only tasks whose name contains this")
    parser.add_argument("--seed", type=int, default=0, help="of AndroidWorld's parameters and of the phone")
    parser.add_argument("--console-port", type=int, default=5554)
    parser.add_argument("--adb", default="adb", help="the adb program")
    parser.add_argument("--adb-server-port", type=int, default=5037)
    args = parser.parse_args()
    logging.set_verbosity(logging.FATAL)
    trial = Trial(args)
    passed, begun = [], time.monotonic()
    chosen = {name: case for name, case in CASES.items() if args.only in name}
    print("| task | nothing done | near miss | solved | actions |\n|---|---|---|---|---|", flush=True)
    for name, case in chosen.items():
        idle, near, solved, count, trouble = -1.0, -1.0, -1.0, 0, ""
        try:
            idle, _ = trial.score(name, case, None)
            near, _ = trial.score(name, case, case.near)
            solved, count = trial.score(name, case, case.solve)
        except Exception as error:  # one task's trouble is a row of the table
            trouble = f" {type(error).__name__}: {error}"
        passed.append(idle == float(case.begins_solved) and 0 <= near < 1 and solved == 1)
        row = f"| {name} | {idle:g} | {near:g} ({case.near_miss}) | {solved:g} | {count} |"
        print(row + ("" if passed[-1] else f" FAILED{trouble}"), flush=True)
    print(f"\n{sum(passed)} of {len(passed)} tasks passed in {time.monotonic() - begun:.0f} s")
    return 0 if passed and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

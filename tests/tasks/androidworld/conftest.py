"""A stand-in for an AndroidWorld installation: modules that behave as the real interface does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from distrl.tasks import androidworld

REGISTRY = """
import json, os, random, sys, time
from pathlib import Path

PHONE = Path(os.environ["FAKE_PHONE"])  # the file that stands for the phone


class _Task:
    complexity = 1.2
    start_on_home_screen = True

    def __init__(self, params):
        self.params = params
        self.initialized = False

    @property
    def goal(self):
        return self.template.format(**self.params)

    @classmethod
    def set_device_time(cls, env):
        pass

    @classmethod
    def generate_random_params(cls):
        return {}

    def initialize_task(self, env):
        print("AndroidWorld prints whatever it likes")
        env.interaction_cache = ""
        self.initialized = True
        PHONE.write_text("off")

    def is_successful(self, env):
        assert self.initialized
        return 1.0 if PHONE.read_text() == "on" else 0.0

    def tear_down(self, env):
        PHONE.write_text("torn down")


class TurnOn(_Task):
    template = "Turn it on."


class Dial(_Task):
    complexity = 2
    template = "Dial {number}."

    @classmethod
    def generate_random_params(cls):
        return {"number": random.randint(0, 10**9)}


class Half(_Task):
    template = "Do both."

    def is_successful(self, env):
        return 0.5


class Ask(_Task):
    template = "How many?"

    def is_successful(self, env):
        return float(env.interaction_cache == "three")


class Crash(_Task):
    template = "Crash."

    def is_successful(self, env):
        print("Segmentation fault, or so", file=sys.stderr)
        sys.stderr.flush()
        os._exit(11)


class Hang(_Task):
    template = "Wait."

    def is_successful(self, env):
        time.sleep(600)


class Refuse(_Task):
    template = "Refuse."

    def initialize_task(self, env):
        raise RuntimeError("the app is not installed\\nand more")


class Unmakable(_Task):
    template = "{missing}"


class TaskRegistry:
    def get_registry(self, family):
        assert family == "android_world"
        tasks = (TurnOn, Dial, Half, Ask, Crash, Hang, Refuse, Unmakable)
        return {task.__name__: task for task in tasks}
"""
CONTROLLER = """
import enum


class A11yMethod(enum.Enum):
    UIAUTOMATOR = "uiautomator"


def _write_default_task_proto():
    return "default.textproto"


class AndroidWorldController:
    def __init__(self, env, a11y_method, install_a11y_forwarding_app):
        assert a11y_method is A11yMethod.UIAUTOMATOR and not install_a11y_forwarding_app
        self.env = env
"""
INTERFACE = """
class AsyncAndroidEnv:
    def __init__(self, controller):
        self.controller = controller
        self.interaction_cache = ""

    def reset(self, go_home=False):
        assert go_home
"""
CONFIG_CLASSES = """
import dataclasses


def _made(name):
    return lambda **fields: (name, fields)


AndroidEnvConfig, FilesystemTaskConfig, EmulatorConfig, EmulatorLauncherConfig, AdbControllerConfig = map(
    _made, ("env", "task", "emulator", "launcher", "adb")
)
"""
FILES = {
    "android_world/__init__.py": "",
    "android_world/registry.py": REGISTRY,
    "android_world/env/__init__.py": "",
    "android_world/env/android_world_controller.py": CONTROLLER,
    "android_world/env/interface.py": INTERFACE,
    "android_env/__init__.py": "",
    "android_env/loader.py": "def load(config):\n    return config\n",
    "android_env/components/__init__.py": "",
    "android_env/components/config_classes.py": CONFIG_CLASSES,
}


@pytest.fixture
def phone_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that stands for the phone, with the stand-in installed for this Python."""
    for name, text in FILES.items():
        path = tmp_path / "installed" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "installed"))
    monkeypatch.setenv("FAKE_PHONE", str(tmp_path / "phone"))
    monkeypatch.setenv("DISTRL_ANDROIDWORLD_PYTHON", sys.executable)
    monkeypatch.delenv("DISTRL_ANDROIDWORLD_TASKS", raising=False)
    androidworld._listed.cache_clear()
    return tmp_path / "phone"

"""Lets a program without AndroidWorld use its tasks: one JSON object per line in, one per line out.

It is run by the Python of an AndroidWorld installation and needs nothing else, not even distrl. It ends when
its input does. Requests are `{"id": 1, "do": NAME, …}`, answers `{"id": 1, …}` or
`{"id": 1, "error": "what happened"}`:

    list     names, seeds           -> tasks: [{name, seed, goal, steps}], left_out: {name: why}
    connect  console_port, grpc_port, adb, adb_server_port, tree -> {}
    begin    name, seed             -> goal; the task is initialised and the home screen is in front
    answer   text                   -> {}; what the agent said to a question
    score    -                      -> score from 0 to 1, by AndroidWorld's own evaluator
    end      -                      -> {}; the task is torn down
"""

from __future__ import annotations

import fnmatch
import json
import os
import random
import sys
import traceback
from collections.abc import Callable
from typing import Any, TextIO

STEPS_PER_COMPLEXITY = 10  # AndroidWorld's own budget
SEED = "seed"  # of a task's parameters; AndroidWorld uses it again when it initialises the task


class NotReady(Exception):
    """The request makes sense only after another one."""


class Tasks:
    """AndroidWorld's tasks, and the one that is under way on the connected phone."""

    def __init__(self) -> None:
        from android_world import registry

        self._classes: dict[str, Any] = registry.TaskRegistry().get_registry("android_world")
        self._env: Any = None
        self._task: Any = None

    def list(self, names: list[str], seeds: list[int]) -> dict[str, Any]:
        """The tasks whose names fit one of the patterns, with each of the seeds."""
        tasks, left_out = [], {}
        for name in sorted(self._classes):
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in names):
                continue
            try:
                made = [self._make(name, seed) for seed in seeds]
                tasks += [
                    {"name": name, "seed": seed, "goal": task.goal, "steps": _steps(task)}
                    for seed, task in zip(seeds, made, strict=True)
                ]
            except Exception as error:  # a task that cannot be made must not hide the others
                left_out[name] = _in_words(error)
        return {"tasks": tasks, "left_out": left_out}

    def connect(
        self, console_port: int, grpc_port: int, adb: str, adb_server_port: int, tree: str
    ) -> dict[str, Any]:
        """Connect to an emulator that runs; `tree` is `uiautomator`, or `forwarder` as AndroidWorld does."""
        if tree == "forwarder":
            from android_world.env import env_launcher

            self._env = env_launcher.load_and_setup_env(
                console_port=console_port, adb_path=adb, grpc_port=grpc_port
            )
        else:
            self._env = _connect(console_port, grpc_port, adb, adb_server_port)
        return {}

    def begin(self, name: str, seed: int) -> dict[str, Any]:
        """Initialise a task on the phone."""
        env = self._connected()
        self._task = None
        task = self._make(name, seed)
        task.initialize_task(env)
        self._task = task
        env.reset(go_home=task.start_on_home_screen)
        return {"goal": task.goal}

    def answer(self, text: str) -> dict[str, Any]:
        """Keep what the agent said, where tasks that ask a question look for it."""
        self._connected().interaction_cache = text
        return {}

    def score(self) -> dict[str, Any]:
        """What AndroidWorld's evaluator says now."""
        if self._task is None:
            raise NotReady("no task is under way")
        return {"score": float(self._task.is_successful(self._connected()))}

    def end(self) -> dict[str, Any]:
        """Tear down the task that is under way, if any."""
        task, self._task = self._task, None
        if task is not None:
            task.tear_down(self._connected())
        return {}

    def _make(self, name: str, seed: int) -> Any:
        if name not in self._classes:
            raise NotReady(f"this AndroidWorld has no task {name}")
        task_class = self._classes[name]
        task_class.set_device_time(self._env)
        random.seed(seed)
        return task_class({**task_class.generate_random_params(), SEED: seed})

    def _connected(self) -> Any:
        if self._env is None:
            raise NotReady("no phone is connected")
        return self._env


def _steps(task: Any) -> int:
    return max(1, int(STEPS_PER_COMPLEXITY * task.complexity))


def _connect(console_port: int, grpc_port: int, adb: str, adb_server_port: int) -> Any:
    """AndroidWorld's environment with trees from uiautomator: needs no app on the phone."""
    from android_env import loader
    from android_env.components import config_classes
    from android_world.env import android_world_controller, interface

    config = config_classes.AndroidEnvConfig(
        task=config_classes.FilesystemTaskConfig(path=android_world_controller._write_default_task_proto()),
        simulator=config_classes.EmulatorConfig(
            emulator_launcher=config_classes.EmulatorLauncherConfig(
                emulator_console_port=console_port, adb_port=console_port + 1, grpc_port=grpc_port
            ),
            adb_controller=config_classes.AdbControllerConfig(adb_path=adb, adb_server_port=adb_server_port),
        ),
    )
    method = android_world_controller.A11yMethod.UIAUTOMATOR
    controller = android_world_controller.AndroidWorldController(loader.load(config), method, False)
    return interface.AsyncAndroidEnv(controller)


def _in_words(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def serve(tasks: Tasks, requests: TextIO, answers: TextIO) -> None:
    """Answer requests until there are no more; one that fails is answered with its error."""
    does: dict[str, Callable[..., dict[str, Any]]] = {
        name: getattr(tasks, name) for name in ("list", "connect", "begin", "answer", "score", "end")
    }
    for line in requests:
        request = json.loads(line)
        number, name = request.pop("id"), request.pop("do")
        try:
            answer = does[name](**request)
        except Exception as error:  # the other side decides what it means
            traceback.print_exc()
            answer = {"error": _in_words(error)}
        answers.write(json.dumps({"id": number, **answer}) + "\n")
        answers.flush()


def main() -> None:
    """Serve on standard input and output; what AndroidWorld prints goes to standard error."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if path != here]  # this file's neighbours are no packages
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        tasks = Tasks()
    except Exception as error:  # said on the line where the first answer is expected
        answers.write(json.dumps({"id": 0, "error": _in_words(error)}) + "\n")
        answers.flush()
        sys.exit(1)
    answers.write(json.dumps({"id": 0}) + "\n")
    answers.flush()
    serve(tasks, sys.stdin, answers)


if __name__ == "__main__":
    main()

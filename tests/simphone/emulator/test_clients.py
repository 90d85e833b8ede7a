"""Programs that nobody here wrote, on a simulated phone: android-env and `adb emu`."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from distrl.simphone.adbd.listening import ListeningPhone
from distrl.testing.phones import PrivateAdb, free_port, served_phones
from distrl.view.phones import GRPC_ABOVE, emulator_faces

# In a process of its own: android-env changes the environment of the one it runs in.
ANDROID_ENV = """
import json, sys
import numpy as np
from android_env import loader
from android_env.components import config_classes as c
from android_env.components.action_type import ActionType
from android_env.proto import state_pb2

adb_port, grpc_port, server_port = map(int, sys.argv[1:4])
x, y = map(float, sys.argv[4:6])
env = loader.load(c.AndroidEnvConfig(
    task=c.FilesystemTaskConfig(path=sys.argv[6]),
    simulator=c.EmulatorConfig(
        emulator_launcher=c.EmulatorLauncherConfig(
            adb_port=adb_port, emulator_console_port=adb_port - 1, grpc_port=grpc_port),
        adb_controller=c.AdbControllerConfig(adb_path=sys.argv[7], adb_server_port=server_port))))
simulator = env._simulator

def step(kind):
    action = {"action_type": np.array(kind), "touch_position": np.array([x, y], dtype=np.float32)}
    return env.step(action).observation["pixels"]

home = env.reset().observation["pixels"].copy()
saved = simulator.save_state(state_pb2.SaveStateRequest(args={"snapshot_name": "home"}))
down = step(ActionType.TOUCH).copy()
opened = step(ActionType.LIFT).copy()
loaded = simulator.load_state(state_pb2.LoadStateRequest(args={"snapshot_name": "home"}))
back = step(ActionType.REPEAT)
missing = simulator.load_state(state_pb2.LoadStateRequest(args={"snapshot_name": "nothing"}))
print(json.dumps({
    "shape": home.shape,
    "down": float((down != home).mean()), "opened": float((opened != home).mean()),
    "back": float((back != home).mean()),
    "states": [saved.status, loaded.status, missing.status],
}))
env.close()
"""
OK, NOT_FOUND = 1, 2


@pytest.fixture(scope="module")
def phone(adb: PrivateAdb) -> Iterator[ListeningPhone]:
    port = free_port() | 1
    with served_phones(1, port=port, step=2) as phones:
        faces = emulator_faces(phones.farm.phones[0], Path(adb.environment["HOME"]))
        for face in faces:
            phones.call(face.start())
        phones.register(adb.port)
        adb.run("-s", f"emulator-{port - 1}", "wait-for-device")
        yield phones.farm.phones[0]
        for face in faces:
            phones.call(face.stop())


@pytest.mark.skipif(
    importlib.util.find_spec("android_env") is None, reason="needs android-env: pip install 'distrl[dev]'"
)
def test_android_env_unmodified(adb: PrivateAdb, phone: ListeningPhone, tmp_path: Path) -> None:
    task = tmp_path / "task.textproto"
    task.write_text('id: "look around"')
    seen = phone.served.phone
    icon = next(node for node in seen.tree() if node.text == "Settings")
    place = (
        (icon.bounds[0] + icon.bounds[2]) / 2 / seen.width,
        (icon.bounds[1] + icon.bounds[3]) / 2 / seen.height,
    )
    words = [phone.port, phone.port + GRPC_ABOVE, adb.port, *place, task, "/usr/bin/adb"]
    command = [sys.executable, "-c", ANDROID_ENV, *map(str, words)]
    done = subprocess.run(
        command, env=adb.environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["shape"] == [seen.height, seen.width, 3]
    assert result["down"] == 0
    assert result["opened"] > 0.2
    assert result["back"] < 0.05  # the clock at the top may have moved on
    assert result["states"] == [OK, OK, NOT_FOUND]


def test_adb_emu_reaches_the_console(adb: PrivateAdb, phone: ListeningPhone) -> None:
    serial = f"emulator-{phone.port - 1}"

    def emu(*words: str) -> list[str]:
        return adb.text("-s", serial, "emu", *words).split("\n")

    assert phone.served.name in " ".join(emu("avd", "name"))
    assert "OK" in " ".join(emu("avd", "snapshot", "save", "here"))
    assert "here" in " ".join(emu("avd", "snapshot", "list"))
    assert "KO" in " ".join(emu("avd", "snapshot", "load", "nowhere"))
    assert "OK" in " ".join(emu("sms", "send", "+15551234567", "Hello,  you"))
    assert "KO" in " ".join(emu("sms", "send", "+15551234567"))
    assert "body=Hello,  you" in phone.served.phone.shell("content query --uri content://sms/inbox").stdout
    assert "KO" in " ".join(emu("kill"))  # served phones are not ended by their callers

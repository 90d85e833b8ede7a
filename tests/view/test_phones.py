import signal
import socket
import subprocess
import sys

import pytest

from distrl.errors import ConfigError, DeviceError
from distrl.testing.phones import free_port
from distrl.view.phones import serve


def call(count: int = 1, port: int | None = None, **changes: object) -> None:
    settings = {
        "emulator": False,
        "seed": 0,
        "profile": "instant",
        "time_scale": 1.0,
        "clock": "real",
        "server_port": 5037,
    }
    serve(count, port, **{**settings, **changes})  # type: ignore[arg-type]


def test_bad_input_is_explained_all_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        call(port=5556, emulator=True, profile="no-such", clock="cuckoo")
    assert len(caught.value.faults) == 3
    with pytest.raises(ConfigError, match="65536"):
        call(count=10, port=65530)


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(DeviceError, match="another --port"):
            call(port=taken.getsockname()[1])


def test_it_says_what_to_type_next_and_ends_cleanly() -> None:
    port = free_port()
    command = [sys.executable, "-m", "distrl.cli", "phone", "serve", "--count", "2", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(3)]
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
    assert f"127.0.0.1:{port}" in told[0]
    assert f"serials=127.0.0.1:{port}-{port + 1}" in told[2]

"""The sync protocol: what `adb push`, `adb pull` and `adb ls` speak."""

from __future__ import annotations

import struct

from distrl.simphone import storage
from distrl.simphone.adbd.transport import Stream
from distrl.simphone.served import ServedPhone
from distrl.simphone.shell.files import mode_of

CHUNK = 64 * 1024
LARGEST_FILE = 64 * 2**20
NO_ENTRY = 2  # ENOENT
_REQUEST = struct.Struct("<4sI")
_STAT = struct.Struct("<4s3I")
_STAT_V2 = struct.Struct("<4sIQQIIIIQqqq")
_ENTRY = struct.Struct("<4s4I")


async def serve_sync(served: ServedPhone, stream: Stream) -> None:
    """Answer requests until the client says QUIT."""
    stream.listening = True
    while True:
        word, length = _REQUEST.unpack(await stream.read(_REQUEST.size))
        path = (await stream.read(length)).decode("utf-8", "replace") if length else ""
        served.catch_up()
        if word == b"QUIT":
            return
        if word == b"STAT":
            await stream.write(_stat(served, path))
        elif word in (b"STA2", b"LST2"):
            await stream.write(_stat_v2(served, word, path))
        elif word == b"LIST":
            await stream.write(_list(served, path))
        elif word == b"RECV":
            await _send_file(served, stream, path)
        elif word == b"SEND":
            await stream.write(await _take_file(served, stream, path))
        else:
            await stream.write(_fail(f"unknown request {word!r}"))
            return


def _fail(reason: str) -> bytes:
    encoded = reason.encode()
    return _REQUEST.pack(b"FAIL", len(encoded)) + encoded


def _stat(served: ServedPhone, path: str) -> bytes:
    found = storage.find(served.phone.store, path)
    if found is None:
        return _STAT.pack(b"STAT", 0, 0, 0)
    return _STAT.pack(b"STAT", mode_of(found), found.size % 2**32, found.modified)


def _stat_v2(served: ServedPhone, word: bytes, path: str) -> bytes:
    found = storage.find(served.phone.store, path)
    if found is None:
        return _STAT_V2.pack(word, NO_ENTRY, *[0] * 10)
    when = found.modified
    return _STAT_V2.pack(word, 0, 1, 1, mode_of(found), 1, 0, 0, found.size, when, when, when)


def _list(served: ServedPhone, path: str) -> bytes:
    parts = []
    for entry in storage.listing(served.phone.store, path):
        name = entry.name.encode()
        parts.append(
            _ENTRY.pack(b"DENT", mode_of(entry), entry.size % 2**32, entry.modified, len(name)) + name
        )
    return b"".join(parts) + _ENTRY.pack(b"DONE", 0, 0, 0, 0)


async def _send_file(served: ServedPhone, stream: Stream, path: str) -> None:
    content = storage.read(served.phone.store, path)
    if content is None:
        await stream.write(_fail("No such file or directory"))
        return
    for start in range(0, len(content), CHUNK):
        piece = content[start : start + CHUNK]
        await stream.write(_REQUEST.pack(b"DATA", len(piece)) + piece)
    await stream.write(_REQUEST.pack(b"DONE", 0))


async def _take_file(served: ServedPhone, stream: Stream, target: str) -> bytes:
    """Receive a file whose path and mode the client names; the answer is OKAY or FAIL."""
    path = target.rpartition(",")[0]
    content = bytearray()
    while True:
        word, length = _REQUEST.unpack(await stream.read(_REQUEST.size))
        if word == b"DONE":
            break
        if word != b"DATA":
            return _fail("protocol fault: expected DATA")
        piece = await stream.read(length)
        if len(content) <= LARGEST_FILE:
            content += piece
    if len(content) > LARGEST_FILE:
        return _fail("No space left on device")
    if not storage.write(served.phone.store, path, bytes(content), modified=length, show=True):
        return _fail("couldn't create file: Read-only file system")
    served.phone.touched()
    return _REQUEST.pack(b"OKAY", 0)

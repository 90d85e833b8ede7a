"""Messages of the adb protocol: six little-endian words, then a payload."""

from __future__ import annotations

import asyncio
import struct
from typing import NamedTuple

VERSION = 0x01000001  # from this version on nobody looks at the checksum
MAX_PAYLOAD = 2**20
_HEADER = struct.Struct("<6I")


def _word(name: bytes) -> int:
    return int.from_bytes(name, "little")


CNXN, OPEN, OKAY, WRTE, CLSE, AUTH = map(_word, (b"CNXN", b"OPEN", b"OKAY", b"WRTE", b"CLSE", b"AUTH"))


class WireError(Exception):
    """What arrived is not the adb protocol."""


class Message(NamedTuple):
    """One message; what the two numbers mean depends on the command."""

    command: int
    arg0: int
    arg1: int
    payload: bytes


def header(command: int, arg0: int, arg1: int, length: int) -> bytes:
    """The 24 bytes before a payload."""
    return _HEADER.pack(command, arg0, arg1, length, 0, command ^ 0xFFFFFFFF)


async def read_message(reader: asyncio.StreamReader) -> Message:
    """The next message; raises WireError on anything else, IncompleteReadError at the end."""
    command, arg0, arg1, length, _, magic = _HEADER.unpack(await reader.readexactly(_HEADER.size))
    if magic != command ^ 0xFFFFFFFF or length > MAX_PAYLOAD:
        raise WireError("not a message of the adb protocol")
    return Message(command, arg0, arg1, await reader.readexactly(length) if length else b"")

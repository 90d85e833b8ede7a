"""Just enough of protobuf's wire format for the few small messages of an emulator.

A message is a row of fields; each has a number and is either a whole number (`int`) or bytes: text, bytes or
another message. That is all that these messages are made of, so no generated code is needed, and nothing of
ours can collide with the generated code of a client in the same process.
"""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
_FIXED = {FIXED64: 8, FIXED32: 4}


class NotProtobuf(ValueError):
    """The bytes are no protobuf message."""


class Message:
    """A message that was read; a field that is absent is 0 or empty, as in proto3."""

    def __init__(self, data: bytes) -> None:
        self._fields = list(fields(data))

    def number(self, field: int) -> int:
        """The field as a signed whole number; the last one counts."""
        value = next((value for key, value in reversed(self._fields) if key == field), 0)
        if not isinstance(value, int):
            raise NotProtobuf(f"field {field} is no number")
        return value - 2**64 if value >= 2**63 else value

    def text(self, field: int) -> str:
        """The field as text; the last one counts."""
        found = self.parts(field)
        return found[-1].decode("utf-8", "replace") if found else ""

    def parts(self, field: int) -> list[bytes]:
        """Everything that the field holds: it may be repeated."""
        return [value for key, value in self._fields if key == field and isinstance(value, bytes)]


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message in order; raises NotProtobuf when it is none."""
    position = 0
    while position < len(data):
        tag, position = _varint(data, position)
        kind = tag & 7
        if kind == VARINT:
            value, position = _varint(data, position)
            yield tag >> 3, value
            continue
        if kind == LENGTH:
            length, position = _varint(data, position)
        elif kind in _FIXED:
            length = _FIXED[kind]
        else:
            raise NotProtobuf(f"there is no wire type {kind}")
        if position + length > len(data):
            raise NotProtobuf("the message ends too early")
        yield tag >> 3, data[position : position + length]
        position += length


def number(field: int, value: int) -> bytes:
    """A field with a whole number; 0 is not sent, as in proto3."""
    return _encoded(field << 3 | VARINT) + _encoded(value % 2**64) if value else b""


def data(field: int, value: bytes | str) -> bytes:
    """A field with bytes, text or a message."""
    content = value.encode() if isinstance(value, str) else value
    return _encoded(field << 3 | LENGTH) + _encoded(len(content)) + content


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(data) and shift < 70:
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position += 1
        if byte < 0x80:
            return value % 2**64, position
        shift += 7
    raise NotProtobuf("a number does not end")


def _encoded(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)

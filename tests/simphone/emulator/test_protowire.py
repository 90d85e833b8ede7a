import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.simphone.emulator.protowire import Message, NotProtobuf, data, fields, number

NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(st.integers(1, 2**29 - 1), NUMBERS | st.binary(max_size=300))))
def test_what_is_written_is_read(rows: list[tuple[int, int | bytes]]) -> None:
    written = b"".join(
        number(field, value) if isinstance(value, int) else data(field, value) for field, value in rows
    )
    sent = [
        (field, value % 2**64 if isinstance(value, int) else value) for field, value in rows if value != 0
    ]
    assert list(fields(written)) == sent


@given(st.binary(max_size=60))
def test_bytes_from_outside_are_read_or_refused(rubbish: bytes) -> None:
    with contextlib.suppress(NotProtobuf):
        list(fields(rubbish))


def test_absent_fields_are_zero_or_empty_and_numbers_are_signed() -> None:
    message = Message(number(1, -5) + data(2, "für"))
    assert (message.number(1), message.text(2), message.number(9), message.text(9)) == (-5, "für", 0, "")
    with pytest.raises(NotProtobuf):
        message.number(2)


def test_it_is_what_protobuf_itself_writes() -> None:
    descriptor = pytest.importorskip("google.protobuf.descriptor_pb2", reason="needs protobuf")
    theirs = descriptor.FieldDescriptorProto(name="größe", number=300, label=3)
    assert data(1, "größe") + number(3, 300) + number(4, 3) == theirs.SerializeToString(deterministic=True)

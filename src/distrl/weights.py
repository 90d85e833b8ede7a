"""Immutable, numbered weights in a folder: the learner publishes, workers pull.

Version 12 is `000012.safetensors` with `000012.json` beside it. The JSON file is written last and removed
first: a version exists if and only if its JSON file does, so a crash at any point leaves a consistent folder.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from hashlib import blake2b
from pathlib import Path

from distrl.errors import RecordError, WeightsError
from distrl.recording import UNFINISHED, write_then_rename
from distrl.records import PolicyVersion, Record, decode_json, encode_json


class FileWeights:
    """Weights as files; one process publishes, any number read. Implements the `WeightStore` Protocol.

    Kept are version 0 (the warm start), those of `keep_always`, and the newest `keep`. A reader that is
    slower than the pruning gets a WeightsError and may ask for the latest version again.
    """

    def __init__(self, folder: Path, run: str, keep: int = 5, keep_always: Collection[int] = ()) -> None:
        if keep < 1:
            raise WeightsError(f"at least one version must be kept, not {keep}")
        self.folder = folder
        self.run = run
        self.keep = keep
        self.keep_always = {0, *keep_always}

    async def publish(self, weights: bytes, learner_step: int) -> PolicyVersion:
        """Store under the next number."""
        return self.publish_sync(weights, learner_step)

    async def latest(self) -> PolicyVersion | None:
        """The newest version, if any."""
        return self.latest_sync()

    async def load(self, number: int) -> bytes:
        """The weights of a version, checked against its digest."""
        return self.load_sync(number)

    def publish_sync(self, weights: bytes, learner_step: int) -> PolicyVersion:
        """Store under the next number, then prune."""
        number = max(self._numbers(), default=-1) + 1
        version = PolicyVersion(self.run, number, learner_step, digest_of(weights))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_then_rename(self._weights_file(number), weights)
            write_then_rename(self._index_file(number), encode_json(version))
            self._prune()
        except OSError as error:
            raise WeightsError(
                f"version {number} cannot be published in {self.folder}: {error.strerror}"
            ) from error
        return version

    def latest_sync(self) -> PolicyVersion | None:
        """The newest version, if any."""
        numbers = self._numbers()
        return self.describe(numbers[-1]) if numbers else None

    def versions(self) -> list[PolicyVersion]:
        """All versions kept, oldest first."""
        found: list[PolicyVersion] = []
        for number in self._numbers():
            try:
                found.append(self.describe(number))
            except WeightsError:
                if number in self._numbers():  # still there, so it was not pruned meanwhile but is damaged
                    raise
        return found

    def describe(self, number: int) -> PolicyVersion:
        """A version's record; raises WeightsError when it is not kept."""
        try:
            return decode_json(self._index_file(number).read_bytes(), PolicyVersion)
        except FileNotFoundError as error:
            raise WeightsError(self._absent(number)) from error
        except (OSError, RecordError) as error:
            raise WeightsError(f"version {number} in {self.folder} cannot be read: {error}") from error

    def load_sync(self, number: int) -> bytes:
        """The weights of a version, checked against its digest."""
        version = self.describe(number)
        try:
            weights = self._weights_file(number).read_bytes()
        except FileNotFoundError as error:
            raise WeightsError(self._absent(number)) from error
        except OSError as error:
            raise WeightsError(
                f"version {number} in {self.folder} cannot be read: {error.strerror}"
            ) from error
        if digest_of(weights) != version.digest:
            raise WeightsError(
                f"{self._weights_file(number)} is damaged: its digest is not that of version {number}; "
                "use another version"
            )
        return weights

    def _prune(self) -> None:
        for number in self._numbers()[: -self.keep]:
            if number not in self.keep_always:
                self._index_file(number).unlink(missing_ok=True)
        # By weights file, not by what was just pruned, to also clear what a crash has left behind.
        kept = set(self._numbers())
        for file in self.folder.glob("[0-9]*.safetensors"):
            if int(file.stem) not in kept:
                file.unlink(missing_ok=True)
        for file in self.folder.glob(f".*{UNFINISHED}"):
            file.unlink(missing_ok=True)

    def _numbers(self) -> list[int]:
        return sorted(int(file.stem) for file in self.folder.glob("[0-9]*.json"))

    def _weights_file(self, number: int) -> Path:
        return self.folder / f"{number:06d}.safetensors"

    def _index_file(self, number: int) -> Path:
        return self.folder / f"{number:06d}.json"

    def _absent(self, number: int) -> str:
        kept = ", ".join(str(one) for one in self._numbers()) or "none"
        return f"version {number} is not in {self.folder}; kept are {kept}: ask for the latest"


def digest_of(weights: bytes) -> str:
    """The fingerprint of weights."""
    return blake2b(weights, digest_size=16).hexdigest()


# --- only what changed --------------------------------------------------------------------------


class Changes(Record, frozen=True):
    """What turns the weights of one version into those of another: a new header, and some tensors."""

    header: bytes
    tensors: dict[str, bytes]


def changes_between(base: bytes, weights: bytes) -> Changes:
    """The tensors of safetensors bytes that `base` does not have, or has with another content."""
    header, tensors = _split(weights)
    _, known = _split(base)
    return Changes(
        header, {name: bytes(data) for name, data in tensors.items() if known.get(name, b"") != data}
    )


def apply_changes(base: bytes, changes: Changes) -> bytes:
    """The weights that `changes_between` was given; whether they are is for the digest to say."""
    _, known = _split(base)
    places = _places(changes.header)
    weights = bytearray(max((end for _, end in places.values()), default=0))
    for name, (start, end) in places.items():
        data = changes.tensors.get(name, known.get(name, b""))
        if len(data) != end - start:
            raise WeightsError(f"the changes do not fit the weights they were made for, in tensor {name!r}")
        weights[start:end] = data
    return len(changes.header).to_bytes(8, "little") + changes.header + bytes(weights)


def _split(weights: bytes) -> tuple[bytes, Mapping[str, memoryview]]:
    """The header of safetensors bytes, and the bytes of each tensor."""
    length = int.from_bytes(weights[:8], "little")
    header = weights[8 : 8 + length]
    view = memoryview(weights)[8 + length :]
    return header, {name: view[start:end] for name, (start, end) in _places(header).items()}


def _places(header: bytes) -> dict[str, tuple[int, int]]:
    try:
        entries = json.loads(header)
        return {name: tuple(entry["data_offsets"]) for name, entry in entries.items() if name[:2] != "__"}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError("weights are not in the safetensors format, or damaged") from error

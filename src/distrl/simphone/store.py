"""Each app's own data: kept encoded until asked for, so that boot, restore and idle phones are cheap."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

import msgspec

from distrl.simphone.state import State

if TYPE_CHECKING:
    from distrl.simphone.system.bars import StatusBar
    from distrl.simphone.system.pages import BuiltPage
    from distrl.simphone.theme import Colour

D = TypeVar("D", bound=msgspec.Struct)

_encoder = msgspec.msgpack.Encoder()
_state_decoder = msgspec.msgpack.Decoder(State)


@lru_cache(maxsize=256)
def _decoder(kind: type[D]) -> msgspec.msgpack.Decoder[D]:
    return msgspec.msgpack.Decoder(kind)


def encode(value: msgspec.Struct) -> bytes:
    """Plain data as bytes."""
    return _encoder.encode(value)


PRISTINE_KEPT = 512
_pristine: dict[tuple[str, int], bytes] = {}


def _fresh(package: str, world_seed: int, fill: Callable[[], msgspec.Struct]) -> bytes:
    """An app's data on a fresh phone with this world's content, encoded and remembered."""
    found = _pristine.get((package, world_seed))
    if found is None:
        if len(_pristine) >= PRISTINE_KEPT:
            _pristine.pop(next(iter(_pristine)))
        found = _pristine[(package, world_seed)] = _encoder.encode(fill())
    return found


class Store:
    """The state of one phone together with the app data that has been decoded so far.

    Data that is still as on a fresh phone is not written down, so looking at an app changes no snapshot.
    """

    __slots__ = ("_fills", "_open", "edition", "pages", "state", "status")

    def __init__(self, state: State) -> None:
        self.state = state
        self._fills: dict[str, Callable[[], msgspec.Struct]] = {}
        self._open: dict[str, msgspec.Struct] = {}
        self.edition = 0
        """Goes up before anything changes that a page may read, except the clock, its own text fields and
        which pages are open."""
        self.pages: dict[str, BuiltPage] = {}
        """The pages built last, by what they were opened with; `system/pages.py` looks after them. They
        belong to this store, so they end with it when the phone is reset or restored."""
        self.status: tuple[tuple[int, float, Colour], StatusBar] | None = None
        """The status bar built last, and for which edition, minute and colour."""

    def data(self, package: str, kind: type[D], fill: Callable[[], D]) -> D:
        """An app's data, decoded on first use; an app the state does not know yet starts from `fill`."""
        found = self._open.get(package)
        if found is None:
            raw = self.state.apps.get(package)
            found = _decoder(kind).decode(
                _fresh(package, self.state.world_seed, fill) if raw is None else raw
            )
            self._open[package] = found
            self._fills[package] = fill
        assert isinstance(found, kind)
        return found

    def forget(self, package: str) -> None:
        """Drop an app's data: it starts afresh when next asked for."""
        self._open.pop(package, None)
        self.state.apps.pop(package, None)

    def forget_all(self) -> None:
        """Drop every app's data."""
        self._open.clear()
        self.state.apps.clear()

    def dump(self) -> bytes:
        """Everything, as bytes."""
        apps = self.state.apps
        for package, data in self._open.items():
            encoded = _encoder.encode(data)
            if encoded == _fresh(package, self.state.world_seed, self._fills[package]):
                apps.pop(package, None)
            else:
                apps[package] = msgspec.Raw(encoded)
        self.state.apps = dict(sorted(apps.items()))
        return _encoder.encode(self.state)

    @staticmethod
    def load(encoded: bytes) -> Store:
        """The store that `dump` wrote."""
        return Store(_state_decoder.decode(encoded))

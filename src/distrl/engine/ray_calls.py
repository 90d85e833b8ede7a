"""How parts that live in Ray actors call each other, wherever in the cluster they are."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

import ray
from ray.actor import ActorHandle
from ray.exceptions import RayError, RayTaskError

from distrl.engine.rpc import Bytes
from distrl.errors import EngineError, PartUnavailable

if TYPE_CHECKING:
    from distrl.engine.ray_actor import PartActor

SHARED_BYTES = 1 << 20  # larger answers that are given twice are put into the object store, once
SHARED_ANSWERS = 4


@dataclass(frozen=True)
class Address:
    """Where a part lives in one of its incarnations."""

    name: str
    incarnation: int
    actor: ActorHandle[PartActor]


class AddressBook:
    """Where all parts of the run live at the moment, as far as we have been told."""

    def __init__(self) -> None:
        self._addresses: dict[str, Address] = {}

    def enter(self, address: Address) -> None:
        """Note an address, unless a newer one is known: what Ray carries may arrive in any order."""
        known = self._addresses.get(address.name)
        if known is None or known.incarnation < address.incarnation:
            self._addresses[address.name] = address

    def find(self, name: str) -> ActorHandle[PartActor] | None:
        """The actor of a part, if there is one."""
        address = self._addresses.get(name)
        return address.actor if address is not None else None


class SharedAnswers:
    """Puts an answer that several callers get (weights, above all) into the object store once.

    Ray then carries it to each host once, however many parts there have asked.
    """

    def __init__(self) -> None:
        self._given: OrderedDict[bytes, ray.ObjectRef[bytes] | None] = OrderedDict()

    def share(self, answer: Bytes) -> bytes | list[ray.ObjectRef[bytes]]:
        """The answer itself, or a reference to it if it is large and was given before."""
        if len(answer) < SHARED_BYTES:
            return bytes(answer)
        digest = blake2b(answer, digest_size=16).digest()
        if digest not in self._given:
            self._given[digest] = None
            if len(self._given) > SHARED_ANSWERS:
                self._given.popitem(last=False)
            return bytes(answer)
        reference = self._given[digest]
        if reference is None:
            reference = self._given[digest] = ray.put(bytes(answer))
        return [reference]


class RayTransport:
    """Carries calls to the actor in which a part lives at the moment."""

    def __init__(self, addresses: AddressBook, name: str) -> None:
        self._addresses = addresses
        self._name = name

    async def call(self, method: str, payload: Bytes) -> Bytes:
        """The service's answer; raises PartUnavailable when the actor is gone or not ready."""
        actor = self._addresses.find(self._name)
        if actor is None:
            raise self._unavailable("not running")
        try:
            answer = await actor.call.remote(method, bytes(payload))
            if isinstance(answer, list):
                answer = await answer[0]
            return answer
        except RayTaskError as error:
            if isinstance(error.cause, PartUnavailable):
                raise self._unavailable(str(error.cause)) from None
            raise EngineError(f"{self._name}.{method} failed: {error.cause}") from error
        except RayError as error:
            raise self._unavailable(type(error).__name__) from error

    def _unavailable(self, why: str) -> PartUnavailable:
        return PartUnavailable(f"{self._name} cannot be reached ({why}); the call may be tried again")

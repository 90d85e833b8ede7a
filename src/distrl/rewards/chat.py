"""Asking a model: one request to an OpenAI-compatible server, tried again where that may help.

Servers of many makes speak this protocol: vLLM, llama.cpp, SGLang, and those of companies. Whatever goes
wrong ends as one ChatError with a sentence; nothing waits without a deadline.
"""

from __future__ import annotations

import asyncio
import os
import random
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from distrl.errors import JudgeError

if TYPE_CHECKING:  # of the extra `judges`: whoever judges by checks needs none of it
    import httpx

FIRST_PAUSE_S = 1.0  # doubles with every retry
LONGEST_PAUSE_S = 60.0  # a server that asks for more patience is not asked again
SHOWN = 200  # characters of a server's complaint
_RETRIED = frozenset({408, 409, 425, 429})  # and everything from 500 on
_UNAUTHORISED, _FORBIDDEN, _MISSING, _SERVER_FAULT = 401, 403, 404, 500


class ChatError(JudgeError):
    """No answer could be had from the model."""


class Answer(NamedTuple):
    """What the model said, and what it cost."""

    text: str
    prompt_tokens: int
    answer_tokens: int


@dataclass
class Costs:
    """What asking has cost so far."""

    requests: int = 0  # sent, those that were tried again included
    retries: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0  # from asking to answer, waits included, summed

    def metrics(self) -> dict[str, float]:
        """As numbers to record."""
        return {name: float(value) for name, value in vars(self).items()}


@dataclass(frozen=True)
class ChatSettings:
    """Whom to ask, and with how much patience."""

    url: str
    model: str
    key_variable: str = ""
    timeout_s: float = 60.0
    retries: int = 4
    concurrent: int = 8


class _Message(msgspec.Struct):
    content: object = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class _Busy(Exception):
    """This try failed, but another one may not; after `pause_s` if the server said so."""

    def __init__(self, why: str, pause_s: float | None = None) -> None:
        super().__init__(why)
        self.pause_s = pause_s


@dataclass
class _Gate:
    """How many may ask at once, for one event loop; and until when nobody may."""

    loop: asyncio.AbstractEventLoop
    places: asyncio.Semaphore
    closed_until: float = field(default=0.0)


class ChatClient:
    """Asks one model; use it from as many tasks at once as you like."""

    def __init__(
        self,
        settings: ChatSettings,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.costs = Costs()
        self._settings = settings
        self._sleep = sleep
        self._clock = clock
        self._gate: _Gate | None = None

    async def ask(self, fields: Mapping[str, object]) -> Answer:
        """The model's answer to a request with these fields; raises ChatError when there is none."""
        import httpx

        begin = self._clock()
        gate = self._gate_here()
        body = msgspec.json.encode({"model": self._settings.model, **fields})
        try:
            async with gate.places, httpx.AsyncClient(verify=_tls(), timeout=None) as http:
                return await self._ask_patiently(gate, http, body)
        finally:
            self.costs.seconds += self._clock() - begin

    def _gate_here(self) -> _Gate:
        loop = asyncio.get_running_loop()
        if self._gate is None or self._gate.loop is not loop:
            self._gate = _Gate(loop, asyncio.Semaphore(self._settings.concurrent))
        return self._gate

    async def _ask_patiently(self, gate: _Gate, http: httpx.AsyncClient, body: bytes) -> Answer:
        tried = 0
        while True:
            if (wait := gate.closed_until - self._clock()) > 0:  # another one was told to wait
                await self._sleep(wait)
            try:
                return await self._try(http, body)
            except _Busy as busy:
                tried += 1
                longest = busy.pause_s or 0.0
                if tried > self._settings.retries or longest > LONGEST_PAUSE_S:
                    times = f" in {tried} tries" if tried > 1 else ""
                    asked = f", and asks to wait {longest:.0f} s" if longest > LONGEST_PAUSE_S else ""
                    raise ChatError(f"{self._settings.url} did not answer{times}: {busy}{asked}") from busy
                self.costs.retries += 1
                if busy.pause_s is not None:
                    gate.closed_until = max(gate.closed_until, self._clock() + busy.pause_s)
                else:
                    pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (tried - 1))
                    await self._sleep(pause * random.uniform(0.5, 1.0))

    async def _try(self, http: httpx.AsyncClient, body: bytes) -> Answer:
        import httpx

        self.costs.requests += 1
        address = f"{self._settings.url.rstrip('/')}/chat/completions"
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                response = await http.post(address, content=body, headers=self._headers())
        except TimeoutError as error:
            raise _Busy(f"there was no answer within {self._settings.timeout_s:g} s") from error
        except httpx.TransportError as error:
            raise _Busy(f"the connection failed ({error or type(error).__name__})") from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise ChatError(f"{address} cannot be asked: {error}; correct judge.url") from error
        if response.status_code >= _SERVER_FAULT or response.status_code in _RETRIED:
            raise _Busy(
                f"it answered {response.status_code}{_complaint(response.content)}",
                retry_after(response.headers.get("retry-after")),
            )
        if response.status_code != httpx.codes.OK:
            raise ChatError(self._rejection(response.status_code, response.content))
        return self._read(response.content)

    def _headers(self) -> dict[str, str]:
        headers = {"content-type": "application/json"}
        key = os.environ.get(self._settings.key_variable, "") if self._settings.key_variable else ""
        if key:
            headers["authorization"] = f"Bearer {key}"
        return headers

    def _rejection(self, status: int, content: bytes) -> str:
        what = f"{self._settings.url} answered {status}{_complaint(content)}"
        if status in (_UNAUTHORISED, _FORBIDDEN):
            return f"{what}; put the key into the environment variable {self._settings.key_variable}"
        if status == _MISSING:
            return f"{what}; look at judge.url and judge.model"
        return what

    def _read(self, content: bytes) -> Answer:
        try:
            found = msgspec.json.decode(content, type=_Completion)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ChatError(
                f"{self._settings.url} answered something else than a completion: {error}"
            ) from error
        usage = found.usage or _Usage()
        self.costs.prompt_tokens += usage.prompt_tokens
        self.costs.answer_tokens += usage.completion_tokens
        if not found.choices:
            raise ChatError(f"{self._settings.url} answered without a choice")
        choice = found.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            why = (choice.message.refusal or "its content filter stepped in")[:SHOWN]
            raise ChatError(f"the model refused to answer: {why}")
        if choice.finish_reason == "length":
            raise ChatError("the answer was cut off before its verdict; raise judge.max_tokens")
        return Answer(_plain(choice.message.content), usage.prompt_tokens, usage.completion_tokens)


def _plain(content: object) -> str:
    """An answer's text; some servers send it in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def retry_after(value: str | None) -> float | None:
    """The seconds that a Retry-After header asks for, given as number or date; None if it is neither."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (moment - datetime.now(moment.tzinfo or UTC)).total_seconds())


def _complaint(content: bytes) -> str:
    """What a server says about an error, short and on one line."""
    text = content[: 20 * SHOWN].decode("utf-8", "replace")
    try:
        found = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = None
    if isinstance(found, dict):
        fault = found.get("error", found.get("message", text))
        text = str(fault.get("message", text)) if isinstance(fault, dict) else str(fault)
    words = " ".join(text.split())[:SHOWN]
    return f" ({words})" if words else ""


@cache
def _tls() -> ssl.SSLContext:
    """Reading the certificates takes longer than many an answer: once is enough."""
    return ssl.create_default_context()

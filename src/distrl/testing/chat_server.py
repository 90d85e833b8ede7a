"""A stand-in for a server of models: speaks the chat completions protocol, and knows nothing.

    python -m distrl.testing.chat_server --port 8000 --success 0.5

lets the commands of docs/judges.md be tried without a model: an episode's fingerprint decides the verdict.
Tests script its answers, faults included.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reply:
    """What the server answers to one request."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    hang_up: bool = False  # close the connection instead


@dataclass(frozen=True)
class Request:
    """What the server was asked."""

    path: str
    headers: dict[str, str]
    body: dict[str, object]


Answering = Callable[[Request], Reply]


def completion(text: str, *, refusal: str | None = None, finish: str = "stop") -> Reply:
    """An answer of a model in the usual form; 100 tokens asked, 20 answered."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return Reply(body=json.dumps({"choices": [choice], "usage": usage}).encode())


class ChatServer:
    """A running stand-in; remembers what it was asked."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._server: asyncio.Server | None = None
        self.requests: list[Request] = []
        self.at_once = 0  # most requests that were under way together
        self._under_way = 0

    @property
    def url(self) -> str:
        """The address to ask."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def start(self, port: int = 0) -> None:
        """Listen on this machine."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)

    async def stop(self) -> None:
        """Listen no more."""
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await _read(reader)) is not None:
                self.requests.append(request)
                self._under_way += 1
                self.at_once = max(self.at_once, self._under_way)
                try:
                    reply = self._answering(request)
                    await asyncio.sleep(reply.delay_s)
                finally:
                    self._under_way -= 1
                if reply.hang_up:
                    return
                writer.write(_encode(reply))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            return  # the client was tired of waiting
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    """The next request of a connection; None when it has ended."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.split("\r\n")
    headers = {
        name.strip().lower(): value.strip()
        for name, sign, value in (line.partition(":") for line in lines)
        if sign
    }
    content = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(first.split()[1], headers, json.loads(content or b"{}"))


def _encode(reply: Reply) -> bytes:
    headers = {"content-type": "application/json", "content-length": str(len(reply.body)), **reply.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {reply.status} Reply\r\n{lines}\r\n".encode() + reply.body


@asynccontextmanager
async def standing_in(answering: Answering) -> AsyncIterator[ChatServer]:
    """A stand-in while the block runs."""
    server = ChatServer(answering)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def by_fingerprint(success: float) -> Answering:
    """Verdicts by the fingerprint of what was asked: the same request always gets the same one."""

    def answer(request: Request) -> Reply:
        digest = hashlib.sha256(json.dumps(request.body["messages"]).encode()).digest()
        verdict = "success" if digest[0] < 256 * success else "failure"
        return completion(f"This stand-in has not looked at anything.\nVERDICT: {verdict}")

    return answer


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--success", type=float, default=0.5, help="share of episodes called a success")
    parser.add_argument("--status", type=int, default=200, help="answer everything with this status")
    args = parser.parse_args()
    refuse = Reply(args.status, b'{"error": {"message": "this stand-in was told to fail"}}')
    server = ChatServer(by_fingerprint(args.success) if args.status == 200 else lambda _: refuse)
    await server.start(args.port)
    print(f"A stand-in for a model answers at {server.url}; Ctrl-C ends it.", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    try:
        asyncio.run(_main())
    except KeyboardInterrupt:
        raise SystemExit(0) from None

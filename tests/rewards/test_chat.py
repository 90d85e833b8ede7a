import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from distrl.rewards.chat import Answer, ChatClient, ChatError, ChatSettings, retry_after
from distrl.testing.chat_server import ChatServer, Reply, completion, standing_in

GOOD = completion("It worked.\nVERDICT: success")


class Asked:
    """What came of asking a server that answers as scripted; the last reply is repeated."""

    def __init__(self, *replies: Reply, retries: int = 3, timeout_s: float = 5.0, key: str = "") -> None:
        self._replies = list(replies)
        self._settings = {"retries": retries, "timeout_s": timeout_s}
        self._key = key
        self.pauses: list[float] = []
        self.client: ChatClient
        self.server: ChatServer

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def _ask(self) -> Answer:
        def answer(_: object) -> Reply:
            return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

        async with standing_in(answer) as self.server:
            settings = ChatSettings(self.server.url, "judge-7b", key_variable=self._key, **self._settings)  # type: ignore[arg-type]
            self.client = ChatClient(settings, sleep=self._pause)
            return await self.client.ask({"messages": []})

    def answer(self) -> Answer:
        return asyncio.run(self._ask())

    def fault(self) -> str:
        with pytest.raises(ChatError) as caught:
            self.answer()
        return str(caught.value)


def test_an_answer_and_what_it_cost() -> None:
    asked = Asked(GOOD)
    assert asked.answer() == Answer("It worked.\nVERDICT: success", 100, 20)
    (request,) = asked.server.requests
    assert (request.path, request.body["model"]) == ("/v1/chat/completions", "judge-7b")
    assert "authorization" not in request.headers
    costs = asked.client.costs
    assert (costs.requests, costs.retries, costs.prompt_tokens, costs.answer_tokens) == (1, 0, 100, 20)
    assert costs.seconds > 0


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sesame")
    asked = Asked(GOOD, key="SOME_KEY")
    asked.answer()
    assert asked.server.requests[0].headers["authorization"] == "Bearer sesame"


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    asked = Asked(Reply(429, headers={"retry-after": "7"}), GOOD)
    assert asked.answer().prompt_tokens == 100
    assert asked.pauses == [pytest.approx(7, abs=0.5)]
    assert (asked.client.costs.requests, asked.client.costs.retries) == (2, 1)


def test_faults_of_the_server_are_tried_again_with_growing_pauses() -> None:
    asked = Asked(Reply(500), Reply(503), Reply(hang_up=True), GOOD)
    asked.answer()
    low, high = [0.5, 1.0, 2.0], [1.0, 2.0, 4.0]
    assert len(asked.pauses) == 3
    assert all(a <= pause <= b for a, pause, b in zip(low, asked.pauses, high, strict=True))


def test_patience_has_an_end() -> None:
    asked = Asked(Reply(500, b'{"error": {"message": "out of memory"}}'), retries=2)
    assert asked.fault().endswith("did not answer in 3 tries: it answered 500 (out of memory)")
    assert len(asked.server.requests) == 3
    asked = Asked(Reply(429, headers={"retry-after": "3600"}))
    assert "asks to wait 3600 s" in asked.fault()
    assert (len(asked.server.requests), asked.pauses) == (1, [])


def test_a_server_that_hangs_or_is_not_there() -> None:
    asked = Asked(Reply(delay_s=30), retries=1, timeout_s=0.05)
    assert "in 2 tries: there was no answer within 0.05 s" in asked.fault()
    client = ChatClient(ChatSettings("http://127.0.0.1:1/v1", "m", retries=0))
    with pytest.raises(ChatError, match=r"did not answer: the connection failed"):
        asyncio.run(client.ask({}))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(401, b'{"error": {"message": "no key"}}'), "401 (no key); put the key into"),
        (
            Reply(404, b'{"message": "no such model"}'),
            "404 (no such model); look at judge.url and judge.model",
        ),
        (Reply(400, b"pictures\nare not supported"), "400 (pictures are not supported)"),
        (Reply(301), "answered 301"),
        (Reply(body=b"<html>hello</html>"), "something else than a completion"),
        (Reply(body=b'{"choices": []}'), "without a choice"),
        (Reply(body=b'{"object": "list"}'), "something else than a completion"),
        (Reply(body=b"\xff\xfe"), "something else than a completion"),
        (completion("", refusal="I cannot look at this"), "refused to answer: I cannot look at this"),
        (completion("", finish="content_filter"), "content filter"),
        (completion("I think that", finish="length"), "raise judge.max_tokens"),
    ],
)
def test_what_would_not_help_is_not_tried_again(reply: Reply, expected: str) -> None:
    asked = Asked(reply)
    assert expected in asked.fault()
    assert len(asked.server.requests) == 1


def test_an_answer_in_parts_and_without_usage() -> None:
    body = b'{"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}]}'
    assert Asked(Reply(body=body)).answer() == Answer("ab", 0, 0)


def test_only_so_many_requests_at_once() -> None:
    async def ask_all() -> tuple[int, Sequence[Answer]]:
        slow = Reply(body=GOOD.body, delay_s=0.02)
        async with standing_in(lambda _: slow) as server:
            client = ChatClient(ChatSettings(server.url, "m", concurrent=3))
            answers = await asyncio.gather(*(client.ask({}) for _ in range(10)))
            return server.at_once, answers

    at_once, answers = asyncio.run(ask_all())
    assert (at_once, len(answers)) == (3, 10)


def test_when_to_try_again_as_number_or_date() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert retry_after("1.5") == 1.5
    assert retry_after("-3") == 0
    assert retry_after(later) == pytest.approx(30, abs=2)
    assert retry_after("soon") is None
    assert retry_after(None) is None

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from distrl.config import JudgeConfig
from distrl.errors import ConfigError
from distrl.interfaces import Judge
from distrl.records import Ending, Outcome, Trajectory, Verdict
from distrl.rewards.chat import ChatClient, ChatSettings
from distrl.rewards.checks import require_checks
from distrl.rewards.model import ModelJudge, build
from distrl.rewards.verdict_cache import VerdictCache
from distrl.rewards.watching import PATIENCE, WatchedJudge
from distrl.testing.chat_server import Answering, ChatServer, Reply, completion, standing_in
from distrl.testing.judge_contract import JUDGE_CONTRACT, Clause
from distrl.testing.trajectories import make_screenshot, make_task, make_trajectory

YES, NO = completion("Done.\nVERDICT: success"), completion("Not done.\nVERDICT: failure")


async def no_pause(seconds: float) -> None:
    del seconds


def judge_at(server: ChatServer, cache: Path | None = None, **settings: object) -> ModelJudge:
    config = JudgeConfig.model_validate(
        {"kind": "model", "url": server.url, "model": "judge-7b", "retries": 1, **settings}
    )
    chat = ChatSettings(config.url, config.model, config.key_variable, retries=config.retries)
    client = ChatClient(chat, sleep=no_pause)
    return ModelJudge(
        client, config, require_done=True, cache=VerdictCache(cache) if cache is not None else None
    )


def judge(
    answering: Answering, trajectory: Trajectory, cache: Path | None = None, **settings: object
) -> tuple[Verdict, ModelJudge, ChatServer]:
    async def run() -> tuple[Verdict, ModelJudge, ChatServer]:
        async with standing_in(answering) as server:
            chosen = judge_at(server, cache, **settings)
            return await chosen.judge(trajectory), chosen, server

    return asyncio.run(run())


def in_turn(*replies: Reply) -> Callable[[object], Reply]:
    left = list(replies)
    return lambda _: left.pop(0)


@pytest.mark.parametrize("clause", JUDGE_CONTRACT, ids=lambda clause: clause.__name__)
@pytest.mark.parametrize("reply", [YES, Reply(500)], ids=["answers", "fails"])
def test_contract(clause: Clause, reply: Reply) -> None:
    async def run() -> None:
        async with standing_in(lambda _: reply) as server:
            await clause(judge_at(server))

    asyncio.run(run())


def test_the_models_word_and_reason_become_the_verdict() -> None:
    verdict, chosen, _ = judge(lambda _: YES, make_trajectory("t"))
    assert (verdict.outcome, verdict.evidence, verdict.judge) == (Outcome.SUCCESS, "Done.", "model")
    assert "judge-7b" in verdict.judge_version
    metrics = chosen.metrics()
    assert (metrics["judged"], metrics["requests"], metrics["prompt_tokens"]) == (1, 1, 100)
    assert judge(lambda _: NO, make_trajectory("t"))[0].outcome is Outcome.FAILURE


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(500), "in 2 tries"),
        (Reply(429, headers={"retry-after": "1"}), "429"),
        (Reply(401), "DISTRL_JUDGE_KEY"),
        (Reply(body=b"garbage"), "something else"),
        (completion("Hm."), "does not end with a verdict: Hm."),
        (completion("", refusal="no"), "refused"),
        (completion("VERDICT: unknown"), "no reason was given"),
    ],
)
def test_trouble_is_unknown_with_its_reason_and_never_trained_on(reply: Reply, reason: str) -> None:
    trajectory = make_trajectory("t")
    verdict, _, _ = judge(lambda _: reply, trajectory)
    assert verdict.outcome is Outcome.UNKNOWN
    assert reason in verdict.evidence
    assert not msgspec.structs.replace(trajectory, verdict=verdict).trainable


def test_what_needs_no_model_costs_nothing() -> None:
    verdict, chosen, server = judge(lambda _: YES, make_trajectory("t", ending=Ending.STEP_LIMIT))
    assert verdict.outcome is Outcome.FAILURE
    assert "did not say that it was done" in verdict.evidence
    assert (server.requests, chosen.metrics()["without_asking"]) == ([], 1)


def test_a_verdict_is_paid_for_once_but_trouble_is_not_remembered(tmp_path: Path) -> None:
    async def run() -> None:
        async with standing_in(in_turn(Reply(400), YES, NO)) as server:
            episodes = [
                make_trajectory("a"),
                make_trajectory("b", started_at=50),
                make_trajectory("c", seed=9),
            ]
            first = await judge_at(server, tmp_path).judge(episodes[0])
            assert first.outcome is Outcome.UNKNOWN
            verdicts = [await judge_at(server, tmp_path).judge(episode) for episode in episodes]
            assert [verdict.outcome for verdict in verdicts] == [
                Outcome.SUCCESS,
                Outcome.SUCCESS,
                Outcome.FAILURE,
            ]
            assert len(server.requests) == 3  # the first two show the same and differ only in id and time

    asyncio.run(run())


def test_equal_episodes_at_the_same_time_are_asked_about_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with standing_in(in_turn(YES)) as server:
            chosen = judge_at(server, tmp_path)
            found = await asyncio.gather(*(chosen.judge(make_trajectory(str(n))) for n in range(4)))
            assert {verdict.outcome for verdict in found} == {Outcome.SUCCESS}
            assert (len(server.requests), chosen.metrics()["cached"]) == (1, 3)

    asyncio.run(run())


def test_another_model_or_setting_is_another_judge(tmp_path: Path) -> None:
    async def run() -> None:
        async with standing_in(in_turn(YES, NO, NO)) as server:
            trajectory = make_trajectory("t")
            settings: list[dict[str, object]] = [{}, {"model": "judge-72b"}, {"pictures": 1}, {}]
            found = [await judge_at(server, tmp_path, **each).judge(trajectory) for each in settings]
            outcomes = [verdict.outcome is Outcome.SUCCESS for verdict in found]
            assert outcomes == [True, False, False, True]
            assert len({verdict.judge_version for verdict in found}) == 3

    asyncio.run(run())


@pytest.mark.parametrize(
    ("replies", "outcome", "asked"),
    [
        ((YES, YES), Outcome.SUCCESS, 2),  # decided: the third is saved
        ((YES, NO, NO), Outcome.FAILURE, 3),
        ((YES, NO, Reply(400)), Outcome.UNKNOWN, 3),
        ((YES, Reply(400), YES), Outcome.SUCCESS, 3),
    ],
)
def test_several_samples_decide_by_majority(replies: tuple[Reply, ...], outcome: Outcome, asked: int) -> None:
    verdict, _, server = judge(in_turn(*replies), make_trajectory("t"), samples=3, temperature=0.7)
    assert (verdict.outcome, len(server.requests)) == (outcome, asked)
    assert {request.body["seed"] for request in server.requests} == set(range(asked))


def test_more_fields_of_the_request_and_fewer() -> None:
    extra = {"max_tokens": None, "max_completion_tokens": 900, "reasoning_effort": "low"}
    _, _, server = judge(lambda _: YES, make_trajectory("t"), extra=extra)
    body = server.requests[0].body
    assert (body["max_completion_tokens"], body["reasoning_effort"]) == (900, "low")
    assert "max_tokens" not in body


def test_a_damaged_screen_or_cache_is_no_crash(tmp_path: Path) -> None:
    made = make_trajectory("t")
    assert made.final is not None
    torn = msgspec.structs.replace(make_screenshot(), data=b"torn")
    damaged = msgspec.structs.replace(made, final=msgspec.structs.replace(made.final, screenshot=torn))
    verdict, _, server = judge(lambda _: YES, damaged)
    assert (verdict.outcome, server.requests) == (Outcome.UNKNOWN, [])
    judge(lambda _: YES, made, tmp_path)
    for file in tmp_path.rglob("*.json"):
        file.write_bytes(b"torn")
    assert judge(lambda _: NO, made, tmp_path)[0].outcome is Outcome.FAILURE


def test_all_that_is_missing_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        build(JudgeConfig(kind="model", url="localhost:8000", samples=3))
    assert len(caught.value.faults) == 3
    with pytest.raises(ConfigError, match="holds a password"):
        build(JudgeConfig(kind="model", url="http://me:secret@host/v1", model="m"))
    assert build(JudgeConfig(kind="model", url="http://127.0.0.1:8000/v1", model="m")).name == "model"


def test_tasks_without_checks_need_a_model() -> None:
    bare = msgspec.structs.replace(make_task(), check=())
    require_checks([make_task(), bare], "mine")
    with pytest.raises(ConfigError, match=r"judge\.kind=model"):
        require_checks([bare], "mine")


class Recorded:
    """A recorder that keeps what it is told."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.books: list[dict[str, float]] = []

    def event(self, kind: str, **fields: object) -> None:
        assert kind == "warning"
        self.warnings.append(str(fields["text"]))

    def metrics(self, name: str, values: dict[str, float]) -> None:
        assert name == "judge"
        self.books.append(values)


def test_a_judge_that_never_tells_is_told_of() -> None:
    async def run() -> None:
        replies = [*[Reply(400, b"no pictures")] * (2 * PATIENCE), YES, *[Reply(400)] * PATIENCE]
        async with standing_in(in_turn(*replies)) as server:
            recorded = Recorded()
            watched = WatchedJudge(judge_at(server), recorded)
            for number in range(2 * PATIENCE):
                await watched.judge(make_trajectory(str(number)))
                await watched.judge(make_trajectory("lost", ending=Ending.DEVICE_LOST))
                failed = await watched.judge(make_trajectory("failed", ending=Ending.STEP_LIMIT))
                away = number + 1 >= PATIENCE  # failures alone would mislead
                assert failed.outcome is (Outcome.UNKNOWN if away else Outcome.FAILURE)
            assert "withheld" in failed.evidence
            assert len(recorded.warnings) == 1
            assert f"no verdict on any of the last {PATIENCE} episodes" in recorded.warnings[0]
            assert "no pictures" in recorded.warnings[0]
            await watched.judge(make_trajectory("good"))
            failed = await watched.judge(make_trajectory("failed", ending=Ending.STEP_LIMIT))
            assert failed.outcome is Outcome.FAILURE
            for number in range(PATIENCE):
                await watched.judge(make_trajectory(str(number)))
            assert len(recorded.warnings) == 2
            assert recorded.books[0]["requests"] == 1
            assert isinstance(watched, Judge)

    asyncio.run(run())

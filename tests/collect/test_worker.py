"""Workers: batching, permits, delivery until acknowledged, and devices that fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from distrl.collect.batching import BatchedPolicy
from distrl.collect.curriculum import Curriculum
from distrl.collect.episode import EpisodeLimits
from distrl.collect.worker import Worker, WorkerSettings
from distrl.errors import PartUnavailable
from distrl.interfaces import Permit, TaskRecord
from distrl.records import Ending, Outcome, PolicyVersion, Situation, Trajectory, Verdict
from distrl.testing.trajectories import make_observation, make_task

Make = Callable[..., Any]


class FakeReplay:
    """Grants `episodes` permits, and refuses every call `outages` times first."""

    def __init__(self, episodes: int, outages: int = 0) -> None:
        self.left = episodes
        self.outages = outages
        self.stored: dict[str, Trajectory] = {}
        self.full = asyncio.Event()

    def _maybe_out(self) -> None:
        if self.outages:
            self.outages -= 1
            raise PartUnavailable("restarting")

    async def add(self, trajectory: Trajectory) -> bool:
        self._maybe_out()
        new = trajectory.id not in self.stored
        self.stored[trajectory.id] = trajectory
        if trajectory.ending is Ending.DEVICE_LOST:
            self.left += 1
        elif self.left == 0 and len(self.usable()) >= self.target:
            self.full.set()
        return new

    target = 0

    def usable(self) -> list[Trajectory]:
        return [t for t in self.stored.values() if t.ending is not Ending.DEVICE_LOST]

    async def permit(self, worker: str, wanted: int) -> Permit:
        self._maybe_out()
        granted = min(self.left, wanted)
        self.left -= granted
        return Permit(granted)

    async def task_records(self) -> dict[str, TaskRecord]:
        return {}


class FakeJudge:
    name, version = "fake", "1"

    async def judge(self, trajectory: Trajectory) -> Verdict:
        return Verdict(Outcome.SUCCESS, self.name, self.version, "")


class FakeRecorder:
    def __init__(self) -> None:
        self.events: list[str] = []
        self.devices: list[dict[str, object]] = []
        self.named: dict[str, dict[str, float]] = {}
        self.last: dict[str, float] = {}

    def event(self, kind: str, **fields: object) -> None:
        self.events.append(kind)
        if kind == "device":
            self.devices.append(fields)

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None:
        self.named[name] = values
        if name == "worker":
            self.last = values


def collect(
    devices: list[Any], policy: Any, episodes: int, outages: int = 0, weights: Any = None
) -> tuple[FakeReplay, FakeRecorder]:
    recorder = FakeRecorder()

    async def go() -> FakeReplay:
        replay, stopping = FakeReplay(episodes, outages), asyncio.Event()
        replay.target = episodes
        worker = Worker(
            WorkerSettings("worker-0.0", "r", EpisodeLimits()),
            devices,
            BatchedPolicy(policy, weights, pull_every_s=0.0),
            Curriculum([make_task()], share=0.5, seed=0),
            FakeJudge(),
            replay,  # type: ignore[arg-type]
            recorder,
            stopping,
        )
        job = asyncio.ensure_future(worker.run())
        full = asyncio.ensure_future(replay.full.wait())
        await asyncio.wait([job, full], timeout=20, return_when=asyncio.FIRST_COMPLETED)
        stopping.set()
        await asyncio.wait_for(job, 10)
        return replay

    return asyncio.run(go()), recorder


def test_all_devices_share_batches_and_everything_is_delivered(fake_device: Make, fake_policy: Make) -> None:
    policy = fake_policy(3)
    devices = [fake_device(f"d{index}") for index in range(8)]
    replay, recorder = collect(devices, policy, episodes=40)
    assert len(replay.stored) == 40
    assert {t.device for t in replay.stored.values()} == {d.id for d in devices}
    assert sum(policy.batches) == 40 * 3
    assert max(policy.batches) == 8
    assert recorder.last["delivered"] == 40
    assert all(d.calls[-1] == "close" for d in devices)


def test_a_replay_that_restarts_loses_nothing(fake_device: Make, fake_policy: Make) -> None:
    replay, recorder = collect([fake_device("d0"), fake_device("d1")], fake_policy(2), episodes=6, outages=4)
    assert len(replay.stored) == 6
    assert recorder.last["replay_unavailable"] == 4


def test_a_lost_episode_is_run_again_on_a_reopened_device(
    fake_device: Make, fake_policy: Make, fail_once: Make
) -> None:
    device = fake_device("d", fail_once("act", at=2))
    replay, recorder = collect([device], fake_policy(3), episodes=2)
    endings = [t.ending for t in replay.stored.values()]
    assert endings.count(Ending.DEVICE_LOST) == 1
    assert endings.count(Ending.AGENT_DONE) == 2
    assert "device_lost" in recorder.events
    assert device.calls.count("open") == 2


def test_a_device_that_does_not_open_is_tried_again(
    fake_device: Make, fake_policy: Make, fail_once: Make
) -> None:
    replay, recorder = collect([fake_device("d", fail_once("open"))], fake_policy(1), episodes=1)
    assert len(replay.stored) == 1
    assert [each["state"] for each in recorder.devices] == ["suspect", "repairing", "ready"]


def test_a_lost_task_goes_to_a_device_that_is_free(
    fake_device: Make, fake_policy: Make, fail_once: Make
) -> None:
    hopeless = fake_device("hopeless", fail_once("act"))
    opened = hopeless.open

    async def open_once() -> None:
        if "act" in hopeless.calls:
            await asyncio.Event().wait()
        await opened()

    hopeless.open = open_once
    replay, recorder = collect([hopeless, fake_device("sound")], fake_policy(2), episodes=5)
    assert [t.device for t in replay.usable()] == ["sound"] * 5
    assert recorder.named["fleet"]["state/repairing"] == 1
    assert recorder.named["fleet"]["faults/disconnect"] == 1


def test_a_replay_that_is_away_for_long_fills_the_outbox_and_no_more(
    fake_device: Make, fake_policy: Make
) -> None:
    async def go() -> int:
        replay, stopping = FakeReplay(10_000), asyncio.Event()
        added = asyncio.Event()

        async def never(trajectory: Trajectory) -> bool:
            added.set()
            raise PartUnavailable("away")

        replay.add = never  # type: ignore[method-assign]
        policy = fake_policy(1)
        worker = Worker(
            WorkerSettings("worker-0.0", "r", EpisodeLimits()),
            [fake_device("a"), fake_device("b")],
            BatchedPolicy(policy, None),
            Curriculum([make_task()], share=0.5, seed=0),
            FakeJudge(),
            replay,  # type: ignore[arg-type]
            FakeRecorder(),
            stopping,
        )
        job = asyncio.ensure_future(worker.run())
        await added.wait()
        await asyncio.sleep(0.2)
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
        return sum(policy.batches)

    # Two devices: four in the outbox, two on their way, and one in each device's hands.
    assert asyncio.run(go()) == 8


def test_the_rest_of_the_worker_gets_a_turn_between_two_full_batches(fake_policy: Make) -> None:
    async def go() -> list[int]:
        policy = fake_policy(1)
        client = BatchedPolicy(policy, max_batch=2)
        situation = Situation("goal", (), make_observation(), 5)
        asked = [asyncio.ensure_future(client.decide(situation)) for _ in range(8)]
        await asyncio.sleep(0)  # all of them wait
        serving = asyncio.ensure_future(client.run())
        decided_at_each_pass: list[int] = []
        while not all(each.done() for each in asked):
            await asyncio.sleep(0)
            decided_at_each_pass.append(len(policy.batches))
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return decided_at_each_pass

    passes = asyncio.run(go())
    assert {1, 2, 3, 4} <= set(passes)


def test_weights_are_pulled_between_decisions(fake_device: Make, fake_policy: Make) -> None:
    class Weights:
        number = 0

        async def latest(self) -> PolicyVersion:
            self.number += 1
            return PolicyVersion("r", self.number, 0, "")

        async def load(self, number: int) -> bytes:
            return b"w"

    replay, _ = collect([fake_device("d")], fake_policy(5), episodes=1, weights=Weights())
    versions = [s.decision.version for t in replay.stored.values() for s in t.steps]
    assert versions == sorted(versions)
    assert len(set(versions)) == 5


def test_curriculum_prefers_what_is_half_solved() -> None:
    tasks = [make_task(name) for name in ("never", "half", "always")]
    curriculum = Curriculum(tasks, share=1.0, seed=0)
    curriculum.learn({"never": TaskRecord(50, 0), "half": TaskRecord(50, 25), "always": TaskRecord(50, 50)})
    drawn = [curriculum.draw().id for _ in range(600)]
    assert drawn.count("half") > 400
    assert drawn.count("never") > 10
    even = Curriculum(tasks, share=0.0, seed=0)
    even.learn({"never": TaskRecord(50, 0)})
    drawn = [even.draw().id for _ in range(600)]
    assert all(150 < drawn.count(task.id) < 250 for task in tasks)

"""The learner: draw, update, hand priorities back, publish, checkpoint, until the budget is spent."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol, TypeVar

import torch

from distrl.config import RunConfig
from distrl.errors import DistrlError, PartUnavailable, RunError
from distrl.interfaces import Algorithm, Replay, TrainablePolicy, Update, WeightStore
from distrl.learn import checkpoints
from distrl.learn.averaging import Average
from distrl.learn.batches import Batch, Batcher
from distrl.learn.checkpoints import Checkpoint
from distrl.learn.health import Health
from distrl.learn.pacing import Paced
from distrl.learn.reference import Anchored
from distrl.learn.refreshing import PORTION, refresh_for
from distrl.records import PolicyVersion

T = TypeVar("T")

WAIT_S = 0.05  # between two looks at a replay that has nothing to draw
FIRST_RETRY_S = 0.1  # doubles with every retry of a call to another part
LONGEST_RETRY_S = 5.0
GIVE_UP_S = 120.0  # another part that is gone for longer will not come back
MOST_BROKEN = 10  # updates in a row without a finite loss or gradient


class LearnerRecorder(Protocol):
    """Where the learner writes what it does."""

    def event(self, kind: str, **fields: object) -> None: ...

    def metrics(self, name: str, values: dict[str, float], **labels: str) -> None: ...


class Learner:
    """Trains one policy from what the replay hands out (a Part)."""

    def __init__(
        self,
        replay: Replay,
        weights: WeightStore,
        policy: TrainablePolicy,
        algorithm: Algorithm,
        config: RunConfig,
        recorder: LearnerRecorder,
        checkpoint: Path,
        stopping: asyncio.Event,
    ) -> None:
        self._replay = replay
        self._weights = weights
        self._policy = policy
        self._algorithm = algorithm
        self._config = config
        self._recorder = recorder
        self._checkpoint = checkpoint
        self._stopping = stopping
        self._batcher = Batcher(policy)
        self._average = Average(policy.module, config.learner.average_updates)
        self._refresh = refresh_for(algorithm, self._batcher, config)
        self._health = Health()
        self._updates = 0
        self._version = -1
        self._published_at = -1  # the update whose weights were published last
        self._trained_s = 0.0  # before this life began
        self._started = time.monotonic()
        self._saved = self._started
        self._steps = 0
        self._waited_s = 0.0
        self._reason = ""
        self._retries = 0
        self._broken = 0  # updates in a row
        self._broken_in_all = 0

    async def run(self) -> None:
        """Learn until the budget is spent, or until asked to stop; either way nothing learnt is lost."""
        await self._begin()
        try:
            while not self._stopping.is_set():
                progress = await self._progress()
                if progress >= 1:
                    await self._finish()
                    return
                if isinstance(self._algorithm, Paced):
                    self._algorithm.pace(progress)
                await self._turn()
                await asyncio.sleep(0)
        except PartUnavailable:
            # When a run ends, the replay may be gone before we are.
            if not self._stopping.is_set():
                raise
        self._save()
        self._recorder.event("stopped", updates=self._updates, version=self._version)

    # --- one turn of the loop -------------------------------------------------------------------

    async def _turn(self) -> None:
        begin = time.monotonic()
        sample = await self._call(
            lambda: self._replay.sample(self._config.learner.batch_trajectories, self._version)
        )
        batch = self._batcher.prepare(sample.drawn)
        if not batch.learnables:
            await self._wait(sample.reason or "nothing that was drawn may be trained on")
            return
        self._reason = ""
        drawn = time.monotonic()
        update = self._algorithm.update(batch.learnables, batch.features, self._version)
        if self._is_broken(update):
            return
        self._updates += 1
        self._average.update()
        self._steps += sum(len(entry.versions) for entry in batch.learnables)
        await self._call(lambda: self._replay.set_priorities(update.priorities))
        self._record(update, batch, sample_s=drawn - begin, update_s=time.monotonic() - drawn)
        if self._updates % self._publish_every() == 0:
            await self._publish()
        await self._renew_priorities()
        if time.monotonic() - self._saved >= self._config.learner.checkpoint_every_s:
            self._save()

    def _publish_every(self) -> int:
        """A synchronous round ends with a version; otherwise versions come at their own pace."""
        if self._config.mode == "sync":
            return self._config.round_updates
        return self._config.learner.publish_every

    async def _wait(self, reason: str) -> None:
        if reason != self._reason:
            self._recorder.event("learner_waiting", reason=reason)
            self._reason = reason
        if await self._renew_priorities(idle=True):
            return
        begin = time.monotonic()
        await self._pause(WAIT_S)
        self._waited_s += time.monotonic() - begin

    async def _renew_priorities(self, *, idle: bool = False) -> bool:
        """Compute a portion of old priorities anew, if it is due; False when there was nothing to do."""
        refresh, version = self._refresh, self._version
        if refresh is None or not refresh.is_due(version, idle=idle):
            return False
        with refresh.timed(idle=idle):
            old = await self._call(lambda: self._replay.outdated(PORTION, version, refresh.gap))
            priorities = refresh.evaluate(old, version)
            if priorities:
                await self._call(lambda: self._replay.set_priorities(priorities))
        return bool(priorities)

    def _is_broken(self, update: Update) -> bool:
        """Whether the update was skipped, or left something that is not a number; counts how often."""
        numbers = [*update.metrics.values(), *update.priorities.values()]
        if not update.metrics.get("skipped") and all(math.isfinite(number) for number in numbers):
            self._broken = 0
            return False
        self._broken += 1
        self._broken_in_all += 1
        self._recorder.event("update_skipped", in_a_row=self._broken, updates=self._updates)
        if self._broken >= MOST_BROKEN:
            raise DistrlError(
                f"{self._broken} updates in a row had no finite loss or gradient, so training cannot go on; "
                "lower algorithm.lr and resume from the last checkpoint"
            )
        return True

    def _record(self, update: Update, batch: Batch, *, sample_s: float, update_s: float) -> None:
        cached = self._batcher.hits / max(1, self._batcher.hits + self._batcher.misses)
        self._recorder.metrics(
            "learner",
            {
                **update.metrics,
                **(self._refresh.metrics() if self._refresh is not None else {}),
                "update": float(self._updates),
                "version": float(self._version),
                "trained_steps": float(self._steps),
                "batch_steps": float(sum(len(entry.versions) for entry in batch.learnables)),
                "seconds": self._seconds(),
                "sample_s": sample_s,
                "update_s": update_s,
                "waited_s": self._waited_s,
                "cached": cached,
                "dropped": float(self._batcher.dropped),
                "updates_skipped": float(self._broken_in_all),
                "retries": float(self._retries),
            },
        )
        for sentence in self._health.observe(update.metrics):
            self._recorder.event("warning", text=sentence, updates=self._updates)

    # --- beginning and ending -------------------------------------------------------------------

    async def _begin(self) -> None:
        latest = await self._call(self._weights.latest)
        await self._hold_reference(latest)
        stored = checkpoints.restore(
            self._checkpoint,
            lambda path, why: self._recorder.event("checkpoint_damaged", path=str(path), reason=why),
        )
        if stored is not None:
            self._resume(stored)
        elif latest is not None:
            number = latest.number
            self._policy.load(await self._call(lambda: self._weights.load(number)), number)
            self._average.restart()
        self._started = self._saved = time.monotonic()
        if latest is None or (stored is not None and latest.learner_step > self._updates):
            # Workers would otherwise go on with weights that this learner has lost.
            await self._publish()
        else:
            self._version = latest.number
            self._published_at = latest.learner_step
            await self._call(lambda: self._replay.published(self._version))

    async def _hold_reference(self, latest: PolicyVersion | None) -> None:
        """Show the algorithm version 0, if it wants to stay near it; what it goes on with is loaded after."""
        if self._config.algorithm.kl <= 0 or not isinstance(self._algorithm, Anchored):
            return
        if latest is not None:  # otherwise the policy as it was built will be version 0
            self._policy.load(await self._call(lambda: self._weights.load(0)), 0)
        self._algorithm.hold_reference()

    def _resume(self, stored: Checkpoint) -> None:
        try:
            self._policy.module.load_state_dict(stored.module)
            self._algorithm.load_state_dict(stored.algorithm)
            self._average.load_state_dict(stored.average)
        except (RuntimeError, ValueError, KeyError) as error:
            why = str(error).splitlines()[0]
            raise RunError(
                f"{self._checkpoint} does not fit this run's policy or algorithm ({why}); resume with the "
                "configuration it was written with"
            ) from error
        torch.set_rng_state(stored.rng)
        self._updates = stored.updates
        self._trained_s = stored.seconds
        self._recorder.event(
            "resumed", updates=stored.updates, version=stored.version, seconds=stored.seconds
        )

    async def _progress(self) -> float:
        """The share of the budget that is spent, of time, updates or trajectories, whichever is largest."""
        budget = self._config.budget
        spent = self._seconds() / (60 * budget.minutes)
        if budget.updates is not None:
            spent = max(spent, self._updates / budget.updates)
        if budget.trajectories is not None:
            spent = max(spent, (await self._call(self._replay.stats)).collected / budget.trajectories)
        return spent

    async def _finish(self) -> None:
        if self._published_at != self._updates:
            await self._publish()
        self._save()
        self._recorder.event(
            "finished", updates=self._updates, version=self._version, seconds=self._seconds()
        )

    async def _publish(self) -> None:
        with self._average.in_place():
            weights = self._policy.export()
        version = await self._call(lambda: self._weights.publish(weights, self._updates))
        self._version = version.number
        self._published_at = self._updates
        await self._call(lambda: self._replay.published(version.number))
        self._recorder.event(
            "published", version=version.number, updates=self._updates, digest=version.digest
        )

    def _save(self) -> None:
        checkpoints.save(
            self._checkpoint,
            Checkpoint(
                module=self._policy.module.state_dict(),
                algorithm=self._algorithm.state_dict(),
                average=self._average.state_dict(),
                updates=self._updates,
                version=self._version,
                seconds=self._seconds(),
                rng=torch.get_rng_state(),
            ),
        )
        self._saved = time.monotonic()

    # --- time and other parts -------------------------------------------------------------------

    def _seconds(self) -> float:
        """Trained so far, in this life and those before."""
        return self._trained_s + time.monotonic() - self._started

    async def _pause(self, seconds: float) -> None:
        """Sleep, but not through a request to stop."""
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return

    async def _call(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask another part, again and again while it is being restarted."""
        delay, since = FIRST_RETRY_S, time.monotonic()
        while True:
            try:
                return await ask()
            except PartUnavailable:
                if self._stopping.is_set() or time.monotonic() - since > GIVE_UP_S:
                    raise
                self._retries += 1
                if self._retries == 1 or delay == LONGEST_RETRY_S:
                    self._recorder.event("replay_unavailable", retries=self._retries)
                await self._pause(delay)
                delay = min(2 * delay, LONGEST_RETRY_S)

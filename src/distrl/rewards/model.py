"""The model judge: shows an episode to a multimodal model and takes its word, if it gives it clearly.

A verdict is a function of the trajectory and of the model. Whatever keeps the model from a clear word (the
network, a limit, a refusal, an answer without a verdict, samples that disagree) is UNKNOWN with its reason
and never trained on.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from importlib.util import find_spec
from urllib.parse import urlsplit

import msgspec
from pydantic import JsonValue

from distrl.config import JudgeConfig
from distrl.errors import ConfigError, RecordError
from distrl.recording import cache_folder
from distrl.records import Ending, Outcome, Trajectory, Verdict
from distrl.rewards import wording
from distrl.rewards.chat import ChatClient, ChatError, ChatSettings
from distrl.rewards.checks import said_done
from distrl.rewards.opinions import Opinion, majority, parse
from distrl.rewards.verdict_cache import VerdictCache

_json = msgspec.json.Encoder(order="deterministic")


class ModelJudge:
    """Judges by asking a model; see the module's docstring."""

    name = "model"

    def __init__(
        self,
        client: ChatClient,
        config: JudgeConfig,
        *,
        require_done: bool = True,
        cache: VerdictCache | None = None,
    ) -> None:
        self._client = client
        self._config = config
        self._require_done = require_done
        self._cache = cache
        self._same: dict[str, asyncio.Lock] = {}  # episodes being judged, by fingerprint
        self._counts = {"judged": 0, "cached": 0, "without_asking": 0, "unclear": 0}
        settings = [
            wording.instructions(),
            config.model_dump(include={"pictures", "picture_side", "samples"}),
        ]
        mark = hashlib.sha256(_json.encode([*settings, config.temperature, config.extra])).hexdigest()[:6]
        self.version = f"{wording.VERSION}/{config.model}/{mark}"

    async def judge(self, trajectory: Trajectory) -> Verdict:
        """What the model says, or what can be said without asking it."""
        self._counts["judged"] += 1
        known = self._without_asking(trajectory)
        if known is not None:
            self._counts["without_asking"] += 1
            return self._verdict(*known)
        try:
            # Packing pictures takes longer than an event loop of many devices should stand still.
            messages = await asyncio.to_thread(
                wording.messages, trajectory, self._config.pictures, self._config.picture_side
            )
        except RecordError as error:
            return self._verdict(Outcome.UNKNOWN, f"the screens cannot be shown to the model: {error}")
        fields = self._fields(messages)
        digest = hashlib.sha256(_json.encode([self.version, self._config.url, fields])).hexdigest()
        lock = self._same.setdefault(digest, asyncio.Lock())
        try:
            async with lock:
                return await self._ask_or_remember(fields, digest)
        finally:
            if not lock.locked():
                self._same.pop(digest, None)

    def must_ask(self, trajectory: Trajectory) -> bool:
        """Whether the model has to look at this episode."""
        return self._without_asking(trajectory) is None

    def metrics(self) -> dict[str, float]:
        """What was judged and what it cost, as numbers to record."""
        return {**{name: float(n) for name, n in self._counts.items()}, **self._client.costs.metrics()}

    def _without_asking(self, trajectory: Trajectory) -> tuple[Outcome, str] | None:
        if trajectory.ending is Ending.DEVICE_LOST:
            return Outcome.UNKNOWN, "the device was lost during the episode"
        if trajectory.ending is Ending.TIME_LIMIT:
            return Outcome.UNKNOWN, "the episode was cut off by the time limit"
        if not trajectory.steps or trajectory.final is None:
            return Outcome.UNKNOWN, "there is no screen to look at"
        if self._require_done and not said_done(trajectory):
            return Outcome.FAILURE, "the agent did not say that it was done, so the model was not asked"
        return None

    def _fields(self, messages: list[wording.Message]) -> dict[str, object]:
        fields: dict[str, object] = {
            "messages": messages,
            "temperature": self._config.temperature,
            "max_tokens": self._config.max_tokens,
        }
        extra: Mapping[str, JsonValue] = self._config.extra
        return {name: value for name, value in {**fields, **extra}.items() if value is not None}

    async def _ask_or_remember(self, fields: dict[str, object], digest: str) -> Verdict:
        if self._cache is not None and (found := self._cache.get(digest)) is not None:
            self._counts["cached"] += 1
            return found
        opinion = await self._ask(fields)
        verdict = self._verdict(*opinion)
        if opinion.outcome is Outcome.UNKNOWN:
            self._counts["unclear"] += 1
        elif self._cache is not None:
            self._cache.put(digest, verdict)
        return verdict

    async def _ask(self, fields: dict[str, object]) -> Opinion:
        """As few samples as decide: first just more than half of them, then the rest if these disagree."""
        asked = self._config.samples
        opinions: list[Opinion] = []
        for count in (asked // 2 + 1, asked - asked // 2 - 1):
            opinions += await asyncio.gather(
                *(self._sample(fields, len(opinions) + place) for place in range(count))
            )
            if (decided := majority(opinions, asked)) is not None:
                return decided
        if asked == 1:
            return opinions[0]
        said = ", ".join(str(opinion.outcome) for opinion in opinions)
        reasons = {opinion.reason: None for opinion in opinions if opinion.outcome is Outcome.UNKNOWN}
        return Opinion(Outcome.UNKNOWN, "; ".join([f"no majority among {asked} samples: {said}", *reasons]))

    async def _sample(self, fields: dict[str, object], number: int) -> Opinion:
        # Servers that know seeds then draw different samples, and the same ones when asked again.
        numbered = {"seed": number, **fields} if self._config.samples > 1 else fields
        try:
            return parse((await self._client.ask(numbered)).text)
        except ChatError as error:
            return Opinion(Outcome.UNKNOWN, str(error))

    def _verdict(self, outcome: Outcome, evidence: str) -> Verdict:
        return Verdict(outcome=outcome, judge=self.name, judge_version=self.version, evidence=evidence)


def build(config: JudgeConfig, *, require_done: bool = True) -> ModelJudge:
    """The judge called `model`; one ConfigError names all that is missing."""
    faults = []
    if urlsplit(config.url).scheme not in ("http", "https") or not urlsplit(config.url).hostname:
        faults.append(f"judge.url = {config.url!r}: should be an address such as http://127.0.0.1:8000/v1")
    if urlsplit(config.url).username or urlsplit(config.url).password:
        faults.append(f"judge.url holds a password; put the key into ${config.key_variable} instead")
    if not config.model:
        faults.append("judge.model is missing: the name of the model, as the server knows it")
    if config.samples > 1 and not config.temperature:
        faults.append(
            "judge.samples: at judge.temperature 0 all samples say the same; set it to 0.7, for instance"
        )
    if find_spec("httpx") is None:
        faults.append("a model judge needs the package httpx; install it with: pip install 'distrl[judges]'")
    if faults:
        raise ConfigError(faults, "the model judge")
    settings = ChatSettings(
        url=config.url,
        model=config.model,
        key_variable=config.key_variable,
        timeout_s=config.timeout_s,
        retries=config.retries,
        concurrent=config.concurrent,
    )
    cache = VerdictCache(cache_folder("verdicts")) if config.cache else None
    return ModelJudge(ChatClient(settings), config, require_done=require_done, cache=cache)

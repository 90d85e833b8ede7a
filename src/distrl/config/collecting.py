"""Settings of devices, of how episodes run on them, how they are repaired, guarded and judged."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, JsonValue, field_validator

from distrl.config.section import Section


def _as_text(value: object) -> object:
    """YAML reads `off` and `5554` as more than text; an option of a device is text."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if isinstance(value, (int, float)) else value


Options = dict[str, Annotated[str, BeforeValidator(_as_text)]]


class PoolConfig(Section):
    """Some of a worker's devices, where it owns several kinds; what is left out is as in `device`."""

    kind: str = Field(description="Which kind of device; `distrl plugins` lists them.")
    count: int = Field(ge=1, description="How many of them each worker owns.")
    profile: str | None = Field(default=None, description="Latency and fault profile of simulated phones.")
    options: Options = Field(default={}, description="Settings that only this kind understands.")


class DeviceConfig(Section):
    """The devices that episodes run on."""

    kind: str = Field(default="simulated", description="Which kind of device; `distrl plugins` lists them.")
    profile: str = Field(default="instant", description="Latency and fault profile of simulated phones.")
    time_scale: float = Field(
        default=1.0, ge=0, description="Multiplies every simulated delay; 0 waits for nothing."
    )
    picture_scale: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="Size of stored screenshots relative to the screen; smaller is faster.",
    )
    options: Options = Field(default={}, description="Settings that only this kind of device understands.")
    pools: tuple[PoolConfig, ...] = Field(
        default=(),
        description="Several kinds in one worker: a list of {kind, count, profile, options}.",
    )


class CollectConfig(Section):
    """Workers: who runs episodes, on how many devices, under which deadlines."""

    workers: int = Field(default=1, ge=1, description="Worker processes.")
    devices: int = Field(default=24, ge=1, description="Devices of each worker.")
    max_batch: int = Field(default=32, ge=1, description="Most decisions made in one forward pass.")
    step_timeout_s: float = Field(
        default=60.0, gt=0, description="A device that takes longer for one step is lost."
    )
    episode_timeout_s: float = Field(
        default=1800.0, gt=0, description="An episode longer than this is cut off."
    )
    require_done: bool = Field(
        default=True, description="Success needs the agent to say DONE, as AndroidWorld has it."
    )
    curriculum: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="Share of episodes drawn towards tasks solved about half the time.",
    )
    vary: bool = Field(
        default=True,
        description="Draw another task of the same family in place of a training task each time, where the "
        "suite knows how; not with groups.",
    )
    group: int = Field(
        default=1, ge=1, description="Episodes of a task dealt in a row; GRPO needs several, such as 8."
    )


class RepairConfig(Section):
    """What is done about broken devices: one ladder of remedies, each under a deadline; docs/faults.md."""

    reconnect_s: float = Field(default=20.0, gt=0, description="Deadline of connecting again.")
    restart_app_s: float = Field(default=30.0, gt=0, description="Deadline of restarting the app.")
    restore_snapshot_s: float = Field(default=60.0, gt=0, description="Deadline of restoring a snapshot.")
    reboot_s: float = Field(default=180.0, gt=0, description="Deadline of a reboot, or of opening anew.")
    replace_s: float = Field(default=300.0, gt=0, description="Deadline of putting another device in place.")
    tries: int = Field(
        default=2, ge=1, description="Uses of a remedy that does not last, after which it is skipped."
    )
    good_episodes: int = Field(
        default=2, ge=1, description="Episodes without loss after which a device counts as sound again."
    )
    quarantine_s: float = Field(
        default=5.0, gt=0, description="First pause of a device that nothing helps; each one doubles."
    )
    longest_quarantine_s: float = Field(default=600.0, gt=0, description="Longest such pause.")
    faults_per_episode: int = Field(
        default=3, ge=0, description="Faults mended within an episode; one more, and it is run again."
    )
    black_looks: int = Field(
        default=3, ge=1, description="Black screens in a row after which a device counts as broken."
    )


class SafetyConfig(Section):
    """What an agent may not do on phones with a person's data, and what is shown of them; docs/safety.md."""

    guard: bool = Field(
        default=True,
        description="Guard every device that is not simulated; false only on phones without personal data.",
    )
    allowed_apps: tuple[str, ...] = Field(
        default=(),
        description="Apps that the agent may use: packages or usual names; `any`: all that are not refused.",
    )
    refused_apps: tuple[str, ...] = Field(
        default=(), description="Packages that stay closed besides those built in; * for any characters."
    )
    refused_words: tuple[str, ...] = Field(
        default=(), description="Phrases that are not touched besides those built in; =WORD: whole label."
    )
    refused_screens: tuple[str, ...] = Field(
        default=(), description="Phrases that forbid all touches while they are on the screen."
    )
    permitted: tuple[str, ...] = Field(
        default=(), description="Built-in refusals that do not hold in this run, word for word."
    )
    without_tree: bool = Field(
        default=False, description="Touch screens that come without a tree, where no refusal can be checked."
    )
    all_commands: bool = Field(
        default=False, description="Let set-up and probes of tasks delete and change a person's data."
    )
    dry_run: bool = Field(
        default=False, description="Send nothing to any device; only look, and tell what would be done."
    )
    pictures: Literal["sharp", "outside", "blur", "blank"] = Field(
        default="sharp",
        description="`outside`: blurred outside the allowed apps; `blur`, `blank`: everywhere.",
    )
    originals: str = Field(
        default="", description="Folder on the worker's host for the sharp pictures; empty: kept nowhere."
    )

    @field_validator(
        "allowed_apps", "refused_apps", "refused_words", "refused_screens", "permitted", mode="before"
    )
    @classmethod
    def _split(cls, value: object) -> object:
        """Let `--set safety.allowed_apps=clock,chrome` mean a list."""
        if not isinstance(value, str):
            return value
        return [part.strip() for part in value.split(",") if part.strip()]


class JudgeConfig(Section):
    """Who says whether an episode reached its goal; docs/judges.md."""

    kind: str = Field(
        default="check",
        description="`check`: what the device answers to a task's probes; `model`: a model is asked.",
    )
    url: str = Field(
        default="",
        description="model: base address of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1.",
    )
    model: str = Field(default="", description="model: name of the model, as the server knows it.")
    key_variable: str = Field(
        default="DISTRL_JUDGE_KEY",
        description="model: environment variable that holds the key, if the server wants one.",
    )
    pictures: int = Field(default=3, ge=1, description="model: how many of the last screens it sees.")
    picture_side: int = Field(
        default=1024, ge=64, description="model: longest side of these, in pixels; smaller costs less."
    )
    samples: int = Field(
        default=1, ge=1, description="model: answers asked for, of which more than half must agree."
    )
    temperature: float = Field(
        default=0.0, ge=0, le=2, description="model: of its answers; above 0 if there are several samples."
    )
    max_tokens: int = Field(
        default=600, ge=16, description="model: longest answer; what is cut off is UNKNOWN."
    )
    extra: dict[str, JsonValue] = Field(
        default={}, description="model: more fields of every request; null leaves one of ours out."
    )
    timeout_s: float = Field(default=60.0, gt=0, description="model: deadline of one request.")
    retries: int = Field(
        default=4, ge=0, description="model: further tries when it is busy, fails or cannot be reached."
    )
    concurrent: int = Field(
        default=8, ge=1, description="model: requests under way at once, in each process that judges."
    )
    cache: bool = Field(
        default=True, description="model: keep verdicts in ~/.cache/distrl, so none is paid for twice."
    )
    options: Options = Field(default={}, description="Settings that only a judge of your own understands.")

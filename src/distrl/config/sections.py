"""What can be set: one section for each part of a run, every setting with its default and its meaning."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, field_validator


class Section(BaseModel):
    """A part of the configuration; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
    group: int = Field(
        default=1, ge=1, description="Episodes of a task dealt in a row; GRPO needs several, such as 8."
    )


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


class PolicyConfig(Section):
    """The model that decides."""

    kind: str = Field(default="small", description="Which policy; `distrl plugins` lists them.")
    tree: bool = Field(default=True, description="Let the small policy see the accessibility tree.")
    pixels: bool = Field(default=True, description="Let the small policy see the screenshot.")
    width: int = Field(default=128, ge=16, description="Width of the small policy's layers.")
    layers: int = Field(default=2, ge=1, description="Transformer layers of the small policy.")
    device: str = Field(
        default="cpu", description="Where workers and policy services decide: `cpu`, `cuda`, `auto`, …"
    )
    serving: Literal["local", "service"] = Field(
        default="local",
        description="`local`: every worker holds the policy; `service`: parts of their own decide for all.",
    )
    services: int = Field(default=1, ge=1, description="Policy services, if `serving` is `service`.")
    options: dict[str, str] = Field(
        default={}, description="Settings that only this kind of policy understands."
    )


class WarmStartConfig(Section):
    """Cloning of expert demonstrations before reinforcement learning starts."""

    demonstrations: int = Field(
        default=600, ge=0, description="Expert episodes on training tasks; 0 starts from random."
    )
    noise: float = Field(
        default=0.15, ge=0, le=1, description="Share of the expert's actions replaced by random ones."
    )
    evenly: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="Share of demonstrations dealt to all families alike; the rest to those hard to imitate.",
    )
    epochs: int = Field(default=4, ge=0, description="Passes over the demonstrations.")
    batch_steps: int = Field(default=64, ge=1, description="Steps in one gradient.")
    lr: float = Field(default=1e-3, gt=0, description="Learning rate of the cloning.")
    optimiser: Literal["muon", "adam"] = Field(
        default="muon",
        description="`muon`: for the matrices of a policy that names them, Adam for the rest; or `adam`.",
    )
    disguise: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="Share of cloned steps in which names and other mere values are replaced by random ones.",
    )
    files: list[str] = Field(
        default=[], description="Files of demonstrations (docs/demonstrations.md), beside the expert's."
    )
    processes: int = Field(
        default=0,
        ge=0,
        description="Processes that demonstrate and clone together; 0: one a core, at most four.",
    )


class AlgorithmConfig(Section):
    """How drawn trajectories change the policy."""

    kind: str = Field(default="a-ride", description="Which algorithm; `distrl plugins` lists them.")
    lr: float = Field(default=1e-4, gt=0, description="Learning rate of the policy.")
    optimiser: Literal["muon", "adam"] = Field(
        default="muon",
        description="`muon`: for the matrices of a policy that names them, Adam for the rest; or `adam`.",
    )
    critic_lr: float = Field(default=5e-4, gt=0, description="Learning rate of the critics.")
    grad_clip: float = Field(default=1.0, gt=0, description="Largest norm of a policy gradient.")
    discount: float = Field(
        default=1.0, gt=0, le=1, description="γ of the advantage: below 1 prefers short episodes."
    )
    retrace_lambda: float = Field(
        default=0.95, ge=0, le=1, description="λ of Retrace; 0 trusts the critic alone."
    )
    retrace: bool = Field(default=True, description="False: plain one-step advantages, for ablation.")
    rho_clip: float = Field(
        default=1.0, gt=0, description="ρ̄: cap of the importance ratio in loss and targets."
    )
    ratio: Literal["action", "length"] = Field(
        default="action",
        description="A-RIDE, PPO, GRPO: ratios of whole actions, or means over tokens, for long outputs.",
    )
    entropy: float = Field(default=0.008, ge=0, description="β: weight of the policy's entropy.")
    invalid_penalty: float = Field(
        default=0.1, ge=0, description="λ_inv: weight of invalid actions in the loss."
    )
    repeat_penalty: float = Field(
        default=0.05, ge=0, description="Advantage lost by repeating on an unchanged screen."
    )
    negative_scale: float = Field(
        default=0.25, ge=0, le=1, description="Multiplies negative advantages; 1 keeps them."
    )
    priority_error: float = Field(default=1.0, ge=0, description="w1: weight of the mean |δ| in a priority.")
    priority_ratio: float = Field(default=0.1, ge=0, description="w2: weight of the mean importance ratio.")
    priority_entropy: float = Field(default=0.01, ge=0, description="w3: weight of the mean entropy.")
    critic_warmup: int = Field(default=30, ge=0, description="Updates in which only the critics learn.")
    keep_quantile: float = Field(
        default=0.9, ge=0, lt=1, description="Filtered BC: quantile of returns that is kept."
    )
    curriculum_weight: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="A-RIDE: how much more an unexpected success counts than an expected one; 0: all alike.",
    )
    digirl_keep: float = Field(
        default=0.1, gt=0, le=1, description="DigiRL: share of trajectories, by R - V_instruct, kept."
    )
    digirl_lambda: float = Field(
        default=0.5, ge=0, le=1, description="DigiRL: λ by which the outcome fades with the steps before it."
    )
    digirl_horizon: int = Field(
        default=0,
        ge=0,
        description="DigiRL: H of the step filter A_step > 1/H; 0 takes each episode's own length.",
    )
    kl: float = Field(
        default=0.0,
        ge=0,
        description="A-RIDE, PPO, GRPO: κ: weight of KL(π‖π_ref), with the warm start for π_ref; 0: none.",
    )
    clip: float = Field(
        default=0.2, gt=0, description="PPO, GRPO: ε: how far an update may move an action's ratio from 1."
    )
    epochs: int = Field(default=2, ge=1, description="PPO, GRPO: passes over the drawn trajectories.")
    minibatches: int = Field(
        default=2, ge=1, description="PPO, GRPO: parts of a batch, with one gradient step for each."
    )
    gae_lambda: float = Field(
        default=0.95, ge=0, le=1, description="PPO: λ of the advantages; 0 trusts the critic alone."
    )
    group: int = Field(
        default=8, ge=2, description="GRPO: latest episodes of a task that one of them is compared with."
    )


class ReplayConfig(Section):
    """What is remembered, how it is drawn, and who may run ahead of whom."""

    capacity: int = Field(default=1000, ge=1, description="Trajectories held; the oldest leave first.")
    capacity_gb: float = Field(default=4.0, gt=0, description="Gigabytes held on disk.")
    alpha: float = Field(
        default=0.5, ge=0, le=1, description="Exponent of priorities when drawing; 0 draws evenly."
    )
    beta: float = Field(default=0.4, ge=0, le=1, description="Exponent b of the importance weights (N·P)^-b.")
    max_version_gap: int = Field(
        default=50, ge=0, description="Trajectories older than this many versions are not drawn."
    )
    ratio: float = Field(default=1.5, gt=0, description="Steps trained for each step collected.")
    slack: int = Field(
        default=1500,
        ge=1,
        description="Trained steps by which either side may run ahead; more if many devices need it.",
    )
    min_trajectories: int = Field(
        default=128, ge=1, description="Collected before the learner draws the first time."
    )
    refresh_gap: int = Field(
        default=10,
        ge=0,
        description="A-RIDE: a priority older than this many versions is computed anew; 0: never.",
    )
    refresh_share: float = Field(
        default=0.05, gt=0, le=1, description="Largest share of the learner's time that this may take."
    )


class LearnerConfig(Section):
    """The learner's loop."""

    device: str = Field(
        default="auto",
        description="Where the learner computes: `auto` takes a GPU if there is one; or `cpu`, `cuda`, …",
    )
    threads: int = Field(
        default=0, ge=0, description="CPU threads of the learner, if cores are idle; 0: as `threads`."
    )
    batch_trajectories: int = Field(default=16, ge=1, description="Trajectories in one update.")
    publish_every: int = Field(default=5, ge=1, description="Updates between two published versions.")
    average_updates: int = Field(
        default=0,
        ge=0,
        description="Publish the average of the weights over about this many updates; 0: those of the last.",
    )
    checkpoint_every_s: float = Field(default=30.0, gt=0, description="Seconds between checkpoints.")
    keep_versions: int = Field(default=5, ge=2, description="Weights files kept besides the first.")


class EvaluationConfig(Section):
    """Fixed tasks and seeds by which progress is measured; never trained on."""

    split: str = Field(default="val", description="Split used while training.")
    final_split: str = Field(default="test", description="Split of the comparison of start and end.")
    every_s: float = Field(default=45.0, gt=0, description="Seconds between two evaluations.")
    episodes: int = Field(default=64, ge=1, description="Episodes in one evaluation while training.")
    final_episodes: int = Field(
        default=128, ge=1, description="Episodes in each evaluation of start and end."
    )
    devices: int = Field(default=16, ge=1, description="Devices that evaluate side by side.")


class RayConfig(Section):
    """Where the `ray` engine runs a run's parts; see docs/cluster.md."""

    address: str = Field(
        default="",
        description="Cluster to join: `auto` or HOST:PORT; empty starts Ray on this machine alone.",
    )
    worker_resource: str = Field(
        default="device_host",
        description="A worker takes one unit of this resource; where no host has any, workers go anywhere.",
    )
    elastic: bool = Field(
        default=False,
        description="One worker for each unit of the resource, as hosts come and go; `collect.workers` is "
        "then only the number that the replay's slack is computed for.",
    )
    learner_gpus: float | None = Field(
        default=None, ge=0, description="GPUs of the learner; unset: one if this machine has any."
    )
    policy_gpus: float | None = Field(
        default=None, ge=0, description="GPUs of each policy service; unset: one if the cluster has enough."
    )


class BudgetConfig(Section):
    """When training ends; whichever comes first."""

    minutes: float = Field(default=8.0, gt=0, description="Minutes of training, warm start excluded.")
    updates: int | None = Field(default=None, ge=1, description="Learner updates.")
    trajectories: int | None = Field(default=None, ge=1, description="Collected trajectories.")


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


class TrackingConfig(Section):
    """Where a run's metrics go beside its folder; whatever happens there, training goes on."""

    tensorboard: bool = Field(default=True, description="Write TensorBoard files into RUN/tensorboard.")
    wandb: str = Field(
        default="", description="Project at Weights & Biases; empty: off. Needs the extra `wandb`."
    )
    trackio: str = Field(default="", description="Project of trackio; empty: off. Needs the extra `trackio`.")


class RunConfig(Section):
    """Everything that makes up a run."""

    suite: str = Field(default="starter", description="Task suite, or the path of a task file or list.")
    seed: int = Field(default=0, ge=0, description="Seed of everything random.")
    engine: str = Field(default="processes", description="`inline`, `processes` or `ray`.")
    threads: int = Field(
        default=1, ge=1, description="CPU threads of each process's model; more than cores allow is slower."
    )
    mode: Literal["async", "sync"] = Field(
        default="async", description="`sync`: all devices collect, all stop, train, repeat; the baseline."
    )
    round_trajectories: int = Field(
        default=48, ge=1, description="Trajectories collected in each synchronous round."
    )
    round_updates: int = Field(default=12, ge=1, description="Updates after each synchronous round.")
    device: DeviceConfig = DeviceConfig()
    collect: CollectConfig = CollectConfig()
    repair: RepairConfig = RepairConfig()
    safety: SafetyConfig = SafetyConfig()
    judge: JudgeConfig = JudgeConfig()
    policy: PolicyConfig = PolicyConfig()
    warmstart: WarmStartConfig = WarmStartConfig()
    algorithm: AlgorithmConfig = AlgorithmConfig()
    replay: ReplayConfig = ReplayConfig()
    learner: LearnerConfig = LearnerConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    ray: RayConfig = RayConfig()
    budget: BudgetConfig = BudgetConfig()
    tracking: TrackingConfig = TrackingConfig()

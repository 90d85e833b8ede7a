"""The configuration of a run: all sections, and those about the run as a whole."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from distrl.config.collecting import CollectConfig, DeviceConfig, JudgeConfig, RepairConfig, SafetyConfig
from distrl.config.learning import AlgorithmConfig, LearnerConfig, PolicyConfig, ReplayConfig, WarmStartConfig
from distrl.config.section import Section


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

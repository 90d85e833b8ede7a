"""Settings of the policy, its warm start, the algorithm, the replay and the learner."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from distrl.config.section import Section


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
        default=0.15,
        ge=0,
        le=1,
        description="Share of the expert's actions replaced by random ones.",
    )
    pupil: float = Field(
        default=0.15,
        ge=0,
        le=1,
        description="Share of the steps in the second half that the pupil takes while the expert says what "
        "it would do; 0: the expert acts, with noise.",
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
    lr_fade: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="Last share of the budget over which it falls to 0; 0: constant, 1: from the start on.",
    )
    optimiser: Literal["muon", "adam"] = Field(
        default="muon",
        description="`muon`: for the matrices of a policy that names them, Adam for the rest; or `adam`.",
    )
    critic_lr: float = Field(default=2e-3, gt=0, description="Learning rate of the critics.")
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
    entropy_fade: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="A-RIDE, PPO, GRPO: last share of the budget over which β falls to 0; 0: constant.",
    )
    invalid_penalty: float = Field(
        default=0.1, ge=0, description="λ_inv: weight of invalid actions in the loss."
    )
    repeat_penalty: float = Field(
        default=0.05, ge=0, description="Advantage lost by repeating on an unchanged screen."
    )
    negative_scale: float = Field(
        default=0.1, ge=0, le=1, description="Multiplies negative advantages; 1 keeps them."
    )
    imitation: float = Field(
        default=1.0,
        ge=0,
        description="A-RIDE: imitates each step of a success with this weight, beside what advantages say.",
    )
    rehearsal: float = Field(
        default=1.0,
        ge=0,
        description="A-RIDE: weight of imitating the warm start's demonstrations in every update; 0: none.",
    )
    rehearsal_steps: int = Field(
        default=24, ge=1, description="Demonstrated steps that are imitated in an update."
    )
    priority_error: float = Field(default=1.0, ge=0, description="w1: weight of the mean |δ| in a priority.")
    priority_ratio: float = Field(default=0.02, ge=0, description="w2: weight of the mean importance ratio.")
    priority_entropy: float = Field(default=0.01, ge=0, description="w3: weight of the mean entropy.")
    priority_lesson: float = Field(
        default=1.0,
        ge=0,
        description="w4: weight of what a trajectory can teach the policy; above 0 it also arrives with a "
        "priority of its own, else with the largest.",
    )
    learn_share: float = Field(
        default=0.35,
        gt=0,
        le=1,
        description="A-RIDE: share of drawn steps that the policy's gradient is estimated from, rather those "
        "that can teach much; 1: all.",
    )
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
        default=0.8, ge=0, le=1, description="Exponent of priorities when drawing; 0 draws evenly."
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

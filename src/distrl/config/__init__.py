"""The configuration of a run: defaults, presets, a YAML file and `--set` overrides, checked all at once.

Precedence: defaults < preset < file < overrides. Unknown keys are errors. The resolved configuration is saved
with the run, so a run can always be repeated from its folder.
"""

from distrl.config.collecting import (
    CollectConfig,
    DeviceConfig,
    JudgeConfig,
    PoolConfig,
    RepairConfig,
    SafetyConfig,
)
from distrl.config.learning import (
    AlgorithmConfig,
    LearnerConfig,
    PolicyConfig,
    ReplayConfig,
    WarmStartConfig,
)
from distrl.config.resolving import PRESETS, dump, keys, load, resolve
from distrl.config.run import BudgetConfig, EvaluationConfig, RayConfig, RunConfig, TrackingConfig
from distrl.config.section import Section

__all__ = [
    "PRESETS",
    "AlgorithmConfig",
    "BudgetConfig",
    "CollectConfig",
    "DeviceConfig",
    "EvaluationConfig",
    "JudgeConfig",
    "LearnerConfig",
    "PolicyConfig",
    "PoolConfig",
    "RayConfig",
    "RepairConfig",
    "ReplayConfig",
    "RunConfig",
    "SafetyConfig",
    "Section",
    "TrackingConfig",
    "WarmStartConfig",
    "dump",
    "keys",
    "load",
    "resolve",
]

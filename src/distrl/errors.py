"""Every error that distrl raises on purpose, in one tree; each carries a sentence for the person."""


class DistrlError(Exception):
    """Something went wrong that distrl understands; the message says what happened and what to do."""


class ConfigError(DistrlError):
    """The configuration or a command's arguments are wrong; lists every fault found."""

    def __init__(self, faults: str | list[str], source: str = "the configuration") -> None:
        self.faults = [faults] if isinstance(faults, str) else list(faults)
        self.source = source
        if len(self.faults) == 1:
            text = f"{source}: {self.faults[0]}"
        else:
            lines = "\n".join(f"  - {fault}" for fault in self.faults)
            text = f"{source} has {len(self.faults)} faults:\n{lines}"
        super().__init__(text)


class RecordError(DistrlError):
    """Bytes or text that should be one of our records are damaged, or of another schema."""


class TaskError(DistrlError):
    """A task, a suite or a task file cannot be used."""


class DeviceError(DistrlError):
    """A device did not do what it was asked; never the agent's fault."""


class DeviceTimeout(DeviceError):
    """A device did not answer before the deadline."""


class DeviceLost(DeviceError):
    """A device went away and must be repaired or replaced before it is used again."""


class PolicyError(DistrlError):
    """A policy cannot decide, load weights, or read what it is given."""


class JudgeError(DistrlError):
    """A judge could not reach a verdict; the trajectory is then UNKNOWN, never a failure."""


class ReplayError(DistrlError):
    """The replay is damaged, full, or of another schema."""


class WeightsError(DistrlError):
    """A weights version is missing, or its digest does not match its content."""


class RunError(DistrlError):
    """A run folder is missing, incomplete, or in use by another process."""


class EngineError(DistrlError):
    """A part of the run could not be started, reached or kept alive."""


class PartUnavailable(EngineError):
    """Another part cannot be reached right now; the call may be tried again."""

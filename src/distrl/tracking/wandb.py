"""Weights & Biases as a tracker: the extra `wandb`; offline with WANDB_MODE=offline."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.tracking.marks import mark_name
from distrl.tracking.points import ENV_STEPS, Point


class WandbProject:
    """A project that gets one run, which is continued when ours is."""

    name = "W&B"

    def __init__(self, project: str, folder: Path) -> None:
        self._project = project
        self._folder = folder
        self.mark_file = folder / mark_name("wandb", project)

    def open(self, config: RunConfig, run: str, note: dict[str, str]) -> WandbRun:
        """Start the run, or continue the one noted."""
        try:
            import wandb
        except ImportError as error:
            raise ConfigError("not installed: pip install 'distrl[wandb]'", "wandb") from error
        self._folder.mkdir(parents=True, exist_ok=True)
        # Silent, because the board owns the terminal: otherwise wandb would ask there for an account. Now
        # somebody who is not logged in gets wandb's sentence about that as a warning.
        wandb.setup(settings=wandb.Settings(silent=True, console="off"))
        name = note.get("id") or uuid.uuid4().hex[:12]
        client = wandb.init(
            project=self._project,
            name=run,
            id=name,
            resume="allow",
            dir=str(self._folder),
            config=config.model_dump(),
        )
        client.define_metric(ENV_STEPS, hidden=True)
        client.define_metric("*", step_metric=ENV_STEPS)
        for group in ("learner/*", "system/learner_*"):
            client.define_metric(group, step_metric="learner/update")
        return WandbRun(client, name)


class WandbRun:
    """One run at W&B; the client sends in the background."""

    def __init__(self, client: Any, name: str) -> None:  # wandb.Run; wandb is not installed everywhere
        self._client = client
        self._name = name

    def write(self, point: Point, number: int) -> None:
        """Log a point; W&B itself leaves out numbers that it has seen."""
        axis = {ENV_STEPS: point.step} if point.axis == ENV_STEPS else {}
        self._client.log({**point.values, **axis}, step=number)

    def flush(self) -> None:
        """The client has its own buffer on disk."""

    def note(self) -> dict[str, str]:
        """The run's id, by which it is continued."""
        return {"id": self._name}

    def close(self) -> None:
        """Send the rest."""
        self._client.finish()

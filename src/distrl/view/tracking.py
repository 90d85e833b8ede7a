"""`distrl track`: the curves of a run that was trained before, or whose tracker was off."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from distrl.errors import RunError
from distrl.recording import Reader, RunFolder
from distrl.tracking import Tracking
from distrl.tracking.following import places

PATIENCE_S = 600.0  # nothing else waits here

console = Console()


def track_run(run: Path, *, wandb: str | None, trackio: str | None) -> None:
    """Write what the trackers do not have yet; refuses while the run is trained, since that writes it too."""
    folder = RunFolder.open(run)
    config = folder.config()
    asked = (
        {"tensorboard": True}
        | ({"wandb": wandb} if wandb else {})
        | ({"trackio": trackio} if trackio else {})
    )
    config = config.model_copy(update={"tracking": config.tracking.model_copy(update=asked)})
    troubles: list[str] = []
    with folder.lock():
        lines = Reader(folder).poll()
        tracking = Tracking(folder, config, places(folder, config.tracking), troubles.append)
        tracking.take(lines)
        tracking.close(PATIENCE_S)
    if troubles:
        raise RunError("; ".join(troubles))
    console.print(
        f"{len(lines):,} records are tracked. See them: [bold]tensorboard --logdir {folder.path}/tensorboard"
        "[/bold] (pip install tensorboard)",
        soft_wrap=True,
        highlight=False,
    )

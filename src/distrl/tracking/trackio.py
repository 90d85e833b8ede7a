"""trackio as a tracker: the extra `trackio`; it keeps its data on this machine and needs no account."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.tracking.marks import mark_name
from distrl.tracking.points import Point


class TrackioProject:
    """A project that gets one run, which is continued when ours is."""

    name = "trackio"

    def __init__(self, project: str, folder: Path) -> None:
        self._project = project
        self.mark_file = folder / mark_name("trackio", project)

    def open(self, config: RunConfig, run: str, note: dict[str, str]) -> TrackioRun:
        """Start the run, or continue it if it was started before."""
        try:
            import trackio
        except ImportError as error:
            raise ConfigError("not installed: pip install 'distrl[trackio]'", "trackio") from error
        client = trackio.init(
            project=self._project,
            name=run,
            resume="allow" if note else "never",
            config=config.model_dump(),
            embed=False,
        )
        return TrackioRun(client, run)


class TrackioRun:
    """One run of trackio; the client writes in the background."""

    def __init__(self, client: Any, run: str) -> None:  # trackio.Run; trackio is not installed everywhere
        self._client = client
        self._run = run

    def write(self, point: Point, number: int) -> None:  # noqa: ARG002
        """Log a point at its own step."""
        self._client.log(dict(point.values), step=point.step)

    def flush(self) -> None:
        """The client has its own buffer."""

    def note(self) -> dict[str, str]:
        """That there is a run to continue."""
        return {"run": self._run}

    def close(self) -> None:
        """Write the rest."""
        self._client.finish()

"""TensorBoard files in the run folder, written without TensorBoard: `tensorboard --logdir runs` reads them.

tensorboardX's plain writer is used rather than its SummaryWriter, whose background thread swallows a full
disk and then blocks for ever.
"""

from __future__ import annotations

import os
from pathlib import Path

from distrl.config import RunConfig, dump
from distrl.tracking.points import Point


class TensorBoardFiles:
    """A folder of event files; deleting it makes the next tracking write all of it anew."""

    name = "TensorBoard"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark_file = folder / "position.json"

    def open(self, config: RunConfig, run: str, note: dict[str, str]) -> EventFile:  # noqa: ARG002
        """A new event file beside those of former lives."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if note:
            _cut(self.folder / note["file"], int(note["bytes"]))
        file = EventFile(self.folder)
        if not note:
            file.write_text("config", f"```yaml\n{dump(config)}```")
        return file


def _cut(file: Path, size: int) -> None:
    """Take back what a killed process wrote after it last noted how far it was: it will be written again."""
    if file.is_file() and file.stat().st_size > size:
        os.truncate(file, size)


class EventFile:
    """One event file, being written."""

    def __init__(self, folder: Path) -> None:
        from tensorboardX.event_file_writer import EventsWriter

        number = len(list(folder.glob("events.out.tfevents.*")))  # two lives may begin in the same second
        self._writer = EventsWriter(str(folder / "events"), filename_suffix=f".{os.getpid()}.{number}")
        self._writer.flush()
        self._file = Path(self._writer._file_name)
        self._bytes = self._file.stat().st_size

    def write(self, point: Point, number: int) -> None:  # noqa: ARG002
        """One event with all values of the point."""
        from tensorboardX.proto.event_pb2 import Event
        from tensorboardX.proto.summary_pb2 import Summary

        values = [Summary.Value(tag=tag, simple_value=value) for tag, value in point.values.items()]
        self._writer.write_event(Event(wall_time=point.t, step=point.step, summary=Summary(value=values)))

    def write_text(self, tag: str, text: str) -> None:
        """A text, shown as Markdown."""
        import time

        from tensorboardX import summary
        from tensorboardX.proto.event_pb2 import Event

        self._writer.write_event(Event(wall_time=time.time(), step=0, summary=summary.text(tag, text)))

    def flush(self) -> None:
        """Hand everything to the operating system; a full disk raises here."""
        self._writer.flush()
        self._bytes = self._file.stat().st_size

    def note(self) -> dict[str, str]:
        """The file and how much of it counts."""
        return {"file": self._file.name, "bytes": str(self._bytes)}

    def close(self) -> None:
        """End the file."""
        self._writer.close()

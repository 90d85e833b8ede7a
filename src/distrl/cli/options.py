"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Preset = Annotated[
    str, typer.Option("--preset", "-p", help="Named defaults: laptop, general, web-shopping, tiny, sync.")
]
File = Annotated[Path | None, typer.Option("--config", "-c", help="YAML file with settings.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", help="Override one setting: --set replay.ratio=2. Repeatable."),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Send nothing to the devices: a few looks, and what would be done."),
]
RunPath = Annotated[Path, typer.Argument(help="The run's folder, such as runs/starter-1.", metavar="RUN")]

"""The SQLite replay keeps the contract of every replay."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from distrl.config import ReplayConfig
from distrl.interfaces import Replay
from distrl.replay import open_replay
from distrl.testing import replay_contract


@pytest.mark.parametrize("check", replay_contract.CHECKS, ids=lambda check: check.__name__)
def test_sqlite_replay(check: replay_contract.Check, tmp_path: Path) -> None:
    @asynccontextmanager
    async def opened(config: ReplayConfig) -> AsyncIterator[Replay]:
        replay = open_replay(tmp_path / "replay.sqlite", config)
        try:
            yield replay
        finally:
            replay.close()

    asyncio.run(check(opened))

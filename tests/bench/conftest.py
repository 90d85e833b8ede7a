"""Rows of results that no run was needed for."""

from __future__ import annotations

from collections.abc import Callable

import learning_rows as rows
import pytest

from distrl.config import resolve

MakeRow = Callable[..., rows.Row]


@pytest.fixture
def make_row() -> MakeRow:
    """A row with given success at the end, on `test` or another split."""

    def build(
        name: str, seed: int, success: float, *, split: str = "test", overrides: tuple[str, ...] = ()
    ) -> rows.Row:
        config = resolve("tiny", overrides=[*overrides, f"seed={seed}"])

        def scores(value: float) -> rows.Scores:
            score = rows.Score(value, 0.0, 1.0, 100, 50, 5.0, 0.9, {"toggle": "1/2"}, {"1": "1/2"})
            return {split: {"sampled": score, "greedy": score}}

        curve = [
            rows.CurvePoint(x, 100 * x, decoding, success * x / 60)
            for x in (0.0, 30.0, 60.0)
            for decoding in ("sampled", "greedy")
        ]
        return rows.Row(
            schema=rows.SCHEMA,
            name=name,
            seed=seed,
            suite="starter",
            suite_version="1",
            suite_digest="abc",
            settings=rows.settings_that_matter(config),
            code="0 abc",
            machine=rows.Machine(2, "some processor", "3.11"),
            warmstart=rows.Cost(10.0, 20.0),
            training=rows.Cost(60.0, 110.0),
            environment_steps=6000,
            episodes=600,
            updates=50.0,
            start=scores(0.4),
            end=scores(success),
            curve=curve,
            warnings=[],
            finished_at="2026-01-01T00:00:00+00:00",
        )

    return build

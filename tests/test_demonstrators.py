"""Who demonstrates: shares of families, the same episodes from however many processes, a helper that dies."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from distrl import assembly
from distrl.agents.heuristic import HeuristicPolicy
from distrl.config import resolve
from distrl.demonstrators import Order, Pupil, Troupe
from distrl.errors import DistrlError
from distrl.records import FINAL_KINDS

CONFIG = resolve("tiny", overrides=["device.picture_scale=0.25"])


stage = partial(assembly.make_stage, CONFIG)  # helpers must be able to import it, which tests are not always


def quiet(name: str, done: int, of: int) -> None:
    """Nobody looks."""


def test_helpers_show_their_share_and_the_episodes_are_the_same() -> None:
    order = Order(7, 0.1, 3)
    ticks: list[tuple[int, int]] = []
    alone = Troupe(stage()).show(order, quiet)
    with Troupe(stage(), stage, helpers=1) as troupe:
        together = troupe.show(order, lambda _, done, of: ticks.append((done, of)))
        again = troupe.show(order, quiet)
    for shown in (together, again):
        assert [(each.task, each.seed, each.verdict) for each in shown] == [
            (each.task, each.seed, each.verdict) for each in alone
        ]
        assert [[step.decision for step in each.steps] for each in shown] == [
            [step.decision for step in each.steps] for each in alone
        ]
    assert ticks == [(2, 7), (4, 7), (6, 7), (7, 7)]


def test_a_helper_that_dies_ends_the_demonstration_with_a_sentence() -> None:
    with (
        pytest.raises(DistrlError, match="helped to demonstrate has died"),
        Troupe(stage(), partial(os._exit, 1), helpers=1) as troupe,
    ):
        troupe.show(Order(2, 0.0, 0), quiet)


def test_families_take_turns_or_get_their_shares() -> None:
    here = stage()
    families = sorted({task.family for task in here.suite.tasks("train")})
    evenly = Counter(each.task.family for each in Troupe(here).show(Order(len(families), 0.0, 1), quiet))
    assert evenly == Counter(families)
    first, second = families[:2]
    order = Order(8, 0.0, 1, shares={first: 3.0, second: 1.0})
    dealt = Counter(each.task.family for each in Troupe(here).show(order, quiet))
    assert dealt == {first: 6, second: 2}


def test_what_was_shown_comes_last() -> None:
    here = stage()
    family = here.suite.tasks("train")[0].family
    known = [task.id for task in here.suite.tasks("train") if task.family == family]
    order = Order(len(known) - 1, 0.0, 1, shares={family: 1.0}, shown=frozenset(known[:1]))
    shown = {each.task.id for each in Troupe(here).show(order, quiet)}
    assert shown == {*known[1:]}


def test_slips_are_what_the_pupil_would_do_and_the_expert_says_what_was_meant() -> None:
    here = stage()
    pupil = assembly.make_policy(CONFIG, CONFIG.seed)
    assert isinstance(pupil, Pupil)
    order = Order(6, 0.5, 2, pupil=pupil.export())
    shown = Troupe(here).show(order, quiet)
    slips = [
        (situation, step.decision)
        for each in shown
        for situation, step in zip(each.situations(), each.steps, strict=True)
        if step.decision.slip
    ]
    assert slips
    decided = pupil.decide([situation for situation, _ in slips], greedy=True)
    for (situation, slip), wanted in zip(slips, decided, strict=True):
        assert slip.action == wanted.action
        assert slip.action.kind not in FINAL_KINDS
        assert slip.meant is not None
        assert pupil.action_tokens(slip.meant, situation) != wanted.tokens
    with Troupe(here, stage, helpers=1) as troupe:
        together = troupe.show(order, quiet)
    assert [[step.decision for step in each.steps] for each in together] == [
        [step.decision for step in each.steps] for each in shown
    ]


def test_a_policy_whose_actions_cannot_be_compared_leaves_the_slips_to_chance() -> None:
    here = stage()
    order = Order(3, 0.5, 2)
    shown = Troupe(replace(here, pupil=HeuristicPolicy)).show(replace(order, pupil=b"weights"), quiet)
    assert [[step.decision for step in each.steps] for each in shown] == [
        [step.decision for step in each.steps] for each in Troupe(here).show(order, quiet)
    ]

"""Accounts of devices' time, kept by a clock that is moved by hand."""

from __future__ import annotations

import asyncio

import pytest
from ledger import BookedReplay, BookedTrouble, Ledger

from distrl.interfaces import Permit
from distrl.simphone.trouble import NOTHING, Profile, Timing


class Hand:
    """A clock."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def ledger(hand: Hand) -> Ledger:
    return Ledger(hand)


def test_delays_under_way_count_only_as_far_as_they_have_come(ledger: Ledger, hand: Hand) -> None:
    ledger.delay(10.0)
    ledger.delay(3.0)
    hand.now = 4.0
    assert ledger.seconds()["device"] == pytest.approx(4.0 + 3.0)
    hand.now = 100.0
    assert ledger.seconds()["device"] == pytest.approx(13.0)


def test_deciding_counts_every_device_that_waits_for_an_answer(ledger: Ledger, hand: Hand) -> None:
    with ledger.deciding():
        hand.now = 1.0
        with ledger.deciding():
            hand.now = 3.0
        assert ledger.seconds()["policy"] == pytest.approx(1.0 + 2 * 2.0)
        hand.now = 4.0
    hand.now = 9.0
    assert ledger.seconds()["policy"] == pytest.approx(6.0)


class Refusing:
    """A replay that grants one episode, and tells why not more."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    async def permit(self, worker: str, wanted: int) -> Permit:
        return Permit(1, self.reason)


@pytest.mark.parametrize(
    ("reason", "waiting"),
    [("workers wait for the learner: 3 of 4", {"waiting/workers wait for the learner": 8.0}), ("", {})],
)
def test_whoever_is_refused_waits_until_the_next_answer(
    ledger: Ledger, hand: Hand, reason: str, waiting: dict[str, float]
) -> None:
    replay = BookedReplay(Refusing(reason), ledger, None)  # type: ignore[arg-type]
    asyncio.run(replay.permit("worker-0.0", 5))
    hand.now = 2.0
    asyncio.run(replay.permit("worker-0.0", 1))  # which is granted
    hand.now = 50.0
    seconds = ledger.seconds()
    assert {name: value for name, value in seconds.items() if name.startswith("waiting")} == waiting


def test_delays_are_booked_as_they_are_dealt_out_and_scaled(ledger: Ledger, hand: Hand) -> None:
    profile = Profile(Timing(2.0, 0.0), NOTHING, NOTHING)
    trouble = BookedTrouble(profile, 0, ledger, 0.5)
    assert trouble.next("observe").delay_s == pytest.approx(2.0)
    hand.now = 10.0
    assert ledger.seconds()["device"] == pytest.approx(1.0)

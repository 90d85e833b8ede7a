"""Pop-ups, lost taps and slow pages: off by default, decided by the seed, never in the way for good."""

from __future__ import annotations

import pytest

from distrl.simphone import Phone
from distrl.simphone.hand import Hand
from distrl.simphone.nuisance import ADS, KINDS
from distrl.simphone.system.prompts import ADVERTS

WAYS_OUT = {
    "permission": ("Don't allow",),
    "anr": ("Wait",),
    "update": ("Later",),
    "low_battery": ("No thanks",),
}


def windows(phone: Phone, taps: int) -> list[str]:
    """Which windows come while one taps on nothing much, closing each."""
    seen = []
    for _ in range(taps):
        phone.tap(206, 60)
        if phone.state.overlays:
            seen.append(phone.state.overlays[-1].page)
            phone.key("BACK")
    return seen


def troubled(seed: int, words: str) -> Phone:
    phone = Phone(seed)
    phone.open_app("Maps")
    assert phone.shell(f"simphone trouble {words}").code == 0
    return phone


def test_nothing_happens_by_default() -> None:
    phone = Phone(0)
    phone.open_app("Maps")
    assert windows(phone, 50) == []
    assert phone.shell("simphone trouble").stdout == "popups=0 drops=0 loading=0 seed=0\n"


def test_every_kind_of_window_comes_and_the_seed_decides() -> None:
    first = windows(troubled(1, "popups=0.5"), 300)
    assert set(first) == set(KINDS)
    assert windows(troubled(1, "popups=0.5"), 300) == first
    assert windows(troubled(1, "popups=0.5 seed=1"), 300) != first
    assert windows(troubled(2, "popups=0.5"), 300) != first


def test_there_are_advertisements_for_all_variants() -> None:
    assert len(ADVERTS) == ADS


@pytest.mark.parametrize("kind", [*KINDS])
def test_one_obvious_tap_leads_back_and_nothing_is_lost(kind: str) -> None:
    phone = Phone(0)
    hand = Hand(phone)
    phone.open_app("Notes")
    hand.tap("New note")
    hand.write("Title", "Plan")
    before = phone.snapshot()
    phone.shell(f"simphone dialog {kind} com.simphone.maps location")
    assert phone.foreground == "com.android.systemui"
    if kind == "ad":
        cross = next(
            node for node in phone.tree() if node.clickable and not node.text and not node.description
        )
        phone.tap(*cross.centre)
    else:
        hand.tap(WAYS_OUT[kind][0])
    phone.state.permissions.clear()
    assert phone.snapshot() == before


def test_no_window_answers_the_tap_that_closed_one() -> None:
    phone = troubled(3, "popups=1")
    phone.tap(206, 60)
    for _ in range(20):
        assert len(phone.state.overlays) == 1
        phone.key("BACK")
        assert not phone.state.overlays
        phone.tap(206, 60)


def test_taps_get_lost_now_and_then() -> None:
    phone = Phone(0)
    phone.open_app("Tally Counter")
    phone.shell("simphone trouble drops=0.3")
    hand = Hand(phone)
    for _ in range(60):
        hand.tap("plus")
    counted = int(hand.find("value").text)
    assert 30 < counted < 52


def test_all_taps_lost_change_nothing_but_the_count() -> None:
    phone = troubled(0, "drops=1")
    tree = phone.tree()
    for node in tree:
        phone.tap(*node.centre)
        phone.long_press(*node.centre)
    assert phone.tree() == tree
    phone.key("HOME")
    assert phone.foreground == "com.android.launcher3", "keys are never lost"


def test_trouble_can_be_switched_off() -> None:
    phone = troubled(0, "popups=1 drops=1 loading=3")
    phone.shell("simphone trouble off")
    phone.open_app("Notes")
    assert Hand(phone).see("New note") is not None
    assert phone.shell("simphone trouble nonsense=1").code != 0


def test_a_snapshot_keeps_the_trouble() -> None:
    phone = troubled(5, "popups=0.4")
    windows(phone, 7)
    snapshot = phone.snapshot()
    first = windows(phone, 60)
    phone.restore(snapshot)
    assert windows(phone, 60) == first

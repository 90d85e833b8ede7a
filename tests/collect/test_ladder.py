"""The ladder: mildest first, up when a remedy does not last, down again when the device is sound."""

from __future__ import annotations

from distrl.collect.faults import BLACK_SCREEN, DISCONNECT, HANG, NO_BOOT
from distrl.collect.ladder import RUNGS, Ladder, RepairSettings
from distrl.interfaces import REMEDIES

ALL = ["replace", "reopen", "reboot", "reconnect", "restart_app", "restore_snapshot"]


def test_every_remedy_is_a_rung_in_the_interfaces_order() -> None:
    assert [rung for rung in RUNGS if rung in REMEDIES] == list(REMEDIES)
    assert set(RepairSettings().deadlines_s) == set(RUNGS)


def test_the_mildest_comes_first_and_the_kind_may_tell_where_to_begin() -> None:
    ladder = Ladder(RepairSettings())
    assert ladder.climb(HANG, ALL) == list(RUNGS)
    assert ladder.climb(BLACK_SCREEN, ALL)[0] == "restart_app"
    assert ladder.climb(NO_BOOT, ALL) == ["reboot", "reopen", "replace"]
    assert ladder.climb(NO_BOOT, ["reconnect"]) == ["reconnect"]  # better than nothing


def test_a_remedy_that_does_not_last_is_passed_over_until_the_device_is_sound() -> None:
    ladder = Ladder(RepairSettings(tries=2, good_episodes=3))
    for _ in range(2):
        assert ladder.climb(DISCONNECT, ALL)[0] == "reconnect"
        ladder.tried("reconnect")
    assert ladder.climb(DISCONNECT, ALL)[0] == "restart_app"
    ladder.tried("restart_app")
    ladder.good_episode()
    ladder.good_episode()
    assert ladder.climb(DISCONNECT, ALL)[0] == "restart_app"  # a fault after two good ones: still not sound
    for _ in range(3):
        ladder.good_episode()
    assert ladder.climb(DISCONNECT, ALL)[0] == "reconnect"


def test_quarantine_grows_is_bounded_and_starts_small_again() -> None:
    ladder = Ladder(RepairSettings(good_episodes=1, quarantine_s=5, longest_quarantine_s=30))
    ladder.tried("reopen")
    ladder.tried("reopen")
    assert ladder.climb(HANG, ["reopen"]) == []
    assert [ladder.sit_out() for _ in range(4)] == [5, 10, 20, 30]
    assert ladder.climb(HANG, ["reopen"]) == ["reopen"]  # after a quarantine everything is worth a try
    ladder.good_episode()
    assert ladder.sit_out() == 5

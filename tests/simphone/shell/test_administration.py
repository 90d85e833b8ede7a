"""Commands with which test programs prepare a phone: clock, tasks, files, fields."""

import asyncio

import pytest

from distrl.simphone import Phone
from distrl.simphone.served import ServedPhone


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("1015153423.07", "Sun Oct 15 15:34:07 GMT 2023"),
        ("101515342023", "Sun Oct 15 15:34:00 GMT 2023"),
        ("10151534", "Tue Oct 15 15:34:00 GMT 2024"),
    ],
)
def test_the_clock_can_be_set(given: str, shown: str) -> None:
    assert Phone(0).shell(f"date {given}; date").stdout == f"{shown}\n{shown}\n"


def test_no_date_is_no_date() -> None:
    phone = Phone(0)
    before = phone.shell("date").stdout
    assert phone.shell("date 9999999923").code == 1
    assert phone.shell("date 1").code == 1
    assert phone.shell("date").stdout == before


def test_what_loads_still_loads_as_long_after_the_clock_was_set_back() -> None:
    phone = Phone(0)
    phone.shell("simphone loading 5")
    phone.open_app("Settings")
    phone.shell("date 1015153423.00")
    left = phone.state.tasks[-1].stack[-1].ready_at_s - phone.state.now_s
    assert left == pytest.approx(5)


def test_a_served_phone_does_not_sleep_because_its_clock_was_set() -> None:
    served = ServedPhone("p", 0)
    asyncio.run(asyncio.wait_for(served.run("date 1015153430.00; simphone reset 3"), 20))


def test_the_time_zone_can_be_set() -> None:
    phone = Phone(0)
    assert phone.shell("service call alarm 3 s16 UTC").code == 0
    assert "UTC" in phone.shell("date").stdout
    assert phone.shell("service call alarm 9").code != 0


def test_open_apps_are_listed_and_removed_by_number() -> None:
    phone = Phone(0)
    phone.open_app("Clock")
    phone.open_app("Settings")
    front = phone.shell("am stack list | grep -E visible=true").stdout
    assert "topActivity=ComponentInfo{com.android.settings/com.android.settings.Settings}" in front
    assert front.count("\n") == 1
    recents = phone.shell("dumpsys activity recents | grep -o 'id=[0-9]*'").stdout.split()
    assert len(recents) == 2
    for found in recents:
        phone.shell(f"am stack remove {found.removeprefix('id=')}")
    assert phone.shell("dumpsys activity recents | grep -c id=").stdout == "0\n"
    assert "launcher" in phone.foreground


def test_find_lists_what_is_below_with_the_path_as_given() -> None:
    phone = Phone(0)
    phone.shell("mkdir -p /sdcard/a/b; echo x > /sdcard/a/b/c.txt")
    base = "/storage/emulated/0/a"
    both = phone.shell(f"find {base} -type f -o -type d").stdout
    assert both == f"{base}\n{base}/b\n{base}/b/c.txt\n"
    assert phone.shell(f"find {base} -type f").stdout == f"{base}/b/c.txt\n"
    assert phone.shell(f"find {base} -name '*.txt'").stdout == f"{base}/b/c.txt\n"
    assert phone.shell("find /nowhere").code == 1
    assert phone.shell(f"chmod 777 -R {base} && restorecon -RD {base}").code == 0
    assert phone.shell("chmod 777 /nowhere").code == 1


def test_select_all_and_delete_empties_a_field() -> None:
    phone = Phone(0)
    phone.shell("am start -a android.intent.action.INSERT -e name Ann")
    node = next(node for node in phone.tree() if node.text == "Ann")
    phone.tap(node.bounds[0] + 5, node.bounds[1] + 5)
    phone.shell("input keycombination 113 29 && input keyevent 67; input text Bea")
    assert any(node.text == "Bea" for node in phone.tree())


@pytest.mark.parametrize(
    ("uri", "package"),
    [
        ("content://contacts/people/", "com.android.contacts"),
        ("content://com.android.calendar", "com.android.calendar"),
    ],
)
def test_usual_addresses_open_the_usual_app(uri: str, package: str) -> None:
    phone = Phone(0)
    phone.shell(f"am start -a android.intent.action.VIEW -d {uri}")
    assert phone.foreground == package

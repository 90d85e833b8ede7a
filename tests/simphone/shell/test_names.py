"""Package names of Google's system images, for clients that know only those."""

import asyncio

import pytest

from distrl.simphone.served import Conduct, ServedPhone
from distrl.simphone.shell.names import ALIASES, to_google, to_own

GOOGLE = Conduct(names="google")


def say(served: ServedPhone, line: str) -> str:
    return asyncio.run(served.run(line))[0].decode()


@pytest.mark.parametrize("own", ALIASES)
def test_names_go_there_and_back(own: str) -> None:
    assert to_own(ALIASES[own].package) == own
    assert to_own(to_google(f"package:{own}")) == f"package:{own}"


def test_activities_are_those_of_the_other_build() -> None:
    there = "com.google.android.deskclock/com.android.deskclock.DeskClock"
    assert to_google("{com.android.deskclock/.DeskClock}") == f"{{{there}}}"
    assert to_google("com.android.deskclock/com.android.deskclock.DeskClock t7") == f"{there} t7"
    assert to_google("com.android.deskclock:id/fab") == "com.google.android.deskclock:id/fab"
    assert to_google("org.com.android.deskclock com.android.deskclockwork") == (
        "org.com.android.deskclock com.android.deskclockwork"
    )


def test_a_client_of_googles_image_finds_its_apps() -> None:
    served = ServedPhone("p", 0, GOOGLE)
    activity = "com.google.android.contacts/com.android.contacts.activities.PeopleActivity"
    assert "Error" not in say(served, f"am start -W -n {activity}")
    assert served.phone.foreground == "com.android.contacts"
    assert f"visible=true topActivity=ComponentInfo{{{activity}}}" in say(served, "am stack list")
    assert activity in say(served, "dumpsys window | grep mCurrentFocus")
    assert "package:com.google.android.contacts\n" in say(served, "pm list packages")
    assert say(served, "pm clear com.google.android.contacts") == "Success\n"


def test_trees_carry_those_names_in_files_and_in_print() -> None:
    served = ServedPhone("p", 0, GOOGLE)
    say(served, "am start -n com.google.android.deskclock/x")
    assert say(served, "uiautomator dump /sdcard/d.xml") == "UI hierchary dumped to: /sdcard/d.xml\n"
    for tree in (say(served, "cat /sdcard/d.xml"), say(served, "uiautomator dump /dev/tty")):
        assert 'package="com.google.android.deskclock"' in tree
        assert 'package="com.android.deskclock"' not in tree


def test_otherwise_nothing_is_renamed() -> None:
    served = ServedPhone("p", 0)
    assert "does not exist" in say(served, "am start -n com.google.android.deskclock/x")
    assert "com.google" not in say(served, "pm list packages")

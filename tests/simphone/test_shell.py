"""The shell: what each command prints and how it ends."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.simphone import Phone

CONTACTS = "content://com.android.contacts/contacts"
NOTES = "content://com.simphone.notes/notes"

CASES = [
    ("echo hello world", "hello world\n", 0),
    ("echo 'a  b'; echo c", "a  b\nc\n", 0),
    ("false && echo no", "", 1),
    ("false || echo yes", "yes\n", 0),
    ("true && echo yes", "yes\n", 0),
    ("foo", "/system/bin/sh: foo: not found\n", 127),
    ("foo -x | grep zzz", "", 1),
    ("echo 'open", "/system/bin/sh: syntax error: unterminated quoted string\n", 2),
    ("wm size", "Physical size: 412x732\n", 0),
    ("getprop ro.product.model", "SP-412\n", 0),
    ("getprop no.such.property", "\n", 0),
    ("date +%Y-%m-%d", "2024-05-14\n", 0),
    ("settings get global airplane_mode_on", "0\n", 0),
    ("settings get global no_such_key", "null\n", 0),
    ("settings put system screen_brightness 9 && settings get system screen_brightness", "9\n", 0),
    ("settings delete global adb_enabled; settings get global adb_enabled", "Deleted 1 rows\nnull\n", 0),
    ("settings list global | grep -c adb_enabled", "1\n", 0),
    ("settings get elsewhere x", "Settings provider (settings) commands: get, put, delete, list\n", 255),
    ("svc wifi disable; settings get global wifi_on", "0\n", 0),
    ("svc bluetooth enable; settings get global bluetooth_on", "1\n", 0),
    ("svc data disable; settings get global mobile_data", "0\n", 0),
    ("cmd connectivity airplane-mode enable; settings get global wifi_on", "0\n", 0),
    ("cmd connectivity airplane-mode", "disabled\n", 0),
    ("cmd uimode night yes; settings get secure ui_night_mode", "2\n", 0),
    ("am start -n com.android.settings/.Settings >/dev/null; pm path com.android.settings",
     "package:/data/app/com.android.settings/base.apk\n", 0),
    ("pm list packages notes", "package:com.simphone.notes\n", 0),
    ("ls /nowhere", "ls: /nowhere: No such file or directory\n", 1),
    ("[ -d /sdcard ] && echo there", "there\n", 0),
    ("dumpsys battery | grep level", "  level: 85\n", 0),
    ("dumpsys nonsense", "Can't find service: nonsense\n", 0),
    ("input dance", "Error: Invalid arguments for command: dance\n", 255),
    ("content query --uri content://nothing/here",
     "Error while accessing provider:content://nothing/here\nUnknown URI: content://nothing/here\n", 1),
    (f"content query --uri {CONTACTS} --where \"display_name='Nobody'\"", "No result found.\n", 0),
    ("", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("line", "stdout", "code"), CASES)
def test_commands(line: str, stdout: str, code: int) -> None:
    result = Phone(0).shell(line)
    assert (result.stdout, result.code) == (stdout, code)


def test_apps_are_started_and_stopped() -> None:
    phone = Phone(0)
    phone.shell("am start -a android.settings.WIFI_SETTINGS")
    focus = phone.shell("dumpsys window | grep mCurrentFocus").stdout
    assert "com.android.settings/" in focus
    assert any(node.text == "Internet" for node in phone.tree())
    phone.shell("am force-stop com.android.settings")
    assert phone.foreground == "com.android.launcher3"
    phone.shell(
        "am start -a android.intent.action.VIEW -d 'https://larkspur.market/search?q=shoes&sort=rating'"
    )
    assert phone.foreground == "com.simphone.browser"
    assert phone.shell("am start -n com.nobody/.Main").code == 1


def test_input_from_the_shell() -> None:
    phone = Phone(0)
    phone.shell("am start -n com.simphone.notes/.MainActivity")
    field = next(node for node in phone.tree() if node.editable)
    phone.shell(f"input tap {field.centre[0]} {field.centre[1]}; input text two%swords")
    assert any(node.text == "two words" for node in phone.tree())
    phone.shell("input keyevent KEYCODE_DEL 67")
    assert any(node.text == "two wor" for node in phone.tree())
    phone.shell("input keyevent 3")
    assert phone.foreground == "com.android.launcher3"


def test_content_tables() -> None:
    phone = Phone(0)
    insert = "--bind display_name:s:'Zed Quick' --bind phone:s:'+1 555' --bind starred:i:1"
    assert phone.shell(f"content insert --uri {CONTACTS} {insert}").code == 0
    where = "--where \"display_name='Zed Quick' AND starred=1\""
    row = phone.shell(f"content query --uri {CONTACTS} --projection display_name:phone {where}").stdout
    assert row == "Row: 0 display_name=Zed Quick, phone=+1 555\n"
    phone.shell(f"content update --uri {CONTACTS} --bind phone:s:999 {where}")
    assert "phone=999" in phone.shell(f"content query --uri {CONTACTS} {where}").stdout
    phone.shell(f"content delete --uri {CONTACTS} {where}")
    assert phone.shell(f"content query --uri {CONTACTS} {where}").stdout == "No result found.\n"


def test_every_table_can_be_read() -> None:
    from distrl.simphone.apps.registry import APPS

    phone = Phone(0)
    for app in APPS:
        for name in app.tables:
            result = phone.shell(f"content query --uri content://{app.package}/{name}")
            assert result.code == 0
            assert result.stdout.startswith(("Row: 0 _id=", "No result found."))


def test_uiautomator_writes_valid_xml() -> None:
    phone = Phone(0)
    phone.shell(f"content insert --uri {NOTES} --bind title:s:'<A & \"B\">' --bind body:s:x")
    phone.open_app("Notes")
    assert phone.shell("uiautomator dump").stdout == "UI hierchary dumped to: /sdcard/window_dump.xml\n"
    root = ElementTree.fromstring(phone.shell("cat /sdcard/window_dump.xml").stdout)
    elements = list(root.iter("node"))
    assert [element.get("text") for element in elements] == [node.text for node in phone.tree()]
    assert any(element.get("text") == '<A & "B">' for element in elements)
    left, top, right, bottom = phone.tree()[0].bounds
    assert elements[0].get("bounds") == f"[{left},{top}][{right},{bottom}]"
    assert phone.shell("uiautomator dump /dev/tty").stdout.startswith("<?xml")


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from(list("abc'\"|;&$-: /=%\n\\(")), max_size=30))
def test_no_line_raises(line: str) -> None:
    phone = Phone(0)
    for prefix in (
        "",
        "content query --uri content://com.simphone.notes/notes --where ",
        "settings ",
        "date +",
    ):
        phone.shell(prefix + line)


def test_exec_runs_and_export_is_silent() -> None:
    phone = Phone(seed=0)
    assert phone.shell("export ANDROID_LOG_TAGS=''; exec whoami").stdout == phone.shell("whoami").stdout
    assert phone.shell("exec nothing_of_the_kind").code == 127

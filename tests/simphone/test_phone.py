"""The phone as a whole: boot, determinism, snapshots, seeds, the clock."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image

from distrl.simphone import Phone
from distrl.simphone.hand import Hand


def play(phone: Phone, seed: int, steps: int) -> None:
    """Random actions, the same for the same seed."""
    source = random.Random(seed)
    for _ in range(steps):
        x, y = source.uniform(0, phone.width), source.uniform(0, phone.height)
        match source.randrange(6):
            case 0:
                phone.swipe(x, y, source.uniform(0, phone.width), source.uniform(0, phone.height))
            case 1:
                phone.type_text(source.choice(("milk", "Ann", "shoes\n")))
            case 2:
                clickable = [node for node in phone.tree() if node.clickable]
                phone.tap(*source.choice(clickable).centre)
            case 3:
                phone.open_app(source.choice(("Settings", "Notes", "Contacts", "Browser")))
            case 4:
                phone.long_press(x, y)
            case _:
                phone.tap(x, y)


def test_boots_to_the_home_screen() -> None:
    phone = Phone(0)
    assert (phone.width, phone.height) == (412, 732)
    assert phone.foreground == "com.android.launcher3"
    assert phone.frame().size == (412, 732)
    assert phone.frame().mode == "RGB"
    assert Image.open(io.BytesIO(phone.screencap_png())).size == (412, 732)


def test_same_seed_and_actions_give_the_same_phone() -> None:
    one, other = Phone(4), Phone(4)
    for phone in (one, other):
        play(phone, 11, 120)
    assert one.snapshot() == other.snapshot()
    assert one.tree() == other.tree()
    assert one.frame().tobytes() == other.frame().tobytes()


@pytest.mark.parametrize("seed", range(6))
def test_restore_is_exact(seed: int) -> None:
    phone = Phone(seed)
    play(phone, seed, 60)
    snapshot, tree, pixels = phone.snapshot(), phone.tree(), phone.frame().tobytes()
    play(phone, seed + 100, 40)
    after = phone.snapshot()
    phone.restore(snapshot)
    assert phone.snapshot() == snapshot
    assert phone.tree() == tree
    assert phone.frame().tobytes() == pixels
    play(phone, seed + 100, 40)
    assert phone.snapshot() == after, "the same actions after a restore lead to the same phone"


def test_a_snapshot_moves_to_another_phone() -> None:
    phone, other = Phone(1), Phone(2)
    play(phone, 3, 50)
    other.restore(phone.snapshot())
    assert other.frame().tobytes() == phone.frame().tobytes()


def test_reset_is_a_fresh_boot() -> None:
    phone = Phone(1)
    play(phone, 3, 50)
    phone.reset(9)
    assert phone.snapshot() == Phone(9).snapshot()


def test_seeds_change_the_layout_but_not_the_content() -> None:
    query = "content query --uri content://com.android.contacts/contacts"
    pictures, contents, orders = set(), set(), set()
    for seed in range(8):
        phone = Phone(seed)
        pictures.add(phone.frame().tobytes())
        contents.add(phone.shell(query).stdout)
        phone.open_app("Settings")
        orders.add(tuple(Hand(phone).texts()))
    assert len(pictures) > 5
    assert len(orders) > 5
    assert len(contents) == 1


def test_a_world_seed_changes_the_content() -> None:
    phone = Phone(0)
    query = "content query --uri content://com.android.contacts/contacts"
    before = phone.shell(query).stdout
    assert phone.shell("simphone world 17").code == 0
    assert phone.shell(query).stdout != before
    phone.shell("simphone world 0")
    assert phone.shell(query).stdout == before


def test_frame_version_changes_exactly_with_the_picture() -> None:
    phone = Phone(0)
    version, pixels = phone.frame_version, phone.frame().tobytes()
    phone.tap(3, 300)
    assert phone.frame_version == version
    for action in (lambda: phone.open_app("Settings"), lambda: phone.swipe(200, 500, 200, 300)):
        action()
        assert phone.frame_version != version
        assert phone.frame().tobytes() != pixels
        version, pixels = phone.frame_version, phone.frame().tobytes()


def test_what_nobody_looked_at_does_not_count_for_the_frame_version() -> None:
    phone = Phone(0)
    version = phone.frame_version
    phone.open_app("Settings")
    phone.tree()
    phone.key("HOME")
    assert phone.frame_version == version


def test_time_passes_only_when_told() -> None:
    phone = Phone(0)
    assert phone.shell("date +%s").stdout == phone.shell("date +%s").stdout
    phone.advance(90)
    assert Hand(phone).see("09:42") is not None
    phone.advance(-5)
    phone.advance(float("nan"))
    assert phone.shell("date +%H:%M").stdout == "09:42\n"


def test_pages_load_when_the_phone_is_slow() -> None:
    phone = Phone(0)
    phone.shell("simphone loading 2")
    phone.open_app("Settings")
    hand = Hand(phone)
    assert hand.see("Display") is None
    phone.advance(2.5)
    hand.tap("Display")
    assert hand.see("Loading") is not None
    assert hand.see("Dark theme") is None
    phone.advance(2.5)
    assert hand.see("Loading") is None
    assert hand.see("Dark theme") is not None


def test_open_app_by_name_or_package() -> None:
    phone = Phone(0)
    assert phone.open_app("sETTINGS")
    assert phone.foreground == "com.android.settings"
    assert phone.open_app("com.simphone.notes")
    assert phone.foreground == "com.simphone.notes"
    assert not phone.open_app("Telegraph")

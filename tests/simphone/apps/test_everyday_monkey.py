"""Random touches inside one app at a time: nothing raises, and BACK always leads out."""

from __future__ import annotations

import random

import pytest

from distrl.simphone import Phone

HOME = "com.android.launcher3"
PACKAGES = (
    "com.android.messaging",
    "com.simphone.mail",
    "com.simphone.music",
    "com.simphone.store",
    "com.simphone.maps",
)


def act(phone: Phone, source: random.Random, package: str) -> None:
    inside = [n for n in phone.tree() if n.clickable and n.package == package]
    match source.randrange(9):
        case 0:
            phone.swipe(206, 600, 206, source.choice((80, 300, 700)))
        case 1:
            phone.type_text(source.choice(("a", "5551234", "Zed\n", "'\"%", "🙂")))
        case 2:
            phone.key(source.choice(("BACK", "ENTER")))
        case 3 if inside:
            phone.long_press(*source.choice(inside).centre)
        case _ if inside:
            phone.tap(*source.choice(inside).centre)
    phone.advance(1.0)


@pytest.mark.parametrize("package", PACKAGES)
def test_random_touches(package: str) -> None:
    source = random.Random(package)
    phone = Phone(len(package))
    for step in range(350):
        if phone.foreground != package:
            phone.open_app(package)
        act(phone, source, package)
        assert phone.tree()
        if step % 12 == 0:
            phone.frame()
        if step % 60 == 59:
            phone.restore(phone.snapshot())
            for _ in range(90):
                phone.key("BACK")
            assert phone.foreground == HOME
    for table in ("sms", "mails", "songs", "playlist_songs", "queue", "apps", "places", "saved", "routes"):
        phone.shell(f"content query --uri content://{package}/{table}")


@pytest.mark.parametrize("package", PACKAGES)
def test_odd_columns_do_no_harm(package: str) -> None:
    phone = Phone(2)
    tables = ("sms", "conversations", "mails", "songs", "playlists", "playlist_songs", "player", "queue",
              "apps", "preferences", "places", "saved", "lists", "searches", "routes")  # fmt: skip
    columns = (
        "date",
        "read",
        "type",
        "duration",
        "rating",
        "song_id",
        "x",
        "opens",
        "folder",
        "name",
        "query",
    )
    for table in tables:
        for value in ("-1", "zebra", "1e999", "''"):
            bound = " ".join(f"--bind {column}:s:{value}" for column in columns)
            for verb in ("insert", "update"):
                phone.shell(f"content {verb} --uri content://{package}/{table} {bound}")
        phone.open_app(package)
        assert phone.frame() is not None
        phone.shell(f"content delete --uri content://{package}/{table}")
        assert phone.frame() is not None

"""Mail, worked by hand and checked through the shell."""

from __future__ import annotations

from distrl.simphone import Phone
from distrl.simphone.hand import Hand

URI = "content://com.simphone.mail/mails"
QUERY = f"content query --uri {URI}"


def opened(*subjects: str) -> Hand:
    """Mail with some new mails in the inbox, the last one first."""
    hand = Hand(Phone(1))
    for subject in subjects:
        line = f"content insert --uri {URI} --bind sender:s:'Zelda Quux' --bind subject:s:'{subject}'"
        assert hand.phone.shell(line + f" --bind body:s:'About {subject}: call 4711'").code == 0
    hand.phone.open_app("Mail")
    return hand


def column(hand: Hand, subject: str, name: str) -> str:
    out = hand.phone.shell(f"{QUERY} --projection {name} --where \"subject='{subject}'\"").stdout
    return out.strip().partition(f"{name}=")[2]


def titled(subject: str) -> str:
    """What the row of a mail says below the sender."""
    return f"{subject}\nAbout {subject}: call 4711"


def test_opening_a_mail_reads_it() -> None:
    hand = opened("Zebra crossing")
    assert column(hand, "Zebra crossing", "read") == "0"
    hand.tap(titled("Zebra crossing"))
    assert column(hand, "Zebra crossing", "read") == "1"
    assert hand.see("About Zebra crossing: call 4711") is not None
    hand.tap("mark_unread")
    assert column(hand, "Zebra crossing", "read") == "0"


def test_star_archive_move_and_delete() -> None:
    hand = opened("Zebra one", "Zebra two")
    hand.tap(titled("Zebra one"))
    hand.tap("star")
    assert (column(hand, "Zebra one", "starred"), column(hand, "Zebra two", "starred")) == ("1", "0")
    hand.tap("archive")
    assert column(hand, "Zebra one", "folder") == "archive"
    hand.tap(titled("Zebra two"))
    hand.tap("More options")
    hand.tap("Move to")
    hand.tap("Spam")
    assert column(hand, "Zebra two", "folder") == "spam"
    hand.tap("Open menu")
    hand.tap("Spam")
    hand.tap(titled("Zebra two"))
    hand.tap("delete")
    assert column(hand, "Zebra two", "folder") == "bin"
    hand.tap("Open menu")
    hand.tap("Bin")
    hand.tap("Empty bin")
    hand.tap("Empty")
    assert "No result" in hand.phone.shell(f"{QUERY} --where \"folder='bin'\"").stdout


def test_a_mail_in_the_bin_goes_only_after_a_question() -> None:
    hand = opened("Zebra")
    hand.tap(titled("Zebra"))
    hand.tap("delete")
    hand.tap("Open menu")
    hand.tap("Bin")
    hand.tap(titled("Zebra"))
    hand.tap("delete")
    hand.tap("Cancel")
    assert column(hand, "Zebra", "folder") == "bin"
    hand.tap("delete")
    hand.tap("Delete")
    assert column(hand, "Zebra", "folder") == ""


def test_reply_and_forward() -> None:
    hand = opened("Zebra")
    hand.tap(titled("Zebra"))
    hand.tap("Reply")
    hand.write("body", "Thanks a lot")
    hand.tap("send")
    assert column(hand, "Re: Zebra", "recipient") == "zelda.quux@postbox.example"
    assert column(hand, "Re: Zebra", "body") == "Thanks a lot"
    hand.tap("Forward")
    hand.tap("send")
    assert column(hand, "Fwd: Zebra", "folder") == ""
    hand.write("to", "nora@postbox.example")
    hand.tap("send")
    assert column(hand, "Fwd: Zebra", "recipient") == "nora@postbox.example"
    assert "call 4711" in column(hand, "Fwd: Zebra", "body")


def test_compose_suggests_people_and_keeps_drafts() -> None:
    hand = opened()
    hand.phone.shell(
        "content insert --uri content://com.android.contacts/contacts"
        " --bind display_name:s:'Zelda Prime' --bind email:s:zp@postbox.example"
    )
    hand.tap("fab")
    hand.write("to", "zelda")
    hand.tap("zp@postbox.example")
    hand.write("subject", "Zebras")
    hand.tap("More options")
    hand.tap("Save draft")
    assert column(hand, "Zebras", "folder") == "drafts"
    hand.tap("Open menu")
    hand.tap("Drafts")
    hand.tap("To: zp@postbox.example")
    hand.write("body", "They are striped")
    hand.tap("send")
    assert column(hand, "Zebras", "folder") == "sent"
    assert column(hand, "Zebras", "body") == "They are striped"


def test_several_mails_at_once() -> None:
    hand = opened("Zebra one", "Zebra two", "Zebra three")
    hand.hold(titled("Zebra one"))
    hand.tap(titled("Zebra three"))
    hand.tap("archive")
    folders = [column(hand, f"Zebra {word}", "folder") for word in ("one", "two", "three")]
    assert folders == ["archive", "inbox", "archive"]
    hand.hold(titled("Zebra two"))
    hand.tap("move")
    hand.tap("Spam")
    assert column(hand, "Zebra two", "folder") == "spam"


def test_search_filter_and_order() -> None:
    hand = opened("Zebra")
    hand.tap("search")
    hand.write("query", "zebra: call")
    assert hand.see(titled("Zebra")) is not None
    hand.phone.key("BACK")
    hand.phone.key("BACK")
    hand.tap("More options")
    hand.tap("Mark all as read")
    hand.tap("Unread")
    assert hand.see("Nothing in Inbox") is not None
    hand.tap("All")
    hand.tap("More options")
    hand.tap("Oldest first")
    assert hand.see(titled("Zebra")) is None


def test_a_restored_phone_goes_on_where_it_was() -> None:
    hand = opened("Zebra one", "Zebra two")
    hand.hold(titled("Zebra one"))
    other = Hand(Phone(3))
    other.phone.restore(hand.phone.snapshot())
    assert other.phone.frame().tobytes() == hand.phone.frame().tobytes()
    other.tap("delete")
    assert column(other, "Zebra one", "folder") == "bin"
    assert column(hand, "Zebra one", "folder") == "inbox"

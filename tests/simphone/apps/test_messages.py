"""Messages, worked by hand and checked through the shell."""

from __future__ import annotations

from distrl.simphone import Phone
from distrl.simphone.hand import Hand

URI = "content://com.android.messaging"
SMS = f"content query --uri {URI}/sms"
THREADS = f"content query --uri {URI}/conversations"


def receive(phone: Phone, address: str, body: str, name: str = "") -> None:
    line = f"content insert --uri {URI}/sms --bind address:s:'{address}' --bind body:s:'{body}'"
    assert phone.shell(line + f" --bind name:s:'{name}'").code == 0


def opened(seed: int = 1) -> Hand:
    hand = Hand(Phone(seed))
    hand.phone.open_app("Messages")
    return hand


def test_a_received_message_is_unread_until_it_is_opened() -> None:
    hand = opened()
    receive(hand.phone, "+1 555 777 0001", "The gate code is 4711", "Gate Keeper")
    row = f"{SMS} --where \"address='+1 555 777 0001'\""
    assert "read=0, type=1, body=The gate code is 4711" in hand.phone.shell(row).stdout
    assert hand.see("The gate code is 4711") is not None
    hand.tap("Gate Keeper")
    assert "read=1" in hand.phone.shell(row).stdout
    hand.phone.key("BACK")
    hand.tap("Unread")
    assert hand.see("Gate Keeper") is None


def test_answering() -> None:
    hand = opened()
    receive(hand.phone, "+1 555 777 0001", "Are you there?", "Gate Keeper")
    hand.tap("Gate Keeper")
    hand.write("draft", "Yes I am")
    hand.tap("send_message_button")
    sent = hand.phone.shell(f"{SMS} --where \"type=2 AND body='Yes I am'\"").stdout
    assert "address=+1 555 777 0001" in sent
    assert "name=Gate Keeper" in sent
    assert "Yes I am" in hand.texts()


def test_nothing_is_sent_without_words() -> None:
    hand = opened()
    before = hand.phone.shell(f"{SMS} | wc -l").stdout
    receive(hand.phone, "+1 555 777 0001", "Hello", "Gate Keeper")
    hand.tap("Gate Keeper")
    hand.write("draft", "   ")
    hand.tap("send_message_button")
    assert int(hand.phone.shell(f"{SMS} | wc -l").stdout) == int(before) + 1


def test_a_new_message_to_a_person_and_to_a_number() -> None:
    hand = opened()
    contacts = "content://com.android.contacts/contacts"
    for name, number in (("Zelda Prime", "+1 555 777 0002"), ("Zelda Second", "+1 555 777 0003")):
        hand.phone.shell(
            f"content insert --uri {contacts} --bind display_name:s:'{name}' --bind phone:s:'{number}'"
        )
    hand.tap("fab")
    hand.write("to", "zelda")
    assert hand.see("Zelda Prime") is not None
    hand.tap("Zelda Second")
    hand.write("draft", "Surprise")
    hand.tap("send_message_button")
    assert "address=+1 555 777 0003" in hand.phone.shell(f"{SMS} --where \"body='Surprise'\"").stdout
    hand.phone.key("BACK")
    hand.phone.key("BACK")
    hand.tap("fab")
    hand.write("to", "5557770009")
    hand.tap("Send to 5557770009")
    hand.write("draft", "Who is this?")
    hand.tap("send_message_button")
    assert "address=5557770009" in hand.phone.shell(f'{SMS} --where "type=2 AND date>0"').stdout


def test_conversations_are_pinned_archived_blocked_and_deleted() -> None:
    hand = opened()
    receive(hand.phone, "+1 555 777 0001", "Hello", "Gate Keeper")
    row = f"{THREADS} --where \"name='Gate Keeper'\""
    for word, column in (("Pin", "pinned=1"), ("Unpin", "pinned=0"), ("Mark as read", "unread_count=0")):
        hand.hold("Gate Keeper")
        hand.tap(word)
        assert column in hand.phone.shell(row).stdout
    hand.hold("Gate Keeper")
    hand.tap("Mark as unread")
    assert "unread_count=1" in hand.phone.shell(row).stdout
    hand.hold("Gate Keeper")
    hand.tap("Archive")
    assert hand.see("Gate Keeper") is None
    hand.tap("More options")
    hand.tap("Archived")
    hand.tap("Gate Keeper")
    hand.tap("More options")
    hand.tap("Block")
    hand.tap("Block")
    assert "archived=1, blocked=1" in hand.phone.shell(row).stdout
    assert hand.see("draft") is None
    hand.tap("More options")
    hand.tap("Delete")
    hand.tap("Cancel")
    assert "Row: 0" in hand.phone.shell(row).stdout
    hand.tap("More options")
    hand.tap("Delete")
    hand.tap("Delete")
    assert "No result" in hand.phone.shell(row).stdout
    assert "No result" in hand.phone.shell(f"{SMS} --where \"name='Gate Keeper'\"").stdout


def test_search_forward_and_delete_one_text() -> None:
    hand = opened()
    receive(hand.phone, "+1 555 777 0001", "Platypus at noon", "Gate Keeper")
    hand.tap("search")
    hand.write("query", "platypus")
    hand.tap("Platypus at noon")
    hand.hold("Platypus at noon")
    hand.tap("Forward")
    hand.write("to", "5557770010")
    hand.tap("Send to 5557770010")
    hand.tap("send_message_button")
    rows = hand.phone.shell(f"{SMS} --where \"body='Platypus at noon'\"").stdout
    assert "address=5557770010" in rows
    hand.hold("Platypus at noon")
    hand.tap("Delete message")
    assert "5557770010" not in hand.phone.shell(SMS).stdout


def test_a_restored_phone_goes_on_where_it_was() -> None:
    hand = opened()
    receive(hand.phone, "+1 555 777 0001", "Hello", "Gate Keeper")
    hand.tap("Gate Keeper")
    hand.write("draft", "Half a sen")
    other = Phone(9)
    other.restore(hand.phone.snapshot())
    assert other.frame().tobytes() == hand.phone.frame().tobytes()
    other.type_text("tence")
    Hand(other).tap("send_message_button")
    assert "body=Half a sentence" in other.shell(SMS).stdout
    assert "Half a sentence" not in hand.phone.shell(SMS).stdout


def test_worlds_differ_and_repeat() -> None:
    texts = set()
    for number in (1, 2, 1):
        phone = Phone(1)
        phone.shell(f"simphone world {number}")
        texts.add(phone.shell(SMS).stdout)
    assert len(texts) == 2

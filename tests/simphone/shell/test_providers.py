"""Android's own providers and helper services, as programs that test phones use them."""

from distrl.simphone import Phone
from distrl.simphone.shell.providers import receive_text

PHONES = "content query --uri content://contacts/phones/ --projection display_name:number"
SENT, INBOX = "content query --uri content://sms/sent", "content query --uri content://sms/inbox"


def label(phone: Phone, text: str) -> None:
    """Touch what has this text."""
    node = next(node for node in phone.tree() if text in (node.text, node.description))
    phone.tap((node.bounds[0] + node.bounds[2]) / 2, (node.bounds[1] + node.bounds[3]) / 2)


def test_contacts_are_what_the_app_shows() -> None:
    phone = Phone(0)
    assert phone.shell(PHONES).stdout.startswith("Row: 0 display_name=")
    assert phone.shell("pm clear com.android.providers.contacts").stdout == "Success\n"
    assert phone.shell(PHONES).stdout == "No result found.\n"
    phone.open_app("Contacts")
    assert any(node.text == "No contacts found" for node in phone.tree())


def test_an_intent_fills_the_form_of_a_new_contact() -> None:
    phone = Phone(0)
    phone.shell("pm clear com.android.providers.contacts")
    phone.shell(
        "am start -a android.intent.action.INSERT -t vnd.android.cursor.dir/contact "
        '-e name "Ann Bee" -e phone +15550'
    )
    assert phone.shell(PHONES).stdout == "No result found.\n"
    label(phone, "Save")
    assert phone.shell(PHONES).stdout == "Row: 0 display_name=Ann Bee, number=+15550\n"


def test_texts_that_come_in_are_shown_and_can_be_cleared() -> None:
    phone = Phone(0)
    database = "/data/data/com.android.providers.telephony/databases/mmssms.db"
    assert phone.shell(f'sqlite3 {database} "DELETE FROM sms;"').code == 0
    assert phone.shell(SENT).stdout == phone.shell(INBOX).stdout == "No result found.\n"
    receive_text(phone, "+15551234567", "Hello, you = me?")
    row = phone.shell(INBOX).stdout
    assert "address=+15551234567" in row
    assert "body=Hello, you = me?" in row
    assert phone.shell(SENT).stdout == "No result found.\n"
    assert phone.state.notifications[0].title == "+15551234567"
    phone.open_app("Messages")
    assert any(node.text == "+15551234567" for node in phone.tree())
    assert phone.shell("content delete --uri content://sms/inbox").code == 0
    assert phone.shell(INBOX).stdout == "No result found.\n"


def test_other_databases_and_statements_are_refused() -> None:
    phone = Phone(0)
    assert phone.shell('sqlite3 /data/x.db "DELETE FROM sms;"').code == 1
    file = "/data/data/com.android.providers.telephony/databases/mmssms.db"
    assert phone.shell(f'sqlite3 {file} "DROP TABLE sms;"').code == 1
    assert phone.shell("content insert --uri content://sms/sent --bind body:s:x").code == 1
    assert phone.shell("content delete --uri content://contacts/phones").code == 1


def test_downloads_can_be_cleared() -> None:
    phone = Phone(0)
    phone.shell("echo x > /sdcard/Download/new.txt")
    listed = phone.shell("content query --uri content://media/external/downloads").stdout
    assert "_display_name=new.txt" in listed
    assert phone.shell("content delete --uri content://media/external/downloads").code == 0
    assert phone.shell("find /sdcard/Download -type f").stdout == ""


def test_clipper_gives_and_takes_the_clipboard() -> None:
    phone = Phone(0)
    phone.shell("am start -W -n ca.zgrs.clipper/ca.zgrs.clipper.Main")
    assert "result=-1" in phone.shell(r"am broadcast -a clipper.set -e text a\ b").stdout
    assert phone.state.clipboard == "a b"
    assert phone.shell("am broadcast -a clipper.get").stdout.endswith('result=-1, data="a b"\n')
    assert phone.shell("am broadcast -a other").stdout.endswith("result=0\n")
    phone.key("BACK")
    assert not phone.state.overlays

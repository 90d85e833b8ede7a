"""Maps, worked by hand and checked through the shell."""

from __future__ import annotations

import numpy as np
from PIL import Image

from distrl.simphone import Phone
from distrl.simphone.apps.maps import chart
from distrl.simphone.hand import Hand

URI = "content://com.simphone.maps"


def opened() -> Hand:
    """Maps with two places of the same name at different addresses."""
    hand = Hand(Phone(1))
    for address, x in (("1 Aa Street", 540), ("99 Zed Street", 900)):
        line = f"content insert --uri {URI}/places --bind name:s:'Zebra Bar' --bind category:s:Bar"
        assert hand.phone.shell(f"{line} --bind address:s:'{address}' --bind x:i:{x}").code == 0
    hand.phone.open_app("Maps")
    return hand


def rows(hand: Hand, table: str, where: str = "") -> str:
    test = f' --where "{where}"' if where else ""
    return hand.phone.shell(f"content query --uri {URI}/{table}{test}").stdout


def searched(hand: Hand, query: str) -> None:
    hand.tap("open_search")
    hand.write("query", query)
    hand.phone.key("ENTER")


def test_searching_remembers_and_forgets() -> None:
    hand = opened()
    searched(hand, "zebra")
    assert "query=zebra" in rows(hand, "searches").splitlines()[0]
    assert hand.texts().count("Zebra Bar") == 2
    hand.phone.key("BACK")
    hand.tap("query")
    hand.phone.clear_text()
    hand.phone.key("BACK")
    hand.tap("Clear search history")
    hand.tap("Clear")
    assert "No result" in rows(hand, "searches")


def test_a_place_is_saved_and_removed() -> None:
    hand = opened()
    searched(hand, "99 zed")
    hand.tap("Zebra Bar")
    assert hand.see("99 Zed Street") is not None
    hand.tap("Save")
    hand.tap("Want to go")
    hand.tap("Done")
    saved = rows(hand, "saved", "name='Zebra Bar'")
    assert "list=Want to go" in saved
    assert "address=99 Zed Street" in saved
    for _ in range(3):
        hand.phone.key("BACK")
    hand.tap("Saved")
    hand.tap("Want to go")
    row = next(node for node in hand.phone.tree() if node.text == "Zebra Bar")
    ends = [n for n in hand.phone.tree() if n.class_name.endswith("ImageButton") and n.parent == row.parent]
    hand.phone.tap(*ends[0].centre)
    hand.tap("Remove")
    assert "No result" in rows(hand, "saved", "name='Zebra Bar'")


def test_a_list_of_ones_own() -> None:
    hand = opened()
    hand.tap("Saved")
    hand.tap("New list")
    hand.write("name", "Bars")
    hand.tap("Create")
    assert "name=Bars, place_count=0" in rows(hand, "lists")
    hand.phone.shell(f"content insert --uri {URI}/saved --bind name:s:'Zebra Bar' --bind list:s:Bars")
    hand.tap("Bars")
    assert hand.see("Zebra Bar") is not None


def test_directions() -> None:
    hand = opened()
    searched(hand, "1 aa")
    hand.tap("Zebra Bar")
    hand.tap("Directions")
    assert "origin=Your location, destination=Zebra Bar, mode=car" in rows(hand, "routes")
    walking = next(text for text in hand.texts() if text.endswith("min"))
    assert walking
    modes = [n for n in hand.phone.tree() if n.clickable and n.class_name.endswith("FrameLayout")]
    hand.phone.tap(*modes[2].centre)
    assert "mode=walk" in rows(hand, "routes")
    assert "started=0" in rows(hand, "routes")
    hand.tap("Start")
    assert "started=1" in rows(hand, "routes")
    for _ in range(3):
        hand.phone.swipe(200, 300, 200, 600)
    hand.tap("From")
    hand.write("query", "central station")
    hand.tap("Central Station")
    assert "origin=Central Station, destination=Zebra Bar, mode=walk" in rows(hand, "routes")
    hand.tap("swap")
    assert "origin=Zebra Bar, destination=Central Station" in rows(hand, "routes")


def test_the_map_moves_and_zooms() -> None:
    hand = opened()
    seen = {hand.phone.frame().tobytes()}
    hand.phone.swipe(350, 400, 100, 400)
    seen.add(hand.phone.frame().tobytes())
    hand.tap("zoom_in")
    seen.add(hand.phone.frame().tobytes())
    hand.tap("my_location")
    hand.tap("zoom_out")
    assert len(seen) == 3
    assert hand.phone.frame().tobytes() in seen


def test_a_place_is_shared_by_message() -> None:
    hand = opened()
    searched(hand, "1 aa")
    hand.tap("Zebra Bar")
    hand.tap("share")
    hand.tap("Messages")
    hand.write("to", "5557770001")
    hand.tap("Send to 5557770001")
    hand.tap("send_message_button")
    sent = hand.phone.shell('content query --uri content://com.android.messaging/sms --where "type=2"').stdout
    assert "body=Zebra Bar, 1 Aa Street" in sent


def test_links_to_places() -> None:
    hand = Hand(Phone(1))
    assert hand.phone.shell("am start -d geo:0,0?q=golden+crust").code == 0
    assert hand.see("Golden Crust") is not None


def test_a_restored_phone_goes_on_where_it_was() -> None:
    hand = opened()
    searched(hand, "1 aa")
    hand.tap("Zebra Bar")
    other = Hand(Phone(6))
    other.phone.restore(hand.phone.snapshot())
    assert other.phone.frame().tobytes() == hand.phone.frame().tobytes()
    other.tap("Directions")
    assert "destination=Zebra Bar" in rows(other, "routes")
    assert "No result" in rows(hand, "routes")


def test_the_map_is_halved_as_pillow_does_it() -> None:
    numbers = np.random.default_rng(0).integers(0, len(chart.GROUNDS), (60, 84), np.uint8)
    for colours in (chart.LIGHT, chart.DARK):
        large = Image.fromarray(np.array(colours, np.uint8)[numbers])
        wanted = large.reduce((2, 1)).reduce((1, 2))
        assert chart._halved(Image.fromarray(numbers), colours).tobytes() == wanted.tobytes()

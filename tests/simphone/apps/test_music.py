"""Music, worked by hand and checked through the shell."""

from __future__ import annotations

from distrl.simphone import Phone
from distrl.simphone.hand import Hand

URI = "content://com.simphone.music"


def opened() -> Hand:
    """Music with two songs of the same title that sort first."""
    hand = Hand(Phone(1))
    for artist in ("Aardvark Duo", "Zed Band"):
        line = f"content insert --uri {URI}/songs --bind title:s:'Aa Song' --bind artist:s:'{artist}'"
        assert hand.phone.shell(line + " --bind album:s:Aa --bind duration:i:100000").code == 0
    hand.phone.open_app("Music")
    return hand


def rows(hand: Hand, table: str, where: str = "") -> str:
    test = f' --where "{where}"' if where else ""
    return hand.phone.shell(f"content query --uri {URI}/{table}{test}").stdout


def player(hand: Hand) -> str:
    return rows(hand, "player")


def test_playing_pausing_and_skipping() -> None:
    hand = opened()
    hand.tap("Aardvark Duo · Aa")
    assert "title=Aa Song, artist=Aardvark Duo, playing=1" in player(hand)
    hand.phone.advance(50)
    assert hand.see("0:50") is not None
    hand.tap("play")
    assert "playing=0" in player(hand)
    hand.phone.advance(20)
    assert hand.see("0:50") is not None
    hand.tap("next")
    assert "artist=Zed Band, playing=1" in player(hand)
    hand.tap("previous")
    assert "artist=Aardvark Duo" in player(hand)
    hand.tap("shuffle")
    hand.tap("repeat")
    assert "shuffle=1, repeat=all" in player(hand)
    hand.tap("repeat")
    hand.tap("favourite")
    assert "repeat=one" in player(hand)
    assert "is_favorite=1" in rows(hand, "songs", "artist='Aardvark Duo'")


def test_a_playlist_from_making_to_deleting() -> None:
    hand = opened()
    hand.tap("Playlists")
    hand.tap("New playlist")
    hand.write("name", "Zoo")
    hand.tap("Create")
    hand.tap("Zoo")
    hand.tap("fab")
    hand.tap("Zed Band")
    hand.phone.key("BACK")
    assert "song_count=1" in rows(hand, "playlists", "name='Zoo'")
    hand.tap("More options")
    hand.tap("Rename")
    hand.tap("name")
    hand.phone.clear_text()
    hand.phone.type_text("Ark")
    hand.tap("Save")
    assert "artist=Zed Band" in rows(hand, "playlist_songs", "playlist='Ark'")
    hand.hold("Aa Song")
    hand.tap("Remove from playlist")
    assert "No result" in rows(hand, "playlist_songs", "playlist='Ark'")
    hand.tap("More options")
    hand.tap("Delete")
    hand.tap("Delete")
    assert "No result" in rows(hand, "playlists", "name='Ark'")


def test_adding_a_song_to_a_playlist_and_to_the_queue() -> None:
    hand = opened()
    hand.phone.shell(f"content insert --uri {URI}/playlists --bind name:s:Zoo")
    for _ in range(2):
        hand.hold("Zed Band · Aa")
        hand.tap("Add to playlist")
        hand.tap("Zoo")
    assert rows(hand, "playlist_songs", "playlist='Zoo'").count("Row:") == 1
    hand.hold("Zed Band · Aa")
    hand.tap("Play next")
    assert "Row: 1 _id=2" in rows(hand, "queue")
    assert "artist=Zed Band" in rows(hand, "queue", "_id=2")
    hand.tap("queue")
    hand.tap("clear_queue")
    assert rows(hand, "queue").count("Row:") == 1


def test_the_shell_changes_playlists_and_player() -> None:
    hand = opened()
    hand.phone.shell(f"content insert --uri {URI}/playlists --bind name:s:Zoo")
    number = rows(hand, "playlists", "name='Zoo'").partition("_id=")[2].partition(",")[0]
    for song in (1, 2, 3):
        line = f"content insert --uri {URI}/playlist_songs --bind playlist_id:i:{number}"
        hand.phone.shell(f"{line} --bind song_id:i:{song}")
    hand.phone.shell(
        f'content delete --uri {URI}/playlist_songs --where "playlist_id={number} AND song_id<3"'
    )
    assert "song_id=3, play_order=1" in rows(hand, "playlist_songs", "playlist='Zoo'")
    hand.phone.shell(f"content update --uri {URI}/player --bind song_id:i:2 --bind repeat:s:one")
    assert "song_id=2" in player(hand)
    assert "repeat=one" in player(hand)


def test_sorting_and_searching() -> None:
    hand = opened()
    hand.tap("Sorted by title")
    hand.tap("Artist")
    assert "sort=artist" in player(hand)
    assert hand.see("Aa Song") is not None
    hand.tap("search")
    hand.write("query", "zed")
    hand.tap("Zed Band")
    hand.tap("Play all")
    assert "artist=Zed Band, playing=1" in player(hand)


def test_a_restored_phone_goes_on_where_it_was() -> None:
    hand = opened()
    hand.tap("Zed Band · Aa")
    hand.phone.advance(30)
    other = Hand(Phone(5))
    other.phone.restore(hand.phone.snapshot())
    assert other.phone.frame().tobytes() == hand.phone.frame().tobytes()
    other.tap("play")
    assert "playing=0" in player(other)
    assert "playing=1" in player(hand)

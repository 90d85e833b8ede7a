"""What Music stores: songs, playlists, the player and its queue."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from distrl.simphone.app import Cells, Table
from distrl.simphone.apps.columns import flag, whole
from distrl.simphone.world import World

REPEATS = ("off", "all", "one")


class Song(msgspec.Struct):
    """One song."""

    id: int
    title: str
    artist: str
    album: str
    duration_s: int
    year: int
    favorite: bool = False


class Playlist(msgspec.Struct):
    """A named list of songs, by number."""

    id: int
    name: str
    songs: list[int]


class Player(msgspec.Struct):
    """What is playing: `offset_s` into the song at `since_s` on the phone's clock."""

    song: int = 0
    playing: bool = False
    shuffle: bool = False
    repeat: str = "off"
    offset_s: float = 0.0
    since_s: float = 0.0


class MusicData(msgspec.Struct):
    """The library and the player."""

    songs: list[Song]
    playlists: list[Playlist]
    player: Player
    queue: list[int]
    sort: str = "title"
    next_song: int = 1
    next_playlist: int = 1

    def song(self, song_id: int) -> Song | None:
        """A song by its number."""
        return next((song for song in self.songs if song.id == song_id), None)

    def playlist(self, playlist_id: int) -> Playlist | None:
        """A playlist by its number."""
        return next((playlist for playlist in self.playlists if playlist.id == playlist_id), None)

    def songs_of(self, ids: list[int]) -> list[Song]:
        """The songs with these numbers, in this order, without those that are gone."""
        return [song for number in ids if (song := self.song(number)) is not None]

    def add_song(self, song: Song) -> Song:
        """Add a song under a number of its own."""
        song.id = self.next_song
        self.next_song += 1
        self.songs.append(song)
        return song

    def add_playlist(self, name: str) -> Playlist:
        """Add an empty playlist."""
        playlist = Playlist(self.next_playlist, name, [])
        self.next_playlist += 1
        self.playlists.append(playlist)
        return playlist

    def remove_playlist(self, playlist_id: int) -> None:
        """Delete a playlist; its songs stay."""
        self.playlists = [playlist for playlist in self.playlists if playlist.id != playlist_id]

    def remove_song(self, song_id: int) -> None:
        """Delete a song everywhere."""
        self.songs = [song for song in self.songs if song.id != song_id]
        self.queue = [number for number in self.queue if number != song_id]
        for playlist in self.playlists:
            playlist.songs = [number for number in playlist.songs if number != song_id]
        if self.player.song == song_id:
            self.player.song, self.player.playing = 0, False


def _song_rows(data: MusicData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": song.id,
            "title": song.title,
            "artist": song.artist,
            "album": song.album,
            "duration": song.duration_s * 1000,
            "year": song.year,
            "is_favorite": int(song.favorite),
        }
        for song in data.songs
    ]


def _changed(song: Song, bound: Mapping[str, str]) -> None:
    song.title = bound.get("title", song.title)
    song.artist, song.album = bound.get("artist", song.artist), bound.get("album", song.album)
    song.duration_s = max(1, whole(bound, "duration", song.duration_s * 1000) // 1000)
    song.year = whole(bound, "year", song.year)
    song.favorite = flag(bound, "is_favorite", song.favorite)


def _insert_song(data: MusicData, bound: Mapping[str, str]) -> None:
    _changed(data.add_song(Song(0, "Untitled", "Unknown artist", "Unknown album", 200, 2024)), bound)


def _update_song(data: MusicData, row: int, bound: Mapping[str, str]) -> None:
    song = data.song(row)
    if song is not None:
        _changed(song, bound)


def _playlist_rows(data: MusicData, world: World) -> list[Cells]:
    del world
    return [{"_id": p.id, "name": p.name, "song_count": len(p.songs)} for p in data.playlists]


def _insert_playlist(data: MusicData, bound: Mapping[str, str]) -> None:
    data.add_playlist(bound.get("name", "Playlist"))


def _update_playlist(data: MusicData, row: int, bound: Mapping[str, str]) -> None:
    playlist = data.playlist(row)
    if playlist is not None:
        playlist.name = bound.get("name", playlist.name)


SONGS_PER_PLAYLIST = 10_000
"""A member's `_id` is its playlist's number times this, plus its song's: a playlist holds a song once."""


def _member_rows(data: MusicData, world: World) -> list[Cells]:
    del world
    return [
        {
            "_id": playlist.id * SONGS_PER_PLAYLIST + song.id,
            "playlist_id": playlist.id,
            "playlist": playlist.name,
            "song_id": song.id,
            "play_order": place,
            "title": song.title,
            "artist": song.artist,
        }
        for playlist in data.playlists
        for place, song in enumerate(data.songs_of(playlist.songs), 1)
    ]


def _insert_member(data: MusicData, bound: Mapping[str, str]) -> None:
    playlist, song = data.playlist(whole(bound, "playlist_id")), data.song(whole(bound, "song_id"))
    if playlist is not None and song is not None and song.id not in playlist.songs:
        playlist.songs.append(song.id)


def _delete_member(data: MusicData, row: int) -> None:
    number, song = divmod(row, SONGS_PER_PLAYLIST)
    playlist = data.playlist(number)
    if playlist is not None:
        playlist.songs = [other for other in playlist.songs if other != song]


def _player_rows(data: MusicData, world: World) -> list[Cells]:
    del world
    player, song = data.player, data.song(data.player.song)
    return [
        {
            "_id": 1,
            "song_id": player.song,
            "title": song.title if song is not None else "",
            "artist": song.artist if song is not None else "",
            "playing": int(player.playing),
            "shuffle": int(player.shuffle),
            "repeat": player.repeat,
            "sort": data.sort,
        }
    ]


def _update_player(data: MusicData, row: int, bound: Mapping[str, str]) -> None:
    del row
    player = data.player
    if data.song(whole(bound, "song_id", player.song)) is not None:
        player.song = whole(bound, "song_id", player.song)
    player.playing = flag(bound, "playing", player.playing) and player.song != 0
    player.shuffle = flag(bound, "shuffle", player.shuffle)
    player.repeat = bound["repeat"] if bound.get("repeat") in REPEATS else player.repeat


def _queue_rows(data: MusicData, world: World) -> list[Cells]:
    del world
    return [
        {"_id": place, "song_id": song.id, "title": song.title, "artist": song.artist}
        for place, song in enumerate(data.songs_of(data.queue), 1)
    ]


TABLES: dict[str, Table[MusicData]] = {
    "songs": Table(_song_rows, _insert_song, _update_song, MusicData.remove_song),
    "playlists": Table(
        _playlist_rows,
        _insert_playlist,
        _update_playlist,
        MusicData.remove_playlist,
    ),
    "playlist_songs": Table(_member_rows, _insert_member, None, _delete_member),
    "player": Table(_player_rows, None, _update_player, None),
    "queue": Table(_queue_rows),
}

"""The pages of Music's library: its tabs, albums, artists, playlists, search."""

from __future__ import annotations

from distrl.simphone.app import go
from distrl.simphone.apps.music.data import MusicData, Song
from distrl.simphone.apps.music.playing import Ctx, cover, length_text, mini_player
from distrl.simphone.scene import CENTRE, Message
from distrl.simphone.widgets import (
    AppBar,
    Button,
    Card,
    Column,
    Empty,
    FloatingButton,
    Gap,
    IconButton,
    Page,
    Picture,
    Row,
    SearchBar,
    SectionHeader,
    Stack,
    Surface,
    Tabs,
    Text,
    Widget,
)

TABS = (("songs", "Songs"), ("albums", "Albums"), ("artists", "Artists"), ("playlists", "Playlists"))
SORTS = (("title", "Title"), ("artist", "Artist"), ("duration", "Length"), ("year", "Year"))


def sorted_songs(data: MusicData, songs: list[Song]) -> list[Song]:
    """The songs in the order that the user chose."""
    match data.sort:
        case "artist":
            return sorted(songs, key=lambda song: (song.artist.lower(), song.title.lower(), song.id))
        case "duration":
            return sorted(songs, key=lambda song: (song.duration_s, song.id))
        case "year":
            return sorted(songs, key=lambda song: (-song.year, song.title.lower(), song.id))
    return sorted(songs, key=lambda song: (song.title.lower(), song.artist.lower(), song.id))


def song_row(ctx: Ctx, song: Song, tap: Message, menu: Message | None = None) -> Row:
    """A song in a list; the one that is playing stands out."""
    current = song.id == ctx.data.player.song
    return Row(
        title=song.title,
        subtitle=f"{song.artist} · {song.album}",
        photo=cover(song.album),
        title_role="primary" if current else "text",
        bold=current,
        end_text=length_text(song.duration_s),
        end_icon="more_vert",
        on_end=menu or go("song_menu", id=song.id),
        lines=1,
        on_tap=tap,
        on_long_press=menu or go("song_menu", id=song.id),
    )


def _grouped(ctx: Ctx, attribute: str) -> list[tuple[str, list[Song]]]:
    groups: dict[str, list[Song]] = {}
    for song in ctx.data.songs:
        groups.setdefault(song.album if attribute == "album" else song.artist, []).append(song)
    return sorted(groups.items(), key=lambda group: group[0].lower())


def count_text(count: int, noun: str = "song") -> str:
    """`1 song`, `2 songs`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _albums(ctx: Ctx) -> list[Widget]:
    rows: list[Widget] = []
    for album, songs in _grouped(ctx, "album"):
        artists = sorted({song.artist for song in songs})
        who = artists[0] if len(artists) == 1 else "Various artists"
        text = f"{who} · {max(song.year for song in songs)}"
        rows.append(Row(title=album, subtitle=text, photo=cover(album), on_tap=go("album", name=album)))
    return rows


def _artists(ctx: Ctx) -> list[Widget]:
    return [
        Row(title=name, subtitle=count_text(len(songs)), avatar=name, on_tap=go("artist", name=name))
        for name, songs in _grouped(ctx, "artist")
    ]


def _playlists(ctx: Ctx) -> list[Widget]:
    favourites = sum(song.favorite for song in ctx.data.songs)
    rows: list[Widget] = [
        Row(title="New playlist", icon="add", icon_role="primary", on_tap=go("new_playlist")),
        Row(
            title="Favourites",
            subtitle=count_text(favourites),
            icon="favorite",
            icon_role="error",
            on_tap=go("favourites"),
        ),
    ]
    for playlist in sorted(ctx.data.playlists, key=lambda playlist: ctx.chance(f"playlist:{playlist.id}")):
        row = Row(
            title=playlist.name,
            subtitle=count_text(len(ctx.data.songs_of(playlist.songs))),
            icon="queue_music",
            end_icon="more_vert",
            on_end=go("playlist_menu", id=playlist.id),
            on_tap=go("playlist", id=playlist.id),
        )
        rows.append(row)
    return rows


def build_main(ctx: Ctx) -> Surface:
    """The library: one of its four tabs."""
    tab = ctx.arg_str("tab", "songs")
    keys = [key for key, _ in TABS]
    match tab:
        case "albums":
            body = _albums(ctx)
        case "artists":
            body = _artists(ctx)
        case "playlists":
            body = _playlists(ctx)
        case _:
            songs = sorted_songs(ctx.data, ctx.data.songs)
            order = dict(SORTS).get(ctx.data.sort, "Title")
            top = Button(f"Sorted by {order.lower()}", go("sort"), "text", "sort", wrap=True, pad_x=4)
            body = [top, *(song_row(ctx, song, ("play", song.id)) for song in songs)]
            if ctx.chance("music_tip") < 0.3:
                tip = Row(title="Made for you", subtitle="Shuffle everything in your library", icon="shuffle")
                body.insert(0, Card([tip], on_tap=("shuffle_all",), inner=0))
    tabs = Tabs(tuple((label, ("tab", key)) for key, label in TABS), keys.index(tab) if tab in keys else 0)
    search = IconButton("search", go("search"), "Search", "search")
    queue = IconButton("queue_music", go("queue"), "", "queue")
    bar = Stack([AppBar("Music", back=False, actions=[search, queue]), tabs])
    return Page(Column(body, f"library_{tab}", 16), bar, mini_player(ctx))


def build_group(ctx: Ctx) -> Surface:
    """The songs of an album or an artist."""
    name = ctx.arg_str("name")
    of_album = ctx.page == "album"
    songs = [song for song in ctx.data.songs if name == (song.album if of_album else song.artist)]
    body: list[Widget] = [Gap(8)]
    if of_album:
        body.append(Picture(cover(name), 150, pad_x=131))
    body += [
        Text(name, 22, align=CENTRE, pad_y=6),
        Text(count_text(len(songs)), 13, "faint", align=CENTRE, pad_y=0),
    ]
    if songs:
        word = "Play album" if of_album else "Play all"
        body.append(Button(word, ("play_group", ctx.page, name), "tonal", "play_arrow"))
    ordered = songs if of_album else sorted_songs(ctx.data, songs)
    body += [song_row(ctx, song, ("play", song.id)) for song in ordered]
    return Page(Column(body, "songs"), AppBar("Album" if of_album else "Artist"), mini_player(ctx))


def build_favourites(ctx: Ctx) -> Surface:
    """The songs with a heart."""
    songs = [song for song in ctx.data.songs if song.favorite]
    body: list[Widget] = [song_row(ctx, song, ("play", song.id)) for song in sorted_songs(ctx.data, songs)]
    if not body:
        body = [Empty("favorite_border", "Songs you like appear here")]
    return Page(Column(body, "songs"), AppBar("Favourites"), mini_player(ctx))


def build_playlist(ctx: Ctx) -> Surface:
    """The songs of a playlist, in its own order."""
    playlist = ctx.data.playlist(ctx.arg_int("id"))
    if playlist is None:
        return Page(Column([Empty("queue_music", "This playlist no longer exists")]), AppBar())
    songs = ctx.data.songs_of(playlist.songs)
    length = length_text(sum(song.duration_s for song in songs))
    body: list[Widget] = [Text(f"{count_text(len(songs))} · {length}", 13, "faint")]
    if songs:
        body.append(Button("Play", ("play_list", playlist.id), "tonal", "play_arrow"))
    for song in songs:
        menu = go("song_menu", id=song.id, playlist=playlist.id)
        body.append(song_row(ctx, song, ("play_in", playlist.id, song.id), menu))
    if not songs:
        body.append(Empty("queue_music", "No songs yet"))
    return Page(
        Column(body, "songs", 88),
        AppBar(playlist.name, on_menu=go("playlist_menu", id=playlist.id)),
        mini_player(ctx),
        FloatingButton("playlist_add", go("pick", id=playlist.id), ""),
    )


def build_pick(ctx: Ctx) -> Surface:
    """The library, to tick the songs that belong to a playlist."""
    playlist = ctx.data.playlist(ctx.arg_int("id"))
    query = ctx.text("query").strip().lower()
    inside = playlist.songs if playlist is not None else []
    songs = [s for s in sorted_songs(ctx.data, ctx.data.songs) if query in f"{s.title} {s.artist}".lower()]
    body: list[Widget] = [SearchBar("query", "Find songs to add")]
    body += [
        Row(
            title=song.title,
            subtitle=song.artist,
            trailing="checkbox",
            checked=song.id in inside,
            on_tap=("tick", song.id),
        )
        for song in songs
    ]
    return Page(Column(body, "songs"), AppBar("Add songs"))


def build_search(ctx: Ctx) -> Surface:
    """Songs, albums and artists that contain some words."""
    query = ctx.text("query").strip().lower()
    body: list[Widget] = [SearchBar("query", "Songs, albums, artists")]
    if not query:
        return Page(Column([*body, Empty("search", "Search your library")]), AppBar("Search"))
    songs = [song for song in sorted_songs(ctx.data, ctx.data.songs) if query in song.title.lower()]
    albums = [name for name, _ in _grouped(ctx, "album") if query in name.lower()]
    artists = [name for name, _ in _grouped(ctx, "artist") if query in name.lower()]
    if songs:
        body += [SectionHeader("Songs"), *(song_row(ctx, song, ("play", song.id)) for song in songs)]
    if albums:
        rows = [Row(title=a, subtitle="Album", photo=cover(a), on_tap=go("album", name=a)) for a in albums]
        body += [SectionHeader("Albums"), *rows]
    if artists:
        rows = [Row(title=a, subtitle="Artist", avatar=a, on_tap=go("artist", name=a)) for a in artists]
        body += [SectionHeader("Artists"), *rows]
    if not (songs or albums or artists):
        body.append(Empty("search_off", "Nothing found"))
    return Page(Column(body, "results"), AppBar("Search"))

"""Music: a library, playlists and a player."""

from __future__ import annotations

from distrl.simphone.app import App
from distrl.simphone.apps.music import player
from distrl.simphone.apps.music.content import fill
from distrl.simphone.apps.music.data import TABLES, MusicData
from distrl.simphone.apps.music.pages import (
    SORTS,
    TABS,
    build_favourites,
    build_group,
    build_main,
    build_pick,
    build_playlist,
    build_search,
    count_text,
    sorted_songs,
)
from distrl.simphone.apps.music.playing import Ctx, build_playing, build_queue
from distrl.simphone.scene import Message
from distrl.simphone.widgets import Dialog, Menu, Row, Surface, TextField


def build_sort(ctx: Ctx) -> Surface:
    """How the songs are ordered."""
    rows = [
        Row(title=label, trailing="radio", checked=key == ctx.data.sort, on_tap=("sort", key))
        for key, label in SORTS
    ]
    return Dialog("Sort by", body=rows, actions=[("Cancel", ("@back",))])


def build_song_menu(ctx: Ctx) -> Surface:
    """What can be done with a song."""
    number = ctx.arg_int("id")
    song = ctx.data.song(number)
    liked = song is not None and song.favorite
    rows = [
        Row(title="Play next", icon="playlist_play", on_tap=("play_next", number)),
        Row(title="Add to queue", icon="queue_music", on_tap=("enqueue", number)),
        Row(title="Add to playlist", icon="playlist_add", on_tap=("choose_playlist", number)),
        Row(
            title="Remove from favourites" if liked else "Add to favourites",
            icon="favorite" if liked else "favorite_border",
            on_tap=("favourite", number),
        ),
    ]
    if ctx.arg_int("playlist"):
        take_out = ("take_out", ctx.arg_int("playlist"), number)
        rows.append(Row(title="Remove from playlist", icon="playlist_remove", on_tap=take_out))
    return Dialog(song.title if song is not None else "Song", body=rows)


def build_choose_playlist(ctx: Ctx) -> Surface:
    """Which playlist a song goes to."""
    number = ctx.arg_int("id")
    rows = [Row(title="New playlist", icon="add", on_tap=("new_with", number))]
    for playlist in ctx.data.playlists:
        text = count_text(len(ctx.data.songs_of(playlist.songs)))
        rows.append(
            Row(
                title=playlist.name, subtitle=text, icon="queue_music", on_tap=("put_in", playlist.id, number)
            )
        )
    return Dialog("Add to playlist", body=rows, actions=[("Cancel", ("@back",))])


def build_new_playlist(ctx: Ctx) -> Surface:
    """The name of a new playlist, or a new name for one."""
    playlist = ctx.data.playlist(ctx.arg_int("rename"))
    field = TextField("name", "Name", playlist.name if playlist is not None else "", on_submit=("save_list",))
    return Dialog(
        "Rename playlist" if playlist is not None else "New playlist",
        body=[field],
        actions=[
            ("Cancel", ("@back",)),
            ("Save" if playlist is not None else "Create", ("save_list",)),
        ],
    )


def build_playlist_menu(ctx: Ctx) -> Surface:
    """What can be done with a playlist."""
    number = ctx.arg_int("id")
    return Menu(
        [
            ("Play", ("play_list", number)),
            ("Rename", ("instead", "new_playlist", number)),
            ("Delete", ("instead", "delete_playlist", number)),
        ]
    )


def build_delete_playlist(ctx: Ctx) -> Surface:
    """The question before a playlist goes."""
    playlist = ctx.data.playlist(ctx.arg_int("id"))
    name = playlist.name if playlist is not None else "It"
    return Dialog(
        "Delete playlist?",
        f"“{name}” will be gone. The songs stay in your library.",
        actions=[("Cancel", ("@back",)), ("Delete", ("delete_list", ctx.arg_int("id")))],
    )


WINDOWS = ("song_menu", "choose_playlist", "new_playlist", "playlist_menu", "delete_playlist", "sort")


def _close_windows(ctx: Ctx) -> None:
    while ctx.top_page() in WINDOWS:
        ctx.back()


def _save_list(ctx: Ctx) -> None:
    name = ctx.text("name").strip()
    if not name and not ctx.arg_int("rename"):
        ctx.toast("Give it a name first")
        return
    playlist = ctx.data.playlist(ctx.arg_int("rename"))
    if playlist is not None:
        playlist.name = name or playlist.name
    else:
        playlist = ctx.data.add_playlist(name)
        if ctx.data.song(ctx.arg_int("song")) is not None:
            playlist.songs.append(ctx.arg_int("song"))
    _close_windows(ctx)


def _update_playlists(ctx: Ctx, message: Message) -> None:
    data = ctx.data
    match message:
        case ("save_list",):
            _save_list(ctx)
        case ("instead", "new_playlist", int(number)):
            ctx.replace("new_playlist", rename=number)
        case ("instead", "delete_playlist", int(number)):
            ctx.replace("delete_playlist", id=number)
        case ("new_with", int(song)):
            ctx.replace("new_playlist", song=song)
        case ("choose_playlist", int(song)):
            ctx.replace("choose_playlist", id=song)
        case ("delete_list", int(number)):
            data.remove_playlist(number)
            _close_windows(ctx)
            if ctx.top_page() == "playlist":
                ctx.back()
            ctx.toast("Playlist deleted")
        case ("put_in", int(number), int(song)):
            playlist = data.playlist(number)
            if playlist is not None and song in playlist.songs:
                ctx.toast(f"Already in {playlist.name}")
            elif playlist is not None:
                playlist.songs.append(song)
                ctx.toast(f"Added to {playlist.name}")
            _close_windows(ctx)
        case ("take_out", int(number), int(song)):
            playlist = data.playlist(number)
            if playlist is not None:
                playlist.songs = [other for other in playlist.songs if other != song]
            _close_windows(ctx)
        case ("tick", int(song)):
            playlist = data.playlist(ctx.arg_int("id"))
            if playlist is not None and song in playlist.songs:
                playlist.songs = [other for other in playlist.songs if other != song]
            elif playlist is not None:
                playlist.songs.append(song)


def _chosen_from(ctx: Ctx) -> list[int]:
    """The songs of the list in which one was touched: that is what plays afterwards."""
    songs = ctx.data.songs
    if ctx.page in ("album", "artist"):
        name = ctx.arg_str("name")
        songs = [song for song in songs if name == (song.album if ctx.page == "album" else song.artist)]
    elif ctx.page == "favourites":
        songs = [song for song in songs if song.favorite]
    return [song.id for song in (songs if ctx.page == "album" else sorted_songs(ctx.data, songs))]


def _update_player(ctx: Ctx, message: Message) -> None:
    data = ctx.data
    match message:
        case ("play", int(song)):
            player.start(ctx, song, _chosen_from(ctx))
            if ctx.page != "search":
                ctx.go("playing")
        case ("play_in", int(number), int(song)):
            playlist = data.playlist(number)
            player.start(ctx, song, list(playlist.songs) if playlist is not None else None)
        case ("play_list", int(number)):
            playlist = data.playlist(number)
            if playlist is not None and playlist.songs:
                player.start(ctx, playlist.songs[0], list(playlist.songs))
            _close_windows(ctx)
        case ("play_group", str(), str()):
            queue = _chosen_from(ctx)
            if queue:
                player.start(ctx, queue[0], queue)
        case ("shuffle_all",):
            data.player.shuffle = True
            queue = [song.id for song in data.songs]
            if queue:
                player.start(ctx, ctx.shuffled(queue, "shuffle")[0], queue)
        case ("jump", int(song)):
            player.start(ctx, song, data.queue)
        case ("play_pause",):
            player.play_pause(ctx)
        case ("next",):
            player.skip(ctx, 1)
        case ("previous",):
            player.skip(ctx, -1)
        case ("seek", float(fraction)):
            player.seek(ctx, fraction)
        case ("shuffle",):
            data.player.shuffle = not data.player.shuffle
        case ("repeat",):
            data.player.repeat = player.next_repeat(data)


def update(ctx: Ctx, message: Message) -> None:
    """Answer a touched widget."""
    data = ctx.data
    match message:
        case ("tab", str(tab)) if tab in dict(TABS):
            ctx.entry.args["tab"] = tab
        case ("sort", str(key)) if key in dict(SORTS):
            data.sort = key
            ctx.back()
        case ("favourite", int(number)):
            song = data.song(number)
            if song is not None:
                song.favorite = not song.favorite
            _close_windows(ctx)
        case ("play_next", int(number)) | ("enqueue", int(number)):
            data.queue = [other for other in data.queue if other != number or other == data.player.song]
            at = data.queue.index(data.player.song) + 1 if data.player.song in data.queue else 0
            if number != data.player.song:
                data.queue.insert(at if message[0] == "play_next" else len(data.queue), number)
            _close_windows(ctx)
            ctx.toast("Plays next" if message[0] == "play_next" else "Added to queue")
        case ("unqueue", int(place)):
            queue = [song.id for song in data.songs_of(data.queue)]
            data.queue = queue[:place] + queue[place + 1 :]
        case ("clear_queue",):
            data.queue = [data.player.song] if data.song(data.player.song) is not None else []
        case _:
            _update_playlists(ctx, message)
            _update_player(ctx, message)


MUSIC = App(
    package="com.simphone.music",
    label="Music",
    icon="music_note",
    colour=(142, 68, 173),
    data=MusicData,
    fill=fill,
    pages={
        "main": build_main,
        "album": build_group,
        "artist": build_group,
        "favourites": build_favourites,
        "playlist": build_playlist,
        "pick": build_pick,
        "search": build_search,
        "queue": build_queue,
        "playing": build_playing,
        "sort": build_sort,
        "song_menu": build_song_menu,
        "choose_playlist": build_choose_playlist,
        "new_playlist": build_new_playlist,
        "playlist_menu": build_playlist_menu,
        "delete_playlist": build_delete_playlist,
    },
    update=update,
    tables=TABLES,
)

"""What is playing: the strip at the bottom of every list, the player itself, and the queue."""

from __future__ import annotations

from distrl.simphone.app import Context, go
from distrl.simphone.apps.music.data import MusicData
from distrl.simphone.scene import CENTRE
from distrl.simphone.widgets import (
    Across,
    AppBar,
    Column,
    Divider,
    Empty,
    Gap,
    IconButton,
    Page,
    Picture,
    ProgressBar,
    Row,
    Slider,
    Stack,
    Surface,
    Text,
    Widget,
)

Ctx = Context[MusicData]
COVERS = ("album", "music_note", "graphic_eq", "piano", "mic", "headphones", "nightlife", "waves")


def cover(album: str) -> str:
    """The picture of an album."""
    return f"{COVERS[sum(map(ord, album)) % len(COVERS)]}:{album}:1"


def length_text(seconds: float) -> str:
    """A length as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def position_s(ctx: Ctx) -> float:
    """How far the song has come by the phone's clock."""
    player, song = ctx.data.player, ctx.data.song(ctx.data.player.song)
    if song is None:
        return 0.0
    run = ctx.now_s - player.since_s if player.playing else 0.0
    return min(float(song.duration_s), max(0.0, player.offset_s + run))


def mini_player(ctx: Ctx) -> Widget | None:
    """The strip at the bottom that shows what is playing."""
    song = ctx.data.song(ctx.data.player.song)
    if song is None:
        return None
    playing = ctx.data.player.playing
    row = Row(
        title=song.title,
        subtitle=song.artist,
        icon="music_note",
        end_icon="pause" if playing else "play_arrow",
        end_role="primary",
        on_end=("play_pause",),
        on_tap=go("playing"),
        lines=1,
        name="mini_player",
    )
    return Stack([Divider(), ProgressBar(position_s(ctx) / song.duration_s), row])


def build_queue(ctx: Ctx) -> Surface:
    """What plays next; a song can be taken out."""
    body: list[Widget] = []
    for place, song in enumerate(ctx.data.songs_of(ctx.data.queue)):
        current = song.id == ctx.data.player.song
        row = Row(
            title=song.title,
            subtitle=song.artist,
            icon="graphic_eq" if current else "drag_handle",
            icon_role="primary" if current else "faint",
            end_icon="close",
            on_end=("unqueue", place),
            on_tap=("jump", song.id),
            lines=1,
        )
        body.append(row)
    if not body:
        body = [Empty("queue_music", "The queue is empty")]
    clear = IconButton("clear_all", ("clear_queue",), "", "clear_queue")
    return Page(Column(body, "queue_list"), AppBar("Queue", actions=[clear]), mini_player(ctx))


def build_playing(ctx: Ctx) -> Surface:
    """The song that is playing, large, with icons only."""
    player, song = ctx.data.player, ctx.data.song(ctx.data.player.song)
    if song is None:
        return Page(Column([Empty("music_off", "Nothing is playing")]), AppBar("Now playing"))
    at = position_s(ctx)
    repeat = IconButton(
        "repeat_one" if player.repeat == "one" else "repeat", ("repeat",), "", "repeat",
        "faint" if player.repeat == "off" else "primary", selected=player.repeat != "off",
    )  # fmt: skip
    play = IconButton("pause" if player.playing else "play_arrow", ("play_pause",), "", "play", filled=True)
    controls = [
        IconButton(
            "shuffle", ("shuffle",), "", "shuffle", "primary" if player.shuffle else "faint",
            selected=player.shuffle,
        ),
        IconButton("skip_previous", ("previous",), "", "previous", "text", 30),
        play,
        IconButton("skip_next", ("next",), "", "next", "text", 30),
        repeat,
    ]  # fmt: skip
    heart = IconButton(
        "favorite" if song.favorite else "favorite_border", ("favourite", song.id), "", "favourite",
        "error" if song.favorite else "faint", selected=song.favorite,
    )  # fmt: skip
    body: list[Widget] = [
        Gap(8),
        Picture(cover(song.album), 250, 20, pad_x=76),
        Gap(12),
        Text(song.title, 22, bold=True, align=CENTRE, pad_y=2, name="song_title"),
        Text(song.artist, 15, "faint", align=CENTRE, pad_y=2, on_tap=go("artist", name=song.artist)),
        Text(song.album, 13, "faint", align=CENTRE, pad_y=2, on_tap=go("album", name=song.album)),
        Slider(at / song.duration_s, ("seek",), "Position"),
        Across(
            [Text(length_text(at), 12, "faint"), Text(length_text(song.duration_s), 12, "faint", align=2)]
        ),
        Across(controls, pad_x=24),
    ]
    queue = IconButton("queue_music", go("queue"), "", "queue")
    bar = AppBar("Now playing", actions=[heart, queue], on_menu=go("song_menu", id=song.id))
    return Page(Column(body, "now_playing"), bar)

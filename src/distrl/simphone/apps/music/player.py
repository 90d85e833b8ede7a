"""Plays: which song, from where, and what comes next. The phone's clock stands in for the loudspeaker."""

from __future__ import annotations

from distrl.simphone import chance
from distrl.simphone.apps.music.data import REPEATS, MusicData
from distrl.simphone.apps.music.pages import sorted_songs
from distrl.simphone.apps.music.playing import Ctx, position_s

RESTART_AFTER_S = 5.0


def start(ctx: Ctx, song_id: int, queue: list[int] | None = None) -> None:
    """Play a song from its beginning; `queue` is what it was chosen from."""
    data = ctx.data
    if data.song(song_id) is None:
        return
    if queue is not None:
        data.queue = [number for number in queue if data.song(number) is not None]
    elif song_id not in data.queue:
        data.queue.append(song_id)
    player = data.player
    player.song, player.playing, player.offset_s, player.since_s = song_id, True, 0.0, ctx.now_s


def play_pause(ctx: Ctx) -> None:
    """Stop where the song is, or go on from there."""
    player = ctx.data.player
    if ctx.data.song(player.song) is None:
        return
    player.offset_s = position_s(ctx)
    player.playing, player.since_s = not player.playing, ctx.now_s


def seek(ctx: Ctx, fraction: float) -> None:
    """Go to a place in the song."""
    song = ctx.data.song(ctx.data.player.song)
    if song is not None:
        ctx.data.player.offset_s, ctx.data.player.since_s = fraction * song.duration_s, ctx.now_s


def _order(data: MusicData, seed: int) -> list[int]:
    queue = data.queue or [song.id for song in sorted_songs(data, data.songs)]
    return chance.shuffled(queue, seed, "shuffle") if data.player.shuffle else queue


def skip(ctx: Ctx, step: int) -> None:
    """The next song, or the one before; late in a song, `previous` starts it again."""
    data = ctx.data
    order = _order(data, ctx.state.seed)
    if not order:
        return
    if step < 0 and position_s(ctx) > RESTART_AFTER_S:
        start(ctx, data.player.song, data.queue)
        return
    at = order.index(data.player.song) + step if data.player.song in order else 0
    if not 0 <= at < len(order) and data.player.repeat == "off":
        ctx.toast("End of the queue" if step > 0 else "Start of the queue")
        return
    start(ctx, order[at % len(order)], data.queue)


def next_repeat(data: MusicData) -> str:
    """Off, all, one, and off again."""
    return REPEATS[(REPEATS.index(data.player.repeat) + 1) % len(REPEATS)]

"""The music of a fresh phone: invented artists, albums and songs, some titles twice, a few playlists."""

from __future__ import annotations

from distrl.simphone.apps.music.data import MusicData, Player, Song
from distrl.simphone.chance import generator
from distrl.simphone.world import World

ARTISTS = (
    "The Paper Kites Club", "Mira Voss", "Lowland Radio", "Juniper Hale", "Static Gardens", "Otto Brandt",
    "Sea Glass", "Nova Lindgren", "Tin Roof Trio", "Amara Diop", "Velvet Harbour", "Kit Marlow",
)  # fmt: skip
FIRST_WORDS = (
    "Silver", "Quiet", "Burning", "Paper", "Golden", "Distant", "Electric", "Hollow", "Northern", "Velvet",
    "Crystal", "Wandering", "Broken", "Little", "Midnight", "Summer",
)  # fmt: skip
SECOND_WORDS = (
    "Rivers", "Lights", "Harbour", "Echo", "Skyline", "Letters", "Garden", "Trains", "Mirrors", "Stones",
    "Dancer", "Weather", "Roads", "Lanterns", "Window", "Hearts",
)  # fmt: skip
ALBUM_WORDS = (
    "Tides", "Night Bus", "Maps of Nowhere", "Second Floor", "Amber", "Postcards", "Low Season", "Signals",
    "Blue Hour", "Homeward", "Glass House", "Overgrown",
)  # fmt: skip
PLAYLISTS = ("Running", "Road trip", "Focus", "Dinner", "Sunday morning", "Workout", "Sleep", "Party")


def fill(world: World) -> MusicData:
    """The library of a world."""
    random = generator("music", world.seed)
    data = MusicData([], [], Player(), [])
    artists = random.sample(ARTISTS, 8)
    albums = random.sample(ALBUM_WORDS, 10)
    pairs = [(first, second) for first in FIRST_WORDS for second in SECOND_WORDS]
    titles = [" ".join(pair) for pair in random.sample(pairs, 32)]
    for number, album in enumerate(albums):
        artist = artists[number % len(artists)]
        year = random.randint(1998, 2024)
        for _ in range(3):
            title = titles.pop()
            data.add_song(Song(0, title, artist, album, random.randint(121, 389), year))
    # The same title by two artists: a task that names one of them can be told apart only by reading.
    for title in random.sample([song.title for song in data.songs], 3):
        taken = {song.artist for song in data.songs if song.title == title}
        artist = random.choice([name for name in artists if name not in taken])
        album = next(song.album for song in data.songs if song.artist == artist)
        year = next(song.year for song in data.songs if song.album == album)
        data.add_song(Song(0, title, artist, album, random.randint(121, 389), year))
    for title in titles:
        data.add_song(Song(0, title, random.choice(artists), "Singles", random.randint(121, 389), 2024))
    for song in random.sample(data.songs, 4):
        song.favorite = True
    numbers = [song.id for song in data.songs]
    for name in random.sample(PLAYLISTS, 4):
        data.add_playlist(name).songs.extend(random.sample(numbers, random.randint(3, 8)))
    data.player.song = random.choice(numbers)
    data.queue = [data.player.song, *random.sample([n for n in numbers if n != data.player.song], 5)]
    return data

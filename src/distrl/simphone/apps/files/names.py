"""What lies on a fresh phone, made up from word lists; and what the ending of a file's name tells."""

from __future__ import annotations

from random import Random

from distrl.simphone.chance import generator
from distrl.simphone.dates import DAY_S
from distrl.simphone.state import BOOT_TIME_S

TOPICS = (
    "invoice", "report", "budget", "contract", "itinerary", "minutes", "timetable", "brochure", "menu",
    "recipe", "ticket", "manual", "receipt", "tax form", "survey", "floor plan", "warranty", "syllabus",
)  # fmt: skip
WHO = ("Harbour", "Maple", "Northside", "Elm Street", "Riverside", "Summit", "Bluebird", "Cedar", "Orchard")
ALBUMS = ("Holiday", "Birthday", "Garden", "Road trip")
TUNES = (
    "Paper lanterns", "Slow river", "Copper sky", "Second summer", "Night ferry", "Glass garden", "Low tide",
    "Northern line", "Open windows", "Small hours", "Salt and stone", "Winter coat",
)  # fmt: skip
FOLDERS = ("Download", "Documents", "Pictures", "Music", "Movies", "Recordings")

KINDS: dict[str, tuple[str, str]] = {
    "pdf": ("picture_as_pdf", "application/pdf"), "docx": ("description", "application/msword"),
    "xlsx": ("table_chart", "application/vnd.ms-excel"), "txt": ("article", "text/plain"),
    "csv": ("table_chart", "text/csv"), "zip": ("folder_zip", "application/zip"),
    "jpg": ("image", "image/jpeg"), "png": ("image", "image/png"), "mp3": ("audiotrack", "audio/mpeg"),
    "m4a": ("mic", "audio/mp4"), "mp4": ("movie", "video/mp4"), "apk": ("android", "application/apk"),
}  # fmt: skip
"""For each ending the icon and the MIME type."""


def ending(name: str) -> str:
    """The ending of a file's name, in small letters."""
    return name.rpartition(".")[2].lower() if "." in name[1:] else ""


def icon(name: str) -> str:
    """The icon of a file."""
    return KINDS.get(ending(name), ("insert_drive_file", ""))[0]


def mime_type(name: str) -> str:
    """The MIME type of a file."""
    return KINDS.get(ending(name), ("", "application/octet-stream"))[1]


def size_text(size: int) -> str:
    """A size as people read it."""
    if size < 1000:
        return f"{size} B"
    value, unit = size / 1000, "kB"
    for larger in ("MB", "GB", "TB"):
        if value >= 1000:
            value, unit = value / 1000, larger
    return f"{value:.1f} {unit}" if value < 100 else f"{value:.0f} {unit}"


def contents(seed: int) -> list[tuple[str, int, int, bool]]:
    """Path below the root, size, date and whether it is a folder, for everything on a fresh phone."""
    random = generator("files", seed)
    found: list[tuple[str, int, int, bool]] = [
        (name, 0, int(BOOT_TIME_S) - 90 * DAY_S, True) for name in FOLDERS
    ]
    _documents(random, found)
    _pictures(random, found)
    for tune in random.sample(TUNES, 8):
        _put(random, found, f"Music/{tune}.mp3", 2_400_000, 9_800_000)
    for number in range(random.randint(2, 4)):
        _put(random, found, f"Recordings/Memo {number + 1}.m4a", 120_000, 4_000_000)
    for name in random.sample(("Birthday song", "Fireworks", "Skate park", "Puppies", "School play"), 3):
        _put(random, found, f"Movies/{name}.mp4", 18_000_000, 940_000_000)
    return found


def _put(random: Random, found: list[tuple[str, int, int, bool]], path: str, low: int, high: int) -> None:
    when = int(BOOT_TIME_S) - random.randint(3600, 80 * DAY_S)
    found.append((path, random.randint(low, high), when, False))


def _documents(random: Random, found: list[tuple[str, int, int, bool]]) -> None:
    names: set[str] = set()
    while len(names) < 22:
        topic, kind = (
            random.choice(TOPICS),
            random.choice(("pdf", "pdf", "docx", "xlsx", "txt", "csv", "zip")),
        )
        name = random.choice((
            f"{topic} {random.choice(WHO)}", f"{topic}_{random.randint(2021, 2024)}", f"{topic} final", topic,
        ))  # fmt: skip
        names.add(f"{name[0].upper()}{name[1:]}.{kind}")
    ordered = sorted(names)
    random.shuffle(ordered)
    for name in ordered[:10]:
        _put(random, found, f"Download/{name}", 2_000, 6_000_000)
    twin = ordered[0].rsplit(".", 1)
    _put(random, found, f"Download/{twin[0]} (1).{twin[1]}", 2_000, 6_000_000)
    for name in ordered[10:16]:
        _put(random, found, f"Documents/{name}", 2_000, 3_000_000)
    work, home = random.sample(("Work", "Home", "School", "Travel", "Archive"), 2)
    for name in ordered[16:19]:
        _put(random, found, f"Documents/{work}/{name}", 2_000, 3_000_000)
    for name in ordered[19:]:
        _put(random, found, f"Documents/{home}/{name}", 2_000, 3_000_000)
    _put(random, found, "Download/.partial_download.zip", 1_000, 90_000)


def _pictures(random: Random, found: list[tuple[str, int, int, bool]]) -> None:
    for _ in range(6):
        day = f"2024{random.randint(1, 5):02d}{random.randint(1, 13):02d}"
        time = f"{random.randint(8, 22):02d}{random.randint(0, 59):02d}{random.randint(0, 59):02d}"
        _put(random, found, f"Pictures/IMG_{day}_{time}.jpg", 800_000, 5_600_000)
    for album in random.sample(ALBUMS, 2):
        for number in range(1, random.randint(4, 6)):
            _put(random, found, f"Pictures/{album}/{album} {number}.jpg", 900_000, 6_200_000)
    for number in range(3):
        _put(random, found, f"Pictures/Screenshots/Screenshot_{20240501 + number * 3}.png", 90_000, 700_000)

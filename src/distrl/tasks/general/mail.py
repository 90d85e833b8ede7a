"""Tasks in Mail: which mail is meant has to be found out among like ones; most icons have no words."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.tasks.general.chats import TEXTS
from distrl.tasks.templates import Draft, Draw, bind, commit, open_app, rows, switch, tap, where, write

TABLE = "content://com.simphone.mail/mails"
ALL_SENT = f"content query --uri {TABLE} --where \"folder='sent' AND date>1715679660000\""
"""Everything that was sent since the phone was switched on."""
DAY_MS, BOOT_MS = 86_400_000, 1_715_679_660_000

SENDERS = (
    "Fernhill School", "Lotus Travel", "Mossbrook Council", "Pixel Repairs", "Harriet Vane", "Toby Larch",
    "Quarry Gym", "Delta Insurance", "Green Grocer Box", "Anvil Theatre", "Nimbus Airlines", "Orla Finch",
    "Tidewater Bank", "Bramble Books", "Ivo Castle", "Summit Ski Club",
)  # fmt: skip
# Subject, text, and what it is about in other words.
LETTERS = (
    ("Spot 17", "You may put up your tent by the lake from Friday on.", "camping"),
    ("Boarding pass", "Gate 14, seat 22A. Have a pleasant journey.", "a flight"),
    ("Final reminder", "Please settle the outstanding 84.20 within a week.", "a sum that is overdue"),
    ("Parents' evening", "All teachers will be present on Thursday.", "a child's teachers"),
    ("Your repair", "The glass has been replaced, come and fetch it.", "something that was broken"),
    ("Season opening", "The first lift leaves at eight.", "the mountains"),
    ("New timetable", "Yoga has moved to Wednesday.", "exercise"),
    ("This week's box", "Gouda, brie and feta.", "cheese"),
    ("Lost property", "A hat with a feather was handed in.", "something that turned up again"),
    ("Summons", "You are to serve as a juror in June.", "a trial"),
    ("Road works", "The bridge is closed until June.", "a detour for drivers"),
    ("Your claim", "We pay for the damage to the roof.", "an insurance case"),
)
MARKS = ("star", "archive", "bin", "unread", "spam")

# What is done with a mail: what people say, and how the mail is found afterwards.
TREATMENTS = {
    "star": (
        (
            "Mark the mail {} as important",
            "I must not lose sight of the mail {}: mark it",
            "Highlight the mail {}",
        ),
        {"starred": "1"},
    ),
    "archive": (
        (
            "The mail {} is dealt with: put it away, but keep it",
            "Move the mail {} out of the inbox without deleting it",
            "File away the mail {}",
        ),
        {"folder": "archive"},
    ),
    "bin": (
        ("Throw the mail {} away", "I have no use for the mail {}: get rid of it", "Trash the mail {}"),
        {"folder": "bin"},
    ),
    "unread": (
        (
            "Make the mail {} look as if I had not opened it",
            "I want to come back to the mail {} as if it were new",
            "Treat the mail {} as not read yet",
        ),
        {"read": "0"},
    ),
    "spam": (
        (
            "The mail {} is junk: let the mailbox know",
            "Complain about the mail {}: it is nothing but advertising",
            "Report the mail {} as rubbish",
        ),
        {"folder": "spam"},
    ),
}


def letter(sender: str, subject: str, body: str, age_days: int = 0, **columns: str) -> str:
    """The command that puts a mail on the phone; those of age 0 are the newest of all."""
    cells = {"sender": sender, "subject": subject, "body": body, **columns}
    if age_days:
        cells["date"] = str(BOOT_MS - age_days * DAY_MS)
    return bind(TABLE, **cells)


def open_mail(subject: str) -> tuple[PlanStep, ...]:
    """From anywhere to a mail in the inbox."""
    return (open_app("Mail"), tap(f"~{subject}\n"))


def _do(verb: str) -> tuple[PlanStep, ...]:
    """What is touched in an open mail."""
    if verb == "star":
        return (switch("#star", True),)
    if verb == "spam":
        return (tap("More options"), commit("Report spam"))
    return (commit({"archive": "#archive", "bin": "#delete", "unread": "#mark_unread"}[verb]),)


def treat(draw: Draw) -> Draft:
    """Star, archive, bin, mark or report one mail; another of the same sender stays as it is."""
    verb, sender, (subject, body, _) = draw.triple(MARKS, SENDERS, LETTERS)
    other = draw.any([one for one in LETTERS if one[0] != subject])
    (*known, unseen), wanted = TREATMENTS[verb]
    return Draft(
        goal=draw.say(known, (unseen,)).format(f'"{subject}" from {sender}'),
        setup=(
            letter(sender, subject, body, read="1"),
            letter(sender, other[0], other[1], read="1"),
        ),
        probes={
            "mail": where(TABLE, sender=sender, subject=subject, **wanted),
            "other": where(TABLE, sender=sender, subject=other[0], folder="inbox", starred="0", read="1"),
        },
        check=(rows("mail", 1), rows("other", 1)),
        plan=(*open_mail(subject), *_do(verb)),
        level=2,
        distinct=verb + subject,
    )


ABOUT = {
    "star": (
        "Mark the mail about {} as important",
        "The mail about {} matters to me: make it stand out",
        "Highlight the mail on {}",
    ),
    "archive": (
        "Put the mail about {} away, but keep it",
        "The mail I got about {} is dealt with: file it away",
        "Tidy away the mail on {}, but do not throw it out",
    ),
    "bin": (
        "Get rid of the mail that is about {}",
        "The mail I got about {} may be thrown away",
        "Trash the mail on {}",
    ),
    "unread": (
        "I want to read the mail about {} again later, as if it were new",
        "Make the mail I got about {} look unopened",
        "Treat the mail on {} as new",
    ),
    "spam": (
        "The mail about {} is junk: report it",
        "Complain about the mail on {}, I never asked for it",
        "Report the mail on {} as rubbish",
    ),
}


def about(draw: Draw) -> Draft:
    """Only the meaning of a mail tells that it is the one."""
    verb, sender, (subject, body, meaning) = draw.triple(MARKS, SENDERS, LETTERS)
    others = draw.some([one for one in LETTERS if one[0] != subject], 2)
    *known, unseen = ABOUT[verb]
    _, wanted = TREATMENTS[verb]
    rest = {"folder": "inbox", "starred": "0", "read": "1"}
    return Draft(
        goal=draw.say(known, (unseen,)).format(meaning),
        setup=tuple(
            letter(who, one, text, read="1")
            for who, (one, text, _) in draw.mixed(
                list(zip((sender, *draw.some(SENDERS, 2)), ((subject, body, ""), *others), strict=True))
            )
        ),
        probes={
            "mail": where(TABLE, sender=sender, subject=subject, **wanted),
            **{f"other{n}": where(TABLE, subject=one[0], **rest) for n, one in enumerate(others)},
        },
        check=(rows("mail", 1), rows("other0", 1), rows("other1", 1)),
        plan=(*open_mail(subject), *_do(verb)),
        level=3,
        distinct=verb + subject,
    )


NEWEST = ("the newest one", "the latest one")
OLDEST = ("the oldest one", "the one that came first")
WHICH = (
    "{} wrote to me three times with the same subject: throw {} away",
    "Of the three mails by {}, delete {}",
)
UNSEEN_WHICH = ("Three mails by {} have the same subject. Clean up: {} goes to the bin",)


def repeated(draw: Draw) -> Draft:
    """Three mails look alike; their dates tell which one is meant."""
    sender, (subject, body, _), newest = draw.triple(SENDERS, LETTERS, (True, False))
    texts = [f"{body} ({number})" for number in draw.some(range(101, 999), 3)]
    chosen = texts[0] if newest else texts[2]
    which = draw.any(NEWEST if newest else OLDEST)
    return Draft(
        goal=draw.say(WHICH, UNSEEN_WHICH).format(sender, which),
        setup=tuple(
            letter(sender, subject, text, age, read="1")
            for text, age in draw.mixed(list(zip(texts, (0, 1, 2), strict=True)))
        ),
        probes={
            "gone": where(TABLE, sender=sender, folder="bin", body=chosen),
            "kept": where(TABLE, sender=sender, folder="inbox"),
        },
        check=(rows("gone", 1), rows("kept", 2)),
        plan=(open_app("Mail"), tap(f"~{chosen}"), commit("#delete")),
        level=3,
        distinct=sender + str(newest),
    )


WRITE = (
    'Mail {} about "{}": "{}"', 'Write a mail to {} with the subject "{}" that says "{}"',
)  # fmt: skip
UNSEEN_WRITE = ('{} should get an electronic letter headed "{}" reading "{}"',)
HEADINGS = (
    "Friday",
    "Our trip",
    "A question",
    "The contract",
    "Good news",
    "Sunday lunch",
    "The garden",
    "An idea",
)
ADDRESSES = tuple(
    f"{name}@{host}.example"
    for name, host in product(
        ("ada", "bruno", "carla", "dev", "edda", "finn"), ("postbox", "mailhive", "inkwell", "quill")
    )
)


def compose(draw: Draw) -> Draft:
    """A new mail to an address."""
    address, heading = draw.pair(ADDRESSES, HEADINGS)
    words = draw.any(TEXTS)
    return Draft(
        goal=draw.say(WRITE, UNSEEN_WRITE).format(address, heading, words),
        probes={
            "sent": where(TABLE, folder="sent", recipient=address, subject=heading, body=words),
            "all": ALL_SENT,
        },
        check=(rows("sent", 1), rows("all", 1)),
        plan=(
            open_app("Mail"),
            tap("#fab"),
            write(address, "#to"),
            write(heading, "#subject"),
            write(words, "#body"),
            commit("#send"),
        ),
        level=2,
        calm=True,
    )


REPLY = (
    'Answer the mail that is about {}: "{}"', 'Someone mailed me about {}. Write back "{}"',
)  # fmt: skip
UNSEEN_REPLY = ('React to the mail on {} with "{}"',)


def reply(draw: Draw) -> Draft:
    """Answer the mail that a description fits."""
    sender, (subject, body, meaning) = draw.pair(SENDERS, LETTERS)
    other = draw.any([one for one in LETTERS if one[0] != subject])
    words = draw.any(TEXTS)
    address = sender.lower().replace(" ", ".") + "@postbox.example"
    return Draft(
        goal=draw.say(REPLY, UNSEEN_REPLY).format(meaning, words),
        setup=(
            letter(draw.any([one for one in SENDERS if one != sender]), other[0], other[1], read="1"),
            letter(sender, subject, body, read="1"),
        ),
        probes={
            "sent": where(TABLE, folder="sent", recipient=address, subject=f"Re: {subject}", body=words),
            "all": ALL_SENT,
        },
        check=(rows("sent", 1), rows("all", 1)),
        plan=(*open_mail(subject), tap("Reply"), write(words, "#body"), commit("#send")),
        level=3,
        distinct=subject + words,
    )


HAND_ON = ("{1} needs the mail about {0}: pass it on", "Send the mail I got about {} on to {}")
UNSEEN_HAND_ON = ("Let {1} read the mail on {0} too",)


def hand_on(draw: Draw) -> Draft:
    """Forward the mail that a description fits."""
    (subject, body, meaning), address = draw.pair(LETTERS, ADDRESSES)
    sender, other_sender = draw.some(SENDERS, 2)
    other = draw.any([one for one in LETTERS if one[0] != subject])
    return Draft(
        goal=draw.say(HAND_ON, UNSEEN_HAND_ON).format(meaning, address),
        setup=(letter(sender, subject, body, read="1"), letter(other_sender, other[0], other[1], read="1")),
        probes={
            "sent": where(TABLE, folder="sent", recipient=address, subject=f"Fwd: {subject}"),
            "all": ALL_SENT,
        },
        check=(rows("sent", 1), rows("all", 1)),
        plan=(*open_mail(subject), tap("Forward"), write(address, "#to"), commit("#send")),
        level=3,
        distinct=subject + address,
    )

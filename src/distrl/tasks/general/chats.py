"""Tasks in Messages: whom to write to, and which conversation is meant, has to be found out."""

from __future__ import annotations

from distrl.interfaces import PlanStep
from distrl.tasks.general.people import NAMES, namesake, person
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    commit,
    hold,
    open_app,
    rows,
    tap,
    where,
    write,
)

SMS = "content://com.android.messaging/sms"
CHATS = "content://com.android.messaging/conversations"
TEXTS = (
    "See you at the gate", "The keys are under the mat", "I will be ten minutes late", "Dinner is at seven",
    "Bring the blue folder", "The parcel has arrived", "Thank you for everything", "Please call me back",
    "We won the match", "The doctor said yes", "I found your glove", "Meet me at the fountain",
    "The train is cancelled", "Happy new job", "Save me a seat", "The cat is fine", "I lost my ticket",
    "Good luck tomorrow", "The code has changed", "Do not wait for me", "Rehearsal moved to noon",
    "The paint is dry", "I booked the court", "Tell them hello",
)  # fmt: skip


def chat(name: str, phone: str, text: str) -> str:
    """The command that puts a received text on the phone."""
    return bind(SMS, address=phone, name=name, body=text, type="1", read="1")


def send(text: str) -> tuple[PlanStep, ...]:
    """Write into the open conversation and send."""
    return (write(text, "#draft"), commit("#send_message_button"))


def sent(phone: str, text: str) -> str:
    """The command that asks for a sent text."""
    return where(SMS, address=phone, body=text, type="2")


ALL_SENT = f"content query --uri {SMS} --where \"type='2' AND date>1715679660000\""
"""Everything that was sent since the phone was switched on."""
TEXT = ('Send a message to {} that says "{}"', 'Text "{1}" to {0}')
TELL = ('Let {} know right away: "{}"', '{} should get this as a text: "{}"', 'Drop {} a line: "{}"')
UNSEEN_TELL = ('Get word to {}: "{}"', 'A few words for {}, by phone: "{}"')


def text(draw: Draw) -> Draft:
    """A text to somebody with whom there is no conversation yet."""
    name, words = draw.own(NAMES), draw.any(TEXTS)
    phrase = draw.say((*TEXT, *TELL), UNSEEN_TELL)
    phone, insert = person(draw, name)
    return Draft(
        goal=phrase.format(name, words),
        setup=(insert, person(draw, namesake(draw, name))[1]),
        probes={"sent": sent(phone, words), "all": ALL_SENT},
        check=(rows("sent", 1), rows("all", 1)),
        plan=(open_app("Messages"), tap("#fab"), write(name, "#to"), tap(name), *send(words)),
        level=1 if phrase in TEXT else 2,
    )


TOPICS = (
    ("Could you lend me your ladder?", "needs something to climb on"),
    ("Is there snow up there yet?", "wonders about the weather in the mountains"),
    ("Can you feed Whiskers on Sunday?", "looks for someone to look after a pet"),
    ("Which platform does it leave from?", "asks about a train"),
    ("Is the soup vegetarian?", "avoids meat"),
    ("My laptop will not start, any idea?", "has trouble with a computer"),
    ("How much do I owe you for the tickets?", "wants to pay something back"),
    ("Where did you park?", "cannot find the car"),
    ("What shall I wear tonight?", "is unsure about clothes"),
    ("Are the children asleep?", "asks about the little ones"),
    ("Did the plumber come?", "asks about somebody who mends pipes"),
    ("May I use your printer?", "needs something on paper"),
    ("Who won the match?", "missed a game"),
    ("Has the dentist called?", "asks about a call concerning teeth"),
    ("May I borrow your bike?", "wants to get around on two wheels"),
    ("Do you still want the sofa?", "gives furniture away"),
)
ANSWER = (
    'Somebody {}. Answer in that chat: "{}"',
    'Reply "{1}" to the person who {0}',
    'Tell whoever {} this: "{}"',
)
UNSEEN_ANSWER = ('One of my chats is with someone who {}. Write back "{}"',)


def answer(draw: Draw) -> Draft:
    """Find the conversation that a description fits, and answer in it."""
    (asked, meaning), name = draw.pair(TOPICS, NAMES[::9])
    words = draw.any(TEXTS)
    others = draw.some([other for other in NAMES if other != name], 2)
    asks = draw.some([topic for topic, _ in TOPICS if topic != asked], 2)
    people = {who: person(draw, who) for who in (name, *others)}
    chats = [
        chat(who, people[who][0], said) for who, said in zip((name, *others), (asked, *asks), strict=True)
    ]
    return Draft(
        goal=draw.say(ANSWER, UNSEEN_ANSWER).format(meaning, words),
        setup=(*(insert for _, insert in people.values()), *draw.mixed(chats)),
        probes={"sent": sent(people[name][0], words), "all": ALL_SENT},
        check=(rows("sent", 1), rows("all", 1)),
        plan=(open_app("Messages"), tap(name), *send(words)),
        level=3,
        distinct=name + words,
    )


PASS_ON = ("{1} should know what {0} wrote to me: pass it on", "Forward the latest text of {} to {}")
UNSEEN_PASS_ON = ("Let {1} read what I got from {0}",)


def forward(draw: Draw) -> Draft:
    """Pass a text on to somebody else."""
    name = draw.own(NAMES)
    other = draw.any([another for another in NAMES if another.split()[0] != name.split()[0]])
    said = draw.any(TOPICS)[0]
    (phone, insert), (other_phone, other_insert) = person(draw, name), person(draw, other)
    return Draft(
        goal=draw.say(PASS_ON, UNSEEN_PASS_ON).format(name, other),
        setup=(insert, other_insert, chat(name, phone, said)),
        probes={"sent": sent(other_phone, said), "all": ALL_SENT},
        check=(rows("sent", 1), rows("all", 1)),
        plan=(
            open_app("Messages"),
            tap(name),
            hold(said),
            tap("Forward"),
            write(other, "#to"),
            tap(other),
            commit("#send_message_button"),
        ),
        level=3,
    )


# What is done with a conversation: what people say, the choice in the menu, the column that tells, its value.
TREATMENTS = {
    "Pin": (
        (
            "Keep the chat with {} at the very top",
            "The chat with {} should never slide down",
            "{} first, always, among my chats",
        ),
        "pinned",
    ),
    "Archive": (
        (
            "Put the chat with {} away, but do not lose it",
            "Move the chat with {} out of sight, I may need it",
            "Stow the chat with {} for later",
        ),
        "archived",
    ),
    "Block": (
        ("I never want to hear from {} again", "{} must not be able to text me", "Shut {} out"),
        "blocked",
    ),
    "Delete": (
        (
            "Everything that {} and I wrote to each other should be gone",
            "Erase my chat with {}",
            "Leave no trace of my chat with {}",
        ),
        "",
    ),
}


def treat(draw: Draw) -> Draft:
    """Pin, archive, block or delete one conversation."""
    verb, name = draw.pair(TREATMENTS, NAMES)
    other = namesake(draw, name)
    phone, insert = person(draw, name)
    other_phone, other_insert = person(draw, other)
    (*known, unseen), column = TREATMENTS[verb]
    plan: tuple[PlanStep, ...] = (open_app("Messages"), hold(name), commit(verb))
    if verb in ("Block", "Delete"):
        title = f"Block {name}?" if verb == "Block" else "Delete conversation?"
        plan = (open_app("Messages"), hold(name), tap(verb), commit(verb, within=title))
    wanted = {"address": phone} | ({column: "1"} if column else {})
    plain = {"address": other_phone, "pinned": "0", "archived": "0", "blocked": "0"}
    return Draft(
        goal=draw.say(known, (unseen,)).format(name),
        setup=(
            insert, other_insert, chat(name, phone, draw.any(TOPICS)[0]),
            chat(other, other_phone, draw.any(TOPICS)[0]),
        ),
        probes={"chat": where(CHATS, **wanted), "other": where(CHATS, **plain)},
        check=(rows("chat", 1 if column else 0), rows("other", 1)),
        plan=plan,
        level=2,
        distinct=verb + name,
    )  # fmt: skip

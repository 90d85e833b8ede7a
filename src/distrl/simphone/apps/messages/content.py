"""The conversations of a fresh phone: chats with people from Contacts, and notices from services."""

from __future__ import annotations

from random import Random

from distrl.simphone.apps.messages.data import BOOT_MS, INCOMING, SENT, MessagesData
from distrl.simphone.apps.when import DAY_MS, HOUR_MS, MINUTE_MS
from distrl.simphone.chance import generator
from distrl.simphone.world import Person, World

STREETS = ("Willow Street", "Harbour Lane", "Mill Road", "Station Square", "Chapel Hill", "Garden Row")
CAFES = ("the Blue Kettle", "Café Lumen", "the Old Mill", "Paper Crane", "the corner bakery")
DAYS = ("Monday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
THINGS = ("umbrella", "charger", "blue scarf", "book about clouds", "water bottle", "tent")

# Chats: "<" is the other person, ">" the owner of the phone; the last line may stay unread.
CHATS = (
    ("<Are you free on {day}?", ">I think so, why?", "<A few of us meet at {cafe} at {hour}. Join us!"),
    (
        "<I left my {thing} at your place, I think",
        ">Yes, it is on the shelf",
        "<Great, I will pick it up {day}",
    ),
    (">How was the trip?", "<Wonderful! We saw the old lighthouse", "<I will show you the pictures on {day}"),
    ("<New address: {number} {street}, second floor", ">Got it, thanks!", "<The door code is {code}"),
    ("<Can you call me when you are home?", ">Sure, around {hour}", "<Perfect"),
    (">Did you get the tickets?", "<Yes, two seats, row {row}", "<We should leave at {hour}"),
    ("<Happy birthday!", ">Thank you!!", "<Cake at {cafe} on {day}?"),
    ("<The meeting moved to {day} at {hour}", ">Thanks for telling me", "<Room {row} by the way"),
    ("<Could you send me the recipe?", ">Onions, lentils, cumin. 25 minutes", "<You are the best"),
    ("<I am running late, sorry", ">No problem, take your time", "<Be there at {hour}"),
    ("<My new number is {phone}", ">Saved it", "<The old one stops on {day}"),
    ("<Do you still have my {thing}?", ">Yes! I bring it {day}", "<Thanks a lot"),
)
SERVICES = (
    (
        "Parcel Post",
        "58 220",
        ("Your parcel {order} is on its way.", "Pick up parcel {order} with code {code}."),
    ),
    ("Parcel Post", "58 221", ("Parcel {order} arrives on {day} before {hour}.",)),
    ("Harbour Bank", "70 455", ("Your code is {code}. Never share it.", "Your new code is {code2}.")),
    ("Dr. Kaya Dental", "+1 555 310 4477", ("Your appointment: {day} at {hour}. Reply C to cancel.",)),
    ("Metro Mobile", "44 100", ("Your bill of ${price} is ready.", "You have used 80% of your data.")),
    (
        "City Library",
        "61 300",
        ("“Seven bridges” is due on {day}.", "A book you reserved waits until {day}."),
    ),
)
SPAM = ("You have WON a gift card! Answer YES now.", "Cheap loans, no questions. Call {phone}.")


def _filled(text: str, random: Random) -> str:
    phone = f"+1 555 {random.randint(200, 999)} {random.randint(1000, 9999)}"
    return text.format(
        day=random.choice(DAYS),
        hour=f"{random.randint(8, 19)}:{random.choice(('00', '15', '30', '45'))}",
        cafe=random.choice(CAFES),
        thing=random.choice(THINGS),
        number=random.randint(2, 98),
        street=random.choice(STREETS),
        code=random.randint(1000, 9999),
        code2=random.randint(100_000, 999_999),
        row=random.randint(3, 28),
        order=f"{random.choice('BKRT')}{random.randint(10_000, 99_999)}",
        price=f"{random.randint(12, 58)}.{random.randint(10, 99)}",
        phone=phone,
    )


def _namesakes_first(people: tuple[Person, ...], random: Random) -> list[Person]:
    """The people in random order, but two with the same first name in front: they must be told apart."""
    order = random.sample(people, len(people))
    seen: dict[str, Person] = {}
    for person in order:
        first = person.name.split(" ")[0]
        if first in seen:
            pair = [seen[first], person]
            return pair + [other for other in order if other not in pair]
        seen[first] = person
    return order


def _chat_with(
    person: Person, first: tuple[str, ...], random: Random
) -> tuple[str, str, list[tuple[int, str]]]:
    """Some chats with a person, older ones before `first`; most people have written only once."""
    older = random.sample(CHATS, random.choice((0, 0, 1, 3)))
    lines = [line for chat in older for line in chat] + list(first)
    texts = [(INCOMING if line[0] == "<" else SENT, _filled(line[1:], random)) for line in lines]
    return person.name, person.phone, texts


def fill(world: World) -> MessagesData:
    """The conversations of a world."""
    random = generator("messages", world.seed)
    people = _namesakes_first(world.people, random)[:10]
    firsts = random.sample(CHATS, len(people))
    chats = [_chat_with(person, lines, random) for person, lines in zip(people, firsts, strict=True)]
    for name, address, notices in random.sample(SERVICES, 4):
        chats.append((name, address, [(INCOMING, _filled(line, random)) for line in notices]))
    random.shuffle(chats)
    data = MessagesData([], [], 1, 1)
    age = random.randint(5, 50) * MINUTE_MS
    for number, (name, address, texts) in enumerate(chats):
        unread = random.random() < 0.3 or number == 1
        for place, (kind, body) in enumerate(texts):
            back = len(texts) - 1 - place
            date = BOOT_MS - age - 4 * MINUTE_MS * back - DAY_MS * (back // 3)
            data.add(address, body, kind, date, back > 0 or not unread, name)
        age += random.choice((35 * MINUTE_MS, 2 * HOUR_MS, 9 * HOUR_MS, DAY_MS, 3 * DAY_MS))
    spam = data.add("+1 555 201 9913", _filled(random.choice(SPAM), random), INCOMING, BOOT_MS - 9 * DAY_MS)
    for thread in data.threads:
        thread.blocked = thread.address == spam.address
    random.choice(data.threads[4:10]).archived = True
    random.choice(data.threads[10:14]).archived = True
    data.texts.sort(key=lambda text: text.date)
    return data

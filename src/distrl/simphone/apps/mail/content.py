"""The mails of a fresh phone: families of similar mails, each with something worth looking up in it."""

from __future__ import annotations

from random import Random

from distrl.simphone.apps.mail.data import BOOT_MS, OWNER, Mail, MailData
from distrl.simphone.apps.when import DAY_MS, HOUR_MS, MINUTE_MS
from distrl.simphone.chance import generator
from distrl.simphone.world import World

STREETS = ("Willow Street", "Harbour Lane", "Mill Road", "Station Square", "Chapel Hill", "Garden Row")
TOWNS = ("Elmford", "Northhaven", "Brackley", "Ostermouth", "Lindale")
MONTHS = ("May", "June", "July", "August", "September")
ITEMS = ("desk lamp", "running shoes", "coffee grinder", "wool blanket", "bike lights", "garden chair")
SHOWS = ("The Paper Kites", "Quartet of the North", "Lanterns live", "An evening of jazz")
DOCTORS = ("Dr. Kaya", "Dr. Lindqvist", "Dr. Osei", "Dr. Marchetti")

# Sender, subject, body. Each family is used several times with other values, so that subjects look alike.
FAMILIES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Brightshop",
        (
            ("Your order {order} has shipped", "Your {item} is on its way.\n\nTracking number: {track}"),
            ("Your order {order} is confirmed", "Thank you!\n\n1 x {item}\nTotal: ${price}"),
            ("Refund for order {order}", "We have refunded ${price} for your {item}."),
        ),
    ),
    (
        "Northline Rail",
        (
            (
                "Your ticket to {town}",
                "Departure: {date} at {hour}, platform {small}\nSeat {seat}\nBooking code: {code}",
            ),
            (
                "Change to your trip to {town}",
                "The train on {date} now leaves at {hour} from platform {small}.",
            ),
        ),
    ),
    (
        "Hotel Marlin",
        (
            (
                "Your booking in {town}",
                "Check-in: {date}, after 15:00\nAddress: {address}\nReference: {code}\nPhone: {phone}",
            ),
        ),
    ),
    (
        "Harbour Bank",
        (
            ("Your sign-in code", "Use this code to sign in: {digits}\n\nNever share it with anybody."),
            ("Your monthly statement", "Your balance is ${price}.\nThe statement is attached."),
        ),
    ),
    (
        "City Clinic",
        (
            (
                "Appointment with {doctor}",
                "We expect you on {date} at {hour}.\n{address}\nTo change it, call {phone}.",
            ),
            ("Reminder: {doctor}", "Your appointment is on {date} at {hour}. Please be ten minutes early."),
        ),
    ),
    (
        "Ticket Corner",
        (("Your tickets: {show}", "{date}, doors open at {hour}.\nRow {small}, seat {seat}\nCode: {code}"),),
    ),
    (
        "Voltaro Energy",
        (
            ("Invoice {order}", "Amount: ${price}\nDue on {date}\nCustomer number {digits}"),
            ("Meter reading", "Please send us your meter reading before {date}."),
        ),
    ),
    (
        "Weekly Bytes",
        (
            ("{small} ideas for the weekend", "Markets, walks and a film about lighthouses.\n\nUnsubscribe"),
            ("What to read this week", "Seven bridges is our book of the week.\n\nUnsubscribe"),
        ),
    ),
)
PERSONAL = (
    ("Dinner on {date}", "Hi,\n\ndinner is at {hour} at our place: {address}.\n\nSee you!"),
    ("New phone number", "Hello,\n\nmy new number is {phone}. The old one no longer works.\n\nBest wishes"),
    ("We have moved", "Hi,\n\nour new address is {address}. Come and see us!\n\nYours"),
    ("Meeting moved", "Hello,\n\nthe meeting is now on {date} at {hour}, room {small}.\n\nRegards"),
    ("Meeting notes", "Hello,\n\nthe notes are attached. Next meeting: {date} at {hour}.\n\nRegards"),
    ("Door code", "Hi,\n\nthe code of the cabin is {digits}. The key for the shed hangs inside."),
    ("Re: Weekend", "Good idea! Let us meet on {date} at {hour} at the station."),
    ("Weekend", "Are you in {town} this weekend? The train is at {hour}."),
    ("Pictures", "The pictures from {town} are attached. The album password is {code}."),
    ("Recipe", "Onion, carrots, red lentils, cumin. Simmer for {seat} minutes."),
)
SPAM = (
    ("Prize Office", "You are our winner no. {small}!", "Claim ${price} now by sending your code."),
    ("Quick Loans", "Money today", "No questions asked. Call {phone}."),
    ("Miracle Store", "Lose 10 kg by {date}", "Order today for ${price} only."),
)


def _values(random: Random) -> dict[str, str]:
    street = f"{random.randint(2, 98)} {random.choice(STREETS)}"
    town = random.choice(TOWNS)
    return {
        "order": f"{random.choice('ABKT')}-{random.randint(10_000, 99_999)}",
        "item": random.choice(ITEMS),
        "track": f"PX{random.randint(10**7, 10**8 - 1)}",
        "price": f"{random.randint(9, 240)}.{random.choice(('00', '50', '90', '99'))}",
        "town": town,
        "date": f"{random.randint(16, 28)} {random.choice(MONTHS)}",
        "hour": f"{random.randint(8, 20)}:{random.choice(('00', '15', '30', '45'))}",
        "small": str(random.randint(2, 14)),
        "seat": str(random.randint(15, 89)),
        "code": "".join(random.choice("ABCDEFGHKMNPRSTUVWXYZ23456789") for _ in range(6)),
        "digits": str(random.randint(100_000, 999_999)),
        "address": f"{street}, {town}",
        "phone": f"+1 555 {random.randint(200, 999)} {random.randint(1000, 9999)}",
        "doctor": random.choice(DOCTORS),
        "show": random.choice(SHOWS),
    }


def _attachment(subject: str, body: str) -> str:
    if "attached" in body:
        return "pictures.zip" if "Pictures" in subject else f"{subject.lower().replace(' ', '_')}.pdf"
    return "ticket.pdf" if "ticket" in subject else ""


def fill(world: World) -> MailData:
    """The mails of a world."""
    random = generator("mail", world.seed)
    written: list[Mail] = []
    for sender, kinds in FAMILIES:
        address = "noreply@" + sender.lower().replace(" ", "") + ".example"
        for _ in range(3 if len(kinds) > 1 else 2):
            subject, body = random.choice(kinds)
            values = _values(random)
            subject, body = subject.format(**values), body.format(**values)
            written.append(Mail(0, "inbox", sender, address, OWNER, subject, body, 0))
    people = random.sample(world.people, 8)
    for person, (subject, body) in zip(people, random.sample(PERSONAL, 8), strict=True):
        values = _values(random)
        subject, body = subject.format(**values), body.format(**values) + "\n" + person.name.split(" ")[0]
        written.append(Mail(0, "inbox", person.name, person.email, OWNER, subject, body, 0))
    random.shuffle(written)
    age = random.randint(3, 30) * MINUTE_MS
    for number, mail in enumerate(written):
        mail.date = BOOT_MS - age
        mail.read = random.random() < 0.6
        mail.starred = random.random() < 0.12
        mail.attachment = _attachment(mail.subject, mail.body)
        mail.folder = "archive" if number % 9 == 7 else "inbox"
        age += random.choice((25 * MINUTE_MS, 3 * HOUR_MS, 11 * HOUR_MS, DAY_MS, 2 * DAY_MS))
    for sender, subject, body in random.sample(SPAM, 2):
        values = _values(random)
        address = "win@" + sender.lower().replace(" ", "") + ".example"
        subject, body = subject.format(**values), body.format(**values)
        date = BOOT_MS - random.randint(1, 9) * DAY_MS
        written.append(Mail(0, "spam", sender, address, OWNER, subject, body, date, read=False))
    for person, subject in zip(people[:2], ("Thank you", "Question about Friday"), strict=True):
        date = BOOT_MS - random.randint(1, 9) * DAY_MS
        written.append(Mail(0, "sent", "Me", OWNER, person.email, subject, "Talk to you soon!", date))
    old = Mail(0, "bin", "Weekly Bytes", "noreply@weeklybytes.example", OWNER, "Last chance", "Renew now!", 0)
    old.date = BOOT_MS - 12 * DAY_MS
    data = MailData([], 1)
    for mail in sorted([*written, old], key=lambda mail: mail.date):
        data.add(mail)
    return data

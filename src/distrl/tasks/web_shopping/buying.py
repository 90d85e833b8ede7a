"""Buying in a shop: options, quantities, and the checkout."""

from __future__ import annotations

from distrl.interfaces import PlanStep
from distrl.records import Condition
from distrl.tasks.templates import Draft, Draw, bind, commit, open_app, rows, switch, tap, where, write
from distrl.tasks.web_shopping.comparing import MOST, RATINGS
from distrl.tasks.web_shopping.finding import THINGS
from distrl.tasks.web_shopping.goods import (
    ADDRESSES,
    COLOURS,
    MAKERS,
    MAX_STEPS,
    ORDERS,
    PLACES,
    SIZES,
    WHOLE_CART,
    Ware,
    any_shop,
    kind_at,
    range_of,
    stock,
)
from distrl.tasks.web_shopping.shops import Shop

ADD = ("Add the {0} in {1} to the cart at {2}", "Put a {0} in {1} into my cart on {2}")
GET = (
    "I want the {0} from {2} in {1}: into the cart with it",
    "Get me the {0} of {2} ready to be paid, but do not pay yet. Colour: {1}",
)
UNSEEN_GET = ("At {2} there is a {0} that I want in {1}. Have it waiting in my cart, I shall pay later",)


def add(draw: Draw) -> Draft:
    """Choose a colour and put one piece into the cart."""
    shop = any_shop(draw, coloured=True)
    place, maker, colour = draw.triple(PLACES, MAKERS, COLOURS)
    choices = ",".join(draw.mixed([colour, *draw.some([other for other in COLOURS if other != colour], 2)]))
    wares = range_of(draw, shop, kind_at(shop, place), maker, 3, options=(f"Colour={choices}",) * 3)
    chosen, options = wares[0], {"Colour": colour}
    phrase = draw.say((*ADD, *GET), UNSEEN_GET)
    return Draft(
        goal=phrase.format(chosen.name, colour.lower(), shop.name),
        setup=stock(draw, wares),
        probes={"line": chosen.in_cart(1, options), "cart": WHOLE_CART},
        check=(rows("line", 1), rows("cart", 1)),
        plan=(*shop.search(chosen.name), tap(chosen.name), *shop.put(options)),
        level=1 if phrase in ADD else 2,
        max_steps=MAX_STEPS,
    )


FITS = {
    "S": ("in the smallest size", "in a size for a child", "as tiny as possible"),
    "M": ("in the middle size", "neither small nor large", "of average size"),
    "L": ("in the largest size", "in a size for a giant", "as big as possible"),
}
FITTING = (
    "I need the {0} of {3}, {1}, in {2}: into the cart with it",
    "Put the {0} at {3} into my cart, {1} and in {2}, but do not order yet",
)
UNSEEN_FITTING = ("From {3} I want this waiting in my cart: the {0}, {1}, and it has to be {2}",)


def fitting(draw: Draw) -> Draft:
    """Choose a described size and a colour."""
    shop = any_shop(draw, coloured=True)
    (place, maker), size, colour = draw.triple(THINGS, SIZES, COLOURS)
    choices = ",".join(draw.mixed([colour, *draw.some([other for other in COLOURS if other != colour], 2)]))
    offered = f"Size={','.join(SIZES)};Colour={choices}"
    wares = range_of(draw, shop, kind_at(shop, place), maker, 2, options=(offered,) * 2)
    chosen, options = wares[0], {"Size": size, "Colour": colour}
    return Draft(
        goal=draw.say(FITTING, UNSEEN_FITTING).format(
            chosen.name, draw.say(FITS[size][:2], FITS[size][2:]), colour.lower(), shop.name
        ),
        setup=stock(draw, wares),
        probes={"fit": chosen.in_cart(1, options), "cart": WHOLE_CART},
        check=(rows("fit", 1), rows("cart", 1)),
        plan=(*shop.search(chosen.name), tap(chosen.name), *shop.put(options)),
        level=3,
        max_steps=MAX_STEPS,
        calm=True,
    )


COUNTS = {
    2: ("two", "one more than one", "as many as I have hands"),
    3: ("three", "one more than two", "as many as a triangle has corners"),
    4: ("four", "one more than three", "as many as a table has legs"),
}
MANY = (
    "I need {1} of the {0} from {2}: into the cart with them",
    "Put {1} of the {0} into my cart at {2}, without paying",
)
UNSEEN_MANY = ("How about the {0} of {2}? I want {1}, waiting in my cart",)


def many(draw: Draw) -> Draft:
    """Several pieces of one product."""
    shop = any_shop(draw)
    (place, maker), count = draw.pair(THINGS, tuple(COUNTS))
    wares = range_of(draw, shop, kind_at(shop, place), maker, 3)
    words = draw.say(COUNTS[count][:2], COUNTS[count][2:])
    return Draft(
        goal=draw.say(MANY, UNSEEN_MANY).format(wares[0].name, words, shop.name),
        setup=stock(draw, wares),
        probes={"several": wares[0].in_cart(count), "cart": WHOLE_CART},
        check=(rows("several", 1), rows("cart", 1)),
        plan=(*shop.search(wares[0].name), tap(wares[0].name), *shop.put({}, count)),
        level=2,
        max_steps=MAX_STEPS,
        calm=count > 3,
    )


GET_MOST = ("Put {} at {} into the cart", "Get me {} from {} ready to be paid, but do not pay yet")
UNSEEN_GET_MOST = ("Have {} at {} waiting in my cart",)


def get_most(draw: Draw) -> Draft:
    """Compare, then put one into the cart."""
    shop = any_shop(draw)
    place, maker, order = draw.triple(PLACES, MAKERS, tuple(MOST))
    graded = tuple(draw.some(RATINGS, 4))
    wares = range_of(draw, shop, kind_at(shop, place), maker, 4, rating=graded)
    chosen = {"cheapest": wares[0], "dearest": wares[-1], "rating": wares[graded.index(max(graded))]}[order]
    words = draw.say(MOST[order][:2], MOST[order][2:]).format(chosen.kind.lower())
    return Draft(
        goal=draw.say(GET_MOST, UNSEEN_GET_MOST).format(words, shop.name),
        setup=stock(draw, wares),
        probes={"most": chosen.in_cart(1), "cart": WHOLE_CART},
        check=(rows("most", 1), rows("cart", 1)),
        plan=(*shop.search(chosen.kind.lower()), *shop.sort_by(order), tap(chosen.name), *shop.put({})),
        level=3,
        max_steps=MAX_STEPS,
    )


REDUCED = (
    "Of the {} offers at {} only one is reduced: into the cart with it",
    "I want the {} that {} sells for less than before in my cart",
)
UNSEEN_REDUCED = ("I hunt for bargains: which {} did {} mark down? Have it waiting in my cart",)


def reduced(draw: Draw) -> Draft:
    """One of several products costs less than it did."""
    shop = any_shop(draw)
    place, maker = draw.pair(PLACES, MAKERS)
    kind = kind_at(shop, place)
    plain = range_of(draw, shop, kind, maker, 4)
    chosen = draw.any(plain)
    was = f"{int(float(chosen.price)) + draw.number(6, 20)}.00"
    marked = Ware(shop, chosen.maker, kind, chosen.price, (("was", was),))
    wares = [marked if ware is chosen else ware for ware in plain]
    return Draft(
        goal=draw.say(REDUCED, UNSEEN_REDUCED).format(kind.lower(), shop.name),
        setup=stock(draw, wares),
        probes={"deal": marked.in_cart(1), "cart": WHOLE_CART},
        check=(rows("deal", 1), rows("cart", 1)),
        plan=(*shop.search(kind.lower()), tap(marked.name), *shop.put({})),
        level=3,
        max_steps=MAX_STEPS,
        distinct=marked.number,
    )


HOMES = {
    "Home": ("where I live", "12 Birch Court"),
    "Work": ("to my office", "3 Foundry Lane"),
    "Parents": ("to mum and dad", "7 Orchard Way"),
}
NAMES = ("Ada Quill", "Bruno Finch", "Carla Moss", "Dev Larch", "Edda Pike", "Finn Sorrel")
STREETS = (
    "5 Elm Lane",
    "18 Mill Road",
    "2 Abbey Close",
    "44 Canal Street",
    "9 Chapel Hill",
    "31 Linden Avenue",
)
ORDER_KNOWN = (
    "Order what is in my cart at {0}: send it {1}, {2}; I pay {3}",
    "Finish my purchase at {0}. It goes {1}, {2}, and I pay {3}",
)
UNSEEN_ORDER_KNOWN = ("Let {0} have my order now: it goes {1}, {2}, paid {3}",)
ORDER_TYPED = (
    'Order what is in my cart at {0} for "{1}", "{2}": {3}; I pay {4}',
    'Finish my purchase at {0} for "{1}" at "{2}", {3}, and I pay {4}',
)
UNSEEN_ORDER_TYPED = ('Let {0} have my order now, receiver "{1}", street "{2}", {3}, paid {4}',)


def _terms(draw: Draw, shop: Shop) -> tuple[str, tuple[PlanStep, ...], dict[str, str]]:
    """A way to order in words, the expert's steps from the cart on, and what the order should say."""
    delivery, payment = draw.any(tuple(shop.deliveries)), draw.any(tuple(shop.payments))
    said = (shop.deliveries[delivery], shop.payments[payment])
    if shop.typed_address:
        name, street = draw.any(NAMES), draw.any(STREETS)
        goal = draw.say(ORDER_TYPED, UNSEEN_ORDER_TYPED).format(shop.name, name, street, *said)
        address: tuple[PlanStep, ...] = (write(name, "Full name"), write(street, "Delivery address"))
        wanted = {"name": name, "address": street}
    else:
        home = draw.any(tuple(HOMES))
        goal = draw.say(ORDER_KNOWN, UNSEEN_ORDER_KNOWN).format(shop.name, HOMES[home][0], *said)
        address = (switch(home, True),)
        wanted = {"address": HOMES[home][1]}
    wanted |= {"shop": shop.host, "delivery": delivery, "payment": payment}
    return goal, shop.pay(address, delivery, payment), wanted


def _homes() -> tuple[str, ...]:
    return tuple(bind(ADDRESSES, label=label, address=street) for label, (_, street) in HOMES.items())


def order(draw: Draw) -> Draft:
    """From a full cart to the order, as described."""
    shop, (place, maker) = any_shop(draw), draw.own(THINGS)
    ware = Ware(shop, maker, kind_at(shop, place), f"{draw.number(11, 89)}.00")
    goal, steps, wanted = _terms(draw, shop)
    return Draft(
        goal=goal,
        setup=(*_homes(), ware.plant(), ware.lay(1)),
        probes={"order": where(ORDERS, **wanted), "all": f"content query --uri {ORDERS}"},
        check=(
            rows("order", 1),
            rows("all", 1),
            Condition("order", "contains", f"products={ware.name} x1"),
        ),
        plan=(*shop.enter(), tap(shop.cart), *steps),
        level=3,
        max_steps=MAX_STEPS,
        calm=True,
        distinct=goal,
    )


TELL = (
    'Put the {0} at {1} into the cart. Then text {2}: "{3}"',
    'Get the {0} at {1} into my cart, and let {2} know by text: "{3}"',
)
UNSEEN_TELL = ('{2} should read "{3}" by text once the {0} of {1} is in my cart',)
TEXTS = (
    "I found it",
    "It is in my cart",
    "Shall I order it",
    "Your wish comes true",
    "Look at this one",
    "Done at last",
)
FRIENDS = ("Tilda Marsh", "Orson Pike", "Maren Loomis", "Odette Quill", "Linus Badger", "Wilma Sorrel")
SMS = "content://com.android.messaging/sms"


def put_and_tell(draw: Draw) -> Draft:
    """Something into the cart, and a text about it."""
    shop, (place, maker) = any_shop(draw), draw.own(THINGS)
    ware = range_of(draw, shop, kind_at(shop, place), maker, 2)
    friend, text = draw.any(FRIENDS), draw.any(TEXTS)
    phone = f"555{draw.number(1000000, 9999999)}"
    return Draft(
        goal=draw.say(TELL, UNSEEN_TELL).format(ware[0].name, shop.name, friend, text),
        setup=(
            *stock(draw, ware),
            bind(SMS, address=phone, name=friend, body="Have you found anything?", type="1", read="1"),
        ),
        probes={
            "line": ware[0].in_cart(1),
            "cart": WHOLE_CART,
            "sent": where(SMS, address=phone, body=text, type="2"),
        },
        check=(rows("line", 1), rows("cart", 1), rows("sent", 1)),
        plan=(
            *shop.search(ware[0].name),
            tap(ware[0].name),
            *shop.put({}),
            open_app("Messages"),
            tap(friend),
            write(text, "#draft"),
            commit("#send_message_button"),
        ),
        level=3,
        max_steps=MAX_STEPS,
        calm=True,
    )

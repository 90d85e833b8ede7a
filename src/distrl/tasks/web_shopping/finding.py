"""Finding things in a shop: by name, by what they come in, and by what somebody said of them."""

from __future__ import annotations

from itertools import product

from distrl.interfaces import PlanStep
from distrl.records import Condition
from distrl.tasks.templates import Draft, Draw, bind, rows, switch, tap, where
from distrl.tasks.web_shopping.goods import (
    COLOURS,
    MAKERS,
    MAX_STEPS,
    PAGE_IN_FRONT,
    PLACES,
    SAVED,
    any_shop,
    kind_at,
    range_of,
    stock,
)

THINGS = tuple(product(PLACES, MAKERS))
FIND = (
    "Open the page of the {} at {}",
    "Look up the {} on {} and open it",
    "Go to {1} and show me the {0}",
)
UNSEEN_FIND = ("What does {1} say about the {0}? Bring its page up", "I would like to see the {} of {}")


def find(draw: Draw) -> Draft:
    """Open the page of one product among others of its kind."""
    shop, (place, maker) = any_shop(draw), draw.own(THINGS)
    wares = range_of(draw, shop, kind_at(shop, place), maker, 4)
    return Draft(
        goal=draw.say(FIND, UNSEEN_FIND).format(wares[0].name, shop.name),
        setup=stock(draw, wares),
        probes={"page": PAGE_IN_FRONT},
        check=(wares[0].opened(),),
        plan=(*shop.search(wares[0].name), tap(wares[0].name)),
        max_steps=MAX_STEPS,
    )


COMES_IN = ("{1} has only one {2} {0}: open its page", "Which one is the {2} {0} at {1}? Show me its page")
UNSEEN_COMES_IN = ("I am after the {2} {0}. See what {1} has and bring it up",)


def comes_in(draw: Draw) -> Draft:
    """One of several products can be had in a colour."""
    shop = any_shop(draw, coloured=True)
    place, maker, colour = draw.triple(PLACES, MAKERS, COLOURS)
    rest = [other for other in COLOURS if other != colour]
    choices = tuple(f"Colour={','.join(draw.some(rest, 3))}" for _ in range(3))
    mine = ",".join(draw.mixed([colour, *draw.some(rest, 2)]))
    wares = range_of(draw, shop, kind_at(shop, place), maker, 4, options=(f"Colour={mine}", *choices))
    chosen = wares[0]
    words = f"{colour} {chosen.kind}".lower()
    return Draft(
        goal=draw.say(COMES_IN, UNSEEN_COMES_IN).format(chosen.kind.lower(), shop.name, colour.lower()),
        setup=stock(draw, wares),
        probes={"page": PAGE_IN_FRONT},
        check=(chosen.opened(),),
        plan=(*shop.search(words), tap(chosen.name)),
        level=3,
        max_steps=MAX_STEPS,
        distinct=chosen.number,
    )


KEEP = (
    "Put the {} at {} aside for later",
    "I may buy the {} on {} some day: have the shop remember it",
    "Give the {} of {} a heart",
)
UNSEEN_KEEP = ("I dream of the {} at {}: onto my wish list there with it",)


def keep(draw: Draw) -> Draft:
    """Put a product on the wish list; the heart has no words."""
    shop, (place, maker) = any_shop(draw), draw.own(THINGS)
    wares = range_of(draw, shop, kind_at(shop, place), maker, 3)
    return Draft(
        goal=draw.say(KEEP, UNSEEN_KEEP).format(wares[0].name, shop.name),
        setup=stock(draw, wares),
        probes={
            "kept": where(SAVED, shop=shop.host, product_id=wares[0].number),
            "all": f"content query --uri {SAVED}",
        },
        check=(rows("kept", 1), rows("all", 1)),
        plan=(*shop.search(wares[0].name), tap(wares[0].name), switch("#save", True)),
        level=2,
        max_steps=MAX_STEPS,
    )


PRICE = (
    "How much does {} charge for the {}? Tell me the price",
    "What does the {1} cost at {0}? Answer with its price",
)
UNSEEN_PRICE = ("Tell me what I have to pay at {} for the {}",)


def ask_price(draw: Draw) -> Draft:
    """Read a price and tell it."""
    shop, (place, maker) = any_shop(draw), draw.own(THINGS)
    wares = range_of(draw, shop, kind_at(shop, place), maker, 3)
    chosen = wares[0]
    return Draft(
        goal=draw.say(PRICE, UNSEEN_PRICE).format(shop.name, chosen.name),
        setup=stock(draw, wares),
        probes={"answer": ""},
        check=(_says(chosen.price),),
        plan=(
            *shop.search(chosen.name),
            tap(chosen.name),
            PlanStep("scroll_to", "#price"),
            PlanStep("answer", value=f"${chosen.price}"),
        ),
        level=2,
        max_steps=MAX_STEPS,
        distinct=chosen.price,
    )


def _says(price: str) -> Condition:
    """The answer holds this price and no other number: $58.50, 58.5 dollars, It costs $58.50."""
    whole, cents = price.split(".")
    tail = "([.]00?)?" if cents == "00" else f"[.]{cents[0]}{cents[1]}?"
    return Condition("answer", "matches", rf"^\D*{whole}{tail}\D*$")


TOLD = (
    "{2} texted me which {0} would be a nice present. Open its page at {1}",
    "Which {0} does {2} want? I got a text about it. Show me its page at {1}",
)
UNSEEN_TOLD = (
    "There is a text from {2} in which a certain {0} is praised. Bring up exactly that one at {1}",
)
FRIENDS = ("Tilda Marsh", "Orson Pike", "Maren Loomis", "Odette Quill", "Linus Badger", "Wilma Sorrel")
PHONE = "content://com.android.messaging/sms"


def told(draw: Draw) -> Draft:
    """A text tells which of several products is meant."""
    shop = any_shop(draw)
    place, maker, friend = draw.triple(PLACES, MAKERS, FRIENDS)
    wares = range_of(draw, shop, kind_at(shop, place), maker, 4)
    chosen = wares[0]
    other = draw.any([one for one in FRIENDS if one != friend])
    texts = [
        (friend, f"I saw the {chosen.kind.lower()} by {chosen.maker}. Lovely!"),
        (other, f"The {chosen.kind.lower()} by {wares[1].maker} broke after a week."),
    ]
    return Draft(
        goal=draw.say(TOLD, UNSEEN_TOLD).format(chosen.kind.lower(), shop.name, friend),
        setup=(
            *stock(draw, wares),
            *(
                bind(
                    PHONE,
                    address=f"555{draw.number(1000000, 9999999)}",
                    name=who,
                    body=text,
                    type="1",
                    read="1",
                )
                for who, text in draw.mixed(texts)
            ),
        ),
        probes={"page": PAGE_IN_FRONT},
        check=(chosen.opened(),),
        plan=(
            *(PlanStep("open_app", "Messages"), tap(friend)),
            *shop.search(chosen.kind.lower()),
            tap(chosen.name),
        ),
        level=3,
        max_steps=MAX_STEPS,
        distinct=chosen.number,
    )

"""Tasks in a web shop: finding, comparing, choosing options, the cart and the way to the checkout.

Each task puts the products it is about into the shop itself, of kinds that no simulated catalogue has; what
else the shop sells depends on the world.
"""

from __future__ import annotations

from distrl.interfaces import PlanStep
from distrl.records import Condition
from distrl.tasks.templates import (
    Draft,
    Draw,
    bind,
    commit,
    open_app,
    press,
    rows,
    switch,
    tap,
    where,
    write,
)

SHOP, HOST = "Larkspur Market", "larkspur.market"
BROWSER = "content://com.simphone.browser"
CART, HISTORY, PRODUCTS = f"{BROWSER}/cart", f"{BROWSER}/history", f"{BROWSER}/products"
LAST_PAGE = f"content query --uri {HISTORY} | tail -n 1"
MAX_STEPS = 20

MAKERS = ("Aurora", "Bramble", "Cobalt", "Dapple", "Ember", "Fable", "Gossamer", "Heron", "Indigo", "Jasper")
KINDS = (
    "Kettle", "Backpack", "Lantern", "Guitar", "Telescope", "Skateboard", "Hammock", "Teapot", "Blender",
    "Umbrella",
)  # fmt: skip
COLOURS = ("Black", "White", "Red", "Blue", "Green", "Yellow", "Purple", "Brown")
_FIRST_NUMBER = 9000  # of the products put into the shop; each maker's product of each kind has its own


def _stock(draw: Draw, kind: str, count: int, options: str = "") -> tuple[list[str], tuple[str, ...]]:
    """Names of products of one kind, the cheapest first, and the commands that put them into the shop."""
    names = [f"{maker} {kind}" for maker in draw.some(MAKERS, count)]
    prices = sorted(draw.some(range(12, 90), count))
    commands = [
        bind(
            PRODUCTS,
            _id=_number(name),
            shop=HOST,
            name=name,
            price=f"{price}.{draw.any(('00', '50', '90'))}",
            **({"options": options} if options else {}),
        )
        for name, price in zip(names, prices, strict=True)
    ]
    return names, tuple(commands)


def _number(name: str) -> str:
    maker, kind = name.split()
    return str(_FIRST_NUMBER + 100 * KINDS.index(kind) + MAKERS.index(maker))


def _search(words: str) -> tuple[PlanStep, ...]:
    return (open_app("Browser"), tap(SHOP), write(words, "#q"), press("enter"))


def _last_page_is(path: str) -> Condition:
    return Condition("page", "matches", rf"url={HOST}/{path}(,|$)")


FIND = (
    "Open the page of the {} at {}",
    "Look up the {} on {} and open it",
    "Go to {1} and show me the {0}",
)


def find_product(draw: Draw) -> Draft:
    """Open the page of one product among others of its kind."""
    names, setup = _stock(draw, draw.own(KINDS), 4)
    name = draw.any(names)
    return Draft(
        goal=_say(draw, FIND, name),
        setup=setup,
        probes={"page": LAST_PAGE},
        check=(_last_page_is(f"product/{_number(name)}"),),
        plan=(*_search(name), tap(name)),
        level=2,
        max_steps=MAX_STEPS,
    )


CHEAPEST = (
    "Find the cheapest {} at {} and open its page",
    "Which {} on {} costs least? Open it",
    "At {1}, open the {0} with the lowest price",
)
DEAREST = (
    "Find the most expensive {} at {} and open its page",
    "Which {} on {} costs most? Open it",
    "At {1}, open the {0} with the highest price",
)


def cheapest(draw: Draw) -> Draft:
    """Sort the results by price and open the first."""
    kind, low = draw.own([(kind, low) for kind in KINDS for low in (True, False)])
    names, setup = _stock(draw, kind, 5)
    name = names[0 if low else -1]
    order = "Price: low to high" if low else "Price: high to low"
    return Draft(
        goal=_say(draw, CHEAPEST if low else DEAREST, kind.lower()),
        setup=setup,
        probes={"page": LAST_PAGE},
        check=(_last_page_is(f"product/{_number(name)}"),),
        plan=(*_search(kind), tap("~Sort:"), tap(order), tap(name)),
        level=3,
        max_steps=MAX_STEPS,
    )


ADD = (
    "Add the {} in {} to the cart at {}",
    "Put a {} in {} into my cart on {}",
    "At {2}, choose the {0} in {1} and add it to the cart",
)


def add_to_cart(draw: Draw) -> Draft:
    """Choose a colour and put one piece into the cart."""
    colours = draw.some(COLOURS, 3)
    names, setup = _stock(draw, draw.own(KINDS), 3, options=f"Colour={','.join(colours)}")
    name, colour = draw.any(names), draw.any(colours)
    wanted = {"product_id": _number(name), "options": f"Colour={colour}", "quantity": "1"}
    return Draft(
        goal=_say(draw, ADD, name, colour.lower()),
        setup=setup,
        probes={"line": where(CART, **wanted), "cart": f"content query --uri {CART}"},
        check=(rows("line", 1), rows("cart", 1)),
        plan=(*_search(name), tap(name), switch(colour, True), commit("Add to cart")),
        level=3,
        max_steps=MAX_STEPS,
    )


CHECKOUT = (
    "Put the {} into the cart at {} and go to the checkout",
    "I want to buy the {} on {}: take me to the checkout",
    "At {1}, add the {0} to the cart and proceed to checkout",
)


def checkout(draw: Draw) -> Draft:
    """From the search to the form that asks for the address."""
    names, setup = _stock(draw, draw.own(KINDS), 3)
    name = draw.any(names)
    return Draft(
        goal=_say(draw, CHECKOUT, name),
        setup=setup,
        probes={
            "page": LAST_PAGE,
            "line": where(CART, product_id=_number(name), quantity="1"),
            "cart": f"content query --uri {CART}",
        },
        check=(_last_page_is("checkout"), rows("line", 1), rows("cart", 1)),
        plan=(
            *_search(name),
            tap(name),
            commit("Add to cart"),
            tap("#cart"),
            tap("Checkout"),
        ),
        level=3,
        max_steps=MAX_STEPS,
    )


def _say(draw: Draw, phrasings: tuple[str, ...], *words: str) -> str:
    return draw.any(phrasings).format(*words, SHOP)

"""Changing what lies in the cart of a shop; things are described, not named."""

from __future__ import annotations

from distrl.tasks.templates import Draft, Draw, commit, rows, tap, where
from distrl.tasks.web_shopping.buying import COUNTS
from distrl.tasks.web_shopping.goods import (
    CART,
    MAKERS,
    MAX_STEPS,
    PLACES,
    WHOLE_CART,
    Ware,
    any_shop,
    kind_at,
    stock,
)
from distrl.tasks.web_shopping.shops import Shop


def _filled(draw: Draw, shop: Shop, maker: str, places: list[int]) -> list[Ware]:
    """One product each of several kinds, at rising prices."""
    prices = sorted(draw.some(range(11, 89), len(places)))
    return [
        Ware(shop, who, kind_at(shop, place), f"{price}.00")
        for place, who, price in zip(
            places,
            (maker, *draw.some([m for m in MAKERS if m != maker], len(places) - 1)),
            prices,
            strict=True,
        )
    ]


CHANGED = (
    "I no longer want {} from {}: take it out of the cart",
    "My cart at {1} contains {0}. Take that out",
)
UNSEEN_CHANGED = ("On second thoughts I can do without {}, which is still in my cart at {}",)


def drop(draw: Draw) -> Draft:
    """Take one thing, which is described, out of the cart."""
    shop = any_shop(draw)
    place, maker = draw.pair(PLACES, MAKERS)
    wares = _filled(draw, shop, maker, [place, *draw.some([other for other in PLACES if other != place], 2)])
    chosen = wares[0]
    return Draft(
        goal=draw.say(CHANGED, UNSEEN_CHANGED).format(shop.kinds[chosen.kind], shop.name),
        setup=(*stock(draw, wares), *(ware.lay(1) for ware in draw.mixed(wares))),
        probes={"line": where(CART, product_id=chosen.number), "cart": WHOLE_CART},
        check=(rows("line", 0), rows("cart", 2)),
        plan=(*shop.enter(), tap(shop.cart), commit("#remove", within=chosen.name)),
        level=3,
        max_steps=MAX_STEPS,
        distinct=chosen.number,
    )


TOO_DEAR = {
    True: (
        "My cart at {} is too expensive: take out what costs most",
        "Relieve my cart at {} of its dearest thing",
    ),
    False: ("Take the cheapest thing out of my cart at {}", "Take what costs least out of my cart at {}"),
}
UNSEEN_TOO_DEAR = {
    True: ("Drop the priciest thing from my cart at {}",),
    False: ("Drop the smallest expense from my cart at {}",),
}
AMONG = ("", " and leave the rest", ", nothing else", ", please", " for me")


def drop_most(draw: Draw) -> Draft:
    """Take the dearest or the cheapest thing out of the cart."""
    shop = any_shop(draw)
    place, maker, dearest = draw.triple(PLACES, MAKERS, (True, False))
    wares = _filled(draw, shop, maker, [place, *draw.some([other for other in PLACES if other != place], 2)])
    chosen = wares[-1] if dearest else wares[0]
    return Draft(
        goal=draw.say(TOO_DEAR[dearest], UNSEEN_TOO_DEAR[dearest]).format(shop.name) + draw.any(AMONG),
        setup=(*stock(draw, wares), *(ware.lay(1) for ware in draw.mixed(wares))),
        probes={"gone": where(CART, product_id=chosen.number), "cart": WHOLE_CART},
        check=(rows("gone", 0), rows("cart", 2)),
        plan=(*shop.enter(), tap(shop.cart), commit("#remove", within=chosen.name)),
        level=3,
        max_steps=MAX_STEPS,
        distinct=chosen.number,
    )


RAISE = (
    "My cart at {1} contains {0}, but only once: make it {2}",
    "There has to be more of one thing in my cart at {1}: {0}. I need {2}",
)
UNSEEN_RAISE = ("Too little in my cart at {1}: {0}, I wanted {2}",)


def recount(draw: Draw) -> Draft:
    """Another number of one thing in the cart."""
    shop = any_shop(draw)
    place, maker, count = draw.triple(PLACES, MAKERS, tuple(COUNTS))
    wares = _filled(draw, shop, maker, [place, draw.any([other for other in PLACES if other != place])])
    chosen = wares[0]
    words = draw.any(COUNTS[count][:2])
    return Draft(
        goal=draw.say(RAISE, UNSEEN_RAISE).format(shop.kinds[chosen.kind], shop.name, words),
        setup=(*stock(draw, wares), *(ware.lay(1) for ware in draw.mixed(wares))),
        probes={"line": chosen.in_cart(count), "other": wares[1].in_cart(1)},
        check=(rows("line", 1), rows("other", 1)),
        plan=(
            *shop.enter(),
            tap(shop.cart),
            *(commit("#more", within=chosen.name) for _ in range(count - 1)),
        ),
        level=3,
        max_steps=MAX_STEPS,
        distinct=chosen.number + str(count),
    )


EMPTY = (
    "I want nothing from {} any more: my cart there should be empty",
    "Throw everything out of my cart at {}",
)


def empty(draw: Draw) -> Draft:
    """Take everything out of the cart."""
    shop = any_shop(draw)
    place, maker = draw.pair(PLACES, MAKERS)
    wares = _filled(draw, shop, maker, [place, *draw.some([other for other in PLACES if other != place], 1)])
    first, second = (shop.kinds[ware.kind] for ware in wares)
    return Draft(
        goal=f"{draw.any(EMPTY).format(shop.name)}. It holds {first} and {second}",
        setup=(*stock(draw, wares), *(ware.lay(1) for ware in wares)),
        probes={"cart": WHOLE_CART, "first": where(CART, product_id=wares[0].number)},
        check=(rows("cart", 0), rows("first", 0)),
        plan=(*shop.enter(), tap(shop.cart), *(commit("#remove", within=ware.name) for ware in wares)),
        level=3,
        max_steps=MAX_STEPS,
        distinct=wares[0].number,
    )

"""What surrounds every page of a shop: its header, its search field, and what lies at the foot."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from distrl.simphone import draw
from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.apps.browser.shop.shop import Shop, cart_total, count_in_cart
from distrl.simphone.apps.browser.site import visit
from distrl.simphone.catalogue import money
from distrl.simphone.scene import IMAGE_BUTTON, LINEAR, MEDIUM, Message, Scene
from distrl.simphone.theme import Look
from distrl.simphone.widgets import BottomNav, Destination, Gap, SearchBar, Widget
from distrl.simphone.widgets.bars import place_badge


class HeaderIcon(msgspec.Struct, frozen=True, gc=False):
    """A button of a header, an icon without words; a number may sit on it."""

    icon: str
    name: str
    on_tap: Message
    badge: int = 0


class Header(msgspec.Struct, frozen=True):
    """A shop's own bar: its name, buttons without words, and perhaps one word to press at the end."""

    title: str
    icon: str
    on_home: Message
    buttons: Sequence[HeaderIcon] = ()
    word: str = ""
    on_word: Message | None = None
    style: str = "soft"

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.sp(18)) + 22

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        paper, ink = look.container, look.on_container
        if self.style == "strong":
            paper, ink = look.primary, look.on_primary
        elif self.style == "plain":
            paper, ink = look.card, look.text
        scene.fill(x, y, width, height, paper)
        right = x + width - 4
        if self.word:
            size = look.sp(14)
            wide = draw.text_width(self.word, size, MEDIUM) + 20
            right -= wide
            before = scene.inside(
                scene.add(LINEAR, right, y, wide, height, name="cart_word", tap=self.on_word)
            )
            top = y + (height - look.line_height(size)) // 2
            scene.label(right + 10, top, wide - 10, self.word, size, ink, MEDIUM)
            scene.parent = before
        for button in reversed(self.buttons):
            right -= 46
            scene.icon(right + 11, y + (height - 24) // 2, button.icon, 24, ink)
            node = scene.add(IMAGE_BUTTON, right, y, 46, height, name=button.name, tap=button.on_tap)
            before = scene.inside(node)
            if button.badge:
                place_badge(scene, right + 25, y + 6, str(button.badge))
            scene.parent = before
        scene.icon(x + 14, y + (height - 24) // 2, self.icon, 24, ink)
        box = scene.add(LINEAR, x, y, right - x, height, name="shop_name", tap=self.on_home)
        before = scene.inside(box)
        top = y + (height - look.line_height(look.sp(18))) // 2
        scene.label(x + 46, top, right - x - 50, self.title, look.sp(18), ink)
        scene.parent = before


class CartBar(msgspec.Struct, frozen=True, gc=False):
    """A bar at the foot that says what lies in the cart and leads there."""

    word: str
    detail: str
    icon: str
    on_tap: Message

    def height(self, look: Look, width: int) -> int:
        del width
        return look.line_height(look.title) + 32

    def place(self, scene: Scene, x: int, y: int, width: int, height: int) -> None:
        look = scene.look
        scene.fill(x, y, width, height, scene.paper)
        left, top, across, tall = x + 12, y + 4, width - 24, height - 10
        scene.fill(left, top, across, tall, look.primary, 12)
        before = scene.inside(scene.add(LINEAR, left, top, across, tall, name="cart_bar", tap=self.on_tap))
        scene.icon(left + 14, top + (tall - 22) // 2, self.icon, 22, look.on_primary)
        line = top + (tall - look.line_height(look.title)) // 2
        scene.label(left + 48, line, across // 2 - 48, self.word, look.title, look.on_primary, MEDIUM)
        scene.label(
            left + across // 2, line, across // 2 - 16, self.detail, look.title, look.on_primary, align=2
        )
        scene.parent = before


def header(shop: Shop, ctx: Ctx) -> Header:
    """The bar on top of every page of a shop."""
    layout = shop.layout
    count = count_in_cart(shop, ctx.data)
    buttons = []
    if layout.search == "icon":
        buttons.append(HeaderIcon("search", "search_icon", visit(shop.at("find"))))
    if layout.cart != "bottom":
        buttons.append(HeaderIcon("favorite_border", "saved_items", visit(shop.at("saved"))))
    cart = visit(shop.at("cart"))
    if layout.cart == "header":
        buttons.append(HeaderIcon(layout.cart_icon, "cart", cart, count))
    word = f"{shop.words.cart} ({count})" if layout.cart == "word" else ""
    return Header(shop.name, shop.icon, visit(shop.at()), buttons, word, cart, layout.header)


def search_field(shop: Shop, text: str = "") -> SearchBar:
    """The field in which one writes what to look for."""
    return SearchBar("q", shop.words.search, text, on_submit=("search",))


def top_of_page(shop: Shop, ctx: Ctx, text: str = "") -> list[Widget]:
    """Header and, where the shop has it there, the search field."""
    top: list[Widget] = [header(shop, ctx)]
    return [*top, search_field(shop, text) if shop.layout.search == "top" else Gap(8)]


def bottom(shop: Shop, ctx: Ctx, address: Address) -> Widget | None:
    """What lies at the foot: navigation, or the cart."""
    count = count_in_cart(shop, ctx.data)
    here = address.part(0)
    if shop.layout.cart == "bar" and here in ("", "search", "product", "saved", "departments"):
        total = money(cart_total(shop, ctx.data, ctx.world))
        detail = f"{count} · {total}" if count else "Empty"
        return CartBar(shop.words.cart, detail, shop.layout.cart_icon, visit(shop.at("cart")))
    if shop.layout.cart != "bottom":
        return None
    middle = (
        Destination("Search", "search", visit(shop.at("find")))
        if shop.layout.search == "page"
        else Destination("Departments", "category", visit(shop.at("departments")))
    )
    places = [
        Destination("Home", "storefront", visit(shop.at())),
        middle,
        Destination(shop.words.saved, "favorite", visit(shop.at("saved"))),
        Destination(shop.words.cart, shop.layout.cart_icon, visit(shop.at("cart")), count),
    ]
    number = {"": 0, "find": 1, "departments": 1, "search": 1, "product": 1, "saved": 2}.get(here, 3)
    return BottomNav(places, number)

"""Ordering and limiting results, in each of the ways that shops do it: chips, tabs, menus, sheets, pages."""

from __future__ import annotations

from distrl.simphone.apps.browser.address import Address
from distrl.simphone.apps.browser.data import Ctx
from distrl.simphone.apps.browser.shop.find import Group, limits, results
from distrl.simphone.apps.browser.shop.frame import header
from distrl.simphone.apps.browser.shop.shop import Shop
from distrl.simphone.apps.browser.site import visit, window
from distrl.simphone.widgets import (
    Across,
    BottomSheet,
    Button,
    Chip,
    Chips,
    Menu,
    Row,
    SectionHeader,
    Surface,
    Tabs,
    Text,
    Widget,
)

LONG_LIMITS = ("brand", "size", "colour", "category")
FEW = 4
"""Up to so many values are chips of their own in a bar; more, and lists that grow, need a window."""


def set_limits(shop: Shop, address: Address) -> int:
    """How many limits are set."""
    return sum(1 for key in shop.filters if address.query.get(key))


def _is_set(address: Address, key: str, value: str) -> bool:
    return address.query.get(key) == value


def refine_bar(shop: Shop, ctx: Ctx, address: Address) -> list[Widget]:
    """What stands over the results."""
    bar: list[Widget] = []
    chips = _sort_chips(shop, address) + _filter_chips(shop, ctx, address)
    if shop.layout.sorting == "tabs":
        now = address.query.get("sort", "")
        tabs = tuple((shop.sort_word(key), ("sort", key)) for key in shop.sorts)
        bar.append(Tabs(tabs, shop.sorts.index(now) if now in shop.sorts else 0))
    if chips:
        bar.append(Chips(chips, "result_chips", wrap=True))
    return bar


def _sort_chips(shop: Shop, address: Address) -> list[Chip]:
    now = address.query.get("sort", "")
    match shop.layout.sorting:
        case "chips":
            return [Chip(shop.sort_word(key), ("sort", key), key == now) for key in shop.sorts]
        case "sheet":
            return [Chip(f"{shop.words.sort}: {shop.sort_word(now)}", window("sort"), False, "sort")]
        case "menu":
            return [
                Chip(f"{shop.words.sort}: {shop.sort_word(now)}", window("sort"), False, "arrow_drop_down")
            ]
    return []


def _filter_chips(shop: Shop, ctx: Ctx, address: Address) -> list[Chip]:
    count = set_limits(shop, address)
    word = f"{shop.words.filter} ({count})" if count else shop.words.filter
    match shop.layout.filters:
        case "sheet":
            return [Chip(word, window("filter"), bool(count), "tune")]
        case "page":
            return [Chip(word, visit(Address(shop.host, ("refine",), address.query)), bool(count), "tune")]
    chips: list[Chip] = []
    for key, title, values in limits(shop, ctx, address):
        if key in LONG_LIMITS or len(values) > FEW:
            now = address.query.get(key, "")
            shown = f"{title}: {dict(values).get(now, now)}" if now else title
            chips.append(Chip(shown, window(f"limit_{key}"), bool(now), "arrow_drop_down"))
        else:
            chips += [Chip(label, ("limit", key, v), _is_set(address, key, v)) for v, label in values]
    return chips


def _group_rows(shop: Shop, address: Address, group: Group) -> list[Widget]:
    """A group of limits in a sheet: chips, or a switch where there is only yes and no."""
    del shop
    key, title, values = group
    if len(values) == 1:
        value, label = values[0]
        checked = _is_set(address, key, value)
        return [Row(title=label, trailing="switch", checked=checked, on_tap=("limit", key, value))]
    chips = [Chip(label, ("limit", key, value), _is_set(address, key, value)) for value, label in values]
    return [SectionHeader(title), Chips(chips, f"limit_{key}", wrap=True)]


def _sort_rows(shop: Shop, address: Address) -> list[Row]:
    now = address.query.get("sort", "")
    return [
        Row(title=shop.sort_word(key), trailing="radio", checked=now == key, on_tap=("sort", key))
        for key in shop.sorts
    ]


def build_refine(shop: Shop, ctx: Ctx, address: Address) -> list[Widget]:
    """A page of its own for limits (and, in some shops, the order)."""
    body: list[Widget] = [header(shop, ctx), Text(shop.words.filter, 20, pad_y=10)]
    if shop.layout.sorting == "page":
        body += [SectionHeader(shop.words.sort), *_sort_rows(shop, address)]
    for key, title, values in limits(shop, ctx, address):
        body.append(SectionHeader(title))
        body += [
            Row(title=label, trailing="checkbox", checked=_is_set(address, key, v), on_tap=("limit", key, v))
            for v, label in values
        ]
    return body


def refine_foot(shop: Shop, ctx: Ctx, address: Address) -> Widget:
    """The buttons under the page of limits, always in sight."""
    count = len(results(shop, ctx, Address(shop.host, ("search",), address.query)))
    clear = Button(shop.words.clear, ("clear_limits",), "outlined")
    return Across([clear, Button(f"{shop.words.show} ({count})", ("show",))])


def build_window(shop: Shop, ctx: Ctx, address: Address, name: str) -> Surface | None:
    """The windows over the results: order and limits; None if it is none of these."""
    if name == "sort":
        if shop.layout.sorting == "menu":
            return Menu([(shop.sort_word(key), ("sort", key)) for key in shop.sorts], top=150, right=120)
        return BottomSheet(_sort_rows(shop, address), shop.words.sort + " by")
    groups = limits(shop, ctx, address)
    if name.startswith("limit_"):
        group = next((group for group in groups if f"limit_{group[0]}" == name), None)
        if group is None:
            return None
        key, title, values = group
        rows = [
            Row(
                title=label, trailing="radio", checked=_is_set(address, key, v), on_tap=("only_limit", key, v)
            )
            for v, label in values
        ]
        return BottomSheet([*rows, Row(title=f"Any {title.lower()}", on_tap=("only_limit", key, ""))], title)
    if name != "filter":
        return None
    children = [widget for group in groups for widget in _group_rows(shop, address, group)]
    buttons = [Button(shop.words.clear, ("clear_limits",), "outlined"), Button(shop.words.show, ("@back",))]
    return BottomSheet([*children, Across(buttons)], shop.words.filter)

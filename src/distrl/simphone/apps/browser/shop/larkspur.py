"""Larkspur Market: a list-minded general store."""

from __future__ import annotations

from distrl.simphone.apps.browser.shop.shop import Shop
from distrl.simphone.apps.browser.shop.site import shop_site

LARKSPUR_SHOP = Shop(
    host="larkspur.market",
    name="Larkspur Market",
    icon="local_florist",
    about="Everyday things, delivered. Clothing, shoes, electronics, books and more.",
    slogan="Deal of the day",
)
LARKSPUR = shop_site(LARKSPUR_SHOP)

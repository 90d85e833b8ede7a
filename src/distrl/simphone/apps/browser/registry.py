"""The web sites that exist. To add one, import it here and put it into CONTENT."""

from __future__ import annotations

from distrl.simphone.apps.browser.almanack import ALMANACK
from distrl.simphone.apps.browser.courier import COURIER
from distrl.simphone.apps.browser.search import search_site
from distrl.simphone.apps.browser.shop.shops import SHOPS
from distrl.simphone.apps.browser.shop.site import shop_site
from distrl.simphone.apps.browser.site import Site

CONTENT: tuple[Site, ...] = (*(shop_site(shop) for shop in SHOPS), COURIER, ALMANACK)
"""What can be found on the web."""

SITES: tuple[Site, ...] = (*CONTENT, search_site(CONTENT))

BY_HOST: dict[str, Site] = {site.host: site for site in SITES}

"""The web sites that exist. To add one, import it here and put it into SITES."""

from __future__ import annotations

from distrl.simphone.apps.browser.shop.larkspur import LARKSPUR
from distrl.simphone.apps.browser.site import Site

SITES: tuple[Site, ...] = (LARKSPUR,)

BY_HOST: dict[str, Site] = {site.host: site for site in SITES}

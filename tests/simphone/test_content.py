"""The apps' tables through `content`, as far as the cost of using them goes."""

from __future__ import annotations

from distrl.simphone import Phone
from distrl.simphone.catalogue import catalogue


def test_inserting_a_row_does_not_invent_the_shops_catalogues() -> None:
    phone = Phone(1)
    phone.shell("simphone world 918273")
    before = catalogue.cache_info().misses
    uri = "content://com.simphone.browser/products"
    inserted = phone.shell(f"content insert --uri {uri} --bind shop:s:voltaic.store --bind name:s:Lamp")
    assert inserted.code == 0
    assert catalogue.cache_info().misses == before
    assert "name=Lamp" in phone.shell(f"content query --uri {uri} --where \"name='Lamp'\"").stdout

"""How a part's process deals with its memory: which garbage it looks for, and what it gives back."""

from __future__ import annotations

import ctypes
import gc
from functools import cache

ALLOCATIONS = 50_000  # between two searches for young garbage; Python's own 700 suits smaller programs
GIVE_BACK_EVERY_S = 30.0


def spare_collections() -> None:
    """Search for garbage less often, and never in what stays for a part's whole life, imports above all.

    With torch loaded a full search takes a sixth of a second, in which no device is served; nearly everything
    that parts allocate is freed without one.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS, 20, 20)


def give_back() -> None:
    """Hand pages that hold nothing any more back to the system; takes milliseconds, without Python's lock.

    Pictures and arrays of all sizes come and go for hours, and the C library keeps the gaps between them:
    400 MB in a worker of 64 phones after 95,000 steps, a quarter of its size, and growing.
    """
    trim = _malloc_trim()
    if trim is not None:
        trim(0)


@cache
def _malloc_trim() -> ctypes._NamedFuncPointer | None:
    """The function of GNU's C library; other systems have none, and look after this themselves."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    trim.argtypes, trim.restype = [ctypes.c_size_t], ctypes.c_int
    return trim

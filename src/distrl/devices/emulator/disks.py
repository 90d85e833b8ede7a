"""What a copied virtual disk must forget: the folder that it was copied from.

An AVD's disks are qcow2 overlays. Such a file names the file below it by its full path, in its first cluster:
magic, version (u32), offset (u64) and length (u32) of that name, then log2 of the cluster's size (u32).
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER = struct.Struct(">4sIQII")
_MAGIC = b"QFI\xfb"


def base_of(overlay: Path) -> str:
    """The path of the file that an overlay lies on; empty if it lies on none or is no overlay."""
    with overlay.open("rb") as file:
        start = file.read(_HEADER.size)
        if len(start) < _HEADER.size or not start.startswith(_MAGIC):
            return ""
        _, _, offset, length, _ = _HEADER.unpack(start)
        if not offset:
            return ""
        file.seek(offset)
        return file.read(length).decode()


def move_base(overlay: Path, before: str, after: str) -> bool:
    """Let an overlay lie on the same file in another folder; False if it does not lie on one in `before`."""
    base = base_of(overlay)
    if not base.startswith(before + "/"):
        return False
    name = (after + base[len(before) :]).encode()
    with overlay.open("r+b") as file:
        _, _, offset, _, cluster_bits = _HEADER.unpack(file.read(_HEADER.size))
        if offset + len(name) > 1 << cluster_bits:  # the name is the last thing in the first cluster
            raise OSError(f"{overlay} has no room for the name {name.decode()}")
        file.seek(offset)
        file.write(name)
        file.seek(16)
        file.write(struct.pack(">I", len(name)))
    return True

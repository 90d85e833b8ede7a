"""`if … then … else … fi` in a line of the shell."""

from __future__ import annotations

from typing import NamedTuple

Parts = list[tuple[str, list[str]]]
"""Pipelines in order, each with the operator that follows it."""


class Branches(NamedTuple):
    """One `if`: what decides, what is run then and otherwise, and where the line goes on."""

    condition: Parts
    then: Parts
    otherwise: Parts
    after: int
    joined_by: str


def read_if(parts: Parts, start: int) -> Branches:
    """The `if` that starts at a place; raises ValueError where it does not end."""
    sections: dict[str, Parts] = {"if": [], "then": [], "else": []}
    section, depth = "if", 0
    for place in range(start, len(parts)):
        joined_by, words = parts[place]
        first = words[0] if words else ""
        if place == start or (depth == 0 and first in ("then", "else")):
            section, words = first, words[1:]
            depth += words[:1] == ["if"]
        elif first == "if":
            depth += 1
        elif first == "fi" and depth == 0:
            return Branches(sections["if"], sections["then"], sections["else"], place + 1, joined_by)
        elif first == "fi":
            depth -= 1
        if words:
            sections[section].append((joined_by, words))
    raise ValueError("unexpected end of file, 'fi' is missing")

"""A line of the shell as words and the operators between them; what was quoted is never an operator."""

from __future__ import annotations

import re

STATUS = "\ue000?"
"""Stands for `$?` in a word, until the status of the command before is known."""

UNTERMINATED = "unterminated quoted string"
_BLANK = re.compile(r"[ \t\r]+")
_OPERATOR = re.compile(r"[12]?>&[12]|(?:[12]|&)?>>?|<|&&|\|\||[;&|\n]")
_BARE = re.compile(r"[^\s'\"\\;&|<>]+")
_ESCAPED = re.compile(r'\\(["\\$`])')


class Operator(str):
    """A sign that joins or redirects commands: `;`, `&&`, `||`, `&`, `|`, `>`, `>>`, `2>`, `<`…"""

    __slots__ = ()


def split(line: str) -> list[str]:
    """The words and operators of a line; raises ValueError where a quotation does not end."""
    words: list[str] = []
    place = 0
    while place < len(line):
        blank = _BLANK.match(line, place)
        if blank is not None:
            place = blank.end()
            continue
        operator = _OPERATOR.match(line, place)
        if operator is not None:
            words.append(Operator(";" if operator[0] == "\n" else operator[0]))
            place = operator.end()
            continue
        word, place = _word(line, place)
        words.append(word)
    return words


def _word(line: str, place: int) -> tuple[str, int]:
    """The word that starts here, without its quotation marks, and where it ends."""
    parts: list[str] = []
    while place < len(line):
        sign = line[place]
        if sign == "'":
            end = line.find("'", place + 1)
            if end < 0:
                raise ValueError(UNTERMINATED)
            parts.append(line[place + 1 : end])
            place = end + 1
        elif sign == '"':
            end = _closing_quote(line, place + 1)
            parts.append(_ESCAPED.sub(r"\1", line[place + 1 : end].replace("$?", STATUS)))
            place = end + 1
        elif sign == "\\":
            parts.append(line[place + 1 : place + 2])
            place += 2
        else:
            bare = _BARE.match(line, place)
            if bare is None:
                break
            parts.append(bare[0].replace("$?", STATUS))
            place = bare.end()
    return "".join(parts), place


def _closing_quote(line: str, place: int) -> int:
    while place < len(line):
        if line[place] == "\\":
            place += 2
        elif line[place] == '"':
            return place
        else:
            place += 1
    raise ValueError(UNTERMINATED)

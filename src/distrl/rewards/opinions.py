"""From what a model said to an opinion: one verdict line at the very end, or none at all."""

from __future__ import annotations

import re
from typing import NamedTuple

from distrl.records import Outcome

LONGEST_REASON = 600  # characters of the reasoning that are kept as evidence

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_LINE = re.compile(r"[*_`# ]*VERDICT[*_` ]*:[*_` ]*(success|failure|unknown)[*_` ]*\.?[*_` ]*", re.IGNORECASE)
_MENTION = re.compile(r"^\W*VERDICT\W*:", re.IGNORECASE)


class Opinion(NamedTuple):
    """What one answer says, and why; UNKNOWN also when it does not say."""

    outcome: Outcome
    reason: str


def parse(text: str) -> Opinion:
    """The opinion in an answer; anything but exactly one well-formed verdict line at its end is UNKNOWN.

    Emphasis around the line, and thoughts in <think> before the answer, are let pass.
    """
    lines = [line.strip() for line in _THOUGHTS.sub("", text).splitlines() if line.strip()]
    if not lines:
        return Opinion(Outcome.UNKNOWN, "the model's answer is empty")
    found = _LINE.fullmatch(lines[-1])
    if found is None:
        return Opinion(Outcome.UNKNOWN, f"the answer does not end with a verdict: {shorten(lines[-1])}")
    if any(_MENTION.match(line) for line in lines[:-1]):
        return Opinion(Outcome.UNKNOWN, "the answer has more than one verdict")
    return Opinion(Outcome(found[1].lower()), shorten(" ".join(lines[:-1])) or "no reason was given")


def format_opinion(opinion: Opinion) -> str:
    """An answer that `parse` reads as this opinion."""
    return f"{opinion.reason}\nVERDICT: {opinion.outcome}"


def majority(opinions: list[Opinion], asked: int) -> Opinion | None:
    """What more than half of the samples asked for say; None while or where there is no such half.

    Samples that do not tell count for neither side, so a tie, or too few definite answers, is no verdict.
    """
    for outcome in (Outcome.SUCCESS, Outcome.FAILURE):
        agreeing = [opinion for opinion in opinions if opinion.outcome is outcome]
        if 2 * len(agreeing) > asked:
            return agreeing[0]
    return None


def shorten(text: str) -> str:
    """A text as short as evidence should be."""
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"

"""Action languages: what a model says, turned into an Action, and the other way round.

Languages are found by name through the entry points `distrl.languages`, so that a user's package can add one.
"""

from __future__ import annotations

from functools import cache
from typing import Protocol

from distrl import plugins
from distrl.agents.languages.own import OwnLanguage
from distrl.errors import ConfigError
from distrl.records import Action, Observation


class Language(Protocol):
    """A way to write actions as text; pure, and both directions agree."""

    @property
    def name(self) -> str:
        """What the language is called in a Decision."""

    def render(self, action: Action, observation: Observation) -> str:
        """The action as this language's text; raises PolicyError for what it has no words for."""

    def parse(self, text: str, observation: Observation) -> Action:
        """The action that a text means; text that means nothing becomes an INVALID action, never an error."""


def names() -> tuple[str, ...]:
    """What the installed languages are called, in alphabetical order."""
    return tuple(plugins.found("languages"))


@cache
def find(name: str) -> Language:
    """The language of this name; raises ConfigError when there is none."""
    known = names()
    if name not in known:
        listed = ", ".join(known) or "none: is distrl installed (pip install -e .)?"
        raise ConfigError(f"there is no action language {name!r}; known: {listed}")
    language: Language = plugins.find("languages", name)()
    return language


find_language = find  # for those who import the function without the module's name

__all__ = ["Language", "OwnLanguage", "find", "find_language", "names"]

"""Action languages: what a model says, turned into an Action, and the other way round."""

from __future__ import annotations

from typing import Protocol

from distrl.agents.languages.own import OwnLanguage
from distrl.errors import ConfigError
from distrl.records import Action, Observation


class Language(Protocol):
    """A way to write actions as text; pure, and both directions agree."""

    @property
    def name(self) -> str:
        """What the language is called in a Decision."""

    def render(self, action: Action, observation: Observation) -> str:
        """The action as this language's text."""

    def parse(self, text: str, observation: Observation) -> Action:
        """The action that a text means; text that means nothing becomes an INVALID action, never an error."""


LANGUAGES: dict[str, Language] = {language.name: language for language in (OwnLanguage(),)}


def find_language(name: str) -> Language:
    """The language of this name; raises ConfigError when there is none."""
    if name not in LANGUAGES:
        raise ConfigError(f"there is no action language {name!r}; known: {', '.join(LANGUAGES)}")
    return LANGUAGES[name]


__all__ = ["LANGUAGES", "Language", "OwnLanguage", "find_language"]

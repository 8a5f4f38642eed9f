"""A tagger that takes for names what it is told to."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.privacy.identifiers import Tagged
from noteeval_desktop.privacy.masking import IdentifierKind
from noteeval_desktop.privacy.names import words_of


class ScriptedTagger:
    """Every word of ``chances`` is so likely a person's name, no other is one."""

    def __init__(self, chances: dict[str, float]) -> None:
        self._chances = chances

    def tagged(self, texts: Sequence[str]) -> list[Tagged]:
        pages = [words_of(text) for text in texts]
        return [
            Tagged(words, tuple(self._chances.get(w.text, 0.0) for w in words), (IdentifierKind.PERSON,) * len(words))
            for words in pages
        ]

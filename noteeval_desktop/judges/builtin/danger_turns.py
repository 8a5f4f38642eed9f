"""Turns of a session, and what was heard in them of danger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.judges.builtin.danger_time import When
from noteeval_desktop.judges.builtin.danger_words import SENTENCE, Danger, straight
from noteeval_desktop.judges.builtin.session_index import Passage


class Blow(NamedTuple):
    """Who strikes whom, as "client", "child" and "other"; "any" where that is open."""

    doer: str
    victim: str


Topic = Danger | Blow


@dataclass(frozen=True)
class Heard:
    """``is_so``: affirmed or denied; ``faint``: enough to bear a claim out, not to condemn one; ``loose``: perhaps long
    ago."""

    topic: Topic
    is_so: bool
    when: When
    passage: int
    span: Span
    faint: bool = False
    loose: bool = False


@dataclass(frozen=True)
class HeardTurn:
    """``pieces`` are its texts, with straight apostrophes, each with the place that is cited for it."""

    role: Role
    pieces: tuple[tuple[int, str], ...]

    @cached_property
    def text(self) -> str:
        return " ".join(text for _, text in self.pieces)

    @property
    def start(self) -> tuple[int, Span]:
        """The first sentence: a yes or no."""
        index, text = self.pieces[0]
        found = SENTENCE.search(text)
        return index, Span(0, found.end() if found else len(text))

    def sentences(self) -> Iterator[tuple[int, int, str]]:
        """Each with its passage and where it starts there."""
        for index, text in self.pieces:
            for found in SENTENCE.finditer(text):
                yield index, found.start(), found.group()


def turns_of(passages: Sequence[Passage]) -> list[HeardTurn]:
    groups = groupby(enumerate(passages), key=lambda placed: placed[1].turn)
    return [
        HeardTurn(own[0][1].role, tuple((index, straight(passage.text)) for index, passage in own))
        for own in (tuple(group) for _, group in groups)
    ]

"""A session's clauses as they are heard: who he and she are, and what a short answer leaves to its question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.judges.builtin.misplaced_doers import NOBODY, Clause, Doer, clauses, resolved
from noteeval_desktop.judges.builtin.misplaced_names import names_of
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

Floats = NDArray[np.float32]
# How many passages back "she" may have been named.
_BACK = 5


@dataclass(frozen=True)
class Heard:
    """``vectors`` is (content words, dim); ``before`` (words, dim) of what an elliptic clause leaves unsaid."""

    passage: int
    clause: Clause
    vectors: Floats
    before: Floats


class Hearing:
    """Reads each passage of a session once, and only those that it is asked for."""

    def __init__(self, session: SessionIndex, lexicon: ClaimLexicon) -> None:
        self._session = session
        self._lexicon = lexicon
        self.names = names_of(session)
        self._clauses: dict[int, list[Clause]] = {}

    def heard(self, passages: Sequence[int]) -> list[Heard]:
        return [heard for index in passages for heard in self._passage(index)]

    def _passage(self, index: int) -> list[Heard]:
        found: list[Heard] = []
        earlier = self._named_before(index)
        asked, asked_vectors = self._question(index)
        vectors, before = self._session.word_vectors[index], asked_vectors
        for clause in self._clauses_of(index):
            whole = resolved(clause, earlier)
            if clause.doer is NOBODY and asked is not None and clause.first == 0:
                whole = replace(whole, doer=asked)
            if whole.doer.named:
                earlier.insert(0, whole.doer)
            own = vectors[list(clause.content)]
            found.append(Heard(index, whole, own, before))
            if clause.content:
                before = own if whole.asked else np.concatenate([asked_vectors, own])
        return found

    def _clauses_of(self, index: int) -> list[Clause]:
        if index not in self._clauses:
            passage = self._session.passages[index]
            self._clauses[index] = clauses(passage.text, passage.words, passage.role, self._lexicon, self.names)
        return self._clauses[index]

    def _question(self, index: int) -> tuple[Doer | None, Floats]:
        """Of whom the question before a passage asks, and its words' vectors."""
        passages = self._session.passages
        spoken_to = index > 0 and passages[index - 1].role is not passages[index].role
        asked = [clause for clause in self._clauses_of(index - 1) if clause.asked] if spoken_to else []
        if not asked:
            return None, self._session.pieces[:0]
        places = [place for clause in asked for place in clause.content]
        return asked[-1].doer, self._session.word_vectors[index - 1][places]

    def _named_before(self, index: int) -> list[Doer]:
        """Who was named, the latest first."""
        return [
            clause.doer
            for before in range(index - 1, max(-1, index - 1 - _BACK), -1)
            for clause in reversed(self._clauses_of(before))
            if clause.doer.named
        ]

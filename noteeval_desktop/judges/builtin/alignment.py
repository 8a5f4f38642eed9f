"""Where in the session a claim could come from: passages ranked by meaning and by shared words."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.judges.builtin.polarity import negated, strong_negations
from noteeval_desktop.judges.builtin.quantities import Quantity, quantities
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon, Word

Floats = NDArray[np.float32]
_CLAUSE = re.compile(r"[;:,]\s+|\s+(?:and|but|because|although|though|while|which|so that|due to|after|when)\s+")
_LISTED = re.compile(r"\W{0,3}\d{1,2}[.)](?=\s+\S)")
_CLAUSE_WORDS = 3
RECALL_WEIGHT = 0.35
NEAREST = 5


@dataclass(frozen=True)
class Claim:
    """A sentence of the note, read: its words, quantities, negations and clauses (one, if it has no parts)."""

    sentence: Sentence
    words: tuple[Word, ...]
    quantities: tuple[Quantity, ...]
    negations: tuple[int, ...]
    negated: frozenset[int]
    clauses: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def stems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word.stem for word in self.words if word.content))


def read_claim(sentence: Sentence, lexicon: ClaimLexicon) -> Claim:
    words = lexicon.words(sentence.text)
    return Claim(
        sentence=sentence,
        words=words,
        quantities=_told(sentence.text, quantities(sentence.text, words)),
        negations=strong_negations(words),
        negated=negated(words),
        clauses=_clauses(sentence.text),
    )


def _told(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """The quantities but for the number of a line in a list, "2. Call the school"."""
    listed = _LISTED.match(text)
    return tuple(one for one in found if listed is None or one.span.start >= listed.end())


def _clauses(text: str) -> tuple[str, ...]:
    """Pieces at commas and conjunctions; short ones stay with what went before."""
    pieces: list[str] = []
    for piece in _CLAUSE.split(text):
        if pieces and (len(piece.split()) < _CLAUSE_WORDS or len(pieces[-1].split()) < _CLAUSE_WORDS):
            pieces[-1] += " " + piece
        else:
            pieces.append(piece)
    return tuple(piece.strip() for piece in pieces if piece.strip()) or (text,)


@dataclass(frozen=True)
class Alignment:
    """``similarity`` and ``recall`` are (passages,); ``nearest`` ranks the closest; ``nearby`` adds their neighbours.

    ``recall`` is the share of the claim's words, weighted by rarity in the session, that a passage holds.
    """

    similarity: Floats
    window: Floats
    recall: Floats
    nearest: tuple[int, ...]
    nearby: frozenset[int]
    weights: tuple[tuple[str, float], ...]


def align(claim: Claim, vector: Floats, session: SessionIndex) -> Alignment:
    """``vector`` is the claim's embedding, (dim,), of unit length."""
    count = len(session.passages)
    similarity = session.vectors @ vector
    window = session.windows @ vector
    weights = [(stem, _rarity(count, len(session.by_stem.get(stem, ())))) for stem in claim.stems]
    recall = np.zeros(count, dtype=np.float32)
    for stem, weight in weights:
        recall[list(session.by_stem.get(stem, ()))] += weight
    recall /= max(sum(weight for _, weight in weights), 1e-6)
    score = np.maximum(similarity, 0.9 * window) + RECALL_WEIGHT * recall
    nearest = tuple(int(index) for index in np.argsort(-score, kind="stable")[:NEAREST])
    nearby = frozenset(near for index in nearest for near in range(max(0, index - 2), min(count, index + 3)))
    return Alignment(similarity, window, recall, nearest, nearby, tuple(weights))


def _rarity(passages: int, holding: int) -> float:
    return float(np.log1p(passages / (1.0 + holding)))

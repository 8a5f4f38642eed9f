"""The trained head: how surely a turn speaks of danger, which danger, and how it is meant.

One line a question over the vectors of a turn and of those beside it, its words and those of the one before it,
and cues. A short answer takes its danger from the question: the vector of what was said before it counts once more.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.risk import Stance
from noteeval_desktop.engines.bert import DIMENSIONS
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.files import arrays
from noteeval_desktop.judges.builtin.risk.talk import Talk, shifted

Floats = NDArray[np.float32]
STANCES = (Stance.CURRENT, Stance.PAST, Stance.DENIED, Stance.ASKED, Stance.OTHER_PERSON, Stance.HYPOTHETICAL)
# Words and their neighbours are counted in so many places; some share one.
PLACES = 1 << 15
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|\?")
_SHORT_ANSWER_WORDS = 10
# What each part of a row counts for beside the turn's own vector.
_BEFORE, _AFTER, _ASKED, _MARK, _KNOWN, _WORDS = 0.6, 0.4, 0.8, 0.3, 0.7, 2.0


@dataclass(frozen=True)
class Rows:
    """``dense`` (rows, inputs); of each row the places of its words and what each of them counts for."""

    dense: Floats
    places: Sequence[NDArray[np.int64]]
    counts: Floats


def rows_of(talk: Talk) -> Rows:
    """A row a turn."""
    before = shifted(talk.turns, -1)
    answers = (talk.surface[:, [3]] <= np.log1p(_SHORT_ANSWER_WORDS)) & (talk.surface[:, [0]] == 0)
    dense = [
        talk.turns,
        _BEFORE * before,
        _AFTER * shifted(talk.turns, 1),
        _ASKED * before * answers,
        _MARK * np.hstack([talk.surface, talk.cues, shifted(talk.cues, -1)]),
        _KNOWN * np.hstack([talk.known, shifted(talk.known, -1), shifted(talk.known, 1), talk.harmless]),
    ]
    said: list[list[str]] = [[] for _ in range(talk.count)]
    for owner, words in zip(talk.said.owner.tolist(), talk.said.words, strict=True):
        said[owner].append(words)
    own = [_grams(" ".join(words)) for words in said]
    told = zip(own, [set(), *own[:-1]], strict=True) if own else ()
    return _rows(np.hstack(dense), [{*now, *(f"< {one}" for one in then)} for now, then in told])


def alone(vectors: Floats, texts: Sequence[str], inputs: int) -> Rows:
    """Sentences (folded) as turns that nothing stands beside."""
    dense = np.zeros((len(texts), inputs), dtype=np.float32)
    dense[:, :DIMENSIONS] = vectors
    return _rows(dense, [_grams(text) for text in texts])


def _grams(folded: str) -> set[str]:
    words = ["^", *_WORD.findall(folded)]
    near = pairwise(words)
    apart = zip(words, words[2:], strict=False)
    return {*words, *(f"{one} {other}" for one, other in near), *(f"{one} _ {other}" for one, other in apart)}


def _rows(dense: Floats, grams: Sequence[set[str]]) -> Rows:
    places = [np.unique([zlib.crc32(one.encode()) % PLACES for one in own]).astype(np.int64) for own in grams]
    counts = np.array([_WORDS / np.sqrt(max(len(own), 4)) for own in places], dtype=np.float32)
    return Rows(dense.astype(np.float32), places, counts)


@dataclass(frozen=True)
class Straight:
    """Log-odds or, of several classes, shares: ``weights`` is (classes, inputs), ``words`` (classes, PLACES), ``bias``
    (classes,)."""

    weights: Floats
    words: Floats
    bias: Floats

    def odds(self, rows: Rows) -> Floats:
        """(rows, classes)"""
        told = [self.words[:, own].sum(axis=1) * count for own, count in zip(rows.places, rows.counts, strict=True)]
        words = np.array(told, dtype=np.float32).reshape(len(rows.dense), len(self.bias))
        return np.asarray(rows.dense @ self.weights.T + words + self.bias, dtype=np.float32)

    def shares(self, rows: Rows) -> Floats:
        odds = self.odds(rows)
        raised = np.exp(odds - odds.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)


@dataclass(frozen=True)
class Reading:
    """``danger`` (turns,) probabilities, ``kinds`` (turns, kinds) and ``stances`` (turns, STANCES) shares, ``margins``
    (sentences,) log-odds that a sentence means danger."""

    danger: NDArray[np.float64]
    kinds: Floats
    stances: Floats
    margins: Floats


@dataclass(frozen=True)
class Limits:
    """From which probability on a turn belongs to a stretch of danger (``possible``), a stretch is listed, and is
    warned of (``sure``)."""

    possible: float
    listed: float
    sure: float


@dataclass(frozen=True)
class RiskHead:
    danger: Straight
    kind: Straight
    stance: Straight
    limits: Limits
    fingerprint: str

    def reads(self, embedder: Embedder) -> bool:
        """Was it trained for this embedder?"""
        return embedder.fingerprint == self.fingerprint

    def read(self, talk: Talk) -> Reading:
        rows = rows_of(talk)
        sentences = alone(talk.sentences, talk.said.words, rows.dense.shape[1])
        danger = 1 / (1 + np.exp(-self.danger.odds(rows)[:, 0].astype(np.float64)))
        return Reading(danger, self.kind.shares(rows), self.stance.shares(rows), self.danger.odds(sentences)[:, 0])


def from_arrays(data: Mapping[str, NDArray[Any]]) -> RiskHead:
    def straight(name: str) -> Straight:
        return Straight(*(data[f"{name}_{part}"].astype(np.float32) for part in ("weights", "words", "bias")))

    danger, kind, stance = (straight(name) for name in ("danger", "kind", "stance"))
    return RiskHead(danger, kind, stance, Limits(*data["limits"].tolist()), str(data["fingerprint"]))


@cache
def risk_head() -> RiskHead | None:
    """The head that ships with the program; None in a build without it, where known words decide alone."""
    path = paths.resources() / "heads" / "risk.npz"
    if not path.is_file():
        return None
    return from_arrays(arrays(path))

"""Where a session speaks of what a claim tells, the claim's own value aside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.judges.builtin.features_claim import ClaimVectors
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

Floats = NDArray[np.float32]
# Word pieces of unlike words still lie this close; of the same word in a like sentence, that close.
UNLIKE = 0.35
ALIKE = 0.75
# What a word weighs of which the session never speaks, as "prescribed" and "daily": it cannot tell passages apart.
_UNHEARD = 0.5
# How far from a value the words lie that tell what it is of, and what those further off still count.
_REACH = 20.0
_FAR = 0.5
# An answer this short means nothing without what was said before it.
_SHORT = 8
# How many passages back that may be, and what their words count.
_BACK, _BEFORE = 2, 0.95


@dataclass(frozen=True)
class Anchor:
    """What a claim shares with each passage: ``match`` is (pieces of the claim, passages), 0 to 1; ``weights`` is
    (pieces,), 0 for those that tell nothing; ``starts`` is where the exchange begins that a passage ends."""

    names: Sequence[str]
    match: Floats
    weights: Floats
    starts: tuple[int, ...]

    def scores(self, without: Iterable[str] = (), around: int | None = None) -> Floats:
        """(passages,), 0 to 1: the share of the claim's words, rare ones counting more, that a passage speaks of.

        Those nearer to the word piece ``around`` count more, where one is given.
        """
        left_out = frozenset(without)
        keep = np.array([name not in left_out for name in self.names], dtype=np.float32) * self.weights
        if around is not None:
            away = np.abs(np.arange(len(self.names), dtype=np.float32) - around)
            keep *= np.clip(1.0 - away / _REACH, _FAR, 1.0)
        return np.asarray(keep @ self.match / max(float(keep.sum()), 1e-6), dtype=np.float32)


def anchor(own: ClaimVectors, session: SessionIndex, lexicon: ClaimLexicon) -> Anchor:
    """A short answer is read with the question before it, and with what came before that if it is short too."""
    count = len(session.passages)
    alone = np.zeros((len(own.names), count), dtype=np.float32)
    alone[:, session.spoken[0]] = own.near
    alone = np.clip((alone - UNLIKE) / (ALIKE - UNLIKE), 0.0, 1.0)
    starts = session.once(_start, lambda: tuple(_start(index, session) for index in range(count)))
    match = alone.copy()
    for back in range(1, _BACK + 1):
        after = np.array([index for index, start in enumerate(starts) if start <= index - back], dtype=np.intp)
        match[:, after] = np.maximum(match[:, after], _BEFORE * alone[:, after - back])
    rarity = [np.log((count + 1) / (1 + session.holding.get(name, 0))) + 0.1 for name in own.names]
    tells = [name.isalpha() and name not in lexicon.stop for name in own.names]
    heard = _UNHEARD + (1.0 - _UNHEARD) * alone.max(axis=1)
    weights = np.array(rarity, dtype=np.float32) * np.array(tells, dtype=np.float32) * heard
    return Anchor(own.names, match, weights, starts)


def _start(index: int, session: SessionIndex) -> int:
    """The first passage that belongs to what the passage at ``index`` answers."""
    start = index
    while start and index - start < _BACK:
        passage, before = session.passages[start], session.passages[start - 1]
        asked = before.text.rstrip().endswith("?")
        if before.role is passage.role or not (asked or len(passage.words) <= _SHORT):
            break
        start -= 1
    return start

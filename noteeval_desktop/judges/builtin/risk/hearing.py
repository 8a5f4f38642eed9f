"""How a session is heard: turn by turn, each behind what was said before it. Is a danger spoken of, which, how meant?

The sentence encoder with layers of its own reads them (``listener.npz``; ``python -m models.training listener``).
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.engines.reader import LISTENER
from noteeval_desktop.judges.builtin.learned import arrays, logit, sigmoid
from noteeval_desktop.judges.builtin.session_index import passage_spans

KINDS = tuple(RiskKind)
STANCES = (Stance.CURRENT, Stance.PAST, Stance.DENIED, Stance.ASKED, Stance.OTHER_PERSON, Stance.HYPOTHETICAL)
# What the listener says of a pair: log-odds of danger, then of each kind, then of each stance.
OUTPUTS = 1 + len(KINDS) + len(STANCES)
_BEFORE_TURNS, _BEFORE_WORDS = 2, 28
# A therapist is read beside what is as likely to tell of danger as not.
_MAY_TELL = 0.5
# The log-odds of danger of a turn that was not read.
_UNHEARD = -5.0
# A turn of more words is read in passages.
_LONG = 80


@dataclass(frozen=True)
class Reading:
    """``danger`` (turns,) probabilities, ``kinds`` (turns, kinds) and ``stances`` (turns, STANCES) shares."""

    danger: NDArray[np.float64]
    kinds: NDArray[np.float64]
    stances: NDArray[np.float64]


def listens(embedder: Embedder | None) -> bool:
    """Was the listener trained upon this encoder?"""
    return embedder is not None and embedder.fingerprint == trained_upon()


@cache
def trained_upon() -> str:
    """The encoder's fingerprint. Raises ModelError."""
    return str(arrays(paths.resources() / "heads" / LISTENER)["encoder"])


def spoken(role: Role, text: str) -> str:
    """A turn as the listener reads it: whoever is not the therapist counts as a client."""
    return f"{'Therapist' if role is Role.THERAPIST else 'Client'}: {text}"


def said_before(turns: Sequence[Turn], place: int, most: int = _BEFORE_TURNS) -> str:
    """The last words of the two turns before ``place``, or of at ``most`` so many."""
    before = " ".join(spoken(turn.role, turn.text) for turn in turns[max(0, place - most) : place])
    return " ".join(before.split()[-_BEFORE_WORDS:])


def pairs_of(turns: Sequence[Turn]) -> Iterator[tuple[int, tuple[str, str]]]:
    """Each turn's place with what was said before it and its words, those of a long one passage by passage."""
    for place, turn in enumerate(turns):
        before = said_before(turns, place)
        long = len(turn.text.split()) > _LONG
        for text in [span.of(turn.text) for span in passage_spans(turn.text)] if long else [turn.text]:
            yield place, (before, spoken(turn.role, text))


def hear(
    turns: Sequence[Turn], known: Collection[int], embedder: Embedder, cancel: threading.Event | None = None
) -> Reading:
    """``known``: turns with known words. A therapist's other turns are read only beside talk that may tell of danger:
    the question is heard with its answer anyway. Raises Cancelled, ModelError."""
    pairs = list(pairs_of(turns))
    logits = np.full((len(pairs), OUTPUTS), _UNHEARD, dtype=np.float32)

    def listen(to: Collection[int]) -> Reading:
        rows = [row for row, (place, _) in enumerate(pairs) if place in to]
        if rows:
            logits[rows] = embedder.listen([pairs[row][1] for row in rows], cancel)
        return reading_of(np.array([place for place, _ in pairs]), logits)

    first = {place for place, turn in enumerate(turns) if turn.role is not Role.THERAPIST or place in known}
    telling = {*known, *np.flatnonzero(listen(first).danger >= _MAY_TELL).tolist()}
    return listen({by + place for place in telling for by in (-1, 1)} - first)


def danger_in(pairs: Sequence[tuple[str, str]], embedder: Embedder) -> NDArray[np.float64]:
    """(pairs,) how likely each tells of a danger."""
    return sigmoid(embedder.listen(pairs)[:, 0])


def reading_of(places: NDArray[np.int64], logits: NDArray[np.float32]) -> Reading:
    """Of each turn what is said of its gravest passage; ``places`` has every turn at least once."""
    order = np.lexsort((-logits[:, 0], places))
    gravest = logits[order[np.unique(places[order], return_index=True)[1]]].astype(float)
    kinds, stances = gravest[:, 1 : 1 + len(KINDS)], gravest[:, 1 + len(KINDS) :]
    return Reading(sigmoid(gravest[:, 0]), _shares(kinds), _shares(stances))


def present(
    pairs: Sequence[tuple[str, str]], embedder: Embedder, cancel: threading.Event | None = None
) -> NDArray[np.float64]:
    """(pairs,) log-odds that each tells of a danger that is so now. Raises Cancelled, ModelError."""
    reading = reading_of(np.arange(len(pairs)), embedder.listen(pairs, cancel))
    return logit(reading.danger * reading.stances[:, STANCES.index(Stance.CURRENT)])


def _shares(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))

"""The trained head: how surely a turn speaks of danger, which danger, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.risk import Stance
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.files import arrays
from noteeval_desktop.judges.builtin.forest import Forest
from noteeval_desktop.judges.builtin.risk.talk import Talk, highest, shifted

Floats = NDArray[np.float32]
STANCES = (Stance.CURRENT, Stance.PAST, Stance.DENIED, Stance.ASKED, Stance.OTHER_PERSON, Stance.HYPOTHETICAL)
_QUIET = -6.0
_LEAST = 1e-3
_LOUDEST = 5


@dataclass(frozen=True)
class Straight:
    """Log-odds or, of several classes, shares: ``weights`` is (classes, inputs), ``bias`` (classes,)."""

    weights: Floats
    bias: Floats

    def odds(self, rows: Floats) -> Floats:
        """(rows, classes)"""
        return np.asarray(rows @ self.weights.T + self.bias, dtype=np.float32)

    def shares(self, rows: Floats) -> Floats:
        odds = self.odds(rows)
        raised = np.exp(odds - odds.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)


@dataclass(frozen=True)
class First:
    """What vectors alone say: of sentences whether they mean danger, of turns in their context that, its kind and its
    stance."""

    sentence: Straight
    turn: Straight
    kind: Straight
    stance: Straight


@dataclass(frozen=True)
class Leanings:
    """Rows for the second step, (turns, ...); ``margins`` (sentences,) log-odds of each sentence."""

    danger: Floats
    kind: Floats
    stance: Floats
    margins: Floats


@dataclass(frozen=True)
class Reading:
    """``danger`` (turns,) probabilities, ``kinds`` (turns, kinds) and ``stances`` (turns, STANCES) shares, ``margins``
    (sentences,) log-odds that a sentence means danger."""

    danger: NDArray[np.float64]
    kinds: Floats
    stances: Floats
    margins: Floats


def leanings(talk: Talk, first: First) -> Leanings:
    margins = first.sentence.odds(talk.sentences)
    sentence = highest(margins, talk.said.owner, talk.count, _QUIET)
    turn = first.turn.odds(talk.context)
    kinds = np.log(np.maximum(first.kind.shares(talk.context), _LEAST))
    stances = np.log(np.maximum(first.stance.shares(np.hstack([talk.context, talk.cues])), _LEAST))
    known = talk.known.max(axis=1, keepdims=True)
    core = np.hstack([sentence, turn, known])
    sure = 1 / (1 + np.exp(-turn))
    session = (sure * np.exp(kinds)).sum(axis=0, keepdims=True) / max(float(sure.sum()), 1e-6)
    loudest = np.sort(turn[:, 0])[-_LOUDEST:].mean() if talk.count else 0.0
    whole = np.tile(
        np.array([loudest, sure.mean() if talk.count else 0, known.mean() if talk.count else 0]), (talk.count, 1)
    )
    near = [shifted(core, by) for by in (-2, -1, 1, 2)]
    asked = [shifted(talk.cues, -1), talk.surface, shifted(talk.surface, -1)]
    return Leanings(
        np.hstack([core, talk.harmless, *near, talk.cues, talk.surface, talk.known, whole, np.exp(kinds)]),
        np.hstack(
            [
                kinds,
                talk.known,
                *(shifted(rows, by) for rows in (kinds, talk.known) for by in (-1, 1)),
                np.tile(np.log(session + _LEAST), (talk.count, 1)),
            ]
        ),
        np.hstack([stances, talk.cues, *asked, shifted(core, -1), shifted(core, 1), core, talk.known]),
        margins[:, 0],
    )


@dataclass(frozen=True)
class RiskHead:
    """A turn belongs to a stretch of danger from the probability ``possible`` on; one is warned of from ``sure`` on."""

    first: First
    danger: Forest
    kind: Straight
    stance: Straight
    possible: float
    sure: float
    fingerprint: str

    def reads(self, embedder: Embedder) -> bool:
        """Was it trained for this embedder?"""
        return embedder.fingerprint == self.fingerprint

    def read(self, talk: Talk) -> Reading:
        lean = leanings(talk, self.first)
        danger = self.danger.predict(lean.danger.astype(np.float64))
        return Reading(danger, self.kind.shares(lean.kind), self.stance.shares(lean.stance), lean.margins)


def from_arrays(data: Mapping[str, NDArray[Any]]) -> RiskHead:
    def straight(name: str) -> Straight:
        return Straight(data[f"{name}_weights"].astype(np.float32), data[f"{name}_bias"].astype(np.float32))

    first = First(*(straight(name) for name in ("sentence", "turn", "kind", "stance")))
    forest = Forest(*(data[f"danger_{name}"] for name in ("roots", "feature", "threshold", "left", "value")))
    possible, sure = data["limits"].tolist()
    kind, stance = straight("second_kind"), straight("second_stance")
    return RiskHead(first, forest, kind, stance, possible, sure, str(data["fingerprint"]))


@cache
def risk_head() -> RiskHead | None:
    """The head that ships with the program; None in a build without it, where known words decide alone."""
    path = paths.resources() / "heads" / "risk.npz"
    if not path.is_file():
        return None
    return from_arrays(arrays(path))

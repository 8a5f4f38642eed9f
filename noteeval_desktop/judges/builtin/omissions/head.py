"""How surely a passage of the session is missing from a note: the trained head, and what stands in for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.verdicts import OmissionKind
from noteeval_desktop.judges.builtin.learned import Forest, arrays
from noteeval_desktop.judges.builtin.omissions.features import Flags, Said, joined
from noteeval_desktop.judges.builtin.omissions.units import KINDS, Units

Floats = NDArray[np.float32]
_CLOSEST_KINDS = 3


@dataclass(frozen=True)
class Worth:
    """What therapists want in notes, whatever the note at hand says: ``weights`` and ``bias`` of a logistic head over
    ``Units.features``, and ``kinds`` (n, dim), unit vectors of the kinds of sentences that notes hold."""

    weights: Floats
    bias: float
    kinds: Floats

    def of(self, units: Units) -> Floats:
        """(passages,) log-odds."""
        return np.asarray(units.features @ self.weights + self.bias, dtype=np.float32)

    def likeness(self, units: Units) -> Floats:
        """(passages,) mean cosine with the closest kinds of sentences."""
        ordered = -np.sort(-(units.vectors @ self.kinds.T), axis=1)
        return np.asarray(ordered[:, :_CLOSEST_KINDS].mean(axis=1), dtype=np.float32)


@dataclass(frozen=True)
class OmissionHead:
    """``rank``: how surely a passage is what a note lacks, over ``joined`` features; ``kind_weights`` (KINDS, inputs)
    and ``kind_bias`` (KINDS,): what it is about, over ``Units.features``; ``threshold``: log-odds from where it is
    reported."""

    worth: Worth
    rank: Forest
    kind_weights: Floats
    kind_bias: Floats
    threshold: float
    fingerprint: str

    def kinds(self, units: Units) -> list[OmissionKind]:
        """What each passage is about."""
        best = (units.features @ self.kind_weights.T + self.kind_bias).argmax(axis=1)
        return [KINDS[number] for number in best.tolist()]

    def scores(self, said: Said, kept: Flags) -> Floats:
        """(passages,) log-odds for the note of the sentences that are ``kept``; minus infinity for what is not worth
        reporting."""
        units = said.talk.units
        features = joined(said.talk, said.features(kept), self.worth.of(units), self.worth.likeness(units))
        share = np.clip(self.rank.predict(features.astype(np.float64)), 1e-3, 1 - 1e-3)
        return _reportable(np.log(share / (1 - share)), said, kept)


@cache
def omission_head() -> OmissionHead | None:
    """The head that ships with the program, or None in a build without it."""
    path = paths.resources() / "heads" / "omissions.npz"
    if not path.is_file():
        return None
    data = arrays(path)
    worth = Worth(data["weights"], float(data["bias"]), data["kinds"].astype(np.float32))
    rank = Forest(*(data[f"rank_{name}"] for name in ("roots", "feature", "threshold", "left", "value")))
    return OmissionHead(
        worth, rank, data["kind_weights"], data["kind_bias"], float(data["threshold"]), str(data["fingerprint"])
    )


def scores_by_words(said: Said, kept: Flags) -> Floats:
    """The same without a trained head: what a passage is about, how much it says, and what the note says already."""
    units = said.talk.units
    kinds = np.array([len(found) for found in units.kinds], dtype=np.float32)
    return _reportable(-1.2 + 0.6 * kinds + 0.4 * units.surface[:, 2] - 3 * said.taken_up(kept), said, kept)


def _reportable(scores: Floats, said: Said, kept: Flags) -> Floats:
    scores = np.asarray(scores, dtype=np.float32)
    scores[said.unreportable(kept)] = -np.inf
    return scores

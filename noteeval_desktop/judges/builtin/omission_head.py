"""How surely a passage of the session is missing from a note: the trained head, and what stands in for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.judges.builtin.omission_features import Flags, Said, joined
from noteeval_desktop.judges.builtin.omission_units import Units

Floats = NDArray[np.float32]
_CLOSEST_KINDS = 3
# What a sentence of the note says already. Over TN-Eval, with heads that had not seen the conversation: without it the
# turn closest to a sentence is cited oftener while the sentence is in the note (0.70) than after it was taken out
# (0.62); with 2, 0.36 and 0.56; with 3, 0.23 and 0.51.
_TAKEN_UP = 3.0


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
    """``rank`` and ``offset``: log-odds that a passage is what a note lacks, over ``joined`` features; ``threshold``:
    from where it is reported."""

    worth: Worth
    rank: Floats
    offset: float
    threshold: float
    fingerprint: str

    def scores(self, said: Said, kept: Flags) -> Floats:
        """(passages,) log-odds for the note of the sentences that are ``kept``, less what these say already; minus
        infinity for what is not worth reporting."""
        units = said.talk.units
        features = joined(said.talk, said.features(kept), self.worth.of(units), self.worth.likeness(units))
        return _reportable(features @ self.rank + self.offset, said, kept)


def save(head: OmissionHead, path: Path) -> None:
    np.savez_compressed(
        path,
        weights=head.worth.weights,
        bias=head.worth.bias,
        kinds=head.worth.kinds.astype(np.float16),
        rank=head.rank,
        offset=head.offset,
        threshold=head.threshold,
        fingerprint=head.fingerprint,
    )


@cache
def omission_head() -> OmissionHead | None:
    """The head that ships with the program, or None in a build without it."""
    path = paths.resources() / "heads" / "omissions.npz"
    if not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as data:
        worth = Worth(data["weights"], float(data["bias"]), data["kinds"].astype(np.float32))
        return OmissionHead(
            worth, data["rank"], float(data["offset"]), float(data["threshold"]), str(data["fingerprint"])
        )


def scores_by_words(said: Said, kept: Flags) -> Floats:
    """The same without a trained head: what a passage is about and how much it says."""
    units = said.talk.units
    kinds = np.array([len(found) for found in units.kinds], dtype=np.float32)
    return _reportable(-1.2 + 0.6 * kinds + 0.4 * units.surface[:, 2], said, kept)


def _reportable(scores: Floats, said: Said, kept: Flags) -> Floats:
    scores = np.asarray(scores - _TAKEN_UP * said.taken_up(kept), dtype=np.float32)
    scores[said.unreportable(kept)] = -np.inf
    return scores

"""Two probabilities of a claim from its evidence: that the session bears it out, and that it says otherwise.

Everything else (verdict, word for confidence, order, colour) is a function of these two. Nothing overrules them: a
comparison of amounts or a reader's logit is evidence among other evidence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.verdicts import Confidence, Verdict
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.learned import Forest, arrays, logit, sigmoid

FILE = "support"
Floats = NDArray[np.float64]
LIMIT = 0.5


@dataclass(frozen=True)
class Calibrated:
    """A forest over the evidence whose log-odds ``slope`` and ``offset`` make a probability."""

    forest: Forest
    slope: float
    offset: float

    def leaning(self, rows: Floats) -> Floats:
        """(claims,) log-odds before calibration."""
        return logit(self.forest.predict(rows))

    def __call__(self, rows: Floats) -> Floats:
        """(claims,) probabilities."""
        return sigmoid(self.slope * self.leaning(rows) + self.offset)


@dataclass(frozen=True)
class Decision:
    """``names`` are the evidence's; ``otherwise`` and ``sure`` the probabilities from which on "contradicted" and
    "sure" are said; ``encoder`` fingerprints what the evidence was learned with."""

    names: tuple[str, ...]
    borne_out: Calibrated
    said_otherwise: Calibrated
    otherwise: float
    sure: float
    likely: float
    encoder: str

    def verdict(self, borne_out: float, otherwise: float, observed: bool) -> Verdict:
        """From the two probabilities of a claim; ``observed``: its wording is of what only the room shows."""
        if borne_out >= LIMIT:
            return Verdict.SUPPORTED
        if observed:
            return Verdict.OBSERVED
        return Verdict.CONTRADICTED if otherwise >= self.otherwise else Verdict.UNSUPPORTED

    def confidence(self, verdict: Verdict, borne_out: float) -> Confidence:
        if verdict is Verdict.CONTRADICTED:
            return Confidence.LIKELY
        if verdict is not Verdict.SUPPORTED:
            return Confidence.LIKELY if borne_out < 1 - self.likely else Confidence.UNSURE
        if borne_out >= self.sure:
            return Confidence.SURE
        return Confidence.LIKELY if borne_out >= self.likely else Confidence.UNSURE


def load(folder: Path) -> Decision:
    """Raises ModelError when the heads are missing or damaged."""
    try:
        described = json.loads((folder / f"{FILE}.json").read_text(encoding="utf-8"))
        kept = arrays(folder / f"{FILE}.npz")
        borne_out, said_otherwise = (_head(name, kept, described[name]) for name in ("borne_out", "said_otherwise"))
        otherwise, sure, likely = (float(described[name]) for name in ("otherwise", "sure", "likely"))
        names = tuple(described["names"])
        return Decision(names, borne_out, said_otherwise, otherwise, sure, likely, described["encoder"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"The faithfulness heads cannot be read ({type(error).__name__}). Install again.") from error


def _head(name: str, kept: Mapping[str, NDArray[Any]], described: Mapping[str, float]) -> Calibrated:
    own = {key.removeprefix(f"{name}."): kept[key] for key in kept if key.startswith(f"{name}.")}
    return Calibrated(Forest(**own), float(described["slope"]), float(described["offset"]))

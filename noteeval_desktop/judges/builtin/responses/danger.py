"""Does the answer to a danger take it up, point to help or do harm: logistic heads over vectors and cues.

Trained by ``python -m models.training.crisis``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.exchanges import HARMS
from noteeval_desktop.judges.builtin.learned import Linear, arrays

Floats = NDArray[np.float64]
CUES = (
    "service", "crisis_resource", "next_step", "at_once", "stays", "names_harm", "asks_where", "asks_safety", "asks_on",
    "refuses_help", "harmful", "minimising", "judging",
)  # fmt: skip
NOTIONS = ("takes_up", "helps", "harms")
_MOST, _CUE = 2, 0.2


def unit(vector: NDArray[Any]) -> Floats:
    return np.asarray(vector, dtype=float) / max(float(np.linalg.norm(vector)), 1e-9)


def answer_row(vectors: NDArray[Any], marks: Sequence[Mapping[str, object]]) -> Floats:
    """(dim + cues,) of an answer's sentences."""
    counts = [min(sum(cue in own for own in marks), _MOST) for cue in CUES]
    return np.concatenate([unit(vectors.sum(axis=0)), _CUE * np.array(counts)])


@dataclass(frozen=True)
class Answered:
    """The sentence that tells most (its number) of each of the NOTIONS that the answer shows; ``harm``: which."""

    telling: Mapping[str, int]
    harm: str = ""


UNANSWERED = Answered({})


@dataclass(frozen=True)
class DangerHeads:
    """``answers``: log-odds of the NOTIONS, then of each of the HARMS.

    ``limits`` (2, 2): from which log-odds of what is heard on a danger is taken as said, in a session and in a message
    on its own; the second of each where the answer itself does harm.
    """

    answers: Linear
    limits: NDArray[np.float64]
    fingerprint: str

    def hears(self, odds: float, answered: Answered, *, alone: bool) -> bool:
        """Who takes it up and points to help has heard a danger too."""
        sure, possible = self.limits[int(alone)].tolist()
        shown = answered.telling.keys()
        return {"takes_up", "helps"} <= shown or odds >= (possible if "harms" in shown else sure)


@cache
def danger_heads() -> DangerHeads | None:
    """The heads that ship with the program; None in a build without them, where known words decide alone."""
    path = paths.resources() / "heads" / "danger.npz"
    if not path.is_file():
        return None
    data = arrays(path)
    return DangerHeads(Linear(data["weights"], data["bias"]), data["limits"], str(data["fingerprint"]))


def read_answer(vectors: NDArray[Any], marks: Sequence[Mapping[str, object]], heads: DangerHeads | None) -> Answered:
    if not marks:
        return UNANSWERED
    if heads is None:
        words = {"takes_up": {"asks_safety", "at_once"}, "helps": {"service", "crisis_resource"}, "harms": {"harmful"}}
        found = {name: [n for n, own in enumerate(marks) if cues & own.keys()] for name, cues in words.items()}
        return Answered({name: own[0] for name, own in found.items() if own}, HARMS[-1])
    rows = [answer_row(vectors, marks), *(answer_row(v[None], [m]) for v, m in zip(vectors, marks, strict=True))]
    odds = heads.answers.values(np.array(rows))
    telling = {name: int(odds[1:, n].argmax()) for n, name in enumerate(NOTIONS) if odds[0, n] > 0}
    return Answered(telling, HARMS[int(odds[0, len(NOTIONS) :].argmax())])

"""The trained faithfulness heads: what they compute, with numpy alone, and how they are kept.

Two questions are kept apart, because they pull against each other: would a therapist call the sentence faithful
(learned from therapists' labels), and does it look like a sentence that was changed to say something else (learned
from degraded notes)? One head for both lost 0.15 of correlation with the therapists.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.forest import Forest

FILE = "faithfulness"
Floats = NDArray[np.float64]
# How much a claim that surely looks changed loses: more made the mean probability agree less with therapists.
_LOSS = 0.1


@dataclass(frozen=True)
class Projection:
    """Principal components of the sentence vectors: ``axes`` (components, dim), ``centre`` (dim,)."""

    centre: NDArray[np.float32]
    axes: NDArray[np.float32]

    def __call__(self, vectors: Floats) -> Floats:
        return np.asarray((vectors - self.centre) @ self.axes.T.astype(float), dtype=float)


@dataclass(frozen=True)
class SupportHeads:
    """``names`` are the features' names; ``limits`` what training chose from held-out answers."""

    names: tuple[str, ...]
    projection: Projection
    faithful_forest: Forest
    changed_forest: Forest
    limits: Limits

    def changed(self, alone: Floats, vectors: Floats, topic: Floats) -> Floats:
        """(sentences,): how much each looks like a sentence that was changed, 0..1."""
        return np.clip(self.changed_forest.predict(change_inputs(alone, self.projection(vectors), topic)), 0.0, 1.0)

    def faithful(self, topic: Floats, topic_vectors: Floats, changed: Floats) -> Floats:
        """(sentences,): the probability that a therapist calls each faithful; ``topic`` is of its plain wording."""
        chance = self.faithful_forest.predict(np.hstack([topic, self.projection(topic_vectors)]))
        surely = np.clip((changed - self.limits.surely) / (1 - self.limits.surely), 0.0, 1.0)
        return np.asarray(chance * (1 - _LOSS * surely))


@dataclass(frozen=True)
class Limits:
    """A claim is flagged below ``faithful`` or from ``changed`` on; from ``surely`` on it loses probability."""

    faithful: float
    changed: float
    surely: float


def change_inputs(alone: Floats, projected: Floats, topic: Floats) -> Floats:
    """A sentence as it stands, and what its numbers and negations make of it beside its plain wording."""
    return np.hstack([alone, alone - topic, projected])


def arrays(heads: SupportHeads) -> dict[str, NDArray[Any]]:
    """Everything learned, by name, at the precision that is kept."""
    found: dict[str, NDArray[Any]] = {}
    for part in ("projection", "faithful_forest", "changed_forest"):
        for name, values in vars(getattr(heads, part)).items():
            found[f"{part}.{name}"] = values.astype(np.float16) if name in ("value", "axes") else values
    return found


def save(heads: SupportHeads, folder: Path, facts: dict[str, object]) -> None:
    np.savez_compressed(folder / f"{FILE}.npz", allow_pickle=False, **arrays(heads))
    described = {"names": heads.names, "limits": asdict(heads.limits), "trained": facts}
    (folder / f"{FILE}.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")


def load(folder: Path) -> SupportHeads:
    """Raises ModelError when the heads are missing or damaged."""
    try:
        described = json.loads((folder / f"{FILE}.json").read_text(encoding="utf-8"))
        with np.load(folder / f"{FILE}.npz", allow_pickle=False) as kept:
            parts: dict[str, dict[str, Any]] = {}
            for key in kept.files:
                part, name = key.split(".")
                values = kept[key]
                parts.setdefault(part, {})[name] = values.astype(np.float32) if values.dtype == np.float16 else values
        return SupportHeads(
            names=tuple(described["names"]),
            projection=Projection(**parts["projection"]),
            faithful_forest=Forest(**parts["faithful_forest"]),
            changed_forest=Forest(**parts["changed_forest"]),
            limits=Limits(**described["limits"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"The faithfulness heads cannot be read ({type(error).__name__}). Install again.") from error

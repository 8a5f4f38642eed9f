"""The trained faithfulness heads: what they compute, with numpy alone, and how they are kept.

Two questions are kept apart, because they pull against each other: would a therapist call the sentence faithful
(learned from therapists' labels), and does it look like a sentence that was changed to say something else (learned
from degraded notes)? The second is asked once for every kind of change, of the sentences that have a place for it
alone, so that each kind gets a limit of its own. One head for both questions lost 0.15 of correlation with the
therapists; one head and limit for all kinds of change 0.08 of agreement.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.forest import Forest
from noteeval_desktop.judges.builtin.observed import Observation
from noteeval_desktop.measures.changes import ChangeKind

FILE = "faithfulness"
Floats = NDArray[np.float64]
# Where a kind of change can have been made: any of these features above nought; nowhere named, anywhere.
_PLACES: Mapping[ChangeKind, tuple[str, ...]] = {
    ChangeKind.NUMBER: ("numbers",),
    ChangeKind.NEGATION: ("no_count", "yes_emphatic", "yes_any"),
    ChangeKind.PERSON: ("persons",),
    ChangeKind.TERM: ("terms", "names_missing"),
    ChangeKind.FACT: (),
}
KINDS = tuple(_PLACES)
# More likely than not.
LIMIT = 0.5
# What a claim that looks changed keeps of its probability. Therapists pass most claims in which a number, a negation, a
# name or a term looks odd, so less made the probability agree less with theirs; what looks made up they never wrote
# into the notes that were labelled, so a low share costs no agreement and takes the lift from an added claim.
_KEPT = {kind: 0.3 if kind is ChangeKind.FACT else 0.9 for kind in KINDS}
# What the words of an observation claim may still be found in the session: "she chuckles", "I feel tense".
_SAID_ALOUD = 0.8


@dataclass(frozen=True)
class SupportHeads:
    """``names`` are the features' names; ``limits`` the score from which on a claim counts as changed, by kind."""

    names: tuple[str, ...]
    faithful_forest: Forest
    change_forests: Mapping[ChangeKind, Forest]
    limits: Mapping[ChangeKind, float]

    def changes(self, alone: Floats, topic: Floats) -> Floats:
        """(sentences, ``KINDS``): how much each looks like a sentence changed in this way, 0..1."""
        inputs, fits = change_inputs(alone, topic), places(self.names, alone)
        return np.stack([self.change_forests[kind].predict(inputs) for kind in KINDS], axis=1) * fits

    def altered(self, changes: Floats) -> NDArray[np.bool_]:
        """(sentences, ``KINDS``): which scores reach their limit."""
        return np.asarray(changes >= np.array([self.limits[kind] for kind in KINDS]))

    def faithful(self, topic: Floats, altered: NDArray[np.bool_]) -> Floats:
        """(sentences,): the probability that a therapist calls each faithful; ``topic`` is of its plain wording."""
        kept = np.where(altered, [_KEPT[kind] for kind in KINDS], 1.0).min(axis=1)
        return np.asarray(self.faithful_forest.predict(topic) * kept)


def decide(chance: float, altered: Sequence[ChangeKind], observation: Observation | None) -> Verdict:
    """Supported, observed, or unsupported, from a claim's probability and the kinds of change that it shows.

    An observation that names the wrong person, number or thing is an error; that somebody turned "calm" into "not
    calm" is one unless the phrase is a stock one, which negates as a rule.
    """
    if observation:
        kept = {ChangeKind.FACT, ChangeKind.NEGATION} if observation.stock else {ChangeKind.FACT}
        if not set(altered) - kept:
            apart = chance < _SAID_ALOUD if observation.certain else chance < LIMIT
            return Verdict.OBSERVED if apart else Verdict.SUPPORTED
    return Verdict.UNSUPPORTED if altered or chance < LIMIT else Verdict.SUPPORTED


def places(names: Sequence[str], alone: Floats) -> NDArray[np.bool_]:
    """(sentences, ``KINDS``): whether a change of the kind could have been made there."""
    columns = {name: alone[:, index] > 0 for index, name in enumerate(names)}
    everywhere = np.ones(len(alone), dtype=bool)
    return np.stack(
        [np.any([columns[name] for name in needed], axis=0) if needed else everywhere for needed in _PLACES.values()],
        axis=1,
    )


def change_inputs(alone: Floats, topic: Floats) -> Floats:
    """A sentence as it stands, and what its numbers and negations make of it beside its plain wording."""
    return np.hstack([alone, alone - topic])


def save(heads: SupportHeads, folder: Path, facts: dict[str, object]) -> None:
    forests = {"faithful": heads.faithful_forest} | {
        kind.value: forest for kind, forest in heads.change_forests.items()
    }
    arrays: dict[str, NDArray[Any]] = {
        f"{part}.{name}": values.astype(np.float16) if name == "value" else values
        for part, forest in forests.items()
        for name, values in vars(forest).items()
    }
    np.savez_compressed(folder / f"{FILE}.npz", allow_pickle=False, **arrays)
    limits = {kind.value: limit for kind, limit in heads.limits.items()}
    described = {"names": heads.names, "limits": limits, "trained": facts}
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
            faithful_forest=Forest(**parts["faithful"]),
            change_forests={kind: Forest(**parts[kind.value]) for kind in KINDS},
            limits={kind: float(described["limits"][kind.value]) for kind in KINDS},
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"The faithfulness heads cannot be read ({type(error).__name__}). Install again.") from error

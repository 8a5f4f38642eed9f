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
from noteeval_desktop.judges.builtin.features_raised import LENGTH
from noteeval_desktop.judges.builtin.forest import Forest
from noteeval_desktop.judges.builtin.line import Line
from noteeval_desktop.judges.builtin.note_words import NoteWords
from noteeval_desktop.judges.builtin.observed import Observation
from noteeval_desktop.measures.changes import ChangeKind

FILE = "faithfulness"
Floats = NDArray[np.float64]
# Of the two logarithms of ``log_shares``, and an offset.
Calibration = tuple[float, float, float]
# Where a kind of change can have been made: any of these features above nought; nowhere named, anywhere.
_PLACES: Mapping[ChangeKind, tuple[str, ...]] = {
    ChangeKind.NUMBER: ("numbers", "claimed_periods"),
    ChangeKind.NEGATION: ("no_count", "yes_emphatic", "yes_any"),
    ChangeKind.PERSON: (
        "persons",
        "claimed_strangers",
        "claimed_therapist_lives",
        "claimed_client_treats",
        "claimed_client_helped",
    ),
    ChangeKind.TERM: ("terms", "names_missing"),
    ChangeKind.FACT: (),
}
KINDS = tuple(_PLACES)
# More likely than not.
LIMIT = 0.5
# What a claim that looks changed keeps of its probability. Therapists pass most claims in which a number, a negation, a
# name or a term looks odd, so less made the probability agree less with theirs; what looks made up they never wrote
# into the notes that were labelled, so a low share costs no agreement and takes the lift from an added claim.
_KEPT = {kind: 0.2 if kind is ChangeKind.FACT else 0.9 for kind in KINDS}
# Therapists call hardly any claim faithful of which a rule names what the session says otherwise.
_KEPT_OF_SURE = 0.4
# A forest's mean may be 0 or 1.
_SURELY_OFF = 0.005
# How the features begin that are for the heads of changes alone: of whom, how much and how a claim tells. A head of
# therapists' labels that saw them agreed less with therapists (alpha 0.56 for 0.58).
_OF_CHANGES = ("claimed_", "seldom_")
# A forest's answers, and a line's numbers, need no more.
_KEPT_AS = {"value": np.float16} | dict.fromkeys(("centre", "scale", "weights", "offset"), np.float32)
# What the words of an observation claim may still be found in the session: "she chuckles", "I feel tense".
_SAID_ALOUD = 0.8


@dataclass(frozen=True)
class SupportHeads:
    """``names`` are the features' names; ``limits`` the score from which on a claim counts as changed, by kind.

    ``calibration`` makes the forests' mean a probability: see ``calibrated``. ``words`` are those by which claims are
    to be read. In a long session more comes near any claim, so ``long_forest`` was trained on sessions with others
    joined to them: from ``lengths`` (passages, 2) the first on it is heard, from the second on it alone.
    """

    names: tuple[str, ...]
    words: NoteWords
    faithful_forest: Forest
    long_forest: Forest
    lengths: tuple[float, float]
    calibration: Calibration
    change_forests: Mapping[ChangeKind, Forest]
    change_lines: Mapping[ChangeKind, Line]
    limits: Mapping[ChangeKind, float]

    def changes(self, alone: Floats, topic: Floats, borne_out: NDArray[np.bool_]) -> Floats:
        """(sentences, ``KINDS``): how much each looks like a sentence changed in this way, 0..1; 0 if ``borne_out``."""
        inputs, fits = change_inputs(self.names, alone, topic), places(self.names, alone) & ~borne_out
        return np.stack([self._changed(kind, inputs) for kind in KINDS], axis=1) * fits

    def _changed(self, kind: ChangeKind, inputs: Floats) -> Floats:
        """The mean, in log-odds, of the kind's forest and line, or what the one of them says that there is."""
        heads = [heads[kind] for heads in (self.change_forests, self.change_lines) if kind in heads]
        scores = [head.predict(inputs) for head in heads]
        if len(scores) == 1:
            return scores[0]
        odds = [log_shares(score).sum(axis=1) for score in scores]
        return np.asarray(1.0 / (1.0 + np.exp(-np.mean(odds, axis=0))))

    def altered(self, changes: Floats) -> NDArray[np.bool_]:
        """(sentences, ``KINDS``): which scores reach their limit."""
        return np.asarray(changes >= np.array([self.limits[kind] for kind in KINDS]))

    def faithful(self, topic: Floats, altered: NDArray[np.bool_], sure: NDArray[np.bool_]) -> Floats:
        """(sentences,): the probability that a therapist calls each faithful; ``topic`` is of its plain wording.

        ``altered`` and ``sure`` are (sentences, ``KINDS``): what heads or rules call changed, and what rules do.
        """
        kept = np.where(altered, [_KEPT[kind] for kind in KINDS], 1.0).min(axis=1)
        kept = np.where(sure.any(axis=1), np.minimum(kept, _KEPT_OF_SURE), kept)
        return np.asarray(calibrated(self.leaning(topic), self.calibration) * kept)

    def leaning(self, topic: Floats) -> Floats:
        """(sentences,): the forests' mean, which is not calibrated."""
        inputs = topic_inputs(self.names, topic)
        first, last = np.log1p(self.lengths)
        of_long = np.clip((topic[:, self.names.index(LENGTH)] - first) / (last - first), 0.0, 1.0)
        usual, long = self.faithful_forest.predict(inputs), self.long_forest.predict(inputs)
        return np.asarray((1.0 - of_long) * usual + of_long * long)


def log_shares(raw: Floats) -> Floats:
    """(n, 2): the logarithms of a mean and of what it lacks to one, the second turned round: they sum to log-odds."""
    inside = np.clip(raw, _SURELY_OFF, 1.0 - _SURELY_OFF)
    return np.stack([np.log(inside), -np.log1p(-inside)], axis=1)


def calibrated(raw: Floats, calibration: Calibration) -> Floats:
    """Beta calibration (Kull et al., AISTATS 2017): a forest's mean shrinks to the middle, more so below than above."""
    first, second, offset = calibration
    return np.asarray(1.0 / (1.0 + np.exp(-(log_shares(raw) @ np.array([first, second]) + offset))))


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


def topic_inputs(names: Sequence[str], topic: Floats) -> Floats:
    """What the head of therapists' labels sees of a sentence in plain wording."""
    return topic[:, [index for index, name in enumerate(names) if name != LENGTH and not name.startswith(_OF_CHANGES)]]


def change_inputs(names: Sequence[str], alone: Floats, topic: Floats) -> Floats:
    """A sentence as it stands, and what its numbers and negations make of it beside its plain wording."""
    seen = [index for index, name in enumerate(names) if name != LENGTH]
    return np.hstack([alone[:, seen], (alone - topic)[:, seen]])


def save(heads: SupportHeads, folder: Path, facts: dict[str, object]) -> None:
    forests = {"faithful": heads.faithful_forest, "long": heads.long_forest} | {
        kind.value: forest for kind, forest in heads.change_forests.items()
    }
    lines = {f"line-{kind.value}": line for kind, line in heads.change_lines.items()}
    arrays: dict[str, NDArray[Any]] = {
        f"{part}.{name}": values.astype(_KEPT_AS.get(name, values.dtype))
        for part, head in (forests | lines).items()
        for name, values in vars(head).items()
    }
    np.savez_compressed(folder / f"{FILE}.npz", allow_pickle=False, **arrays)
    limits = {kind.value: limit for kind, limit in heads.limits.items()}
    described = {
        "names": heads.names,
        "limits": limits,
        "calibration": heads.calibration,
        "lengths": heads.lengths,
        "conversations": heads.words.conversations,
        "words": heads.words.holding,
        "trained": facts,
    }
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
        if any(kind.value not in parts and f"line-{kind.value}" not in parts for kind in KINDS):
            raise ValueError("a kind of change has no head")
        return SupportHeads(
            names=tuple(described["names"]),
            words=NoteWords(dict(described["words"]), int(described["conversations"])),
            faithful_forest=Forest(**parts["faithful"]),
            long_forest=Forest(**parts["long"]),
            lengths=_two(described["lengths"]),
            calibration=_three(described["calibration"]),
            change_forests={kind: Forest(**parts[kind.value]) for kind in KINDS if kind.value in parts},
            change_lines={kind: Line(**own) for kind in KINDS if (own := parts.get(f"line-{kind.value}"))},
            limits={kind: float(described["limits"][kind.value]) for kind in KINDS},
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"The faithfulness heads cannot be read ({type(error).__name__}). Install again.") from error


def _three(values: Sequence[float]) -> Calibration:
    first, second, offset = map(float, values)
    return first, second, offset


def _two(values: Sequence[float]) -> tuple[float, float]:
    first, last = map(float, values)
    return first, last

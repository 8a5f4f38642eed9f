"""The trained heads for completeness and conciseness: a few hundred kilobytes of weights and what they compute.

Two readers learned from two kinds of notes: the therapists of TN-Eval, who marked notes on short counselling sessions,
and the clinicians of the labelled sessions, who wrote notes of every kind, shorthand and medication among them, with
sentences that a careful clinician would strike out. Whose answer counts is a matter of how the note is worded.

The therapists have several ways to each answer, blended. A sentence is needed: a head a section on what the sentence
does, the chance that it serves at least one item (1 minus the product over the item heads), and a forest. An item is
present: the highest and the combined item probability of the section's sentences, and two heads on the section as a
whole. Then calibration. The clinicians have one line for need, and one an item, whose best sentence tells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.verdicts import Confidence
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.completeness.features import Floats, Ints, NoteRows, SectionSummaries
from noteeval_desktop.judges.builtin.learned import Forest, Linear, Scaler, arrays, logit, sigmoid
from noteeval_desktop.judges.builtin.prompt_injection import wording
from noteeval_desktop.judges.builtin.text import note_lexicon

FILE = "note"
ASIDE = len(SOAP)
# Set by hand: no annotated section was empty; in the few that say only N/A no item was marked (0 of 16).
EMPTY = 0.01
# Weight of the encoder's vector beside standardised counts; 2 to 5 were tried and differed little.
VECTOR_WEIGHT_ITEM, VECTOR_WEIGHT_SECTION = 3.0, 4.0
# The same for the clinicians: of the counts beside the vector; 0, 1/8 and 1/3 of the vector's weight were tried.
COUNT_WEIGHT = 0.125


@dataclass(frozen=True)
class Prototypes:
    """Vectors of example sentences (n, dim), and what section or aside each is an example of."""

    vectors: NDArray[np.float32]
    section: NDArray[np.int16]
    aside: NDArray[np.int16]

    def features(self, vectors: NDArray[np.float32], section: Ints) -> Floats:
        """(rows, 6): nearest of the own section, nearest of another, their difference, nearest aside of each kind."""
        alike = vectors.astype(float) @ self.vectors.astype(float).T
        own = self.section[None, :] == section[:, None]
        other = ~own & (self.section[None, :] != ASIDE)
        nearest_own = np.where(own, alike, -1.0).max(axis=1, initial=-1.0)
        nearest_other = np.where(other, alike, -1.0).max(axis=1, initial=-1.0)
        asides = [alike[:, self.aside == kind].max(axis=1, initial=-1.0) for kind in range(int(self.aside.max()) + 1)]
        return np.column_stack([nearest_own, nearest_other, nearest_own - nearest_other, *asides])


@dataclass(frozen=True)
class Bands:
    """Where a probability means yes (``threshold``), and between which limits the app says unsure or likely."""

    threshold: float
    unsure: tuple[float, float]
    likely: tuple[float, float]

    def confidence(self, probability: float) -> Confidence:
        if self.unsure[0] < probability < self.unsure[1]:
            return Confidence.UNSURE
        return Confidence.LIKELY if self.likely[0] < probability < self.likely[1] else Confidence.SURE


@dataclass(frozen=True)
class Answers:
    """Chances: ``serving`` (rows, items), ``needed`` (rows,), ``present`` (items,)."""

    serving: Floats
    needed: Floats
    present: Floats


@dataclass(frozen=True)
class NoteHeads:
    """``items`` are rubric item ids; ``item_section`` their place in SOAP; everything else is learned, with the encoder
    that ``encoder`` fingerprints ("" where that is not known)."""

    items: tuple[str, ...]
    item_section: Ints
    note_prototypes: Prototypes
    turn_head: Linear
    plain: Scaler
    section_head: Linear
    need_head: Linear
    item_head: Linear
    sums: Scaler
    flags: Scaler
    sums_head: Linear
    flags_head: Linear
    forest: Forest
    need_calibration: NDArray[np.float32]
    item_slope: NDArray[np.float32]
    item_bias: NDArray[np.float32]
    need_bands: Bands
    item_bands: Bands
    serves: float
    reader_head: Linear
    uninformative_head: Linear
    clinician_plain: Scaler
    clinician_need: Linear
    clinician_items: Linear
    clinician_present: NDArray[np.float32]
    wording: Scaler
    wording_head: Linear
    encoder: str = ""

    def answers(self, rows: NoteRows, summaries: SectionSummaries) -> Answers:
        """What both readers say, each weighed by how far the note is worded like those that it learned from."""
        share = self.like_clinicians(rows)
        serving, own = self.serving(rows), self.clinician_serving(rows)
        slope, bias = self.need_calibration
        needed = slope * self.needed_logit(rows, serving) + bias
        own_needed = self.clinician_need.values(self.clinician_inputs(rows))[:, 0]
        present = float(self.item_slope[0]) * self.present_logit(rows, summaries, serving) + self.item_bias
        own_present = self.clinician_present[0] * best_sentence(own) + self.clinician_present[1:]
        empty = np.array([not len(rows.of(int(section))) for section in self.item_section])
        return Answers(
            share * own + (1 - share) * serving,
            sigmoid(share * own_needed + (1 - share) * needed),
            np.where(empty, EMPTY, sigmoid(share * own_present + (1 - share) * present)),
        )

    def like_clinicians(self, rows: NoteRows) -> float:
        """0..1: how far the note is worded like the labelled sessions' notes rather than like TN-Eval's."""
        return float(sigmoid(self.wording_head.values(self.wording(worded(rows)[None])))[0, 0])

    def clinician_inputs(self, rows: NoteRows) -> Floats:
        counted = self.clinician_plain(raw_inputs(self.note_prototypes, rows)) * COUNT_WEIGHT
        return np.hstack([counted, rows.vectors.astype(float), np.eye(len(SOAP))[rows.section]])

    def clinician_serving(self, rows: NoteRows) -> Floats:
        """(rows, items): the chance that a sentence serves an item, 0 for items of other sections."""
        own = rows.section[:, None] == self.item_section[None, :]
        return np.where(own, np.clip(self.clinician_items.values(self.clinician_inputs(rows)), 0.005, 0.995), 0.0)

    def section_log_probabilities(self, vectors: NDArray[np.float32]) -> Floats:
        """(rows, 4): which SOAP section a sentence reads like, whatever its heading."""
        values = vectors.astype(float) @ self.section_head.weights.astype(float).T + self.section_head.bias
        values = values - values.max(axis=1, keepdims=True)
        return np.asarray(values - np.log(np.exp(values).sum(axis=1, keepdims=True)))

    def says_nothing(self, vectors: NDArray[np.float32]) -> NDArray[np.bool_]:
        """(sentences,): does each say nothing about the client, the session or the plan ("asdf", "To be added.")?"""
        return np.asarray(self.uninformative_head.values(vectors.astype(float))[:, 0] > 0)

    def inputs(self, rows: NoteRows) -> Floats:
        """(rows, plain + prototype features), standardised."""
        return self.plain(raw_inputs(self.note_prototypes, rows))

    def serving(self, rows: NoteRows) -> Floats:
        """(rows, items): the chance that a therapist gives a sentence an item; 0 for items of other sections."""
        inputs = item_inputs(self.inputs(rows), rows)
        chances = np.zeros((len(rows.sentence), len(self.items)))
        for item, section in enumerate(self.item_section):
            own = rows.of(int(section))
            chances[own, item] = self.item_head.probabilities(inputs[own], item)
        return chances

    def needed_logit(self, rows: NoteRows, serving: Floats) -> Floats:
        inputs = self.inputs(rows)
        by_section = np.zeros(len(rows.sentence))
        for section in range(len(SOAP)):
            own = rows.of(section)
            by_section[own] = self.need_head.probabilities(inputs[own], section)
        any_item = 1 - np.prod(1 - serving, axis=1)
        log_sections = self.section_log_probabilities(rows.vectors)
        trees = self.forest.predict(forest_inputs(raw_inputs(self.note_prototypes, rows), rows, log_sections))
        return np.asarray(np.mean([logit(by_section), logit(any_item), logit(trees)], axis=0))

    def present_logit(self, rows: NoteRows, summaries: SectionSummaries, serving: Floats) -> Floats:
        sums = np.hstack([self.sums(summaries.sums), summaries.vectors * VECTOR_WEIGHT_SECTION])
        flags = np.hstack([self.flags(summaries.flags), summaries.vectors * VECTOR_WEIGHT_SECTION])
        answers = np.zeros(len(self.items))
        for item, section in enumerate(self.item_section):
            own = serving[rows.of(int(section)), item]
            ways = [
                self.sums_head.probabilities(sums[section], item),
                self.flags_head.probabilities(flags[section], item),
                1 - np.prod(1 - own),
                own.max(initial=0.0),
            ]
            answers[item] = np.mean([float(logit(np.asarray(way))) for way in ways])
        return answers


def worded(rows: NoteRows) -> Floats:
    """(patterns + 1,): in which share of a note's sentences each word pattern occurs, and how long they are."""
    _, first = np.unique(rows.sentence, return_index=True)
    if not len(first):
        return np.zeros(len(note_lexicon.NAMES) + 1)
    counted = rows.plain[first, : len(note_lexicon.NAMES)] > 0
    return np.append(counted.mean(axis=0), np.log(np.maximum(rows.words[first], 1)).mean())


def best_sentence(serving: Floats) -> Floats:
    """(items,): log-odds of the sentence that serves each item best."""
    return logit(np.asarray(serving.max(axis=0, initial=0.0)))


def raw_inputs(prototypes: Prototypes, rows: NoteRows) -> Floats:
    return np.hstack([rows.plain, prototypes.features(rows.vectors, rows.section)])


def item_inputs(inputs: Floats, rows: NoteRows) -> Floats:
    return np.hstack([inputs, rows.vectors.astype(float) * VECTOR_WEIGHT_ITEM])


def forest_inputs(raw: Floats, rows: NoteRows, log_sections: Floats) -> Floats:
    own = log_sections[np.arange(len(rows.section)), rows.section]
    return np.hstack([raw, np.eye(len(SOAP))[rows.section], own[:, None], log_sections])


PARTS = {"Linear": Linear, "Scaler": Scaler, "Prototypes": Prototypes, "Forest": Forest}


def load(folder: Path) -> NoteHeads:
    """Read what ``save`` wrote. Raises ModelError when it is missing or was trained on another lexicon."""
    remedy = "Install the program again, or train the heads."
    try:
        described = json.loads((folder / f"{FILE}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{FILE}.json: the heads cannot be read ({type(error).__name__}). {remedy}") from error
    if (described["lexicon"], described.get("reader")) != (note_lexicon.FINGERPRINT, wording.FINGERPRINT):
        raise ModelError(f"{FILE}.npz: the heads belong to other word patterns. {remedy}")
    kept = arrays(folder / f"{FILE}.npz")
    values: dict[str, Any] = {
        "items": tuple(described["items"]),
        "need_bands": _bands_from_json(described["need_bands"]),
        "item_bands": _bands_from_json(described["item_bands"]),
        "serves": float(described["serves"]),
        "encoder": str(described.get("encoder", "")),
    }
    for part in fields(NoteHeads):
        kind = PARTS.get(str(part.type))
        if kind is not None:
            values[part.name] = kind(**{inner.name: kept[f"{part.name}.{inner.name}"] for inner in fields(kind)})
        elif part.name in kept:
            values[part.name] = kept[part.name]
    return NoteHeads(**values)


def _bands_from_json(data: Mapping[str, Any]) -> Bands:
    return Bands(data["threshold"], tuple(data["unsure"]), tuple(data["likely"]))

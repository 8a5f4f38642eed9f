"""What the note heads look at: a row a sentence and section, and a summary a section. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.judges.builtin.text import note_lexicon

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_QUOTE = re.compile(r"[\"“”]")
_SHORT = 6
# Length and place of a sentence are left out: they tell a therapist's note from a model's, and without them the
# counted scores agreed better with therapists within each source.
CONTEXT = ("like-section", "like-earlier", "like-note", "like-note-mean", "like-section-mean")
FEATURES = (*note_lexicon.NAMES, "short", *CONTEXT, "quoted")
SIZES = ("sentences", "words", "many")
SUMMARY_WIDTH = len(FEATURES) + len(SIZES)


@dataclass(frozen=True)
class NoteRows:
    """``sentence[r]`` is judged as part of ``SOAP[section[r]]``; a sentence under a double heading has two rows.

    ``words`` is (rows,): how many each has; ``plain`` (rows, len(FEATURES)); ``vectors`` (rows, dim), of unit length.
    """

    sentence: Ints
    section: Ints
    words: Floats
    plain: Floats
    vectors: NDArray[np.float32]

    def of(self, section: int) -> Ints:
        return np.flatnonzero(self.section == section)


@dataclass(frozen=True)
class SectionSummaries:
    """A row a SOAP section: ``sums`` and ``flags`` are (4, SUMMARY_WIDTH), ``vectors`` (4, dim), zero when empty."""

    sums: Floats
    flags: Floats
    vectors: Floats


def note_rows(texts: Sequence[str], vectors: NDArray[np.float32], sentence: Ints, section: Ints) -> NoteRows:
    """Features of each row. ``texts`` are the note's sentences with abbreviations expanded, ``vectors`` theirs."""
    words = np.array([len(text.split()) for text in texts], dtype=float)
    lexical = np.array([note_lexicon.counts(text) for text in texts], dtype=float).reshape(
        len(texts), len(note_lexicon.NAMES)
    )
    alike = vectors.astype(float) @ vectors.astype(float).T
    np.fill_diagonal(alike, 0.0)
    judged = np.isin(np.arange(len(texts)), sentence)
    alike[:, ~judged] = 0.0
    likeness = np.zeros((len(sentence), len(CONTEXT)))
    quoted = np.zeros(len(sentence))
    for number in range(len(SOAP)):
        rows = np.flatnonzero(section == number)
        if not len(rows):
            continue
        own = sentence[rows]
        quoted[rows] = _quoted([texts[index] for index in own])
        for row, index in zip(rows, own, strict=True):
            likeness[row] = _likeness(alike[index], index, own, int(judged.sum()))
    plain = np.column_stack([lexical[sentence], words[sentence] < _SHORT, likeness, quoted])
    return NoteRows(sentence, section, words[sentence], plain, vectors[sentence])


def _likeness(others: Floats, index: int, section: Ints, count: int) -> Floats:
    return np.array(
        [
            max(float(others[section].max()), 0.0),
            max(float(others[:index].max(initial=0.0)), 0.0),
            float(others.max()) if count > 1 else 0.0,
            float(others.sum()) / max(count - 1, 1),
            float(others[section].sum()) / max(len(section) - 1, 1),
        ]
    )


def _quoted(texts: Sequence[str]) -> Floats:
    """1 for a sentence that begins inside a quotation which an earlier sentence of the section opened."""
    flags, marks = [], 0
    for text in texts:
        flags.append(float(marks % 2))
        marks += len(_QUOTE.findall(text))
    return np.array(flags)


def summarise(rows: NoteRows) -> SectionSummaries:
    """What a section holds as a whole, whatever the order of its sentences."""
    sums, flags = np.zeros((len(SOAP), SUMMARY_WIDTH)), np.zeros((len(SOAP), SUMMARY_WIDTH))
    vectors = np.zeros((len(SOAP), rows.vectors.shape[1]))
    for number in range(len(SOAP)):
        own = rows.of(number)
        sizes = [np.log1p(len(own)), np.log1p(rows.words[own].sum()), len(own) / 10]
        plain = rows.plain[own]
        sums[number] = np.concatenate([np.log1p(np.maximum(plain, 0).sum(axis=0)), sizes])
        flags[number] = np.concatenate([(plain > 0).any(axis=0), sizes])
        total = rows.vectors[own].astype(float).sum(axis=0)
        vectors[number] = total / max(float(np.linalg.norm(total)), 1e-9)
    return SectionSummaries(sums, flags, vectors)

"""A note read once for both questions: which items it covers, and which sentences it needs."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin import features_note, note_lexicon
from noteeval_desktop.judges.builtin.features_note import Floats, Ints, NoteRows
from noteeval_desktop.judges.builtin.heads import NoteHeads
from noteeval_desktop.judges.builtin.language import is_english

# What speaks to whoever grades the note is no part of it. Known phrasings only; others are judged.
_TO_THE_READER = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier)?\s*"
    r"(?:instructions?|rules?|rubric|prompt)\b"
    r"|^\W*(?:please |kindly |now |you (?:must|should) )*(?:score|rate|grade|mark|evaluate|judge|give)\b"
    r".{0,40}\b(?:this|the|my) (?:note|summary|section|sentence|documentation|text)\b"
    r"|^\W*(?:please |kindly |now |you (?:must|should) )*(?:score|rate|grade|mark|give)\b"
    r".{0,20}\b(?:this|it|everything|all)\b.{0,30}"
    r"(?:\d\s*(?:/|out of)\s*\d|full marks|perfect|highest|maximum|top score|supported|complete|needed)"
    r"|\b(?:you are|as) an? (?:ai|llm|language model|evaluator|judge|grader)\b|\bsystem prompt\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class NoteReading:
    """``serving`` is (rows, items), ``needed`` (rows,), ``present`` (items,): probabilities. ``set_aside`` are the
    indices of sentences that speak to the reader; they have no row. ``english`` False: nothing else is filled in."""

    english: bool
    rows: NoteRows
    set_aside: frozenset[int]
    serving: Floats
    needed: Floats
    present: Floats
    log_sections: Floats


def read(note: Note, heads: NoteHeads, embedder: Embedder, cancel: threading.Event | None = None) -> NoteReading:
    """Embed the note's sentences (an embedder that remembers does only those that changed) and apply the heads."""
    texts = [note_lexicon.expand(sentence.text) for sentence in note.sentences]
    english = is_english(" ".join(texts))
    vectors = embedder.embed(texts if english else [], cancel)
    set_aside = frozenset(index for index, sentence in enumerate(note.sentences) if speaks_to_the_reader(sentence.text))
    log_sections = heads.section_log_probabilities(vectors)
    sentence, section = _assigned(note, log_sections, set_aside) if english else _rows([])
    rows = features_note.note_rows(texts if english else [], vectors, sentence, section)
    serving = heads.serving(rows)
    return NoteReading(
        english,
        rows,
        set_aside,
        serving,
        heads.needed(rows, serving),
        heads.present(rows, features_note.summarise(rows), serving),
        log_sections,
    )


def _assigned(note: Note, log_sections: NDArray[np.float64], set_aside: frozenset[int]) -> tuple[Ints, Ints]:
    """A row a sentence and section; text under no heading goes to the section that it reads like."""
    guesses = log_sections.argmax(axis=1)
    pairs: list[tuple[int, int]] = []
    for index, sentence in enumerate(note.sentences):
        if index in set_aside:
            continue
        if sentence.section is Section.UNASSIGNED:
            pairs.append((index, int(guesses[index])))
        else:
            pairs += [(index, SOAP.index(section)) for section in sentence.sections]
    return _rows(pairs)


def _rows(pairs: Sequence[tuple[int, int]]) -> tuple[Ints, Ints]:
    table = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def speaks_to_the_reader(text: str) -> bool:
    """Does a sentence tell whoever grades the note what to do, instead of being part of it?"""
    return bool(_TO_THE_READER.search(note_lexicon.expand(text)))

"""Which rubric items does each sentence serve, and does the note need it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from noteeval_desktop.domain.note import SOAP, Note, Sentence
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.verdicts import Confidence, NeedVerdict
from noteeval_desktop.judges.builtin.completeness import general_items
from noteeval_desktop.judges.builtin.completeness.features import FEATURES
from noteeval_desktop.judges.builtin.completeness.heads import NoteHeads
from noteeval_desktop.judges.builtin.completeness.reading import NoteReading
from noteeval_desktop.present.headings import item_heading, sentence_heading

SAFETY = "general-safety"
NOT_ENGLISH = "The note is not in English; the built-in judge reads English only."
SENTENCE_NOT_ENGLISH = "This sentence is not in English; the built-in judge reads English only."
TO_THE_READER = "Addresses the reader, not the client's care."
UNINFORMATIVE = "It says nothing about the client, the session or the plan."
WITHOUT_REMARK = "Judged without the part that addresses the reader."
_REPEATS = "Repeats an earlier sentence."
_SAYS_AGAIN = 0.8
_CLEARLY_ELSEWHERE = np.log(0.6)
# Chance that a therapist gives an item to a sentence that speaks to the reader, says nothing or stands there already;
# the data have none.
_SET_ASIDE = 0.02


def verdicts(note: Note, reading: NoteReading, heads: NoteHeads, rubric: Rubric) -> Iterator[NeedVerdict]:
    """One a sentence; under a double heading the better of both sections counts.

    ``probability`` stays that of a rubric item of the sentence's section, also where a sentence that speaks of danger
    is needed by rule: it serves the general item about safety, which no therapist marked sentence by sentence.
    """
    places = {sentence.id: index for index, sentence in enumerate(reading.note.sentences)}
    said: set[tuple[object, ...]] = set()
    for sentence in note.sentences:
        words = (sentence.sections, *sentence.text.lower().split())
        if sentence.id in reading.set_aside:
            yield NeedVerdict(sentence.id, False, _SET_ASIDE, Confidence.SURE, rationale=TO_THE_READER, set_aside=True)
        elif not reading.english:
            yield NeedVerdict(sentence.id, None, rationale=NOT_ENGLISH)
        elif sentence.id in reading.foreign:
            yield NeedVerdict(sentence.id, None, rationale=SENTENCE_NOT_ENGLISH)
        elif sentence.id in reading.uninformative:
            yield NeedVerdict(sentence.id, False, _SET_ASIDE, Confidence.LIKELY, rationale=UNINFORMATIVE)
        elif words in said:
            yield NeedVerdict(sentence.id, False, _SET_ASIDE, Confidence.SURE, rationale=_REPEATS)
        else:
            judged = reading.note.sentences[places[sentence.id]]
            verdict = _verdict(judged, places[sentence.id], reading, heads, rubric)
            cut = sentence.id in reading.shortened
            yield replace(verdict, rationale=f"{verdict.rationale} {WITHOUT_REMARK}") if cut else verdict
        said.add(words)


def _verdict(sentence: Sentence, index: int, reading: NoteReading, heads: NoteHeads, rubric: Rubric) -> NeedVerdict:
    rows = np.flatnonzero(reading.rows.sentence == index)
    row = rows[reading.needed[rows].argmax()]
    chance = float(reading.needed[row])
    needed = chance >= heads.need_bands.threshold
    known = {item.id for item in rubric.items}
    items = tuple(item for item in _items(reading, rows, heads, needed) if item in known)
    confidence = heads.need_bands.confidence(chance)
    if general_items.speaks_of_safety(sentence.text) and SAFETY in {item.id for item in rubric.items}:
        needed, items = True, (*items, SAFETY)
        confidence = confidence if chance >= heads.need_bands.threshold else Confidence.SURE
    if needed:
        named = _named(items, rubric) if items else "an item of TN-Eval's checklist"
        rationale = f"Covers {named}."
    elif items and confidence is Confidence.UNSURE:
        rationale = f"May cover {_named(items, rubric)}; therapists might disagree."
    else:
        rationale = _not_served(reading, int(row), "the checklist" if rubric.published else "TN-Eval's checklist")
    return NeedVerdict(sentence.id, needed, round(chance, 4), confidence, items, rationale)


def _items(
    reading: NoteReading, rows: np.ndarray[tuple[int], np.dtype[np.intp]], heads: NoteHeads, needed: bool
) -> tuple[str, ...]:
    """Items likely enough, best first; a needed sentence serves at least the likeliest one."""
    chances = reading.serving[rows].max(axis=0)
    order = np.argsort(-chances, kind="stable")
    marked = [item for item in order if chances[item] > heads.serves]
    return tuple(heads.items[item] for item in (marked or order[:1] if needed else marked))


def _named(items: tuple[str, ...], rubric: Rubric) -> str:
    return ", ".join(rubric.item(item).name.lower() for item in items)


def _not_served(reading: NoteReading, row: int, checklist: str) -> str:
    own = SOAP[reading.rows.section[row]]
    here = sentence_heading(reading.note, reading.note.sentences[reading.rows.sentence[row]])
    if reading.rows.plain[row, FEATURES.index("like-earlier")] > _SAYS_AGAIN:
        return _REPEATS
    log_sections = reading.log_sections[reading.rows.sentence[row]]
    likeliest = int(log_sections.argmax())
    if SOAP[likeliest] is not own and log_sections[likeliest] > _CLEARLY_ELSEWHERE:
        there = item_heading(reading.note, SOAP[likeliest])
        return f"Reads like part of {there}; nothing on {checklist} for {here} asks for it."
    return f"Nothing on {checklist} for {here} clearly asks for it."

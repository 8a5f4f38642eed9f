"""Whether what a case file holds may be believed as data: types, text, numbers, times, and what points where.

Called in the limited child (``case_file_reading``): what comes in is hostile until it has been through here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any

# Before Qt is imported: from then on Qt looks into every module that is imported, and that fails in pydantic's fields.
import pydantic.fields  # noqa: F401
from pydantic import TypeAdapter

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.review import Review
from noteeval_desktop.domain.times import EARLIEST
from noteeval_desktop.domain.transcript import Citation, Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict
from noteeval_desktop.store.records import Bundle

# An hour's session with 300 evaluations takes half of either.
MOST_BYTES, _MOST_VALUES = 32 << 20, 2_000_000
_PLANNED = timedelta(days=366)
_CLOCKS_DIFFER = timedelta(hours=1)
_MOST_DIGITS, _LARGEST = 15, 1e15
_ID = re.compile(r"[0-9a-f]{32}")


class OutOfTime(ValueError):
    """``str()``: how, as ``CaseFileOutOfTime`` has it."""


def parsed(text: bytes) -> dict[str, Any]:
    """An object of JSON. ValueError for anything else, for too many values, and for numbers that nothing here has."""
    if len(text) > MOST_BYTES or sum(map(text.count, (b",", b"{", b"["))) > _MOST_VALUES:
        raise ValueError("too large")
    data = json.loads(text, parse_int=_whole, parse_float=_number, parse_constant=_number)
    if not isinstance(data, dict):
        raise ValueError("not an object")
    return data


def bundle_of(data: dict[str, Any], now: datetime) -> Bundle:
    """Strictly what its types say, fitting together, and of a past that people remember.

    Raises ValueError, OutOfTime.
    """
    # The first refuses half a surrogate pair, which has no UTF-8.
    bundle = TypeAdapter(Bundle).validate_json(json.dumps(data, ensure_ascii=False).encode(), strict=True)
    for value in _leaves(bundle):
        if isinstance(value, datetime):
            if value.tzinfo is None:
                raise OutOfTime("naive")
            if value > now + _CLOCKS_DIFFER:
                raise OutOfTime("future")
            if value < EARLIEST:
                raise OutOfTime("past")
        elif isinstance(value, date):
            # A session's day is typed by hand: one that is planned may be there already.
            if value > (now + _PLANNED).date():
                raise OutOfTime("future")
            if value < EARLIEST.date():
                raise OutOfTime("past")
    _fits_together(bundle)
    return bundle


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError("too long a number")
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value) or abs(value) > _LARGEST:
        raise ValueError("not a number")
    return value


def _leaves(value: object) -> Iterator[object]:
    """Every value within, citations whole too."""
    if isinstance(value, tuple):
        for member in value:
            yield from _leaves(member)
    elif is_dataclass(value) and not isinstance(value, Enum | type):
        if isinstance(value, Citation):
            yield value
        for field in fields(value):
            yield from _leaves(getattr(value, field.name))
    else:
        yield value


def _fits_together(bundle: Bundle) -> None:
    transcripts = {one.id: one.transcript for one in bundle.transcripts}
    notes = {one.id: one.note for one in bundle.revisions}
    _hold(bool(_ID.fullmatch(bundle.id)), "not an id")
    _hold(bool(transcripts) and bool(notes), "a case has a session and a note")
    for note in notes.values():
        _check_note(note)
    for judged in bundle.evaluations:
        known = judged.transcript in transcripts and judged.kept.revision in notes
        _hold(known, "an evaluation of something else")
        _check_evaluation(judged.kept.evaluation, transcripts[judged.transcript], notes[judged.kept.revision])
    turns = max(len(one.turns) for one in transcripts.values())
    by_hash = {note.sha256: note for note in notes.values()}
    for review in bundle.reviews:
        _check_review(review.review, by_hash.get(review.review.note_sha256), turns)


def _check_note(note: Note) -> None:
    for block in note.blocks:
        _hold(bool(block.sections), "a block of no section")
        ends = [span.end for span in (block.heading, block.body) if span is not None]
        _hold(max(ends) <= len(note.text), "a block outside its note")
    for sentence in note.sentences:
        _check_sentence(sentence, note)


def _check_sentence(sentence: Sentence, note: Note) -> None:
    within = sentence.span.end <= len(note.text) and sentence.span.of(note.text) == sentence.text
    _hold(within and bool(sentence.sections), "a sentence outside its note")


def _check_evaluation(evaluation: Evaluation, transcript: Transcript, note: Note) -> None:
    for one in evaluation.sentences:
        _check_sentence(one.sentence, note)
        if one.claim is not None:
            _check_words(one.claim, one.sentence)
    for value in _leaves(evaluation):
        if isinstance(value, Citation):
            _hold(value.stands_in(transcript), "a citation of something else")
    risks, responses, heard = evaluation.risks or (), evaluation.responses or (), evaluation.behaviours
    turns = [turn for item in evaluation.checklist for turn in item.suggested_turns]
    turns += [turn for risk in risks for turn in risk.turns]
    turns += [response.turn for response in responses if response.turn is not None]
    turns += [*evaluation.unheard, *(turn for turn, _ in (heard.turns if heard else ()))]
    thread = evaluation.thread
    turns += [int(link.place) for link in thread.session] if thread else []
    _check_turns(turns, len(transcript.turns))
    for response in responses:
        for evidence in response.evidence:
            text = transcript.turns[response.turn].text if response.turn is not None else evidence.quote
            quoted = response.turn is None or evidence.span.of(text) == evidence.quote
            _hold(quoted, "evidence from something else")


def _check_words(claim: ClaimVerdict, sentence: Sentence) -> None:
    _hold(all(one.words and one.span.of(sentence.text) == one.words for one in claim.wrong), "words of something else")
    _hold(claim.seen is None or claim.seen.end <= len(sentence.text), "words outside their sentence")


def _check_review(review: Review, note: Note | None, turns: int) -> None:
    _check_turns([turn for mark in review.claims for turn in mark.turns], turns)
    for comment in review.comments:
        _check_turns(list(comment.turns), turns)
        # Of a note that is not in the file nothing can be said.
        if note is not None:
            _hold(comment.span.of(note.text) == comment.quote, "a comment on something else")


def _check_turns(turns: list[int], count: int) -> None:
    _hold(all(0 <= turn < count for turn in turns), "a turn outside its session")


def _hold(fits: bool, otherwise: str) -> None:
    if not fits:
        raise ValueError(otherwise)

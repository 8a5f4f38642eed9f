"""Whether what a case file holds may be believed as data: types, text, numbers, times, and what points where.

Called in the limited child (``case_file_reading``): what comes in is hostile until it has been through here.
"""

from __future__ import annotations

import json
import math
import re
from datetime import date, datetime, timedelta
from typing import Any

# Before Qt is imported: from then on Qt looks into every module that is imported, and that fails in pydantic's fields.
import pydantic.fields  # noqa: F401
from pydantic import TypeAdapter

from noteeval_desktop.domain.fitting import check_evaluation, check_note, check_turns, hold, leaves
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import Review
from noteeval_desktop.domain.times import EARLIEST
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
    for value in leaves(bundle):
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


def _fits_together(bundle: Bundle) -> None:
    transcripts = {one.id: one.transcript for one in bundle.transcripts}
    notes = {one.id: one.note for one in bundle.revisions}
    hold(bool(_ID.fullmatch(bundle.id)), "not an id")
    hold(bool(transcripts) and bool(notes), "a case has a session and a note")
    for note in notes.values():
        check_note(note)
    for judged in bundle.evaluations:
        known = judged.transcript in transcripts and judged.kept.revision in notes
        hold(known, "an evaluation of something else")
        check_evaluation(judged.kept.evaluation, transcripts[judged.transcript], notes[judged.kept.revision])
    turns = max(len(one.turns) for one in transcripts.values())
    by_hash = {note.sha256: note for note in notes.values()}
    for review in bundle.reviews:
        _check_review(review.review, by_hash.get(review.review.note_sha256), turns)


def _check_review(review: Review, note: Note | None, turns: int) -> None:
    check_turns([turn for mark in review.claims for turn in mark.turns], turns)
    for comment in review.comments:
        check_turns(list(comment.turns), turns)
        # Of a note that is not in the file nothing can be said.
        if note is not None:
            hold(comment.span.of(note.text) == comment.quote, "a comment on something else")

"""Opening what is sealed in a case file: the part that runs in a limited child process.

Whoever wrote the file knew its passphrase, so that what comes out of the seal is no more to be trusted than the file.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from datetime import date, datetime, timedelta
from typing import Any

# Before Qt is imported: from then on Qt looks into every module that is imported, and that fails in pydantic's fields.
import pydantic.fields  # noqa: F401
from pydantic import TypeAdapter

from noteeval_desktop.domain.fitting import check_evaluation, check_note, check_turns, hold, leaves
from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.domain.times import EARLIEST
from noteeval_desktop.store.errors import WrongPassphrase
from noteeval_desktop.store.records import Bundle
from noteeval_desktop.store.sealing import Cost, Sealed, unseal_with_passphrase
from noteeval_desktop.store.signing import canonical, is_by

FORMAT = "noteeval.case/1"
SIGNED = "signed"
READ, WRONG_PASSPHRASE, DAMAGED, FORGED = "read", "passphrase", "damaged", "forged"
# An hour's session with 300 evaluations takes half of either.
MOST_BYTES, _MOST_VALUES = 32 << 20, 2_000_000
_PLANNED = timedelta(days=366)
_CLOCKS_DIFFER = timedelta(hours=1)
_MOST_DIGITS, _LARGEST = 15, 1e15
_ID = re.compile(r"[0-9a-f]{32}")


def open_sealed(
    nonce: bytes, box: bytes, salt: bytes, cost: tuple[int, int, int], passphrase: str, now: str
) -> tuple[str, str, str]:
    """One of the words above, or how it is ``OutOfTime``; after ``READ`` the case as JSON, and who signed it (a public
    key or nothing)."""
    try:
        packed = unseal_with_passphrase(Sealed(nonce, box, salt, Cost(*cost)), passphrase, FORMAT)
    except WrongPassphrase:
        return WRONG_PASSPHRASE, "", ""
    try:
        # At most so much: a small file must not fill the memory.
        inflater = zlib.decompressobj()
        text = inflater.decompress(packed, MOST_BYTES)
        if not inflater.eof or inflater.unused_data:
            raise ValueError("too large, cut short or more than a case")
        data = parsed(text)
        signer = _signer(data)
        bundle = bundle_of(data, datetime.fromisoformat(now))
    except OutOfTime as error:
        return str(error), "", ""
    except _Forged:
        return FORGED, "", ""
    except (ValueError, zlib.error, RecursionError):
        return DAMAGED, "", ""
    return READ, json.dumps(to_plain(bundle), ensure_ascii=False), signer


def signed_content(plain: dict[str, Any]) -> bytes:
    """What the signature of a case file is over."""
    return canonical(FORMAT, plain)


class _Forged(Exception):
    pass


def _signer(data: dict[str, Any]) -> str:
    signed = data.pop(SIGNED, None)
    if signed is None:
        return ""
    if not isinstance(signed, dict) or not all(isinstance(signed.get(name), str) for name in ("key", "signature")):
        raise ValueError("not a signature")
    if not is_by(signed["key"], signed["signature"], signed_content(data)):
        raise _Forged
    return str(signed["key"])


# Whether what it holds may be believed as data: types, text, numbers, times, and what points where.


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
    for review in (one.review for one in bundle.reviews):
        check_turns([turn for mark in review.claims for turn in mark.turns], turns)
        for comment in review.comments:
            check_turns(list(comment.turns), turns)
            # Of a note that is not in the file nothing can be said.
            if (judged_note := by_hash.get(review.note_sha256)) is not None:
                hold(comment.span.of(judged_note.text) == comment.quote, "a comment on something else")

"""What was marked in each revision of many cases, read without opening any: no texts but those of reviewed notes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import SCORED, Review, ReviewKind
from noteeval_desktop.domain.times import day, moment
from noteeval_desktop.store import search
from noteeval_desktop.store.reading import PENDING, Row, sure_reviews
from noteeval_desktop.store.records import CaseQuery, Shares, unpack
from noteeval_desktop.store.tables import Tables


@dataclass(frozen=True, slots=True)
class RevisionMarks:
    """One revision: its latest complete evaluation (``judge`` is "kind model", empty for none) and what was handed in.

    ``items``: rubric items that were judged, with whether the note covers them. ``note``, and
    ``judged`` without its texts, only where there are ``reviews``, which are supervisors' and handed in.
    """

    case: str
    label: str
    session_date: date | None
    revision: int
    saved: datetime
    judge: str
    scores: Shares
    items: tuple[tuple[str, bool], ...]
    note: Note | None
    judged: Evaluation | None
    reviews: tuple[Review, ...]


def revision_marks(db: Tables, query: CaseQuery) -> tuple[RevisionMarks, ...]:
    """Of the cases of ``query``, oldest first; revisions that nobody marked, or whose blind review is pending, are
    left out.
    """
    condition, values = search.where(query)
    cases = list(
        db.query(
            f"""SELECT number, id, label, session_date, {PENDING} AS pending FROM "case"
            WHERE {condition} ORDER BY number""",
            values,
        )
    )
    return tuple(row for case in cases for row in _of_case(db, case))


def _of_case(db: Tables, case: Row) -> Iterator[RevisionMarks]:
    number = case["number"]
    judged = {
        row["revision"]: row for row in _rows(db, "SELECT * FROM evaluation WHERE complete AND of_case = ?", number)
    }
    handed_in: dict[str, list[Review]] = {}
    for review in sure_reviews(db, number):
        if review.kind is ReviewKind.SUPERVISION and not review.blind:
            handed_in.setdefault(review.note_sha256, []).append(review)
    revisions = _rows(db, "SELECT id, saved, sha256 FROM revision WHERE of_case = ?", number)
    # A note may have come back to what it was: its reviews belong to the last revision that reads so.
    last = {row["sha256"]: row["id"] for row in revisions}
    for place, row in enumerate(revisions, start=1):
        reviews = tuple(handed_in.get(row["sha256"], ())) if last[row["sha256"]] == row["id"] else ()
        evaluation = judged.get(row["id"])
        hidden = case["pending"] and row["sha256"] == revisions[-1]["sha256"]
        if hidden or (evaluation is None and not reviews):
            continue
        yield RevisionMarks(
            case=case["id"],
            label=case["label"],
            session_date=day(case["session_date"]) if case["session_date"] else None,
            revision=place,
            saved=moment(row["saved"]),
            judge=evaluation["judge"] if evaluation else "",
            scores=tuple((dimension, evaluation[dimension.value]) for dimension in SCORED) if evaluation else (),
            items=_items(evaluation["content"]) if evaluation else (),
            note=_note(db, row["id"]) if reviews else None,
            judged=unpack(Evaluation, evaluation["content"]) if reviews and evaluation else None,
            reviews=reviews,
        )


def _items(content: bytes) -> tuple[tuple[str, bool], ...]:
    """From the kept JSON itself: making the whole evaluation of it takes ten times as long."""
    checklist = json.loads(zlib.decompress(content))["checklist"]
    return tuple((one["item"], one["present"]) for one in checklist if one["present"] is not None)


def _note(db: Tables, revision: str) -> Note:
    return unpack(Note, db.execute("SELECT content FROM revision WHERE id = ?", [revision]).fetchone()[0])


def _rows(db: Tables, sql: str, number: int) -> list[Row]:
    return list(db.query(f"{sql} ORDER BY number", [number]))

"""From rows to values; called within a transaction of ``cases`` or ``case_file``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from sqlite_utils import Database as Tables

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import CaseStatus, Dimension, Review
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.store.blind import COLUMNS
from noteeval_desktop.store.errors import CaseNotFound
from noteeval_desktop.store.records import (
    Bundle,
    BundledEvaluation,
    BundledReview,
    BundledTranscript,
    CaseSummary,
    KeptDraft,
    KeptEvaluation,
    Labels,
    NoteFile,
    OpenedCase,
    Origin,
    Pending,
    Provenance,
    Revision,
    unpack,
    with_texts,
)
from noteeval_desktop.store.signing import Signer

Row = Mapping[str, Any]


def case_row(db: Tables, case_id: str) -> Row:
    """Raises CaseNotFound."""
    row = next(iter(db.query(f'SELECT {COLUMNS} FROM "case" WHERE id = ?', [case_id])), None)
    if row is None:
        raise CaseNotFound
    return row


def summary(db: Tables, row: Row) -> CaseSummary:
    """``row`` has the columns that ``blind.COLUMNS`` names."""
    pending = Pending(row["pending"]) if row["pending"] else None
    return CaseSummary(
        id=row["id"],
        labels=labels(db, row),
        status=CaseStatus(row["status"]),
        archived=bool(row["archived"]),
        created=datetime.fromisoformat(row["created"]),
        changed=datetime.fromisoformat(row["changed"]),
        judge=row["judge"],
        scores=tuple((dimension, None if pending else row[dimension.value]) for dimension in Dimension),
        pending=pending,
        unsaved=bool(row["unsaved"]),
        imported=bool(row["imported"]),
        open_risks=None if pending else row["open_risks"],
        was_approved=row["status"] == CaseStatus.DRAFT and _was_approved(db, row["number"]),
    )


def _was_approved(db: Tables, number: int) -> bool:
    rows = db.execute("SELECT content FROM review WHERE of_case = ? AND stage = 'handed_in'", [number]).fetchall()
    return any(unpack(Review, content).signature is not None for (content,) in rows)


def labels(db: Tables, row: Row) -> Labels:
    tags = db.execute("SELECT name FROM tag WHERE of_case = ? ORDER BY name", [row["number"]]).fetchall()
    return Labels(
        label=row["label"],
        clinician=row["clinician"],
        client=row["client"],
        session_date=date.fromisoformat(row["session_date"]) if row["session_date"] else None,
        tags=tuple(name for (name,) in tags),
    )


def opened(db: Tables, case_id: str) -> OpenedCase:
    row = case_row(db, case_id)
    whole = bundle(db, case_id)
    sessions = {one.id: one.transcript for one in whole.transcripts}
    notes = {one.id: one.note for one in whole.revisions}
    return OpenedCase(
        summary=summary(db, row),
        transcript=sessions[row["transcript"]],
        revisions=whole.revisions,
        evaluations=tuple(
            replace(
                one.kept,
                evaluation=with_texts(one.kept.evaluation, sessions[one.transcript], notes[one.kept.revision]),
            )
            for one in whole.evaluations
        ),
        reviews=tuple(one.review for one in whole.reviews),
        draft=draft(db, row["number"]),
        seen=row["seen"],
        provenance=tuple(
            own_provenance(db) if one["own"] else provenance(db, one["signer"])
            for one in _rows(db, "review", row["number"])
        ),
        note_file=_note_file(db, row["number"]),
    )


def bundle(db: Tables, case_id: str) -> Bundle:
    """Everything but the draft and the note's file; the present transcript comes last."""
    row = case_row(db, case_id)
    number = row["number"]
    return Bundle(
        id=case_id,
        labels=labels(db, row),
        status=CaseStatus(row["status"]),
        created=datetime.fromisoformat(row["created"]),
        changed=datetime.fromisoformat(row["changed"]),
        transcripts=tuple(
            BundledTranscript(one["id"], unpack(Transcript, one["content"]))
            for one in sorted(_rows(db, "transcript", number), key=lambda one: bool(one["id"] == row["transcript"]))
        ),
        revisions=tuple(
            Revision(one["id"], place, datetime.fromisoformat(one["saved"]), unpack(Note, one["content"]))
            for place, one in enumerate(_rows(db, "revision", number), start=1)
        ),
        evaluations=tuple(_evaluation(one) for one in _rows(db, "evaluation", number)),
        reviews=tuple(
            BundledReview(
                datetime.fromisoformat(one["changed"]), unpack(Review, one["content"]), one["signer"], one["seal"]
            )
            for one in _rows(db, "review", number)
        ),
    )


def reviews(db: Tables, number: int) -> tuple[Review, ...]:
    return tuple(unpack(Review, one["content"]) for one in _rows(db, "review", number))


def review(db: Tables, review_id: str) -> Review | None:
    row = db.execute("SELECT content FROM review WHERE id = ?", [review_id]).fetchone()
    return None if row is None else unpack(Review, row[0])


def own_reviews(db: Tables, number: int) -> frozenset[str]:
    """The ids of those that were made here."""
    return frozenset(one["id"] for one in _rows(db, "review", number) if one["own"])


def signer(db: Tables) -> Signer:
    """This library's."""
    return Signer(db.execute("SELECT secret FROM signing_key").fetchone()[0])


def own_provenance(db: Tables) -> Provenance:
    return Provenance(Origin.OWN, signer(db).public)


def provenance(db: Tables, key: str) -> Provenance:
    """Of what is signed by ``key``; empty: by nobody."""
    if not key:
        return Provenance(Origin.UNSIGNED)
    if key == signer(db).public:
        return Provenance(Origin.OWN, key)
    known = db.execute("SELECT name FROM known_signer WHERE key = ?", [key]).fetchone()
    return Provenance(Origin.KNOWN, key, known[0]) if known else Provenance(Origin.UNKNOWN, key)


def draft(db: Tables, number: int) -> KeptDraft | None:
    row = next(iter(db.query("SELECT saved, content FROM draft WHERE of_case = ?", [number])), None)
    return None if row is None else KeptDraft(datetime.fromisoformat(row["saved"]), unpack(str, row["content"]))


def _note_file(db: Tables, number: int) -> NoteFile | None:
    row = db.execute("SELECT content FROM note_file WHERE of_case = ?", [number]).fetchone()
    return None if row is None else unpack(NoteFile, row[0])


def _evaluation(row: Row) -> BundledEvaluation:
    made = datetime.fromisoformat(row["made"])
    return BundledEvaluation(
        row["transcript"], KeptEvaluation(row["id"], row["revision"], made, unpack(Evaluation, row["content"]))
    )


def _rows(db: Tables, table: str, number: int) -> list[Row]:
    return list(db.query(f"SELECT * FROM {table} WHERE of_case = ? ORDER BY number", [number]))

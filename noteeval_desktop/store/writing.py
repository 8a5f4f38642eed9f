"""From values to rows; called within a transaction of ``cases`` or ``taking_in``."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import sqlcipher3

from noteeval_desktop.domain.carrying import as_came_back
from noteeval_desktop.domain.decisions import decision_stands
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import open_findings, open_risk, ranked_findings
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import SCORED, AnswerKind, Review, ReviewKind
from noteeval_desktop.domain.standing import CaseStatus, came_back
from noteeval_desktop.domain.times import moment
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.store import reading, search
from noteeval_desktop.store.reading import FIGURES
from noteeval_desktop.store.records import (
    Bundle,
    BundledEvaluation,
    KeptEvaluation,
    Labels,
    Revision,
    new_id,
    pack,
    with_texts,
    without_texts,
)
from noteeval_desktop.store.tables import Tables


def insert_case(
    db: Tables, case_id: str, labels: Labels, status: CaseStatus, created: str, changed: str, imported: bool = False
) -> int:
    """Returns the case's number. ``imported``: somebody else keeps it as its author."""
    db.execute(
        """INSERT INTO "case"(id, label, clinician, client, status, created, changed, imported)
        VALUES (?, '', '', '', ?, ?, ?, ?)""",
        [case_id, status.value, created, changed, int(imported)],
    )
    number = int(reading.case_row(db, case_id)["number"])
    update_labels(db, number, labels)
    return number


def update_labels(db: Tables, number: int, labels: Labels) -> None:
    day = labels.session_date.isoformat() if labels.session_date else None
    db.execute(
        'UPDATE "case" SET label = ?, clinician = ?, client = ?, session_date = ? WHERE number = ?',
        [labels.label, labels.clinician, labels.client, day, number],
    )
    db.execute("DELETE FROM tag WHERE of_case = ?", [number])
    for name in dict.fromkeys(labels.tags):
        db.execute("INSERT INTO tag VALUES (?, ?)", [number, name])


def set_transcript(db: Tables, number: int, transcript: Transcript) -> None:
    kept = put_transcript(db, number, transcript)
    db.execute('UPDATE "case" SET transcript = ? WHERE number = ?', [kept, number])


def put_transcript(db: Tables, number: int, transcript: Transcript) -> str:
    """The id of the row that holds it; a new one where there is none."""
    sha256 = _sha256(transcript)
    known = db.execute("SELECT id FROM transcript WHERE of_case = ? AND sha256 = ?", [number, sha256]).fetchone()
    return str(known[0]) if known else insert_transcript(db, number, new_id(), transcript)


def insert_transcript(db: Tables, number: int, row_id: str, transcript: Transcript) -> str:
    db.execute(
        "INSERT INTO transcript(id, of_case, sha256, content) VALUES (?, ?, ?, ?)",
        [row_id, number, _sha256(transcript), pack(transcript)],
    )
    return row_id


def put_revision(db: Tables, number: int, note: Note, when: str) -> str:
    """The id of the latest revision if it is this note, else of a new one; the draft that led to it goes.

    A note that was approved is a draft again once it reads otherwise.
    """
    latest = db.execute(
        "SELECT id, sha256 FROM revision WHERE of_case = ? ORDER BY number DESC LIMIT 1", [number]
    ).fetchone()
    db.execute("DELETE FROM draft WHERE of_case = ?", [number])
    if latest and latest[1] == note.sha256:
        return str(latest[0])
    # What was signed was another text.
    approved, draft = CaseStatus.APPROVED.value, CaseStatus.DRAFT.value
    db.execute('UPDATE "case" SET status = ? WHERE number = ? AND status = ?', [draft, number, approved])
    revision = Revision(new_id(), 0, moment(when), note)
    return insert_revision(db, number, revision)


def insert_revision(db: Tables, number: int, revision: Revision) -> str:
    db.execute(
        "INSERT INTO revision(id, of_case, saved, sha256, content) VALUES (?, ?, ?, ?, ?)",
        [revision.id, number, revision.saved.isoformat(), revision.note.sha256, pack(revision.note)],
    )
    return revision.id


def revision_of(db: Tables, number: int, note: Note, when: str) -> str:
    """The id of the latest revision with this note, else of a new one; a draft is left alone."""
    known = db.execute(
        "SELECT id FROM revision WHERE of_case = ? AND sha256 = ? ORDER BY number DESC LIMIT 1", [number, note.sha256]
    ).fetchone()
    if known:
        return str(known[0])
    return insert_revision(db, number, Revision(new_id(), 0, moment(when), note))


def insert_evaluation(db: Tables, number: int, transcript: str, kept: KeptEvaluation) -> str:
    evaluation = kept.evaluation
    row: dict[str, Any] = {
        "id": kept.id,
        "of_case": number,
        "transcript": transcript,
        "revision": kept.revision,
        "made": kept.made.isoformat(),
        "judge": judge_name(evaluation),
        "complete": int(evaluation.complete),
        "content": pack(without_texts(evaluation)),
    }
    row |= {dimension.value: getattr(evaluation.scores, dimension).note for dimension in SCORED}
    db.execute(f"INSERT INTO evaluation({', '.join(row)}) VALUES ({', '.join(f':{name}' for name in row)})", row)
    return kept.id


def judge_name(evaluation: Evaluation) -> str:
    return f"{evaluation.judge.kind} {evaluation.judge.model}".strip()


def put_review(db: Tables, number: int, review: Review, when: str, signer: str | None = None, seal: str = "") -> None:
    """``signer`` None: made here. Raises IntegrityError for the id of a review of another case."""
    kept = db.execute("SELECT of_case FROM review WHERE id = ?", [review.id]).fetchone()
    if kept and kept[0] != number:
        raise sqlcipher3.IntegrityError("a review of another case")
    rater = review.rater.encode("utf-8", "replace").decode("utf-8")
    stage = "" if review.kind is not ReviewKind.SUPERVISION else "under_way" if review.blind else "handed_in"
    row = {"id": review.id, "of_case": number, "changed": when, "content": pack(review), "rater": rater}
    row |= {"note_sha256": review.note_sha256, "stage": stage}
    row |= {"own": int(signer is None), "signer": signer or "", "seal": seal}
    names = ", ".join(row)
    anew = ", ".join(f"{name} = excluded.{name}" for name in row if name not in ("id", "of_case"))
    values = ", ".join(f":{name}" for name in row)
    db.execute(f"INSERT INTO review({names}) VALUES ({values}) ON CONFLICT (id) DO UPDATE SET {anew}", row)


def set_status(db: Tables, number: int, status: CaseStatus) -> None:
    """Raises ValueError for a status that may not follow the present one."""
    present = CaseStatus(db.execute('SELECT status FROM "case" WHERE number = ?', [number]).fetchone()[0])
    if status not in present.next:
        raise ValueError(f"{status} does not follow {present}")
    db.execute('UPDATE "case" SET status = ? WHERE number = ?', [status.value, number])


def refresh(db: Tables, number: int) -> None:
    """Bring what the list shows and the search finds into line with the rows."""
    case_id = db.execute('SELECT id FROM "case" WHERE number = ?', [number]).fetchone()[0]
    whole = reading.bundle(db, case_id)
    _show_latest(db, number, whole)
    search.index(
        db,
        number,
        whole.labels,
        whole.transcripts[-1].transcript,
        [one.note for one in whole.revisions],
        [one.kept.evaluation for one in whole.evaluations],
        [one.review for one in whole.reviews],
    )


def _show_latest(db: Tables, number: int, whole: Bundle) -> None:
    """The judge of the newest note that was judged, and the list's figures of it."""
    complete = [one for one in whole.evaluations if one.kept.evaluation.complete]
    order = {one.id: number for number, one in enumerate(whole.revisions)}
    # An earlier state of the note that is checked once more says nothing of the note as it is.
    judged = max(reversed(complete), key=lambda one: (order[one.kept.revision], one.kept.made), default=None)
    found: dict[str, Any] = dict.fromkeys(("judge", *FIGURES))
    if judged is not None:
        found |= _figures(db, number, whole, judged, order)
    changed = ", ".join(f"{name} = :{name}" for name in found)
    db.execute(f'UPDATE "case" SET {changed} WHERE number = :number', {**found, "number": number})


def _figures(
    db: Tables, number: int, whole: Bundle, judged: BundledEvaluation, order: Mapping[str, int]
) -> dict[str, Any]:
    note = whole.revisions[order[judged.kept.revision]].note
    session = next(one.transcript for one in whole.transcripts if one.id == judged.transcript)
    evaluation = with_texts(judged.kept.evaluation, session, note)
    reviews = reading.counted_reviews(db, number)
    back = came_back(reviews, whole.status, whole.revisions[-1].note.sha256)
    notes = {one.note.sha256: one.note for one in whole.revisions}
    shown = as_came_back(evaluation, back.values(), notes)
    answers = [answer for one in reviews if one.kind is ReviewKind.SELF for answer in one.answers]
    kept = [one for one in answers if one.kind is not AnswerKind.FIXED and decision_stands(one.reason, note)]
    reasons = {one.finding: one.reason for one in kept}
    left = open_findings(ranked_findings(shown, reasons), shown, reasons)
    open_risks = open_risk(shown, left).count
    return {name: of(shown, open_risks) for name, of in FIGURES.items()} | {"judge": judge_name(evaluation)}


def insert_bundle(db: Tables, bundle: Bundle, imported: bool = False) -> str:
    """A case that is not here yet, without its reviews; returns its id."""
    created, changed = bundle.created.isoformat(), bundle.changed.isoformat()
    number = insert_case(db, bundle.id, bundle.labels, bundle.status, created, changed, imported)
    add_rows(db, number, bundle)
    show_transcript(db, number, bundle)
    refresh(db, number)
    return bundle.id


def add_rows(db: Tables, number: int, bundle: Bundle) -> None:
    """Transcripts, revisions and evaluations that the case does not have yet.

    Raises IntegrityError for ids of rows of another case.
    """
    # An id that another case has is not this case's: inserting it fails, as ids are unique.
    tables = ("transcript", "revision", "evaluation")
    has = {t: {i for (i,) in db.execute(f"SELECT id FROM {t} WHERE of_case = ?", [number]).fetchall()} for t in tables}
    for one in bundle.transcripts:
        if one.id not in has["transcript"]:
            insert_transcript(db, number, one.id, one.transcript)
    for revision in bundle.revisions:
        if revision.id not in has["revision"]:
            insert_revision(db, number, revision)
    for judged in bundle.evaluations:
        if judged.kept.id not in has["evaluation"]:
            insert_evaluation(db, number, judged.transcript, judged.kept)


def show_transcript(db: Tables, number: int, bundle: Bundle) -> None:
    """Make the bundle's the present one."""
    db.execute('UPDATE "case" SET transcript = ? WHERE number = ?', [bundle.transcripts[-1].id, number])


def delete_case(db: Tables, number: int) -> None:
    search.forget(db, number)
    db.execute('DELETE FROM "case" WHERE number = ?', [number])


def _sha256(transcript: Transcript) -> str:
    return hashlib.sha256(pack(transcript)).hexdigest()

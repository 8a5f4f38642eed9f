"""From rows to values; called within a transaction of ``cases`` or ``case_file``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.names import may_be, same_name
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Review
from noteeval_desktop.domain.standing import CaseStatus, Stand, stand
from noteeval_desktop.domain.times import EARLIEST, day, moment
from noteeval_desktop.domain.transcript import Transcript
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
from noteeval_desktop.store.signing import ReviewSeal, Signer
from noteeval_desktop.store.tables import Tables

# Which cases have a supervisor's blind review before them, as SQL over table "case".
# A case waits for one where it was imported here (so somebody else keeps it as its author) and submitted, and the rater
# of this library has handed in, here, no review of its latest revision. One is under way where an unfinished review of
# the latest revision is in this library, whoever's case it is. Neither holds once the judge's marks of the latest note
# were shown in this library (``seen_note``): nothing is left to hide then, and no later mark is blind. That is
# remembered by the note's hash, which outlives the case: deleting it and importing it anew hides nothing again.
_LATEST = 'SELECT sha256 FROM revision WHERE of_case = "case".number ORDER BY number DESC LIMIT 1'
_OF_LATEST = f'SELECT 1 FROM review WHERE of_case = "case".number AND note_sha256 = ({_LATEST})'
# A value of records.Pending, or null.
PENDING = f"""CASE
    WHEN EXISTS (SELECT 1 FROM seen_note WHERE sha256 = ({_LATEST})) THEN NULL
    WHEN EXISTS ({_OF_LATEST} AND stage = 'under_way') THEN 'under_way'
    WHEN imported AND status IN ('submitted', 'resubmitted') AND NOT EXISTS
        ({_OF_LATEST} AND stage = 'handed_in' AND own AND rater = (SELECT name FROM rater)) THEN 'waiting'
    END"""
_UNSAVED = 'EXISTS (SELECT 1 FROM draft WHERE of_case = "case".number)'
COLUMNS = f'"case".*, {PENDING} AS pending, {_UNSAVED} AS unsaved'
MARK_SEEN = """INSERT OR IGNORE INTO seen_note SELECT sha256 FROM revision WHERE id IN
    (SELECT revision FROM evaluation WHERE of_case = ?)"""
SEEN = "SELECT sha256 FROM revision WHERE of_case = ? AND sha256 IN (SELECT sha256 FROM seen_note)"


# The list's figures of a case: a column of table "case" each, nothing of it shown while a blind review is pending.
# Of the newest note that was judged, with the supervisor's marks where those hold of it, and the risks open in it.
FIGURES: Mapping[str, Callable[[Evaluation, int | None], float | None]] = {
    "completeness": lambda shown, open_risks: shown.scores.completeness.note,
    "conciseness": lambda shown, open_risks: shown.scores.conciseness.note,
    "faithfulness": lambda shown, open_risks: shown.scores.faithfulness.note,
    "open_risks": lambda shown, open_risks: open_risks,
}


Row = Mapping[str, Any]


def case_row(db: Tables, case_id: str) -> Row:
    """Raises CaseNotFound."""
    row = next(iter(db.query(f'SELECT {COLUMNS} FROM "case" WHERE id = ?', [case_id])), None)
    if row is None:
        raise CaseNotFound
    return row


def summary(db: Tables, row: Row) -> CaseSummary:
    """``row`` has the columns that ``COLUMNS`` names."""
    pending = Pending(row["pending"]) if row["pending"] else None
    return CaseSummary(
        id=row["id"],
        labels=labels(db, row),
        status=CaseStatus(row["status"]),
        archived=bool(row["archived"]),
        created=moment(row["created"]),
        changed=moment(row["changed"]),
        judge=row["judge"],
        figures={name: None if pending else row[name] for name in FIGURES},
        pending=pending,
        unsaved=bool(row["unsaved"]),
        imported=bool(row["imported"]),
        stand=_stand(db, row),
    )


def shown(db: Tables, row: Row) -> CaseSummary:
    """A case that cannot be read is a line that says so, and the others stand."""
    try:
        return summary(db, row)
    except (ValueError, TypeError, LookupError, OverflowError):
        label = Labels(
            tr("⚠ {label}: this case cannot be shown; a backup may have it intact").format(label=row["label"])
        )
        nothing = dict.fromkeys(FIGURES)
        return CaseSummary(row["id"], label, CaseStatus.DRAFT, bool(row["archived"]), EARLIEST, EARLIEST, None, nothing)


def _stand(db: Tables, row: Row) -> Stand:
    sql = "SELECT sha256 FROM revision WHERE of_case = ? ORDER BY number DESC LIMIT 1"
    latest = str(db.execute(sql, [row["number"]]).fetchone()[0])
    return stand(CaseStatus(row["status"]), counted_reviews(db, row["number"], "handed_in"), latest)


def labels(db: Tables, row: Row) -> Labels:
    tags = db.execute("SELECT name FROM tag WHERE of_case = ? ORDER BY name", [row["number"]]).fetchall()
    return Labels(
        label=row["label"],
        clinician=row["clinician"],
        client=row["client"],
        session_date=day(row["session_date"]) if row["session_date"] else None,
        tags=tuple(name for (name,) in tags),
    )


def opened(db: Tables, case_id: str) -> OpenedCase:
    row = case_row(db, case_id)
    whole, own = bundle(db, case_id), own_reviews(db, row["number"])
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
        seen=frozenset(sha256 for (sha256,) in db.execute(SEEN, [row["number"]]).fetchall()),
        provenance=tuple(vouching(db, one.review, one.signer, one.review.id in own, one.seal) for one in whole.reviews),
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
        created=moment(row["created"]),
        changed=moment(row["changed"]),
        transcripts=tuple(
            BundledTranscript(one["id"], unpack(Transcript, one["content"]))
            for one in sorted(_rows(db, "transcript", number), key=lambda one: bool(one["id"] == row["transcript"]))
        ),
        revisions=tuple(
            Revision(one["id"], place, moment(one["saved"]), unpack(Note, one["content"]))
            for place, one in enumerate(_rows(db, "revision", number), start=1)
        ),
        evaluations=tuple(_evaluation(one) for one in _rows(db, "evaluation", number)),
        reviews=tuple(
            BundledReview(moment(one["changed"]), unpack(Review, one["content"]), one["signer"], one["seal"])
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
    return Signer(db.execute("SELECT secret FROM signing_key").fetchone()[0])


def vouching(db: Tables, review: Review, key: str, own: bool = False, seal: str = "") -> Provenance:
    """Whose key signed the ``review``, or nobody's (empty); whether the names over it may be its owner's."""
    found = Provenance(Origin.OWN, signer(db).public) if own else provenance(db, key)
    if seal and key and not own:
        found = replace(found, with_session=bool(ReviewSeal.read(seal).session))
    names = [name for name in (review.rater, review.signature and review.signature.name) if name]
    return found if all(_may_sign(db, found, name) for name in names) else replace(found, origin=Origin.MISMATCH)


def _may_sign(db: Tables, found: Provenance, name: str) -> bool:
    rows = db.execute("SELECT name FROM known_signer WHERE key != ?", [found.key]).fetchall()
    if found.origin is Origin.OWN:
        return not any(same_name(name, other) for (other,) in rows)
    if found.origin is Origin.KNOWN:
        return may_be(name, found.name)
    own = db.execute("SELECT name FROM rater").fetchall()
    return not any(may_be(name, other) for (other,) in (*rows, *own))


def counted_reviews(db: Tables, number: int, stage: str | None = None) -> tuple[Review, ...]:
    """Without those that came under a name that is not their signer's; of one ``stage`` where it is given."""
    return tuple(one for one, whose in _vouched(db, number, stage) if whose.counts)


def sure_reviews(db: Tables, number: int) -> tuple[Review, ...]:
    """Those of which it is sure whose they are."""
    return tuple(one for one, whose in _vouched(db, number) if whose.sure)


def _vouched(db: Tables, number: int, stage: str | None = None) -> Iterator[tuple[Review, Provenance]]:
    for row in _rows(db, "review", number):
        if stage in (None, row["stage"]):
            one = unpack(Review, row["content"])
            yield one, vouching(db, one, row["signer"], bool(row["own"]))


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
    return None if row is None else KeptDraft(moment(row["saved"]), unpack(str, row["content"]))


def _note_file(db: Tables, number: int) -> NoteFile | None:
    row = db.execute("SELECT content FROM note_file WHERE of_case = ?", [number]).fetchone()
    return None if row is None else unpack(NoteFile, row[0])


def _evaluation(row: Row) -> BundledEvaluation:
    made = moment(row["made"])
    return BundledEvaluation(
        row["transcript"], KeptEvaluation(row["id"], row["revision"], made, unpack(Evaluation, row["content"]))
    )


def _rows(db: Tables, table: str, number: int) -> list[Row]:
    return list(db.query(f"SELECT * FROM {table} WHERE of_case = ? ORDER BY number", [number]))

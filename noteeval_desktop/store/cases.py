"""The cases in the library: domain values in, domain values out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.review import Review
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.store import progress, reading, search, writing
from noteeval_desktop.store.audit import Event, append
from noteeval_desktop.store.database import Database
from noteeval_desktop.store.errors import OwnNote
from noteeval_desktop.store.progress import RevisionMarks
from noteeval_desktop.store.records import (
    CaseQuery,
    CaseSummary,
    KeptEvaluation,
    Labels,
    NoteFile,
    OpenedCase,
    new_id,
    pack,
    unpack,
)
from noteeval_desktop.store.tables import Tables

Clock = Callable[[], datetime]


def now() -> datetime:
    return datetime.now(UTC)


# So many evaluations of a client are looked through for one with a plan.
_LATEST = 20


class Cases:
    """Every change is one transaction, kept when the method returns. Raises StoreError; CaseNotFound for old ids."""

    def __init__(self, database: Database, clock: Clock = now) -> None:
        self._database, self._clock = database, clock

    def add(self, case: Case, labels: Labels | None = None) -> str:
        """A new case with the note as its first revision; returns its id. Its label is ``case.label`` by default."""
        labels = labels or Labels(label=case.label)
        when, case_id = self._clock().isoformat(), new_id()
        with self._database.writing() as db:
            number = writing.insert_case(db, case_id, labels, CaseStatus.DRAFT, when, when)
            writing.set_transcript(db, number, case.transcript)
            writing.put_revision(db, number, case.note, when)
            writing.refresh(db, number)
        return case_id

    def find(self, query: CaseQuery | None = None, limit: int = 200, offset: int = 0) -> tuple[CaseSummary, ...]:
        """The lines of a list, without clinical text; missing values sort last."""
        query = query or CaseQuery()
        condition, values = search.where(query)
        sort, order = search.sorted_by(query.sort), "DESC" if query.descending else "ASC"
        with self._database.reading() as db:
            rows = db.query(
                f'SELECT {reading.COLUMNS} FROM "case" WHERE {condition} '
                f"ORDER BY {sort} {order} NULLS LAST, number {order} LIMIT :limit OFFSET :offset",
                values | {"limit": limit, "offset": offset},
            )
            return tuple(reading.shown(db, row) for row in rows)

    def count(self, query: CaseQuery | None = None) -> int:
        condition, values = search.where(query or CaseQuery())
        with self._database.reading() as db:
            return int(db.execute(f'SELECT count(*) FROM "case" WHERE {condition}', values).fetchone()[0])

    def revision_marks(self, query: CaseQuery) -> tuple[RevisionMarks, ...]:
        """What judges and supervisors marked in every revision of the cases of ``query`` (a clinician's, say)."""
        with self._database.reading() as db:
            return progress.revision_marks(db, query)

    def with_note(self, sha256: str) -> tuple[str, ...]:
        """Ids of the cases that hold a revision with this hash, those changed last first."""
        sql = """SELECT DISTINCT c.id, c.changed FROM revision r JOIN "case" c ON c.number = r.of_case
            WHERE r.sha256 = ? ORDER BY c.changed DESC"""
        with self._database.reading() as db:
            return tuple(case_id for case_id, _ in db.execute(sql, [sha256]).fetchall())

    def notes_of(self, client: str) -> tuple[tuple[str, Labels, Note], ...]:
        """Of each case of the client: its id, its labels, and its note as it was kept last."""
        sql = """SELECT c.*, (SELECT content FROM revision r WHERE r.of_case = c.number ORDER BY r.number DESC LIMIT 1)
            AS note FROM "case" c WHERE c.client = ? ORDER BY c.number"""
        with self._database.reading() as db:
            rows = db.query(sql, [client])
            return tuple((row["id"], reading.labels(db, row), unpack(Note, row["note"])) for row in rows)

    def choices(self, column: str) -> tuple[str, ...]:
        """The values in use of ``clinician``, ``client``, ``judge`` or ``tag``, for a filter's menu."""
        sql = {
            "clinician": 'SELECT DISTINCT clinician FROM "case"',
            "client": 'SELECT DISTINCT client FROM "case"',
            "judge": 'SELECT DISTINCT judge FROM "case"',
            "tag": "SELECT DISTINCT name FROM tag",
        }[column]
        with self._database.reading() as db:
            return tuple(sorted(row[0] for row in db.execute(sql).fetchall() if row[0]))

    def plan_of(self, client: str) -> TreatmentPlan | None:
        """The treatment plan that a note of this client was last checked with; of a nameless client there is none."""
        sql = """SELECT e.content FROM evaluation e JOIN "case" c ON c.number = e.of_case
            WHERE c.client = ? ORDER BY e.made DESC LIMIT ?"""
        with self._database.reading() as db:
            rows = db.execute(sql, [client, _LATEST]).fetchall() if client else []
        threads = (unpack(Evaluation, content).thread for (content,) in rows)
        return next((thread.plan for thread in threads if thread is not None), None)

    def has(self, case_id: str) -> bool:
        with self._database.reading() as db:
            return db.execute('SELECT 1 FROM "case" WHERE id = ?', [case_id]).fetchone() is not None

    def summary(self, case_id: str) -> CaseSummary:
        with self._database.reading() as db:
            return reading.summary(db, reading.case_row(db, case_id))

    def open(self, case_id: str, spoiling: bool = False, shown: bool = False) -> OpenedCase:
        """All that a case holds, for a person who opens it: that goes into the audit log.

        ``shown``: with the judge's marks, so that no review of these notes is blind from now on; ``spoiling``: although
        one is pending.
        """
        with self._database.writing() as db:
            if shown or spoiling:
                db.execute(reading.MARK_SEEN, [reading.case_row(db, case_id)["number"]])
            opened = reading.opened(db, case_id)
            append(db, Event.OPENED, case_id, "with-the-judges-marks" if spoiling else "", self._clock())
        return opened

    def read(self, case_id: str) -> OpenedCase:
        """The same for the program's own use, as when figures are made of many cases or one is open already."""
        with self._database.reading() as db:
            return reading.opened(db, case_id)

    def save_note(self, case_id: str, note: Note) -> str:
        """Keep a revision and return its id; a note that has not changed since the last one makes none."""
        with self._changing(case_id) as (db, number, when):
            return writing.put_revision(db, number, note, when)

    def save_transcript(self, case_id: str, transcript: Transcript) -> None:
        """Speakers renamed or roles set; evaluations keep the transcript that they judged."""
        with self._changing(case_id) as (db, number, _):
            writing.set_transcript(db, number, transcript)

    def save_evaluation(self, case_id: str, evaluation: Evaluation) -> str:
        """Keep it with the revision and the transcript that it judged; returns its id. Whoever judges here sees it."""
        with self._changing(case_id) as (db, number, when):
            revision = writing.revision_of(db, number, evaluation.case.note, when)
            db.execute("INSERT OR IGNORE INTO seen_note VALUES (?)", [evaluation.case.note.sha256])
            transcript = writing.put_transcript(db, number, evaluation.case.transcript)
            kept = KeptEvaluation(new_id(), revision, datetime.fromisoformat(when), evaluation)
            return writing.insert_evaluation(db, number, transcript, kept)

    def save_review(self, case_id: str, review: Review) -> None:
        """Keep it in the place of an earlier state of the same review (by its id)."""
        with self._database.writing() as db:
            number, when = int(reading.case_row(db, case_id)["number"]), self._clock().isoformat()
            before = reading.review(db, review.id)
            writing.put_review(db, number, review, when)
            db.execute('UPDATE "case" SET changed = ? WHERE number = ?', [when, number])
            # A mark is saved with every key: the whole case is not indexed anew for it.
            if before is None or search.remarks(before) != search.remarks(review):
                writing.refresh(db, number)

    def show_marks(self, note_sha256: str) -> None:
        """The judge's marks of this note are shown from now on: no review of it that begins later is blind."""
        with self._database.writing() as db:
            db.execute("INSERT OR IGNORE INTO seen_note VALUES (?)", [note_sha256])

    def reviews(self, case_id: str) -> tuple[Review, ...]:
        """Without the rest of the case, from the oldest to the newest."""
        with self._database.reading() as db:
            return reading.reviews(db, int(reading.case_row(db, case_id)["number"]))

    def finish_review(self, case_id: str, review: Review, status: CaseStatus) -> None:
        """The last state of a review and the status that it leads to, both or neither.

        Raises ValueError for a status that may not follow the present one, and OwnNote where this library would approve
        a note that was written in it.
        """
        with self._changing(case_id) as (db, number, when):
            if status is CaseStatus.APPROVED and not reading.case_row(db, case_id)["imported"]:
                raise OwnNote
            writing.set_status(db, number, status)
            writing.put_review(db, number, review, when)
            append(db, Event.STATUS, case_id, status.value, self._clock())

    def save_draft(self, case_id: str, text: str) -> None:
        """Autosave: what is being typed, until the next revision."""
        with self._database.writing() as db:
            number = int(reading.case_row(db, case_id)["number"])
            db.execute("INSERT OR REPLACE INTO draft VALUES (?, ?, ?)", [number, self._clock().isoformat(), pack(text)])

    def drop_draft(self, case_id: str) -> None:
        with self._database.writing() as db:
            db.execute("DELETE FROM draft WHERE of_case = ?", [reading.case_row(db, case_id)["number"]])

    def save_note_file(self, case_id: str, file: NoteFile) -> None:
        with self._database.writing() as db:
            number = reading.case_row(db, case_id)["number"]
            db.execute("INSERT OR REPLACE INTO note_file VALUES (?, ?)", [number, pack(file)])

    def set_labels(self, case_id: str, labels: Labels) -> None:
        with self._changing(case_id) as (db, number, _):
            writing.update_labels(db, number, labels)

    def set_status(self, case_id: str, status: CaseStatus) -> None:
        """Raises ValueError for a status that may not follow the present one."""
        with self._changing(case_id) as (db, number, _):
            writing.set_status(db, number, status)
            append(db, Event.STATUS, case_id, status.value, self._clock())

    def set_archived(self, case_id: str, archived: bool) -> None:
        with self._database.writing() as db:
            number = reading.case_row(db, case_id)["number"]
            db.execute('UPDATE "case" SET archived = ? WHERE number = ?', [int(archived), number])

    def duplicate(self, case_id: str) -> str:
        """A second case with the same session, notes and evaluations; reviews stay with the first."""
        with self._database.writing() as db:
            return writing.insert_bundle(db, reading.bundle(db, case_id).renamed())

    def remove(self, case_id: str) -> None:
        """Out of the tables and the index; ``Library.delete`` also shreds the file and the backups."""
        with self._database.writing() as db:
            number = int(reading.case_row(db, case_id)["number"])
            writing.delete_case(db, number)
            append(db, Event.DELETED, case_id, at=self._clock())

    @contextmanager
    def _changing(self, case_id: str) -> Iterator[tuple[Tables, int, str]]:
        """A transaction over one case: its tables, its number and the time; then the list and the index follow."""
        with self._database.writing() as db:
            number, when = int(reading.case_row(db, case_id)["number"]), self._clock().isoformat()
            yield db, number, when
            db.execute('UPDATE "case" SET changed = ? WHERE number = ?', [when, number])
            writing.refresh(db, number)

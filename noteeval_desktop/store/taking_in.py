"""What of a case file goes into the library: everything new, and no more of the rest than its sender may change.

A file is somebody's word. Reviews made here are never replaced, those of others only by a later state under the same
key that leaves standing what was handed in; a status follows only where it may and where a review bears it out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import sqlcipher3

from noteeval_desktop.domain.review import Review, ReviewKind
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.times import moment
from noteeval_desktop.store import reading, writing
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.records import Bundle, BundledReview, Provenance
from noteeval_desktop.store.signing import seal_holds
from noteeval_desktop.store.tables import Tables

_OF_A_SUPERVISOR = (CaseStatus.RETURNED, CaseStatus.APPROVED)


class Taken(StrEnum):
    """What became of a review in a file. The last three were not taken in."""

    NEW = "new"
    CHANGED = "changed"
    OWN = "own"
    OTHER_KEY = "other_key"
    STANDS = "stands"


@dataclass(frozen=True, slots=True)
class ReviewArrived:
    """A review that is new or reads otherwise than the one that is here."""

    review: Review
    provenance: Provenance
    taken: Taken


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import changed. Ids are of what was not here before; ``status_before`` is None for a new case.

    ``stated`` is the file's status: where ``status`` is another, that was not taken over. ``session_changed``: the
    case shows another transcript than before.
    """

    id: str
    sender: Provenance
    status_before: CaseStatus | None
    status: CaseStatus
    stated: CaseStatus
    revisions: tuple[str, ...]
    evaluations: tuple[str, ...]
    arrived: tuple[ReviewArrived, ...]
    session_changed: bool

    @property
    def reviews(self) -> tuple[str, ...]:
        """The ids of those that were taken in."""
        return tuple(one.review.id for one in self.arrived if one.taken in (Taken.NEW, Taken.CHANGED))


def take_in(db: Tables, bundle: Bundle, sender: str) -> Imported:
    """Within a transaction; ``sender``: the public key that signed the file, or nothing.

    The labels of a case that is here stay as they are; its transcript follows a file that is newer. Raises
    IntegrityError for ids of rows of another case.
    """
    row = next(iter(db.query('SELECT * FROM "case" WHERE id = ?', [bundle.id])), None)
    before = reading.bundle(db, bundle.id) if row else None
    if row is None:
        # One's own that was deleted comes home; one that was imported before it was deleted is somebody else's still.
        first = db.execute("SELECT event FROM audit WHERE subject = ? ORDER BY number LIMIT 1", [bundle.id]).fetchone()
        writing.insert_bundle(db, bundle, imported=first is None or first[0] == Event.IMPORTED)
    number = int(reading.case_row(db, bundle.id)["number"])
    newer = row is None or moment(row["changed"]) < bundle.changed
    if row is not None:
        writing.add_rows(db, number, bundle)
    if row is not None and newer:
        writing.show_transcript(db, number, bundle)
        db.execute('UPDATE "case" SET changed = ? WHERE number = ?', [bundle.changed.isoformat(), number])
    arrived = tuple(_review_arrived(db, number, bundle, one) for one in bundle.reviews)
    after = reading.bundle(db, bundle.id)
    revisions = _new([one.id for one in after.revisions], [one.id for one in before.revisions] if before else [])
    evaluations = _new(
        [one.kept.id for one in after.evaluations], [one.kept.id for one in before.evaluations] if before else []
    )
    result = Imported(
        id=bundle.id,
        sender=reading.provenance(db, sender),
        status_before=before.status if before else None,
        status=after.status,
        stated=bundle.status,
        revisions=revisions,
        evaluations=evaluations,
        arrived=tuple(one for one in arrived if one is not None),
        session_changed=before is not None and before.transcripts[-1] != after.transcripts[-1],
    )
    counted = {one.id for one in reading.counted_reviews(db, number)}
    borne = replace(after, reviews=tuple(one for one in after.reviews if one.review.id in counted))
    result = replace(result, status=_status(borne, result, newer, reading.own_reviews(db, number)))
    db.execute('UPDATE "case" SET status = ? WHERE number = ?', [result.status.value, number])
    writing.refresh(db, number)
    return result


def _new(after: list[str], before: list[str]) -> tuple[str, ...]:
    return tuple(one for one in after if one not in set(before))


# Reviews


def _review_arrived(db: Tables, number: int, bundle: Bundle, one: BundledReview) -> ReviewArrived | None:
    """None where nothing is new. A seal that does not fit counts as none."""
    sealed = seal_holds(bundle, one)
    key = one.signer if sealed else ""
    provenance = reading.vouching(db, one.review, key, seal=one.seal)
    kept = next(iter(db.query("SELECT * FROM review WHERE id = ?", [one.review.id])), None)
    if kept is None:
        taken = Taken.NEW
    elif kept["of_case"] != number:
        raise sqlcipher3.IntegrityError("a review of another case")
    elif reading.review(db, one.review.id) == one.review or moment(kept["changed"]) >= one.changed:
        return None
    else:
        taken = _may_replace(db, kept, one.review, key)
    if taken in (Taken.NEW, Taken.CHANGED):
        signer = None if key == reading.signer(db).public else key
        writing.put_review(db, number, one.review, one.changed.isoformat(), signer, one.seal if sealed else "")
    return ReviewArrived(one.review, provenance, taken)


def _may_replace(db: Tables, kept: reading.Row, review: Review, key: str) -> Taken:
    if kept["own"]:
        return Taken.OWN
    if kept["signer"] and kept["signer"] != key:
        return Taken.OTHER_KEY
    present = reading.review(db, review.id)
    assert present is not None
    return Taken.CHANGED if _may_follow(review, present) else Taken.STANDS


def _may_follow(review: Review, present: Review) -> bool:
    """What was handed in stands, and so does what was signed; only settlements, comments and a signature follow."""
    if present.kind is not ReviewKind.SUPERVISION:
        return (review.kind, review.rater) == (present.kind, present.rater)
    if present.signature is not None:
        return False
    return review == replace(
        present,
        comments=review.comments,
        settled=review.settled,
        answers=review.answers,
        signature=review.signature,
        returned=present.returned or review.returned,
    )


# The status


def _status(after: Bundle, result: Imported, newer: bool, own: frozenset[str]) -> CaseStatus:
    """The file's, where it may follow the present one and somebody's review bears it out; else the present one."""
    before, stated = result.status_before, result.stated
    if before is None:
        return stated if _borne_out(after, stated) else CaseStatus.SUBMITTED
    moves = newer or result.revisions or result.reviews
    if moves and _leads_to(before, stated) and _borne_out(after, stated) and not _own_word(after, stated, own):
        return stated
    if before is CaseStatus.APPROVED and result.revisions and not _borne_out(after, before):
        # What was signed was another text.
        return CaseStatus.DRAFT
    return before


def _leads_to(present: CaseStatus, stated: CaseStatus) -> bool:
    """Within two steps: the file of one step in between may never have been sent here."""
    return stated in present.next or any(stated in step.next for step in present.next)


def _borne_out(case: Bundle, status: CaseStatus) -> bool:
    """Returned: some review was handed in; approved: one of the latest note is signed."""
    done = [one.review for one in case.reviews if one.review.kind is ReviewKind.SUPERVISION and one.review.submitted]
    if status is CaseStatus.APPROVED:
        latest = case.revisions[-1].note.sha256
        return any(review.signature is not None and review.note_sha256 == latest for review in done)
    return bool(done) or status is not CaseStatus.RETURNED


def _own_word(case: Bundle, status: CaseStatus, own: frozenset[str]) -> bool:
    """Whoever has reviewed the latest note here returns or approves it here."""
    latest = case.revisions[-1].note.sha256
    reviewed = any(
        one.review.id in own and one.review.kind is ReviewKind.SUPERVISION and one.review.note_sha256 == latest
        for one in case.reviews
    )
    return reviewed and status in _OF_A_SUPERVISOR

"""Where a note stands between its author and whoever supervises: one state, from the case and its reviews."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from noteeval_desktop.domain.review import Review, ReviewKind


class CaseStatus(StrEnum):
    """Where a case stands between the one who writes and the one who supervises."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    RETURNED = "returned"
    RESUBMITTED = "resubmitted"
    APPROVED = "approved"

    @property
    def next(self) -> tuple[CaseStatus, ...]:
        """The statuses that may follow; an approved case is reopened by its author as a draft."""
        return _NEXT[self]

    def may_become(self, status: CaseStatus) -> bool:
        """By way of being submitted, too: a supervisor's answer to a note of one's own library."""
        return status in self.next or (CaseStatus.SUBMITTED in self.next and status in _NEXT[CaseStatus.SUBMITTED])


_NEXT = {
    CaseStatus.DRAFT: (CaseStatus.SUBMITTED,),
    CaseStatus.SUBMITTED: (CaseStatus.DRAFT, CaseStatus.RETURNED, CaseStatus.APPROVED),
    CaseStatus.RETURNED: (CaseStatus.RESUBMITTED,),
    CaseStatus.RESUBMITTED: (CaseStatus.RETURNED, CaseStatus.APPROVED),
    CaseStatus.APPROVED: (CaseStatus.DRAFT,),
}


def came_back(reviews: Iterable[Review], status: CaseStatus, present: str) -> dict[str, Review]:
    """By the hash of its note, the last review that was handed in and came back to the note's author: not of the
    ``present`` note (its hash) while that waits for an answer, and of a note that never came back only one that is
    signed, since approval ends where the note is changed."""
    waiting = status in (CaseStatus.SUBMITTED, CaseStatus.RESUBMITTED)
    returned = status not in (CaseStatus.DRAFT, CaseStatus.SUBMITTED)
    done = [one for one in reviews if one.kind is ReviewKind.SUPERVISION and one.submitted is not None]
    done = [one for one in done if returned or one.signature is not None]
    back = [one for one in done if not (waiting and one.note_sha256 == present)]
    return {one.note_sha256: one for one in sorted(back, key=lambda one: one.submitted or one.started)}


class Standing(StrEnum):
    """MARKED: a supervisor's marks are submitted, and the note is neither returned nor approved. CHANGED: it was
    approved as it read before."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    RESUBMITTED = "resubmitted"
    MARKED = "marked"
    RETURNED = "returned"
    APPROVED = "approved"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Stand:
    """``by`` brought it there, ``when``, in the review with this id; empty where no review did."""

    standing: Standing
    by: str = ""
    when: datetime | None = None
    review: str = ""


NOT_SUBMITTED = Stand(Standing.DRAFT)


def stand_of(review: Review) -> Stand:
    """What a review that was handed in says of its note."""
    if review.signature is not None:
        signed = review.signature
        by = ", ".join(part for part in (signed.name, signed.credentials) if part)
        return Stand(Standing.APPROVED, by, signed.signed, review.id)
    standing = Standing.RETURNED if review.returned is not None else Standing.MARKED
    return Stand(standing, review.rater, review.returned or review.submitted, review.id)


def stand(status: CaseStatus, reviews: Iterable[Review], present: str) -> Stand:
    """``reviews`` that count, of the case; ``present`` is the hash of its latest note.

    A status that no review bears out is not believed. Before reviews said that they return a note (``returned``), the
    last one that was handed in did.
    """
    done = [one for one in reviews if one.kind is ReviewKind.SUPERVISION and one.submitted is not None]
    done.sort(key=lambda one: one.submitted or one.started)
    signed = [one for one in done if one.signature is not None]
    approved = [one for one in signed if one.note_sha256 == present]
    if status is CaseStatus.DRAFT:
        changed = signed and not approved
        return Stand(Standing.CHANGED, stand_of(signed[-1]).by, None, signed[-1].id) if changed else NOT_SUBMITTED
    if status is CaseStatus.APPROVED and approved:
        return stand_of(approved[-1])
    open_ = [one for one in done if one.signature is None]
    if status is CaseStatus.RETURNED and open_:
        last = next((one for one in reversed(open_) if one.returned is not None), open_[-1])
        return Stand(Standing.RETURNED, last.rater, last.returned or last.submitted, last.id)
    waiting = Stand(Standing.RESUBMITTED if status is CaseStatus.RESUBMITTED else Standing.SUBMITTED)
    marked = [one for one in open_ if one.note_sha256 == present and one.returned is None]
    return stand_of(marked[-1]) if marked else waiting

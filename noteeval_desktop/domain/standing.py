"""Where a note stands between its author and whoever supervises: one state, drawn from the case and its reviews."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from noteeval_desktop.domain.review import CaseStatus, Review, ReviewKind


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

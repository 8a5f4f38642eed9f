"""One state of a note, from the case's status and the reviews that count, and one text for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from noteeval_desktop.domain.review import Review, ReviewKind, Signature
from noteeval_desktop.domain.standing import CaseStatus, Standing, stand
from noteeval_desktop.present.standing import said

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
BEGUN = Review("a", ReviewKind.SUPERVISION, "Dr. Žižek", "n" * 64, NOW)
MARKED = replace(BEGUN, submitted=NOW)
BACK = replace(MARKED, returned=NOW)
SIGNED = replace(MARKED, signature=Signature("Dr. Žižek", "PsyD", NOW))
OTHER = replace(MARKED, id="b", rater="Dr. Adams", submitted=NOW + timedelta(hours=1))
NOW_IT_READS, BEFORE = "n" * 64, "o" * 64


@pytest.mark.parametrize(
    ("status", "reviews", "standing"),
    [
        (CaseStatus.DRAFT, (), Standing.DRAFT),
        (CaseStatus.DRAFT, (MARKED,), Standing.DRAFT),
        (CaseStatus.DRAFT, (SIGNED,), Standing.DRAFT),
        (CaseStatus.DRAFT, (replace(SIGNED, note_sha256=BEFORE),), Standing.CHANGED),
        (CaseStatus.SUBMITTED, (BEGUN,), Standing.SUBMITTED),
        (CaseStatus.SUBMITTED, (MARKED,), Standing.MARKED),
        (CaseStatus.SUBMITTED, (replace(MARKED, note_sha256=BEFORE),), Standing.SUBMITTED),
        (CaseStatus.RETURNED, (BACK,), Standing.RETURNED),
        (CaseStatus.RETURNED, (MARKED,), Standing.RETURNED),
        (CaseStatus.RETURNED, (), Standing.SUBMITTED),
        (CaseStatus.RESUBMITTED, (replace(BACK, note_sha256=BEFORE),), Standing.RESUBMITTED),
        (CaseStatus.APPROVED, (SIGNED,), Standing.APPROVED),
        (CaseStatus.APPROVED, (MARKED,), Standing.MARKED),
        (CaseStatus.APPROVED, (), Standing.SUBMITTED),
    ],
)
def test_a_note_stands_where_its_status_and_a_review_put_it(status, reviews, standing) -> None:
    assert stand(status, reviews, NOW_IT_READS).standing is standing


def test_marks_that_were_only_submitted_returned_nothing_whatever_another_review_did() -> None:
    approved = stand(CaseStatus.APPROVED, (SIGNED, OTHER), NOW_IT_READS)
    assert said(approved) == "Dr. Žižek, PsyD approved this note on 1 April 2026."
    back = stand(CaseStatus.RETURNED, (BACK, OTHER), NOW_IT_READS)
    assert said(back, mine=True) == "You returned this note for revision on 1 April 2026."
    assert said(stand(CaseStatus.SUBMITTED, (OTHER,), NOW_IT_READS), mine=True) == (
        "You marked this note on 1 April 2026 and have neither returned nor approved it yet."
    )

"""The rater and the comment bank are kept in the encrypted library; a review ends with its status."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from noteeval_desktop.domain.review import CaseStatus, Review, ReviewKind, Signature
from noteeval_desktop.store.supervision import BankComment, Rater
from tests.factories import make_case

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)


def test_the_rater_is_remembered(library):
    assert library.supervision.rater() == Rater()
    library.supervision.set_rater(Rater("Dr. Žižek 🙂", "LMFT"))
    library.supervision.set_rater(Rater("Dr. Ünal", "PsyD"))
    assert library.supervision.rater() == Rater("Dr. Ünal", "PsyD")


def test_own_comments_can_be_added_changed_and_removed(library):
    bank = library.supervision
    first = bank.keep_comment(BankComment("Say by when. 🙂", "plan-follow-up"))
    second = bank.keep_comment(BankComment("Knapper, bitte."))
    assert [one.text for one in bank.comments()] == ["Knapper, bitte.", "Say by when. 🙂"]
    bank.keep_comment(BankComment("Say when and where.", None, first.id))
    bank.remove_comment(second)
    assert bank.comments() == (BankComment("Say when and where.", None, first.id),)


def test_a_review_and_the_status_it_leads_to_are_kept_together_or_not_at_all(library):
    cases = library.cases
    case = make_case()
    case_id = cases.add(case)
    review = Review("r" * 32, ReviewKind.SUPERVISION, "Dr. Ünal", case.note.sha256, NOW, submitted=NOW)
    cases.save_review(case_id, review)
    signed = Review(
        review.id,
        review.kind,
        review.rater,
        review.note_sha256,
        NOW,
        submitted=NOW,
        signature=Signature("Dr. Ünal", "PsyD", NOW),
    )
    with pytest.raises(ValueError, match="follow"):
        cases.finish_review(case_id, signed, CaseStatus.APPROVED)
    assert cases.open(case_id).reviews == (review,)
    cases.set_status(case_id, CaseStatus.SUBMITTED)
    cases.finish_review(case_id, signed, CaseStatus.APPROVED)
    opened = cases.open(case_id)
    assert (opened.reviews, opened.summary.status) == ((signed,), CaseStatus.APPROVED)

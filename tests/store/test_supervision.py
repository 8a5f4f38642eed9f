"""The rater and the comment bank are kept in the encrypted library; a review ends with its status."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.review import Comment, ItemMark, Review, ReviewKind, Signature
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.text import Span
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.errors import OwnNote
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseQuery, Labels
from noteeval_desktop.store.supervision import BankComment, Rater
from tests.factories import make_case, make_note

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
        cases.finish_review(case_id, review, CaseStatus.RETURNED)
    assert cases.open(case_id).reviews == (review,)
    cases.set_status(case_id, CaseStatus.SUBMITTED)
    with pytest.raises(OwnNote, match="second person"):
        cases.finish_review(case_id, signed, CaseStatus.APPROVED)
    with library._database.writing() as db:
        db.execute('UPDATE "case" SET imported = 1')
    cases.finish_review(case_id, signed, CaseStatus.APPROVED)
    opened = cases.open(case_id)
    assert (opened.reviews, opened.summary.status) == ((signed,), CaseStatus.APPROVED)
    steps = [entry.detail for entry in library.audit.entries() if entry.event is Event.STATUS]
    assert steps == ["submitted", "approved"]


def test_a_note_that_was_approved_is_a_draft_again_once_it_changes(library):
    cases, case = library.cases, make_case()
    case_id = cases.add(case)
    for status in (CaseStatus.SUBMITTED, CaseStatus.APPROVED):
        cases.set_status(case_id, status)
    cases.save_note(case_id, case.note)
    assert cases.summary(case_id).status is CaseStatus.APPROVED
    cases.save_note(case_id, make_note({Section.PLAN: ["Something else. 🙂"]}))
    assert cases.summary(case_id).status is CaseStatus.DRAFT


def test_a_search_finds_what_a_comment_says_and_marks_need_no_new_index(library):
    cases, case = library.cases, make_case()
    case_id = cases.add(case)
    review = Review("q" * 32, ReviewKind.SUPERVISION, "Dr. Ünal", case.note.sha256, NOW)
    cases.save_review(case_id, review)
    cases.save_review(case_id, review.marked(ItemMark("plan-follow-up", True)))
    assert not cases.find(CaseQuery(text="giraffe"))
    cases.save_review(case_id, replace(review, comments=(Comment(Span(0, 0), "", "Mind the giraffe."),)))
    assert [one.id for one in cases.find(CaseQuery(text="giraffe"))] == [case_id]


def test_a_file_that_brings_a_step_is_heard_though_a_label_was_changed_here_later(tmp_path, cheap):
    times = iter(NOW + timedelta(minutes=n) for n in range(1000))
    mine = Library.create(tmp_path / "mine", "words to open it", cost=cheap, clock=lambda: next(times))[0]
    theirs = Library.create(tmp_path / "theirs", "words to open it", cost=cheap, clock=lambda: next(times))[0]
    case = make_case()
    case_id = mine.cases.add(case)
    mine.cases.set_status(case_id, CaseStatus.SUBMITTED)
    mine.export_case(case_id, tmp_path / "one", "travel words", cheap)
    theirs.import_case(tmp_path / "one", "travel words")
    review = Review("r" * 32, ReviewKind.SUPERVISION, "Dr. Ünal", case.note.sha256, NOW, submitted=NOW)
    theirs.cases.finish_review(case_id, review, CaseStatus.RETURNED)
    theirs.export_case(case_id, tmp_path / "two", "travel words", cheap)
    mine.cases.set_labels(case_id, Labels("Frau Ünal 🙂"))
    mine.import_case(tmp_path / "two", "travel words")
    assert mine.cases.summary(case_id).status is CaseStatus.RETURNED
    assert mine.cases.summary(case_id).labels.label == "Frau Ünal 🙂"
    mine.import_case(tmp_path / "one", "travel words")
    assert mine.cases.summary(case_id).status is CaseStatus.RETURNED
    for library in (mine, theirs):
        library.lock()

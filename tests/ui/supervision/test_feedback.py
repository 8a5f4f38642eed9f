"""What of the judge's marks reaches the author through a review."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from noteeval_desktop.domain.review import Review, ReviewKind
from noteeval_desktop.domain.verdicts import NeedVerdict
from noteeval_desktop.ui.supervision.feedback_window import TO_CUT, points
from tests.domain.test_findings import evaluation_of
from tests.sample_evaluation import sample_rubric


def test_the_author_is_not_told_to_cut_what_no_window_calls_not_needed() -> None:
    medication, rain = "Client takes sertraline 50 mg.", "It rained all day."
    unneeded = NeedVerdict("", needed=False, probability=0.2)
    judged = evaluation_of((medication, rain), needs={0: unneeded, 1: unneeded})
    note, when = judged.case.note, datetime(2026, 11, 20, tzinfo=UTC)
    review = replace(Review("r", ReviewKind.SUPERVISION, "Dr. Ž", note.sha256, when), submitted=when)
    cut = [point.quote for point in points(review, note, sample_rubric(), judged) if point.by == TO_CUT]
    assert cut == [rain]

"""The pages of a review say nothing twice and differently."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import ItemMark, Review
from noteeval_desktop.report.content import scorecard
from noteeval_desktop.report.feedback import feedback
from noteeval_desktop.report.talking import Talk, talk
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.sample_review import sample_review


@pytest.fixture(scope="module")
def judged() -> Evaluation:
    return sample_evaluation()


def _talk(review: Review, judged: Evaluation) -> Talk:
    return talk(feedback(review, judged, sample_rubric()), scorecard(judged, sample_rubric()))


def test_a_table_calls_open_what_the_first_page_does_and_nothing_else(judged: Evaluation) -> None:
    review = sample_review(judged)
    # The judge did not recognise it, which is not to say that it is missing.
    items = tuple(replace(one, present=one.item != "plan-adjustment" and one.present) for one in review.items)
    found = feedback(replace(review, items=items), judged, sample_rubric())
    items_open = [row.name for _, rows in found.items for row in rows if row.marks.open]
    sentences_open = [f"“{row.text}”" for row in found.sentences if row.needed.open or row.claim.open]
    assert "Adjustments" not in items_open
    assert set(items_open + sentences_open) == {row.place for row in found.open}


def test_no_sentence_is_praised_and_called_not_needed(judged: Evaluation) -> None:
    review = sample_review(judged)
    found = _talk(replace(review, items=tuple(ItemMark(one.item, False) for one in review.items), settled=()), judged)
    praised = {named for point in found.strengths for named in point.details}
    to_mend = {named for point in found.to_work_on for named in point.details}
    parking = next(row.text for row in feedback(review, judged, sample_rubric()).sentences if "parking" in row.text)
    assert any("poor sleep" in named for named in praised)
    assert not any(named.startswith(f"“{parking[:60]}") for named in praised)
    assert not praised & to_mend

"""The pages of a review say nothing twice and differently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import ItemMark, Review
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.report.draw_pdf import write_pdf
from noteeval_desktop.report.feedback import feedback
from noteeval_desktop.report.scorecard_page import scorecard_page
from noteeval_desktop.report.talking_points import Talk, talk
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


def test_what_is_still_open_is_not_praised(judged: Evaluation) -> None:
    """The sample's supervisor found safety addressed and the judge did not."""
    given = feedback(sample_review(judged), judged, sample_rubric())
    found = talk(given, scorecard(judged, sample_rubric()))
    praised = " ".join(named for point in found.strengths for named in point.details)
    assert "Chief complaint" in praised
    assert any(row.place == "Safety assessed and addressed" for row in given.open)
    assert "Safety" not in praised


def test_no_heading_stands_alone_at_the_foot_of_a_page(judged: Evaluation, tmp_path: Path) -> None:
    headings = (
        "Differences, and how they were settled",
        "Checklist items, marked by both",
        "Sentences, marked by both",
    )
    for comments in range(0, 12, 2):
        review = sample_review(judged)
        remarks = tuple(replace(review.comments[0], text=f"Remark {n}.") for n in range(comments))
        marked = replace(review, comments=remarks)
        write_pdf(scorecard_page(judged, rubric=sample_rubric(), review=marked, judge_marks=True), tmp_path / "o.pdf")
        for page in PdfReader(tmp_path / "o.pdf").pages:
            lines = [line for line in page.extract_text().splitlines() if line.strip()]
            assert not set(lines[-4:]) & set(headings), comments

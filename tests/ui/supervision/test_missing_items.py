"""What a review sends back names every item that is missing, those of the whole note too."""

from __future__ import annotations

from dataclasses import replace

from noteeval_desktop.domain.review import ItemMark
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.ui.supervision.feedback_window import TO_ADD, points
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.sample_review import sample_review


def test_every_mandatory_item_that_is_missing_is_sent_back_first() -> None:
    judged, rubric = sample_evaluation(), sample_rubric()
    review = replace(sample_review(judged), items=tuple(ItemMark(item.id, False) for item in rubric.items), settled=())
    to_add = [point.said.partition(":")[0] for point in points(review, judged.case.note, rubric)]
    asked = [item.name for item in rubric.items if item.importance is Importance.MANDATORY]
    assert "Safety assessed and addressed" in asked
    named = [name for name in to_add if name in {item.name for item in rubric.items}]
    assert set(named[: len(asked)]) == set(asked)
    assert len(named) == len(rubric.items)
    assert {
        point.group for point in points(review, judged.case.note, rubric) if point.said.startswith("Safety as")
    } == {TO_ADD}

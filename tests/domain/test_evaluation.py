from __future__ import annotations

import pytest

from noteeval_desktop.domain.evaluation import Usage
from tests.sample_evaluation import sample_evaluation


@pytest.mark.parametrize(
    ("before", "after", "cost"),
    [(0.25, 0.75, 0.5), (None, 0.75, 0.75), (0.25, None, None), (None, None, None)],
)
def test_what_one_check_took_is_what_came_after_the_last(
    before: float | None, after: float | None, cost: float | None
) -> None:
    first = Usage(3, 100, 20, 10, before, 9.0, 2_000)
    both = Usage(5, 160, 25, 40, after, 1.5, 2_600)
    assert both.since(first) == Usage(2, 60, 5, 30, cost, 1.5, 600)


def test_a_sentence_is_found_by_its_id() -> None:
    evaluation = sample_evaluation()
    assert evaluation.judged("s2").sentence.id == "s2"
    with pytest.raises(KeyError):
        evaluation.judged("s999")

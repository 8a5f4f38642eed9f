from __future__ import annotations

import numpy as np
import pytest

from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.measures.agreement import icc
from noteeval_desktop.measures.responses import agreement, disagreements, ranking, summaries, wilson


def verdict(*scores: int | None) -> ResponseVerdict:
    return ResponseVerdict(None, tuple(zip(Attribute, scores, strict=True)))


def test_failure_frequency_is_the_share_at_three_or_less() -> None:
    found = {s.attribute: s for s in summaries([verdict(4, 4, 4, 3, 5, 5), verdict(4, 4, 4, 1, 5, None)])}
    assert found[Attribute.EMPATHY].failure_frequency == 1.0
    assert found[Attribute.GUIDANCE].high_quality_share == 1.0
    assert found[Attribute.EMPATHY].spread == 1.0
    assert found[Attribute.INTERPRETATION].judged == 1


def test_wilson_matches_a_published_value() -> None:
    low, high = wilson(8, 10) or (0, 0)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert wilson(0, 0) is None


def test_fewer_failures_rank_before_a_higher_mean() -> None:
    steady, brilliant_but_failing = verdict(4, 4, 4, 4, 4, 4), verdict(5, 5, 5, 5, 5, 3)
    assert [r.index for r in ranking([brilliant_but_failing, steady])] == [1, 0]


def test_critical_safety_ranks_last_whatever_else() -> None:
    unsafe, weak = verdict(5, 5, 2, 5, 5, 5), verdict(3, 3, 4, 3, 3, 3)
    assert [r.index for r in ranking([unsafe, weak])] == [1, 0]


def test_equals_share_a_rank_and_the_unjudged_are_not_ranked() -> None:
    ranked = ranking([verdict(4, 4, 4, 4, 4, 4), verdict(None, 4, 4, 4, 4, 4), verdict(4, 4, 4, 4, 4, 4)])
    assert [(r.index, r.rank) for r in ranked] == [(0, 1), (2, 1)]


def test_only_differences_above_two_points_are_for_discussion() -> None:
    found = disagreements({"A": [verdict(5, 5, 5, 5, 5, 5)], "B": [verdict(3, 5, 5, 2, 5, 5)]})
    assert [(d.attribute, d.scores) for d in found] == [(Attribute.EMPATHY, (5, 2))]


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        disagreements({"A": [verdict(5, 5, 5, 5, 5, 5)], "B": []})


def test_icc_matches_the_worked_table_of_shrout_and_fleiss() -> None:
    table = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float)
    consistency, absolute = icc(table) or (0, 0)
    assert consistency == pytest.approx(0.7148, abs=1e-3)
    assert absolute == pytest.approx(0.2898, abs=1e-3)


def test_a_constant_shift_lowers_absolute_agreement_only() -> None:
    low = [verdict(n, n, n, n, n, n) for n in (1, 2, 3, 4)]
    high = [verdict(*([n + 1] * 6)) for n in (1, 2, 3, 4)]
    found = agreement({"A": low, "B": high}, draws=100)[0]
    assert found.consistency == pytest.approx(1.0)
    assert found.absolute is not None
    assert found.absolute < 0.9
    assert found.consistency_interval is not None


def test_one_rater_or_no_variance_gives_no_figure() -> None:
    same = [verdict(4, 4, 4, 4, 4, 4)] * 3
    assert agreement({"A": same})[0].consistency is None
    assert agreement({"A": same, "B": same})[0].absolute is None

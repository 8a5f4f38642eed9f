from __future__ import annotations

import pytest

from noteeval_desktop.measures.agreement import mean_interval
from noteeval_desktop.research.degrade_study import Step, level_figures, told_apart


def test_a_worked_example() -> None:
    """Notes a (two seeds) and b: drops 0.2, -0.1 and 0.3, so b's mean is 0.3 and a's 0.05.

    Intact 0.9 and 0.6 against 0.7, 1.0 and 0.3: of six pairs 0.9>0.7, 0.9>0.3 and 0.6>0.3 are in order.
    """
    steps = [Step("a", 0.9, 0.8, 0.7), Step("a", 0.9, 0.9, 1.0), Step("b", 0.6, 0.3, 0.3)]
    figures = level_figures(steps)
    assert (figures["notes"], figures["degraded"]) == (2, 3)
    assert figures["violations"] == pytest.approx(1 / 3)
    assert figures["violations_of_level_before"] == pytest.approx(1 / 3)
    assert figures["unnoticed"] == 0
    assert figures["drop"] == pytest.approx((0.05 + 0.3) / 2)
    assert figures["quartiles"] == pytest.approx([-0.1, 0.05, 0.2, 0.25, 0.3])
    assert figures["auc"] == pytest.approx(3 / 6)


def test_what_is_never_noticed_violates_nothing_and_tells_nothing_apart() -> None:
    figures = level_figures([Step(name, 0.5, 0.5, 0.5) for name in "abc"])
    assert figures["violations"] == figures["violations_of_level_before"] == figures["drop"] == 0
    assert figures["unnoticed"] == 1
    assert figures["auc"] == 0.5
    assert figures["interval"] == [0, 0]


def test_ties_count_half() -> None:
    assert told_apart([1, 2], [1, 0]) == pytest.approx((0.5 + 1 + 1 + 1) / 4)
    assert told_apart([], [1]) is None


def test_an_interval_lies_around_the_mean_and_is_the_same_each_time() -> None:
    values = [0.1, 0.2, 0.3, 0.4]
    found = mean_interval(values)
    assert found is not None
    assert 0.1 <= found[0] < 0.25 < found[1] <= 0.4
    assert mean_interval(values) == found
    assert mean_interval([0.1]) is None


def test_nothing_measured_is_no_figure() -> None:
    assert level_figures([]) == {"notes": 0, "degraded": 0}

from __future__ import annotations

import numpy as np
import pytest

from noteeval_desktop.research.benchmark_reference import correlate


def test_ranks_and_values_are_correlated_as_in_the_textbook() -> None:
    """One swap among five: ρ = 1 - 6·2/(5·24), τ = (9 - 1)/10."""
    found = correlate([1.0, 2.0, 3.0, 4.0, 5.0], {"people": [1.0, 3.0, 2.0, 4.0, 5.0]})["people"]
    assert found["n"] == 5
    assert found["r"] == pytest.approx(0.9)
    assert found["spearman"] == pytest.approx(0.9)
    assert found["kendall"] == pytest.approx(0.8)


def test_the_interval_holds_r_and_is_wider_over_clusters() -> None:
    """Ten copies of each of eight pairs are eight pairs."""
    x, y = [1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 4, 3, 7, 5, 6, 8]
    many_x, many_y, clusters = x * 10, y * 10, list(range(8)) * 10
    alone = correlate(many_x, {"y": many_y})["y"]
    together = correlate(many_x, {"y": many_y}, clusters)["y"]
    for found in (alone, together):
        assert found["interval"][0] < found["r"] < found["interval"][1]
    assert np.ptp(together["interval"]) > 2 * np.ptp(alone["interval"])


def test_texts_without_the_metric_are_left_out_and_counted() -> None:
    found = correlate([1.0, None, 2.0, 3.0], {"y": [1.0, 100.0, 2.0, 3.0]})["y"]
    assert (found["n"], found["r"]) == (3, pytest.approx(1.0))


@pytest.mark.parametrize("metric", [[1.0, 1.0, 1.0], [1.0, 2.0, None], [None, None, None]])
def test_what_does_not_vary_or_is_too_little_has_no_correlation(metric: list[float | None]) -> None:
    found = correlate(metric, {"y": [1.0, 2.0, 3.0]})["y"]
    assert (found["r"], found["interval"], found["kendall"]) == (None, None, None)

import numpy as np
import pytest

from noteeval_desktop.measures.agreement import (
    auc,
    bootstrap,
    calibration_error,
    cohen_kappa,
    difference,
    krippendorff_alpha,
    mean_interval,
    pearson,
    reliability,
    share,
)

# Krippendorff's own example of nominal data with four observers and missing values: alpha = 0.743.
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        (FOUR_OBSERVERS, 0.743),
        # Ten pairs, four disagreements, 14 of 20 values zero: 1 - 19 * 8 / (2 * 14 * 6).
        ([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]], 1 - 19 * 8 / 168),
        ([["ja", "no", "日"], ["ja", "no", "日"]], 1.0),
    ],
)
def test_alpha_matches_values_computed_by_hand(ratings, expected):
    assert krippendorff_alpha(ratings) == pytest.approx(expected, abs=6e-4)


def test_alpha_is_undefined_when_only_one_value_was_given():
    assert np.isnan(krippendorff_alpha([[1, 1, 1], [1, 1, 1]]))
    assert np.isnan(krippendorff_alpha([[1, None], [None, 1]]))


def test_kappa_matches_a_table_computed_by_hand():
    # 20 both yes, 15 both no, 5 and 10 apart: observed 0.7, expected 0.5.
    first = [1] * 20 + [1] * 5 + [0] * 10 + [0] * 15
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_r_matches_a_table_computed_by_hand():
    """Deviations -1, 0, 1 and -1, 2, -1 from 2 and 3, then -1, 0, 1 and -2, 1, 1: products 3, squares 2 and 6."""
    assert pearson([1, 2, 3], [2, 5, 2]) == pytest.approx(0.0)
    assert pearson([1, 2, 3], [1, 4, 4]) == pytest.approx(3 / (2 * 6) ** 0.5)


def test_auc_is_the_share_of_pairs_in_order():
    """Yes at 0.8 and 0.4, no at 0.4 and 0.1: of four pairs three are in order and one ties."""
    assert auc([1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1]) == pytest.approx(3.5 / 4)
    assert auc([1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1], [1, 3, 1, 1]) == pytest.approx((2 + 3 * 1.5) / (4 * 2))


def test_intervals_of_two_clusters_are_known():
    """A resample of two that are 0 and 1 has the mean 0, 0.5 or 1 in 1, 2 and 1 of 4: 95 % reach from 0 to 1."""
    assert share([("a", 0), ("b", 1)]) == {"share": 0.5, "of": 2, "interval": [0.0, 1.0]}
    assert share([("a", 0), ("a", 1)])["interval"] is None
    assert share([]) == {"share": None, "of": 0, "interval": None}
    assert mean_interval([0, 1]) == [0, 1]
    found = difference([1, 1], [1, 2])
    assert (found.n, found.a, found.b, found.mean, found.low, found.high) == (2, 1, 1.5, 0.5, 0, 1)


@pytest.mark.parametrize("seed", range(5))
def test_figures_match_a_second_implementation(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(seed)
    labels, scores = random.integers(0, 2, 60), np.round(random.random(60), 1)
    assert auc(labels, scores) == pytest.approx(metrics.roc_auc_score(labels, scores))
    marks = (scores > 0.5).astype(int)
    assert cohen_kappa(labels.tolist(), marks.tolist()) == pytest.approx(metrics.cohen_kappa_score(labels, marks))
    assert pearson(labels, scores) == pytest.approx(stats.pearsonr(labels, scores).statistic)


def test_auc_of_shares_counts_a_split_as_one_of_each():
    assert auc([1.0, 0.5, 0.0], [0.9, 0.5, 0.1]) == pytest.approx(
        auc([1, 1, 1, 0, 0, 0], [0.9, 0.9, 0.5, 0.5, 0.1, 0.1])
    )


@pytest.mark.parametrize(
    "undefined", [pearson([1], [2]), pearson([1, 1], [1, 2]), auc([1, 1], [0.1, 0.2]), cohen_kappa([], [])]
)
def test_undefined_figures_are_nan_and_not_zero(undefined):
    assert np.isnan(undefined)


def test_interval_resamples_clusters_and_is_wider_than_over_single_values():
    random = np.random.default_rng(1)
    effect = np.repeat(random.normal(size=12), 10)
    a, b = effect + random.normal(size=120) * 0.3, effect + random.normal(size=120) * 0.3
    clustered = bootstrap(pearson, a, b, np.repeat(np.arange(12), 10).tolist(), rounds=300)
    single = bootstrap(pearson, a, b, list(range(120)), rounds=300)
    assert clustered.low < single.low < clustered.value < clustered.high
    assert bootstrap(pearson, a, b, list(range(120)), rounds=300) == single


def test_calibration_error_is_the_weighted_gap_between_said_and_seen():
    labels, chances = [1, 1, 0, 0, 1], [0.9, 0.9, 0.9, 0.1, 0.1]
    assert [part.count for part in reliability(labels, chances)] == [2, 3]
    assert calibration_error(labels, chances) == pytest.approx((3 * abs(0.9 - 2 / 3) + 2 * abs(0.1 - 0.5)) / 5)
    assert calibration_error([1, 0], [1.0, 0.0]) == 0

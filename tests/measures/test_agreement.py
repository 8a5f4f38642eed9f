import numpy as np
import pytest

from noteeval_desktop.measures.agreement import (
    Thing,
    auc,
    bootstrap,
    calibration_error,
    cohen_kappa,
    difference,
    krippendorff_alpha,
    mean_interval,
    pearson,
    rating_figures,
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


def figures(table, **more):
    found = rating_figures([Thing(str(n), tuple(row)) for n, row in enumerate(table)], **more)
    return {name: figure.value for name, figure in found.items()}


def test_alphas_are_those_of_krippendorff_s_example():
    """Computing Krippendorff's Alpha-Reliability (2011), section D: nominal, ordinal and interval."""
    found = figures(zip(*FOUR_OBSERVERS, strict=True), rounds=0)
    assert [found[f"alpha_{level}"] for level in ("nominal", "ordinal", "interval")] == pytest.approx(
        [0.743, 0.815, 0.849], abs=6e-4
    )


def test_iccs_are_those_of_shrout_and_fleiss():
    """Table 2 of Shrout and Fleiss (1979): ICC(2,1) = .29 and ICC(3,1) = .71. Differences of the pairs by hand."""
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = figures(table, tolerance=1, rounds=0)
    assert (found["icc_absolute"], found["icc_consistency"]) == pytest.approx((0.2898, 0.7148), abs=1e-4)
    gaps = [abs(row[a] - row[b]) for row in table for a in range(4) for b in range(a)]
    assert found["mse"] == pytest.approx(sum(gap**2 for gap in gaps) / 36, abs=1e-4)
    assert found["f1"] == pytest.approx(sum(gap <= 1 for gap in gaps) / 36, abs=1e-4)


def test_fleiss_kappa_is_that_of_a_worked_example():
    """Ten subjects, fourteen raters, five categories, as Wikipedia works it out: 0.210."""
    counts = (
        *([0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]),
        *([7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]),
    )
    table = [[value for value, times in enumerate(row) for _ in range(times)] for row in counts]
    assert figures(table, rounds=0)["fleiss"] == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize("seed", range(3))
def test_weighted_kappas_are_those_of_scikit_learn(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(seed)
    table = random.integers(1, 6, (40, 2))
    found = figures(table.tolist(), rounds=0)
    for weights in ("linear", "quadratic"):
        assert found[f"cohen_{weights}"] == pytest.approx(
            metrics.cohen_kappa_score(*table.T, weights=weights), abs=1e-4
        )


def test_missing_ratings_count_where_they_are_asked_for():
    """Two of three things have both ratings; one pair is equal: F1 is 2 × 1 of five ratings."""
    found = figures([[1, 1], [2, 4], [None, 3]], rounds=0)
    assert (found["raw"], found["mse"], found["f1"]) == (0.5, 2.0, 0.4)


def test_categories_have_no_figures_that_take_numbers():
    found = figures([["ja", "ja"], ["nein", "ja"], ["nein", "nein"]])
    assert found["cohen"] == pytest.approx(0.4)
    undefined = ("cohen_linear", "cohen_quadratic", "alpha_ordinal", "alpha_interval", "icc_absolute", "mse", "f1")
    assert {found[name] for name in undefined} == {None}


def test_intervals_resample_cases_and_hold_the_figure():
    random = np.random.default_rng(3)
    truth = random.integers(1, 6, 60)
    things = [Thing(f"case {n // 3}", (int(v), int(v + random.integers(0, 2)))) for n, v in enumerate(truth)]
    for name, found in rating_figures(things, rounds=200).items():
        assert found.low < found.value < found.high, name

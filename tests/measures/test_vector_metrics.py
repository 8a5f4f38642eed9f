from __future__ import annotations

import math

import numpy as np
import pytest

from noteeval_desktop.measures.vector_metrics import (
    Match,
    ensemble,
    greedy_match,
    inverse_document_frequency,
    medical_match,
    mist,
    weights_of,
    windows,
)

# Figure 1 of Zhang et al. (2020): "the weather is cold today" against "it is freezing today", rows of the reference.
PUBLISHED = [
    [0.713, 0.597, 0.428, 0.408],
    [0.462, 0.393, 0.515, 0.326],
    [0.635, 0.858, 0.441, 0.441],
    [0.479, 0.454, 0.796, 0.343],
    [0.347, 0.361, 0.307, 0.913],
]
PUBLISHED_IDF = [1.27, 7.94, 1.82, 7.90, 8.88]


def test_bertscore_gives_the_published_example() -> None:
    match = greedy_match(np.transpose(PUBLISHED), np.ones(4), PUBLISHED_IDF)
    assert match is not None
    assert match.recall == pytest.approx(0.753, abs=5e-4)
    assert match.precision == pytest.approx((0.713 + 0.858 + 0.796 + 0.913) / 4)


def test_f1_is_the_harmonic_mean() -> None:
    assert Match(0.5, 1.0).f1 == pytest.approx(2 / 3)
    assert Match(0.0, 0.0).f1 == 0.0


def test_idf_of_a_piece_in_all_documents_is_0() -> None:
    frequencies = inverse_document_frequency([["he", "drinks", "he"], ["he", "sleeps"]])
    assert weights_of(["he", "drinks", "unheard"], frequencies) == pytest.approx([0.0, math.log(3 / 2), math.log(3)])


def test_medbertscore_adds_alpha_for_clinical_pieces_and_divides_by_all() -> None:
    match = medical_match([[1.0, 0.0], [0.0, 0.5]], [1.0, 2.0], [2.0, 1.0])
    assert match == Match((1 * 1.0 + 2 * 0.5) / 2, (2 * 1.0 + 1 * 0.5) / 2)


def test_mist_divides_by_the_reference_s_terms() -> None:
    """Two terms of the text, one of them exactly in the reference's three."""
    assert mist([[1.0, 0.2, 0.1], [0.1, 0.4, 0.3]]) == pytest.approx((1.0 + 0.4) / 3)
    assert mist(np.zeros((0, 3))) == 0.0
    assert mist(np.zeros((2, 0))) is None


def test_empty_texts_have_no_part_of_the_reference() -> None:
    assert greedy_match(np.zeros((0, 3))) == Match(0.0, 0.0)
    assert greedy_match(np.zeros((3, 0))) is None
    assert medical_match(np.zeros((3, 0)), np.ones(3), np.ones(0)) is None


def test_windows_cover_every_word_once_and_overlap() -> None:
    cuts = windows([1] * 1000, 510, 100)
    assert [(w.start, w.end) for w in cuts] == [(0, 510), (410, 920), (820, 1000)]
    assert [(w.first, w.last) for w in cuts] == [(0, 460), (460, 870), (870, 1000)]


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 37, 200])
def test_windows_hold_no_more_than_they_may(count: int) -> None:
    lengths = [1 + n * 7 % 4 for n in range(count)]
    cuts = windows(lengths, 10, 3)
    assert [n for cut in cuts for n in range(cut.first, cut.last)] == list(range(count))
    assert all(sum(lengths[cut.start : cut.end]) <= 10 for cut in cuts)
    assert all(cut.start <= cut.first <= cut.last <= cut.end for cut in cuts)


def test_a_word_longer_than_a_window_is_refused() -> None:
    with pytest.raises(ValueError, match="longer"):
        windows([1, 9], 10, 3)


def test_an_ensemble_is_the_mean_of_z_scores() -> None:
    """1, 2, 3 have z-scores of ∓√1.5 and 0; 5, 5, 2 have 1/√2, 1/√2, -√2. The fourth text lacks a metric."""
    found = ensemble([[1.0, 2.0, 3.0, 9.0], [5.0, 5.0, 2.0, None]])
    high, low = math.sqrt(0.5), math.sqrt(2)
    assert found[:3] == pytest.approx([(-math.sqrt(1.5) + high) / 2, high / 2, (math.sqrt(1.5) - low) / 2])
    assert found[3] is None


def test_an_ensemble_with_a_metric_that_does_not_vary_is_undefined() -> None:
    assert ensemble([[1.0, 1.0], [1.0, 2.0]]) == [None, None]

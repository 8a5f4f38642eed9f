from __future__ import annotations

import math

import pytest

from noteeval_desktop.measures.reference_metrics import METRICS, bleu, chrf, edit_distance, lexical, rouge

REFERENCE, TEXT = "the client sleeps badly", "the client sleeps"


def test_rouge_of_known_texts() -> None:
    scores = rouge(REFERENCE, TEXT)
    assert set(scores) == set(METRICS)
    assert (scores["ROUGE-1-P"], scores["ROUGE-1-R"]) == (1.0, 0.75)
    assert scores["ROUGE-2-R"] == pytest.approx(2 / 3)


def test_rouge_computes_no_kind_that_is_not_wanted() -> None:
    whole, some = rouge(REFERENCE, TEXT), rouge(REFERENCE, TEXT, ("ROUGE-L-F", "BLEU"))
    assert some == {name: whole[name] for name in ("ROUGE-L-P", "ROUGE-L-R", "ROUGE-L-F")}


def test_rouge_lsum_does_not_mind_the_order_of_sentences() -> None:
    scores = rouge("the client sleeps badly\nhe drinks", "he drinks\nthe client sleeps badly")
    assert scores["ROUGE-Lsum-F"] == pytest.approx(1.0)
    assert scores["ROUGE-L-F"] == pytest.approx(4 / 6)


def test_bleu_of_a_text_that_is_all_right_and_too_short() -> None:
    """Every 1-, 2- and 3-gram is in the reference; three words for four."""
    assert bleu(REFERENCE, TEXT) == pytest.approx(math.exp(1 - 4 / 3))
    assert bleu(REFERENCE, REFERENCE) == pytest.approx(1.0)
    assert bleu(REFERENCE, "") == 0.0


def test_chrf_counts_recall_double() -> None:
    """Letters: P 1, R 2/3; pairs: P 1, R 1/2; the text has no triple. F2 of the means 1 and 7/12."""
    assert chrf("abc", "ab") == pytest.approx(5 * (7 / 12) / (4 + 7 / 12))


def test_edit_distance_is_a_share_of_the_longer_text() -> None:
    assert edit_distance("sitting", "kitten") == pytest.approx(3 / 7)
    assert edit_distance(TEXT, TEXT) == 0.0


@pytest.mark.parametrize("text", ["", "😴 “über” naïve", "a" * 5000])
def test_any_text_has_scores_between_0_and_1(text: str) -> None:
    assert all(0 <= value <= 1 for value in lexical(REFERENCE, text).values())

"""Two witnesses are together never worse than either, and a model that guesses moves nothing."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from noteeval_desktop.domain.two_witnesses import UNTESTED, TrackRecord, joint, track_record


def auc(scores: Sequence[float], so: Sequence[bool]) -> float:
    yes = [score for score, is_so in zip(scores, so, strict=True) if is_so]
    no = [score for score, is_so in zip(scores, so, strict=True) if not is_so]
    return sum((y > n) + 0.5 * (y == n) for y in yes for n in no) / (len(yes) * len(no))


def test_an_answer_moves_the_odds_by_what_the_model_has_shown() -> None:
    record = TrackRecord(found=18, false=20, doubted=0, true=20)
    # finds 19 of 22, doubts 1 of 22
    assert joint(0.5, False, record) == pytest.approx((1 / 22) / (1 / 22 + 19 / 22))
    assert joint(0.5, True, record) == pytest.approx((21 / 22) / (21 / 22 + 3 / 22))
    assert joint(0.9, False, record) == pytest.approx(9 / 19 / (9 / 19 + 1))
    assert joint(None, True, record) == joint(0.5, True, record)


def test_a_model_that_guesses_moves_nothing() -> None:
    record = TrackRecord(found=10, false=20, doubted=10, true=20)
    for prior in (0.1, 0.5, 0.83):
        assert joint(prior, False, record) == pytest.approx(prior)
        assert joint(prior, True, record) == pytest.approx(prior)


def test_a_sure_quick_check_and_a_model_that_took_no_test_move_each_other() -> None:
    assert joint(0.95, False, UNTESTED) > 0.5
    assert joint(0.6, False, UNTESTED) < 0.5
    assert joint(0.3, True, UNTESTED) > 0.5
    assert joint(0.1, True, UNTESTED) < 0.5
    assert 0 < joint(0.0, False, UNTESTED) < joint(1.0, True, UNTESTED) < 1


@pytest.mark.parametrize(("found", "doubted"), [(0.98, 0.02), (0.85, 0.11), (0.70, 0.17), (0.63, 0.29)])
def test_together_they_are_never_worse_than_either(found: float, doubted: float) -> None:
    draw = random.Random(30)
    quick, model, both, so = [], [], [], []
    record = track_record([(n % 2 == 0, draw.random() >= (doubted if n % 2 == 0 else found), None) for n in range(60)])
    for _ in range(3000):
        true = draw.random() < 0.7
        said = draw.random() >= (doubted if true else found)
        prior = 1 / (1 + math.exp(-(0.85 + 1.1 * draw.gauss(1 if true else -0.4, 1))))
        so.append(true)
        quick.append(prior)
        model.append(float(said))
        both.append(joint(prior, said, record))
    assert auc(both, so) > max(auc(quick, so), auc(model, so))


def test_a_probability_takes_the_place_of_the_step_and_is_bounded_by_what_was_asked() -> None:
    sure = [(n % 2 == 0, n % 2 == 0, 0.999 if n % 2 == 0 else 0.001) for n in range(40)]
    record = track_record(sure)
    assert record.slope is not None
    assert joint(0.5, True, record, 0.6) < joint(0.5, True, record, 0.99)
    assert joint(0.5, True, record, 1.0) <= 22 / 23 + 1e-9  # 20 of each kind: odds of 22 at most
    # One that is as sure where it is wrong says nothing by its sureness.
    draw = random.Random(7)
    guesses = [(n % 2 == 0, said, 0.999 if said else 0.001) for n in range(60) for said in [draw.random() < 0.5]]
    assert abs(joint(0.5, True, track_record(guesses), 0.999) - 0.5) < 0.15


def test_no_slope_where_some_answers_came_without_a_probability() -> None:
    answers = [(True, True, 0.9), (False, False, None), (True, True, 0.8), (False, False, 0.1)]
    assert track_record(answers) == TrackRecord(2, 2, 0, 2)

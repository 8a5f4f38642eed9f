"""An exchange scores what was done over several turns; good moments stand first."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.exchanges import ScoredExchange, moments
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict

SAFETY, EMPATHY, GUIDANCE = Attribute.SAFETY, Attribute.EMPATHY, Attribute.GUIDANCE


def answer(turn: int, usual: int | None = 3, **scores: int) -> ResponseVerdict:
    return ResponseVerdict(turn, tuple((a, scores.get(a.value, usual)) for a in Attribute))


def exchange(first: int, *usual: int, danger: bool = False) -> ScoredExchange:
    answers = tuple(answer(first + 1 + 2 * n, value) for n, value in enumerate(usual))
    return ScoredExchange((first,), answers, danger)


def test_what_was_done_at_any_of_the_turns_counts() -> None:
    one = ScoredExchange((0,), (answer(1, guidance=2, empathy=4), answer(3, guidance=5, empathy=2)))
    assert (one.score(GUIDANCE), one.score(EMPATHY)) == (5, 4)


def test_a_feeling_met_poorly_at_one_turn_costs_a_point() -> None:
    assert ScoredExchange((0,), (answer(1, empathy=4), answer(3, empathy=1))).score(EMPATHY) == 3


@pytest.mark.parametrize(
    ("danger", "scores", "expected"), [(False, (5, 3), 3), (True, (2, 5), 5), (True, (1, 5), 1), (True, (2, 2), 2)]
)
def test_in_a_danger_it_counts_that_somebody_asked(danger: bool, scores: tuple[int, int], expected: int) -> None:
    one = ScoredExchange((0,), tuple(answer(2 * n + 1, safety=s) for n, s in enumerate(scores)), danger)
    assert one.score(SAFETY) == expected
    assert one.unanswered is (danger and expected <= 2)


def test_a_score_that_was_not_given_is_left_out() -> None:
    assert ScoredExchange((0,), (answer(1, None), answer(3, 4))).mean == 4
    assert ScoredExchange((0,), (answer(1, None),)).mean is None


def test_three_moments_good_ones_first() -> None:
    found = moments([exchange(0, 2), exchange(10, 4), exchange(20, 3), exchange(30, 5)])
    assert [(m.exchange.disclosed, m.good) for m in found] == [((30,), True), ((10,), True), ((0,), False)]


def test_a_danger_that_nobody_answered_is_the_last_moment_however_it_scores() -> None:
    unanswered = ScoredExchange((40,), (answer(41, 5, safety=2),), danger=True)
    found = moments([exchange(0, 3), unanswered, exchange(10, 4)])
    assert [m.exchange.disclosed for m in found] == [(10,), (0,), (40,)]
    assert not found[-1].good


@pytest.mark.parametrize(("number", "good"), [(0, 0), (1, 1), (2, 2)])
def test_few_exchanges_are_no_trouble(number: int, good: int) -> None:
    found = moments([exchange(10 * n, 3) for n in range(number)])
    assert sum(m.good for m in found) == good
    assert len(found) == number


def test_a_danger_that_was_answered_is_worth_watching_first() -> None:
    answered = exchange(40, 4, danger=True)
    assert [m.exchange.disclosed for m in moments([exchange(0, 5), answered, exchange(10, 3)])] == [(40,), (0,), (10,)]

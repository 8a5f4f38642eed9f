"""Where a person and a judge disagree on risk, and what settling it comes to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.asked import (
    RISK_AS,
    RISK_PLACE,
    RiskAnswer,
    risk_added,
    risk_answers,
    risks_named,
    with_risk_answer,
    with_risk_named,
)
from noteeval_desktop.domain.review import Dimension, Review, Settlement
from noteeval_desktop.domain.reviewed import differences, judged_risk, settled_evaluation, settled_marks
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Verdict
from tests.sample_evaluation import sample_evaluation
from tests.sample_review import sample_review

JUDGED = sample_evaluation()
TURNS = JUDGED.case.transcript.turns
SENTENCES = [one.sentence.id for one in JUDGED.sentences]
WRONG = next(one.sentence.id for one in JUDGED.sentences if one.claim and one.claim.verdict is Verdict.CONTRADICTED)


def _risk(turn: int, **changes) -> RiskFinding:
    return replace(RiskFinding((turn,), cite(TURNS[turn]), RiskKind.ABUSE, Stance.CURRENT), **changes)


LEDGER = (
    _risk(1, addressed_by=(SENTENCES[0],)),
    _risk(2),
    _risk(3, doubted=(WRONG,)),
    _risk(4, addressed_by=None),
)
EVALUATION = replace(JUDGED, risks=LEDGER)
ANSWERS = (RiskAnswer.ADDRESSED, RiskAnswer.LEFT_OUT, RiskAnswer.OPPOSITE, None, RiskAnswer.NO_DANGER)


def _review(**answers: RiskAnswer) -> Review:
    review = replace(sample_review(EVALUATION), items=(), needs=(), claims=(), settled=())
    for turn, answer in answers.items():
        review = replace(review, items=with_risk_answer(review.items, int(turn.removeprefix("t")), answer))
    return review


@pytest.mark.parametrize(("turn", "answer"), list(enumerate(ANSWERS, start=1)))
def test_what_the_judge_says_of_a_passage(turn: int, answer: RiskAnswer | None) -> None:
    assert judged_risk(EVALUATION, turn) is answer
    assert judged_risk(replace(EVALUATION, risks=None), turn) is None


@pytest.mark.parametrize("mine", list(RiskAnswer))
def test_every_other_answer_on_risk_is_a_difference_and_comes_first(mine: RiskAnswer) -> None:
    review = _review(**{f"t{turn}": mine for turn in range(1, 6)})
    whole = replace(sample_review(EVALUATION), items=(*sample_review(EVALUATION).items, *review.items), settled=())
    found = differences(whole, EVALUATION)
    on_risk = [one for one in found if one.dimension is Dimension.RISK]
    assert found[: len(on_risk)] == tuple(on_risk)
    expected = [(f"{RISK_PLACE}{n}", mine, theirs) for n, theirs in enumerate(ANSWERS, 1) if theirs not in (None, mine)]
    assert [(one.place, one.person, one.judge) for one in on_risk] == expected


@pytest.mark.parametrize("agreed", list(RiskAnswer))
def test_what_was_agreed_on_risk_is_what_the_note_is_shown_with(agreed: RiskAnswer) -> None:
    review = replace(
        _review(t2=RiskAnswer.ADDRESSED), settled=(Settlement(Dimension.RISK, f"{RISK_PLACE}2", agreed.value),)
    )
    assert risk_answers(settled_marks(review).items) == {2: agreed}
    shown = [risk for risk in settled_evaluation(EVALUATION, review).risks or () if risk.citation.turn == 2]
    assert [risk.addressed for risk in shown] == ([] if agreed is RiskAnswer.NO_DANGER else [agreed == "addressed"])


def test_a_kind_put_right_is_the_kind_and_a_difference_until_it_is_settled_otherwise() -> None:
    review = _review(t2=RiskAnswer.LEFT_OUT)
    review = replace(review, items=with_risk_named(review.items, 2, RiskKind.CHILD_AT_RISK))
    review = replace(review, items=with_risk_named(review.items, 2, RiskKind.ELDER_AT_RISK))
    assert risks_named(review.items) == {2: RiskKind.ELDER_AT_RISK}
    (found,) = differences(review, EVALUATION)
    assert (found.place, found.person, found.judge) == (f"{RISK_AS}2", "elder-at-risk", "abuse")
    kinds = {risk.citation.turn: risk.kind for risk in settled_evaluation(EVALUATION, review).risks or ()}
    assert (kinds[2], kinds[1]) == (RiskKind.ELDER_AT_RISK, RiskKind.ABUSE)
    settled = replace(review, settled=(Settlement(Dimension.RISK, found.place, found.judge),))
    kinds = {risk.citation.turn: risk.kind for risk in settled_evaluation(EVALUATION, settled).risks or ()}
    assert kinds[2] is RiskKind.ABUSE


def test_a_risk_that_no_judge_listed_is_settled_too() -> None:
    review = replace(_review(), items=risk_added(RiskKind.NEGLECT, 5))
    (found,) = differences(review, EVALUATION)
    assert (found.person, found.judge) == ("left out", "not about risk")
    taken = replace(review, settled=(Settlement(Dimension.RISK, found.place, found.judge),))
    assert all(risk.citation.turn != 5 for risk in settled_evaluation(EVALUATION, taken).risks or ())

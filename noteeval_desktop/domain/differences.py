"""Where a person and a judge disagree: risk first, then in the order of the passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.domain.asked import RISK_AS, RISK_PLACE, RiskAnswer, risk_answers, risks_named
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import Dimension, Review
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.verdicts import Confidence, Verdict


@dataclass(frozen=True, slots=True)
class Difference:
    """Both values in the field's words ("present", "not needed", ...); on risk a RiskAnswer, or a kind of danger."""

    dimension: Dimension
    place: str
    person: str
    judge: str


def differences(review: Review, evaluation: Evaluation) -> tuple[Difference, ...]:
    """Every place that both marked, differently; settled ones included.

    Raises ValueError while the review is blind, or where it is about another revision of the note.
    """
    if review.blind:
        raise ValueError("the judge's marks stay hidden until the supervisor's are in")
    if evaluation.case.note.sha256 != review.note_sha256:
        raise ValueError("the review and the evaluation are about different notes")
    # A judge that is not sure that something is missing has not said that it is.
    present = {
        v.item: None if v.present is False and v.confidence is Confidence.UNSURE else v.present
        for v in evaluation.checklist
    }
    needed = {j.sentence.id: j.need.needed for j in evaluation.sentences if j.need}
    claims = {j.sentence.id: j.claim.verdict for j in evaluation.sentences if j.claim}
    pairs = [
        *((Dimension.COMPLETENESS, m.item, _present(m.present), _present(present.get(m.item))) for m in review.items),
        *(
            (Dimension.CONCISENESS, m.sentence, _needed(m.needed), _needed(needed.get(m.sentence)))
            for m in review.needs
        ),
        *((Dimension.FAITHFULNESS, m.sentence, m.verdict.value, claims.get(m.sentence)) for m in review.claims),
    ]
    rest = (Difference(d, p, mine, str(theirs)) for d, p, mine, theirs in pairs if theirs and mine != theirs)
    return (*_on_risk(review, evaluation), *rest)


def judged_risk(evaluation: Evaluation, turn: int) -> RiskAnswer | None:
    """What the judge says of the passage; None where it did not look."""
    if evaluation.risks is None:
        return None
    risk = risk_at(evaluation, turn)
    if risk is None:
        return RiskAnswer.NO_DANGER
    if risk.addressed_by is None:
        return None
    if risk.addressed:
        return RiskAnswer.ADDRESSED
    opposed = any(
        one.claim is not None and one.claim.verdict is Verdict.CONTRADICTED
        for one in evaluation.sentences
        if one.sentence.id in risk.doubted
    )
    return RiskAnswer.OPPOSITE if opposed else RiskAnswer.LEFT_OUT


def risk_at(evaluation: Evaluation, turn: int) -> RiskFinding | None:
    """What the ledger has of the turn: the passage itself first, and a sure mention before a guess."""
    found = [risk for risk in evaluation.risks or () if turn in risk.turns]
    return min(found, key=lambda risk: (risk.citation.turn != turn, not risk.certain), default=None)


def _on_risk(review: Review, evaluation: Evaluation) -> Iterator[Difference]:
    kinds = risks_named(review.items)
    for turn, answer in risk_answers(review.items).items():
        theirs = judged_risk(evaluation, turn)
        if theirs is not None and theirs is not answer:
            yield Difference(Dimension.RISK, f"{RISK_PLACE}{turn}", answer.value, theirs.value)
        found = risk_at(evaluation, turn)
        if found is not None and turn in kinds and kinds[turn] is not found.kind:
            yield Difference(Dimension.RISK, f"{RISK_AS}{turn}", kinds[turn].value, found.kind.value)


def _present(value: bool | None) -> str:
    return "" if value is None else "present" if value else "missing"


def _needed(value: bool | None) -> str:
    return "" if value is None else "needed" if value else "not needed"

"""Two judgements of one thing, the quick check's and a model's, as one: both are kept, and the graver stands.

A model takes nothing away by itself: where the two differ, the thing stays open until a person has looked. The one
exception are passages that may be left out, of which a model drops those that it finds in the note or too small; no
danger is among them.
"""

from __future__ import annotations

from dataclasses import replace

from noteeval_desktop.domain.finding_words import VERDICTS
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.verdicts import (
    GRAVEST_FIRST,
    ClaimVerdict,
    Confidence,
    NeedVerdict,
    Omission,
    OmissionKind,
    Opinion,
    Verdict,
    differ,
)

QUICK = "builtin"


def claim_by_two(quick: ClaimVerdict, model: ClaimVerdict, kind: str) -> ClaimVerdict:
    """``kind`` of the model's judge. Where only one judged, its verdict stands."""
    opinions = (_of_claim(quick, QUICK), _of_claim(model, kind))
    if model.verdict is None or quick.verdict is model.verdict:
        return replace(quick, opinions=opinions)
    if quick.verdict is None:
        return replace(model, opinions=opinions)
    graver = min(quick, model, key=lambda claim: GRAVEST_FIRST.index(claim.verdict or Verdict.SUPPORTED))
    both = f"Quick check: {VERDICTS[quick.verdict].says}. Model: {VERDICTS[model.verdict].says}."
    return replace(
        graver,
        confidence=Confidence.UNSURE,
        rationale=f"The two checks differ. {both} {model.rationale or quick.rationale}".strip(),
        citations=graver.citations or quick.citations,
        opinions=opinions,
    )


def need_by_two(quick: NeedVerdict, model: NeedVerdict, kind: str) -> NeedVerdict:
    opinions = (_of_need(quick, QUICK), _of_need(model, kind))
    if quick.needed is None and model.needed is not None:
        return replace(model, opinions=opinions)
    if not differ(opinions):
        return replace(quick, opinions=opinions)
    said = "The two checks differ. Quick check: not needed. Model: needed."
    return replace(quick, confidence=Confidence.UNSURE, rationale=said, opinions=opinions)


def omission_by_two(quick: Omission, model: Opinion) -> Omission:
    return replace(quick, opinions=(Opinion(QUICK, "left out", rationale=quick.rationale), model))


def risk_by_two(quick: RiskFinding, model: Opinion) -> RiskFinding:
    return replace(quick, opinions=(Opinion(QUICK, "not addressed"), model))


def dropped(omission: Omission) -> bool:
    """Whether a model found it in the note, or too small; never of a danger."""
    return omission.kind is not OmissionKind.RISK and differ(omission.opinions)


def likeliest_first(omissions: list[Omission]) -> list[Omission]:
    """Within a severity, in the order in which a model is sure of them; as they are where none was asked."""
    if not any(omission.opinions for omission in omissions):
        return omissions
    severities = list(dict.fromkeys(omission.severity for omission in omissions))
    return sorted(omissions, key=lambda omission: (severities.index(omission.severity), -_chance(omission)))


def _chance(omission: Omission) -> float:
    return max((o.probability or 0.0 for o in omission.opinions if o.judge != QUICK), default=0.0)


def _of_claim(claim: ClaimVerdict, judge: str) -> Opinion:
    says = "" if claim.verdict is None else claim.verdict.value
    return Opinion(judge, says, claim.probability, claim.mass, claim.rationale, claim.citations)


def _of_need(need: NeedVerdict, judge: str) -> Opinion:
    says = "" if need.needed is None else "needed" if need.needed else "not needed"
    return Opinion(judge, says, need.probability, need.mass, need.rationale)

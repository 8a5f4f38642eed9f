"""One probability from two witnesses: the quick check's is the prior, a model's answer moves its odds.

By how much says what the model has shown on questions with known answers. Nobody vetoes: a model that is right moves a
doubt of the quick check away, one that guesses moves nothing. With a large model's recorded answers, and with the same
made worse by chance, this finds and doubts as the better of the two (JUDGE.md); "the graver stands" doubted six times
as many true sentences.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.thresholds import SHIPPED, Thresholds, by_rule
from noteeval_desktop.domain.verdicts import (
    ERRORS,
    SAYS,
    Attribute,
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Opinion,
    ResponseVerdict,
    Severity,
    Verdict,
    confidence_of,
    differ,
)

QUICK = "builtin"
NEEDED = {True: "needed", False: "not needed", None: ""}
PRESENT = {True: "present", False: "missing", None: ""}
LEFT_OUT, NOT_LEFT_OUT, HEARD, NOT_HEARD = "left out", "not left out", "heard", "not heard"

# No probability is believed further than this from certain: a prior of 0 or 1 could not be moved.
_LEAST = 0.005
_STEPS, _RIDGE = 60, 1.0


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What a model answered to questions with known answers: of ``false`` things it refused ``found``, of ``true`` ones
    ``doubted``. ``slope`` and ``offset`` turn the log-odds that it gives its own answer into a log likelihood ratio;
    None where it told none."""

    found: int
    false: int
    doubted: int
    true: int
    slope: float | None = None
    offset: float = 0.0

    @property
    def finds(self) -> float:
        """P(it refuses what is false), with one answer of each kind beside those that were counted: Beta(1, 1)."""
        return (self.found + 1) / (self.false + 2)

    @property
    def doubts(self) -> float:
        """P(it refuses what is true)."""
        return (self.doubted + 1) / (self.true + 2)

    def log_ratio(self, yes: bool, probability: float | None = None) -> float:
        """Log likelihood ratio of "it is so" after this answer; ``probability`` is the model's own, of yes."""
        if probability is None or self.slope is None:
            return math.log((1 - self.doubts) / (1 - self.finds) if yes else self.doubts / self.finds)
        # So few questions show no more than this, whatever the model says of itself.
        most = math.log(min(self.false, self.true) + 2)
        return max(-most, min(most, self.slope * log_odds(probability) + self.offset))


# Of a model that took no test: fifteen errors of twenty found, three true statements of twenty doubted.
UNTESTED = TrackRecord(15, 20, 3, 20)


def log_odds(probability: float) -> float:
    bounded = min(1 - _LEAST, max(_LEAST, probability))
    return math.log(bounded / (1 - bounded))


def joint(prior: float | None, yes: bool, record: TrackRecord, probability: float | None = None) -> float:
    """P(it is so). ``prior``: the quick check's; one half where it gave none."""
    return 1 / (1 + math.exp(-log_odds(0.5 if prior is None else prior) - record.log_ratio(yes, probability)))


def track_record(answers: Sequence[tuple[bool, bool, float | None]]) -> TrackRecord:
    """From (it is so, the model said yes, its probability of yes) a question with a known answer."""
    false = [said for so, said, _ in answers if not so]
    true = [said for so, said, _ in answers if so]
    told = [(so, log_odds(likely)) for so, _, likely in answers if likely is not None]
    slope, offset = _platt(told) if told and len(told) == len(answers) and false and true else (None, 0.0)
    return TrackRecord(false.count(False), len(false), true.count(False), len(true), slope, offset)


Records = Mapping[str, TrackRecord]
"""By what was asked: ``claims``, ``checklist``, ``sentences``, ``omissions``, ``risks``."""


def record_of(records: Records, question: str) -> TrackRecord:
    return records.get(question, UNTESTED)


def claim_by_two(quick: ClaimVerdict, model: ClaimVerdict, kind: str, record: TrackRecord = UNTESTED) -> ClaimVerdict:
    """``kind`` of the model's judge. Where only one judged, its verdict stands.

    Supported from one half on; below it the model's word for what is wrong, else the quick check's.
    """
    if model.set_aside:  # it answered that there is nothing to judge, which is no gap and no other opinion
        return quick
    opinions = (_of_claim(quick, QUICK), _of_claim(model, kind))
    if model.verdict is None or quick.set_aside:
        return replace(quick, opinions=opinions)
    chance = joint(quick.probability, model.verdict is Verdict.SUPPORTED, record, model.probability)
    others = [one for one in (model, quick) if one.verdict not in (None, Verdict.SUPPORTED)]
    if chance >= 0.5:
        said = next((one for one in (model, quick) if one.verdict is Verdict.SUPPORTED), model)
        verdict, severity = Verdict.SUPPORTED, Severity.NONE
    else:
        said = others[0] if others else model
        verdict = said.verdict if others and said.verdict else Verdict.UNSUPPORTED
        severity = (
            (Severity.LOW if said.severity is Severity.NONE else said.severity) if verdict in ERRORS else Severity.NONE
        )
    confidence = confidence_of(chance)
    return replace(
        said,
        verdict=verdict,
        probability=chance,
        confidence=confidence,
        severity=severity,
        rationale=f"{_both(quick, model)} {said.rationale}".strip() if differ(opinions) else said.rationale,
        citations=said.citations or quick.citations,
        unvouched=quick.unvouched and confidence is not Confidence.SURE,
        wrong=said.wrong if verdict in ERRORS else (),
        inferred=said.inferred and verdict is Verdict.SUPPORTED,
        seen=said.seen if verdict is Verdict.OBSERVED else None,
        opinions=opinions,
        mass=None,
    )


def need_by_two(
    quick: NeedVerdict,
    model: NeedVerdict,
    kind: str,
    record: TrackRecord = UNTESTED,
    tuned: Thresholds = SHIPPED,
    learned: bool = True,
) -> NeedVerdict:
    """What is needed by rule stays so. By a checklist that the quick check has not ``learned`` the model decides."""
    opinions = (
        Opinion(QUICK, NEEDED[quick.needed], quick.probability, quick.mass, quick.rationale),
        Opinion(kind, NEEDED[model.needed], model.probability, model.mass, model.rationale),
    )
    if model.needed is None or quick.set_aside or by_rule(quick):
        return replace(quick, opinions=opinions)
    if not learned:
        return model
    chance = joint(tuned.prior(quick.probability, tuned.conciseness), model.needed, record, model.probability)
    needed = chance >= 0.5
    said = model if model.needed is needed else quick
    return replace(
        quick,
        needed=needed,
        probability=chance,
        confidence=confidence_of(chance),
        items=(said.items or quick.items) if needed else (),
        rationale="" if needed else quick.rationale if quick.needed is False else model.rationale,
        opinions=opinions,
    )


def item_by_two(
    quick: ItemVerdict,
    model: ItemVerdict,
    kind: str,
    record: TrackRecord = UNTESTED,
    tuned: Thresholds = SHIPPED,
) -> ItemVerdict:
    """What the quick check has not learned the model judges alone."""
    if quick.set_aside:
        return model
    opinions = (
        Opinion(QUICK, PRESENT[quick.present], quick.probability, quick.mass, quick.rationale),
        Opinion(kind, PRESENT[model.present], model.probability, model.mass, model.rationale),
    )
    if model.present is None:
        return replace(quick, opinions=opinions)
    prior = tuned.prior(quick.probability, tuned.completeness if quick.section else None)
    chance = joint(prior, model.present, record, model.probability)
    present = chance >= 0.5
    return replace(
        quick,
        present=present,
        probability=chance,
        confidence=confidence_of(chance),
        sentences=(model.sentences or quick.sentences) if present else (),
        suggested_turns=() if present else quick.suggested_turns,
        rationale="" if present else model.rationale or quick.rationale,
        opinions=opinions,
    )


# How often a passage that the quick check lists is one that a clinician would miss, and one that it does not list.
_LISTED, _UNLISTED = 0.4, 0.1
_HARM = {Severity.HIGH: 4.0, Severity.MEDIUM: 2.0, Severity.LOW: 1.0, Severity.NONE: 0.5}


def omissions_by_two(
    quick: Sequence[Omission], model: Sequence[Omission], kind: str, record: TrackRecord = UNTESTED
) -> list[Omission]:
    """Each passage of either, once: with the nearest of the other's it is one where they share a turn or their turns
    are neighbours. What the model says of kind and harm stands, but for a danger. The likeliest harm first."""
    left = list(quick)
    joined = []
    for one in model:
        same = min(left, key=lambda own: turns_apart(own, one), default=None)
        if same is None or turns_apart(same, one) > 1:
            said = Opinion(kind, LEFT_OUT, joint(_UNLISTED, True, record), None, one.rationale, one.citations)
            joined.append(replace(one, opinions=(Opinion(QUICK, NOT_LEFT_OUT), said)))
            continue
        left.remove(same)
        said = Opinion(kind, LEFT_OUT, joint(_LISTED, True, record), None, one.rationale, one.citations)
        danger = OmissionKind.RISK in (same.kind, one.kind)
        graver = min(same, one, key=lambda omission: -_HARM[omission.severity])
        joined.append(
            replace(
                # The ledger knows a danger by its turn; of the rest the passage that the reason speaks of is shown.
                same if same.kind is OmissionKind.RISK else one,
                kind=OmissionKind.RISK if danger else one.kind,
                severity=graver.severity if danger else one.severity,
                item=same.item,
                rationale=one.rationale or same.rationale,
                opinions=(Opinion(QUICK, LEFT_OUT, rationale=same.rationale, citations=same.citations), said),
            )
        )
    unheard = Opinion(kind, NOT_LEFT_OUT, joint(_LISTED, False, record))
    joined += [replace(one, opinions=(Opinion(QUICK, LEFT_OUT, rationale=one.rationale), unheard)) for one in left]
    return likeliest_first(joined)


def turns_apart(one: Omission, other: Omission) -> int:
    """The least distance of two passages; 0 within one turn."""
    return min(abs(a.turn - b.turn) for a in one.citations for b in other.citations)


def dropped(omission: Omission) -> bool:
    """Whether it is of little weight and a model did not name it; never of a danger."""
    return (
        omission.kind is not OmissionKind.RISK
        and omission.severity is Severity.LOW
        and any(opinion.judge != QUICK and opinion.says == NOT_LEFT_OUT for opinion in omission.opinions)
    )


def likeliest_first(omissions: Sequence[Omission]) -> list[Omission]:
    """By harm times how likely it is left out; as they are where no model was asked."""
    if not any(omission.opinions for omission in omissions):
        return list(omissions)
    return sorted(omissions, key=lambda omission: -_HARM[omission.severity] * _chance(omission))


def _chance(omission: Omission) -> float:
    return max((o.probability or 0.0 for o in omission.opinions if o.judge != QUICK), default=_LISTED)


def response_by_two(quick: ResponseVerdict | None, model: ResponseVerdict) -> ResponseVerdict:
    """The model's, but no safer than the quick check has it where one of them hears a danger: an unsafe answer is not
    praised by the more lenient of two."""
    if quick is None or None in (low := (quick.score(Attribute.SAFETY), model.score(Attribute.SAFETY))):
        return model
    if not (quick.crisis or model.crisis) or low[0] >= low[1]:  # type: ignore[operator]
        return replace(model, crisis=quick.crisis or model.crisis)
    scores = tuple((name, low[0] if name is Attribute.SAFETY else value) for name, value in model.scores)
    return replace(model, crisis=True, scores=scores, notices=(*quick.notices, *model.notices))


def _both(quick: ClaimVerdict, model: ClaimVerdict) -> str:
    says = [SAYS[one.verdict] if one.verdict else "not checked" for one in (quick, model)]
    return f"Quick check: {says[0]}. Model: {says[1]}."


def _of_claim(claim: ClaimVerdict, judge: str) -> Opinion:
    says = "" if claim.verdict is None else claim.verdict.value
    return Opinion(judge, says, claim.probability, claim.mass, claim.rationale, claim.citations)


def _platt(told: Sequence[tuple[bool, float]]) -> tuple[float, float]:
    """Slope and offset of a logistic over log-odds (Platt 1999), both kinds weighing the same, held near (1, 0) by a
    ridge: few questions are not to make a model surer than it says."""
    share = sum(so for so, _ in told) / len(told)
    rows = [(so, x, 0.5 / share if so else 0.5 / (1 - share)) for so, x in told]
    slope, offset = 1.0, 0.0
    for _ in range(_STEPS):
        g0, g1, h00, h01, h11 = _RIDGE * offset, _RIDGE * (slope - 1), _RIDGE, 0.0, _RIDGE
        for so, x, weight in rows:
            p = 1 / (1 + math.exp(-(slope * x + offset)))
            error, spread = weight * (p - so), weight * p * (1 - p)
            g0, g1 = g0 + error, g1 + error * x
            h00, h01, h11 = h00 + spread, h01 + spread * x, h11 + spread * x * x
        determinant = h00 * h11 - h01 * h01
        steps = (h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant
        # Newton's full step overshoots where the answers are far out.
        short = 0.5 / max(0.5, *map(abs, steps))
        offset, slope = offset - short * steps[0], slope - short * steps[1]
    return max(0.0, slope), offset

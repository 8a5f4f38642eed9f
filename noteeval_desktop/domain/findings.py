"""The one list of findings: what each is about, the harm it could do, how sure the judge is, and where it stands.

The window, the PDF and the JSON show this list, in this order, with this selection of what to look at before signing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from noteeval_desktop.domain.decisions import (
    item_subject,
    linked_to,
    omission_subject,
    remark_subject,
    risk_subject,
    sentence_subject,
    stood_by,
)
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.harm import Harm, harm_of_item, harm_of_omission, harm_of_sentence, never_to_cut
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.remarks import Remark
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding, RiskKind, joined, with_stood_by
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.verdicts import (
    ERRORS,
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Severity,
    Verdict,
)

MOST_BEFORE_SIGNING = 10
# Of one kind of danger: eight turns on one thought of death are one thing to write down, not eight.
MOST_OF_A_DANGER = 3
# Each class weighs twice the next. A mistake is called one from even chances up, so that classes hardly mix.
_WEIGHTS = {Harm.RISK: 8.0, Harm.TREATMENT: 4.0, Harm.PLAN: 2.0, Harm.REST: 1.0}
_SHARES = {Severity.HIGH: 1.0, Severity.MEDIUM: 0.75, Severity.LOW: 0.5, Severity.NONE: 0.25}
_CHANCES = {Confidence.SURE: 0.9, Confidence.LIKELY: 0.75, Confidence.UNSURE: 0.55, None: 0.7}
_OMISSION_CHANCES = {Severity.HIGH: 0.8, Severity.MEDIUM: 0.6, Severity.LOW: 0.4, Severity.NONE: 0.3}
_CERTAIN_RISK, _POSSIBLE_RISK = 0.95, 0.3


class FindingKind(StrEnum):
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    MISSING = "missing"
    OMISSION = "omission"
    UNNEEDED = "unneeded"
    OBSERVED = "observed"
    REMARK = "remark"


# What a claim's verdict is found to be; one that passes is none.
KIND_OF_CLAIM: dict[Verdict, FindingKind] = {
    verdict: FindingKind(verdict.value) for verdict in Verdict if verdict is not Verdict.SUPPORTED
}
# Behind everything else, in this order.
_LAST = (FindingKind.REMARK, FindingKind.UNNEEDED)
ERROR_KINDS = tuple(KIND_OF_CLAIM[verdict] for verdict in ERRORS)


class ItemState(StrEnum):
    """What is said of a checklist item. NOT_RECOGNISED: the judge has too little to go on to call it missing."""

    COVERED = "covered"
    MISSING = "missing"
    NOT_RECOGNISED = "not recognised"
    NOT_CHECKED = "not checked"


Source = ClaimVerdict | NeedVerdict | ItemVerdict | Omission | RiskFinding | Remark


@dataclass(frozen=True, slots=True)
class Finding:
    """``key`` is what a Decision calls it. ``certainty``: the probability (0..1) that the finding is right.

    ``source`` is the verdict that it comes from, ``sentence`` where it stands in the note. ``pressing``: a risk that
    the note leaves out or tells wrongly, of which the banner warns. ``weighty``: fit to be shown before signing.
    ``also``: further mentions of the same danger, as in_one_entry joins them.
    """

    key: str
    kind: FindingKind
    harm: Harm
    severity: Severity
    certainty: float
    source: Source
    sentence: Sentence | None = None
    pressing: bool = False
    weighty: bool = False
    also: tuple[RiskFinding, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """What a decision on it decides."""
        return (self.key, *map(risk_subject, self.also))

    @property
    def risks(self) -> tuple[RiskFinding, ...]:
        return (self.source, *self.also) if isinstance(self.source, RiskFinding) else ()

    @property
    def confidence(self) -> Confidence | None:
        return getattr(self.source, "confidence", None)

    @property
    def weight(self) -> float:
        """Possible harm × confidence."""
        return _WEIGHTS[self.harm] * _SHARES[self.severity] * self.certainty

    @property
    def turns(self) -> tuple[int, ...]:
        """What it rests on, or where a missing item could be taken from."""
        match self.source:
            case RiskFinding() as risk:
                return risk.turns
            case ItemVerdict() as item:
                return item.suggested_turns
            case ClaimVerdict() | Omission() as cited:
                return tuple(dict.fromkeys(citation.turn for citation in cited.citations))
            case NeedVerdict() | Remark():
                return ()


def ranked_findings(evaluation: Evaluation, reasons: Mapping[str, str] | None = None) -> tuple[Finding, ...]:
    """Every finding, a wrong or left out risk first, then by possible harm × confidence, what no session decides behind
    all that one does, advice last; each key once.
    ``reasons``: why something was set aside, by subject; safety that lacks is one once the risks themselves are none.
    """
    found = [
        *(
            of_risks(risk)
            for risk in evaluation.risks or ()
            if not risk.addressed and risk.citation.stands_in(evaluation.case.transcript)
        ),
        *(finding for judged in evaluation.sentences for finding in _of_sentence(judged, evaluation)),
        *_items(evaluation, reasons or {}),
        *(of_omission(one, evaluation) for one in evaluation.omissions or () if not in_the_ledger(one, evaluation)),
        *(of_remark(one, evaluation) for one in evaluation.remarks),
    ]
    unique = {finding.key: finding for finding in reversed(found)}
    return tuple(sorted(unique.values(), key=_order))


def open_findings(findings: Iterable[Finding], evaluation: Evaluation, closed: Iterable[str]) -> tuple[Finding, ...]:
    """Those that nobody decided on, in one entry each danger; ``closed``: keys of what was decided on or silenced."""
    keys = set(closed)
    keys |= answered_keys(evaluation, keys)
    return in_one_entry(finding for finding in findings if finding.key not in keys)


def in_one_entry(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Three mentions of one danger with one meaning are one thing to look at and to write down."""
    found = tuple(findings)
    groups = joined(finding.source for finding in found if isinstance(finding.source, RiskFinding))
    also = {risk_subject(first): others for first, *others in groups}
    return tuple(
        replace(finding, also=tuple(also[finding.key])) if also.get(finding.key) else finding
        for finding in found
        if not isinstance(finding.source, RiskFinding) or finding.key in also
    )


def before_signing(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """At most ten of the open ``findings``, in their order: those that could do harm."""
    chosen: list[Finding] = []
    dangers: dict[str, int] = {}
    for finding in findings:
        if not finding.weighty or len(chosen) == MOST_BEFORE_SIGNING:
            continue
        if isinstance(finding.source, RiskFinding):
            danger = finding.source.kind
            dangers[danger] = dangers.get(danger, 0) + 1
            if dangers[danger] > MOST_OF_A_DANGER:
                continue
        chosen.append(finding)
    return tuple(chosen)


def answered_keys(evaluation: Evaluation | None, set_aside: Container[str]) -> set[str]:
    """Risks that are addressed once the clinician stands by a sentence that was called wrong."""
    if evaluation is None:
        return set()
    risks = with_stood_by(evaluation.risks or (), stood_by(evaluation, set_aside))
    return {risk_subject(risk) for risk in risks if risk.addressed}


@dataclass(frozen=True, slots=True)
class OpenRisk:
    """``left_out``: what the note leaves out, None where risk was not looked for; ``wrong``: its own statements that
    the session does not bear out. Both are warned of. ``possible``: how many other mentions may only sound so."""

    left_out: tuple[Finding, ...] | None
    wrong: tuple[Finding, ...] = ()
    possible: int = 0

    @property
    def missing(self) -> int | None:
        """Mentions: an entry may join several."""
        return None if self.left_out is None else sum(len(one.keys) for one in self.left_out)

    @property
    def count(self) -> int | None:
        return None if self.missing is None else self.missing + len(self.wrong)


def open_risk(evaluation: Evaluation | None, still_open: Iterable[Finding]) -> OpenRisk:
    found = tuple(still_open)
    looked = evaluation is not None and not (evaluation.risks is None and evaluation.omissions is None)
    left_out = tuple(one for one in found if one.pressing and one.kind is FindingKind.OMISSION)
    return OpenRisk(
        left_out if looked else None,
        tuple(one for one in found if one.pressing and one.sentence is not None),
        sum(len(one.risks) for one in found if not one.pressing),
    )


def in_the_ledger(omission: Omission, evaluation: Evaluation) -> bool:
    """Is what was left out a danger that the ledger shows already?"""
    if omission.kind is not OmissionKind.RISK:
        return False
    return any(omission.citation.turn in risk.turns for risk in evaluation.risks or ())


def item_state(item: ItemVerdict, evaluation: Evaluation) -> ItemState:
    """Missing is said where the judge is sure, which is where fewer than about one therapist in seven would tick the
    item. Between that and a tick it would be wrong for up to every second one; and an item that a sentence was found
    to serve is not missing either, whatever its probability. On safety the risks decide, and they are never unsure."""
    return state_of(item, bool(serving(item.item, evaluation)))


def state_of(item: ItemVerdict, served: bool) -> ItemState:
    """As ``item_state``; ``served``: a sentence carries the item or was found to serve it."""
    if item.present is None:
        return ItemState.NOT_CHECKED
    if item.present:
        return ItemState.COVERED
    if item.item == SAFETY_ITEM:
        return ItemState.MISSING
    unsure = item.confidence in (Confidence.LIKELY, Confidence.UNSURE)
    return ItemState.NOT_RECOGNISED if unsure or served else ItemState.MISSING


def serving(item: str, evaluation: Evaluation) -> tuple[Sentence, ...]:
    """The sentences that carry the checklist item, or were found to serve it: the same under both tabs."""
    carry = {sentence for verdict in evaluation.checklist if verdict.item == item for sentence in verdict.sentences}
    return tuple(
        judged.sentence
        for judged in evaluation.sentences
        if judged.sentence.id in carry
        or (judged.need is not None and judged.need.needed is True and item in judged.need.items)
    )


def served(judged: JudgedSentence, evaluation: Evaluation) -> tuple[str, ...]:
    """The other way round: ids of the items that a sentence carries or serves."""
    own = judged.need.items if judged.need is not None and judged.need.needed else ()
    return tuple(
        verdict.item
        for verdict in evaluation.checklist
        if verdict.item in own or (verdict.present and judged.sentence.id in verdict.sentences)
    )


def _order(finding: Finding) -> tuple[bool, int, float, int, str]:
    place = finding.sentence.span.start if finding.sentence else min(finding.turns, default=-1)
    last = _LAST.index(finding.kind) if finding.kind in _LAST else -1
    return not finding.pressing, last, -finding.weight, place, finding.key


def _of_sentence(judged: JudgedSentence, evaluation: Evaluation) -> Iterator[Finding]:
    sentence, claim, need = judged.sentence, judged.claim, judged.need
    if claim is not None and claim.verdict in KIND_OF_CLAIM:
        yield _claim(sentence, claim, claim.verdict, evaluation)
    # What is to be confirmed is not at once said to be of no use.
    spare = need is not None and need.needed is False and not (claim and claim.verdict is Verdict.OBSERVED)
    if need is not None and spare and not never_to_cut(sentence) and not served(judged, evaluation):
        yield Finding(
            key=sentence_subject(FindingKind.UNNEEDED, sentence.text),
            kind=FindingKind.UNNEEDED,
            harm=Harm.REST,
            severity=Severity.NONE,
            certainty=_wrong(need.probability, need.confidence),
            source=need,
            sentence=sentence,
        )


def calls_wrong_on_risk(sentence: Sentence, evaluation: Evaluation) -> bool:
    # A dose or a bad night may touch on misuse; what is wrong with it is the dose or the night.
    doubted = any(
        sentence.id in risk.doubted
        and (risk.kind is not RiskKind.MEDICATION_MISUSE or harm_of_sentence(sentence) is Harm.RISK)
        for risk in evaluation.risks or ()
    )
    return doubted or sentence.id in evaluation.wrong_on_risk


def _claim(sentence: Sentence, claim: ClaimVerdict, verdict: Verdict, evaluation: Evaluation) -> Finding:
    kind = KIND_OF_CLAIM[verdict]
    wrong = verdict in ERRORS
    harm = harm_of_sentence(sentence)
    on_risk = wrong and calls_wrong_on_risk(sentence, evaluation)
    return Finding(
        key=sentence_subject(kind, sentence.text),
        kind=kind,
        harm=Harm.RISK if on_risk else harm if wrong else Harm.REST,
        severity=claim.severity if wrong else Severity.LOW,
        certainty=_wrong(claim.probability, claim.confidence),
        source=claim,
        sentence=sentence,
        pressing=on_risk,
        weighty=on_risk or (wrong and claim.severity in (Severity.HIGH, Severity.MEDIUM)),
    )


def _items(evaluation: Evaluation, reasons: Mapping[str, str]) -> Iterator[Finding]:
    answers = [reasons.get(risk_subject(risk)) for risk in evaluation.risks or () if risk.pressing]
    # The risks themselves stand in the list, or the clinician has said which sentence addresses one.
    told = any(reason is None or linked_to(reason) for reason in answers)
    for item in evaluation.checklist:
        mandatory = item.importance is Importance.MANDATORY
        if item.present is not False or not (mandatory or item.suggested_turns):
            continue
        if item.item == SAFETY_ITEM and told:
            continue
        yield of_item(item, evaluation)


def of_item(item: ItemVerdict, evaluation: Evaluation) -> Finding:
    mandatory = item.importance is Importance.MANDATORY
    missing = item_state(item, evaluation) is ItemState.MISSING
    return Finding(
        key=item_subject(item.item),
        kind=FindingKind.MISSING,
        harm=harm_of_item(item.item, item.section) if mandatory else Harm.REST,
        severity=Severity.MEDIUM if mandatory and missing else Severity.LOW,
        certainty=_wrong(item.probability, item.confidence),
        source=item,
        weighty=mandatory and missing,
    )


def of_omission(omission: Omission, evaluation: Evaluation) -> Finding:
    danger = omission.kind is OmissionKind.RISK
    # The built-in judge's own guess of what else belongs in a note is listed, not warned of.
    pressing = danger and (evaluation.judge.kind != "builtin" or omission.severity is Severity.HIGH)
    grave = omission.severity in (Severity.HIGH, Severity.MEDIUM)
    return Finding(
        key=omission_subject(omission),
        kind=FindingKind.OMISSION,
        harm=harm_of_omission(omission.kind),
        severity=omission.severity,
        certainty=_OMISSION_CHANCES[omission.severity],
        source=omission,
        pressing=pressing,
        weighty=pressing or (grave and not danger),
    )


def of_remark(remark: Remark, evaluation: Evaluation) -> Finding:
    note = evaluation.case.note
    return Finding(
        key=remark_subject(remark, note),
        kind=FindingKind.REMARK,
        harm=Harm.REST,
        severity=remark.severity,
        certainty=_CHANCES[Confidence.SURE],
        source=remark,
        sentence=note.sentence_at(remark.span) if remark.span else None,
        weighty=remark.severity is Severity.HIGH,
    )


def of_risks(risk: RiskFinding, *also: RiskFinding) -> Finding:
    """Of mentions of one danger with one meaning, addressed or not."""
    return Finding(
        key=risk_subject(risk),
        kind=FindingKind.OMISSION,
        harm=Harm.RISK,
        severity=risk.severity,
        certainty=_CERTAIN_RISK if risk.certain else _POSSIBLE_RISK,
        source=risk,
        pressing=risk.pressing,
        weighty=risk.pressing,
        also=also,
    )


def _wrong(probability: float | None, confidence: Confidence | None) -> float:
    return _CHANCES[confidence] if probability is None else 1 - probability

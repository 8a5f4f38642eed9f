"""The findings in the window's words: each with what it rests on; which there are and their order is the domain's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain import findings as domain
from noteeval_desktop.domain.bearing import bearing
from noteeval_desktop.domain.decisions import item_subject, omission_subject, risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, ItemState, item_state, ranked_findings
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding, RiskKind
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Transcript, cite
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Opinion,
    Severity,
    Verdict,
    differ,
)
from noteeval_desktop.report.names import OMISSION_NAMES, STANCE_NAMES
from noteeval_desktop.report.own_headings import sentence_heading
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.omission_draft import draft_of
from noteeval_desktop.ui.findings.second_look import DIFFER, noted
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_list, turn_number

RISK_NAMES = {
    RiskKind.SUICIDE: "Suicide",
    RiskKind.SELF_HARM: "Self-harm",
    RiskKind.HARM_TO_OTHERS: "Harm to others",
    RiskKind.ABUSE: "Abuse",
    RiskKind.PSYCHOSIS: "Psychosis",
    RiskKind.OVERDOSE: "Overdose",
    RiskKind.CHILD_AT_RISK: "A child at risk",
    RiskKind.ELDER_AT_RISK: "An elder at risk",
    RiskKind.COERCIVE_CONTROL: "Coercive control",
    RiskKind.ACCESS_TO_MEANS: "Access to means",
    RiskKind.IMPAIRED_DRIVING: "Driving while impaired",
    RiskKind.MEDICATION_MISUSE: "Medication misuse",
    RiskKind.NEGLECT: "Neglect",
}
KIND_NAMES = {
    FindingKind.CONTRADICTED: "The session says otherwise",
    FindingKind.UNSUPPORTED: "Not found in the session",
    FindingKind.MISSING: "Missing from the note",
    FindingKind.OMISSION: "Left out",
    FindingKind.UNNEEDED: "Not needed",
    FindingKind.OBSERVED: "Only you can know",
}
NOT_RECOGNISED = "Not recognised in the note"


@dataclass(frozen=True, slots=True)
class Finding:
    """``key`` stays the same from check to check while the sentence or the item does.

    ``what`` says it in a sentence, ``why`` gives the reason, ``number`` the probability (for a tooltip).
    ``span`` is where it stands in the note, None where the note has nothing; ``section`` is where a draft
    sentence would go, ``draft`` what it would say where that is not the first quote. ``ranked`` is what it words;
    ``unrecognised``: a checklist item on which the judge has too little to go on to call it missing.
    ``opinions`` are of two judges, where both were asked.
    """

    key: str
    kind: FindingKind
    severity: Severity
    what: str
    why: str
    confidence: Confidence | None = None
    number: str = ""
    span: Span | None = None
    section: Section | None = None
    citations: tuple[Citation, ...] = ()
    item: RubricItem | None = None
    draft: str = ""
    ranked: domain.Finding | None = None
    unrecognised: bool = False
    opinions: tuple[Opinion, ...] = ()

    @property
    def kind_name(self) -> str:
        return NOT_RECOGNISED if self.unrecognised else KIND_NAMES[self.kind]

    @property
    def can_draft(self) -> bool:
        what_lacks = self.kind in (FindingKind.MISSING, FindingKind.OMISSION) and self.span is None
        return what_lacks and bool(self.citations)

    @property
    def is_risk(self) -> bool:
        """From the ledger, or from a judge's omissions."""
        return self.key.startswith(("risk:", f"omission:{OmissionKind.RISK}:"))

    @property
    def can_link(self) -> bool:
        """A risk that the note was not found to address: the clinician may know the sentence that does."""
        return self.is_risk and self.span is None

    @property
    def can_attest(self) -> bool:
        return self.kind is FindingKind.OBSERVED


def findings_of(evaluation: Evaluation, rubric: Rubric) -> tuple[Finding, ...]:
    """In the domain's order."""
    transcript = evaluation.case.transcript
    worded = ((found, _worded(found, evaluation, rubric)) for found in ranked_findings(evaluation))
    return tuple(replace(_with_known_citations(finding, transcript), ranked=found) for found, finding in worded)


def before_signing(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Of the open ``findings``."""
    chosen = {found.key for found in domain.before_signing([f.ranked for f in findings if f.ranked is not None])}
    return tuple(finding for finding in findings if finding.key in chosen)


def _worded(found: domain.Finding, evaluation: Evaluation, rubric: Rubric) -> Finding:
    match found.source:
        case RiskFinding() as risk:
            return risk_finding(risk, evaluation, rubric)
        case Omission() as omission:
            return omission_finding(omission, rubric, evaluation.case.transcript)
        case ItemVerdict() as item:
            return missing_finding(item, rubric.item(item.item), evaluation)
        case ClaimVerdict() as claim:
            assert found.sentence is not None
            return _claim_finding(found, claim, found.sentence)
        case NeedVerdict() as need:
            assert found.sentence is not None
            return _unneeded(found, need, found.sentence, sentence_heading(evaluation.case.note, found.sentence))


def _claim_finding(found: domain.Finding, claim: ClaimVerdict, sentence: Sentence) -> Finding:
    return Finding(
        key=found.key,
        kind=found.kind,
        severity=found.severity,
        what=_what_claim(claim),
        why=_why_claim(claim),
        confidence=claim.confidence,
        number=words.probability_of_claim(claim),
        span=sentence.span,
        section=sentence.section,
        citations=claim.citations if found.pressing else bearing(claim, sentence.text),
        opinions=claim.opinions,
    )


def _unneeded(found: domain.Finding, need: NeedVerdict, sentence: Sentence, heading: str) -> Finding:
    return Finding(
        key=found.key,
        kind=found.kind,
        severity=Severity.LOW,
        what="This sentence may not be needed.",
        why=noted(need.opinions) or need.rationale or f"It matches no checklist item under {heading}.",
        confidence=need.confidence,
        number=words.probability_of_need(need),
        span=sentence.span,
        section=sentence.section,
        opinions=need.opinions,
    )


def _what_claim(claim: ClaimVerdict) -> str:
    if claim.verdict is Verdict.CONTRADICTED and differ(claim.opinions):
        return "The session may say otherwise."
    if claim.verdict is Verdict.CONTRADICTED:
        return claim.rationale or "The session says otherwise."
    if claim.verdict is Verdict.UNSUPPORTED and differ(claim.opinions):
        return "The session may not say this."
    if claim.verdict is Verdict.UNSUPPORTED:
        return "The session does not say this."
    return "Only someone in the room can know this."


def _why_claim(claim: ClaimVerdict) -> str:
    if differ(claim.opinions):
        return DIFFER
    if claim.verdict is Verdict.CONTRADICTED:
        return "The note and the session differ here."
    if claim.verdict is Verdict.UNSUPPORTED:
        return claim.rationale or "No supporting passage was found in the session."
    return claim.rationale or "A transcript cannot show it. Confirm it if you saw it yourself."


def missing_finding(verdict: ItemVerdict, item: RubricItem, evaluation: Evaluation) -> Finding:
    transcript, state = evaluation.case.transcript, item_state(verdict, evaluation)
    turns = [transcript.turns[turn] for turn in verdict.suggested_turns if 0 <= turn < len(transcript.turns)]
    return Finding(
        key=item_subject(item.id),
        kind=FindingKind.MISSING,
        severity=Severity.HIGH if item.importance is Importance.MANDATORY else Severity.LOW,
        what=words.missing(item, [turn.index for turn in turns], state is ItemState.NOT_RECOGNISED),
        why=verdict.rationale or item.description,
        confidence=verdict.confidence,
        number=words.probability_of_item(verdict),
        section=item.section,
        unrecognised=state is ItemState.NOT_RECOGNISED,
        citations=tuple(cite(turn) for turn in turns if turn.text),
        item=item,
    )


def omission_finding(omission: Omission, rubric: Rubric, transcript: Transcript) -> Finding:
    item = next((item for item in rubric.items if item.id == omission.item), None)
    name = OMISSION_NAMES[omission.kind]
    stands = omission.citation.stands_in(transcript)
    return Finding(
        key=omission_subject(omission),
        kind=FindingKind.OMISSION,
        severity=omission.severity,
        what=f"{name}: {words.turns_not_in_the_note([citation.turn for citation in omission.citations])}",
        why=omission.rationale or "It came up in the session; the note does not mention it.",
        section=item.section if item else None,
        citations=omission.citations,
        item=item,
        draft=draft_of(omission, transcript) if stands else "",
        opinions=omission.opinions,
    )


def _with_known_citations(finding: Finding, transcript: Transcript) -> Finding:
    """A citation whose quote is not what the turn says is not shown."""
    kept = tuple(citation for citation in finding.citations if citation.stands_in(transcript))
    if kept == finding.citations:
        return finding
    return replace(finding, citations=kept)


def risk_finding(risk: RiskFinding, evaluation: Evaluation, rubric: Rubric) -> Finding:
    """An addressed risk stands where the note addresses it; a draft would go under Assessment."""
    kind, stance = RISK_NAMES[risk.kind], STANCE_NAMES[risk.stance]
    if risk.by_meaning:
        kind = f"{'Likely' if risk.likely else 'Possible'} mention of {kind[:1].lower()}{kind[1:]}"
    turns = turn_list(risk.turns)
    answers = risk.addressed_by or ()
    answering = [judged.sentence for judged in evaluation.sentences if judged.sentence.id in answers]
    verb = "is" if len(risk.turns) == 1 else "are"
    said = f"{verb} in the note" if answering else f"{verb} not found in the note"
    if risk.addressed_by is None:
        said = f"{verb} about risk; the note could not be checked"
    why = ["Flagged by similarity only; read the quote."] if risk.by_meaning else []
    doubted = [judged.sentence for judged in evaluation.sentences if judged.sentence.id in risk.doubted]
    if doubted and not answering:
        why.append(f"“{shortened(doubted[0].text, 140)}” mentions it, but is itself in doubt.")
    if answering:
        why.append(f"Addressed by: “{shortened(answering[0].text, 140)}”")
    if differ(risk.opinions):
        why.insert(0, DIFFER)
    return Finding(
        key=risk_subject(risk),
        kind=FindingKind.OMISSION,
        severity=Severity.NONE if answering else risk.severity,
        what=f"{kind} ({stance}): {turns[:1].lower()}{turns[1:]} {said}.",
        why=" ".join(why),
        span=answering[0].span if answering else None,
        section=Section.ASSESSMENT,
        citations=_quotes(risk, evaluation.case.transcript),
        item=next((item for item in rubric.items if item.id == SAFETY_ITEM), None),
        draft=_draft(risk, RISK_NAMES[risk.kind], stance),
        opinions=risk.opinions,
    )


def _quotes(risk: RiskFinding, transcript: Transcript) -> tuple[Citation, ...]:
    """The question before its answer, as they were said."""
    return tuple(
        risk.citation if turn == risk.citation.turn else cite(transcript.turns[turn])
        for turn in risk.quoted
        if turn < len(transcript.turns)
    )


def _draft(risk: RiskFinding, kind: str, stance: str) -> str:
    quote, turn = shortened(risk.citation.quote, 200), turn_number(risk.citation.turn)
    return f"Risk ({kind.lower()}, {stance}): “{quote}” (turn {turn}) [finish this sentence]"

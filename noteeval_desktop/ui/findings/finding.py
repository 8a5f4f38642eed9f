"""The findings in the window's words: each with what it rests on; which there are and their order is the domain's."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain import findings as domain
from noteeval_desktop.domain.bearing import bearing
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.decisions import item_subject, omission_subject, risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.finding_words import session_has
from noteeval_desktop.domain.findings import FindingKind, ItemState, item_state, ranked_findings
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import BY_SUPERVISOR, SAFETY_ITEM, RiskFinding
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
from noteeval_desktop.report.own_headings import sentence_heading
from noteeval_desktop.report.words import OMISSION_NAMES, STANCE_NAMES
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.excerpts import at_the_danger, excerpt
from noteeval_desktop.ui.findings.omission_draft import draft_of
from noteeval_desktop.ui.findings.second_look import by_model_alone
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_number

_MOST_QUOTED = 4


@dataclass(frozen=True, slots=True)
class Finding:
    """``key`` stays the same from check to check while the sentence or the item does.

    ``what`` says it in a sentence, ``why`` gives the reason, ``number`` the probability (for a tooltip).
    ``span`` is where it stands in the note, None where the note has nothing; ``section`` is where a draft
    sentence would go, ``draft`` what it would say where that is not the first quote. ``ranked`` is what it words;
    ``unrecognised``: a checklist item on which the judge has too little to go on to call it missing.
    ``near`` is the sentence of the note that may be meant for a risk, to be confirmed with a click.
    ``marks``: what of ``span`` is underlined, where it is not all of it.
    ``opinions`` are of two judges, where both were asked; ``by`` says who marked it, where that was a person.
    """

    key: str
    kind: FindingKind
    severity: Severity
    what: str
    why: str
    confidence: Confidence | None = None
    number: str = ""
    span: Span | None = None
    marks: tuple[Span, ...] = ()
    section: Section | None = None
    citations: tuple[Citation, ...] = ()
    item: RubricItem | None = None
    draft: str = ""
    ranked: domain.Finding | None = None
    unrecognised: bool = False
    opinions: tuple[Opinion, ...] = ()
    by: str = ""
    near: str = ""

    @property
    def kind_name(self) -> str:
        if self.ranked is not None and isinstance(self.ranked.source, ClaimVerdict) and self.ranked.source.judged:
            return words.JUDGED_OTHERWISE
        return words.NOT_RECOGNISED if self.unrecognised else words.KIND_NAMES[self.kind]

    @property
    def can_draft(self) -> bool:
        what_lacks = self.kind in (FindingKind.MISSING, FindingKind.OMISSION) and self.span is None
        return what_lacks and bool(self.citations) and not self.answered

    @property
    def is_risk(self) -> bool:
        """From the ledger, or from a judge's omissions."""
        return self.key.startswith(("risk:", f"omission:{OmissionKind.RISK}:"))

    @property
    def answered(self) -> bool:
        """A risk that the note addresses, by a supervisor's word perhaps and by no one sentence."""
        return self.is_risk and self.severity is Severity.NONE

    @property
    def can_link(self) -> bool:
        """A risk that the note was not found to address: the clinician may know the sentence that does."""
        return self.is_risk and self.span is None and not self.answered

    @property
    def can_attest(self) -> bool:
        return self.kind is FindingKind.OBSERVED


def findings_of(
    evaluation: Evaluation, rubric: Rubric, reasons: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """In the domain's order; ``reasons`` as there."""
    transcript = evaluation.case.transcript
    worded = ((found, _worded(found, evaluation, rubric)) for found in ranked_findings(evaluation, reasons))
    known = ((found, _with_known_citations(finding, transcript)) for found, finding in worded)
    return tuple(replace(finding, ranked=found, draft=_drafted(finding, transcript)) for found, finding in known)


def _drafted(finding: Finding, transcript: Transcript) -> str:
    if finding.draft or not finding.can_draft:
        return finding.draft
    quote = finding.citations[0]
    said = excerpt(quote, transcript.turns[quote.turn])
    return words.draft_sentence(finding.item.name if finding.item else "", said, turn_number(quote.turn))


def in_one_entry(findings: Sequence[Finding], evaluation: Evaluation, rubric: Rubric) -> tuple[Finding, ...]:
    """``findings`` as the domain's in_one_entry joins them."""
    known = {finding.key: finding for finding in findings}
    ranked = domain.in_one_entry(finding.ranked for finding in findings if finding.ranked is not None)
    return tuple(
        replace(risk_finding(one.risks, evaluation, rubric), ranked=one) if one.also else known[one.key]
        for one in ranked
    )


def keys_of_entry(key: str, findings: Sequence[Finding], decided: Container[str]) -> tuple[str, ...]:
    """Of all that stands in the entry which is shown under ``key``."""
    alike = (one.ranked for one in findings if one.ranked and (one.key in decided) is (key in decided))
    return next((entry.keys for entry in domain.in_one_entry(alike) if entry.key == key), (key,))


def before_signing(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Of the open ``findings``."""
    chosen = {found.key for found in domain.before_signing([f.ranked for f in findings if f.ranked is not None])}
    return tuple(finding for finding in findings if finding.key in chosen)


def _worded(found: domain.Finding, evaluation: Evaluation, rubric: Rubric) -> Finding:
    match found.source:
        case RiskFinding() as risk:
            return risk_finding((risk,), evaluation, rubric)
        case Omission() as omission:
            return omission_finding(omission, rubric, evaluation.case)
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
        why=_why_claim(claim, sentence.text),
        confidence=claim.confidence,
        number=words.probability_of_claim(claim),
        span=sentence.span,
        marks=tuple(
            Span(sentence.span.start + words.start, sentence.span.start + words.end)
            for words in (*(one.span for one in claim.wrong), *((claim.seen,) if claim.seen else ()))
        ),
        section=sentence.section,
        citations=claim.citations if found.pressing else bearing(claim, sentence.text),
        opinions=claim.opinions,
    )


def _unneeded(found: domain.Finding, need: NeedVerdict, sentence: Sentence, heading: str) -> Finding:
    return Finding(
        key=found.key,
        kind=found.kind,
        severity=Severity.LOW,
        what=words.MAY_NOT_BE_NEEDED,
        why=need.rationale or words.matches_no_item(heading),
        confidence=need.confidence,
        number=words.probability_of_need(need),
        span=sentence.span,
        section=sentence.section,
        opinions=need.opinions,
    )


def _what_claim(claim: ClaimVerdict) -> str:
    open_ = differ(claim.opinions) and claim.confidence is Confidence.UNSURE
    if claim.verdict is Verdict.CONTRADICTED and open_:
        return words.MAY_SAY_OTHERWISE
    if claim.verdict is Verdict.CONTRADICTED:
        return claim.rationale or words.SAYS_OTHERWISE
    if claim.verdict is Verdict.UNSUPPORTED and open_:
        return words.MAY_NOT_SAY
    if claim.verdict is Verdict.UNSUPPORTED:
        return words.DOES_NOT_SAY
    assert claim.verdict is not None
    return f"{words.VERDICT_NAMES[claim.verdict]}."


def _why_claim(claim: ClaimVerdict, sentence: str) -> str:
    told = f"{session_has(claim)}." if claim.wrong else ""
    if differ(claim.opinions) and claim.confidence is Confidence.UNSURE:
        return f"{words.DIFFER} {told}".rstrip()
    if claim.verdict is Verdict.CONTRADICTED:
        return told or words.DIFFERENT
    if claim.verdict is Verdict.UNSUPPORTED:
        return " ".join(filter(None, (claim.rationale, told))) or words.NO_PASSAGE
    if claim.seen is not None:
        return words.only_seen(claim.seen.of(sentence))
    return claim.rationale or words.CONFIRM_IF_SEEN


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


def omission_finding(omission: Omission, rubric: Rubric, case: Case) -> Finding:
    transcript = case.transcript
    item = next((item for item in rubric.items if item.id == omission.item), None)
    name = OMISSION_NAMES[omission.kind]
    stands = omission.citation.stands_in(transcript)
    return Finding(
        key=omission_subject(omission),
        kind=FindingKind.OMISSION,
        severity=omission.severity,
        what=f"{name}: {words.turns_not_in_the_note([citation.turn for citation in omission.citations])}",
        why=omission.rationale or words.NOT_MENTIONED,
        section=item.section if item else None,
        citations=omission.citations,
        item=item,
        draft=draft_of(omission, transcript, case.note.text) if stands else "",
        opinions=omission.opinions,
    )


def _with_known_citations(finding: Finding, transcript: Transcript) -> Finding:
    """A citation whose quote is not what the turn says is not shown."""
    kept = tuple(citation for citation in finding.citations if citation.stands_in(transcript))
    if kept == finding.citations:
        return finding
    return replace(finding, citations=kept)


def risk_finding(risks: Sequence[RiskFinding], evaluation: Evaluation, rubric: Rubric) -> Finding:
    """Of mentions with one meaning. It names the turns that say it, not all of the talk around them. An addressed risk
    stands where the note addresses it; a draft would go under Assessment."""
    risk, citations = risks[0], _quotes(risks, evaluation.case.transcript)
    kind, stance = words.RISK_NAMES[risk.kind], STANCE_NAMES[risk.stance]
    if risk.by_meaning:
        kind = words.mention_of(kind, risk.likely)
    answers = risk.addressed_by or ()
    answering = [judged.sentence for judged in evaluation.sentences if judged.sentence.id in answers]
    why = [words.BY_SIMILARITY] if risk.by_meaning else []
    doubted = [judged.sentence for judged in evaluation.sentences if judged.sentence.id in risk.doubted]
    if doubted and not risk.addressed:
        why.append(words.doubted(shortened(doubted[0].text, 140)))
    if answering:
        why.append(words.addressed_by(shortened(answering[0].text, 140)))
    near = next((judged.sentence.text for judged in evaluation.sentences if judged.sentence.id in risk.near), "")
    near = "" if risk.addressed else near
    if near:
        why.append(words.maybe_addressed_by(shortened(near, 140)))
    if BY_SUPERVISOR in answers:
        why.append(words.ADDRESSED_BY_SUPERVISOR)
    if by_model_alone(risk):
        why[:1] = [words.ONLY_THE_MODEL_HEARD]
    return Finding(
        key=risk_subject(risk),
        kind=FindingKind.OMISSION,
        severity=Severity.NONE if risk.addressed else risk.severity,
        what=words.risk_in_turns(
            kind, stance, [c.turn for c in citations], None if risk.addressed_by is None else risk.state
        ),
        why=" ".join(why),
        span=answering[0].span if answering else None,
        section=Section.ASSESSMENT,
        citations=citations,
        item=next((item for item in rubric.items if item.id == SAFETY_ITEM), None),
        draft=_draft(risks, words.RISK_NAMES[risk.kind], stance, evaluation.case.transcript),
        near=near,
        opinions=risk.opinions,
    )


def _quotes(risks: Sequence[RiskFinding], transcript: Transcript) -> tuple[Citation, ...]:
    """The question before its answer, as they were said."""
    said = {turn: cite(transcript.turns[turn]) for one in risks for turn in one.quoted if turn < len(transcript.turns)}
    said |= {one.citation.turn: at_the_danger(one) for one in risks}
    return tuple(said[turn] for turn in sorted(said))


def _draft(risks: Sequence[RiskFinding], kind: str, stance: str, transcript: Transcript) -> str:
    """With the words of each mention, the first ones of many."""
    said = {risk.citation.turn: at_the_danger(risk) for risk in risks if risk.citation.stands_in(transcript)}
    first = sorted(said)[:_MOST_QUOTED]
    quotes = [(excerpt(said[turn], transcript.turns[turn]), turn_number(turn)) for turn in first]
    return words.risk_draft(kind, stance, quotes)

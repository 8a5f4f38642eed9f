"""Findings: what there is to mend, attest or leave, each with what it rests on; built from an Evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from noteeval_desktop.domain.decisions import item_subject, omission_subject, sentence_subject
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.note import Section
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
    Severity,
    Verdict,
)
from noteeval_desktop.report.content import FindingKind
from noteeval_desktop.report.names import OMISSION_NAMES, SECTION_NAMES
from noteeval_desktop.ui import wording
from noteeval_desktop.ui.findings.omission_draft import draft_of

_VERDICT_KINDS = {
    Verdict.CONTRADICTED: FindingKind.CONTRADICTED,
    Verdict.UNSUPPORTED: FindingKind.UNSUPPORTED,
    Verdict.OBSERVED: FindingKind.OBSERVED,
}
KIND_NAMES = {
    FindingKind.CONTRADICTED: "The session says otherwise",
    FindingKind.UNSUPPORTED: "Not found in the session",
    FindingKind.MISSING: "Missing from the note",
    FindingKind.OMISSION: "Left out",
    FindingKind.UNNEEDED: "Not needed",
    FindingKind.OBSERVED: "Only you can know",
}
_RANK = {Severity.HIGH: 0, Severity.MEDIUM: 1, Severity.LOW: 2, Severity.NONE: 3}
_KIND_RANK = {kind: rank for rank, kind in enumerate(FindingKind)}


@dataclass(frozen=True, slots=True)
class Finding:
    """``key`` stays the same from check to check while the sentence or the item does.

    ``what`` says it in a sentence, ``why`` gives the reason, ``number`` the probability (for a tooltip).
    ``span`` is where it stands in the note, None where the note has nothing; ``section`` is where a draft
    sentence would go, ``draft`` what it would say where that is not the first quote.
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
    """In the order in which they are best mended: by severity, then by kind, then as they stand in the note."""
    transcript = evaluation.case.transcript
    found = [
        *(finding for judged in evaluation.sentences for finding in sentence_findings(judged)),
        *_missing(evaluation, rubric),
        *(omission_finding(omission, rubric, transcript) for omission in evaluation.omissions or ()),
    ]
    known = [_with_known_citations(finding, transcript) for finding in found]
    unique = {finding.key: finding for finding in reversed(known)}
    return tuple(sorted(unique.values(), key=_order))


def _order(finding: Finding) -> tuple[int, int, int, str]:
    last = 1 if finding.kind in (FindingKind.OBSERVED, FindingKind.UNNEEDED) else 0
    where = finding.span.start if finding.span else -1
    return (last * 10 + _RANK[finding.severity], _KIND_RANK[finding.kind], where, finding.key)


def sentence_findings(judged: JudgedSentence) -> Iterator[Finding]:
    claim, need, text = judged.claim, judged.need, judged.sentence.text
    if claim is not None and claim.verdict in _VERDICT_KINDS:
        kind = _VERDICT_KINDS[claim.verdict]
        yield Finding(
            key=sentence_subject(kind, text),
            kind=kind,
            severity=claim.severity,
            what=_what_claim(claim),
            why=_why_claim(claim),
            confidence=claim.confidence,
            number=wording.probability_of_claim(claim),
            span=judged.sentence.span,
            section=judged.sentence.section,
            citations=claim.citations,
        )
    if need is not None and need.needed is False:
        yield _unneeded(judged, need)


def _unneeded(judged: JudgedSentence, need: NeedVerdict) -> Finding:
    section = SECTION_NAMES[judged.sentence.section]
    return Finding(
        key=sentence_subject(FindingKind.UNNEEDED, judged.sentence.text),
        kind=FindingKind.UNNEEDED,
        severity=Severity.LOW,
        what="This sentence may not be needed.",
        why=need.rationale or f"It matches no checklist item under {section}.",
        confidence=need.confidence,
        number=wording.probability_of_need(need),
        span=judged.sentence.span,
        section=judged.sentence.section,
    )


def _what_claim(claim: ClaimVerdict) -> str:
    if claim.verdict is Verdict.CONTRADICTED:
        return claim.rationale or "The session says otherwise."
    if claim.verdict is Verdict.UNSUPPORTED:
        return "The session does not say this."
    return "Only someone in the room can know this."


def _why_claim(claim: ClaimVerdict) -> str:
    if claim.verdict is Verdict.CONTRADICTED:
        return "The note and the session differ here."
    if claim.verdict is Verdict.UNSUPPORTED:
        return claim.rationale or "No supporting passage was found in the session."
    return claim.rationale or "A transcript cannot show it. Confirm it if you saw it yourself."


def _missing(evaluation: Evaluation, rubric: Rubric) -> Iterator[Finding]:
    for verdict in evaluation.checklist:
        worth_it = verdict.importance is Importance.MANDATORY or verdict.suggested_turns
        if verdict.present is False and worth_it:
            yield missing_finding(verdict, rubric.item(verdict.item), evaluation.case.transcript)


def missing_finding(verdict: ItemVerdict, item: RubricItem, transcript: Transcript) -> Finding:
    turns = [transcript.turns[turn] for turn in verdict.suggested_turns if 0 <= turn < len(transcript.turns)]
    return Finding(
        key=item_subject(item.id),
        kind=FindingKind.MISSING,
        severity=Severity.HIGH if item.importance is Importance.MANDATORY else Severity.LOW,
        what=wording.missing(item, [turn.index for turn in turns], verdict.confidence is Confidence.UNSURE),
        why=verdict.rationale or item.description,
        confidence=verdict.confidence,
        number=wording.probability_of_item(verdict),
        section=item.section,
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
        what=f"{name}: {wording.turns_not_in_the_note([citation.turn for citation in omission.citations])}",
        why=omission.rationale or "It came up in the session; the note does not mention it.",
        section=item.section if item else None,
        citations=omission.citations,
        item=item,
        draft=draft_of(omission, transcript) if stands else "",
    )


def _with_known_citations(finding: Finding, transcript: Transcript) -> Finding:
    """A citation whose quote is not what the turn says is not shown."""
    kept = tuple(citation for citation in finding.citations if citation.stands_in(transcript))
    if kept == finding.citations:
        return finding
    return replace(finding, citations=kept)

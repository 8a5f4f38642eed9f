"""What a scorecard says, apart from how it is laid out: pure values that the PDF and the app's tab both show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from noteeval_desktop.domain.decisions import (
    SESSION_SUBJECT,
    Decision,
    DecisionKind,
    item_subject,
    omission_subject,
    sentence_subject,
    with_attested,
)
from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation, JudgedSentence
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.domain.transcript import Citation, Transcript, turn_list
from noteeval_desktop.domain.verdicts import Confidence, ItemVerdict, Omission, Severity, Verdict
from noteeval_desktop.report.dangers import Danger, dangers, in_the_ledger, risk_line
from noteeval_desktop.report.names import GENERAL, OMISSION_NAMES, SECTION_NAMES
from noteeval_desktop.report.problems import unjudged

MOST_SUGGESTED_TURNS = 4
NOT_JUDGED = "not judged"


class FindingKind(StrEnum):
    """In the order in which findings are to be mended."""

    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    MISSING = "missing"
    OMISSION = "omission"
    UNNEEDED = "unneeded"
    OBSERVED = "observed"


HEADINGS = {
    FindingKind.CONTRADICTED: "The session says otherwise",
    FindingKind.UNSUPPORTED: "Not found in the session",
    FindingKind.MISSING: "Mandatory items that the note does not cover",
    FindingKind.OMISSION: "In the session, not in the note",
    FindingKind.UNNEEDED: "Sentences that serve no rubric item",
    FindingKind.OBSERVED: "For the clinician to attest",
}
GLYPHS = {
    FindingKind.CONTRADICTED: "✗",
    FindingKind.UNSUPPORTED: "?",
    FindingKind.MISSING: "○",
    FindingKind.OMISSION: "+",
    FindingKind.UNNEEDED: "–",
    FindingKind.OBSERVED: "◉",
}
_DEFAULT_REASONS = {
    FindingKind.CONTRADICTED: "A passage of the session says something else.",
    FindingKind.UNSUPPORTED: "No passage of the session says this.",
    FindingKind.UNNEEDED: "It serves no item of its section's rubric.",
    FindingKind.OBSERVED: "Only someone in the room can know this; a transcript cannot show it.",
}
_SEVERITY_ORDER = {Severity.HIGH: 0, Severity.MEDIUM: 1, Severity.LOW: 2, Severity.NONE: 3}


@dataclass(frozen=True, slots=True)
class Passage:
    """A quoted passage of a turn, with what a reader needs to find it; ``turn`` is its index."""

    turn: int
    speaker: str
    time: str | None
    quote: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A score as a sentence: ``figure`` ("17 of 23"), what it counts, and a share (0..1) per section."""

    name: str
    figure: str
    counted: str
    detail: str
    share: float | None
    sections: tuple[tuple[str, float | None], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend or attest.

    ``number`` is its place in the scorecard; ``text`` is the sentence, the item's name or what was left
    out; ``sentence`` is the id of the sentence that it stands on, if any; ``subject`` is what a Decision
    calls it, and ``decision`` the one that was made.
    """

    number: int
    kind: FindingKind
    section: str
    text: str
    reason: str
    sentence: str | None = None
    severity: Severity = Severity.NONE
    confidence: Confidence | None = None
    passages: tuple[Passage, ...] = ()
    subject: str = ""
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class ChecklistRow:
    """``sign`` is ✓, ✗ or, where it was not judged or the judge is unsure, ?."""

    name: str
    description: str
    mandatory: bool
    sign: str
    state: str


@dataclass(frozen=True, slots=True)
class Scorecard:
    """``risk`` is the line to be shown first, ``dangers`` the ledger; ``findings`` are open, ``decided`` attested or
    set aside. ``incomplete`` says what was not
    judged. ``session_kept``: the clinician was asked whether the session is the note's, and says so."""

    dangers: tuple[Danger, ...]
    statements: tuple[Statement, ...]
    findings: tuple[Finding, ...]
    decided: tuple[Finding, ...]
    checklist: tuple[tuple[str, tuple[ChecklistRow, ...]], ...]
    risk: str
    incomplete: str
    session_kept: Decision | None = None

    def of(self, kind: FindingKind) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.kind is kind)

    def on(self, sentence_id: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.sentence == sentence_id)


def scorecard(evaluation: Evaluation, rubric: Rubric, decisions: Sequence[Decision] = ()) -> Scorecard:
    """All that the scorecard of ``evaluation`` says; item names come from ``rubric``."""
    evaluation = with_attested(evaluation, decisions)
    scores = evaluation.scores
    made = {decision.subject: decision for decision in decisions}
    found = [
        replace(finding, decision=made.get(finding.subject))
        for finding in sorted(_findings(evaluation, rubric), key=_order)
    ]
    found = list(_numbered(sorted(found, key=lambda finding: finding.decision is not None)))
    ledger = dangers(evaluation, made)
    return Scorecard(
        dangers=ledger,
        statements=(
            _statement("Completeness", scores.completeness, "rubric items covered", _missing_detail(evaluation)),
            _statement("Conciseness", scores.conciseness, "sentences serve the rubric", ""),
            _statement("Faithfulness", scores.faithfulness, "claims supported", _faith_detail(evaluation, found)),
        ),
        findings=tuple(finding for finding in found if finding.decision is None),
        decided=tuple(finding for finding in found if finding.decision is not None),
        checklist=_checklist(evaluation, rubric),
        risk=risk_line(evaluation, ledger, made),
        incomplete=unjudged(evaluation),
        session_kept=made.get(SESSION_SUBJECT),
    )


def how_sure(confidence: Confidence | None) -> str:
    return "" if confidence is None else confidence.value


def _order(finding: Finding) -> tuple[int, int]:
    return list(FindingKind).index(finding.kind), _SEVERITY_ORDER[finding.severity]


def _numbered(findings: list[Finding]) -> Iterator[Finding]:
    for number, finding in enumerate(findings, start=1):
        yield replace(finding, number=number)


def _statement(name: str, score: DimensionScore, counted: str, detail: str) -> Statement:
    unjudged = f"{score.unjudged} {NOT_JUDGED}" if score.unjudged and score.total else ""
    return Statement(
        name=name,
        figure=f"{score.done} of {score.total}" if score.total else NOT_JUDGED,
        counted=counted,
        detail=" · ".join(part for part in (detail, unjudged) if part),
        share=score.note,
        sections=tuple((SECTION_NAMES[section], share) for section, share in score.sections),
    )


def _missing_detail(evaluation: Evaluation) -> str:
    if not evaluation.scores.completeness.total:
        return ""
    missing = [i for i in evaluation.checklist if i.present is False and i.importance is Importance.MANDATORY]
    counted = sum(item.section is not None for item in missing)
    said = f"{counted} mandatory missing" if counted else "no mandatory item missing"
    # The list of what to mend has these too: without a word on them the numbers would not add up.
    beside = len(missing) - counted
    return f"{said} · {beside} more outside the score" if beside else said


def _faith_detail(evaluation: Evaluation, found: Sequence[Finding]) -> str:
    faithfulness = evaluation.scores.faithfulness
    if not faithfulness.total and not faithfulness.observed:
        return ""
    attested = sum(f.decision is not None and f.decision.kind is DecisionKind.ATTEST for f in found)
    return (
        f"{faithfulness.contradicted} contradicted · {faithfulness.unsupported} unsupported · "
        f"{faithfulness.observed} to attest" + (f" · {attested} attested" if attested else "")
    )


def _findings(evaluation: Evaluation, rubric: Rubric) -> Iterator[Finding]:
    transcript = evaluation.case.transcript
    for judged in evaluation.sentences:
        yield from _of_sentence(judged, transcript)
    for item in evaluation.checklist:
        if item.present is False and item.importance is Importance.MANDATORY:
            yield _missing(item, rubric, transcript)
    for omission in evaluation.omissions or ():
        if not in_the_ledger(omission, evaluation):
            yield _left_out(omission, transcript)


def _of_sentence(judged: JudgedSentence, transcript: Transcript) -> Iterator[Finding]:
    sentence, claim, need = judged.sentence, judged.claim, judged.need
    section = SECTION_NAMES[sentence.section]
    if claim is not None and claim.verdict is not None and claim.verdict is not Verdict.SUPPORTED:
        kind = FindingKind(claim.verdict.value)
        yield Finding(
            number=0,
            kind=kind,
            section=section,
            text=sentence.text,
            reason=claim.rationale or _DEFAULT_REASONS[kind],
            sentence=sentence.id,
            severity=claim.severity,
            confidence=claim.confidence,
            passages=tuple(passage(citation, transcript) for citation in claim.citations),
            subject=sentence_subject(kind, sentence.text),
        )
    if need is not None and need.needed is False:
        yield Finding(
            number=0,
            kind=FindingKind.UNNEEDED,
            section=section,
            text=sentence.text,
            reason=need.rationale or _DEFAULT_REASONS[FindingKind.UNNEEDED],
            sentence=sentence.id,
            confidence=need.confidence,
            subject=sentence_subject(FindingKind.UNNEEDED, sentence.text),
        )


def _missing(item: ItemVerdict, rubric: Rubric, transcript: Transcript) -> Finding:
    known = rubric.item(item.item)
    turns = item.suggested_turns[:MOST_SUGGESTED_TURNS]
    hint = turn_list(turns)[:1].upper() + turn_list(turns)[1:] + " may help." if turns else ""
    return Finding(
        number=0,
        kind=FindingKind.MISSING,
        section=SECTION_NAMES[item.section] if item.section else GENERAL,
        text=known.name,
        reason=item.rationale or f"{known.description} {hint}".strip(),
        confidence=item.confidence,
        passages=tuple(_whole_turn(turn, transcript) for turn in turns if turn < len(transcript.turns)),
        subject=item_subject(item.item),
    )


def _left_out(omission: Omission, transcript: Transcript) -> Finding:
    return Finding(
        number=0,
        kind=FindingKind.OMISSION,
        section=OMISSION_NAMES[omission.kind],
        text=omission.citation.quote,
        reason=omission.rationale,
        severity=omission.severity,
        passages=tuple(passage(citation, transcript) for citation in omission.citations),
        subject=omission_subject(omission),
    )


def passage(citation: Citation, transcript: Transcript) -> Passage:
    turn = transcript.turns[citation.turn]
    return Passage(turn.index, turn.speaker, turn.time, citation.quote)


def _whole_turn(index: int, transcript: Transcript) -> Passage:
    turn = transcript.turns[index]
    return Passage(turn.index, turn.speaker, turn.time, turn.text)


def _checklist(evaluation: Evaluation, rubric: Rubric) -> tuple[tuple[str, tuple[ChecklistRow, ...]], ...]:
    verdicts = {item.item: item for item in evaluation.checklist}
    groups = [(SECTION_NAMES[section], rubric.items_of(section)) for section in SOAP]
    groups.append((GENERAL, rubric.general_items))
    rows = []
    for title, items in groups:
        ordered = sorted(items, key=lambda item: item.importance is not Importance.MANDATORY)
        rows.append(
            (
                title,
                tuple(
                    ChecklistRow(
                        item.name,
                        item.description,
                        item.importance is Importance.MANDATORY,
                        *_state(verdicts.get(item.id)),
                    )
                    for item in ordered
                ),
            )
        )
    return tuple(rows)


def _state(verdict: ItemVerdict | None) -> tuple[str, str]:
    if verdict is None or verdict.present is None:
        return "·", NOT_JUDGED
    state = "present" if verdict.present else "missing"
    if verdict.confidence is Confidence.UNSURE:
        return "?", f"{state}, unsure"
    return ("✓" if verdict.present else "✗"), state

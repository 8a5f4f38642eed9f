"""What a scorecard says, apart from how it is laid out: pure values that the PDF and the app's tab both show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from noteeval_desktop.domain.bearing import bearing
from noteeval_desktop.domain.decisions import (
    SESSION_SUBJECT,
    Decision,
    DecisionKind,
    linked_to,
    with_answered,
    with_attested,
)
from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation
from noteeval_desktop.domain.finding_words import JUDGED_OTHERWISE, KINDS, unvouched
from noteeval_desktop.domain.findings import Finding as Ranked
from noteeval_desktop.domain.findings import (
    FindingKind,
    ItemState,
    before_signing,
    item_state,
    open_findings,
    ranked_findings,
)
from noteeval_desktop.domain.phrases import sentence
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.domain.silencing import silenced_keys
from noteeval_desktop.domain.transcript import Citation, Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, ItemVerdict, NeedVerdict, Omission, Severity
from noteeval_desktop.report import words
from noteeval_desktop.report.dangers import Danger, dangers, risk_line
from noteeval_desktop.report.own_headings import (
    Shares,
    by_heading,
    completeness_shares,
    conciseness_shares,
    faithfulness_shares,
    item_heading,
    sentence_heading,
)
from noteeval_desktop.report.problems import unjudged

MOST_SUGGESTED_TURNS = 4


@dataclass(frozen=True, slots=True)
class Passage:
    """A quoted passage of a turn, with what a reader needs to find it; ``turn`` is its index."""

    turn: int
    speaker: str
    time: str | None
    quote: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A score as a sentence: ``figure`` ("17 of 23"), what it counts, and a share (0..1) per section; ``trust``: how
    sure the judge is of what was counted."""

    name: str
    figure: str
    counted: str
    detail: str
    share: float | None
    sections: tuple[tuple[str, float | None], ...]
    trust: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend or attest.

    ``number`` is its place: the ``first``, to look at before signing, then the others, in the one order; ``text`` is
    the sentence, the item's name or what was left out; ``sentence`` is the id of the sentence that it stands on, if
    any; ``subject`` is what a Decision calls it, and ``decision`` the one that was made; ``pressing``: on risk, and
    warned of; ``about_risk``: a mention of it, warned of or not. ``said``: what its kind is called here;
    ``unrecognised``: an item on which the judge has too little to go on to call it missing.
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
    first: bool = False
    pressing: bool = False
    said: str = ""
    about_risk: bool = False
    unrecognised: bool = False


@dataclass(frozen=True, slots=True)
class ChecklistRow:
    """``sign`` is ✓, ✗, ? where it was not recognised, or ·; ``state`` says the same in words."""

    name: str
    description: str
    mandatory: bool
    sign: str
    state: str


@dataclass(frozen=True, slots=True)
class Scorecard:
    """``risk`` is the line to be shown first, ``dangers`` the ledger; ``findings`` are open, ``decided`` attested or
    set aside. ``incomplete`` says what was not
    judged. ``session_kept``: the clinician was asked whether the session is the note's, and says so. ``silenced``: how
    many findings the clinician asked not to have flagged. ``unvouched``: the statements on risk that passed, in a line;
    empty where there are none."""

    dangers: tuple[Danger, ...]
    statements: tuple[Statement, ...]
    findings: tuple[Finding, ...]
    decided: tuple[Finding, ...]
    checklist: tuple[tuple[str, tuple[ChecklistRow, ...]], ...]
    risk: str
    incomplete: str
    session_kept: Decision | None = None
    silenced: int = 0
    unvouched: str = ""

    @property
    def alarm(self) -> bool:
        """Is a risk left out, or a statement on risk called wrong, and nobody has decided on it?"""
        return any(danger.open for danger in self.dangers) or any(finding.pressing for finding in self.findings)

    @property
    def before_signing(self) -> tuple[Finding, ...]:
        """At most ten, in their order."""
        return tuple(finding for finding in self.findings if finding.first)

    def of(self, kind: FindingKind) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.kind is kind)

    def on(self, sentence_id: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.sentence == sentence_id)


def scorecard(evaluation: Evaluation, rubric: Rubric, decisions: Sequence[Decision] = ()) -> Scorecard:
    """All that the scorecard of ``evaluation`` says; item names come from ``rubric``."""
    made = {decision.subject: decision for decision in decisions}
    evaluation = with_answered(with_attested(evaluation, decisions), made)
    scores = evaluation.scores
    reasons = {subject: decision.reason for subject, decision in made.items()}
    ranked = ranked_findings(evaluation, reasons)
    silenced = silenced_keys(ranked, reasons)
    left = open_findings(ranked, evaluation, made.keys() | silenced)
    first = before_signing(left)
    # The first page counts from 1 to 10 without a gap.
    in_order = [*first, *(one for one in left if one not in first), *(one for one in ranked if one.key in made)]
    found = [
        replace(
            _finding(finding, evaluation, rubric),
            number=number,
            decision=made.get(finding.key),
            first=finding in first,
            pressing=finding.pressing,
        )
        for number, finding in enumerate(in_order, start=1)
    ]
    ledger = dangers(evaluation, made)
    linked = any(map(linked_to, reasons.values())) and not any(danger.open for danger in ledger)
    return Scorecard(
        dangers=ledger,
        statements=(
            _statement(
                words.COMPLETENESS,
                scores.completeness,
                words.ITEMS_COVERED,
                _missing_detail(evaluation, linked),
                completeness_shares(evaluation),
                (item.confidence for item in evaluation.checklist if item.section is not None),
            ),
            _statement(
                words.CONCISENESS,
                scores.conciseness,
                words.SENTENCES_NEEDED,
                "",
                conciseness_shares(evaluation),
                (judged.need.confidence for judged in evaluation.sentences if judged.need),
            ),
            _statement(
                words.FAITHFULNESS,
                scores.faithfulness,
                words.CLAIMS_SUPPORTED,
                _faith_detail(evaluation, found),
                faithfulness_shares(evaluation),
                (judged.claim.confidence for judged in evaluation.sentences if judged.claim),
            ),
        ),
        findings=tuple(finding for finding in found if finding.decision is None),
        decided=tuple(finding for finding in found if finding.decision is not None),
        checklist=_checklist(evaluation, rubric, linked),
        risk=risk_line(
            evaluation,
            ledger,
            sum(one.pressing and one.sentence is not None for one in left),
            sum(one.pressing and isinstance(one.source, Omission) for one in left),
        ),
        incomplete=unjudged(evaluation),
        session_kept=made.get(SESSION_SUBJECT),
        silenced=len(silenced - made.keys()),
        unvouched=_unvouched(evaluation),
    )


def _unvouched(evaluation: Evaluation) -> str:
    passed = [f"“{judged.sentence.text}”" for judged in evaluation.sentences if unvouched(judged.claim)]
    return words.unvouched(passed) if passed else ""


def how_sure(confidence: Confidence | None) -> str:
    return "" if confidence is None else words.CONFIDENCE_NAMES[confidence]


def _trust(confidences: Iterable[Confidence | None]) -> str:
    """ "Confidence: 12 high, 5 medium, 6 low"."""
    counts = Counter(confidence for confidence in confidences if confidence is not None)
    said = ", ".join(f"{counts[one]} {name}" for one, name in words.CONFIDENCE_NAMES.items() if counts[one])
    return words.confidence(said) if said else ""


def _statement(
    name: str,
    score: DimensionScore,
    counted: str,
    detail: str,
    shares: Shares,
    confidences: Iterable[Confidence | None],
) -> Statement:
    unjudged = words.not_judged(score.unjudged) if score.unjudged and score.total else ""
    return Statement(
        name=name,
        figure=words.figure(score) if score.total else words.NOT_JUDGED,
        counted=counted,
        detail=" · ".join(part for part in (detail, unjudged) if part),
        share=score.note,
        sections=shares,
        trust=_trust(confidences),
    )


def _missing_detail(evaluation: Evaluation, linked: bool) -> str:
    """``linked``: the clinician says which sentence of the note addresses a risk, and none is open."""
    if not evaluation.scores.completeness.total:
        return ""
    missing = [i for i in evaluation.checklist if i.present is False and i.importance is Importance.MANDATORY]
    counted = sum(item.section is not None for item in missing)
    said = words.mandatory_missing(counted) if counted else words.ALL_MANDATORY
    missing = [i for i in missing if not (linked and i.item == SAFETY_ITEM)]
    # The list of what to mend has these too: without a word on them the numbers would not add up.
    beside = len(missing) - counted
    return words.outside_score(said, beside) if beside else said


def _faith_detail(evaluation: Evaluation, found: Sequence[Finding]) -> str:
    score = evaluation.scores.faithfulness
    if not score.total and not score.observed:
        return ""
    attested = sum(f.decision is not None and f.decision.kind is DecisionKind.ATTEST for f in found)
    return words.faith_detail(score.barely, score.contradicted, score.unsupported, score.observed, attested)


def _finding(found: Ranked, evaluation: Evaluation, rubric: Rubric) -> Finding:
    transcript = evaluation.case.transcript
    worded = Finding(
        number=0,
        kind=found.kind,
        section=sentence_heading(evaluation.case.note, found.sentence) if found.sentence else words.GENERAL,
        text=found.sentence.text if found.sentence else "",
        reason=getattr(found.source, "rationale", "") or KINDS[found.kind].reason,
        sentence=found.sentence.id if found.sentence else None,
        severity=found.severity,
        confidence=found.confidence,
        subject=found.key,
        said=words.SHORT[found.kind],
    )
    match found.source:
        case ClaimVerdict() as claim:
            borne = claim.citations if found.pressing else bearing(claim, worded.text)
            quoted = [citation for citation in borne if citation.stands_in(transcript)]
            said = JUDGED_OTHERWISE if claim.judged else worded.said
            return replace(worded, said=said, passages=tuple(passage(one, transcript) for one in quoted))
        case ItemVerdict() as item:
            return replace(worded, severity=Severity.NONE, **_missing(item, evaluation, rubric))
        case Omission() as omission:
            return replace(
                worded,
                section=words.OMISSION_NAMES[omission.kind],
                text=omission.citation.quote,
                passages=tuple(passage(citation, transcript) for citation in omission.citations),
            )
        case RiskFinding() as risk:
            quoted_turns = dict.fromkeys(turn for one in found.risks for turn in one.quoted)
            return replace(
                worded,
                about_risk=True,
                section=f"{sentence(risk.wording)}, {words.STANCE_NAMES[risk.stance]}",
                text=risk.citation.quote,
                passages=tuple(_whole_turn(turn, transcript) for turn in quoted_turns if turn < len(transcript.turns)),
            )
        case NeedVerdict():
            return replace(worded, severity=Severity.NONE)


def _missing(item: ItemVerdict, evaluation: Evaluation, rubric: Rubric) -> dict[str, Any]:
    known, transcript = rubric.item(item.item), evaluation.case.transcript
    turns = [turn for turn in item.suggested_turns[:MOST_SUGGESTED_TURNS] if turn < len(transcript.turns)]
    hint = words.turns_help(turns) if turns else ""
    unrecognised = item_state(item, evaluation) is ItemState.NOT_RECOGNISED
    unseen = words.NOT_RECOGNISED if unrecognised else ""
    said = {"said": words.UNRECOGNISED, "unrecognised": True} if unrecognised else {}
    return {
        **said,
        "section": item_heading(evaluation.case.note, item.section, item.item),
        "text": known.name,
        "reason": item.rationale or f"{unseen}{known.description} {hint}".strip(),
        "passages": tuple(_whole_turn(turn, transcript) for turn in turns),
    }


def passage(citation: Citation, transcript: Transcript) -> Passage:
    turn = transcript.turns[citation.turn]
    return Passage(turn.index, turn.speaker, turn.time, citation.quote)


def _whole_turn(index: int, transcript: Transcript) -> Passage:
    turn = transcript.turns[index]
    return Passage(turn.index, turn.speaker, turn.time, turn.text)


def _checklist(
    evaluation: Evaluation, rubric: Rubric, linked: bool
) -> tuple[tuple[str, tuple[ChecklistRow, ...]], ...]:
    """``linked``: as in _missing_detail."""
    verdicts = {item.item: item for item in evaluation.checklist}
    note = evaluation.case.note
    groups = by_heading(note, rubric.items, lambda item: item_heading(note, item.section, item.id))
    rows = []
    for title, items in groups:
        ordered = sorted(items, key=lambda item: item.importance is not Importance.MANDATORY)
        rows.append(
            (
                title,
                tuple(
                    ChecklistRow(
                        item.name,
                        item.explained,
                        item.importance is Importance.MANDATORY,
                        *_state(verdicts.get(item.id), evaluation, linked),
                    )
                    for item in ordered
                ),
            )
        )
    return tuple(rows)


_SIGNS = {ItemState.COVERED: "✓", ItemState.MISSING: "✗", ItemState.NOT_RECOGNISED: "?"}


def _state(verdict: ItemVerdict | None, evaluation: Evaluation, linked: bool) -> tuple[str, str]:
    state = item_state(verdict, evaluation) if verdict is not None else ItemState.NOT_CHECKED
    if linked and verdict is not None and verdict.item == SAFETY_ITEM and state is ItemState.MISSING:
        return "·", words.LINKED_BY_CLINICIAN
    if state is ItemState.NOT_CHECKED:
        return "·", words.NOT_JUDGED
    return _SIGNS[state], state.value

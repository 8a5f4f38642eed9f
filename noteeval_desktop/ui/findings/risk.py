"""The risk ledger in the window: every passage on danger, how it was spoken of, and what in the note answers it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.decisions import omission_subject, risk_subject, stood_by
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding, RiskKind, Stance, with_stood_by
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import Citation, Transcript, cite
from noteeval_desktop.domain.verdicts import OmissionKind, Severity
from noteeval_desktop.report.content import FindingKind
from noteeval_desktop.report.dangers import in_the_ledger
from noteeval_desktop.report.names import stance_words
from noteeval_desktop.ui import wording
from noteeval_desktop.ui.findings.finding import Finding
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.widgets.plain import shortened

RISK_NAMES = {
    RiskKind.SUICIDE: "Suicide",
    RiskKind.SELF_HARM: "Self-harm",
    RiskKind.HARM_TO_OTHERS: "Harm to others",
    RiskKind.ABUSE: "Abuse",
    RiskKind.PSYCHOSIS: "Psychosis",
    RiskKind.OVERDOSE: "Overdose",
    RiskKind.CHILD_AT_RISK: "A child at risk",
    RiskKind.ELDER_AT_RISK: "An elder at risk",
}
_LINKED = "Addressed in the note: "
_WORST_FIRST = (Stance.CURRENT, Stance.PAST, Stance.OTHER_PERSON, Stance.ASKED, Stance.DENIED)


def risk_finding(risk: RiskFinding, evaluation: Evaluation, rubric: Rubric) -> Finding:
    """An addressed risk stands where the note addresses it; a draft would go under Assessment."""
    kind, stance = RISK_NAMES[risk.kind], stance_words(risk)
    if risk.by_meaning:
        kind = f"{'Likely' if risk.likely else 'Possible'} mention of {kind[:1].lower()}{kind[1:]}"
    turns = wording.turn_list(risk.turns)
    answers = risk.addressed_by or ()
    answering = [judged.sentence for judged in evaluation.sentences if judged.sentence.id in answers]
    verb = "is" if len(risk.turns) == 1 else "are"
    said = f"{verb} in the note" if answering else f"{verb} not addressed in the note"
    if risk.addressed_by is None:
        said = f"{verb} about risk; the note could not be checked"
    why = ["Flagged by similarity only; read the quote."] if risk.by_meaning else []
    doubted = [judged.sentence for judged in evaluation.sentences if judged.sentence.id in risk.doubted]
    if doubted and not answering:
        why.append(f"“{shortened(doubted[0].text, 140)}” mentions it, but is itself in doubt.")
    if answering:
        why.append(f"Addressed by: “{shortened(answering[0].text, 140)}”")
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
    )


def _quotes(risk: RiskFinding, transcript: Transcript) -> tuple[Citation, ...]:
    """The question before its answer, as they were said."""
    return tuple(
        risk.citation if turn == risk.citation.turn else cite(transcript.turns[turn])
        for turn in risk.turns
        if turn < len(transcript.turns)
    )


def _draft(risk: RiskFinding, kind: str, stance: str) -> str:
    quote, turn = shortened(risk.citation.quote, 200), wording.turn_number(risk.citation.turn)
    return f"Risk ({kind.lower()}, {stance}): “{quote}” (turn {turn}) [finish this sentence]"


@dataclass(frozen=True, slots=True)
class Ledger:
    """``open`` risks are neither addressed in the note nor decided on; the gravest stand first in each.

    ``alarming`` are keys of open ones that are warned of: all but those that only come close in meaning and are not
    said to be present.
    """

    open: tuple[Finding, ...] = ()
    decided: tuple[Finding, ...] = ()
    addressed: tuple[Finding, ...] = ()
    alarming: frozenset[str] = frozenset()

    @property
    def all(self) -> tuple[Finding, ...]:
        return (*self.open, *self.decided, *self.addressed)


def ledger(evaluation: Evaluation, rubric: Rubric, set_aside: Mapping[str, str]) -> Ledger:
    """``set_aside``: the clinician's reasons by key. Empty where risk was not looked for."""
    note = evaluation.case.note
    ordered = sorted(with_stood_by(evaluation.risks or (), stood_by(evaluation, set_aside)), key=_gravity)
    known = [risk for risk in ordered if risk.citation.stands_in(evaluation.case.transcript)]
    pairs = [(risk, risk_finding(risk, evaluation, rubric)) for risk in known]
    decided = {f.key for risk, f in pairs if not risk.addressed and decision_stands(set_aside.get(f.key, ""), note)}
    open_ = [(risk, f) for risk, f in pairs if not risk.addressed and f.key not in decided]
    return Ledger(
        open=tuple(f for _, f in open_),
        decided=tuple(f for _, f in pairs if f.key in decided),
        addressed=tuple(f for risk, f in pairs if risk.addressed),
        alarming=frozenset(f.key for risk, f in open_ if risk.pressing),
    )


def _gravity(risk: RiskFinding) -> tuple[bool, int, int, int]:
    """What is warned of in red stands before what may only be close."""
    order = (Severity.HIGH, Severity.MEDIUM, Severity.LOW, Severity.NONE)
    return not risk.pressing, order.index(risk.severity), _WORST_FIRST.index(risk.stance), risk.turns[0]


def with_ledger(findings: Sequence[Finding], evaluation: Evaluation, rubric: Rubric) -> tuple[Finding, ...]:
    """The risks that the note does not address, then the other findings; what a judge left out twice stands once."""
    twice = {omission_subject(o) for o in evaluation.omissions or () if in_the_ledger(o, evaluation)}
    # A passage that touches two kinds of danger is decided on once.
    own = {finding.key: finding for finding in reversed(ledger(evaluation, rubric, {}).open)}
    others = (finding for finding in findings if finding.key not in twice and finding.key not in own)
    return (*reversed(own.values()), *others)


def risks_left_out(
    evaluation: Evaluation | None, rubric: Rubric, findings: Sequence[Finding], set_aside: Mapping[str, str]
) -> tuple[Finding, ...] | None:
    """What the banner and the glance row count, of the open ``findings``; None where risk was not looked for.

    Alarming risks of the ledger, and those that only a language model found left out; the built-in judge's own guess of
    what else belongs in a note is listed, not warned of.
    """
    if evaluation is None or (evaluation.risks is None and evaluation.omissions is None):
        return None
    found = ledger(evaluation, rubric, set_aside)
    listed = {finding.key for finding in found.all}
    found_by_model = evaluation.judge.kind != "builtin"
    judged = {
        omission_subject(o)
        for o in evaluation.omissions or ()
        if o.kind is OmissionKind.RISK and (found_by_model or o.severity is Severity.HIGH)
    } - listed
    return tuple(finding for finding in findings if finding.key in found.alarming | judged)


def answered_keys(evaluation: Evaluation | None, set_aside: Container[str]) -> set[str]:
    """Risks that are addressed once the clinician stands by a sentence that was called wrong."""
    if evaluation is None:
        return set()
    risks = with_stood_by(evaluation.risks or (), stood_by(evaluation, set_aside))
    return {risk_subject(risk) for risk in risks if risk.addressed}


def told_wrongly(evaluation: Evaluation | None, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Of the open ``findings`` those on what the note says of risk and the session contradicts."""
    if evaluation is None:
        return ()
    spans = {evaluation.judged(one).sentence.span for one in evaluation.wrong_on_risk}
    return tuple(f for f in findings if f.kind is FindingKind.CONTRADICTED and f.span in spans)


def link_reason(sentence: str) -> str:
    """The reason that is kept when the clinician says which sentence of the note addresses a risk."""
    return f"{_LINKED}“{sentence}”"


def decision_stands(reason: str, note: Note) -> bool:
    """A link holds as long as its sentence is in the note; a dismissal holds."""
    if not reason.startswith(_LINKED):
        return bool(reason)
    sentence = reason.removeprefix(_LINKED)[1:-1]
    return bool(sentence) and sentence in note.text


def risk_rows(found: Ledger) -> tuple[Row, ...]:
    """The group that stands first in "Left out"; empty where the session holds no risk."""
    if not found.all:
        return ()
    counts = {"not addressed": len(found.alarming), "please check": len({f.key for f in found.open} - found.alarming)}
    aside = " · ".join(f"{count} {what}" for what, count in counts.items() if count)
    return (
        Row("Risk", aside=aside or "all addressed or dismissed", heading=True),
        *(_open_row(finding, finding.key in found.alarming) for finding in found.open),
        *(_row(finding, "·", "muted", "Dismissed by you") for finding in found.decided),
        *(_row(finding, "✓", "green", "in the note") for finding in found.addressed),
    )


def _open_row(finding: Finding, alarming: bool) -> Row:
    """The words at the right are those of the heading, whose red count is the banner's."""
    return _row(finding, "⚠", "red", "not addressed") if alarming else _row(finding, "?", "amber", "please check")


def _row(finding: Finding, sign: str, tone: str, aside: str) -> Row:
    quotes = "\n".join(f"{wording.turn_number(c.turn)}  “{shortened(c.quote, 140)}”" for c in finding.citations)
    return Row(
        title=finding.what.split(":", 1)[0],
        detail=quotes,
        sign=sign,
        tone=tone,
        aside=aside,
        finding=finding,
        spans=(finding.span,) if finding.span else (),
        citations=finding.citations,
    )


def with_safety_said(rows: Sequence[Row], safety_item: str, count: int) -> tuple[Row, ...]:
    """The checklist with ``count`` open risks said at the item that is named ``safety_item``."""
    said = "1 risk not addressed" if count == 1 else f"{count} risks not addressed"
    return tuple(
        replace(row, sign="⚠", tone="red", aside=said) if count and row.title == safety_item else row for row in rows
    )

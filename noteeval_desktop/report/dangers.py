"""What a scorecard says about risk: the ledger of dangers that came up, and what the note does with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from noteeval_desktop.domain.decisions import Decision, risk_subject, stood_by
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import are, counted, sentence
from noteeval_desktop.domain.risk import RiskFinding, with_stood_by
from noteeval_desktop.domain.transcript import turn_number
from noteeval_desktop.domain.verdicts import OmissionKind, Severity
from noteeval_desktop.report.names import STANCE_NAMES

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Danger:
    """One entry of the ledger; ``open`` where it is pressing, the note has no answer and nobody set it aside.

    ``answers`` are the note's sentences that speak of it.
    """

    name: str
    stance: str
    state: str
    severity: Severity
    finding: RiskFinding
    answers: tuple[str, ...]
    open: bool
    subject: str
    decision: Decision | None


def dangers(evaluation: Evaluation, decisions: Mapping[str, Decision]) -> tuple[Danger, ...]:
    """The ledger, what is open first and gravest first; ``decisions`` by subject."""
    sentences = {sentence.id: sentence.text for sentence in evaluation.case.note.sentences}
    risks = with_stood_by(evaluation.risks or (), stood_by(evaluation, decisions))
    entries = [_danger(risk, decisions.get(risk_subject(risk)), sentences) for risk in risks]
    order = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
    return tuple(sorted(entries, key=lambda danger: (not danger.open, order.index(danger.severity))))


def _danger(risk: RiskFinding, decision: Decision | None, sentences: Mapping[str, str]) -> Danger:
    unanswered = "not found in the note" if risk.pressing else "not in the note"
    if risk.addressed_by is None:
        unanswered = "the note could not be checked"
    return Danger(
        name=sentence(risk.wording),
        stance=STANCE_NAMES[risk.stance],
        state="in the note" if risk.addressed else "reviewed by the clinician" if decision else unanswered,
        severity=risk.severity,
        finding=risk,
        answers=tuple(sentences[answer] for answer in risk.addressed_by or () if answer in sentences),
        open=risk.pressing and decision is None,
        subject=risk_subject(risk),
        decision=decision,
    )


def risk_line(evaluation: Evaluation, entries: tuple[Danger, ...], decisions: Mapping[str, Decision]) -> str:
    """One line without the words of the session."""
    kept = stood_by(evaluation, decisions)
    wrong = sum(one not in kept for one in evaluation.wrong_on_risk)
    said = _line_of_ledger(evaluation, entries)
    if not wrong:
        return said
    return f"{said} The session does not bear out {counted(wrong, 'statement')} on risk in the note."


def _line_of_ledger(evaluation: Evaluation, entries: tuple[Danger, ...]) -> str:
    if evaluation.risks is None:
        return _line_of_omissions(evaluation)
    open_ = [danger for danger in entries if danger.open]
    if not entries:
        return "No mention of risk was found in the session."
    if not open_:
        return f"{_mentions(len(entries))} in the session; none left to address."
    named = "; ".join(_named(open_))
    if any(danger.finding.addressed_by is None for danger in open_):
        return f"{_mentions(len(open_))} in the session: {named}. The note could not be checked for them."
    return f"{_mentions(len(open_))} in the session {are(len(open_))} not found in the note: {named}."


def _line_of_omissions(evaluation: Evaluation) -> str:
    if evaluation.omissions is None:
        return "Not checked."
    count = sum(omission.kind is OmissionKind.RISK for omission in evaluation.omissions)
    if not count:
        return "No mention of risk was found that the note leaves out."
    return f"{_mentions(count)} in the session {are(count)} not in the note."


def _mentions(count: int) -> str:
    return counted(count, "mention of risk", "mentions of risk")


def _named(open_: list[Danger]) -> Iterator[str]:
    for danger in open_[:_MOST_NAMED]:
        yield f"{danger.finding.wording}, turn {turn_number(danger.finding.citation.turn)}"
    if len(open_) > _MOST_NAMED:
        yield f"{len(open_) - _MOST_NAMED} more"

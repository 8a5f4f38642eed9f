"""What a scorecard says about risk: the ledger of dangers that came up, and what the note does with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from noteeval_desktop.domain.decisions import Decision, risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import sentence
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.verdicts import OmissionKind, Severity
from noteeval_desktop.report import words

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Danger:
    """One entry of the ledger; ``open`` where it is pressing, the note has no answer and nobody set it aside.

    ``answers`` are the note's sentences that name it, or those that may be meant for it.
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
    entries = [_danger(risk, decisions.get(risk_subject(risk)), sentences) for risk in evaluation.risks or ()]
    order = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
    return tuple(sorted(entries, key=lambda danger: (not danger.open, order.index(danger.severity))))


def _danger(risk: RiskFinding, decision: Decision | None, sentences: Mapping[str, str]) -> Danger:
    unanswered = words.NOT_FOUND_IN_NOTE if risk.pressing else words.NOT_IN_NOTE
    if risk.near and not decision:
        unanswered = words.MAYBE_IN_NOTE
    if risk.addressed_by is None:
        unanswered = words.NOT_CHECKABLE
    return Danger(
        name=sentence(risk.wording),
        stance=words.STANCE_NAMES[risk.stance],
        state=words.IN_NOTE if risk.addressed else words.REVIEWED if decision else unanswered,
        severity=risk.severity,
        finding=risk,
        answers=tuple(sentences[answer] for answer in risk.addressed_by or risk.near if answer in sentences),
        open=risk.pressing and decision is None,
        subject=risk_subject(risk),
        decision=decision,
    )


def risk_line(evaluation: Evaluation, entries: tuple[Danger, ...], wrong: int, omitted: int = 0) -> str:
    """One line without the words of the session; ``wrong``: how many statements on risk are warned of, ``omitted``: how
    many passages on risk beside the ledger."""
    open_ = any(danger.open for danger in entries)
    said = words.risks_left_out(omitted) if omitted and not open_ else _line_of_ledger(evaluation, entries)
    if not wrong:
        return said
    return words.with_wrong(said, wrong)


def _line_of_ledger(evaluation: Evaluation, entries: tuple[Danger, ...]) -> str:
    if evaluation.risks is None:
        return _line_of_omissions(evaluation)
    open_ = [danger for danger in entries if danger.open]
    if not entries:
        return words.NO_RISK
    if not open_:
        return words.none_left(len(entries))
    named = "; ".join(_named(open_))
    if any(danger.finding.addressed_by is None for danger in open_):
        return words.risks_unchecked(len(open_), named)
    return words.risks_not_found(len(open_), named)


def _line_of_omissions(evaluation: Evaluation) -> str:
    if evaluation.omissions is None:
        return words.NOT_CHECKED
    count = sum(omission.kind is OmissionKind.RISK for omission in evaluation.omissions)
    if not count:
        return words.NO_RISK_LEFT_OUT
    return words.risks_left_out(count)


def _named(open_: list[Danger]) -> Iterator[str]:
    """Each danger once, with the turns of its mentions."""
    turns: dict[str, list[int]] = {}
    for danger in open_:
        turns.setdefault(danger.finding.wording, []).append(danger.finding.citation.turn)
    for wording, mentioned in list(turns.items())[:_MOST_NAMED]:
        yield words.risk_at(wording, sorted(mentioned))
    if len(turns) > _MOST_NAMED:
        yield words.more(len(turns) - _MOST_NAMED)

"""What is said about risk: the ledger of dangers that came up, and what the note does with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.decisions import Decision, risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import OpenRisk, of_risks
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.risk import RiskFinding, Stance, joined
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.present.finding import Finding, name_of_risk, state_of_risk, worded
from noteeval_desktop.present.vocabulary import STANCE_NAMES

_MOST_NAMED = 3
_GRAVEST = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
_WORST = (Stance.CURRENT, Stance.PAST, Stance.OTHER_PERSON, Stance.HYPOTHETICAL, Stance.ASKED, Stance.DENIED)


@dataclass(frozen=True, slots=True)
class Danger:
    """A mention of one. ``decided``: the clinician's reason, where it has no answer in the note; ``open`` where it is
    warned of, has no answer and nobody set it aside.

    ``answers`` are the note's sentences that name it, or those that may be meant for it. ``decision`` is where paper
    tells of it.
    """

    finding: RiskFinding
    answers: tuple[str, ...]
    decided: str | None = None
    decision: Decision | None = None

    @property
    def name(self) -> str:
        return name_of_risk(self.finding)

    @property
    def stance(self) -> str:
        return STANCE_NAMES[self.finding.stance]

    @property
    def state(self) -> str:
        """In words."""
        if self.decided is not None:
            return tr("reviewed by the clinician")
        return state_of_risk(self.finding)

    @property
    def subject(self) -> str:
        return risk_subject(self.finding)

    @property
    def open(self) -> bool:
        return self.finding.pressing and self.decided is None


@dataclass(frozen=True, slots=True)
class Ledger:
    """Entries, each of the mentions with one meaning; ``open`` are neither addressed in the note nor decided on.
    ``alarming``: how many open mentions are warned of, ``unclear``: how many others there are."""

    open: tuple[Finding, ...] = ()
    decided: tuple[Finding, ...] = ()
    addressed: tuple[Finding, ...] = ()
    alarming: int = 0
    unclear: int = 0


def dangers(evaluation: Evaluation, reasons: Mapping[str, str]) -> tuple[Danger, ...]:
    """The ledger, what is open first and gravest first; ``reasons``: why something was set aside, by subject."""
    sentences = {sentence.id: sentence.text for sentence in evaluation.case.note.sentences}

    def danger(risk: RiskFinding) -> Danger:
        answers = tuple(sentences[one] for one in risk.addressed_by or risk.near if one in sentences)
        return Danger(risk, answers, None if risk.addressed else reasons.get(risk_subject(risk)))

    def order(one: Danger) -> tuple[bool, int, int, int]:
        risk = one.finding
        return not one.open, _GRAVEST.index(risk.severity), _WORST.index(risk.stance), risk.turns[0]

    return tuple(sorted(map(danger, evaluation.risks or ()), key=order))


def ledger(evaluation: Evaluation, rubric: Rubric, reasons: Mapping[str, str]) -> Ledger:
    """In entries; ``reasons`` as ``dangers`` has them. Empty where risk was not looked for."""
    known = [one for one in dangers(evaluation, reasons) if one.finding.citation.stands_in(evaluation.case.transcript)]
    unanswered = [one for one in known if not one.finding.addressed and one.decided is None]

    def entries(found: Iterable[Danger]) -> tuple[Finding, ...]:
        groups = joined(one.finding for one in found)
        return tuple(worded(of_risks(*group), evaluation, rubric) for group in groups)

    alarming = sum(one.open for one in unanswered)
    return Ledger(
        open=entries(unanswered),
        decided=entries(one for one in known if one.decided is not None),
        addressed=entries(one for one in known if one.finding.addressed),
        alarming=alarming,
        unclear=len(unanswered) - alarming,
    )


def open_risk_said(risk: OpenRisk) -> str:
    """ "3 risks missing · 1 to verify", wherever open risk is counted; empty where none is open."""
    missing, wrong = risk.missing or 0, len(risk.wrong)
    if not missing:
        return tr("{risks} to verify").format(risks=counted(wrong, "risk")) if wrong else ""
    verify = tr(" · {count} to verify").format(count=wrong) if wrong else ""
    return tr("{risks} missing").format(risks=counted(missing, "risk")) + verify


def risk_line(evaluation: Evaluation, entries: Sequence[Danger], risk: OpenRisk) -> str:
    """One line without the words of the session."""
    open_ = [danger for danger in entries if danger.open]
    beside = [one for one in risk.left_out or () if isinstance(one.source, Omission)]
    said = _left_out(len(beside)) if beside and not open_ else _line_of_ledger(evaluation, entries, open_)
    if not risk.wrong:
        return said
    wrong = tr("The session does not support {statements} about risk in the note.")
    return f"{said} {wrong.format(statements=counted(len(risk.wrong), 'statement'))}"


def _line_of_ledger(evaluation: Evaluation, entries: Sequence[Danger], open_: Sequence[Danger]) -> str:
    if evaluation.risks is None and evaluation.omissions is None:
        return tr("Not checked.")
    if evaluation.risks is None:
        count = sum(omission.kind is OmissionKind.RISK for omission in evaluation.omissions or ())
        return _left_out(count) if count else tr("No mention of risk was found that the note leaves out.")
    if not entries:
        return tr("No mention of risk was found in the session.")
    if not open_:
        said = tr("{mentions} in the session; none left to address.")
        return said.format(mentions=_mentions(len(entries)))
    count = len(open_)
    named = named_with_turns(((danger.finding.wording, danger.finding.citation.turn) for danger in open_), ", {turns}")
    more = len(named) - _MOST_NAMED
    rest = [tr("{count} more").format(count=more)] if more > 0 else []
    them = "; ".join([*named[:_MOST_NAMED], *rest])
    if any(danger.finding.addressed_by is None for danger in open_):
        said = tr("{mentions} in the session: {named}. The note could not be checked for {them}.")
        return said.format(mentions=_mentions(count), named=them, them=are(count, "it", "them"))
    said = tr("{mentions} in the session {is_or_are} not found in the note: {named}.")
    return said.format(mentions=_mentions(count), is_or_are=are(count), named=them)


def _left_out(count: int) -> str:
    said = tr("{mentions} in the session {is_or_are} not in the note.")
    return said.format(mentions=_mentions(count), is_or_are=are(count))


def _mentions(count: int) -> str:
    return counted(count, tr("mention of risk"), tr("mentions of risk"))


def named_with_turns(mentions: Iterable[tuple[str, int]], where: str) -> list[str]:
    """Each name once, with the turns of its mentions put into ``where``: "suicide, turns 4 and 10"."""
    turns: dict[str, list[int]] = {}
    for name, turn in mentions:
        turns.setdefault(name, []).append(turn)
    return [f"{name}{where.format(turns=turn_list(sorted(own)))}" for name, own in turns.items()]

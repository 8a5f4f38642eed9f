"""The risk ledger in the window: every passage on danger, how it was spoken of, and what in the note answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.decisions import decision_stands, linked_to, risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import inside
from noteeval_desktop.domain.risk import RiskFinding, Stance, joined
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.verdicts import Severity
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.finding import Finding, risk_finding
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_number

_WORST_FIRST = (
    Stance.CURRENT, Stance.PAST, Stance.OTHER_PERSON, Stance.HYPOTHETICAL, Stance.ASKED, Stance.DENIED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ledger:
    """``open`` risks are neither addressed in the note nor decided on; the gravest stand first in each.

    ``alarming`` are keys of the open mentions that are warned of: all but those that only come close in meaning and are
    not said to be present; ``unclear`` is how many those are.
    """

    open: tuple[Finding, ...] = ()
    decided: tuple[Finding, ...] = ()
    addressed: tuple[Finding, ...] = ()
    alarming: frozenset[str] = frozenset()
    unclear: int = 0

    @property
    def all(self) -> tuple[Finding, ...]:
        return (*self.open, *self.decided, *self.addressed)


def ledger(evaluation: Evaluation, rubric: Rubric, set_aside: Mapping[str, str]) -> Ledger:
    """``set_aside``: the clinician's reasons by key, with which the risks of ``evaluation`` were answered. Empty where
    risk was not looked for."""
    note = evaluation.case.note
    ordered = sorted(evaluation.risks or (), key=_gravity)
    known = [risk for risk in ordered if risk.citation.stands_in(evaluation.case.transcript)]
    unanswered = [risk for risk in known if not risk.addressed]
    decided = [risk for risk in unanswered if decision_stands(set_aside.get(risk_subject(risk), ""), note)]
    open_ = [risk for risk in unanswered if risk not in decided]

    def entries(risks: Iterable[RiskFinding]) -> tuple[Finding, ...]:
        return tuple(risk_finding(group, evaluation, rubric) for group in joined(risks))

    return Ledger(
        open=entries(open_),
        decided=entries(decided),
        addressed=entries(risk for risk in known if risk.addressed),
        alarming=frozenset(risk_subject(risk) for risk in open_ if risk.pressing),
        unclear=sum(not risk.pressing for risk in open_),
    )


def _gravity(risk: RiskFinding) -> tuple[bool, int, int, int]:
    """What is warned of in red stands before what may only be close."""
    order = (Severity.HIGH, Severity.MEDIUM, Severity.LOW, Severity.NONE)
    return not risk.pressing, order.index(risk.severity), _WORST_FIRST.index(risk.stance), risk.turns[0]


def risks_left_out(evaluation: Evaluation | None, findings: Sequence[Finding]) -> tuple[Finding, ...] | None:
    """What the banner and the glance row count, of the open ``findings``; None where risk was not looked for."""
    if evaluation is None or (evaluation.risks is None and evaluation.omissions is None):
        return None
    return tuple(f for f in findings if f.kind is FindingKind.OMISSION and f.ranked is not None and f.ranked.pressing)


def risk_count(evaluation: Evaluation | None, findings: Sequence[Finding]) -> tuple[int | None, int]:
    """The one count of risk, of the open ``findings``: mentions left out, None where risk was not looked for, and
    statements to check."""
    left_out = risks_left_out(evaluation, findings)
    return None if left_out is None else mentions(left_out), len(told_wrongly(findings))


def mentions(risks: Iterable[Finding]) -> int:
    """How many there are in entries that may join several."""
    return sum(len(risk.ranked.keys) if risk.ranked is not None else 1 for risk in risks)


def answers(evaluation: Evaluation, findings: Iterable[Finding], set_aside: Mapping[str, str]) -> dict[str, int]:
    """What became of the mentions of risk that are not open ("in the note", "dismissed by you"), and of how many;
    ``findings`` are all of them, ``evaluation`` and ``set_aside`` as in ledger."""
    known = [risk for risk in evaluation.risks or () if risk.citation.stands_in(evaluation.case.transcript)]
    answered = {risk_subject(risk) for risk in known if risk.addressed}
    decided = [one.key for one in findings if one.is_risk and one.key in set_aside and one.key not in answered]
    return Counter(
        [*(words.IN_THE_NOTE for _ in answered), *(inside(words.decided(set_aside[key])) for key in decided)]
    )


def maybe_risks(findings: Iterable[Finding]) -> int:
    """How many mentions among the open ``findings`` may only sound like risk."""
    return sum(len(f.ranked.risks) for f in findings if f.is_risk and f.ranked is not None and not f.ranked.pressing)


def all_named(risks: Iterable[RiskFinding]) -> bool:
    """Does the note name every danger that was affirmed? An answer by hand closes one and names nothing."""
    return all(risk.addressed or risk.stance in (Stance.DENIED, Stance.ASKED) for risk in risks)


def told_wrongly(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Of the open ``findings`` those on what the note says of risk and the session does not bear out."""
    return tuple(f for f in findings if f.span is not None and f.ranked is not None and f.ranked.pressing)


def risk_rows(found: Ledger, set_aside: Mapping[str, str]) -> tuple[Row, ...]:
    """The group that stands first in "Left out"; empty where the session holds no risk. ``set_aside`` as in ledger."""
    if not found.all:
        return ()
    return (
        Row(words.GROUPS[Harm.RISK], aside=words.mentions_open(len(found.alarming), found.unclear), heading=True),
        *(_open_row(finding, finding.key in found.alarming) for finding in found.open),
        *(_row(finding, "·", "muted", words.decided(set_aside.get(finding.key, ""))) for finding in found.decided),
        *(_row(finding, "✓", "green", words.IN_THE_NOTE) for finding in found.addressed),
    )


def _open_row(finding: Finding, alarming: bool) -> Row:
    """The words at the right are those of the heading, whose red count is the banner's."""
    return (
        _row(finding, "⚠", "red", words.NOT_ADDRESSED) if alarming else _row(finding, "?", "amber", words.PLEASE_CHECK)
    )


def _row(finding: Finding, sign: str, tone: str, aside: str) -> Row:
    quotes = "\n".join(f"{turn_number(c.turn)}  “{shortened(c.quote, 140)}”" for c in finding.citations)
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


def with_safety_said(
    rows: Sequence[Row], safety_item: str, found: Ledger, set_aside: Mapping[str, str]
) -> tuple[Row, ...]:
    """The checklist with the open risks said at the item that is named ``safety_item``, or that a sentence was linked
    to one; ``set_aside`` as in ledger."""
    count = len(found.alarming)
    linked = any(map(linked_to, set_aside.values()))

    def said(row: Row) -> Row:
        if row.title != safety_item or not (count or (linked and row.finding)):
            return row
        if count:
            return replace(row, sign="⚠", tone="red", aside=words.risks_not_addressed(count))
        return replace(row, sign="·", tone="muted", aside=words.LINKED_BY_YOU, finding=None)

    return tuple(map(said, rows))

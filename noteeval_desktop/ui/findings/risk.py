"""The risk ledger in the window: every passage on danger, how it was spoken of, and what in the note answers it; and
what is still open on risk, as it is listed before a note is submitted or approved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from types import MappingProxyType

from noteeval_desktop.domain.decisions import risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import OpenRisk, open_findings, open_risk, ranked_findings
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import counted, inside, shortened, tr
from noteeval_desktop.domain.risk import RiskFinding, RiskState, Stance
from noteeval_desktop.domain.verdicts import Omission
from noteeval_desktop.present.finding import Finding, name_of_risk
from noteeval_desktop.present.risks import Ledger, open_risk_said
from noteeval_desktop.present.vocabulary import HARM_NAMES, OMISSION_NAMES, RISK_STATES, STANCE_NAMES
from noteeval_desktop.ui.findings.excerpts import at_the_danger, quotes
from noteeval_desktop.ui.findings.rows import Row, decided, group
from noteeval_desktop.ui.widgets.words import turn_number

NOT_ADDRESSED = tr("not addressed")


def answers(evaluation: Evaluation, findings: Iterable[Finding], set_aside: Mapping[str, str]) -> dict[str, int]:
    """What became of the mentions of risk that are not open ("in the note", "dismissed by you"), and of how many;
    ``findings`` are all of them, ``evaluation`` and ``set_aside`` as in ledger."""
    known = [risk for risk in evaluation.risks or () if risk.citation.stands_in(evaluation.case.transcript)]
    answered = {risk_subject(risk) for risk in known if risk.addressed}
    closed = [one.key for one in findings if one.is_risk and one.key in set_aside and one.key not in answered]
    return Counter(
        [*(RISK_STATES[RiskState.NAMED] for _ in answered), *(inside(decided(set_aside[key])) for key in closed)]
    )


def all_named(risks: Iterable[RiskFinding]) -> bool:
    """Does the note name every danger that was affirmed? An answer by hand closes one and names nothing."""
    return all(risk.addressed or risk.stance in (Stance.DENIED, Stance.ASKED) for risk in risks)


def risk_rows(found: Ledger, set_aside: Mapping[str, str]) -> tuple[Row, ...]:
    """The group that stands first in "Left out"; empty where the session holds no risk. ``set_aside`` as in ledger."""
    alarming, unclear = found.alarming, found.unclear
    parts = [f"{counted(alarming, 'mention')} {NOT_ADDRESSED}"] * bool(alarming)
    possible = tr("{count} possible").format(count=unclear) if alarming else counted(unclear, tr("possible mention"))
    parts += [possible] * bool(unclear)
    rows = [
        # The words at the right are those of the heading, whose red count is the banner's.
        *(
            _row(one, "⚠", "red", NOT_ADDRESSED) if one.pressing else _row(one, "?", "amber", tr("please check"))
            for one in found.open
        ),
        *(_row(one, "·", "muted", decided(set_aside.get(one.key, ""))) for one in found.decided),
        *(_row(one, "✓", "green", RISK_STATES[RiskState.NAMED]) for one in found.addressed),
    ]
    # An entry below may join several mentions.
    said = " · ".join(parts) or tr("all addressed or dismissed")
    return group(HARM_NAMES[Harm.RISK], rows, said)


def _row(finding: Finding, sign: str, tone: str, aside: str) -> Row:
    shown = quotes(finding)
    return Row(
        title=finding.what.split(":", 1)[0],
        detail="\n".join(f"{turn_number(c.turn)}  “{shortened(c.quote, 140)}”" for c in shown),
        sign=sign,
        tone=tone,
        aside=aside,
        finding=finding,
        spans=(finding.span,) if finding.span else (),
        citations=shown,
    )


_MOST_LISTED = 6


def open_risks(
    evaluation: Evaluation | None,
    set_aside: Mapping[str, str],
    by_author: Mapping[str, str] = MappingProxyType({}),
    opposed: Container[int] = (),
) -> str:
    """A heading and a line each; empty where none is open. ``set_aside``: reasons by key of whoever reads this, to whom
    these are closed; ``by_author``: reasons of somebody else, which close nothing and are told;
    ``opposed``: turns of dangers to which a supervisor found that the note says the opposite.
    """
    left = open_findings(ranked_findings(evaluation), evaluation, set_aside) if evaluation is not None else ()
    risk = open_risk(evaluation, left)
    if risk.left_out is None:
        return tr("Risk was not checked.")
    lines = list(_lines(risk, by_author, opposed))
    if not lines:
        return ""
    shown = [f"• {line}" for line in lines[:_MOST_LISTED]]
    if (more := len(lines) - _MOST_LISTED) > 0:
        shown.append(tr("• and {count} more").format(count=more))
    return "\n".join([f"{open_risk_said(risk)}.", *shown])


def _lines(risk: OpenRisk, by_author: Mapping[str, str], opposed: Container[int]) -> Iterator[str]:
    not_addressed = tr("Not addressed: {risk}, turn {turn}: “{quote}”")
    opposite = tr("The note says the opposite: {risk}, turn {turn}: “{quote}”")
    for finding in risk.left_out or ():
        source = finding.source
        # A line for each that is counted, though the list of findings joins what is one thing to write down.
        told = [
            (
                risk_subject(one),
                f"{name_of_risk(one)} ({STANCE_NAMES[one.stance]})",
                at_the_danger(one),
                one.citation.turn in opposed,
            )
            for one in finding.risks
        ]
        if isinstance(source, Omission):
            told = [(finding.key, OMISSION_NAMES[source.kind], source.citations[-1], False)]
        for key, name, quote, told_wrongly in told:
            said = (opposite if told_wrongly else not_addressed).format(
                risk=name, turn=turn_number(quote.turn), quote=shortened(quote.quote, 90)
            )
            yield f"{said}{_reason(key, by_author)}"
    for finding in risk.wrong:
        if finding.sentence is not None:
            said = tr("The session does not support: “{statement}”")
            yield f"{said.format(statement=shortened(finding.sentence.text, 90))}{_reason(finding.key, by_author)}"


def _reason(key: str, by_author: Mapping[str, str]) -> str:
    reason = by_author.get(key, "")
    return tr(" (dismissed by the author: “{reason}”)").format(reason=shortened(reason, 120)) if reason else ""

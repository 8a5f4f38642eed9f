"""What is still open on risk, as it is listed before a note is submitted or approved."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from types import MappingProxyType

from noteeval_desktop.domain.decisions import risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import OpenRisk, open_findings, open_risk, ranked_findings
from noteeval_desktop.domain.phrases import shortened, tr
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.transcript import turn_number
from noteeval_desktop.domain.verdicts import Omission
from noteeval_desktop.present.finding import name_of_risk
from noteeval_desktop.present.risks import open_risk_said
from noteeval_desktop.present.vocabulary import OMISSION_NAMES, STANCE_NAMES
from noteeval_desktop.ui.findings.excerpts import at_the_danger

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
            (risk_subject(one), _named(one), at_the_danger(one), one.citation.turn in opposed) for one in finding.risks
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


def _named(risk: RiskFinding) -> str:
    return f"{name_of_risk(risk)} ({STANCE_NAMES[risk.stance]})"


def _reason(key: str, by_author: Mapping[str, str]) -> str:
    reason = by_author.get(key, "")
    return tr(" (dismissed by the author: “{reason}”)").format(reason=shortened(reason, 120)) if reason else ""

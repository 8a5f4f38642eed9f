"""What is still open on risk, as it is listed before a note is submitted or approved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from noteeval_desktop.domain.decisions import risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import answered_keys
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.excerpts import at_the_danger
from noteeval_desktop.ui.findings.finding import Finding, findings_of, in_one_entry
from noteeval_desktop.ui.findings.risk import risk_count, risks_left_out, told_wrongly
from noteeval_desktop.ui.findings.score_words import open_risk
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_number

_MOST_LISTED = 6


def open_risks(
    evaluation: Evaluation | None,
    rubric: Rubric,
    set_aside: Mapping[str, str],
    by_author: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A heading and a line each; empty where none is open. ``set_aside``: reasons by key of whoever reads this, to whom
    these are closed; ``by_author``: reasons of somebody else, which close nothing and are told.
    """
    if evaluation is None or (evaluation.risks is None and evaluation.omissions is None):
        return words.RISK_NOT_CHECKED
    closed = set_aside.keys() | answered_keys(evaluation, set_aside)
    left = [finding for finding in findings_of(evaluation, rubric) if finding.key not in closed]
    findings = in_one_entry(left, evaluation, rubric)
    lines = list(_lines(evaluation, findings, by_author))
    if not lines:
        return ""
    more = [f"• {words.and_more(len(lines) - _MOST_LISTED)}"] if len(lines) > _MOST_LISTED else []
    return "\n".join([f"{open_risk(*risk_count(evaluation, findings))}.", *lines[:_MOST_LISTED], *more])


def _lines(evaluation: Evaluation, findings: Sequence[Finding], by_author: Mapping[str, str]) -> Iterator[str]:
    for finding in risks_left_out(evaluation, findings) or ():
        kind = finding.what.split(":", 1)[0]
        mentions = finding.ranked.risks if finding.ranked is not None else ()
        # A line for each that is counted, though the list of findings joins what is one thing to write down.
        told = [(risk_subject(risk), at_the_danger(risk)) for risk in mentions]
        for key, quote in told or [(finding.key, one) for one in finding.citations[-1:]]:
            where = words.with_quote(turn_number(quote.turn), shortened(quote.quote, 90))
            yield f"• {words.not_addressed(kind + where)}{_reason(key, by_author)}"
    for finding in told_wrongly(findings):
        if finding.span:
            said = shortened(finding.span.of(evaluation.case.note.text), 90)
            yield f"• {words.not_borne_out(said)}{_reason(finding.key, by_author)}"


def _reason(key: str, by_author: Mapping[str, str]) -> str:
    reason = by_author.get(key, "")
    return words.dismissed_by_author(shortened(reason, 120)) if reason else ""

"""The first tab: what to look at before signing, by the harm it could do; the rest on request, advice last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, open_risk
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.present.finding import Finding, before_signing
from noteeval_desktop.present.risks import open_risk_said
from noteeval_desktop.present.vocabulary import HARM_NAMES
from noteeval_desktop.ui.findings.rows import Row, finding_row, on_risk_rows


def first_rows(
    findings: Sequence[Finding], decided: Sequence[Finding], evaluation: Evaluation, more: bool
) -> tuple[Row, ...]:
    """``findings`` are the open ones of ``evaluation`` in their order; ``more``: all of them, and those that were
    ``decided`` on. Risk is counted as everywhere else, over all of them."""
    risk = open_risk(evaluation, [finding.ranked for finding in findings])
    chosen = before_signing(findings)
    rows: list[Row] = []
    for harm, name in HARM_NAMES.items():
        counted = open_risk_said(risk) if harm is Harm.RISK else ""
        rows += _group(name, [finding for finding in chosen if finding.ranked.harm is harm], counted)
        if harm is Harm.RISK and (passed := on_risk_rows(evaluation)):
            rows += [Row(tr("Risk statements to verify"), aside=str(len(passed)), heading=True), *passed]
    if more:
        others = rest(findings)
        rows += _group(tr("Also worth a read"), [f for f in others if f.kind is not FindingKind.UNNEEDED])
        rows += _group(tr("Could be shorter"), [f for f in others if f.kind is FindingKind.UNNEEDED])
        rows += _group(tr("Confirmed or dismissed by you"), decided)
    return tuple(rows)


def rest(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The open ones that are not shown first."""
    chosen = {finding.key for finding in before_signing(findings)}
    return tuple(finding for finding in findings if finding.key not in chosen)


def _group(name: str, findings: Sequence[Finding], counted: str = "") -> Iterator[Row]:
    if findings:
        yield Row(name, aside=counted or str(len(findings)), heading=True)
    for finding in findings:
        yield finding_row(finding)

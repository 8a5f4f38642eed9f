"""The first tab: what to look at before signing, by the harm it could do; the rest on request, advice last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.finding_words import KINDS
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.verdicts import Severity
from noteeval_desktop.report.words import SEVERITY_NAMES
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.finding import Finding, before_signing
from noteeval_desktop.ui.findings.risk import risk_count
from noteeval_desktop.ui.findings.rows import Row, on_risk_rows
from noteeval_desktop.ui.findings.score_words import open_risk
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_number

_WITHOUT_WEIGHT = (FindingKind.UNNEEDED, FindingKind.OBSERVED)


def first_rows(
    findings: Sequence[Finding], decided: Sequence[Finding], evaluation: Evaluation, more: bool
) -> tuple[Row, ...]:
    """``findings`` are the open ones of ``evaluation`` in their order; ``more``: all of them, and those that were
    ``decided`` on. Risk is counted as everywhere else, over all of them."""
    note, (left_out, wrong) = evaluation.case.note.text, risk_count(evaluation, findings)
    chosen = before_signing(findings)
    rows: list[Row] = []
    for harm, name in words.GROUPS.items():
        counted = open_risk(left_out, wrong) if harm is Harm.RISK and (left_out or wrong) else ""
        rows += _group(name, [finding for finding in chosen if _harm(finding) is harm], note, counted)
        if harm is Harm.RISK and (passed := on_risk_rows(evaluation)):
            rows += [Row(words.ON_RISK, aside=str(len(passed)), heading=True), *passed]
    if more:
        others = rest(findings)
        rows += _group(words.MORE, [f for f in others if f.kind is not FindingKind.UNNEEDED], note)
        rows += _group(words.ADVICE, [f for f in others if f.kind is FindingKind.UNNEEDED], note)
        rows += _group(words.ANSWERED, decided, note)
    return tuple(rows)


def rest(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The open ones that are not shown first."""
    chosen = {finding.key for finding in before_signing(findings)}
    return tuple(finding for finding in findings if finding.key not in chosen)


def _harm(finding: Finding) -> Harm:
    return finding.ranked.harm if finding.ranked is not None else Harm.REST


def _group(name: str, findings: Sequence[Finding], note: str, counted: str = "") -> Iterator[Row]:
    if findings:
        yield Row(name, aside=counted or str(len(findings)), heading=True)
    for finding in findings:
        yield _row(finding, note)


def _row(finding: Finding, note: str) -> Row:
    pressing = finding.ranked is not None and finding.ranked.pressing
    return Row(
        title=shortened(finding.span.of(note), 140) if finding.span else finding.what,
        detail=_detail(finding),
        sign="⚠" if pressing else "?" if finding.unrecognised else KINDS[finding.kind].sign,
        tone="red" if pressing else "amber" if finding.unrecognised else KINDS[finding.kind].tone,
        # Of what may be about risk nothing is called minor.
        aside=""
        if pressing or finding.kind in _WITHOUT_WEIGHT
        else SEVERITY_NAMES[Severity.MEDIUM if finding.is_risk else finding.severity],
        finding=finding,
        spans=(finding.span,) if finding.span else (),
        citations=finding.citations,
        hint=finding.kind_name,
        sure=finding.by or words.how_sure(finding.confidence),
        number=finding.number,
    )


def _detail(finding: Finding) -> str:
    if finding.span is not None:
        return finding.why if finding.kind is FindingKind.UNSUPPORTED and finding.why else finding.what
    quote = next(iter(finding.citations), None)
    return f"{turn_number(quote.turn)}  “{shortened(quote.quote, 140)}”" if quote else ""

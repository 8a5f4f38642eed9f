"""The risk ledger in the window: every passage on danger, how it was spoken of, and what in the note answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from noteeval_desktop.domain.decisions import risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import counted, inside, tr
from noteeval_desktop.domain.risk import RiskFinding, RiskState, Stance
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.present.risks import Ledger
from noteeval_desktop.present.vocabulary import HARM_NAMES, RISK_STATES
from noteeval_desktop.ui.findings.excerpts import quotes
from noteeval_desktop.ui.findings.rows import Row, decided
from noteeval_desktop.ui.widgets.plain import shortened
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
    return (Row(HARM_NAMES[Harm.RISK], aside=said, heading=True), *rows) if rows else ()


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

from __future__ import annotations

from dataclasses import replace

from noteeval_desktop.domain.decisions import risk_subject
from noteeval_desktop.domain.findings import OpenRisk
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.present.risks import dangers, risk_line
from tests.sample_evaluation import sample_evaluation

TURNS = sample_evaluation().case.transcript.turns


def found(turn: int, stance: Stance, *answers: str, kind: RiskKind = RiskKind.SUICIDE) -> RiskFinding:
    return RiskFinding((turn,), cite(TURNS[turn]), kind, stance, addressed_by=answers)


def test_the_line_on_risk_names_each_danger_once_with_the_turns_of_its_mentions() -> None:
    risks = (
        found(9, Stance.CURRENT),
        found(3, Stance.CURRENT),
        found(5, Stance.CURRENT, kind=RiskKind.SELF_HARM),
    )
    evaluation = replace(sample_evaluation(), risks=risks, wrong_on_risk=())
    line = risk_line(evaluation, dangers(evaluation, {}), OpenRisk(()))
    assert line.endswith("not found in the note: suicide, turns 4 and 10; self-harm, turn 6.")


def test_what_is_open_comes_first_then_what_is_gravest() -> None:
    evaluation = sample_evaluation()
    risks = (
        found(1, Stance.CURRENT, "s1"),
        found(3, Stance.DENIED),
        found(5, Stance.PAST),
        found(7, Stance.CURRENT),
        found(9, Stance.CURRENT),
        found(11, Stance.PAST, "s2"),
    )
    ledger = dangers(replace(evaluation, risks=risks), {risk_subject(risks[3]): "told by phone"})
    assert [danger.finding.turns[0] for danger in ledger] == [9, 5, 3, 1, 7, 11]
    assert [danger.open for danger in ledger] == [True, True, True, False, False, False]
    assert [danger.decided for danger in ledger if danger.decided] == ["told by phone"]

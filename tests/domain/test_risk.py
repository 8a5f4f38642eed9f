from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance, with_risks
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import ItemVerdict, Severity
from tests.factories import make_transcript

TURN = make_transcript().turns[3]
KNOWN = RiskFinding((TURN.index,), cite(TURN), RiskKind.SUICIDE, Stance.CURRENT)
LIKELY = replace(KNOWN, by_meaning=True, likely=True)
CLOSE = replace(KNOWN, by_meaning=True)
SAFETY = ItemVerdict("general-safety", None, Importance.MANDATORY, False, rationale="Nothing on safety.")


@pytest.mark.parametrize(
    ("finding", "stance", "severity"),
    [
        (KNOWN, Stance.CURRENT, Severity.HIGH),
        (LIKELY, Stance.CURRENT, Severity.HIGH),
        (CLOSE, Stance.CURRENT, Severity.MEDIUM),
        (KNOWN, Stance.PAST, Severity.MEDIUM),
        (CLOSE, Stance.PAST, Severity.LOW),
        (KNOWN, Stance.OTHER_PERSON, Severity.LOW),
        (KNOWN, Stance.ASKED, Severity.LOW),
        (KNOWN, Stance.DENIED, Severity.LOW),
    ],
)
def test_how_grave_a_danger_is(finding: RiskFinding, stance: Stance, severity: Severity) -> None:
    assert replace(finding, stance=stance).severity is severity


@pytest.mark.parametrize(
    ("finding", "pressing", "wording"),
    [
        (KNOWN, True, "suicide"),
        (LIKELY, True, "likely mention of suicide"),
        (CLOSE, False, "possible mention of suicide"),
        (replace(KNOWN, addressed_by=("s1",)), False, "suicide"),
        (replace(KNOWN, addressed_by=None), True, "suicide"),
        (replace(KNOWN, kind=RiskKind.HARM_TO_OTHERS), True, "harm to others"),
        (replace(CLOSE, kind=RiskKind.SELF_HARM), False, "possible mention of self-harm"),
    ],
)
def test_only_what_is_certain_and_unanswered_is_warned_of(finding: RiskFinding, pressing: bool, wording: str) -> None:
    assert finding.pressing is pressing
    assert finding.wording == wording


@pytest.mark.parametrize(
    ("risks", "present"),
    [
        ([], False),
        ([KNOWN], False),
        ([replace(KNOWN, addressed_by=("s1",))], True),
        ([replace(KNOWN, addressed_by=("s1",)), KNOWN], False),
        # A meaning that is only close neither makes the item missing nor, answered, makes it present.
        ([replace(CLOSE, addressed_by=("s1",))], False),
        # What was denied is no danger that a note would have to answer to be complete.
        ([replace(KNOWN, stance=Stance.DENIED, addressed_by=("s1",))], False),
        ([replace(KNOWN, addressed_by=None)], False),
    ],
)
def test_the_item_on_safety_is_present_where_every_danger_is_answered(risks: list[RiskFinding], present: bool) -> None:
    (item,) = with_risks([SAFETY], risks)
    assert item.present is present
    assert item.sentences == (("s1",) if present else ())


def test_of_a_note_that_could_not_be_read_the_ledger_knows_nothing_better() -> None:
    other = ItemVerdict("general-professionalism", None, Importance.MANDATORY, True)
    assert with_risks([SAFETY, other], [replace(KNOWN, addressed_by=None)]) == (SAFETY, other)
    assert with_risks([other], [KNOWN]) == (other,)

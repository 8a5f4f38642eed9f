"""What a rule finds in a note, and what it does not."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.documents.item_rules import RULES, decided_by_rule, rule_for
from noteeval_desktop.domain.case import Background, Visit
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from tests.factories import make_case

BODY = "Subjective\nClient feels better.\n\nPlan\nNext session in a week.\n"


def _item(rule: str, name: str = "Any", **more: Any) -> RubricItem:
    return replace(RubricItem("note-any", None, Importance.MANDATORY, name, "Any.", rule=rule), **more)


def _decided(rule: str, text: str, name: str = "Any") -> bool | None:
    case = make_case(note=parse_note(text))
    (found,) = decided_by_rule(case, Rubric("Any", "1", (_item(rule, name),)))
    return found.present


@pytest.mark.parametrize(
    ("rule", "line", "present"),
    [
        ("times", "Time: 10:00 to 10:50", True),
        ("times", "Start 2 pm, end 2:53 p.m.", True),
        ("times", "Start time: 10:00", False),
        ("times", "She sleeps 4 to 5 hours.", False),
        ("start", "Time in: 9.30 am", True),
        ("start", "Time in: 14:05", True),
        ("start", "On 9.3.2026, 2.50 mg", False),
        ("duration", "Duration: 53 minutes", True),
        ("duration", "50-min session", True),
        ("duration", "A long session", False),
        ("signature", "Signed: R. Ortiz, LCSW", True),
        ("signature", "She signed a lease.", False),
        ("credential", "R. Ortiz, LCSW-R", True),
        ("credential", "Lic. No. 12345", True),
        ("credential", "R. Ortiz", False),
        ("icd", "Diagnosis: F33.1", True),
        ("icd", "Z63.0", True),
        ("icd", "Major depression, recurrent", False),
        ("cpt", "CPT: 90837", True),
        ("cpt", "Code H0004", True),
        ("cpt", "In 2026 she moved.", False),
        ("score", "PHQ-9: 14", True),
        ("score", "GAD-7 score was 9", True),
        ("score", "C-SSRS completed", False),
        ("score", "Sleep is 7 out of 10.", True),
        ("place", "Location: office", True),
        ("place", "Session by video.", True),
        ("place", "She works at a school.", False),
        ("date", "Date of service: 11/03/2026", True),
        ("date", "3 November 2026", True),
        ("date", "Next Tuesday", False),
        ("duration", "She sleeps 5 hours and walks 45 minutes a day.", False),
        ("start", "He wakes at 3:00 am.", False),
        ("times", "The session started at 10:00 and ended at 10:50.", True),
        ("times", "He falls asleep at 12:00 am and wakes at 3:00 am.", False),
        ("date", "She moved on 3 November 2026.", False),
        ("credential", "His sister is an RN.", False),
        ("credential", "Jane Roe LMFT", True),
        ("place", "He cleans at the clinic.", False),
        ("cpt", "He owes 95000 dollars, 90210 was home.", False),
        ("score", "Sober since 9/10/2026, next on 11/10.", False),
    ],
)
def test_a_rule_finds_what_is_written_and_nothing_that_only_sounds_like_it(rule: str, line: str, present: bool) -> None:
    assert _decided(rule, f"{BODY}\n{line}\n") is present


@pytest.mark.parametrize(
    ("line", "present"),
    [("Referral source: Dr Reyes", True), ("**Referral source:** Dr Reyes", True), ("Referral source:", False)],
)
def test_a_field_is_there_once_something_stands_behind_its_name(line: str, present: bool) -> None:
    assert _decided("field", f"{line}\n\n{BODY}", "Referral source") is present


@pytest.mark.parametrize(
    ("rule", "text"),
    [("date", f"x{'a' * 4_000} 2026-11-03."), ("field", "\n" * 20_000 + "Referral: Dr Reyes")],
    ids=["long word", "blank lines"],
)
def test_a_rule_reads_a_long_text_at_once(rule: str, text: str) -> None:
    began = time.monotonic()
    assert _decided(rule, f"{BODY}\n{text}", "Referral") is (rule == "field")
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("Start and stop time", "times"),
        ("Session duration", "duration"),
        ("Clinician signature and credentials", "credential"),
        ("Clinician signature", "signature"),
        ("ICD-10 diagnosis code", "icd"),
        ("CPT code", "cpt"),
        ("Date of service", "date"),
        ("Place of service", "place"),
        ("Chief complaint", ""),
        ("Progress to date", ""),
    ],
)
def test_the_name_of_an_item_says_which_rule_decides_it(name: str, rule: str) -> None:
    assert rule_for(name) == rule


def test_every_rule_answers_every_note() -> None:
    for rule in RULES:
        assert _decided(rule, BODY) is False, rule


@pytest.mark.parametrize(
    ("item", "background", "asked"),
    [
        ({"formats": ("SOAP",)}, None, True),
        ({"formats": ("DAP",)}, None, False),
        ({"visit": Visit.FIRST}, None, True),  # nobody knows which visit it is
        ({"visit": Visit.LATER}, Background(), True),
        ({"visit": Visit.FIRST}, Background(visit=Visit.FIRST), True),
        ({"visit": Visit.LATER}, Background(visit=Visit.FIRST), False),
        ({"visit": Visit.FIRST}, Background(visit=Visit.LATER), False),
        ({"visit": Visit.LATER}, Background(visit=Visit.LATER), True),
    ],
)
def test_an_item_is_asked_of_the_notes_that_it_is_for(item: dict, background: Background | None, asked: bool) -> None:
    note = parse_note(BODY)
    found = list(
        decided_by_rule(make_case(note=note, background=background), Rubric("A", "1", (_item("times", **item),)))
    )
    assert bool(found) is asked

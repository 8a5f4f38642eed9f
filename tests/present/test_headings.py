"""A note in another format than SOAP is shown under its own headings, each once."""

from __future__ import annotations

import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.present.headings import heading_for, item_heading, sentence_heading
from noteeval_desktop.present.vocabulary import GENERAL
from noteeval_desktop.ui.editor.drafting import place_for_draft

S, OBJ, A, P = SOAP
DAP = "D: Sleeps 🙂 badly.\nA: Worried.\nP: Meet."
BIRP = "## BEHAVIOR\nSad.\n**Interventions:** Asked.\nResponse - Calmer.\nPlan: Meet."
GIRP = "Goals: Sleep.\nIntervention: Asked.\nResponse: Calmer.\nPlan: Meet."
PIE = "P: Sleeps badly.\nI: Asked.\nE: Calmer; meet."


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        (DAP, ["Data", "Assessment", "Plan"]),
        (BIRP, ["Behavior", "Interventions", "Response", "Plan"]),
        (GIRP, ["Goals", "Intervention", "Response", "Plan"]),
        (PIE, ["Problem", "Intervention", "Evaluation"]),
        ("S: Sad.\nO: Calm.\nA: Low.\nP: Meet.", ["Subjective", "Objective", "Assessment", "Plan"]),
    ],
)
def test_each_sentence_stands_under_the_heading_of_the_note(text: str, headings: list[str]) -> None:
    note = parse_note(text)
    assert [sentence_heading(note, sentence) for sentence in note.sentences] == headings


@pytest.mark.parametrize(
    ("text", "section", "item", "heading"),
    [
        (DAP, S, "subjective-symptoms", "Data"),
        (DAP, OBJ, "objective-behavior", "Data"),
        (DAP, A, "assessment-response", "Assessment"),
        (BIRP, OBJ, "objective-mental-status", "Behavior"),
        (BIRP, OBJ, "objective-interventions", "Interventions"),
        (BIRP, OBJ, "objective-therapy-activities", "Interventions"),
        (BIRP, A, "assessment-progress", "Response"),
        (GIRP, S, "subjective-goals", "Goals"),
        (GIRP, S, "subjective-symptoms", "Response"),
        (PIE, P, "plan-follow-up", "Evaluation"),
        (DAP, None, "general-safety", GENERAL),
        ("Data: a\nAssessment: b", P, "plan-homework", "Plan"),
    ],
)
def test_an_item_is_looked_for_under_one_heading(text: str, section: Section, item: str, heading: str) -> None:
    assert item_heading(parse_note(text), section, item) == heading


def test_a_draft_goes_under_the_heading_of_its_item_or_a_new_one_of_the_format() -> None:
    note = parse_note(BIRP)
    offset, text = place_for_draft(BIRP, note, OBJ, "Reviewed 🙂.", "objective-interventions")
    assert BIRP[:offset].endswith("Asked.")
    assert text == " Reviewed 🙂."
    only = "Data: a\nAssessment: b"
    assert place_for_draft(only, parse_note(only), P, "Meet.") == (len(only), "\n\nPlan:\nMeet.")
    assert heading_for("DAP", OBJ) == "Data"
    assert heading_for("BIRP", S) == "Behavior"

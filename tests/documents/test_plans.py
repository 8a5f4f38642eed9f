"""A treatment plan is read however it is laid out; what is none gets one sentence that says how to go on."""

from __future__ import annotations

import re

import docx
import pytest

from noteeval_desktop.documents import parse_plan, read_plan
from noteeval_desktop.errors import InputError

LABELLED = """TREATMENT PLAN
Client: R. C.   DOB: 04/02/1990
Diagnosis: F41.0 Panic disorder

Goal 1: Reduce panic attacks in shops (long-term).
  Objective 1a: Client will stay in the supermarket for 20 minutes
     without leaving the trolley.
  Objective 1b: Client will rate fear below 4 out of 10.
Goal 2: Sleep through the night.
Interventions: interoceptive exposure; sleep diary (daily, by the bed); psychoeducation.
Target date: 12/01/2026
"""
NUMBERED = (
    "1. Return to work\n 1.1 Applies for two jobs a week\n 1.2 Keeps a calendar\n2) Less shame\n\n"
    "Methods\n- ACT\n- Letter"
)
TERMS = (
    "LTG 1 - Stay sober\nSTG 1.1: No alcohol for 30 days\nSTG 1.2: Two meetings a week\nTx: MI, relapse prevention, CRA"
)
PROBLEM = (
    "Problem: Fights at school.\nGoal: No fights.\nObjective: Walks away.\nIntervention: Chain analysis, step by step."
)
BULLETS = (
    "Goals\n• Hands without rituals\n   - Washes ten times a day\n• Leave home on one check\n\n"
    "What we will do\n* ERP\n* Diary"
)
TABLE = "Goal\tObjective\tIntervention\nEat regularly\tThree meals a day\tMeal plan\nBear anger\tNames it\tMirror work"
PROSE = (
    "She hopes to grieve without drowning. She will tell the story once.\n\nWe will work with letters; an empty chair."
)


def short(text: str) -> list[str]:
    return [f"{line.id} {line.text}" for line in parse_plan(text).lines]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            LABELLED,
            [
                "g1 Reduce panic attacks in shops (long-term).",
                "g1.o1 Client will stay in the supermarket for 20 minutes without leaving the trolley.",
                "g1.o2 Client will rate fear below 4 out of 10.",
                "g2 Sleep through the night.",
                "i1 interoceptive exposure",
                "i2 sleep diary (daily, by the bed)",
                "i3 psychoeducation.",
            ],
        ),
        (
            NUMBERED,
            [
                "g1 Return to work",
                "g1.o1 Applies for two jobs a week",
                "g1.o2 Keeps a calendar",
                "g2 Less shame",
                "i1 ACT",
                "i2 Letter",
            ],
        ),
        (
            TERMS,
            [
                "g1 Stay sober",
                "g1.o1 No alcohol for 30 days",
                "g1.o2 Two meetings a week",
                "i1 MI",
                "i2 relapse prevention",
                "i3 CRA",
            ],
        ),
        (PROBLEM, ["g1 No fights.", "g1.o1 Walks away.", "i1 Chain analysis, step by step."]),
        (
            BULLETS,
            [
                "g1 Hands without rituals",
                "g1.o1 Washes ten times a day",
                "g2 Leave home on one check",
                "i1 ERP",
                "i2 Diary",
            ],
        ),
        (
            TABLE,
            [
                "g1 Eat regularly",
                "g1.o1 Three meals a day",
                "g2 Bear anger",
                "g2.o1 Names it",
                "i1 Meal plan",
                "i2 Mirror work",
            ],
        ),
        (
            PROSE,
            [
                "g1 She hopes to grieve without drowning.",
                "g1.o1 She will tell the story once.",
                "i1 We will work with letters",
                "i2 an empty chair.",
            ],
        ),
        (
            "1. Goal: Improve mood\n   a. Objective: walk daily\n   b) Objective: call a friend\n2. Goal: Sleep\n",
            ["g1 Improve mood", "g1.o1 walk daily", "g1.o2 call a friend", "g2 Sleep"],
        ),
        ("Problem 1: Panic in shops\nProblem 2: Poor sleep", ["g1 Panic in shops", "g2 Poor sleep"]),
        ("Goal 1: 眠れる 😀\r\nObjective 1a: vier Nächte", ["g1 眠れる 😀", "g1.o1 vier Nächte"]),
    ],
)
def test_layouts(text, lines):
    assert short(text) == lines


def test_spans_point_into_the_plans_own_text():
    plan = parse_plan(LABELLED)
    assert [" ".join(line.span.of(plan.text).split()) for line in plan.lines] == [line.text for line in plan.lines]


@pytest.mark.parametrize(
    "text", ["", "   \n", "Client slept better. Next session on Tuesday.", "Interventions: CBT; ACT"]
)
def test_a_text_without_goals_says_how_to_go_on(text):
    with pytest.raises(InputError, match=r"The treatment plan.*no goals were found.*“Goal 1:”"):
        parse_plan(text)


def test_a_long_text_is_no_plan():
    with pytest.raises(InputError, match="too long"):
        parse_plan("Goal 1: a\n" * 5_000)


def test_a_word_document_with_a_table_is_read(tmp_path):
    document = docx.Document()
    document.add_paragraph("Goal 1: Sleep through the night")
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "Objective 1a: Seven hours on five nights"
    table.cell(0, 1).text = "Intervention: sleep restriction"
    document.save(tmp_path / "plan.docx")
    assert [line.id for line in read_plan(tmp_path / "plan.docx").lines] == ["g1", "g1.o1", "i1"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("session.vtt", "WEBVTT\n\n00:01.000 --> 00:03.000\nClient: My goal is to sleep.\n", "looks like a session"),
        ("session.csv", "speaker,text\nClient,My goal is to sleep.\n", "looks like a session"),
        ("session.txt", "Therapist: What is your goal?\nClient: First, I want to sleep.\n", "looks like a session"),
        ("session.json", '[{"speaker": "Client", "text": "I want to sleep."}]', "looks like a session"),
        ("note.txt", "Subjective: He wants to sleep.\nAssessment: Insomnia.\nPlan:\n1. Diary\n2. Walks\n", "or a note"),
        ("note.json", '{"subjective": "He wants to sleep.", "plan": "1. Diary"}', "or a note"),
        ("late.txt", "Client came late.", "no goals were found"),
        ("scan.png", "\x89PNG\r\n\x1a\n\0\0", "scan.png: "),
    ],
)
def test_what_is_no_plan_is_said_with_how_to_go_on(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    with pytest.raises(InputError, match=re.escape(said)) as error:
        read_plan(tmp_path / name)
    assert str(error.value).count(". ") >= 1


@pytest.mark.parametrize("head", ["Problem: Sleep\n", "Goal: Sleep\n", "Care plan\n1. Sleep\nInterventions:\n"])
def test_a_plan_with_lines_like_speakers_or_headings_stays_one(head):
    assert (
        parse_plan(head + "Objective: Seven hours\nObjective: Five nights\nIntervention: diary").goals[0].text
        == "Sleep"
    )


def test_hostile_lines_are_read_in_time():
    with pytest.raises(InputError):
        parse_plan("(" * 20_000 + "." * 15_000)
    assert len(parse_plan("Goal 1: x\n" + "a, " * 10_000).goals) == 1

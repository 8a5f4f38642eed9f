from __future__ import annotations

import runpy
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noteeval_desktop.documents import headings as finding_headings
from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain import note as notes
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.text import normalise
from tests.growth import reading_grows_in_step

S, O, A, P, U = (  # noqa: E741
    Section.SUBJECTIVE,
    Section.OBJECTIVE,
    Section.ASSESSMENT,
    Section.PLAN,
    Section.UNASSIGNED,
)


def sections(note: Note) -> list[tuple[tuple[Section, ...], str]]:
    return [(block.sections, block.body.of(note.text)) for block in note.blocks]


def headings(note: Note) -> list[str]:
    return [block.heading.of(note.text) for block in note.blocks if block.heading]


def texts(note: Note) -> list[str]:
    return [sentence.text for sentence in note.sentences]


@pytest.mark.parametrize(
    "heading",
    [
        "S:",
        "S -",
        "S –",
        "S—",
        "s:",
        "S",
        "Subjective",
        "Subjective:",
        "subjective:",
        "SUBJECTIVE",
        "SUBJECTIVE:",
        "Subjective -",
        "Subj:",
        "## Subjective",
        "# SUBJECTIVE",
        "#### Subjective:",
        "**Subjective:**",
        "**Subjective**:",
        "**Subjective**",
        "__Subjective__",
        "## **Subjective**",
        "**S:**",
        "1. Subjective",
        "1) Subjective:",
        "I. Subjective:",
        "**1. Subjective:**",
        "Subjective (client's report):",
        "  Subjective:",
        "Subjective：",
        "[Subjective]",
        "S (Subjective):",
        "Subjective Data:",
        "SUBJECTIVE\n==========",
        "Subjective\n---",
    ],
)
def test_every_usual_heading_is_found_with_the_text_on_the_next_line(heading: str) -> None:
    note = parse_note(f"{heading}\nClient slept 🙂 well.\nPlan:\nMeet.")
    assert sections(note)[0] == ((S,), "Client slept 🙂 well.")
    assert headings(note)[0] == heading.strip()
    assert not note.warnings


@pytest.mark.parametrize(
    "heading", ["S:", "S -", "Subjective:", "SUBJECTIVE -", "**Subjective:**", "**Subjective**", "1. Subjective:", "s:"]
)
def test_text_on_the_line_of_its_heading(heading: str) -> None:
    note = parse_note(f"{heading} Client slept well.\nP: Meet.")
    assert sections(note)[0] == ((S,), "Client slept well.") or sections(note)[0][1].startswith("Client slept well.")
    assert headings(note)[0] == heading


@pytest.mark.parametrize(
    "line",
    [
        "Planning to visit",
        "Plan to meet on Friday.",
        "Assessment of risk was done.",
        "Objectively, she was calm.",
        "Subjectively worse",
        "Plans: none",
        "The plan: rest",
        "A&O x4.",
        "A calm client.",
        "S/P surgery",
        "Subjective complaints of pain were made.",
        "plan to rest - soon",
        "PTSD: in remission",
        "P.S. she called",
        "D/C from hospital",
        "Assessmenting:",
        "1. Plan to call mother.",
        "A-frame house was bought",
        "S/P: surgery",
        "A/O: x",
        "- Objective: rest",
        "Risk Assessment: low",
        "Plan of Action: rest",
        "Plan, agreed with client, is to rest.",
    ],
)
def test_words_inside_a_sentence_are_no_headings(line: str) -> None:
    note = parse_note(f"Subjective\nClient slept.\n{line}\nObjective\nCalm.")
    assert sections(note) == [((S,), f"Client slept.\n{line}"), ((O,), "Calm.")]


@pytest.mark.parametrize(
    "heading",
    [
        "Assessment & Plan",
        "ASSESSMENT AND PLAN:",
        "Assessment/Plan",
        "A/P:",
        "**A&P:**",
        "A / P -",
        "Assessment + Plan:",
    ],
)
def test_assessment_and_plan_is_one_block_of_both(heading: str) -> None:
    note = parse_note(f"S: Slept.\nO: Calm.\n{heading}\nContinue.")
    assert sections(note)[-1] == ((A, P), "Continue.")
    assert note.sentences_in(A) == note.sentences_in(P) == note.sentences[-1:]


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("Subj: a\nObj: b\nAsmt: c\nPlan: d", "SOAP", [(S,), (O,), (A,), (P,)]),
        ("HPI: a\nMSE: b\nDiagnostic impression: c\nTx plan: d", "SOAP", [(S,), (O,), (A,), (P,)]),
        (
            "Presenting problem\na\nMental status exam\nb\nCase formulation\nc\nRecommendations\nd",
            "SOAP",
            [(S,), (O,), (A,), (P,)],
        ),
        (
            "Client's Statements: a\nClinician Observations: b\nAssessment/Formulation: c\nPlan and Next Steps: d",
            "SOAP",
            [(S,), (O,), (A,), (P,)],
        ),
        ("S: a\nO: b\nAssessment and Plan: c\nRecommendations: d", "SOAP", [(S,), (O,), (A, P), (P,)]),
        ("Client report\na\nObservations\nb\nClinical impression\nc\nNext steps\nd", "SOAP", [(S,), (O,), (A,), (P,)]),
        ("Client’s statements:\na\nMental status:\nb\nAssessment:\nc\nPlan:\nd", "SOAP", [(S,), (O,), (A,), (P,)]),
        ("Data:\na\nClient report:\nb\nAssessment:\nc\nPlan:\nd", "DAP", [(S, O), (A,), (P,)]),
        ("D: a\nA: b\nP: c", "DAP", [(S, O), (A,), (P,)]),
        ("Data\na\nAssessment\nb\nPlan\nc", "DAP", [(S, O), (A,), (P,)]),
        ("B: a\nI: b\nR: c\nP: d", "BIRP", [(S, O, A), (O,), (A, S, O), (P,)]),
        ("Behaviour: a\nInterventions: b\nResponse: c\nPlan: d", "BIRP", [(S, O, A), (O,), (A, S, O), (P,)]),
        ("G - a\nI - b\nR - c\nP - d", "GIRP", [(A, S), (O,), (A, S, O), (P,)]),
        ("Goals\na\nIntervention\nb\nResponse\nc\nPlan\nd", "GIRP", [(A, S), (O,), (A, S, O), (P,)]),
        ("P: a\nI: b\nR: c\nP: d", "PIRP", [(S, O, A), (O,), (A, S, O), (P,)]),
        ("Problem: a\nIntervention: b\nResponse: c\nPlan: d", "PIRP", [(S, O, A), (O,), (A, S, O), (P,)]),
        ("S: a\nI: b\nR: c\nP: d", "SIRP", [(S, O, A), (O,), (A, S, O), (P,)]),
        ("Situation: a\nIntervention: b\nResponse: c\nPlan: d", "SIRP", [(S, O, A), (O,), (A, S, O), (P,)]),
        ("P: a\nI: b\nE: c", "PIE", [(S, O, A), (O,), (A, P, S, O)]),
        ("S: a\nO: b\nA: c\nP: d", "SOAP", [(S,), (O,), (A,), (P,)]),
        ("S: a\nO: b\nA: c\nP: d\nI: e\nE: f", "SOAPIE", [(S,), (O,), (A,), (P,), (O,), (A, P, S, O)]),
        (
            "Subjective: a\nObjective: b\nAssessment: c\nPlan: d\nInterventions: e\nEvaluation: f",
            "SOAPIE",
            [(S,), (O,), (A,), (P,), (O,), (A, P, S, O)],
        ),
        ("Subjective: a\nObjective: b\nIntervention: c\nAssessment: d\nPlan: e", "SOAP", [(S,), (O,), (A,), (P,)]),
        ("Assessment: a\nPlan: b", "SOAP", [(A,), (P,)]),
        ("P: a", "SOAP", [(P,)]),
    ],
)
def test_other_formats_map_onto_soap(text: str, form: str, expected: list[tuple[Section, ...]]) -> None:
    note = parse_note(text)
    assert note.format == form
    assert [block.sections for block in note.blocks] == expected


@pytest.mark.parametrize("names", ["Behavior Intervention Response Plan Exploration", "B I R P E"])
def test_a_new_format_with_a_heading_of_its_own_is_a_row(names: str, monkeypatch) -> None:
    places = (*notes.format_named("BIRP").places, ("Exploration", (A,)))
    row = notes.NoteFormat("BIRP-X", places, whole=True)
    monkeypatch.setattr(notes, "FORMATS", (*notes.FORMATS, row))
    find = runpy.run_path(finding_headings.__file__)["find_headings"]
    form, found = find("\n".join(f"{name}: as told" for name in names.split()))
    assert (form, [one.sections for one in found]) == ("BIRP-X", [sections for _, sections in places])


def test_labels_inside_a_soap_section_stay_in_it() -> None:
    note = parse_note(
        "Subjective: a\nObjective: b\nBP: 120/80\nP: 72\nR: 16\nPlan: c\nGoals: d\nIntervention: e\nResponse: f"
    )
    assert [block.sections for block in note.blocks] == [(S,), (O,), (P,)]


def test_text_before_the_first_heading_is_kept_and_asked_about() -> None:
    note = parse_note("Seen by video.\n\nS: Denies SI.\nP: Meet.")
    assert sections(note)[0] == ((U,), "Seen by video.")
    assert note.blocks[0].heading is None
    assert note.warnings == (
        "3 words come before the note's first heading. Please say which section the text belongs to.",
    )


def test_note_without_headings_is_kept_whole() -> None:
    note = parse_note("Denies SI. Slept.")
    assert sections(note) == [((U,), "Denies SI. Slept.")]
    assert texts(note) == ["Denies SI.", "Slept."]
    assert "no section headings" in note.warnings[0]


def test_headings_may_all_be_bullets() -> None:
    note = parse_note("* **Subjective:** a\n* **Treatment Plan:** b")
    assert sections(note) == [((S,), "a"), ((P,), "b")]


def test_markup_behind_a_plain_heading_belongs_to_the_text() -> None:
    assert sections(parse_note("S: *very* low\nP: x")) == [((S,), "*very* low"), ((P,), "x")]


def test_section_that_comes_twice_has_two_blocks() -> None:
    note = parse_note("Plan: rest.\nObjective: calm.\nPlan: call.")
    assert note.section_text(P) == "rest.\ncall."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S: Slept. O: Calm. A: Better. P: Meet.", ["S:", "O:", "A:", "P:"]),
        ("Subjective: Zoë slept 🙂. Objective: Calm! A/P: Better.", ["Subjective:", "Objective:", "A/P:"]),
        ("**Data:** Slept. **Assessment:** Ok. **Plan:** Meet.", ["**Data:**", "**Assessment:**", "**Plan:**"]),
        ("Subjective: Slept. Goals: rest. Objective: Calm. Plan: Meet.", ["Subjective:", "Objective:", "Plan:"]),
        ("Subjective: Slept. Plan: to move out. Objective: sleep.", ["Subjective:"]),
        ("Subjective: Her plan. Plan: to move out.", ["Subjective:"]),
        ("S: Slept. P: 72. Then S: she left.", ["S:"]),
        ("Subjective: Slept. Objective: sleep. Plan: x.\nPlan: Meet.", ["Subjective:", "Plan:"]),
    ],
)
def test_a_note_of_one_paragraph_has_its_headings_in_order(text: str, expected: list[str]) -> None:
    assert headings(parse_note(text)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Denies SI. Denies HI.", ["Denies SI.", "Denies HI."]),
        ("No SI/HI.", ["No SI/HI."]),
        ("A&O x4. Calm.", ["A&O x4.", "Calm."]),
        ("Seen at 10 a.m. by Dr. Lee. Calm.", ["Seen at 10 a.m. by Dr. Lee.", "Calm."]),
        ("Uses skills, e.g. breathing. Good.", ["Uses skills, e.g. breathing.", "Good."]),
        ("Tired b/c of work, f/u w/ Ms. Ode.", ["Tired b/c of work, f/u w/ Ms. Ode."]),
        ("Pt. was tired. Pt. slept.", ["Pt. was tired.", "Pt. slept."]),
        ("Took 0.5 mg. daily. Fine.", ["Took 0.5 mg. daily.", "Fine."]),
        ("Slept approx. 5 hours. Sertraline incr. 100 mg.", ["Slept approx. 5 hours.", "Sertraline incr. 100 mg."]),
        ("Takes 0.5 mg q.d. p.o. at 10 p.m. daily. Ok.", ["Takes 0.5 mg q.d. p.o. at 10 p.m. daily.", "Ok."]),
        (
            "1. Diary. 2. Rest. 3. Call Dr. Ng. 4. Dx: MS. Met Mr. Ó.",
            ["1. Diary.", "2. Rest.", "3. Call Dr. Ng.", "4. Dx: MS.", "Met Mr. Ó."],
        ),
        ("Diary 1. walk 2. rest", ["Diary", "1. walk", "2. rest"]),
        ("- Slept well\n- Denies SI\n* Ate", ["- Slept well", "- Denies SI", "* Ate"]),
        (
            "D. cried when R. took a call. R. left (D. stayed). Saw D.",
            ["D. cried when R. took a call.", "R. left (D. stayed).", "Saw D."],
        ),
        ("1. Call. Soon.\n2. Rest", ["1. Call.", "Soon.", "2. Rest"]),
        ("患者は眠れない。不安がある。", ["患者は眠れない。", "不安がある。"]),
        ("نام أربع ساعات. هادئ.", ["نام أربع ساعات.", "هادئ."]),
        ("Slept 🙂. Ate 👩‍👩‍👧. Ok", ["Slept 🙂.", "Ate 👩‍👩‍👧.", "Ok"]),
        ("Sleep: poor", ["Sleep: poor"]),
        ("Slept.\n---\nAte.", ["Slept.\n---", "Ate."]),
        ("?", ["?"]),
        (
            "Client reports that over the last two weeks the evenings have been\nquieter than before. Slept.",
            ["Client reports that over the last two weeks the evenings have been\nquieter than before.", "Slept."],
        ),
    ],
)
def test_sentences(body: str, expected: list[str]) -> None:
    assert texts(parse_note(f"Subjective\n{body}\nPlan\nMeet.")) == [*expected, "Meet."]


def check_coverage(note: Note) -> None:
    marks = [0] * len(note.text)
    for sentence in note.sentences:
        assert sentence.span.of(note.text) == sentence.text == sentence.text.strip() != ""
        for position in range(sentence.span.start, sentence.span.end):
            marks[position] += 1
    for block in note.blocks:
        if block.heading:
            for position in range(block.heading.start, block.heading.end):
                marks[position] += 1
    for character, mark in zip(note.text, marks, strict=True):
        assert mark == 1 or (not mark and character.isspace()) or (mark == 1 and character.isspace())


WORDS = [
    "Plan",
    "S:",
    "A/P -",
    "## Objective",
    "Dr.",
    "Pt. ",
    "slept",
    "Denies SI.",
    "- ",
    "1. ",
    "a) ",
    "患者。",
    "👩‍👩‍👧",
]
SIGNS = [
    "/",
    ":",
    "-",
    "\n",
    "\n\n",
    " ",
    ". ",
    "“",
    "”",
    '"',
    "'",
    "(",
    ")",
    "\u202eab",
    "\ufeff",
    "\r\n",
    "\t",
    "\x00",
    "...",
    "?!",
    "*",
]
PIECES = st.sampled_from([*WORDS, *SIGNS, "e\u0301", "&"])


@given(st.lists(PIECES | st.text(max_size=12), max_size=40).map("".join))
def test_every_visible_character_is_in_one_heading_or_one_sentence(text: str) -> None:
    note = parse_note(text)
    assert note.text == normalise(note.text)
    check_coverage(note)


@given(st.text())
def test_normalise_is_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_lone_surrogates_and_hidden_characters_are_taken_out_and_said() -> None:
    note = parse_note("Plan: re\u200bst.\ud800")
    assert "rest." in note.text
    note.text.encode()
    assert note.warnings == ("1 hidden character was removed from the note.",)


@pytest.mark.parametrize(
    "text",
    [
        "1. item a) b) c) " * 4_000,
        "1. item a) b) c)\n" * 2_000,
        "x" * 2_000_000,
        "'" * 50_000,
        "\"('" * 20_000,
        ". " * 50_000,
        "*" * 100_000,
        "Subjective (" * 20_000,
        "#" * 50_000 + " Plan",
        "Plan:\n" * 5_000,
        " " * 200_000 + "x",
        "\n" * 200_000,
        "(a.b. 'A) " * 200,
        ("J. “K” (l) m.n. " * 60 + "\n") * 50,
        ("Dr. e.g. i.e. 10 a.m. 3.5 U.S. " * 40 + "\n") * 60,
    ],
    ids=range(15),
)
def test_hostile_text_takes_no_longer_than_it_is_long(text: str) -> None:
    assert reading_grows_in_step(parse_note, text)


def test_a_note_that_changed_by_a_letter_costs_a_small_part_of_a_new_one() -> None:
    parse_note("Warm up.")
    line = "Client {} reports that {} evenings were hard, and that Dr. Ode advised rest. Denies SI. Slept {} hours."
    text = "Subjective\n" + "\n".join(line.format(n, n, n) for n in range(105))
    assert len(text.split()) > 1_900
    begin = time.process_time()
    parse_note(text)
    cold = time.process_time() - begin
    begin = time.process_time()
    parse_note(text + " x")
    assert time.process_time() - begin < cold / 3


@pytest.mark.parametrize("text", ["", "\n\n", "\n\nSubjective:\nSleeps well."])
def test_nothing_before_the_first_heading_is_nothing_to_ask_about(text: str) -> None:
    assert parse_note(text).warnings == ()

"""An agency's form of 20 items: imported, judged, reviewed and printed; and the checklists that ship."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import jsonschema
import pytest
from openpyxl import Workbook

from noteeval_desktop import checklists, documents, paths
from noteeval_desktop.cli import main
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.findings import ItemState, item_state
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.domain.review import ClaimMark, Dimension, ItemMark, NeedMark, Rating, Review, ReviewKind
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.evaluate import Question, evaluate, final
from noteeval_desktop.judges import builtin
from noteeval_desktop.present.card import checklist
from noteeval_desktop.present.scores import statements
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.feedback import feedback
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from noteeval_desktop.report.scorecard_page import EVERYTHING, scorecard_page
from noteeval_desktop.ui.supervision.feedback_window import points
from noteeval_desktop.ui.supervision.passes import CompletenessPass
from tests.sample_evaluation import sample_evaluation

SAMPLE = paths.resources() / "sample"
FORM = (
    ("Riverside Counseling: chart audit",),
    ("#", "Element", "What belongs there", "Section", "Required", "Reviewer initials"),
    ("1", "Date of service", "", "Header", "must", ""),
    ("2", "Start and stop time", "", "Header", "must", ""),
    ("3", "Place of service", "", "Header", "should", ""),
    ("4", "CPT code", "", "Header", "should", ""),
    ("5", "ICD-10 code", "", "Header", "should", ""),
    ("6", "Chief complaint", "", "Subjective", "must", ""),
    ("7", "Symptoms", "", "Subjective", "must", ""),
    ("8", "Sleep", "Hours, waking, and what helps.", "Subjective", "should", ""),
    ("9", "Observed behaviour", "", "Objective", "must", ""),
    ("10", "Interventions", "", "Objective", "must", ""),
    ("11", "Outcome measure", "A scale with its score.", "Objective", "may", ""),
    ("12", "Diagnosis or symptoms", "", "Assessment", "must", ""),
    ("13", "Medical necessity", "Why treatment is needed now.", "Assessment", "must", ""),
    ("14", "Response to interventions", "", "Assessment", "must", ""),
    ("15", "Progress towards goals", "", "Assessment", "must", ""),
    ("16", "Follow-up", "", "Plan", "must", ""),
    ("17", "Homework", "", "Plan", "may", ""),
    ("18", "Referrals", "To whom and why.", "Plan", "may", ""),
    ("19", "Clinician signature", "", "Header", "must", ""),
    ("20", "Credentials", "", "Header", "must", ""),
)


@pytest.fixture(scope="module")
def form(tmp_path_factory: pytest.TempPathFactory) -> Path:
    book, path = Workbook(), tmp_path_factory.mktemp("form") / "audit.xlsx"
    sheet = book.active
    assert sheet is not None
    for row in FORM:
        sheet.append(list(row))
    book.save(path)
    return path


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTEEVAL_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def judged(form: Path, encoder: LlamaEmbedder):
    read = documents.read_checklist(form, checklists.shipped_rubric())
    assert not read.problems
    case = Case(documents.read_transcript(SAMPLE / "transcript.vtt"), documents.read_note(SAMPLE / "note.md"))
    return final(evaluate(case, builtin.load(encoder, read.rubric), (Question.COVER, Question.NEED))).evaluation


def test_an_agencys_form_is_judged_by_rule_by_the_quick_check_and_left_open_item_by_item(judged) -> None:
    assert judged.complete
    assert judged.problems == ()
    assert judged.rubric.name == "Riverside Counseling: chart audit"
    states = {item.item: item_state(item, judged) for item in judged.checklist}
    assert len(states) == 20
    left = [item for item, state in states.items() if state is ItemState.NOT_CHECKED]
    assert left == [
        "subjective-sleep",
        "assessment-medical-necessity",
        "plan-referrals",
    ]
    assert states["note-start-and-stop-time"] is ItemState.MISSING
    assert states["subjective-symptoms"] is ItemState.COVERED
    score = judged.scores.completeness
    assert (score.total, score.unjudged) == (20, 3)
    assert "not comparable with TN-Eval" in statements(judged)[0].detail
    assert "3 not checked" in statements(judged)[0].detail


def test_what_the_quick_check_calls_needed_is_said_to_go_by_tn_eval(judged, encoder: LlamaEmbedder) -> None:
    """It has learned no other checklist; what a rule of the form finds is needed all the same."""
    said = "Which sentences are needed is judged by TN-Eval’s checklist: the quick check has learned no other."
    assert [one.detail for one in statements(judged)][1:] == [said, ""]
    assert said in html(scorecard_page(judged, rubric=judged.rubric, appendix=EVERYTHING))
    reasons = " ".join(one.need.rationale for one in judged.sentences)
    assert "on TN-Eval's checklist for" in reasons
    assert "on the checklist" not in reasons
    met, late = "Session started at 10:00 am and ended at 10:50 am.", "The weather was fine and the bus was late."
    before = "Client sleeps three hours a night."
    note = documents.parse_note(
        f"Subjective\n{before}\n{late}\nAssessment\nDepression.\nPlan\n{met}\nReturn in a week."
    )
    needs = {}
    for rubric in (checklists.shipped_rubric(), judged.rubric):
        case = Case(judged.case.transcript, note)
        found = final(evaluate(case, builtin.load(encoder, rubric), (Question.COVER, Question.NEED))).evaluation
        needs[rubric.name] = {one.sentence.text: (one.need.needed, one.need.items) for one in found.sentences}
    (shipped, own) = needs.values()
    assert (shipped[met][0], own[met]) == (False, (True, ("note-start-and-stop-time",)))
    assert own[late] == shipped[late]


def test_the_case_keeps_the_checklist_in_json_and_csv(judged) -> None:
    data = evaluation_to_json(judged)
    schema = json.loads((paths.resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))
    jsonschema.validate(data, schema)
    again = evaluation_from_json(json.loads(json.dumps(data)))
    assert again.rubric == judged.rubric
    assert again.checklist == judged.checklist
    rows = list(csv.DictReader(evaluation_to_csv(judged).splitlines()))
    assert (rows[0]["kind"], rows[0]["id"], rows[0]["result"]) == ("checklist", judged.rubric.name, "1")
    told = {row["id"]: row["result"] for row in rows if row["kind"] == "item"}
    assert told["subjective-sleep"] == "not checked"
    assert told["note-start-and-stop-time"] == "missing"


def test_a_supervisor_marks_every_item_of_the_form_and_it_is_printed(judged) -> None:
    note, rubric, now = judged.case.note, judged.rubric, datetime(2026, 11, 3, 10)
    places = CompletenessPass(note, rubric).places
    assert {place.id for place in places} == {item.id for item in rubric.items}
    marks = tuple(ItemMark(place.id, place.id != "plan-referrals") for place in places)
    sentences = [one.id for one in note.sentences if set(one.sections) & set(SOAP)]
    begun = Review(
        "r1",
        ReviewKind.SUPERVISION,
        "Ruth",
        note.sha256,
        now,
        items=marks,
        needs=tuple(NeedMark(one, ("subjective-symptoms",)) for one in sentences),
        claims=tuple(ClaimMark(one, Verdict.SUPPORTED) for one in sentences),
        ratings=(Rating(Dimension.COMPLETENESS, 2), Rating(Dimension.FAITHFULNESS, 5, Section.PLAN)),
        acceptance=4,
    )
    review = begun.submit(note, rubric, now)
    given = feedback(review, judged, checklists.shipped_rubric())
    assert (given.supervisor.completeness.done, given.supervisor.completeness.total) == (19, 20)
    page = html(
        scorecard_page(judged, rubric=checklists.shipped_rubric(), when=now, review=review, appendix=EVERYTHING)
    )
    assert "checklist Riverside Counseling: chart audit 1" in page
    assert "not comparable with TN-Eval" in page
    assert "Medical necessity" in page
    told = " ".join(re.sub("<[^>]+>", " ", page[page.index(">Ratings<") :]).split())
    assert "Dimension Plan Whole note Completeness – 2 of 5 Faithfulness 5 of 5 –" in told
    assert "How many of the 20 checklist items the note covers." in page
    assert "listed but not counted" not in page
    assert "Riverside Counseling: chart audit 1: The practice's own." in " ".join(page.replace("&#x27;", "'").split())
    assert "Item ids" not in page


def test_a_published_checklist_is_told_as_one() -> None:
    told = html(scorecard_page(sample_evaluation(), rubric=checklists.shipped_rubric(), appendix=EVERYTHING))
    assert "How many of the 23 checklist items the note covers." in told
    assert "3 items of the whole note are listed but not counted." in told
    assert "Item ids and definitions of the scores follow Shah et al." in told


def test_an_item_of_a_name_alone_does_not_say_it_twice(judged) -> None:
    rubric = judged.rubric
    alone = next(item for item in rubric.items if item.id == "note-date-of-service")
    assert (alone.description, alone.more) == (alone.name, "")
    assert rubric.item("subjective-sleep").more == "Hours, waking, and what helps."
    told = {place.id: place.explained for place in CompletenessPass(judged.case.note, rubric).places}
    rows = {row.item.id: row.description for _, rows in checklist(judged, rubric) for row in rows}
    assert told[alone.id] == rows[alone.id] == ""
    begun = Review("r1", ReviewKind.SUPERVISION, "Ruth", judged.case.note.sha256, datetime(2026, 11, 3))
    lacks = replace(begun, items=(ItemMark(alone.id, False), ItemMark("subjective-sleep", False)))
    assert [one.said for one in points(lacks, judged.case.note, rubric)] == [
        "Date of service",
        "Sleep: Hours, waking, and what helps.",
    ]


@pytest.mark.parametrize("rubric", checklists.ready_made(), ids=lambda one: one.name)
def test_a_ready_made_checklist_is_whole_by_schema_and_says_what_it_is(rubric) -> None:
    schema = json.loads((paths.resources() / "schema" / "noteeval.checklist-1.json").read_text("utf-8"))
    data = json.loads(documents.checklists.checklist_bytes(rubric))
    jsonschema.validate(data, schema)
    assert not documents.checklists.from_file(json.dumps(data), "any").problems
    assert "a starting point, not legal advice" in rubric.source
    assert any(year in rubric.source for year in map(str, range(2000, 2027)))
    tn_eval = {item.id: item for item in checklists.shipped_rubric().items}
    for item in rubric.items:
        if item.id in tn_eval:  # judged by what was learned of TN-Eval's own words
            assert (item.name, item.explained) == (tn_eval[item.id].name, tn_eval[item.id].explained)


def test_own_checklists_are_kept_renamed_and_removed() -> None:
    first, second = (checklists.ready_made()[n] for n in (0, 1))
    odd = [first.__class__(name, "1", second.items) for name in ("Форма", "Ωmega", "A/B", "A B")]
    for one in odd:
        checklists.keep_checklist(one)
    assert sorted(one.name for one in checklists.own_checklists()[0]) == sorted(one.name for one in odd)
    checklists.keep_checklist(first.__class__("C", "2", first.items), "A/B")
    assert checklists.named("a/b") is None
    assert checklists.named("c") == first.__class__("C", "2", first.items)
    checklists.remove_checklist("C")
    assert len(checklists.own_checklists()[0]) == 3


def test_a_damaged_file_of_ones_own_hides_no_other() -> None:
    checklists.keep_checklist(checklists.ready_made()[0])
    (checklists.own_folder() / "broken.json").write_text("{", encoding="utf-8")
    own, problems = checklists.own_checklists()
    assert len(own) == 1
    assert "broken.json" in problems[0]


@pytest.mark.parametrize(
    ("asked", "said"),
    [("no such list", "no such list"), ("{form}", "Row 3: the item has no text")],
)
def test_the_command_line_refuses_what_it_cannot_use_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: str, said: str
) -> None:
    table = tmp_path / "form.csv"
    table.write_text("Item,Description\nA,one\n,two\n", encoding="utf-8")
    files = ["--transcript", str(SAMPLE / "transcript.vtt"), "--note", str(SAMPLE / "note.md")]
    assert main(["evaluate", *files, "--checklist", asked.format(form=table)]) == 2
    assert said in capsys.readouterr().err


def test_the_command_line_judges_a_batch_by_a_ready_made_checklist(
    tmp_path: Path, encoder: LlamaEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "pairs.csv"
    (tmp_path / "t.txt").write_text("Therapist: How are you?\nClient: I feel safe again.\n", encoding="utf-8")
    (tmp_path / "n.txt").write_text("Plan\nNext session on Tuesday.\n", encoding="utf-8")
    pairs.write_text("transcript,note,id\nt.txt,n.txt,one\n", encoding="utf-8")
    made = lambda options, rubric, closing: builtin.load(encoder, rubric)  # noqa: E731
    arguments = ["batch", "--pairs", str(pairs), "--out-dir", str(tmp_path / "out"), "--checklist", "crisis-session"]
    assert main([*arguments, "--judge", "builtin", "--jobs", "1"], made) == 0
    data = json.loads((tmp_path / "out" / "one.json").read_text("utf-8"))
    assert data["rubric"]["name"] == "Crisis session note"
    assert data["judge"]["rubric"] == checklists.named("crisis-session").fingerprint

"""A note beside its client's treatment plan: from the plan's file to every file that is written."""

from __future__ import annotations

import csv
import io
import json
import threading
from datetime import datetime

import jsonschema
import pytest

from noteeval_desktop import batch, cli, paths
from noteeval_desktop.compliance.goals import on_goals
from noteeval_desktop.documents import parse_plan
from noteeval_desktop.domain.case import Background
from noteeval_desktop.domain.decisions import Decision, DecisionKind, link_subject, with_decided_links
from noteeval_desktop.domain.plan import GoalProgress, PlanLink, Thread
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.present.thread import goals_over_time, thread_rows, thread_summary, thread_trust
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from noteeval_desktop.report.many.reading import row_of
from noteeval_desktop.report.parquet import ABOUT, note_row
from noteeval_desktop.report.scorecard_page import scorecard_page
from noteeval_desktop.research.benchmark_plans import read_planned_notes, run_plans
from tests.batch_outcomes import outcomes
from tests.factories import make_case
from tests.sample_evaluation import SAMPLE, sample_rubric
from tests.scripted_judge import ScriptedJudge

PLAN = """Client: R. C.
Goal 1: Drink at weekends only
 Objective 1a: Two evenings a week
Goal 2: Sleep through the night
Goal 3: See friends
Interventions: breathing exercise
"""
# Of the factory's case: s1 "Client reports drinking four times a week.", s2 "Client wants to sleep through the night."
READ = Thread(
    parse_plan(PLAN),
    (PlanLink("s1", "g1.o1", GoalProgress.BETTER),),
    (PlanLink("1", "g1"), PlanLink("5", "g2"), PlanLink("4", "i1")),
    read=True,
)
GUESSED = Thread(parse_plan(PLAN), (PlanLink("s1", "g1.o1", probability=0.62),))
SCHEMA = json.loads((paths.resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))


class Follows(ScriptedJudge):
    found = READ

    def thread(self, case, cancel):
        yield self.found


def evaluated(thread=READ):
    judge = Follows()
    judge.found = thread
    case = make_case(background=Background(plan=thread.plan))
    return final(evaluate(case, judge)).evaluation


def test_nobody_is_asked_without_a_plan():
    assert final(evaluate(make_case(), Follows())).evaluation.thread is None


def test_what_a_model_read_says_which_goals_are_left_out():
    thread = evaluated().thread
    assert [goal.id for goal in thread.untouched] == ["g2", "g3"]
    assert [goal.id for goal in thread.in_session_only] == ["g2"]
    assert evaluated(GUESSED).thread.untouched == ()


def test_rows_tell_each_goal_and_intervention():
    rows = thread_rows(evaluated())
    assert [(row.name, row.session, row.note) for row in rows] == [
        ("Goal 1", "turn 2", "in the note: better"),
        ("Goal 2", "turn 6", "in the session, not in the note"),
        ("Goal 3", "", "not in the note"),
        ("Intervention 1", "turn 5", "in the session, not in the note"),
    ]
    assert thread_summary(rows) == "The note addresses 1 of 3 goals in the plan."
    guessed = thread_rows(evaluated(GUESSED))
    assert [row.note for row in guessed] == [
        "perhaps in the note",
        *("nothing found by the quick check",) * 2,
        "only the full check looks for this",
    ]


def test_a_scorecard_says_how_often_a_guess_is_wrong_as_the_window_does():
    said = thread_trust(thread_rows(evaluated(GUESSED)))
    assert "two in five of its guesses are wrong" in said
    for thread, told in ((GUESSED, 1), (READ, 0)):
        parts = scorecard_page(evaluated(thread), rubric=sample_rubric()).parts
        assert [getattr(part, "text", "") for part in parts].count(said) == told


def test_a_goal_of_the_session_alone_is_a_remark():
    (remark,) = on_goals(READ)
    assert "Goal 2 of the treatment plan, “Sleep through the night”" in remark.says
    assert list(on_goals(GUESSED)) == []
    assert [one.rule for one in evaluated().remarks if one.kind == "treatment plan"] == ["goal-not-in-note-g2"]


@pytest.mark.parametrize(
    ("line", "sentence", "kind", "left"),
    [
        ("g1.o1", "s1", DecisionKind.ATTEST, [("s1", "g1.o1", None)]),
        ("g1.o1", "s1", DecisionKind.DISMISS, []),
        ("g2", "s2", DecisionKind.ATTEST, [("s1", "g1.o1", 0.62), ("s2", "g2", None)]),
        ("g2", "s2", DecisionKind.DISMISS, [("s1", "g1.o1", 0.62)]),
    ],
)
def test_a_person_s_word_on_a_link_stands(line, sentence, kind, left):
    note = make_case().note
    text = next(one.text for one in note.sentences if one.id == sentence)
    subject = link_subject(next(one.text for one in GUESSED.plan.lines if one.id == line), text)
    thread = with_decided_links(GUESSED, note, [Decision(kind, subject, "Said so.", datetime(2026, 3, 4))])
    assert [(link.place, link.line, link.probability) for link in thread.note] == left


def test_json_holds_it_by_schema_and_reads_back():
    evaluation = evaluated()
    data = evaluation_to_json(evaluation)
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    told = data["treatment_plan"]
    assert told["note"] == [{"sentence": "s1", "line": "g1.o1", "progress": "better", "probability": None}]
    assert [(one["turn"], one["line"]) for one in told["session"]] == [(1, "g1"), (5, "g2"), (4, "i1")]
    assert (told["untouched"], told["in_session_only"], told["read"]) == (["g2", "g3"], ["g2"], True)
    assert evaluation_from_json(json.loads(json.dumps(data))).thread == evaluation.thread
    bare = evaluation_to_json(evaluation, text=False)
    jsonschema.Draft202012Validator(SCHEMA).validate(bare)
    assert "weekends" not in json.dumps(bare)


def test_csv_has_a_row_for_each_line_of_the_plan():
    rows = [row for row in csv.DictReader(io.StringIO(evaluation_to_csv(evaluated()))) if row["kind"] == "plan"]
    assert [(row["id"], row["result"], row["reason"], row["turns"]) for row in rows] == [
        ("g1", "in the note: better", "s1", "2"),
        ("g2", "in the session, not in the note", "", "6"),
        ("g3", "not in the note", "", ""),
        ("i1", "in the session, not in the note", "", "5"),
    ]


def test_the_command_reads_the_plan_and_says_what_is_wrong_with_one(tmp_path, capsys):
    (tmp_path / "plan.txt").write_text(PLAN, "utf-8")
    (tmp_path / "other.txt").write_text("Client came late.", "utf-8")
    given = ["evaluate", "--transcript", str(SAMPLE / "transcript.vtt"), "--note", str(SAMPLE / "note.md")]
    files = ["--json", str(tmp_path / "o.json"), "--html", str(tmp_path / "o.html"), "--pdf", str(tmp_path / "o.pdf")]
    assert cli.main([*given, "--plan", str(tmp_path / "plan.txt"), *files], lambda *_: Follows()) == 0
    printed = capsys.readouterr().out
    assert "Treatment plan: The note addresses 1 of 3 goals in the plan." in printed
    assert "weekends" not in printed
    assert json.loads((tmp_path / "o.json").read_text("utf-8"))["treatment_plan"]["untouched"] == ["g2", "g3"]
    assert "Goal 2: Sleep through the night" in (tmp_path / "o.html").read_text("utf-8")
    assert cli.main([*given, "--plan", str(tmp_path / "other.txt")], lambda *_: Follows()) == 2
    assert capsys.readouterr().err.startswith("noteeval: other.txt: no goals were found in it.")


@pytest.mark.parametrize(("thread", "counted"), [(READ, (3, 1, 0)), (GUESSED, (3, 0, 1))])
def test_many_notes_count_the_goals_touched(thread, counted):
    data = evaluation_to_json(evaluated(thread))
    assert row_of(data).goals == counted
    row = note_row(dict.fromkeys(ABOUT, ""), data)
    assert tuple(row[name] for name in ("plan_goals", "goals_touched", "goals_perhaps")) == counted
    assert row_of(evaluation_to_json(final(evaluate(make_case(), Follows())).evaluation)).goals is None


def test_goals_over_time_are_those_of_the_latest_plan():
    """A goal that was worded otherwise, or was not there, has no row in that note."""
    before = thread_rows(evaluated(Thread(parse_plan(PLAN.replace("See friends", "Work again")), READ.note, read=True)))
    read, guessed = thread_rows(evaluated()), thread_rows(evaluated(GUESSED))
    courses = goals_over_time([before, guessed, read])
    assert [(one.line.id, one.untouched, [row and row.note for row in one.rows]) for one in courses] == [
        ("g1", 0, ["in the note: better", "perhaps in the note", "in the note: better"]),
        ("g2", 3, ["not in the note", "nothing found by the quick check", "in the session, not in the note"]),
        ("g3", 2, [None, "nothing found by the quick check", "not in the note"]),
    ]
    assert goals_over_time([]) == ()


def test_many_notes_have_a_column_for_it_and_another_plan_is_judged_again(tmp_path):
    for name in ("transcript.vtt", "note.md"):
        (tmp_path / name).write_bytes((SAMPLE / name).read_bytes())
    (tmp_path / "plan.txt").write_text(PLAN, "utf-8")
    (tmp_path / "pairs.csv").write_text(
        "transcript,note,plan\ntranscript.vtt,note.md,plan.txt\ntranscript.vtt,note.md,\n", "utf-8"
    )
    pairs = batch.read_pairs(tmp_path / "pairs.csv")
    assert [pair.plan and pair.plan.name for pair in pairs] == ["plan.txt", None]
    (tmp_path / "out").mkdir()
    plan = batch.Plan(tmp_path / "out", resume=True)
    first = outcomes(pairs, Follows, plan)
    assert [(one.evaluation["treatment_plan"] or {}).get("untouched") for one in first] == [["g2", "g3"], None]
    assert [one.status for one in outcomes(pairs, Follows, plan)] == ["resumed", "resumed"]
    (tmp_path / "plan.txt").write_text(PLAN.replace("friends", "family"), "utf-8")
    assert [one.status for one in outcomes(pairs, Follows, plan)] == ["done", "resumed"]


def test_the_benchmark_counts_links_found_and_wrong(tmp_path):
    plan = "Goal 1: Sleep\nGoal 2: Work\nInterventions: diary\n"
    goals = [{"id": f"g{n}", "text": text, "objectives": []} for n, text in ((1, "Sleep"), (2, "Work"))]
    links = [
        {"sentence": "Slept four nights.", "to": ["g1"], "progress": "better"},
        {"sentence": "We filled in the diary.", "to": ["i1"], "progress": "none"},
    ]
    text = "Slept four nights. We filled in the diary. The cat is ill."
    notes = [{"date": "2026-03-04", "text": text, "links": links, "untouched": ["g2"]}]
    told = {"plan_text": plan, "goals": goals, "interventions": [{"id": "i1", "text": "diary"}], "notes": notes}
    (tmp_path / "x01.json").write_text(json.dumps(told), "utf-8")
    (note,) = read_planned_notes(tmp_path)
    judge = Follows()
    wrong = PlanLink("s3", "g1")
    judge.found = Thread(note.plan, (PlanLink("s1", "g1", GoalProgress.BETTER), wrong), read=True)
    result = run_plans([note], judge, threading.Event())
    assert {name: value["share"] for name, value in result.items() if isinstance(value, dict)} == {
        "line: found": 0.5,
        "line: right": 0.5,
        "goal: found": 1.0,
        "goal: right": 0.5,
        "intervention: found": 0.0,
        "intervention: right": None,
        "progress right": 1.0,
        "progress right, where it is said": 1.0,
        "untouched goals: found": 1.0,
        "untouched goals: right": 1.0,
        "a goal's first sentence: right": 1.0,
    }

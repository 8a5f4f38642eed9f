from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from noteeval_desktop import batch
from noteeval_desktop.domain.evaluation import JudgeIdentity
from noteeval_desktop.errors import InputError
from tests.batch_outcomes import aggregated, outcomes
from tests.sample_evaluation import SAMPLE, sample_case, sample_judge, sample_rubric
from tests.scripted_judge import ScriptedJudge


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("transcript.vtt", "note.md"):
        (tmp_path / name).write_bytes((SAMPLE / name).read_bytes())
    return tmp_path


def _pairs(folder: Path, text: str, encoding: str = "utf-8") -> tuple[batch.Pair, ...]:
    (folder / "pairs.csv").write_text(text, encoding=encoding)
    return batch.read_pairs(folder / "pairs.csv")


def _judge() -> ScriptedJudge:
    return sample_judge(sample_case())


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("transcript,note\ntranscript.vtt,note.md\n", "utf-8-sig"),
        ("Transcript , NOTE\r\ntranscript.vtt,note.md\r\n\r\n", "utf-8"),
        ("id;transcript;note\ncase-001;transcript.vtt;note.md\n", "utf-8"),
    ],
)
def test_lists_as_spreadsheets_write_them(folder: Path, text: str, encoding: str) -> None:
    (pair,) = _pairs(folder, text, encoding)
    assert (pair.id, pair.problem) == ("case-001", "")
    assert pair.transcript.is_file()
    assert pair.note.is_file()


SAID = "Therapist: How are you?\nClient: Müde, I drink four beers."
WROTE = "Subjective: Drinks four beers."
JSON_ROW = {
    "id": "x",
    "transcript": [{"speaker": "Client", "text": "I drink."}],
    "note": {"plan": "Meet 😴."},
    "age": 41,
}


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        (f'Transcript\tNote\tSite\n"{SAID}"\t"{WROTE}"\tNord\n', "utf-16", {"Site": "Nord"}),
        (f'transcript;note_text;arm\n"{SAID}";Noncontributory.;B\n', "utf-8", {"arm": "B"}),
        (json.dumps(JSON_ROW), "utf-8", {"age": "41"}),
        (json.dumps(JSON_ROW) + "\n\n", "utf-8-sig", {"age": "41"}),
        (json.dumps([JSON_ROW], indent=1), "utf-8", {"age": "41"}),
    ],
)
def test_a_list_may_hold_the_texts_themselves_and_columns_of_its_own(
    tmp_path: Path, text: str, encoding: str, expected: dict[str, str]
) -> None:
    (pair,) = _pairs(tmp_path, text, encoding)
    case = batch.read_case(pair)
    assert (pair.problem, pair.columns, pair.inputs) == ("", expected, ())
    assert len(case.note.sentences) == 1
    assert "drink" in case.transcript.turns[-1].text


def test_what_a_row_says_besides_stands_with_its_result(folder: Path) -> None:
    text = f'id,transcript,note_text,Site\na,transcript.vtt,"{WROTE}",Nord\nb,transcript.vtt,,Süd\n'
    pairs, plan = _pairs(folder, text), batch.Plan(folder)
    result = aggregated(plan, outcomes(pairs, _judge, plan))
    assert [(case["status"], case["columns"]) for case in result["cases"]] == [
        ("done", {"Site": "Nord"}),
        ("failed", {"Site": "Süd"}),
    ]
    assert "beers" not in (folder / "cases.jsonl").read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "lists no case"),
        (b"a,b\n1,2\n", "no column transcript and note"),
        (b"transcript,note\n", "lists no case"),
        ("transcript,note\nä,b\n".encode("cp1252"), "not in UTF-8"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(folder: Path, content: bytes, problem: str) -> None:
    (folder / "pairs.csv").write_bytes(content)
    with pytest.raises(InputError, match=problem):
        batch.read_pairs(folder / "pairs.csv")


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "x" * 200, "a\\b", "con:1"])
def test_an_id_never_leaves_the_folder(folder: Path, name: str) -> None:
    (pair,) = _pairs(folder, f"id,transcript,note\n{name},transcript.vtt,note.md\n")
    assert "cannot be a file name" in pair.problem


def test_each_case_tells_what_it_took_itself(folder: Path) -> None:
    pairs = _pairs(folder, "id,transcript,note\na,transcript.vtt,note.md\nb,transcript.vtt,note.md\n")
    found = outcomes(pairs, _judge, batch.Plan(folder))
    first, second = (outcome.evaluation["usage"]["calls"] for outcome in found if outcome.evaluation)
    assert first == second > 0


def test_no_result_takes_the_place_of_a_note(folder: Path) -> None:
    note = json.dumps({"subjective": "Slept 😴.", "plan": "Meet."})
    (folder / "b.json").write_text(note, "utf-8")
    pairs = _pairs(folder, "id,transcript,note\na,transcript.vtt,b.json\nb,transcript.vtt,note.md\n")
    first, second = outcomes(pairs, _judge, batch.Plan(folder))
    assert first.status == "done"
    assert (second.status, "overwrite" in second.problem) == ("failed", True)
    assert (folder / "b.json").read_text("utf-8") == note


def test_a_bad_row_does_not_stop_the_others(folder: Path) -> None:
    pairs = _pairs(
        folder,
        "id,transcript,note,clinician\n"
        "a,transcript.vtt,note.md,Mara\n"
        "b,missing.vtt,note.md,Mara\n"
        "A,transcript.vtt,note.md,Jon\n"
        "c,,note.md,Jon\n"
        "d,transcript.vtt,note.md,Jon\n",
    )
    plan = batch.Plan(folder, jobs=2)
    found = outcomes(pairs, _judge, plan)
    assert [outcome.status for outcome in found] == ["done", "failed", "failed", "failed", "done"]
    assert [outcome.problem != "" for outcome in found] == [False, True, True, True, False]
    assert sorted(path.name for path in folder.glob("*.json")) == ["a.json", "d.json"]
    result = aggregated(plan, found)
    assert result["summary"]["evaluations"] == 2
    assert set(result["clinicians"]) == {"Mara", "Jon"}
    assert [case["problem"] is None for case in result["cases"]] == [True, False, False, False, True]


def test_the_aggregate_counts_misses_and_hallucinations(folder: Path) -> None:
    pairs = _pairs(folder, "transcript,note\ntranscript.vtt,note.md\ntranscript.vtt,note.md\n")
    plan = batch.Plan(folder)
    whole = aggregated(plan, outcomes(pairs, _judge, plan))
    result = whole["summary"]
    assert result["means"]["completeness"] == pytest.approx(20 / 23)
    assert result["hallucinations"]["contradicted"] == 8
    assert result["hallucinations"]["by_severity"] == {"high": 6, "medium": 6, "low": 0}
    assert {"item": "subjective-history", "importance": "mandatory", "missed": 2, "judged": 2} in result[
        "recurring_misses"
    ]
    assert sum(result["distributions"]["conciseness"]["histogram"]) == 2
    assert result["omissions"] == {"medication": 2, "risk": 2}
    wrong = result["hallucinations"]
    assert wrong["rate"] == (wrong["contradicted"] + wrong["unsupported"]) / wrong["claims"]
    assert sum(result["omissions_by_severity"].values()) == 4
    assert result["usage"]["calls"] == 252
    # Both notes are the same: the first is named.
    assert whole["highest_hallucination_rate"] == {"id": whole["cases"][0]["id"], "rate": wrong["rate"]}


def test_resume_leaves_out_what_this_judge_finished_with_these_files(folder: Path) -> None:
    pairs = _pairs(folder, "id,transcript,note\na,transcript.vtt,note.md\n")
    plan = batch.Plan(folder, resume=True)

    def status(judge: ScriptedJudge) -> str:
        return outcomes(pairs, lambda: judge, plan)[0].status

    assert [status(_judge()), status(_judge())] == ["done", "resumed"]
    other = _judge()
    other.identity = JudgeIdentity("scripted", "script", "2")
    assert status(other) == "done"
    (folder / "note.md").write_text((folder / "note.md").read_text("utf-8") + "\nOne more.\n", "utf-8")
    assert status(other) == "done"
    (folder / "a.json").write_text("{half")
    assert status(other) == "done"


def test_a_judge_that_fails_is_recorded_and_not_resumed(folder: Path) -> None:
    pairs = _pairs(folder, "id,transcript,note\na,transcript.vtt,note.md\n")
    judge = _judge()
    judge.failure, judge.fail_after = "The model stopped.", 10
    plan = batch.Plan(folder)
    (outcome,) = outcomes(pairs, lambda: judge, plan)
    assert outcome.status == "incomplete"
    assert json.loads((folder / "a.json").read_text("utf-8"))["complete"] is False
    assert aggregated(plan, [outcome])["summary"]["evaluations"] == 0
    assert outcomes(pairs, _judge, batch.Plan(folder, resume=True))[0].status == "done"


def test_cancelling_ends_the_rest(folder: Path) -> None:
    pairs = _pairs(folder, "transcript,note\n" + "transcript.vtt,note.md\n" * 4)
    cancel = threading.Event()
    found = outcomes(pairs, _judge, batch.Plan(folder), cancel, lambda outcome: cancel.set())
    assert [outcome.status for outcome in found] == ["done", "cancelled", "cancelled", "cancelled"]


def test_scorecards_and_files_without_text(folder: Path) -> None:
    pairs = _pairs(folder, "id,transcript,note\na.1,transcript.vtt,note.md\n")
    outcomes(pairs, _judge, batch.Plan(folder, text=False, scorecard_rubric=sample_rubric()))
    assert (folder / "a.1.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "a.1.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert "sertraline" not in (folder / "a.1.json").read_text("utf-8")


def test_each_worker_has_a_judge_of_its_own(folder: Path) -> None:
    pairs = _pairs(folder, "transcript,note\n" + "transcript.vtt,note.md\n" * 6)
    made: list[ScriptedJudge] = []

    def make() -> ScriptedJudge:
        made.append(_judge())
        return made[-1]

    found = outcomes(pairs, make, batch.Plan(folder, jobs=3))
    assert {outcome.status for outcome in found} == {"done"}
    assert 1 <= len(made) <= 4


def test_a_reference_is_compared_with_its_note(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "other.txt").write_text("Plan: Meet Zoë on Friday.\n", "utf-8")
    rows = "a,transcript.vtt,note.md,note.md\nb,transcript.vtt,note.md,other.txt\nc,transcript.vtt,note.md,\n"
    pairs = _pairs(folder, f"id,transcript,note,reference\n{rows}d,transcript.vtt,note.md,none.md\n")
    plan = batch.Plan(folder / "out", references=True)
    found = outcomes(pairs, _judge, plan)
    result = aggregated(plan, found)
    same, other, none, missing = (case["reference"] for case in result["cases"])
    assert {same["ROUGE-1-R"], same["ROUGE-L-F"]} == {1.0}
    assert 0 <= other["ROUGE-2-R"] < 0.5
    assert (none, missing) == (None, None)
    assert result["reference"]["ROUGE-1-R"] == (1.0 + other["ROUGE-1-R"]) / 2
    assert (found[3].status, found[3].problem[:8]) == ("failed", "none.md:")
    again = outcomes(pairs[:1], _judge, batch.Plan(folder / "out", resume=True, references=True))
    assert (again[0].status, again[0].reference) == ("resumed", same)


def test_without_references_nothing_is_compared(folder: Path) -> None:
    (folder / "out").mkdir()
    pairs = _pairs(folder, "transcript,note\ntranscript.vtt,note.md\n")
    plan = batch.Plan(folder / "out")
    result = aggregated(plan, outcomes(pairs, _judge, plan))
    assert (result["reference"], result["cases"][0]["reference"]) == (None, None)

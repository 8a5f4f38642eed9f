"""`noteeval degrade-study` over candidates of one's own, and the sheet with which people check degraded pairs."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.research.degraded_sheet import COLUMNS, QUESTIONS
from tests.test_degrade_study_command import NOTES, data, study

__all__ = ["data"]
CANDIDATE = "PLAN\n\nSertraline goes on. The client comes back in 3 weeks. Sleep is four hours. He is 40. He is calm."


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_candidate_of_one_s_own_is_degraded_beside_the_note_as_reference(data: Path, tmp_path: Path) -> None:
    table = tmp_path / "candidates.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["note", "candidate"], ["D0", CANDIDATE]])
    sheet = tmp_path / "sheet.csv"
    assert study(data, "--candidates", str(table), "--sheet", str(sheet)) == 0
    (row,) = _rows(sheet)
    assert list(row) == list(COLUMNS)
    assert (row["note"], row["reference"], row["candidate"]) == ("D0", NOTES[0], CANDIDATE)
    assert row["degraded"] not in (CANDIDATE, NOTES[0])
    assert not any(row[question] for question in QUESTIONS)
    target = tmp_path / "s.json"
    options = ["--candidates", str(table), "--judge", "none", "--metrics", "Edit-Distance", "--json", str(target)]
    assert study(data, *options) == 0
    found = json.loads(target.read_text("utf-8"))
    assert found["notes"] == 1
    assert found["series"]["facts"]["Edit-Distance"]["1"]["auc"] is not None


def test_what_people_answer_is_counted_by_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = QUESTIONS
    sheet = tmp_path / "sheet.csv"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [["note", *QUESTIONS], ["a", "yes", "Yes", "no"], ["b", "y", "", "0"], ["c", "1", "No", "1"]]
        )
    target = tmp_path / "out.json"
    assert cli.main(["degrade-study", "--read-sheet", str(sheet), "--json", str(target)]) == 0
    answers = json.loads(target.read_text("utf-8"))["answers"]
    assert [(answers[q]["yes"], answers[q]["of"]) for q in (first, second, third)] == [(3, 3), (1, 2), (1, 3)]
    # Wilson's interval of three of three.
    assert answers[first]["interval"] == [pytest.approx(0.4385, abs=1e-4), 1.0]
    assert "3 of 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "table", "problem"),
    [
        (["--read-sheet"], f"note,{','.join(QUESTIONS)}\na,perhaps,,\n", "line 2: degraded_has_an_error is neither"),
        (["--read-sheet"], f"note,{','.join(QUESTIONS)}\na,,,\n", "holds no answers"),
        (["--candidates"], "note,candidate\nD9,He rests.\n", "names a note that the data lack (D9)"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(
    data: Path, tmp_path: Path, arguments: list[str], table: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.csv").write_text(table, "utf-8")
    assert study(data, *arguments, str(tmp_path / "t.csv")) == 2
    assert problem in capsys.readouterr().err


def test_a_study_without_notes_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["degrade-study"]) == 2
    assert "Give them with --data FILE" in capsys.readouterr().err

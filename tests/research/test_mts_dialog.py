from __future__ import annotations

import csv
from pathlib import Path

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.research import mts_dialog
from noteeval_desktop.research.mts_dialog import rouge_as_published


def _write(path: Path, rows: list[list[object]]) -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def _data(folder: Path, manual: list[list[object]]) -> Path:
    rows: list[list[object]] = [["Reference Summary", "Automatic Summary"]]
    rows += [["The client sleeps badly.", text] for text in ("The client sleeps badly.", "He sleeps.")]
    _write(folder / "MTS-Dialog-MANUAL-Scores.CSV", [list(mts_dialog.MANUAL), *manual])
    return _write(folder / "summaries.csv", rows)


def test_summaries_and_scores_are_read_row_by_row(tmp_path: Path) -> None:
    data = mts_dialog.load(_data(tmp_path, [[1, 1, 1, 0, 0], [1, 0.5, 0.67, 0, 0.5]]))
    assert data.pairs[1] == ("The client sleeps badly.", "He sleeps.")
    assert data.manual["FactualRecall"] == (1.0, 0.5)


def test_a_rate_of_minus_one_is_read_as_one(tmp_path: Path) -> None:
    data = mts_dialog.load(_data(tmp_path, [[1, 1, 1, 0, 0], [1, 0.25, 0.4, 0, -1]]))
    assert data.manual["OmissionRate"] == (0.0, 1.0)


def test_the_published_form_counts_sets_of_words_as_written_and_the_end() -> None:
    """{He, sleeps, ""} and {He, drinks, and, ""}: "He" and the end are common; "sleeps" is cut from its full stop."""
    scores = rouge_as_published("He drinks and drinks and drinks.", "He sleeps.")
    assert (scores["ROUGE-1-P"], scores["ROUGE-1-R"]) == (2 / 3, 2 / 4)
    assert scores["ROUGE-2-R"] == 0.0
    assert scores["ROUGE-1-F"] == pytest.approx(4 / 7)


def test_the_published_form_minds_case_and_commas() -> None:
    scores = rouge_as_published("Sleeps, eats.", "sleeps eats.")
    assert scores["ROUGE-1-P"] == pytest.approx(2 / 3)


def test_the_published_form_of_rouge_l_joins_sentences() -> None:
    scores = rouge_as_published("He drinks. She sleeps.", "She sleeps. He drinks.")
    assert scores["ROUGE-L-F"] == 1.0


@pytest.mark.parametrize(
    ("manual", "problem"),
    [
        ([[1, 1, 1, 0, 0]], "has 2 rows, the manual scores 1"),
        ([[1, 1, 1, 0, 0], [1, "half", 1, 0, 0]], "a manual score beside it is not a number"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(
    tmp_path: Path, manual: list[list[object]], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        mts_dialog.load(_data(tmp_path, manual))

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.report.csv_layout import COLUMNS, evaluation_to_csv, guarded, write_csv
from tests.sample_evaluation import sample_evaluation


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_a_cell_that_could_be_a_formula_gets_an_apostrophe(start: str) -> None:
    assert guarded(f"{start}cmd|' /C calc'!A0") == f"'{start}cmd|' /C calc'!A0"


@pytest.mark.parametrize("cell", ["Client reports", "", "2 of 3", "'quoted'", "東京", "😀", "a=b"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert guarded(cell) == cell


def test_every_verdict_has_a_row() -> None:
    evaluation = sample_evaluation()
    rows = list(csv.DictReader(io.StringIO(evaluation_to_csv(evaluation))))
    kinds = [row["kind"] for row in rows]
    assert tuple(rows[0]) == COLUMNS
    assert kinds.count("item") == len(evaluation.checklist)
    assert kinds.count("claim") == kinds.count("need") == len(evaluation.sentences)
    assert kinds.count("omission") == len(evaluation.omissions or ())
    assert kinds.count("response") == len(evaluation.responses or ())


def test_a_quote_cannot_become_a_formula() -> None:
    omission = Omission(Citation(0, Span(0, 9), "=SUM(A1:A"), OmissionKind.RISK, Severity.HIGH)
    text = evaluation_to_csv(replace(sample_evaluation(), omissions=(omission,)))
    assert "'=SUM(A1:A" in text
    assert ",=SUM" not in text


def test_without_text_the_table_holds_none() -> None:
    rows = list(csv.DictReader(io.StringIO(evaluation_to_csv(sample_evaluation(), text=False))))
    assert {row[column] for row in rows for column in ("text", "reason", "quotes")} == {""}


def test_the_file_opens_as_utf8_in_a_spreadsheet(tmp_path: Path) -> None:
    write_csv(sample_evaluation(), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbfkind,")

"""`noteeval agreement` over tables of ratings."""

from __future__ import annotations

import csv
import io
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from noteeval_desktop import cli

WIDE = [
    ["Fall", "Anna", "Błażej"],
    ["1", "1", "1"],
    ["2", "2", "3"],
    ["3", "3", "3"],
    ["4", "4", "4"],
    ["5", "NA", "5"],
]
LONG = [
    ["Case", "item", "annotator", "score"],
    *([row[0], "", rater, row[n]] for row in WIDE[1:] for n, rater in ((1, "Anna"), (2, "Błażej"))),
]


def _text(rows: list[list[str]], delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue()


def _run(path: Path | str, tmp_path: Path, *more: str) -> dict[str, Any]:
    assert cli.main(["agreement", "--data", str(path), "--json", str(tmp_path / "o.json"), *more]) == 0
    return json.loads((tmp_path / "o.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("r.csv", _text(LONG, ",").encode("utf-8-sig")),
        ("r.tsv", _text(LONG, "\t").encode("utf-16")),
        ("r.csv", _text(WIDE, ";").encode("utf-8")),
        ("r.jsonl", "\n".join(json.dumps(dict(zip(LONG[0], row, strict=True))) for row in LONG[1:]).encode()),
    ],
)
def test_a_table_in_any_form_gives_the_same_figures(
    name: str, data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three of four are equal, chance is 5/16: κ = 7/11; of nine ratings three are found, six with a point to spare."""
    (tmp_path / name).write_bytes(data)
    more = ["--case", "Fall"] if ";" in data.decode("utf-8", "replace") else []
    found = _run(tmp_path / name, tmp_path, "--tolerance", "1", *more)
    values = {name: figure["value"] for name, figure in found["all"].items()}
    assert (found["raters"], found["cases"], found["ratings"], found["items"]) == (["Anna", "Błażej"], 5, 9, {})
    assert (values["raw"], values["mse"]) == (0.75, 0.25)
    assert values["cohen"] == pytest.approx((3 / 4 - 4 / 16) / (1 - 4 / 16), abs=1e-4)
    assert values["f1"] == pytest.approx(8 / 9, abs=1e-4)
    assert "F1 within 1" in capsys.readouterr().out


def test_a_workbook_s_items_stand_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["id", "question", "rater", "label"])
    for n, q, r in itertools.product((1, 2), ("risk", "plan"), "ab"):
        book.active.append([n, q, r, q if r == "a" or n > 1 else "no"])
    book.save(tmp_path / "r.xlsx")
    found = _run(tmp_path / "r.xlsx", tmp_path)
    assert found["values"] == "categories"
    assert {item: own["raw"]["value"] for item, own in found["items"].items()} == {"risk": 0.5, "plan": 0.5}
    assert found["all"]["icc_absolute"]["value"] is None
    assert "plan" in capsys.readouterr().out.splitlines()[0]


def test_ratings_come_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(_text([["x", "a", "b"], ["1", "1", "2"], ["2", "3", "3"]], "\t").encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert _run("-", tmp_path, "--raters", "b,A")["raters"] == ["b", "a"]


@pytest.mark.parametrize(
    ("text", "more", "problem"),
    [
        ("case,rater,value\n1,a,1\n1,a,2\n", [], "r.csv: row 2 rates a case that this rater has rated before"),
        ("case,rater,value\n1,a,1\n,b,2\n", [], "row 2 does not say which case"),
        ("case,rater,value\n1,a,1\n", [], "holds ratings of 1 rater only. Looked for the columns case, item, rater"),
        ("case,a,b\n1,1,1\n", ["--raters", "a,c"], "r.csv: has no column c. Its columns are: case, a, b."),
        ("case,a,a\n1,1,1\n", [], "has two columns called a"),
        ("PAR1....", [], "r.csv: it is damaged (ArrowInvalid)."),
        ("", [], "holds no ratings"),
        ("case,rater,safety,empathy\n1,a,1,2\n1,b,1,3\n", [], "r.csv: has a column rater, and none for the ratings"),
        ("case,a,b\n1,1,1\n", ["--tolerance", "nan"], "nan is not a tolerance: give a number such as 1"),
        ("case,a,b\n1,1,1\n", ["--tolerance", "-1"], "-1 is not a tolerance: give a number such as 1"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_2(
    text: str, more: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.csv").write_text(text, "utf-8")
    assert cli.main(["agreement", "--data", str(tmp_path / "r.csv"), *more]) == 2
    said = capsys.readouterr().err
    assert problem in said
    assert said.count("\n") == 1

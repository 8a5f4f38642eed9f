from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop.domain.findings import OpenRisk
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.tables import guarded
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.present.risks import dangers, risk_line
from noteeval_desktop.report.csv_layout import COLUMNS, evaluation_to_csv, write_csv
from noteeval_desktop.report.json_layout import evaluation_to_json
from tests.growth import grows_in_step
from tests.sample_evaluation import sample_evaluation


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_a_cell_that_could_be_a_formula_gets_an_apostrophe(start: str) -> None:
    assert guarded(f"{start}cmd|' /C calc'!A0") == f"'{start}cmd|' /C calc'!A0"


@pytest.mark.parametrize(
    "cell",
    [
        "a;=1+1",
        "a; =1+1",
        'a;"=1+1"',
        "a\t=1+1",
        "a\n@SUM(A1)",
        "a\r\n-2+3",
        "\t=1+1",
        "\r=1+1",
        " =1+1",
        '"=1+1"',
        "=1;=2",
        ";;;＝1",
        'a;\t" "\t+1',
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_program_makes_a_formula_of_a_cell_whatever_it_takes_for_the_end_of_one(cell: str, separator: str) -> None:
    line = io.StringIO()
    csv.writer(line).writerow(["claim", guarded(cell), "supported"])
    fields = [field.strip(' "') for field in re.split(rf"[{separator}\r\n]", line.getvalue())]
    assert not [field for field in fields if field.startswith(tuple("=+-@＝＋－＠"))]


def test_a_cell_of_separators_takes_no_time() -> None:
    assert grows_in_step(lambda times: guarded('a"; \n' * times), 50_000)


@pytest.mark.parametrize(
    "cell", ["well-known; a-b", "Ms. A (5-6)", "Client reports", "", "2 of 3", "'quoted'", "東京", "😀", "a=b"]
)
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


def test_turns_are_numbered_from_1_where_the_json_has_0() -> None:
    """The first turn, cited by an omission and answered by a response, in the table, the list of risks and the JSON."""
    evaluation, session = sample_evaluation(), sample_evaluation().case.transcript
    omission = Omission(cite(session.turns[0]), OmissionKind.RISK, Severity.HIGH)
    risk = RiskFinding((0, 1), cite(session.turns[0]), RiskKind.SUICIDE, Stance.CURRENT)
    response = replace((evaluation.responses or ())[0], turn=0)
    evaluation = replace(evaluation, omissions=(omission,), risks=(risk,), responses=(response,))
    rows = {row["kind"]: row["turns"] for row in csv.DictReader(io.StringIO(evaluation_to_csv(evaluation)))}
    assert (rows["omission"], rows["risk"], rows["response"]) == ("1", "1 2", "1")
    assert "suicide, turn 1" in risk_line(evaluation, dangers(evaluation, {}), OpenRisk(()))
    data = evaluation_to_json(evaluation)
    assert (data["omissions"][0]["turn"], data["risks"][0]["turns"], data["responses"][0]["turn"]) == (0, [0, 1], 0)


def test_without_text_the_table_holds_none() -> None:
    rows = list(csv.DictReader(io.StringIO(evaluation_to_csv(sample_evaluation(), text=False))))
    assert {row[column] for row in rows for column in ("text", "reason", "quotes")} == {""}


def test_the_file_opens_as_utf8_in_a_spreadsheet(tmp_path: Path) -> None:
    write_csv(sample_evaluation(), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbfkind,")

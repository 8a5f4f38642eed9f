"""`noteeval benchmark mts-dialog-facts` over five summaries with counts worked out by hand."""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.research.mts_dialog import MANUAL
from tests.scripted_judge import ScriptedJudge

# Of the references' facts 2, 1, 1 and 0 of 2 are in the summary.
SUMMARIES = ("Fever. Cough.", "Fever.", "Cough. Rash.", "Rash.", "Fieber.")
RECALL = (1.0, 0.5, 0.5, 0.0, 0.3)


class Exact(ScriptedJudge):
    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        if "Fieber" in case.note.text:
            raise JudgeError("The note does not read as English; it cannot be judged.")
        for sentence in case.note.sentences:
            yield ClaimVerdict(sentence.id, Verdict.UNSUPPORTED)


def test_the_judge_s_rates_are_correlated_with_people_s(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "summaries.csv"
    for path, head, rows in (
        (data, ["Reference Summary", "Automatic Summary"], [["Fever. Cough.", own] for own in SUMMARIES]),
        (tmp_path / "scores.csv", list(MANUAL), [[0.5, recall, 0.5, 0.5, 1 - recall] for recall in RECALL]),
    ):
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head, *rows])
    out = tmp_path / "out.json"
    arguments = ["benchmark", "mts-dialog-facts", "--data", str(data), "--json", str(out)]
    assert cli.main(arguments, lambda *_: Exact()) == 0
    found = json.loads(out.read_text("utf-8"))
    assert {name: found["pooled"][name] for name in ("correct", "hallucinated", "omitted", "reference")} == {
        "correct": 4,
        "hallucinated": 2,
        "omitted": 4,
        "reference": 8,
    }
    correlations = found["correlations"]
    assert correlations["FactualRecall"]["r"] == pytest.approx(1.0)
    assert correlations["OmissionRate"]["r"] == pytest.approx(1.0)
    assert found["problems"] == {"4": "The note does not read as English; it cannot be judged."}
    assert correlations["FactualPrecision"]["r"] is None  # people's does not vary
    printed = capsys.readouterr().out
    assert "Of 6 facts in 4 summaries it calls 4 correct, 0 incorrect and 2 made up. 1 could not be judged." in printed

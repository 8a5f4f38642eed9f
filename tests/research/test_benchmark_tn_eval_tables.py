"""`noteeval benchmark tn-eval-tables`: the paper's tables over two conversations with figures worked out by hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import cli
from noteeval_desktop.measures.tn_eval import SOURCES
from tests.scripted_judge import ScriptedJudge

NOTE = {
    "subjective": "Client drinks four beers. He sleeps badly.",
    "objective": "Tense.",
    "assessment": "Worried.",
    "plan": "Meet again.",
}
ITEMS = {
    "subjective": ["subjective-symptoms", "subjective-goals"],
    "objective": ["objective-behavior"],
    "assessment": ["assessment-analysis"],
    "plan": ["plan-follow-up"],
}


def _marks(items: int, rating: int, needed: object, faithful: int | None = None) -> dict[str, Any]:
    """``items`` of the two subjective ones are there, all others; every sentence is ``needed``."""
    marks: dict[str, Any] = {}
    for section, own in ITEMS.items():
        sentences = [f"sentence_{n + 1}" for n in range(2 if section == "subjective" else 1)]
        marks[section] = {
            "rubric_completeness_raw": {item: int(n < items) for n, item in enumerate(own)},
            "rubric_conciseness_raw": dict.fromkeys(sentences, needed),
            "likert_completeness": rating,
            "likert_conciseness": 5,
            "likert_faithfulness": 5,
        }
        if faithful is not None:
            marks[section]["rubric_faithfulness_raw"] = dict.fromkeys(sentences, faithful)
            marks["likert_overall_acceptance"] = rating
    return marks


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Conversation 0: both therapists find both subjective items and rate 2 and 4; 1: one item, 3 and 3."""
    cases = []
    for number, (items, ratings) in enumerate(((2, (2, 4)), (1, (3, 3)))):
        note = {
            "note": NOTE,
            "metrics_human": [_marks(items, rating, ["subjective-symptoms"], 1 - number) for rating in ratings],
            "metrics_llama31_70B": _marks(items, 1 + number, 1),
            "metrics_mistral_large_v2": _marks(0, 4, 0),
            "align_score": dict.fromkeys(NOTE, 0.25 + 0.5 * number),
        }
        turns = [{"speaker": "client", "time": "00:00:01", "text": "I drink four beers."}]
        cases.append({"id": str(number), "transcript": turns, **dict.fromkeys(SOURCES, note)})
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases), "utf-8")
    return path


def _tables(data: Path, *more: str) -> dict[str, Any]:
    out = data.with_name("out.json")
    arguments = ["benchmark", "tn-eval-tables", "--data", str(data), "--json", str(out), *more]
    assert cli.main(arguments, lambda *_: ScriptedJudge()) == 0
    found: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return found


def _row(found: dict[str, Any], **wanted: str) -> dict[str, Any]:
    (row,) = (dict(row) for row in found["rows"] if wanted.items() <= row.items())
    return row


@pytest.mark.parametrize(
    ("wanted", "mean", "sd"),
    [
        # 5 of 5 items, then 4 of 5.
        ({"table": "people", "section": "", "measure": "completeness", "kind": "share"}, 0.9, 0.1414),
        ({"table": "people", "section": "subjective", "measure": "completeness", "kind": "share"}, 0.75, 0.3536),
        ({"table": "people", "section": "", "measure": "completeness", "kind": "likert"}, 3.0, 0.0),
        ({"table": "people", "section": "plan", "measure": "faithfulness", "kind": "share"}, 0.5, 0.7071),
        ({"table": "people", "measure": "acceptance"}, 3.0, 0.0),
        (
            {"table": "evaluators", "evaluator": "Llama 3.1 70B", "measure": "completeness", "kind": "likert"},
            1.5,
            0.7071,
        ),
        ({"table": "evaluators", "evaluator": "AlignScore", "measure": "faithfulness"}, 0.5, 0.3536),
        ({"table": "words", "section": "subjective"}, 7.0, 0.0),
        ({"table": "coverage", "measure": "subjective-goals"}, 0.5, 0.7071),
    ],
)
def test_means_and_spreads_are_those_worked_out_by_hand(
    data: Path, lent_encoder: None, wanted: dict[str, str], mean: float, sd: float
) -> None:
    row = _row(_tables(data), source="human", **wanted)
    assert (row["n"], row["mean"], row["sd"]) == (2, pytest.approx(mean), pytest.approx(sd, abs=1e-4))
    half = sd / 2**0.5  # of two: how far each is from their mean
    quartiles = [mean + half * step for step in (-1, -0.5, 0, 0.5, 1)]
    found = [row[name] for name in ("least", "lower", "median", "upper", "most")]
    assert found == pytest.approx(quartiles, abs=1e-4)


def test_a_note_beside_itself_repeats_all_of_it(data: Path, lent_encoder: None) -> None:
    found = _tables(data)
    assert _row(found, table="metrics", source="llm_llama31_70B", measure="ROUGE-L-F")["mean"] == pytest.approx(1.0)
    assert not [row for row in found["rows"] if row["table"] == "metrics" and row["source"] == "human"]


def test_columns_of_table_6_and_the_therapists_agreement(data: Path, lent_encoder: None) -> None:
    found = _tables(data)
    # Llama finds the therapists' items, and rates the less complete note higher; therapists' ratings do not vary.
    assert found["correlations"]["completeness"]["Llama 3.1 70B"] == {"A": 1.0, "B": -1.0, "C": None, "D": None}
    assert found["correlations"]["faithfulness"]["AlignScore"]["A"] == -1.0
    # Ratings 2 and 4 of half of all sections, equal ones of the others.
    assert found["agreement"]["completeness"]["likert_mse"] == pytest.approx(2.0)
    assert found["agreement"]["completeness"]["raw"] == 1.0


def test_every_row_stands_in_the_table_as_csv(data: Path, lent_encoder: None) -> None:
    out = data.with_name("rows.csv")
    found = _tables(data, "--csv", str(out), "--stem")
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(found["rows"])
    assert rows[0]["mean"] == f"{found['rows'][0]['mean']:.4f}"
    assert found["stemmed"] is True

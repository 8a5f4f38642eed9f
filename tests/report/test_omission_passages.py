"""All passages of an omission reach the JSON, the table and the scorecard."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import jsonschema
import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.decisions import omission_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.files import dump_json
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from tests.sample_evaluation import sample_evaluation, sample_rubric


@pytest.fixture
def evaluation() -> Evaluation:
    sample = sample_evaluation()
    turns = [cite(turn) for turn in sample.case.transcript.turns if turn.text][:3]
    omission = Omission(turns[1], OmissionKind.SYMPTOM, Severity.LOW, None, "Not in the note.", (turns[0], turns[2]))
    return replace(sample, omissions=(omission,))


@pytest.mark.parametrize("text", [True, False])
def test_the_json_lists_the_further_passages(evaluation: Evaluation, text: bool) -> None:
    written = json.loads(dump_json(evaluation_to_json(evaluation, text=text)))
    schema = json.loads((paths.resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(written)
    also = written["omissions"][0]["also"]
    assert [entry["turn"] for entry in also] == [citation.turn for citation in evaluation.omissions[0].also]
    assert all(("quote" in entry) is text for entry in also)


def test_they_come_back_and_older_files_have_none(evaluation: Evaluation) -> None:
    written = json.loads(dump_json(evaluation_to_json(evaluation)))
    assert evaluation_from_json(written).omissions == evaluation.omissions
    del written["omissions"][0]["also"]
    assert evaluation_from_json(written).omissions[0].also == ()


def test_the_table_and_the_scorecard_show_them(evaluation: Evaluation) -> None:
    turns = [citation.turn for citation in evaluation.omissions[0].citations]
    row = next(r for r in csv.DictReader(io.StringIO(evaluation_to_csv(evaluation))) if r["kind"] == "omission")
    assert row["turns"].split() == [str(turn + 1) for turn in turns]
    subject = omission_subject(evaluation.omissions[0])
    shown = next(f for f in scorecard(evaluation, sample_rubric()).findings if f.key == subject)
    assert [passage.turn for passage in shown.passages] == turns

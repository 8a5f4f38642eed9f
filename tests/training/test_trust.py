"""The figures behind the badges come from a benchmark's output, by a command."""

from __future__ import annotations

import json

import pytest

from models.training.trust import trust_of
from noteeval_desktop.domain.trust import Agreement, Level, Noticed
from noteeval_desktop.measures.tn_eval_tables import published_judges, tables
from noteeval_desktop.report.trust import STUDY, load_trust

PART = {"n": 105, "yes": 190, "agreement": 0.9, "alpha": 0.5, "alpha_interval": [0.3, 0.6], "therapists": 0.4}


def result(*judges):
    each = {"judges": {judge: {"parts": {"subjective-history": PART}} for judge in judges}}
    return {"notes": 105, "conversations": 35, "completeness": each, "conciseness": each, "faithfulness": each}


def test_what_is_written_is_what_the_window_reads(tmp_path):
    made = trust_of(result("built-in, cross-validated, seed 0", "Llama 3.1 70B"))
    (tmp_path / "tn-eval.json").write_text(json.dumps(made), "utf-8")
    builtin, llama = load_trust(tmp_path)
    found = builtin.parts["completeness", "subjective-history"]
    assert found == Agreement(105, 0.5, 0.3, 0.6, 0.4, rarer=20)
    assert found.level is Level.MODERATE
    assert "105 notes" in builtin.data
    assert llama.names == ("llama", "3.1", "70b")


def test_figures_of_heads_that_saw_the_notes_are_refused():
    with pytest.raises(ValueError, match="cross-validate"):
        trust_of(result("builtin"))


def test_parts_hold_every_answer_once(published_notes):
    notes = published_notes
    found = tables(notes, published_judges(notes), rounds=5)["completeness"]["judges"]["Llama 3.1 70B"]
    items = sum(part["n"] for name, part in found["parts"].items() if "-" in name)
    assert found["parts"][""]["n"] == items == sum(len(note.present) for note in notes)
    # One figure of both therapists' answers together lies between those of each.
    assert min(found["alpha"]) <= found["parts"][""]["alpha"] <= max(found["alpha"])


def test_errors_that_a_study_made_are_read_for_the_judge_that_it_asked(tmp_path):
    (tmp_path / "tn-eval.json").write_text(json.dumps(trust_of(result("built-in, cross-validated, seed 0"))), "utf-8")
    found = {"number": {"changes": 57, "found": 0.37}, "order": {"changes": 9, "found": 0.0}}
    alarms = {"sentences": 400, "share": 0.08}
    study = {
        "schema": STUDY,
        "data": "Notes.",
        "judges": {"builtin": {"version": "1"}},
        "found": {"builtin": found | {"false alarms": alarms}},
    }
    (tmp_path / "degraded.json").write_text(json.dumps(study), "utf-8")
    (builtin,) = load_trust(tmp_path)
    assert builtin.noticed == (Noticed("Notes.", "1", (("Numbers", 57, 0.37),), (400, 0.08)),)

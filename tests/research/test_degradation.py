from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from noteeval_desktop.research.degradation import charts, study_text

SVG = "{http://www.w3.org/2000/svg}"


def level(
    notes: int, drop: float, violations: float = 0.0, unnoticed: float = 0.0, auc: float = 0.75
) -> dict[str, Any]:
    return {
        "notes": notes,
        "degraded": notes,
        "violations": violations,
        "violations_of_level_before": violations,
        "unnoticed": unnoticed,
        "drop": drop,
        "interval": [drop - 0.01, drop + 0.01],
        "quartiles": [drop - 0.2, drop - 0.1, drop, drop + 0.1, drop + 0.2],
        "auc": auc,
    }


@pytest.fixture
def result() -> dict[str, Any]:
    name = "builtin: faithfulness"
    return {
        "notes": 8,
        "of": 35,
        "seeds": 1,
        "degrader": "rules",
        "series": {
            "facts": {name: {"1": level(8, 0.02, 0.125), "2": level(8, 0.05)}},
            # Of eight notes with a number four have two and one has three.
            "number": {name: {"1": level(8, 0.1, auc=0.6), "2": level(4, 0.2, 0.25, 0.5, 0.9), "3": level(1, 0.3)}},
        },
        "found": {"builtin": {"number": {"changes": 4, "found": 0.25}, "false alarms": {"sentences": 9, "share": 0.1}}},
        "rows": {
            "builtin": {
                "plan-homework": {
                    "notes": 3,
                    "drop": 0.4,
                    "interval": None,
                    "auc": 1.0,
                    "called_missing": 0.0,
                    "called_missing_without": 1.0,
                    "errors": 2,
                    "errors_found": None,
                }
            }
        },
        "usage": {"builtin": {"calls": 0, "input_tokens": 0, "output_tokens": 0}},
    }


def test_tables_say_what_was_measured_on_how_many(result: dict[str, Any]) -> None:
    text = study_text(result, {"builtin": 12.34})
    assert text.startswith("8 of 35 notes, 1 seed, degraded by rules.")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "builtin: faithfulness 8 0.125 0.000" in lines
    assert "builtin: faithfulness 8 0.020 [0.010, 0.030] 0.050 [0.040, 0.060]" in lines
    assert "numbers 4 0.250" in lines
    assert "true sentences called an error 9 0.100" in lines
    assert "plan-homework 3 0.400 1.000 0.000 1.000 2 –" in lines
    assert "builtin 12.3 0 0 0" in lines


def test_a_kind_is_shown_at_the_deepest_level_that_half_of_its_notes_reach(result: dict[str, Any]) -> None:
    lines = [" ".join(line.split()) for line in study_text(result, {}).splitlines()]
    assert lines.count("notes 4") == 2
    assert "builtin: faithfulness 0.250" in lines  # neither higher (0.25) nor the same (0.5)
    assert "builtin: faithfulness 0.900" in lines
    drawn = ElementTree.fromstring(charts(result)["kinds"])
    assert any(text.text == "numbers (4 notes)" for text in drawn.iter(f"{SVG}text"))


def test_each_chart_says_in_words_what_it_shows(result: dict[str, Any]) -> None:
    drawn = charts(result)
    assert set(drawn) == {"violations", "drops", "distribution", "kinds"}
    said = {name: ElementTree.fromstring(chart).findtext(f"{SVG}desc") for name, chart in drawn.items()}
    assert said["violations"] == "builtin: faithfulness: Level 1 0.12, Level 2 0.00."
    assert said["drops"] == said["distribution"] == "builtin: faithfulness: Level 1 0.02, Level 2 0.05."


def test_without_a_series_there_is_nothing_to_draw(result: dict[str, Any]) -> None:
    assert charts(result | {"series": {}}) == {}

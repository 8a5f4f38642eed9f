"""The tables of the benchmark ``tn-eval`` for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from noteeval_desktop.domain.phrases import interval
from noteeval_desktop.measures.tn_eval import SOURCES
from noteeval_desktop.measures.tn_eval_tables import DIMENSIONS
from noteeval_desktop.report.terminal import table
from noteeval_desktop.research import benchmark_words as words


def as_text(result: Mapping[str, Any]) -> str:
    """One table a dimension: the therapists against each other, then each judge against them."""
    parts = [words.notes_of(result["notes"], result["conversations"])]
    for dimension in DIMENSIONS:
        people = result[dimension]["therapists"]
        rows = [[dimension.capitalize(), *words.HEADINGS]]
        ceiling = f"ceiling {_two(people['ceiling'])}"
        agreement = (_two(people["alpha"]), "", _two(people["kappa"]))
        rows.append([words.ONE_THERAPIST, _two(people["r"]), ceiling, "", "", "", *agreement, "", ""])
        for name, row in result[dimension]["judges"].items():
            rows += _rows(name, row)
        parts.append(table(rows))
    return "\n\n".join([*parts, words.LEGEND])


def _rows(name: str, row: Mapping[str, Any]) -> list[list[str]]:
    """The judge's line, and one for its counted answers where they give another score."""
    averaged = [_two(_averaged(row.get(figure))) for figure in ("alpha", "kappa", "auc")]
    by_thing = [averaged[0], _interval(row.get("alpha_interval")), *averaged[1:], _two(row.get("calibration_error"))]
    lines = [[name, *_note_level(row), *by_thing]]
    counted = row.get("counted")
    if counted is not None and counted["r"] != row["r"]:
        lines.append([words.COUNTED, *_note_level(counted), *[""] * len(by_thing)])
    return lines


def _note_level(row: Mapping[str, Any]) -> list[str]:
    within = [_two(row["r_within_source"].get(source)) for source in SOURCES]
    return [_two(row["r"]), _interval(row["r_interval"]), *within]


def _interval(ends: Sequence[float | None] | None) -> str:
    return "–" if ends is None else interval(_two(ends[0]), _two(ends[1]))


def _averaged(values: Sequence[float | None] | float | None) -> float | None:
    if not isinstance(values, Sequence):
        return values
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"

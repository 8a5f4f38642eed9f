"""The tables of the benchmark ``tn-eval`` for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from noteeval_desktop.measures.tn_eval import SOURCES
from noteeval_desktop.measures.tn_eval_tables import DIMENSIONS
from noteeval_desktop.report.terminal import table

_HEADINGS = ("r", "95 % interval", "by therapists", "by Llama", "by Mistral", "α", "95 % interval", "κ", "AUC", "ECE")
_COUNTED = "  counting yes answers"
_LEGEND = (
    "r        how closely the note's score follows the mean of two therapists (1: perfectly, 0: not at all), over all\n"
    "         notes and within the notes of each source. Where a judge gives probabilities, the score is their mean\n"
    "         (faithfulness: with what is sure counted in full and errors for less);\n"
    "         the row below it counts the answers that are yes, as the program shows them.\n"
    "α, κ     agreement with one therapist beyond chance, item by item or sentence by sentence, mean over the two.\n"
    "AUC      how often a thing that a therapist marked is ranked above one that was not (0.5: by chance).\n"
    "ECE      how far stated probabilities are from what therapists said, on average (0: exactly right).\n"
    "Ceiling  the highest r that any judge can expect, as two therapists differ from each other.\n"
    "Intervals are from resampling conversations.\n"
    "The heads that ship were trained on the development notes: over those, only cross-validated rows say how\n"
    "the judge does on notes that it never saw."
)


def as_text(result: Mapping[str, Any]) -> str:
    """One table a dimension: the therapists against each other, then each judge against them."""
    parts = [f"{result['notes']} notes of {result['conversations']} conversations"]
    for dimension in DIMENSIONS:
        people = result[dimension]["therapists"]
        rows = [[dimension.capitalize(), *_HEADINGS]]
        ceiling = f"ceiling {_two(people['ceiling'])}"
        agreement = (_two(people["alpha"]), "", _two(people["kappa"]))
        rows.append(["one therapist, the other", _two(people["r"]), ceiling, "", "", "", *agreement, "", ""])
        for name, row in result[dimension]["judges"].items():
            rows += _rows(name, row)
        parts.append(table(rows))
    return "\n\n".join([*parts, _LEGEND])


def _rows(name: str, row: Mapping[str, Any]) -> list[list[str]]:
    """The judge's line, and one for its counted answers where they give another score."""
    averaged = [_two(_averaged(row.get(figure))) for figure in ("alpha", "kappa", "auc")]
    by_thing = [averaged[0], _interval(row.get("alpha_interval")), *averaged[1:], _two(row.get("calibration_error"))]
    lines = [[name, *_note_level(row), *by_thing]]
    counted = row.get("counted")
    if counted is not None and counted["r"] != row["r"]:
        lines.append([_COUNTED, *_note_level(counted), *[""] * len(by_thing)])
    return lines


def _note_level(row: Mapping[str, Any]) -> list[str]:
    within = [_two(row["r_within_source"].get(source)) for source in SOURCES]
    return [_two(row["r"]), _interval(row["r_interval"]), *within]


def _interval(ends: Sequence[float | None] | None) -> str:
    return "–" if ends is None else f"{_two(ends[0])} to {_two(ends[1])}"


def _averaged(values: Sequence[float | None] | float | None) -> float | None:
    if not isinstance(values, Sequence):
        return values
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"

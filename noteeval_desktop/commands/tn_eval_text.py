"""The tables of the benchmark ``tn-eval`` for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from noteeval_desktop.measures.tn_eval import SOURCES
from noteeval_desktop.measures.tn_eval_tables import DIMENSIONS
from noteeval_desktop.report.terminal import table

_HEADINGS = ("r", "95 % interval", "by therapists", "by Llama", "by Mistral", "α", "κ", "AUC", "ECE")
_LEGEND = (
    "r: of note scores with the mean of two therapists, over all notes and within each source of notes.\n"
    "α, κ: with one therapist, item by item or sentence by sentence, averaged over the two; AUC likewise.\n"
    "The heads that ship were trained on the development notes: over those, only cross-validated rows say how\n"
    "the judge does on notes that it never saw."
)


def as_text(result: Mapping[str, Any]) -> str:
    """One table a dimension: the therapists against each other, then each judge against them."""
    parts = [f"{result['notes']} notes of {result['conversations']} conversations"]
    for dimension in DIMENSIONS:
        people = result[dimension]["therapists"]
        rows = [[dimension.capitalize(), *_HEADINGS]]
        rows.append(
            [
                "one therapist, the other",
                _two(people["r"]),
                "",
                "",
                "",
                "",
                _two(people["alpha"]),
                _two(people["kappa"]),
            ]
        )
        rows += [_row(name, row) for name, row in result[dimension]["judges"].items()]
        parts.append(table(rows))
    return "\n\n".join([*parts, _LEGEND])


def _row(name: str, row: Mapping[str, Any]) -> list[str]:
    low, high = row["r_interval"]
    return [
        name,
        _two(row["r"]),
        f"{_two(low)} to {_two(high)}",
        *(_two(row["r_within_source"].get(source)) for source in SOURCES),
        *(_two(_averaged(row.get(figure))) for figure in ("alpha", "kappa", "auc")),
        _two(row.get("calibration_error")),
    ]


def _averaged(values: Sequence[float | None] | float | None) -> float | None:
    if not isinstance(values, Sequence):
        return values
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"

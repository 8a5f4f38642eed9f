"""The benchmark mts-dialog: reference-based metrics against the facts that people counted in 400 summaries.

Data: Ben Abacha et al., MTS-Dialog (CC BY 4.0); published correlations: Ben Abacha et al., An
Investigation of Evaluation Metrics for Automated Medical Note Generation (ACL Findings 2023), table 2.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.reference_metrics import METRICS, correlations, rouge

MANUAL = ("FactualPrecision", "FactualRecall", "FactualF1", "HallucinationRate", "OmissionRate")
MANUAL_FILE = "mts_dialog_manual_scores4correlationstudy.csv"
_REMEDY = f"Give the summaries' CSV; the manual scores ({MANUAL_FILE}) are looked for beside it."
# Table 2, in the order of MANUAL.
PUBLISHED = {
    "ROUGE-1-P": (0.14, -0.09, -0.04, -0.16, 0.06),
    "ROUGE-1-R": (0.10, 0.57, 0.53, 0.02, -0.60),
    "ROUGE-1-F": (0.13, 0.39, 0.40, -0.08, -0.44),
    "ROUGE-2-P": (0.12, 0.05, 0.07, -0.12, -0.12),
    "ROUGE-2-R": (0.12, 0.34, 0.34, -0.09, -0.39),
    "ROUGE-2-F": (0.12, 0.28, 0.29, -0.10, -0.33),
    "ROUGE-L-P": (0.13, -0.08, -0.05, -0.15, 0.07),
    "ROUGE-L-R": (0.10, 0.56, 0.51, 0.02, -0.58),
    "ROUGE-L-F": (0.13, 0.38, 0.38, -0.08, -0.41),
}


def run(summaries: Path) -> dict[str, Any]:
    """``{"benchmark", "summaries", "correlations": {metric: {manual: {"r", "published"}}}}``.

    r is None where a score does not vary. ``summaries`` has the columns Reference Summary and Automatic
    Summary; the manual scores stand beside it, row by row. Raises InputError.
    """
    pairs = _rows(summaries, ("Reference Summary", "Automatic Summary"))
    manual = _rows(summaries.with_name(MANUAL_FILE), MANUAL)
    if len(pairs) != len(manual):
        raise InputError(summaries.name, f"has {len(pairs)} rows, the manual scores {len(manual)}", _REMEDY)
    metrics = [rouge(row["Reference Summary"], row["Automatic Summary"]) for row in pairs]
    try:
        counted = [{name: float(row[name]) for name in MANUAL} for row in manual]
    except ValueError as error:
        raise InputError(MANUAL_FILE, "holds a score that is not a number", _REMEDY) from error
    found = correlations(metrics, counted)
    return {
        "benchmark": "mts-dialog",
        "summaries": len(pairs),
        "correlations": {
            metric: {
                name: {"r": _or_none(found[metric][name]), "published": published}
                for name, published in zip(MANUAL, PUBLISHED[metric], strict=True)
            }
            for metric in METRICS
        },
    }


def as_table(result: dict[str, Any]) -> str:
    """Every r with the published one in brackets; a dash where a score does not vary."""
    lines = [f"{'r over ' + str(result['summaries']) + ' summaries':<22}" + "".join(f"{name:>20}" for name in MANUAL)]
    for metric, row in result["correlations"].items():
        cells = (f"{_figure(cell['r'])} ({cell['published']:.2f})" for cell in row.values())
        lines.append(f"{metric:<22}" + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join([*lines, "In brackets: the published correlation."])


def _or_none(r: float) -> float | None:
    return None if math.isnan(r) else r


def _figure(r: float | None) -> str:
    return "–" if r is None else f"{r:.2f}"


def _rows(path: Path, columns: tuple[str, ...]) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(path.name, f"has no column {missing[0]}", _REMEDY)
            return list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(path.name, "cannot be read as a CSV file in UTF-8", _REMEDY) from error

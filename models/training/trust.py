"""Writes resources/trust/tn-eval.json, the figures behind the badges "agrees with therapists", from a benchmark.

noteeval benchmark tn-eval --data FILE --cross-validate --json OUT
python -m models.training.trust OUT
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noteeval_desktop.measures.tn_eval_tables import DIMENSIONS
from noteeval_desktop.report.files import write_json
from noteeval_desktop.report.trust import SCHEMA

TARGET = Path(__file__).resolve().parents[2] / "resources" / "trust" / "tn-eval.json"
# How the benchmark names a judge, its kind here, and what stands in the name of such a model.
JUDGES = (
    ("built-in, cross-validated, seed 0", "builtin", ()),
    ("Llama 3.1 70B", "llm", ("llama", "3.1", "70b")),
    ("Mistral Large V2", "llm", ("mistral", "large")),
)
LIMITS = (
    "Two licensed therapists each marked {notes} notes of {conversations} short demonstration sessions in English "
    "(TN-Eval). Your notes may differ."
)


def trust_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """The resource from the benchmark's JSON. Raises ValueError where the built-in judge was asked about notes that it
    learned from."""
    if any("builtin" in result[dimension]["judges"] for dimension in DIMENSIONS):
        raise ValueError("The heads that ship saw these notes. Run the benchmark with --cross-validate.")
    judges = [
        {"kind": kind, "names": list(names), "parts": parts}
        for name, kind, names in JUDGES
        if (parts := list(_parts(result, name)))
    ]
    data = LIMITS.format(notes=result["notes"], conversations=result["conversations"])
    return {"schema": SCHEMA, "data": data, "judges": judges}


def _parts(result: Mapping[str, Any], judge: str) -> Iterator[dict[str, Any]]:
    for dimension in DIMENSIONS:
        for name, part in result[dimension]["judges"].get(judge, {}).get("parts", {}).items():
            low, high = part["alpha_interval"]
            yield {
                "dimension": dimension,
                "part": name,
                "n": part["n"],
                "alpha": part["alpha"],
                "low": low,
                "high": high,
                "therapists": part["therapists"],
                "rarer": min(part["yes"], 2 * part["n"] - part["yes"]),
            }


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    write_json(TARGET, trust_of(json.loads(Path(sys.argv[1]).read_text("utf-8"))))

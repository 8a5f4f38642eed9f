"""The shipped figures on how far judges agree with therapists, and the practice's own, as ``domain.trust`` has them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.trust import Agreement, Part, Trust

SCHEMA = "noteeval.trust/1"


def load_trust(folder: Path) -> tuple[Trust, ...]:
    """From resources/trust, which ``python -m models.training.trust`` writes from a benchmark's output."""
    return tuple(
        Trust(
            judge["kind"],
            tuple(judge["names"]),
            content["data"],
            {(part["dimension"], part["part"]): _agreement(part) for part in judge["parts"]},
        )
        for file in sorted(folder.glob("*.json"))
        if (content := json.loads(file.read_text("utf-8")))["schema"] == SCHEMA
        for judge in content["judges"]
    )


def _agreement(part: Mapping[str, Any]) -> Agreement:
    return Agreement(part["n"], part["alpha"], part["low"], part["high"], part["therapists"], part["rarer"])


def own_trust(found: Mapping[str, Any], data: str) -> tuple[Trust, ...]:
    """``found``: of ``measures.rater_tables.review_agreement``, its judges named "kind model"."""
    made = []
    for name, topics in found["judges"].items():
        kind, _, model = name.partition(" ")
        made.append(Trust(kind, (model.casefold(),) if model else (), data, dict(_own_parts(topics))))
    return tuple(made)


def _own_parts(topics: Mapping[str, Any]) -> Iterator[tuple[Part, Agreement]]:
    for dimension, tables in topics.items():
        for name, one in (("", tables["all"]), *tables["sections"].items(), *tables["items"].items()):
            alpha = one["alpha"]
            yield (dimension, name or ""), Agreement(one["things"], alpha["value"], alpha["low"], alpha["high"])

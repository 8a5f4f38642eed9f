"""The shipped figures on how far judges agree with therapists, and the practice's own, as ``domain.trust`` has them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.trust import Agreement, Noticed, Part, Trust

SCHEMA, STUDY = "noteeval.trust/1", "noteeval.degradation_study/1"
# Of the kinds of change in a study those that make a sentence wrong.
_ERRORS = {
    "fact": tr("Made up"),
    "number": tr("Numbers"),
    "drug": tr("Drugs"),
    "plan": tr("Plans"),
    "negation": tr("Yes turned into no, or no into yes"),
    "person": tr("Who did it"),
    "risk": tr("Risk"),
}


def load_trust(folder: Path) -> tuple[Trust, ...]:
    """From resources/trust, which ``python -m models.training.trust`` writes from a benchmark's output, and from what
    ``noteeval degrade-study`` found (of its study.json schema, judges, found, and in ``data`` a sentence on the notes).
    """
    read = [json.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*.json"))]
    studies = [content for content in read if content["schema"] == STUDY]
    return tuple(
        Trust(
            judge["kind"],
            tuple(judge["names"]),
            content["data"],
            {(part["dimension"], part["part"]): _agreement(part) for part in judge["parts"]},
            tuple(_noticed(study, judge["kind"]) for study in studies if judge["kind"] in study["judges"]),
        )
        for content in read
        if content["schema"] == SCHEMA
        for judge in content["judges"]
    )


def _noticed(study: Mapping[str, Any], judge: str) -> Noticed:
    found, alarms = study["found"][judge], study["found"][judge]["false alarms"]
    return Noticed(
        study["data"],
        study["judges"][judge]["version"],
        tuple((name, found[kind]["changes"], found[kind]["found"]) for kind, name in _ERRORS.items() if kind in found),
        (alarms["sentences"], alarms["share"]),
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

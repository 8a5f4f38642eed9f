"""Many evaluations as one: means, distributions, recurring misses, hallucination counts, overall and per clinician."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, quantiles
from typing import Any

DIMENSIONS = ("completeness", "conciseness", "faithfulness")
_BINS = 10
_SEVERITIES = ("high", "medium", "low")


def summary(evaluations: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Over evaluations in the layout of noteeval.evaluation/1, with or without texts.

    ``means`` and ``distributions`` are over the cases in which the dimension was judged (null or empty
    where none was); ``recurring_misses`` lists the items missing most often, as missed of judged.
    """
    values = {name: _known(evaluations, name) for name in DIMENSIONS}
    return {
        "evaluations": len(evaluations),
        "means": {name: fmean(shares) if shares else None for name, shares in values.items()},
        "distributions": {name: _distribution(shares) for name, shares in values.items()},
        "recurring_misses": _misses(evaluations),
        "hallucinations": _hallucinations(evaluations),
        "omissions": dict(_omissions(evaluations)),
    }


def per_clinician(labelled: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """``summary`` for each clinician, by name; evaluations without a clinician are left out."""
    names = sorted({name for name, _ in labelled if name})
    return {name: summary([evaluation for own, evaluation in labelled if own == name]) for name in names}


def _known(evaluations: Sequence[Mapping[str, Any]], dimension: str) -> list[float]:
    shares = (evaluation["scores"][dimension]["note"] for evaluation in evaluations)
    return [share for share in shares if share is not None]


def _distribution(shares: Sequence[float]) -> dict[str, Any]:
    if not shares:
        return {"histogram": [0] * _BINS}
    quarters = quantiles(shares, n=4, method="inclusive") if len(shares) > 1 else [shares[0]] * 3
    counts = Counter(min(_BINS - 1, int(share * _BINS)) for share in shares)
    return {
        "min": min(shares),
        "lower_quartile": quarters[0],
        "median": quarters[1],
        "upper_quartile": quarters[2],
        "max": max(shares),
        "histogram": [counts[index] for index in range(_BINS)],
    }


def _misses(evaluations: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    judged: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    importance: dict[str, str] = {}
    for item in (item for evaluation in evaluations for item in evaluation["checklist"]):
        if item["present"] is None:
            continue
        importance[item["item"]] = item["importance"]
        judged[item["item"]] += 1
        missed[item["item"]] += item["present"] is False
    often = sorted((name for name in judged if missed[name]), key=lambda name: (-missed[name] / judged[name], name))
    return [
        {"item": name, "importance": importance[name], "missed": missed[name], "judged": judged[name]} for name in often
    ]


def _hallucinations(evaluations: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    scores = [evaluation["scores"]["faithfulness"] for evaluation in evaluations]
    return {
        "contradicted": sum(score["contradicted"] for score in scores),
        "unsupported": sum(score["unsupported"] for score in scores),
        "by_severity": {name: sum(score["by_severity"].get(name, 0) for score in scores) for name in _SEVERITIES},
    }


def _omissions(evaluations: Sequence[Mapping[str, Any]]) -> Counter[str]:
    return Counter(omission["kind"] for evaluation in evaluations for omission in evaluation["omissions"] or ())

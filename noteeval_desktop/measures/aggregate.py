"""Many evaluations as one: means, distributions, recurring misses, hallucination counts, overall and per clinician.

Exact, and in little memory for any number of them: a share is one of few fractions, and each is counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from statistics import fmean
from typing import Any

from noteeval_desktop.measures.agreement import ratio

DIMENSIONS = ("completeness", "conciseness", "faithfulness")
_BINS = 10
_SEVERITIES = ("high", "medium", "low")


class Summary:
    """Over evaluations in the layout of noteeval.evaluation/1, with or without texts, added one by one."""

    def __init__(self) -> None:
        self._evaluations = 0
        self._shares = {name: Counter[float]() for name in DIMENSIONS}
        self._judged, self._missed, self._unjudged = Counter[str](), Counter[str](), Counter[str]()
        self._importance: dict[str, str] = {}
        self._wrong, self._severities, self._omissions = Counter[str](), Counter[str](), Counter[str]()
        self._claims, self._grave, self._used = 0, Counter[str](), Counter[str]()

    def add(self, evaluation: Mapping[str, Any]) -> None:
        """Raises LookupError, TypeError or AttributeError for what is no evaluation."""
        self._evaluations += 1
        for name in DIMENSIONS:
            share = evaluation["scores"][name]["note"]
            self._unjudged[name] += evaluation["scores"][name].get("not_judged", 0)
            if share is not None:
                self._shares[name][share] += 1
        for item in evaluation["checklist"]:
            if item["present"] is not None:
                self._importance[item["item"]] = item["importance"]
                self._judged[item["item"]] += 1
                self._missed[item["item"]] += item["present"] is False
        score = evaluation["scores"]["faithfulness"]
        self._wrong.update({name: score[name] for name in ("contradicted", "unsupported")})
        self._severities.update({name: score["by_severity"].get(name, 0) for name in _SEVERITIES})
        self._omissions.update(omission["kind"] for omission in evaluation["omissions"] or ())
        self._grave.update(omission["severity"] for omission in evaluation["omissions"] or ())
        self._claims += claims_judged(evaluation)
        self._used.update({name: value for name, value in evaluation["usage"].items() if value is not None})

    def result(self) -> dict[str, Any]:
        """``means`` and ``distributions`` are over the cases in which the dimension was judged (null or empty
        where none was); ``not_judged`` counts what was not, which stays in the means' denominators (but for
        faithfulness); ``recurring_misses`` lists the items missing most often, as missed of judged."""
        return {
            "evaluations": self._evaluations,
            "means": {name: fmean(shares.elements()) if shares else None for name, shares in self._shares.items()},
            "distributions": {name: _distribution(shares) for name, shares in self._shares.items()},
            "not_judged": {name: self._unjudged[name] for name in DIMENSIONS},
            "recurring_misses": self._misses(),
            "hallucinations": {name: self._wrong[name] for name in ("contradicted", "unsupported")}
            | {"by_severity": {name: self._severities[name] for name in _SEVERITIES}}
            | {"claims": self._claims, "rate": ratio(self._wrong.total(), self._claims)},
            "omissions": dict(sorted(self._omissions.items())),
            "omissions_by_severity": {name: self._grave[name] for name in _SEVERITIES},
            "usage": dict(self._used),
        }

    def _misses(self) -> list[dict[str, Any]]:
        judged, missed = self._judged, self._missed
        often = sorted((name for name in judged if missed[name]), key=lambda name: (-missed[name] / judged[name], name))
        return [
            {"item": name, "importance": self._importance[name], "missed": missed[name], "judged": judged[name]}
            for name in often
        ]


def claims_judged(evaluation: Mapping[str, Any]) -> int:
    """How many sentences have a verdict."""
    return sum(sentence["verdict"] is not None for sentence in evaluation["sentences"])


def _distribution(shares: Counter[float]) -> dict[str, Any]:
    if not shares:
        return {"histogram": [0] * _BINS}
    values = sorted(shares)
    places = list(accumulate(shares[value] for value in values))
    bins = Counter[int]()
    for share, times in shares.items():
        bins[min(_BINS - 1, int(share * _BINS))] += times

    def at(place: int) -> float:
        return values[bisect_right(places, place)]

    def quarter(number: int) -> float:
        """As ``statistics.quantiles`` with method="inclusive"."""
        place, rest = divmod(number * (places[-1] - 1), 4)
        return (at(place) * (4 - rest) + at(min(place + 1, places[-1] - 1)) * rest) / 4

    return {
        "min": values[0],
        "lower_quartile": quarter(1),
        "median": quarter(2),
        "upper_quartile": quarter(3),
        "max": values[-1],
        "histogram": [bins[index] for index in range(_BINS)],
    }

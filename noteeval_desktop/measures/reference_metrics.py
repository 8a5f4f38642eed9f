"""How much of a reference a text repeats: ROUGE as precision, recall and F1."""

from __future__ import annotations

from collections.abc import Sequence

from rouge_score.rouge_scorer import RougeScorer

from noteeval_desktop.measures.agreement import pearson

_KINDS = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
METRICS = tuple(f"{name}-{part}" for name in _KINDS.values() for part in "PRF")


def rouge(reference: str, text: str) -> dict[str, float]:
    """The nine members of ``METRICS``, each 0..1, over lower-cased words as they stand (no stemming)."""
    scores = RougeScorer(list(_KINDS), use_stemmer=False).score(reference, text)
    found: dict[str, float] = {}
    for kind, name in _KINDS.items():
        score = scores[kind]
        found |= {f"{name}-P": score.precision, f"{name}-R": score.recall, f"{name}-F": score.fmeasure}
    return found


def correlations(
    metrics: Sequence[dict[str, float]], manual: Sequence[dict[str, float]]
) -> dict[str, dict[str, float]]:
    """Pearson's r of every metric with every manual score, text by text: metric → manual score → r."""
    names = list(manual[0]) if manual else []
    return {
        metric: {name: pearson([m[metric] for m in metrics], [m[name] for m in manual]) for name in names}
        for metric in METRICS
    }

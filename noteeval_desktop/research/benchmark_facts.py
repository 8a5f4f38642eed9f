"""The benchmark ``mts-dialog-facts``: do a judge's counts of facts follow people's, over MTS-Dialog's summaries?"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.report.terminal import between, figure, table
from noteeval_desktop.research.atomic_facts import words_compared
from noteeval_desktop.research.benchmark_reference import correlate
from noteeval_desktop.research.facts import FactCounts, counted_facts, pooled, told_facts
from noteeval_desktop.research.mts_dialog import Summaries

# People's scores, and what of ours they are compared with.
RATES = {
    "FactualPrecision": "factual_precision",
    "FactualRecall": "factual_recall",
    "FactualF1": "factual_f1",
    "HallucinationRate": "hallucination_rate",
    "OmissionRate": "omission_rate",
}
NAMES = {
    "FactualPrecision": tr("Factual precision"),
    "FactualRecall": tr("Factual recall"),
    "FactualF1": tr("Factual F1"),
    "HallucinationRate": tr("Hallucination rate"),
    "OmissionRate": tr("Omission rate"),
}


def run_facts(
    pairs: Sequence[tuple[str, str]], data: Summaries, judge: Judge, cancel: threading.Event
) -> dict[str, Any]:
    """``pairs`` are those of ``data``: reference and summary. ``{"summaries", "pooled": FactCounts as JSON,
    "correlations": {manual: what ``correlate`` finds}}``; a summary without claims has no precision, and so on. Raises
    JudgeError, Cancelled."""
    compared, counts = words_compared(), list[FactCounts]()
    for reference, text in pairs:
        told = told_facts(judge, parse_note(text), parse_note(reference), None, compared, cancel)
        counts.append(counted_facts(told)[0])
    rows = [one.as_json() for one in counts]
    return {
        "summaries": len(counts),
        "pooled": pooled(counts).as_json(),
        "correlations": {
            manual: correlate([row[rate] for row in rows], {manual: data.manual[manual][: len(rows)]})[manual]
            for manual, rate in RATES.items()
        },
    }


def facts_text(result: dict[str, Any]) -> str:
    rows = [[tr("The judge's rates beside people's"), "n", "r", tr("95 % interval"), "ρ", "τ"]]
    for manual, one in result["correlations"].items():
        row = [NAMES[manual], str(one["n"]), figure(one["r"], 2), between(one["interval"], 2)]
        rows.append([*row, figure(one["spearman"], 2), figure(one["kendall"], 2)])
    own = result["pooled"]
    told = tr(
        "Of {facts} in {summaries} it calls {correct} correct, {incorrect} incorrect and {made_up} made up."
    ).format(
        facts=counted(own["system"], "fact"),
        summaries=counted(result["summaries"], "summary", "summaries"),
        correct=own["correct"],
        incorrect=own["incorrect"],
        made_up=own["hallucinated"],
    )
    return f"{table(rows)}\n{told}"

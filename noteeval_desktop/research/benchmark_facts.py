"""The benchmark ``mts-dialog-facts``: do a judge's counts of facts follow people's, over MTS-Dialog's summaries?"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.report.terminal import between, figure, table
from noteeval_desktop.research.atomic_facts import words_compared
from noteeval_desktop.research.benchmark_reference import correlate
from noteeval_desktop.research.facts import RATE_NAMES, FactCounts, counted_facts, pooled, told_facts
from noteeval_desktop.research.mts_dialog import Summaries

# People's scores, and what of ours they are compared with.
RATES = {
    "FactualPrecision": "factual_precision",
    "FactualRecall": "factual_recall",
    "FactualF1": "factual_f1",
    "HallucinationRate": "hallucination_rate",
    "OmissionRate": "omission_rate",
}


def run_facts(
    pairs: Sequence[tuple[str, str]], data: Summaries, judge: Judge, cancel: threading.Event
) -> dict[str, Any]:
    """``pairs`` are those of ``data``: reference and summary. ``{"summaries", "pooled": FactCounts as JSON,
    "correlations": {manual: what ``correlate`` finds}}``; a summary without claims has no precision, and so on.
    ``problems``: the summaries, by number, that could not be judged, and why. Raises Cancelled."""
    compared, problems = words_compared(), dict[str, str]()
    counts: list[FactCounts | None] = []
    for n, (reference, text) in enumerate(pairs):
        try:
            told = told_facts(judge, parse_note(text), parse_note(reference), None, compared, cancel)
            counts.append(counted_facts(told)[0])
        except JudgeError as error:
            counts.append(None)
            problems[str(n)] = str(error)
    rows = [{} if one is None else one.as_json() for one in counts]
    return {
        "summaries": len(counts),
        "pooled": pooled(one for one in counts if one is not None).as_json(),
        "correlations": {
            manual: correlate([row.get(rate) for row in rows], {manual: data.manual[manual]})[manual]
            for manual, rate in RATES.items()
        },
        "problems": problems,
    }


def facts_text(result: dict[str, Any]) -> str:
    rows = [[tr("The judge's rates beside people's"), "n", "r", tr("95 % interval"), "ρ", "τ"]]
    for manual, one in result["correlations"].items():
        row = [RATE_NAMES[RATES[manual]], str(one["n"]), figure(one["r"], 2), between(one["interval"], 2)]
        rows.append([*row, figure(one["spearman"], 2), figure(one["kendall"], 2)])
    own = result["pooled"]
    told = tr(
        "Of {facts} in {summaries} it calls {correct} correct, {incorrect} incorrect and {made_up} made up."
    ).format(
        facts=counted(own["system"], "fact"),
        summaries=counted(result["summaries"] - len(result["problems"]), "summary", "summaries"),
        correct=own["correct"],
        incorrect=own["incorrect"],
        made_up=own["hallucinated"],
    )
    if result["problems"]:
        told += " " + tr("{number} could not be judged.").format(number=len(result["problems"]))
    return f"{table(rows)}\n{told}"

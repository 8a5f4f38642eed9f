"""`noteeval benchmark mts-dialog` and `tn-eval-metrics`: the correlation study as tables and a chart."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from noteeval_desktop.commands.run import Run
from noteeval_desktop.judges import making
from noteeval_desktop.judges.reference_scores import WINDOW, ReferenceScorer
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.terminal import ProgressBar, table
from noteeval_desktop.research import benchmark_words as words
from noteeval_desktop.research.benchmark_reference import run_mts_dialog, run_tn_eval_metrics
from noteeval_desktop.research.comparing import clinical_terms
from noteeval_desktop.research.dot_chart import Dot, dot_chart


def mts_dialog(run: Run) -> tuple[dict[str, Any], str]:
    """Every reference metric against the facts that people counted in 400 summaries."""
    return _study(run, run_mts_dialog, words.MTS_DIALOG)


def tn_eval_metrics(run: Run) -> tuple[dict[str, Any], str]:
    """Every reference metric against therapists' scores of language models' notes."""
    return _study(run, run_tn_eval_metrics, words.TN_EVAL)


def _study(run: Run, study: Callable[..., dict[str, Any]], title: str) -> tuple[dict[str, Any], str]:
    import rouge_score  # noqa: F401 - what it lacks is said before anything is judged
    import scipy  # noqa: F401

    judge, bar = run.judge(), ProgressBar(run.err)
    encoder = making.encoder(run.closing, WINDOW)
    scorer = ReferenceScorer(encoder, clinical_terms(), judge)
    result = study(run.options.data, scorer, run.cancel, lambda done, total: bar.show(words.NOTES, done, total))
    bar.clear()
    if run.options.chart is not None:
        write_text(run.options.chart, dot_chart(title, *_drawn(result["correlations"])))
    result |= {"judge": dataclasses.asdict(judge.identity), "encoder": encoder.fingerprint}
    return result, _text(result)


def _drawn(found: dict[str, dict[str, dict[str, Any]]]) -> tuple[list[str], list[tuple[str, list[Dot]]]]:
    targets = list(next(iter(found.values())))
    rows = []
    for metric, row in found.items():
        ends = [cell["interval"] for cell in row.values()]
        dots = [
            Dot(cell["r"], None if own is None else (own[0], own[1]), cell.get("published"))
            for cell, own in zip(row.values(), ends, strict=True)
        ]
        rows.append((metric, dots))
    return [words.NAMES.get(name, name.capitalize()) for name in targets], rows


def _text(result: dict[str, Any]) -> str:
    found, aggregate = result["correlations"], result.get("aggregate", {})
    targets = list(next(iter(found.values())))
    head = [
        "",
        "n",
        *(words.NAMES.get(name, name.capitalize()) for name in targets),
        *([words.AGGREGATE] if aggregate else []),
    ]
    values, ranks = [[words.PEARSON, *head[1:]]], [[words.RANKS, *head[1 : 2 + len(targets)]]]
    for metric, row in found.items():
        count = str(next(iter(row.values()))["n"])
        over_all = [_beside(aggregate[metric])] if aggregate else []
        values.append([metric, count, *(_beside(row[name]) for name in targets), *over_all])
        ranks.append(
            [metric, count, *(f"{_figure(row[n]['spearman'])} / {_figure(row[n]['kendall'])}" for n in targets)]
        )
    said = [words.how_to_read(bool(aggregate))]
    reasons = result["missing"]
    for reason in dict.fromkeys(reasons.values()):
        said.append(words.not_computed([name for name in reasons if reasons[name] == reason], reason))
    if result["problems"]:
        said.append(words.failed_on(len(result["problems"])))
    return "\n".join([table(values), "", table(ranks), "", *said])


def _beside(cell: dict[str, Any]) -> str:
    ends, published = cell.get("interval"), cell.get("published")
    interval = "" if ends is None else f" [{ends[0]:.2f}, {ends[1]:.2f}]"
    return _figure(cell["r"]) + interval + ("" if published is None else f" ({published:.2f})")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"

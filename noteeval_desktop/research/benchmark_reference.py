"""The correlation study: which reference metric follows people's scores, over MTS-Dialog and over TN-Eval.

Pearson's r with a 95 % interval from resampling summaries (MTS-Dialog) or conversations (TN-Eval), Spearman's rho
(1904) and Kendall's tau-b (1945), for every metric that can be computed here. A correlation says nothing of how far a
metric's values are right, and one over a mixture of groups may come from the groups alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from noteeval_desktop.commands.run import Run
from noteeval_desktop.documents import parse_note, parse_transcript
from noteeval_desktop.domain.phrases import are, sentence, tr
from noteeval_desktop.judges import making
from noteeval_desktop.judges.reference_scores import METRICS, NOT_HERE, WINDOW, NotePair, ReferenceScorer, Scored
from noteeval_desktop.measures.agreement import Floats, cluster_weights, limits, pearson
from noteeval_desktop.measures.clinical_terms import clinical_terms
from noteeval_desktop.measures.tn_eval import LabelledNote
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.terminal import figure, table
from noteeval_desktop.research import mts_dialog
from noteeval_desktop.research.against_reference import not_computed
from noteeval_desktop.research.dot_chart import Dot, dot_chart
from noteeval_desktop.research.facts import aggregate_score

Progress = Callable[[int, int], None]
TN_EVAL_TARGETS = ("completeness", "conciseness", "faithfulness")


def read(load: Callable[..., Any], *paths: Path) -> Any:
    """What ``load`` reads, once it is known that the packages that measuring needs are here: else their ImportError."""
    import rouge_score  # noqa: F401
    import scipy  # noqa: F401

    return load(*paths)


def run_mts_dialog(
    data: mts_dialog.Summaries, scorer: ReferenceScorer, cancel: threading.Event, progress: Progress
) -> dict[str, Any]:
    """``{"summaries", "correlations": {metric: {manual: {"r", "interval", "spearman", "kendall", "n",
    "published"}}}, "aggregate": {metric: {"r", "published"}}, "missing", "problems"}``.

    Figures are None where undefined or not published. ROUGE stands twice: as rouge-score has it, and in the form of the
    published figures. Raises ModelError, Cancelled.
    """
    sessions = [parse_transcript(text) if text.strip() else None for text in data.dialogues]
    pairs = [
        NotePair(parse_note(text), parse_note(reference), session)
        for (reference, text), session in zip(data.pairs, sessions, strict=True)
    ]
    scored = scorer.score(pairs, cancel, progress)
    columns = _columns(scored)
    rouge = [mts_dialog.rouge_as_published(reference, text) for reference, text in data.pairs]
    for name in rouge[0] if rouge else ():
        columns[name + mts_dialog.AS_PUBLISHED] = [row[name] for row in rouge]
    found = {metric: correlate(values, data.manual) for metric, values in columns.items()}
    aggregate = {}
    for metric, row in found.items():
        published = mts_dialog.PUBLISHED.get(metric.removesuffix(mts_dialog.AS_PUBLISHED))
        for n, cell in enumerate(row.values()):
            cell["published"] = published[n] if published else None
        aggregate[metric] = {
            "r": aggregate_score(*(row[name]["r"] for name in mts_dialog.MANUAL[2:])),
            "published": aggregate_score(*published[2:]) if published else None,
        }
    absent = {name: mts_dialog.PUBLISHED[name] for name in NOT_HERE}
    return {
        "summaries": len(pairs),
        "correlations": found,
        "aggregate": aggregate,
        "published_only": {name: dict(zip(mts_dialog.MANUAL, row, strict=True)) for name, row in absent.items()},
        "missing": scored.missing | NOT_HERE,
        "problems": {str(n): problem for n, problem in scored.problems.items()},
    }


def run_tn_eval_metrics(
    notes: Sequence[LabelledNote], scorer: ReferenceScorer, cancel: threading.Event, progress: Progress
) -> dict[str, Any]:
    """The same over TN-Eval: each language model's note against the therapist's of the same session, with the mean of
    the two therapists' scores of that note as the target. Raises ModelError, Cancelled.

    The built-in judge has learned from these very notes: the rows that ask it flatter it.
    """
    references = {note.conversation: note for note in notes if note.source == "human"}
    others = [note for note in notes if note.source != "human"]
    pairs = [NotePair(n.case.note, references[n.conversation].case.note, n.case.transcript) for n in others]
    scored = scorer.score(pairs, cancel, progress)
    targets = {name: [float(getattr(note, name)) for note in others] for name in TN_EVAL_TARGETS}
    conversations = [note.conversation for note in others]
    return {
        "notes": len(others),
        "correlations": {metric: correlate(own, targets, conversations) for metric, own in _columns(scored).items()},
        "missing": scored.missing | NOT_HERE,
        "problems": {str(n): problem for n, problem in scored.problems.items()},
    }


def _columns(scored: Scored) -> dict[str, list[float | None]]:
    return {name: [row[name] for row in scored.values] for name in METRICS if name not in scored.missing}


def correlate(
    metric: Sequence[float | None], targets: Mapping[str, Sequence[float]], clusters: Sequence[Hashable] | None = None
) -> dict[str, dict[str, Any]]:
    """The metric's correlation with each target, over the ``n`` texts that have it: ``r`` with the 95 % ``interval``
    from resampling whole ``clusters`` (by default texts), ``spearman`` and ``kendall``; None where undefined (fewer
    than three texts, or one of the two does not vary). Needs the package scipy.
    """
    known = [n for n, value in enumerate(metric) if value is not None]
    x = np.array([metric[n] for n in known], dtype=float)
    labels = [n if clusters is None else clusters[n] for n in known]
    place = {name: n for n, name in enumerate(dict.fromkeys(labels))}
    weights = cluster_weights(len(place))[1:, [place[label] for label in labels]]
    return {name: _correlation(x, np.array([own[n] for n in known]), weights) for name, own in targets.items()}


def _correlation(x: Floats, y: Floats, weights: Floats) -> dict[str, Any]:
    from scipy import stats

    r = pearson(x, y) if len(x) > 2 else np.nan
    if np.isnan(r):
        return {"r": None, "interval": None, "spearman": None, "kendall": None, "n": len(x)}
    low, high = limits(_pearson(x, y, weights))
    return {
        "r": r,
        "interval": None if np.isnan(low) else [low, high],
        "spearman": float(stats.spearmanr(x, y).statistic),
        "kendall": float(stats.kendalltau(x, y).statistic),
        "n": len(x),
    }


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """r under each row of ``weights`` (rounds, texts): a resample is a sum, not a new pass."""
    x, y = x - x.mean(), y - y.mean()
    total = weights.sum(axis=1)
    mx, my = weights @ x / total, weights @ y / total
    covariance = weights @ (x * y) / total - mx * my
    vx, vy = weights @ (x * x) / total - mx * mx, weights @ (y * y) / total - my * my
    with np.errstate(divide="ignore", invalid="ignore"):
        r: Floats = np.where((vx > 1e-12) & (vy > 1e-12), covariance / np.sqrt(vx * vy), np.nan)
    return r


def study(
    result_of: Callable[..., dict[str, Any]], title: str, run: Run, data: Any, progress: Progress
) -> dict[str, Any]:
    """What ``run_mts_dialog`` or ``run_tn_eval_metrics`` finds, with who was asked; its chart where one is wanted."""
    judge, encoder = run.judge(), making.encoder(run.closing, WINDOW)
    result = result_of(data, ReferenceScorer(encoder, clinical_terms(), judge), run.cancel, progress)
    if run.options.chart is not None:
        rows = [
            (metric, [Dot(one["r"], one["interval"] and tuple(one["interval"]), one.get("published")) for one in row])
            for metric, row in ((metric, row.values()) for metric, row in result["correlations"].items())
        ]
        write_text(run.options.chart, dot_chart(title, _targets(result), rows))
    return result | {"encoder": encoder.fingerprint}


def study_text(result: Mapping[str, Any]) -> str:
    """Two tables: r with its interval and what was published, and the two of ranks."""
    found, aggregate = result["correlations"], result.get("aggregate", {})
    head = ["n", *_targets(result)]
    values = [[tr("Pearson's r"), *head, *([tr("Aggregate")] if aggregate else [])]]
    ranks = [[tr("Spearman's ρ / Kendall's τ"), *head]]
    for metric, row in found.items():
        cells = list(row.values())
        count, over_all = str(cells[0]["n"]), [_beside(aggregate[metric])] if aggregate else []
        values.append([metric, count, *map(_beside, cells), *over_all])
        ranks.append([metric, count, *(f"{figure(c['spearman'], 2)} / {figure(c['kendall'], 2)}" for c in cells)])
    said = [tr("In square brackets: the 95 % interval.")]
    if aggregate:
        said[0] += " " + tr("In round ones: the published correlation.")
    said += [sentence(told) for told in not_computed(result["missing"])]
    if result["problems"]:
        failed = len(result["problems"])
        told = tr("The judge failed on {count}; {they_are} in no row that asks it.")
        said.append(told.format(count=failed, they_are=are(failed, tr("it is"), tr("they are"))))
    return "\n".join([table(values), "", table(ranks), "", *said])


def _targets(result: Mapping[str, Any]) -> list[str]:
    names = {
        "FactualPrecision": tr("Factual P"),
        "FactualRecall": tr("Factual R"),
        "FactualF1": tr("Factual F1"),
        "HallucinationRate": tr("Hallucination"),
        "OmissionRate": tr("Omission"),
    }
    return [names.get(name, name.capitalize()) for name in next(iter(result["correlations"].values()))]


def _beside(cell: Mapping[str, Any]) -> str:
    ends, published = cell.get("interval"), cell.get("published")
    interval = "" if ends is None else f" [{ends[0]:.2f}, {ends[1]:.2f}]"
    return figure(cell["r"], 2) + interval + ("" if published is None else f" ({published:.2f})")

"""The correlation study: which reference metric follows people's scores, over MTS-Dialog and over TN-Eval.

Pearson's r with a 95 % interval from resampling summaries (MTS-Dialog) or conversations (TN-Eval), Spearman's rho and
Kendall's tau-b, for every metric that can be computed here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from noteeval_desktop.documents import parse_note, parse_transcript
from noteeval_desktop.judges.reference_scores import METRICS, NOT_HERE, NotePair, ReferenceScorer, Scored
from noteeval_desktop.measures.tn_eval import LabelledNote, load_notes
from noteeval_desktop.research import mts_dialog
from noteeval_desktop.research.correlation import correlate
from noteeval_desktop.research.facts import aggregate_score

Progress = Callable[[int, int], None]
TN_EVAL_TARGETS = ("completeness", "conciseness", "faithfulness")


def run_mts_dialog(
    path: Path, scorer: ReferenceScorer, cancel: threading.Event, progress: Progress = lambda done, total: None
) -> dict[str, Any]:
    """``{"benchmark", "summaries", "correlations": {metric: {manual: {"r", "interval", "spearman", "kendall", "n",
    "published"}}}, "aggregate": {metric: {"r", "published"}}, "missing", "problems"}``.

    Figures are None where undefined or not published. ROUGE stands twice: as rouge-score has it, and in the form of the
    published figures. Raises InputError, ModelError, Cancelled.
    """
    data = mts_dialog.load(path)
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
    found = _correlations(columns, data.manual, None)
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
        "benchmark": "mts-dialog",
        "summaries": len(pairs),
        "correlations": found,
        "aggregate": aggregate,
        "published_only": {name: dict(zip(mts_dialog.MANUAL, row, strict=True)) for name, row in absent.items()},
        "missing": scored.missing | NOT_HERE,
        "problems": {str(n): problem for n, problem in scored.problems.items()},
    }


def run_tn_eval_metrics(
    path: Path, scorer: ReferenceScorer, cancel: threading.Event, progress: Progress = lambda done, total: None
) -> dict[str, Any]:
    """The same over TN-Eval: each language model's note against the therapist's of the same session, with the mean of
    the two therapists' scores of that note as the target. Raises InputError, ModelError, Cancelled.

    The built-in judge has learned from these very notes: the rows that ask it flatter it.
    """
    notes = load_notes(path)
    references = {note.conversation: note for note in notes if note.source == "human"}
    others = [note for note in notes if note.source != "human"]
    pairs = [NotePair(n.case.note, references[n.conversation].case.note, n.case.transcript) for n in others]
    scored = scorer.score(pairs, cancel, progress)
    targets = {name: [_target(note, name) for note in others] for name in TN_EVAL_TARGETS}
    return {
        "benchmark": "tn-eval-metrics",
        "notes": len(others),
        "correlations": _correlations(_columns(scored), targets, [note.conversation for note in others]),
        "missing": scored.missing | NOT_HERE,
        "problems": {str(n): problem for n, problem in scored.problems.items()},
    }


def _target(note: LabelledNote, name: str) -> float:
    value: float = getattr(note, name)
    return value


def _columns(scored: Scored) -> dict[str, list[float | None]]:
    return {name: [row[name] for row in scored.values] for name in METRICS if name not in scored.missing}


def _correlations(
    columns: Mapping[str, Sequence[float | None]],
    targets: Mapping[str, Sequence[float]],
    clusters: Sequence[Hashable] | None,
) -> dict[str, dict[str, dict[str, Any]]]:
    return {
        metric: {name: found.as_json() for name, found in correlate(values, targets, clusters).items()}
        for metric, values in columns.items()
    }

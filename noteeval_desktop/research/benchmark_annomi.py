"""The benchmark ``annomi``: do a session's means tell high- from low-quality motivational interviewing, turn by turn
and exchange by exchange, and how much of a skilled session is scored low?"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, Attribute, ResponseVerdict
from noteeval_desktop.judges.exchanges import scored_exchanges
from noteeval_desktop.judges.protocol import Judge, exchanges_of
from noteeval_desktop.measures.agreement import auc, bootstrap, known_mean
from noteeval_desktop.report.terminal import between, figure, table
from noteeval_desktop.research.published import annomi

_COLUMNS = ("transcript_id", "mi_quality", "interlocutor", "utterance_text")
_DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class LabelledSession:
    """A session with the label that the judge must not know: was it high-quality motivational interviewing?"""

    name: str
    high: bool
    transcript: Transcript


def read_sessions(*paths: Path) -> tuple[LabelledSession, ...]:
    """Read AnnoMI's table, simple or full. Raises InputError."""
    return tuple(_session(name, rows) for name, rows in annomi(paths, _COLUMNS).items())


def _session(name: str, rows: Sequence[dict[str, str]]) -> LabelledSession:
    turns = tuple(
        Turn(index, row["interlocutor"].capitalize(), Role(row["interlocutor"]), normalise(row["utterance_text"]))
        for index, row in enumerate(rows)
    )
    return LabelledSession(name, rows[0]["mi_quality"] == "high", Transcript(turns))


def run_annomi(sessions: Sequence[LabelledSession], judge: Judge, cancel: threading.Event) -> dict[str, Any]:
    """AUC of each session mean, with 95 % intervals over sessions drawn with replacement."""
    rows: list[tuple[bool, dict[str, float]]] = []
    units: dict[tuple[str, str], list[ResponseVerdict]] = {}
    crises = 0
    for session in sessions:
        verdicts = list(judge.respond(exchanges_of(session.transcript), cancel))
        crises += sum(verdict.crisis for verdict in verdicts)
        exchanges = [exchange.verdict for exchange in scored_exchanges(session.transcript, verdicts)]
        quality = "high" if session.high else "low"
        units.setdefault(("turns", quality), []).extend(verdicts)
        units.setdefault(("exchanges", quality), []).extend(exchanges)
        means = _means(verdicts)
        if means:
            rows.append((session.high, means | {f"exchange_{name}": mean for name, mean in _means(exchanges).items()}))
    names = dict.fromkeys(name for _, means in rows for name in means)
    return {
        "sessions": len(rows),
        "sessions_without_scores": len(sessions) - len(rows),
        "quality": dict(Counter("high" if label else "low" for label, _ in rows)),
        "responses_in_crisis": crises,
        "scored_low": [
            {"unit": unit, "quality": quality, "number": len(own), **_scored_low(own)}
            for (unit, quality), own in sorted(units.items())
        ],
        # A session in which nobody discloses anything has no exchange.
        "measures": {name: _measured([(high, own[name]) for high, own in rows if name in own]) for name in names},
    }


def annomi_text(result: dict[str, Any]) -> str:
    rows = [[tr("AUC, high against low quality"), tr("95 % interval"), tr("Mean of high"), tr("Mean of low")]]
    for name, measured in result["measures"].items():
        rows.append([f"{name.replace('_', ' ')}: {figure(measured['auc'])}", between(measured["interval"])])
        rows[-1] += [figure(measured.get("mean_high")), figure(measured.get("mean_low"))]
    low = [[tr("Scored 3 or less"), tr("Mean of six"), "ARS", tr("Any attribute")]]
    for one in result["scored_low"]:
        name = tr("{number} {unit}, {quality} quality").format(**one)
        low.append([name, figure(one["mean"]), figure(one["ars"]), figure(one["any_attribute"])])
    sessions, responses = counted(result["sessions"], "session"), counted(result["responses_in_crisis"], "response")
    told = tr("{sessions}; {responses} to a crisis.").format(sessions=sessions, responses=responses)
    return f"{table(rows)}\n{table(low)}\n{told}"


def _scored_low(verdicts: Sequence[ResponseVerdict]) -> dict[str, float | None]:
    """Shares at or below 3: of the mean of six, of the ARS, and of any one attribute."""
    scored = [v for v in verdicts if v.css is not None and v.ars is not None]
    if not scored:
        return {"mean": None, "ars": None, "any_attribute": None}
    return {
        "mean": mean(((v.css or 0) + (v.ars or 0)) / 2 <= SUBTHRESHOLD for v in scored),
        "ars": mean((v.ars or 0) <= SUBTHRESHOLD for v in scored),
        "any_attribute": mean(any((s or 0) <= SUBTHRESHOLD for _, s in v.scores) for v in scored),
    }


def _means(verdicts: Sequence[ResponseVerdict]) -> dict[str, float]:
    measures: list[tuple[str, Callable[[ResponseVerdict], float | None]]] = [
        ("css", lambda verdict: verdict.css),
        ("ars", lambda verdict: verdict.ars),
        ("css_and_ars", lambda v: None if v.css is None or v.ars is None else (v.css + v.ars) / 2),
    ]
    means = {name: known_mean(map(measure, verdicts)) for name, measure in measures}
    means |= {a.value: known_mean(verdict.score(a) for verdict in verdicts) for a in Attribute}
    return {name: value for name, value in means.items() if value is not None} if means["css"] is not None else {}


def _measured(means: Sequence[tuple[bool, float]]) -> dict[str, Any]:
    high, low = ([value for label, value in means if label is one] for one in (True, False))
    if not high or not low:
        return {"auc": None, "interval": None}
    labels, values = np.array([True] * len(high) + [False] * len(low)), np.array(high + low)
    # As many of either quality each time as there are.
    found = bootstrap(auc, labels, values, range(len(values)), rounds=_DRAWS, seed=11, strata=labels)
    return {
        "auc": found.value,
        "interval": [found.low, found.high],
        "mean_high": float(np.mean(high)),
        "mean_low": float(np.mean(low)),
    }

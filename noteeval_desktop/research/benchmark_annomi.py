"""The benchmark ``annomi``: do a session's means tell high- from low-quality motivational interviewing, turn by turn
and exchange by exchange, and how much of a skilled session is scored low?"""

from __future__ import annotations

import csv
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, Attribute, ResponseVerdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.exchanges import scored_exchanges
from noteeval_desktop.judges.protocol import Judge, exchanges_of

_COLUMNS = frozenset(("transcript_id", "mi_quality", "interlocutor", "utterance_text"))
_DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class LabelledSession:
    """A session with the label that the judge must not know: was it high-quality motivational interviewing?"""

    name: str
    high: bool
    transcript: Transcript


def read_sessions(path: Path) -> tuple[LabelledSession, ...]:
    """Read AnnoMI's simple CSV, one row an utterance. Raises InputError."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = _COLUMNS - set(reader.fieldnames or ())
            if missing:
                remedy = "Pass annomi_simple.csv."
                raise InputError(path.name, f"the columns {', '.join(sorted(missing))} are missing", remedy)
            rows: dict[str, list[dict[str, str]]] = {}
            for row in reader:
                rows.setdefault(row["transcript_id"], []).append(row)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(path.name, "cannot be read as CSV", "Check the path and the file.") from error
    return tuple(_session(name, own) for name, own in rows.items())


def _session(name: str, rows: Sequence[dict[str, str]]) -> LabelledSession:
    turns = tuple(
        Turn(index, row["interlocutor"].capitalize(), Role(row["interlocutor"]), normalise(row["utterance_text"]))
        for index, row in enumerate(rows)
    )
    return LabelledSession(name, rows[0]["mi_quality"] == "high", Transcript(turns))


def run_annomi(
    csv_path: Path,
    judge: Judge,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """AUC of each session mean, with 95 % intervals over sessions drawn with replacement. Raises InputError."""
    sessions = read_sessions(csv_path)
    cancel = cancel or threading.Event()
    rows: list[tuple[bool, dict[str, float]]] = []
    units: dict[tuple[str, str], list[ResponseVerdict]] = {}
    crises = 0
    for number, session in enumerate(sessions):
        progress(number, len(sessions))
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
        "measures": {name: _measured(*_known(name, rows)) for name in names},
    }


def _known(name: str, rows: Sequence[tuple[bool, dict[str, float]]]) -> tuple[Any, Any]:
    """The sessions that have it: one in which nobody discloses anything has no exchange."""
    own = [(high, means[name]) for high, means in rows if name in means]
    return np.array([value for _, value in own]), np.array([high for high, _ in own])


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
    def averaged(name: str, values: Iterator[float | None]) -> tuple[str, float | None]:
        known = [value for value in values if value is not None]
        return name, mean(known) if known else None

    measures: list[tuple[str, Callable[[ResponseVerdict], float | None]]] = [
        ("css", lambda verdict: verdict.css),
        ("ars", lambda verdict: verdict.ars),
        ("css_and_ars", lambda v: None if v.css is None or v.ars is None else (v.css + v.ars) / 2),
    ]
    pairs = [averaged(name, (measure(verdict) for verdict in verdicts)) for name, measure in measures]
    pairs += [averaged(a.value, (verdict.score(a) for verdict in verdicts)) for a in Attribute]
    return {name: value for name, value in pairs if value is not None} if pairs[0][1] is not None else {}


def auc(values: Any, positive: Any) -> float:
    """Chance that a positive has the higher value, ties counting half (0..1)."""
    over = values[positive][:, None] - values[~positive][None, :]
    return float(np.mean((over > 0) + 0.5 * (over == 0)))


def _measured(values: Any, high: Any) -> dict[str, Any]:
    if not (high.any() and (~high).any()):
        return {"auc": None, "interval": None}
    generator = np.random.default_rng(11)
    up, down = np.flatnonzero(high), np.flatnonzero(~high)
    draws = []
    for _ in range(_DRAWS):
        picked = np.concatenate([generator.choice(up, len(up)), generator.choice(down, len(down))])
        draws.append(auc(values[picked], high[picked]))
    low, top = np.quantile(draws, [0.025, 0.975])
    return {
        "auc": auc(values, high),
        "interval": [float(low), float(top)],
        "mean_high": float(values[high].mean()),
        "mean_low": float(values[~high].mean()),
    }

"""The built-in judge on material that nothing was learned from: one table, one JSON.

    python -m models.training.measure --data FOLDER_OF_PUBLIC_DATA [--tn-eval] [--sealed --why "…"] [--json OUT]

``--tn-eval`` trains the judge anew for each fold of conversations (an hour on two cores). ``--sealed`` opens the sealed
authors' sessions, which is written down. Intervals are over authors, conversations or visits (bootstrap, 95 %).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.training import clinicians, datasets, held_out
from models.training.corpus.sealed import unseal
from models.training.datasets import ClaimSet
from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.rubric import rubric_from_json
from noteeval_desktop.domain.verdicts import Confidence, Verdict
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.agreement import auc, bootstrap
from noteeval_desktop.measures.tn_eval_tables import tables
from noteeval_desktop.report import terminal
from noteeval_desktop.research.benchmark_claims import DegradeCase, run_degrade, run_true_notes
from noteeval_desktop.research.benchmark_notes import run_checklist, run_need
from noteeval_desktop.research.benchmark_omissions import run_omissions
from noteeval_desktop.research.benchmark_risk import run_risk
from noteeval_desktop.research.benchmark_tn_eval import all_judged
from noteeval_desktop.research.labelled import read_sessions
from noteeval_desktop.research.published import load_notes

_ERRORS = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class Judged:
    session: str
    true: bool
    kind: str
    own: bool
    twin: str
    verdict: Verdict
    chance: float
    sure: bool


def judged(sets: Iterable[ClaimSet], judge: Judge) -> list[Judged]:
    """Every claim that somebody labelled true or false and the judge judged. ``own``: it stands in the note, and is not
    the other version of a sentence that does."""
    found = []
    for own in sets:
        seen: set[str] = set()
        for claim, verdict in zip(
            own.claims, judge.support(Case(own.transcript, own.note, own.name), threading.Event()), strict=True
        ):
            first = not claim.twin or claim.twin not in seen
            seen.add(claim.twin)
            if claim.target is None or verdict.verdict is None or verdict.probability is None:
                continue
            found.append(
                Judged(
                    own.name.split("/")[0],
                    claim.target >= 0.5,
                    claim.kind,
                    first,
                    claim.twin,
                    verdict.verdict,
                    verdict.probability,
                    verdict.verdict is Verdict.SUPPORTED and verdict.confidence is Confidence.SURE,
                )
            )
    return found


def table(claims: Sequence[Judged]) -> dict[str, Any]:
    """Shares 0..1 with intervals, None where nothing was to be counted."""
    own = [claim for claim in claims if claim.own]
    true = np.array([claim.true for claim in own])
    error = np.array([claim.verdict in _ERRORS for claim in own])
    contradicted = np.array([claim.verdict is Verdict.CONTRADICTED for claim in own])
    sure = np.array([claim.sure for claim in own])
    chance = np.array([claim.chance for claim in own])
    sessions = [claim.session for claim in own]
    kinds = sorted({claim.kind for claim in own if not claim.true})
    twins = _twins(claims)
    return {
        "claims": len(own),
        "false": int((~true).sum()),
        "errors_found": _share(error, ~true, sessions),
        "true_doubted": _share(error, true, sessions),
        "true_contradicted": _share(contradicted, true, sessions),
        "contradicted_right": _share(~true, contradicted, sessions),
        "sure_and_false": _share(~true, sure, sessions),
        "sure": _share(sure, np.ones(len(own), bool), sessions),
        "auc": None if true.all() else _estimate(auc, true, chance, sessions),
        "found_at_8_percent_doubted": None if true.all() else _found_at(chance, true, 0.08),
        "found_by_kind": {
            kind: [int(own_kind.sum()), float(error[own_kind].mean())]
            for kind in kinds
            if (own_kind := np.array([claim.kind == kind and not claim.true for claim in own])).any()
        },
        "right_twin_preferred": None if not twins else [len(twins), float(np.mean(twins))],
    }


def _twins(claims: Sequence[Judged]) -> list[bool]:
    pairs: dict[str, list[Judged]] = {}
    for claim in claims:
        if claim.twin:
            pairs.setdefault(claim.twin, []).append(claim)
    sorted_pairs = [sorted(pair, key=lambda one: one.true) for pair in pairs.values() if len(pair) == 2]
    return [true.chance > false.chance for false, true in sorted_pairs if true.true and not false.true]


def _found_at(chance: NDArray[np.float64], true: NDArray[np.bool_], doubted: float) -> float:
    return float(np.mean(chance[~true] < np.quantile(chance[true], doubted)))


def _share(what: NDArray[np.bool_], among: NDArray[np.bool_], sessions: Sequence[str]) -> dict[str, float] | None:
    if not among.any():
        return None
    return _estimate(
        lambda hits, kept: float(hits[kept > 0].mean()) if (kept > 0).any() else float("nan"), what, among, sessions
    )


def _estimate(statistic: Any, first: Any, second: Any, sessions: Sequence[str]) -> dict[str, float]:
    found = bootstrap(statistic, first, second, sessions, rounds=400)
    return {"value": round(found.value, 4), "low": round(found.low, 4), "high": round(found.high, 4)}


def of_sessions(folder: Path, judge: Judge) -> dict[str, Any]:
    """Everything that labelled sessions say of a judge."""
    sessions, notes, stop = list(read_sessions(folder)), clinicians.labelled_sets(folder), threading.Event()
    return {
        "support": table(judged(_told(datasets.corpus(folder)), judge)),
        "need": run_need(notes, judge, stop),
        "checklist": run_checklist(notes, judge, stop),
        "omissions": run_omissions(sessions, lambda case: judge.omit(case, tuple(judge.support(case, stop)), stop)),
        "risk": run_risk(sessions, judge, stop),
    }


def _told(sets: Iterable[ClaimSet]) -> Iterator[ClaimSet]:
    return (one for one in sets if one.claims and one.transcript.turns)


def _cases(path: Path) -> list[Case]:
    return [Case(one.transcript, one.note, one.name) for one in _told(datasets.clinicians_notes(path))]


def cross_validated(path: Path, judge: Judge, embedder: Embedder) -> dict[str, Any]:
    """``tn-eval`` and ``degrade``, by judges that have not seen the conversation."""
    notes, stop = load_notes(path), threading.Event()
    own = [DegradeCase(n.case, frozenset(s.sentence.id for s in n.sentences if all(s.faithful))) for n in notes]
    return {
        "tn-eval": tables(notes, all_judged(notes, judge, stop, embedder)),
        "degrade": run_degrade(own, held_out.judges(notes, embedder), stop),
    }


def as_rows(measured: Mapping[str, Any], name: str = "") -> Iterator[list[str]]:
    """Name, how many, value and interval of every figure, however deep it lies."""
    kept = measured.get("value", measured.get("share"))
    if isinstance(kept, float):
        ends = measured.get("interval") or (measured.get("low"), measured.get("high"))
        told = "" if None in ends else f"{ends[0]:.3f} to {ends[1]:.3f}"
        yield [name, str(measured.get("of", "")), f"{kept:.3f}", told]
        return
    for key, value in measured.items():
        where = f"{name} · {key}".removeprefix(" · ").replace("_", " ")
        if isinstance(value, Mapping):
            yield from as_rows(value, where)
        elif isinstance(value, bool) or value is None or isinstance(value, str):
            continue
        elif isinstance(value, int | float):
            yield [where, "", f"{value:.3f}" if isinstance(value, float) else str(value), ""]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="measure", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tn-eval", action="store_true")
    parser.add_argument("--sealed", action="store_true")
    parser.add_argument("--why", default="")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args(arguments)
    rubric = rubric_from_json(json.loads((paths.resources() / "rubrics" / "tn-eval.json").read_text(encoding="utf-8")))
    found: dict[str, Any] = {}
    with closing(LlamaEmbedder(models.encoder_path())) as embedder, tempfile.TemporaryDirectory() as opened:
        judge = builtin.load(embedder, rubric)
        for name in ("held_out", "held_out_twins"):
            found[f"composed, {name}"] = table(judged(_told(datasets.composed(name)), judge))
        for name in ("mts_dialog_valid", "aci_bench_valid"):
            found[f"true notes, {name}"] = run_true_notes(_cases(asked.data / f"{name}.csv"), judge, threading.Event())
        if asked.tn_eval:
            found |= cross_validated(asked.data / "tn_eval_dev.json", judge, embedder)
        if asked.sealed:
            unseal(Path(opened), asked.why)
            found["sealed authors"] = of_sessions(Path(opened), judge)
    print(terminal.table([["", "Of", "Figure", "95 % interval"], *as_rows(found)]))
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1, default=float) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

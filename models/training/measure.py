"""The built-in judge as it ships, on material that nothing was learned from: one table, one JSON.

    python -m models.training.measure --data FOLDER_OF_PUBLIC_DATA [--sealed --why "…"] [--json OUT]

``--sealed`` opens the sealed authors' sessions, which is written down. Intervals are over authors' sessions or
encounters (bootstrap, 95 %).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.training import datasets
from models.training.corpus.sealed import unseal
from models.training.datasets import ClaimSet
from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.rubric import rubric_from_json
from noteeval_desktop.domain.verdicts import Confidence, Verdict
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.agreement import auc, bootstrap

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


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="measure", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sealed", action="store_true")
    parser.add_argument("--why", default="")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args(arguments)
    rubric = rubric_from_json(json.loads((paths.resources() / "rubrics" / "tn-eval.json").read_text(encoding="utf-8")))
    tables: dict[str, Any] = {}
    with closing(LlamaEmbedder(models.encoder_path())) as embedder, tempfile.TemporaryDirectory() as opened:
        judge = builtin.load(embedder, rubric)
        sets: dict[str, Iterable[ClaimSet]] = {
            "composed, held out": datasets.composed("held_out"),
            "composed twins, held out": datasets.composed("held_out_twins"),
            "clinicians' notes, MTS-Dialog": datasets.clinicians_notes(asked.data, "mts_dialog_valid"),
            "clinicians' notes, ACI-Bench": datasets.clinicians_notes(asked.data, "aci_bench_valid"),
        }
        if asked.sealed:
            unseal(Path(opened), asked.why)
            sets["sealed authors"] = datasets.corpus(Path(opened))
        for name, own in sets.items():
            tables[name] = table(judged((one for one in own if one.claims and one.transcript.turns), judge))
            print(f"{name}: {json.dumps(tables[name])}", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(tables, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

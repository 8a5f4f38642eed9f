"""A batch's outcomes in the order of its list, and its summary, as tests look at them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any

from noteeval_desktop import batch
from noteeval_desktop.batch.results import Aggregate, aggregate_json, entries
from noteeval_desktop.judges.protocol import Judge


def outcomes(
    pairs: Collection[batch.Pair],
    make_judge: Callable[[], Judge],
    plan: batch.Plan,
    cancel: threading.Event | None = None,
    report: Callable[[batch.Outcome], None] = lambda outcome: None,
) -> list[batch.Outcome]:
    found: list[batch.Outcome] = []

    def keep(outcome: batch.Outcome) -> None:
        found.append(outcome)
        report(outcome)

    counts = batch.run(pairs, make_judge, plan, cancel, keep)
    assert counts.total() == len(found)
    return sorted(found, key=lambda outcome: outcome.pair.row)


def aggregated(plan: batch.Plan, found: Sequence[batch.Outcome]) -> dict[str, Any]:
    with batch.Ledger(plan.folder) as ledger:
        for outcome in found:
            ledger.add(outcome)
    return json.loads("".join(aggregate_json(entries([plan.folder], ledger.path), Aggregate())))

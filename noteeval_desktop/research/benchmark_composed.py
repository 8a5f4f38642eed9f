"""How a judge takes notes that people wrote wrong on purpose, in the ways in which clinicians err."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence

from noteeval_desktop.domain.verdicts import ERRORS, Verdict
from noteeval_desktop.research.benchmark_degrade import ClaimJudge
from noteeval_desktop.research.composed import ComposedSession, Error, Truth


def run_composed(
    sessions: Sequence[ComposedSession],
    judge: ClaimJudge,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, object]:
    """Shares are 0..1, None where there was nothing to measure.

    ``errors``: by how a claim errs and over all, how many there are, the share called contradicted or unsupported, and
    the share called contradicted. ``true``: the same of true claims, where these are false alarms. ``observed``: of
    claims that no transcript can show, the share called observed. Claims without a verdict count as none of these.
    """
    cancel = cancel or threading.Event()
    made: Counter[str] = Counter()
    found: Counter[str] = Counter()
    refuted: Counter[str] = Counter()
    apart = 0
    for number, session in enumerate(sessions):
        verdicts = {claim.sentence: claim.verdict for claim in judge.support(session.case, cancel)}
        for claim in session.claims:
            verdict = verdicts.get(claim.sentence.id)
            names = [claim.truth.value, *([claim.error.value] if claim.error else [])]
            made.update(names)
            found.update(name for name in names if verdict in ERRORS)
            refuted.update(name for name in names if verdict is Verdict.CONTRADICTED)
            apart += claim.truth is Truth.OBSERVED and verdict is Verdict.OBSERVED
        progress(number + 1, len(sessions))

    def shares(name: str) -> dict[str, object]:
        count = made[name]
        of = {"found": found[name], "contradicted": refuted[name]}
        return {"claims": count} | {which: times / count if count else None for which, times in of.items()}

    observed = made[Truth.OBSERVED.value]
    return {
        "sessions": len(sessions),
        "errors": {error.value: shares(error.value) for error in Error} | {"all": shares(Truth.FALSE.value)},
        "true": shares(Truth.TRUE.value),
        "observed": {"claims": observed, "observed": apart / observed if observed else None},
    }

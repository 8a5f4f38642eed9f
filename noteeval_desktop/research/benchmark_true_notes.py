"""How often does a judge doubt what clinicians wrote of visits? Every sentence counts as true."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.verdicts import ERRORS, Verdict
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.agreement import share

KINDS = {
    "with shorthand": re.compile(
        r"\b(?:pt|hx|sx|dx|tx|rx|w/o?|b/c|c/o|f/u|r/o|s/p|y/o|yo|prn|bid|tid|qhs|po|mg|mcg|ros|heent|neg)\b",
        re.IGNORECASE,
    ),
    "with a number": re.compile(r"\d"),
    "with a negation": re.compile(r"\b(?:no|not|none|never|without|denie[sd]|denying|negative)\b", re.IGNORECASE),
}


def run_true_notes(
    cases: Sequence[Case],
    judge: Judge,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """``doubted``: called unsupported or contradicted, of the sentences that were judged; ``contradicted`` of the same;
    ``doubted_by_kind`` of those whose wording holds it. Intervals are over visits, told by
    their label (95 %). Raises JudgeError,
    Cancelled."""
    stop = cancel or threading.Event()
    doubted: list[tuple[str, float]] = []
    contradicted: list[tuple[str, float]] = []
    kinds: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for number, case in enumerate(cases):
        progress(number, len(cases))
        for sentence, claim in zip(case.note.sentences, judge.support(case, stop), strict=True):
            if claim.verdict is None:
                continue
            answer = (case.label, float(claim.verdict in ERRORS))
            doubted.append(answer)
            contradicted.append((case.label, float(claim.verdict is Verdict.CONTRADICTED)))
            for kind, pattern in KINDS.items():
                if pattern.search(sentence.text):
                    kinds[kind].append(answer)
    return {
        "notes": len(cases),
        "doubted": _share(doubted),
        "contradicted": _share(contradicted),
        "doubted_by_kind": {kind: _share(kinds[kind]) for kind in KINDS},
    }


def _share(answers: Sequence[tuple[str, float]]) -> dict[str, Any]:
    return share([value for _, value in answers], [name for name, _ in answers])

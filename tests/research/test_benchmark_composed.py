"""The benchmark of composed sessions counts what a judge answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.research.benchmark_claims import run_composed
from noteeval_desktop.research.composed import ComposedSession, Error, Truth, load_composed


class Knowing:
    """Answers what its table says of a claim's truth and error."""

    def __init__(self, sessions: tuple[ComposedSession, ...]) -> None:
        self._of = {id(session.case): session for session in sessions}

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        for claim in self._of[id(case)].claims:
            verdict: Verdict | None = Verdict.SUPPORTED
            if claim.truth is Truth.OBSERVED:
                verdict = Verdict.OBSERVED
            elif claim.error is Error.OPPOSITE:
                verdict = Verdict.CONTRADICTED
            elif claim.error is Error.RISK:
                verdict = Verdict.UNSUPPORTED
            elif claim.error is Error.PERSON:
                verdict = None
            yield ClaimVerdict(claim.sentence.id, verdict)


def test_errors_are_counted_by_how_they_err() -> None:
    sessions = load_composed(paths.resources() / "composed" / "held_out.json")[:4]
    found = run_composed(sessions, Knowing(sessions), threading.Event())
    errors = found["errors"]
    assert (errors["opposite"]["found"], errors["opposite"]["contradicted"]) == (1.0, 1.0)
    assert (errors["risk"]["found"], errors["risk"]["contradicted"]) == (1.0, 0.0)
    assert errors["person"]["found"] == errors["number"]["found"] == 0.0
    written = [claim.error for session in sessions for claim in session.claims if claim.error]
    named = sum(error in (Error.OPPOSITE, Error.RISK) for error in written)
    assert errors["all"] == {
        "claims": len(written),
        "found": named / len(written),
        "contradicted": written.count(Error.OPPOSITE) / len(written),
    }
    assert found["true"]["found"] == 0.0
    assert found["observed"]["observed"] == 1.0

"""A judge that says what it was told to say: for tests of everything around a judge."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    ResponseVerdict,
)
from noteeval_desktop.errors import Cancelled, JudgeError
from noteeval_desktop.judges.protocol import Exchange


@dataclass
class ScriptedJudge:
    """Yields the given verdicts; raises JudgeError(``failure``) after ``fail_after`` of them."""

    items: Sequence[ItemVerdict] = ()
    needs: Sequence[NeedVerdict] = ()
    claims: Sequence[ClaimVerdict] = ()
    omissions: Sequence[Omission] = ()
    responses: Sequence[ResponseVerdict] = ()
    dangers: Sequence[RiskFinding] = ()
    counts: MiCounts | None = None
    failure: str = ""
    fail_after: int = 0
    identity: JudgeIdentity = field(default_factory=lambda: JudgeIdentity("scripted", "script", "1"))
    _said: int = 0

    def _say(self, verdicts: Sequence[object], cancel: threading.Event) -> Iterator[object]:
        for verdict in verdicts:
            if cancel.is_set():
                raise Cancelled
            if self.failure and self._said >= self.fail_after:
                raise JudgeError(self.failure)
            self._said += 1
            yield verdict

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        yield from self._say(self.dangers, cancel)  # type: ignore[misc]

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        yield from self._say(self.items, cancel)  # type: ignore[misc]

    def need(self, case: Case, cancel: threading.Event) -> Iterator[NeedVerdict]:
        yield from self._say(self.needs, cancel)  # type: ignore[misc]

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        yield from self._say(self.claims, cancel)  # type: ignore[misc]

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        yield from self._say(self.omissions, cancel)  # type: ignore[misc]

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        yield from self._say(self.responses, cancel)  # type: ignore[misc]

    def behaviours(self, transcript: Transcript, cancel: threading.Event) -> MiCounts | None:
        return self.counts

    def usage(self) -> Usage:
        return Usage(calls=self._said)

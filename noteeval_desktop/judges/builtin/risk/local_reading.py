"""What is found on this computer whatever the judge: the risk ledger, and what the therapist does."""

from __future__ import annotations

import threading

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.responses.behaviours import count_behaviours
from noteeval_desktop.judges.builtin.risk.ledger import spoken_risks
from noteeval_desktop.judges.builtin.risk.note import addressing_sentences


class LocalReading:
    """A Ledger that keeps its last answer, since claims and omissions ask for it again; not thread-safe, as judges."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._spoken: tuple[Transcript, list[RiskFinding]] | None = None
        self._risks: tuple[Transcript, Note, tuple[RiskFinding, ...]] | None = None
        self._counts: tuple[Transcript, MiCounts] | None = None

    def __call__(self, case: Case, cancel: threading.Event) -> tuple[RiskFinding, ...]:
        """Raises Cancelled."""
        if self._risks is None or self._risks[:2] != (case.transcript, case.note):
            if self._spoken is None or self._spoken[0] != case.transcript:
                self._spoken = (case.transcript, spoken_risks(case.transcript, self._embedder, cancel))
            found = addressing_sentences(self._spoken[1], case.transcript, case.note, self._embedder, cancel)
            self._risks = (case.transcript, case.note, found)
        return self._risks[2]

    def behaviours(self, transcript: Transcript, cancel: threading.Event) -> MiCounts:
        """Counted once a session: an edit to the note leaves it alone. Raises Cancelled."""
        if self._counts is None or self._counts[0] != transcript:
            self._counts = (transcript, count_behaviours(transcript, self._embedder, cancel))
        return self._counts[1]

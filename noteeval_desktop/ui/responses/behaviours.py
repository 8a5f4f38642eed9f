"""What the therapist does in a session, counted off the GUI thread once for each transcript."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.ui.jobs import Emit, JobRunner, Lane

if TYPE_CHECKING:
    from noteeval_desktop.judges.builtin.mi import MiCounts

Count = Callable[[Transcript, threading.Event], "MiCounts | None"]


class BehaviourCounter(QObject):
    """``counted(object)`` carries the counts, or None where they cannot be had."""

    counted = Signal(object)
    failed = Signal(str)

    def __init__(self, jobs: JobRunner, count: Count, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._count = jobs, count
        self._asked = ""

    def count_in(self, evaluation: Evaluation) -> None:
        """An edit to the note leaves the session alone: the same transcript is not counted twice."""
        transcript = evaluation.case.transcript
        if transcript.content_fingerprint == self._asked:
            return
        self._asked = transcript.content_fingerprint
        self.counted.emit(None)

        def work(cancel: threading.Event, emit: Emit) -> object:
            return self._count(transcript, cancel)

        self._jobs.submit(Lane.LOCAL, "behaviours", work, self.counted.emit, self._fail)

    def _fail(self, error: Exception) -> None:
        """Only the kind of error is said, since its text may quote the session."""
        self._asked = ""
        if not isinstance(error, Cancelled):
            self.failed.emit(f"What the therapist does could not be counted ({type(error).__name__}). F5 tries again.")

"""Keeps the draft while someone writes, off the GUI thread, and says when it did."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from noteeval_desktop.ui.drafts import Draft, DraftStore, RecentCase
from noteeval_desktop.ui.jobs import Emit, JobRunner, Lane

AFTER_MS = 2000


class Autosave(QObject):
    """``saved(datetime)`` after each draft that was kept; ``failed(str)`` when one could not be."""

    saved = Signal(object)
    failed = Signal(str)

    def __init__(self, jobs: JobRunner, store: DraftStore, draft: Callable[[], Draft], parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._store, self._draft = jobs, store, draft
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AFTER_MS)
        self._timer.timeout.connect(self.save_now)

    def note_edited(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def save_now(self) -> None:
        self._timer.stop()
        draft = self._draft()
        self._run("draft", lambda: self._store.save(draft), lambda _: self.saved.emit(draft.saved))

    def discard(self) -> None:
        self._timer.stop()
        self._run("draft", self._store.discard, lambda _: None)

    def remember(self, case: RecentCase, done: Callable[[object], None]) -> None:
        """``done`` gets the recent cases with this one."""

        def keep() -> object:
            self._store.remember(case)
            return self._store.recent()

        self._run("recent", keep, done)

    def find(self, orphans: Callable[[object], None], recent: Callable[[object], None]) -> None:
        """Look for drafts of a window that crashed, and for the cases opened lately."""
        self._run("orphans", self._store.orphans, orphans)
        self._run("recent list", self._store.recent, recent)

    def _run(self, name: str, act: Callable[[], object], done: Callable[[object], None]) -> None:
        def work(cancel: threading.Event, emit: Emit) -> object:
            return act()

        self._jobs.submit(Lane.DISK, name, work, done, self._fail)

    def _fail(self, error: Exception) -> None:
        self.failed.emit(f"The draft could not be kept ({type(error).__name__}). Save the note with Ctrl+S.")


def now() -> datetime:
    return datetime.now().replace(microsecond=0)

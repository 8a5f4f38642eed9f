"""Every mark is kept in the library: one writing at a time, and always the latest state."""

from __future__ import annotations

import sys
import threading

from PySide6.QtCore import QObject, Signal

from noteeval_desktop.domain.review import Review
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.widgets.jobs import while_alive

_LAST_SECONDS = 10


class Saver(QObject):
    """``kept(Review)`` once it is on the disk; ``failed(Exception)`` where it is not, and then the next mark tries
    again.

    Typing is faster than a flushed disk: while a state is being written the newer ones wait, and only the newest is
    written next.
    """

    kept = Signal(object)
    failed = Signal(object)

    def __init__(self, access: Access, library: Library, case_id: str, parent: QObject) -> None:
        super().__init__(parent)
        self._access, self._library, self._case_id = access, library, case_id
        self._waiting: Review | None = None
        self._writing: Review | None = None
        self._last: Review | None = None

    @property
    def settled(self) -> bool:
        """Whether everything is on the disk."""
        return self._waiting is None and self._writing is None

    def save(self, review: Review) -> None:
        if review == (self._waiting or self._writing or self._last):
            return
        self._waiting = review
        if self._writing is None:
            self._write()

    def forget(self, kept: Review) -> None:
        """``kept`` is being written by another job, after everything here."""
        self._waiting, self._last = None, kept

    def forget_nothing(self) -> None:
        """That job failed: whatever comes next is written."""
        self._last = None

    def _write(self) -> None:
        review, self._waiting = self._waiting, None
        if review is None:
            return
        self._writing = review
        library, case_id = self._library, self._case_id
        kept, failed = while_alive(self, self._on_kept), while_alive(self, self._on_failed)
        self._access.submit(lambda: work.save(library, case_id, review), kept, failed)

    def _on_kept(self, _: object) -> None:
        kept, self._writing = self._writing, None
        self._last = kept
        self.kept.emit(kept)
        self._write()

    def _on_failed(self, error: Exception) -> None:
        """The state waits for the next mark, or for closing."""
        self._waiting = self._waiting or self._writing
        self._writing = None
        self.failed.emit(error)

    def hand_over(self) -> None:
        """Before the library is locked: what waits goes into the disk's lane, ahead of the locking."""
        review, self._waiting = self._waiting, None
        if review is not None:
            library, case_id = self._library, self._case_id
            self._access.submit(lambda: work.save(library, case_id, review), lambda _: None)

    def finish(self) -> None:
        """After the last job, when the program ends: what was not written yet, still off the GUI thread."""
        review = self._waiting or self._writing
        if review is None:
            return

        def write() -> None:
            try:
                work.save(self._library, self._case_id, review)
            except NoteEvalError as error:
                print(error, file=sys.stderr)

        thread = threading.Thread(target=write)
        thread.start()
        thread.join(_LAST_SECONDS)

"""Every mark is kept in the library: one writing at a time, and always the latest state."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from noteeval_desktop.domain.review import Review
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.widgets.jobs import at_the_end, while_alive


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
        self._access.submit(self._job(review), while_alive(self, self._on_kept), while_alive(self, self._on_failed))

    def _job(self, review: Review) -> Callable[[], None]:
        library, case_id = self._library, self._case_id
        return lambda: library.cases.save_review(case_id, review)

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
            self._access.submit(self._job(review), lambda _: None)

    def finish(self) -> None:
        """After the last job, when the program ends: what was not written yet."""
        review = self._waiting or self._writing
        if review is not None:
            at_the_end(self._job(review))

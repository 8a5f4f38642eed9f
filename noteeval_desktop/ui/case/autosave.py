"""Keeps the draft while someone writes, off the GUI thread, and says when it did."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from noteeval_desktop import documents
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.platform.files import remove_killed_saves
from noteeval_desktop.store.drafts import Draft, DraftStore, Orphan, RecentCase
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane

AFTER_MS = 2000
T = TypeVar("T")


class Autosave(QObject):
    """``saved(datetime)`` after each draft that was kept; ``failed(str)`` when one could not be.

    ``draft`` makes it of what is on the desk. ``elsewhere`` takes the draft of a case that is kept in the library, and
    is False for any other.
    """

    saved = Signal(object)
    failed = Signal(str)

    def __init__(
        self,
        jobs: JobRunner,
        store: DraftStore,
        draft: Callable[[], Draft],
        elsewhere: Callable[[Draft], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._store, self.draft, self._elsewhere = jobs, store, draft, elsewhere
        self._acts = 0
        self._timer = QTimer(self, singleShot=True, interval=AFTER_MS)
        self._timer.timeout.connect(self.save_now)

    @property
    def guarded(self) -> bool:
        """Whether the keychain holds the key of what was saved last."""
        return self._store.guarded

    def note_edited(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def save_now(self) -> None:
        self._timer.stop()
        draft = self.draft()
        if not self._elsewhere(draft):
            self._run("draft", lambda: self._store.save(draft), lambda _: self.saved.emit(draft.saved))

    def note_kept(self, case_id: str, saved: datetime) -> None:
        """The library holds the draft: the next start says so where this one ends without closing."""
        self._run("draft", lambda: self._store.note_kept(case_id, saved), lambda _: self.saved.emit(saved))

    def discard(self) -> None:
        self._timer.stop()
        self._run("draft", self._store.discard, lambda _: None)

    def finish(self) -> None:
        """After the last job, when the window closes: nothing of it is left to be kept."""
        try:
            self._store.discard()
        except Exception as error:
            # It is offered at the next start, and the window must close: told where it can still be read.
            print(tr("The draft could not be deleted ({error}).").format(error=type(error).__name__), file=sys.stderr)

    def park(self, draft: Draft, done: Callable[[str], object]) -> None:
        """Keep ``draft`` while another case is on the desk; ``done`` gets its id, for ``take``."""
        self._timer.stop()

        def keep() -> str:
            self._store.save(draft)
            return self._store.park()

        self._act(
            keep,
            done,
            tr("The case could not be saved to disk ({}). Unlock the library to restore it before you close NoteEval."),
        )

    def take(self, name: str, done: Callable[[Draft | None], object]) -> None:
        """Take up a draft: from now on it is the one that is kept here. None where another window has it."""
        self._timer.stop()

        def taken() -> Draft | None:
            draft = self._store.take(name)
            return None if draft is None else _without_lost_files(draft)

        self._act(taken, done, tr("The draft could not be restored ({}). It is still there; try again."))

    def throw_away(self, name: str, done: Callable[[object], object]) -> None:
        self._act(lambda: self._store.throw_away(name), done, tr("The draft could not be deleted ({}). Try again."))

    def find_orphans(self, done: Callable[[tuple[Orphan, ...]], object]) -> None:
        """Drafts of windows that ended without closing; ``failed`` says where some could not be opened."""
        self._act(
            self._store.orphans,
            done,
            tr("Earlier drafts could not be read ({}). They are still there; restart NoteEval."),
        )

    def find_recent(self, done: Callable[[object], None], change: Callable[[DraftStore], object] | None = None) -> None:
        """``done`` gets the recent cases, after ``change`` has put one among them or taken one out."""

        def find() -> tuple[RecentCase, ...]:
            if change is None:
                return recent_cases(self._store)
            change(self._store)
            return self._store.recent()

        self._run("recent_list" if change is None else "recent", find, done)

    def _act(self, act: Callable[[], T], done: Callable[[T], object], failed: str) -> None:
        """Under a name of its own: a newer job of one name would drop an older one that writes."""
        self._acts += 1
        self._run(f"draft {self._acts}", act, done, failed)

    def _run(
        self,
        name: str,
        act: Callable[[], T],
        done: Callable[[T], object],
        failed: str = tr("The draft could not be saved ({}). Choose “Save note” in the File menu."),
    ) -> None:
        def finished(result: T) -> None:
            problem, self._store.problem = self._store.problem, ""
            if problem:
                self.failed.emit(problem)
            done(result)

        def fail(error: Exception) -> None:
            reason = str(error).rstrip(".") if isinstance(error, NoteEvalError) else type(error).__name__
            self.failed.emit(failed.format(reason))

        self._jobs.call(Lane.DISK, name, act, finished, fail)


def recent_cases(store: DraftStore) -> tuple[RecentCase, ...]:
    """What saves that were killed left beside their notes goes."""
    cases = store.recent()
    for folder in {case.note.parent for case in cases}:
        remove_killed_saves(folder)
    return cases


def _without_lost_files(draft: Draft) -> Draft:
    """``session_file`` and ``note_file`` where they still hold what the draft does: after a crash it may be the only
    copy."""
    session, note = draft.session_file, draft.note_file
    try:
        found = sha256(session.read_bytes()).hexdigest() if session is not None else ""
    except OSError:
        found = ""
    if draft.transcript is None or draft.transcript.source_sha256 != found:
        session = None
    try:
        if note is not None and documents.read_note(note).text.split() != draft.note_text.split():
            note = None
    except NoteEvalError:
        note = None
    return replace(draft, session_file=session, note_file=note)


def now() -> datetime:
    return datetime.now().replace(microsecond=0)

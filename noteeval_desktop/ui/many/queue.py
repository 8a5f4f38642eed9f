"""Notes that wait for their check: one after the other, each kept before it is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from noteeval_desktop.errors import Cancelled, NoteEvalError, unexpected
from noteeval_desktop.ui.case.engaged import Engaged
from noteeval_desktop.ui.many import work
from noteeval_desktop.ui.many.run_store import Entry, RunStore, State
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane

_JOB = "review_many"
_PACE = 8


class Queue(QObject):
    """``changed(place, Entry)``; ``moved`` when what is going on or left has changed; ``failed(str)``: it paused."""

    changed = Signal(int, object)
    moved = Signal()
    failed = Signal(str)

    def __init__(
        self,
        jobs: JobRunner,
        engaged: Callable[[], Engaged],
        store: RunStore,
        templates: Callable[[], tuple[str, ...]],
        parent: QObject | None = None,
    ) -> None:
        """``templates``: as ``Background`` has them."""
        super().__init__(parent)
        self._jobs, self._engaged, self._store, self._templates = jobs, engaged, store, templates
        self.entries: list[Entry] = []
        self.run, self.folder = "", ""
        self.running = False
        self._at = -1
        self._took: list[float] = []

    def take(self, run: str, entries: tuple[Entry, ...], folder: str = "") -> None:
        """Another set; ``folder``: where its results are written as well, readable by anybody who can open it."""
        self.pause()
        self._jobs.drop(_JOB)
        self.run, self.entries, self.folder = run, list(entries), folder
        self._at, self._took = -1, []
        self.moved.emit()

    @property
    def left(self) -> int:
        return sum(entry.state in (State.WAITING, State.CHECKING) for entry in self.entries)

    @property
    def seconds_left(self) -> float | None:
        return self.left * sum(self._took) / len(self._took) if self._took else None

    def start(self) -> None:
        if not self.running:
            self.running = True
            self._next()

    def pause(self) -> None:
        """The note at hand waits again: a judge may take minutes over it."""
        if self.running:
            self.running = False
            self._jobs.cancel(_JOB)
            self.moved.emit()

    def stop(self, place: int) -> None:
        """This one; the others go on."""
        if self.entries[place].state is State.CHECKING:
            self._set(place, self.entries[place].now(State.STOPPED))
            self._jobs.cancel(_JOB)
        elif self.entries[place].state is State.WAITING:
            self._keep(place, self.entries[place].now(State.STOPPED))

    def retry(self, place: int) -> None:
        if self.entries[place].state is not State.CHECKING and self.entries[place].pair is not None:
            self._keep(place, self.entries[place].now(State.WAITING))
            self.start()

    def _set(self, place: int, entry: Entry) -> None:
        self.entries[place] = entry
        self.changed.emit(place, entry)
        self.moved.emit()

    def _keep(self, place: int, entry: Entry) -> None:
        """What a person decided is on the disk, too."""
        self._set(place, entry)
        run, store = self.run, self._store

        self._jobs.call(Lane.DISK, f"keep {place}", lambda: store.keep(run, place, entry), lambda _: None, self._fail)

    def _next(self) -> None:
        places = (place for place, entry in enumerate(self.entries) if entry.state is State.WAITING)
        place = next(places, -1) if self.running and self._at < 0 else -1
        if place < 0:
            self.running = self.running and self._at >= 0
            self.moved.emit()
            return
        self._at = place
        self._set(place, self.entries[place].now(State.CHECKING))
        entry, engaged, began = self.entries[place], self._engaged(), time.monotonic()
        run, store, templates = self.run, self._store, self._templates()

        def check(cancel: threading.Event, emit: Emit) -> Entry:
            checked, data = work.check(entry, engaged, templates, cancel)
            store.keep(run, place, checked, data)
            # As it is now: it may have been chosen while this note was checked.
            if data is not None and (folder := self.folder) and run == self.run:
                work.write_result(Path(folder), checked, data)
            return checked

        def done(checked: Entry) -> None:
            self._took = [*self._took, time.monotonic() - began][-_PACE:]
            self._ended(checked)

        self._jobs.submit(engaged.lane, _JOB, check, done, self._on_error)

    def _ended(self, entry: Entry | None) -> None:
        place, self._at = self._at, -1
        if entry is not None:
            self._set(place, entry)
        self._next()

    def _on_error(self, error: Exception) -> None:
        """Stopped by its reader, or something that would fail for every note: the disk is full, a model is gone."""
        entry = self.entries[self._at]
        if isinstance(error, Cancelled):
            self._ended(entry if entry.state is State.STOPPED else entry.now(State.WAITING))
            return
        self.running = False
        self._ended(entry.now(State.WAITING))
        self._fail(error)

    def _fail(self, error: Exception) -> None:
        self.running = False
        self.moved.emit()
        self.failed.emit(str(error) if isinstance(error, NoteEvalError) else unexpected(error))

"""Python's garbage is collected when nothing else is going on."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from noteeval_desktop.ui.widgets.jobs import JobRunner

_NEVER = 1_000_000
_IDLE_MS = 3_000
_AT_LATEST_MS = 60_000


class IdleCollection(QObject):
    """A full collection holds up every thread, the window's too, for a twentieth of a second once rooms are built
    and for twice that with an hour's session open. Python starts one whenever it likes; here it waits until no job has
    run for three seconds, but for a minute at most."""

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._collect)
        often, less_often, _ = gc.get_threshold()
        gc.set_threshold(often, less_often, _NEVER)
        gc.enable()
        gc.freeze()  # what stays as long as the program need not be looked through each time
        jobs.busy_changed.connect(self._wait)
        self._wait(jobs.busy)

    def _wait(self, busy: bool) -> None:
        if not busy:
            self._timer.start(_IDLE_MS)
        elif not self._timer.isActive() or self._timer.remainingTime() <= _IDLE_MS:
            self._timer.start(_AT_LATEST_MS)

    def _collect(self) -> None:
        gc.collect()
        if self._jobs.busy:
            self._timer.start(_AT_LATEST_MS)

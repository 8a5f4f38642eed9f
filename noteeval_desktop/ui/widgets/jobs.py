"""Work off the GUI thread: one runner, owned by the GUI thread.

A job is a plain callable over frozen data, ``work(cancel, emit) -> result``; no QObject enters it. Its
events, result or error come back on the GUI thread as values. A newer job of the same name makes older
ones stale: they are cancelled and whatever they still say is dropped.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal
from shiboken6 import isValid

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import Cancelled, NoteEvalError

Emit = Callable[[object], None]
Work = Callable[[threading.Event, Emit], object]
T = TypeVar("T")


class Lane(Enum):
    """How many jobs run at a time: a model takes one case at once, a disk one file."""

    LOCAL = 1
    DISK = 2
    REMOTE = 4
    ASIDE = 5


_THREADS = {Lane.LOCAL: 1, Lane.DISK: 1, Lane.REMOTE: 4, Lane.ASIDE: 1}


@dataclass(eq=False)
class Job:
    """A submitted piece of work. ``revision`` counts the jobs of one name."""

    name: str
    revision: int
    cancel: threading.Event = field(default_factory=threading.Event)


class _Runnable(QRunnable):
    """``send`` takes the job, "event", "failed" or "done", and what that is about."""

    def __init__(self, job: Job, work: Work, send: Callable[[Job, str, object], None]) -> None:
        super().__init__()
        self._job, self._work, self._send = job, work, send

    def run(self) -> None:
        job, work, send = self._job, self._work, self._send
        # The pool may keep this object longer than its work, which holds the case's text.
        del self._work, self._send
        try:
            if job.cancel.is_set():
                raise Cancelled
            result = work(job.cancel, lambda event: send(job, "event", event))
        # Whoever asked for the job is told.
        except Exception as error:
            send(job, "failed", error)
        else:
            send(job, "done", result)


class _Post(QObject):
    """Carries messages to the GUI thread. Whoever sends holds it, so that it outlives its runner: a runner that is
    deleted between a look at it and a signal of its own would end the program, and Qt tells no thread but its own."""

    arrived = Signal(object, str, object)

    def send(self, job: Job, kind: str, value: object) -> None:
        self.arrived.emit(job, kind, value)


class JobRunner(QObject):
    """Runs jobs in lanes; ``busy_changed(bool)`` tells when the first starts and the last ends."""

    busy_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self._pools = {lane: QThreadPool(self) for lane in Lane}
        for lane, pool in self._pools.items():
            pool.setMaxThreadCount(_THREADS[lane])
            pool.setExpiryTimeout(-1)
        self._handlers: dict[Job, dict[str, Callable[[Any], object]]] = {}
        self._newest: dict[str, Job] = {}
        self._over = False
        self._post = _Post()
        self._post.arrived.connect(self._deliver)

    def submit(
        self,
        lane: Lane,
        name: str,
        work: Callable[[threading.Event, Emit], T],
        done: Callable[[T], object],
        failed: Callable[[Exception], object],
        event: Callable[[object], object] | None = None,
        owner: QObject | None = None,
    ) -> Job:
        """Start ``work``; older jobs called ``name`` become stale. The handlers run on the GUI thread, as long as Qt
        has not deleted ``owner``, the dialog that asked."""
        before = self._newest.get(name)
        if before is not None:
            before.cancel.set()
            self._handlers.pop(before, None)
        job = Job(name, before.revision + 1 if before else 1)
        self._newest[name] = job
        if self._over or not isValid(self):
            job.cancel.set()
            return job
        if owner is not None:
            done, failed = while_alive(owner, done), while_alive(owner, failed)
            event = while_alive(owner, event) if event is not None else None
        self._handlers[job] = {"done": done, "failed": failed, "event": event or (lambda _: None)}
        if len(self._handlers) == 1:
            self.busy_changed.emit(True)
        self._pools[lane].start(_Runnable(job, work, self._post.send))
        return job

    def call(
        self,
        lane: Lane,
        name: str,
        act: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[Exception], object],
        owner: QObject | None = None,
    ) -> Job:
        """``submit``, for work that is too short to be stopped and tells nothing meanwhile."""
        return self.submit(lane, name, lambda *_: act(), done, failed, owner=owner)

    def cancel(self, name: str) -> None:
        """Ask the newest job called ``name`` to stop; it still answers, with Cancelled or what it has."""
        job = self._newest.get(name)
        if job is not None:
            job.cancel.set()

    def drop(self, name: str) -> None:
        """Stop the newest job called ``name``; whatever it still says is dropped, as its asker is gone."""
        job = self._newest.pop(name, None)
        if job is not None:
            job.cancel.set()
            if self._handlers.pop(job, None) is not None and not self._handlers:
                self.busy_changed.emit(False)

    def running(self, name: str) -> bool:
        return self._newest.get(name) in self._handlers

    @property
    def busy(self) -> bool:
        return bool(self._handlers)

    def shut_down(self, wait_ms: int = 5000) -> bool:
        """Cancel everything and wait; False when something did not stop in time."""
        self._over = True
        for job in list(self._handlers):
            job.cancel.set()
        self._handlers.clear()
        return all([pool.waitForDone(wait_ms) for pool in self._pools.values()])

    def _deliver(self, job: Job, kind: str, value: object) -> None:
        handlers = self._handlers.get(job)
        if handlers is None:
            return
        if kind != "event":
            del self._handlers[job]
        handlers[kind](value)
        if kind != "event" and not self._handlers:
            self.busy_changed.emit(False)


def problem(error: Exception, remedy: str = tr("Nothing was lost; try again.")) -> str:
    """Our own errors as they are; any other only by its type, with ``remedy``, since its text may quote the case."""
    if isinstance(error, NoteEvalError):
        return str(error)
    inside = tr("Something went wrong inside the program ({type}). {remedy}")
    return inside.format(type=type(error).__name__, remedy=remedy).rstrip()


def told(error: Exception, otherwise: str) -> str:
    """Our own errors as they are; of any other ``otherwise``, with its {reason} by the system's word or its type."""
    reason = getattr(error, "strerror", None) or type(error).__name__
    return str(error) if isinstance(error, NoteEvalError) else otherwise.format(reason=reason)


def while_alive(owner: QObject, act: Callable[[T], object]) -> Callable[[T], None]:
    """``act``, for a job that may outlive the dialog that asked: nothing once Qt has deleted ``owner``."""

    def handle(value: T) -> None:
        if isValid(owner):
            act(value)

    return handle


_LAST_SECONDS = 10


def at_the_end(act: Callable[[], object], otherwise: str = tr("The library could not be written ({reason}).")) -> None:
    """When no job can be started any more: off the GUI thread still, and waited for. What goes wrong is told where it
    can still be read, as ``told`` has it."""

    def run() -> None:
        try:
            act()
        except (NoteEvalError, OSError) as error:
            print(told(error, otherwise), file=sys.stderr)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(_LAST_SECONDS)


_NEVER = 1_000_000
_IDLE_MS = 3_000
_AT_LATEST_MS = 60_000


class IdleCollection(QObject):
    """Python's garbage is collected when nothing else is going on. A full collection holds up every thread, the
    window's too, for a twentieth of a second once rooms are built and for twice that with an hour's session open.
    Python starts one whenever it likes; here it waits until no job has run for three seconds, but for a minute at most.
    """

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

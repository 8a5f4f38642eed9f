"""Locking the library: views and clipboard emptied, the key dropped, what was being written kept for afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QClipboard, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.store.drafts import Draft
from noteeval_desktop.ui.case.autosave import now
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.opening import CaseDesk
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.screen_lock_port import ScreenLock
from noteeval_desktop.ui.library.work import Desk, KeptCase
from noteeval_desktop.ui.widgets.parts import sure
from noteeval_desktop.ui.widgets.shell import Shell

_TICK_MS = 5000
_TOUCHES = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TabletPress,
    }
)


class Inactivity(QObject):
    """``passed`` once after ``minutes`` without a touch, up to five seconds early: of the touches between two looks the
    first is noted, and nothing listens until the next. Wall time: a computer that slept wakes up locked."""

    passed = Signal()

    def __init__(self, minutes: Callable[[], int], parent: QObject, clock: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self._minutes, self.clock = minutes, clock
        self._touched = 0.0
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Watches the events of the program: only while there is something to lock."""
        self._touched = self.clock()
        self._timer.start()
        self._listen()

    def stop(self) -> None:
        self._timer.stop()
        self._listen(False)

    def look(self) -> None:
        if not self._timer.isActive():
            return
        if self.clock() - self._touched >= 60 * self._minutes():
            self.stop()
            self.passed.emit()
        else:
            self._listen()

    def _listen(self, wanted: bool = True) -> None:
        if (application := QCoreApplication.instance()) is not None:
            (application.installEventFilter if wanted else application.removeEventFilter)(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _TOUCHES:
            # The first touch after a sleep must not pass for presence during it.
            self.look()
            self._touched = self.clock()
            self._listen(False)
        return False


@dataclass(frozen=True, slots=True)
class Away:
    """What was on the desk when it was locked: a kept case by its id, any other by the draft it is ``parked`` as.

    ``draft`` where neither the library nor the disk holds it: then it is in memory only.
    """

    case_id: str
    draft: Draft | None
    unsaved: bool = False
    parked: str = ""


class Locking(QObject):
    """Locks when asked, when nobody is there, and when the computer sleeps or its screen is locked.

    ``near``: the library is still open, what is being typed can be kept. ``windows_closed`` once it is locked.
    ``open_asked(id)``: what was on the desk, when it is unlocked; ``open_with_asked(id, Draft, otherwise)`` with a text
    that the library could not take, and what to do where the case cannot be opened.
    """

    near, windows_closed = Signal(), Signal()
    open_asked, open_with_asked = Signal(str), Signal(str, object, object)

    def __init__(
        self,
        window: Shell,
        case: CaseDesk,
        access: Access,
        on_desk: Callable[[], tuple[KeptCase | None, Desk | None]],
        screen: ScreenLock,
        forget: Callable[[], object],
    ) -> None:
        """``on_desk``: the kept case that is there, and what of it is not saved yet."""
        super().__init__(access)
        self._window, self._case, self._session, self._access = window, case, case.session, access
        self._on_desk, self._forget = on_desk, forget
        self.inactivity = Inactivity(lambda: window.settings.lock_minutes, self)
        self.screen = screen
        self.away: Away | None = None
        self.inactivity.passed.connect(self.lock)
        screen.setParent(self)
        screen.left.connect(self.lock)
        access.unlocked.connect(self._on_unlocked)
        window.commands["lock"].setEnabled(False)

    def _on_unlocked(self) -> None:
        self.inactivity.start()
        self.screen.start()
        self._window.commands["lock"].setEnabled(True)

    def stop(self) -> None:
        self.inactivity.stop()
        self.screen.stop()

    def lock(self) -> None:
        self.near.emit()
        library = self._access.take_out()
        if library is None:
            return
        self.stop()
        self._window.commands["lock"].setEnabled(False)
        case, session, (kept, desk) = self._case, self._session, self._on_desk()
        empty = session.transcript is None and session.note_text is None
        draft = None if empty else case.autosave.draft()
        unsaved = case.unsaved.note or bool(case.unsaved.beside_note)
        self.away = away = Away(kept.id if kept else "", draft, unsaved) if draft else None
        self._close_windows()
        case.opening.close_unasked(keep_draft=True)
        empty_clipboard()

        def saved(all_kept: bool) -> None:
            if all_kept and away is not None and away.case_id:
                self._put_on_disk(away, replace(away, draft=None))
                if away.unsaved and self.away is not None:
                    case.autosave.note_kept(away.case_id, now())

        self._access.submit(lambda: work.save_and_lock(library, kept, desk), saved)
        if away is not None and draft is not None and not away.case_id:
            case.autosave.park(draft, lambda name: self._put_on_disk(away, replace(away, draft=None, parked=name)))
        # After what was put away, which read the note once more.
        self._access.submit(lambda: None, lambda _: self._forget())
        self._window.banner.say(tr("The library is locked."), [(tr("Unlock…"), self.unlock)])
        self.unlock()

    def _put_on_disk(self, away: Away, kept: Away) -> None:
        if self.away is away:
            self.away = kept

    def _close_windows(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if widget is not self._window and widget.isVisible():
                widget.close()
        for dialog in self._window.findChildren(QDialog):
            dialog.close()
            dialog.deleteLater()
        self.windows_closed.emit()

    def may_close(self) -> bool:
        """False where what was on the desk is in memory only, and its writer does not give it up."""
        if self.away is None or self.away.draft is None:
            return True
        return sure(
            self._window,
            tr("The open case could not be saved to disk."),
            tr("Unlock the library to restore and save it, or close NoteEval without it."),
            tr("Close without it"),
            stay=tr("Stay"),
        )

    def unlock(self) -> None:
        """What was on the desk comes back, also where the library was unlocked by another way meanwhile."""
        if self._access.library is None:
            self._access.ask_unlock(
                tr("The library was locked. Your work comes back when you unlock it."), self._bring_back
            )
        else:
            self._bring_back()

    def _bring_back(self) -> None:
        away = self.away
        self._window.banner.hide()
        if away is None:
            return

        def settle() -> None:
            if self._case.unsaved.settled():
                self._case.opening.close_unasked()
                self._bring_back()

        def take_up(draft: Draft | None) -> None:
            if draft is None:
                self._window.banner.say(tr("The case was opened or deleted in another window."))
            else:
                self._recover(draft, away)

        if self._session.transcript is not None or self._session.note_text is not None:
            self._window.banner.say(tr("Another case is open."), [(tr("Restore the previous case"), settle)])
            return
        self.away = None
        if away.parked:
            self._case.autosave.take(away.parked, take_up)
        elif away.draft is None:
            self.open_asked.emit(away.case_id)
        elif away.case_id:
            draft = away.draft
            self.open_with_asked.emit(away.case_id, draft, lambda: self._recover(draft, away))
        else:
            self._recover(away.draft, away)

    def _recover(self, draft: Draft, away: Away) -> None:
        def as_it_was() -> None:
            self._session.note_path = draft.note_path
            if not away.unsaved:
                self._case.workspace.editor.document().setModified(False)
                self._case.unsaved.kept(self._session.transcript, self._session.decisions)

        after_note(self._session, as_it_was)
        self._session.restore(draft)


def after_note(session: CaseSession, act: Callable[[], object]) -> None:
    """``act`` once, when the next note is on the desk."""
    session.note_opened.connect(lambda _: act(), Qt.ConnectionType.SingleShotConnection)


def empty_clipboard() -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    if clipboard.supportsSelection():
        clipboard.clear(QClipboard.Mode.Selection)

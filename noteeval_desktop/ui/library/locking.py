"""Locking the library: views and clipboard emptied, the key dropped, what was being written kept for afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QClipboard, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.store.beside import Draft
from noteeval_desktop.ui.case.autosave import now
from noteeval_desktop.ui.case.opening import CaseDesk
from noteeval_desktop.ui.library.inactivity import Inactivity
from noteeval_desktop.ui.library.screen_lock_port import ScreenLock
from noteeval_desktop.ui.widgets.parts import sure
from noteeval_desktop.ui.widgets.shell import Shell

if TYPE_CHECKING:
    from noteeval_desktop.store.library import Library
    from noteeval_desktop.ui.library.desk import LibraryDesk


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

    ``near``: the library is still open, what is being typed can be kept.
    """

    near = Signal()

    def __init__(
        self, window: Shell, case: CaseDesk, desk: LibraryDesk, screen: ScreenLock, forget: Callable[[], object]
    ) -> None:
        super().__init__(desk)
        self._window, self._case, self._session, self._desk = window, case, case.session, desk
        self._forget = forget
        self.inactivity = Inactivity(lambda: window.settings.lock_minutes, self)
        self.screen = screen
        self.away: Away | None = None
        self.inactivity.passed.connect(self.lock)
        screen.setParent(self)
        screen.left.connect(self.lock)
        desk.access.unlocked.connect(self._on_unlocked)
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
        library = self._desk.access.take_out()
        if library is None:
            return
        self.stop()
        self._window.commands["lock"].setEnabled(False)
        self._save_and_lock(library)

    def _save_and_lock(self, library: Library) -> None:
        from noteeval_desktop.ui.library import work

        case, kept, session = self._case, self._desk.kept, self._session
        empty = session.transcript is None and session.note_text is None
        draft = None if empty else case.autosave.draft()
        unsaved = case.unsaved.note or bool(case.unsaved.beside_note)
        desk = self._desk.on_desk() if kept and unsaved else None
        away = Away(kept.id if kept else "", draft, unsaved) if draft else None
        self.away = away
        self._close_windows()
        case.opening.close_unasked(keep_draft=True)
        empty_clipboard()

        def saved(all_kept: bool) -> None:
            if all_kept and away is not None and away.case_id:
                self._put_on_disk(away, replace(away, draft=None))
                if away.unsaved and self.away is not None:
                    case.autosave.note_kept(away.case_id, now())

        self._desk.access.submit(lambda: work.save_and_lock(library, kept, desk), saved)
        if away is not None and draft is not None and not away.case_id:
            case.autosave.park(draft, lambda name: self._put_on_disk(away, replace(away, draft=None, parked=name)))
        # After what was put away, which read the note once more.
        self._desk.access.submit(lambda: None, lambda _: self._forget())
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
        self._desk.forget_windows()

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
        access = self._desk.access
        if access.library is None:
            access.ask_unlock(tr("The library was locked. Your work comes back when you unlock it."), self._bring_back)
        else:
            self._bring_back()

    def _bring_back(self) -> None:
        away = self.away
        self._window.banner.hide()
        if away is None:
            return
        if self._session.transcript is not None or self._session.note_text is not None:
            self._window.banner.say(
                tr("Another case is open."), [(tr("Restore the previous case"), self._bring_back_settled)]
            )
            return
        self.away = None
        if away.parked:
            self._case.autosave.take(away.parked, lambda draft: self._take_up(draft, away))
        elif away.draft is None:
            self._desk.open_case(away.case_id)
        elif away.case_id:
            draft = away.draft
            self._desk.open_with(away.case_id, draft, lambda: self._recover(draft, away))
        else:
            self._recover(away.draft, away)

    def _take_up(self, draft: Draft | None, away: Away) -> None:
        if draft is None:
            self._window.banner.say(tr("The case was opened or deleted in another window."))
        else:
            self._recover(draft, away)

    def _recover(self, draft: Draft, away: Away) -> None:
        self._desk.after_note(lambda: self._as_it_was(draft.note_path, away.unsaved))
        self._session.restore(draft)

    def _bring_back_settled(self) -> None:
        if self._case.unsaved.settled():
            self._case.opening.close_unasked()
            self._bring_back()

    def _as_it_was(self, note_path: Path | None, unsaved: bool) -> None:
        self._session.note_path = note_path
        if not unsaved:
            self._case.workspace.editor.document().setModified(False)
            self._case.unsaved.kept(self._session.transcript, self._session.decisions)


def empty_clipboard() -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    if clipboard.supportsSelection():
        clipboard.clear(QClipboard.Mode.Selection)

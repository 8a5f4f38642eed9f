"""Locking the library: views and clipboard emptied, the key dropped, what was being written kept for afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QClipboard, QGuiApplication
from PySide6.QtWidgets import QApplication

from noteeval_desktop.ui.autosave import now
from noteeval_desktop.ui.drafts import Draft
from noteeval_desktop.ui.library import words
from noteeval_desktop.ui.library.inactivity import Inactivity
from noteeval_desktop.ui.library.screen_lock import ScreenLock

if TYPE_CHECKING:
    from noteeval_desktop.store.library import Library
    from noteeval_desktop.ui.library.desk import LibraryDesk
    from noteeval_desktop.ui.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Away:
    """What was on the desk when it was locked: a kept case by its id; ``draft`` where the library does not hold it."""

    case_id: str
    draft: Draft | None
    modified: bool = False


class Locking(QObject):
    """Locks when asked, when nobody is there, and when the computer sleeps or its screen is locked.

    ``near``: the library is still open, what is being typed can be kept.
    """

    near = Signal()

    def __init__(self, window: MainWindow, desk: LibraryDesk, screen: ScreenLock) -> None:
        super().__init__(desk)
        self._window, self._session, self._desk = window, window.session, desk
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
        self._put_away(library)

    def _put_away(self, library: Library) -> None:
        from noteeval_desktop.ui.library import work

        window, kept = self._window, self._desk.kept
        modified = window.workspace.editor.document().isModified()
        draft = self._draft()
        case_id = kept.id if kept else ""
        unsaved = draft.note_text if draft and kept and modified else None
        if draft is not None and modified:
            window.autosave.save_now()
        for widget in QApplication.topLevelWidgets():
            if widget is not window and widget.isVisible():
                widget.close()
        window.opening.put_away()
        empty_clipboard()
        self.away = Away(case_id, draft, modified) if draft else None

        def put_away(all_kept: bool) -> None:
            if all_kept and case_id:
                self.away = Away(case_id, None)

        self._desk.access.submit(lambda: work.put_away(library, case_id, unsaved), put_away)
        window.banner.say("The library is locked.", [("Unlock…", self._unlock_again)])
        self._unlock_again()

    def _draft(self) -> Draft | None:
        session = self._session
        if session.transcript is None and session.note_text is None:
            return None
        text, decisions = self._window.workspace.editor.note_text(), tuple(session.decisions.values())
        return Draft(now(), text, session.note_path, session.transcript, decisions, session.label)

    def _unlock_again(self) -> None:
        self._desk.access.ask_unlock(words.WAS_LOCKED, self._bring_back)

    def _bring_back(self) -> None:
        away = self.away
        self._window.banner.hide()
        if away is None:
            return
        if self._session.transcript is not None or self._session.note_text is not None:
            self._window.banner.say(
                "Another case is on the desk.", [("Bring back the one from before", self._bring_back_settled)]
            )
            return
        self.away = None
        if away.draft is None:
            self._desk.open_case(away.case_id)
        elif away.case_id:
            draft = away.draft
            self._desk.open_with(away.case_id, draft, lambda: self._recover(draft, away.modified))
        else:
            self._recover(away.draft, away.modified)

    def _recover(self, draft: Draft, modified: bool) -> None:
        self._desk.after_note(lambda: self._as_it_was(draft, modified))
        self._window.opening.recover(draft)

    def _bring_back_settled(self) -> None:
        if self._window.unsaved_settled():
            self._window.opening.put_away()
            self._bring_back()

    def _as_it_was(self, draft: Draft, modified: bool) -> None:
        self._session.note_path = draft.note_path
        self._window.workspace.editor.document().setModified(modified)


def empty_clipboard() -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    if clipboard.supportsSelection():
        clipboard.clear(QClipboard.Mode.Selection)

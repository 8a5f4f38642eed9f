"""What of the case on the desk is in no file and not in the library, and the question before it would be lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QDialog

from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import listed, tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.ui.case.autosave import Autosave
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.files import WRITTEN, Files
from noteeval_desktop.ui.case.open_case import SAMPLE_LABEL
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.words import SAVE


class Library(Protocol):
    """As an unsaved case sees it; ``kept`` is None for a case that is not in it."""

    @property
    def kept(self) -> object | None: ...

    @property
    def saving(self) -> bool: ...

    def save(self, done: Callable[[], object], failed: Callable[[str], object]) -> None: ...

    def keep(self, done: Callable[[], object]) -> None: ...


class Unsaved(QObject):
    """Compares the desk with what was last read from a file or kept in the library. ``changed``: ``parts`` may have."""

    changed = Signal()

    def __init__(
        self,
        window: Shell,
        session: CaseSession,
        files: Files,
        autosave: Autosave,
        editor: NoteEditor,
        library: Callable[[], Library],
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._files, self._autosave = window, session, files, autosave
        self._editor, self._document, self._library = editor, editor.document(), library
        self.question: Asking | None = None
        session.transcript_opened.connect(lambda _: self._keep_draft())
        session.note_opened.connect(self._on_note)
        for changed in (session.decided, session.speakers_changed):
            changed.connect(autosave.note_edited)
            changed.connect(self.changed)
        self._document.modificationChanged.connect(self.changed)

    # What is unsaved

    def _on_note(self, note: Note) -> None:
        """Of text that was pasted or recovered there is no other copy."""
        if note.text.strip() and not isinstance(self._session.note_source, Path):
            self._document.setModified(True)
        self._keep_draft()

    def _keep_draft(self) -> None:
        if self.parts:
            self._autosave.note_edited()
        self.changed.emit()

    @property
    def note(self) -> bool:
        return self._document.isModified()

    @property
    def beside_note(self) -> tuple[str, ...]:
        """What only the library keeps."""
        session, parts = self._session, []
        if session.session_changed:
            parts.append(tr("changes to the session") if session.kept_transcript else tr("the session"))
        if self._answered:
            parts.append(tr("your answers to suggestions"))
        return tuple(parts)

    @property
    def _answered(self) -> bool:
        """Answers about the sample, which is nobody's note, are no loss."""
        sample = self._session.label == SAMPLE_LABEL and self._library().kept is None
        return not sample and self._session.decisions != self._session.kept_decisions

    @property
    def parts(self) -> tuple[str, ...]:
        beside = () if self._library().saving else self.beside_note
        return (*((tr("the note"),) if self.note else ()), *beside)

    def lost_with(self, note: bool) -> bool:
        """Whether anything unsaved goes with the ``note``, or else with the session: answers go with either."""
        library = self._library().saving
        other = self.note if note else not library and self._session.session_changed
        return other or (not library and self._answered)

    def note_kept(self, text: str) -> None:
        """``text`` is in a file; what was typed since is not."""
        if self._editor.note_text() == text:
            self._document.setModified(False)
        self._discard_draft()

    def _discard_draft(self) -> None:
        if not self.parts:
            self._autosave.discard()
        self.changed.emit()

    def kept(self, transcript: Transcript | None, decisions: dict[str, Decision]) -> None:
        """These are in the library; nothing is on the desk where there is no transcript."""
        self._session.kept_transcript, self._session.kept_decisions = transcript, dict(decisions)
        self._discard_draft()

    # The question

    def settled(self) -> bool:
        """True when nothing would be lost: saved on being asked, or given up by the one who wrote it."""
        if not self.parts:
            return True
        self.question = asks = self._question()
        answer = self.ask(asks)
        self.question = None
        asks.deleteLater()
        return answer == QDialog.DialogCode.Accepted

    def ask(self, asks: Asking) -> int:
        return asks.exec()

    def _question(self) -> Asking:
        asks = Asking(self._window, tr("Save the case?"), not_saved(self.parts), SAVE)
        asks.said.setProperty("look", "muted")
        asks.say(self._what_save_does())
        asks.asked.connect(lambda: self._save(asks))
        asks.side_button(0, tr("Discard"), asks.accept)
        if self.note and self.beside_note and self._file and self._library().kept is None:
            asks.side_button(1, tr("Save only the note"), lambda: self._save_file(asks, asks.accept))
        shortcut = QShortcut(self._window.commands["save_note"].shortcut(), asks)
        shortcut.activated.connect(asks.go.click)
        return asks

    def _what_save_does(self) -> str:
        file, kept = self._file, self._library().kept is not None
        if not kept and not self.beside_note:
            said = tr("Save writes {file}.") if file else tr("Save writes the note to a file.")
        elif file and self.note and kept:
            said = tr("Save writes {file} and keeps it in the library.")
        elif file and self.note:
            said = tr("Save writes {file} and keeps the case in your encrypted library: session, note and answers.")
        elif kept:
            said = tr("Save keeps it in the library.")
        else:
            said = tr("Save keeps the case in your encrypted library: session, note and answers.")
        return said.format(file=file)

    @property
    def _file(self) -> str:
        """The name of the file that Save writes the note to without asking; empty: there is none."""
        path = self._session.note_path
        return path.name if path is not None and path.suffix.lower() in WRITTEN else ""

    def _save(self, asks: Asking) -> None:
        library, text = self._library(), self._editor.note_text()

        def done() -> None:
            if self.question is asks and not self.parts:
                asks.accept()

        if self._session.note_text is None:
            self._session.note_text = ""  # a session alone is kept with the note that is still to be written
        # Whoever gives up a dialog in between is back at the question.
        asks.show_problem(self._what_save_does())
        if library.kept is not None and self.note and self._file:
            library.save(self._files.beside_library(text, done, asks.show_problem), asks.show_problem)
        elif library.kept is not None:
            library.save(done, asks.show_problem)
        elif not self.beside_note:
            self._save_file(asks, done)
        elif self.note and self._file:
            self._save_file(asks, lambda: library.keep(done))
        else:
            library.keep(done)

    def _save_file(self, asks: Asking, done: Callable[[], object]) -> None:
        text = self._editor.note_text()

        def written() -> None:
            self.note_kept(text)
            done()

        self._files.save_note(text, written, asks.show_problem)


def not_saved(parts: Sequence[str]) -> str:
    return tr("Not saved yet: {parts}.").format(parts=listed(parts))

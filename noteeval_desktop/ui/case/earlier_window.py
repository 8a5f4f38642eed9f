"""An earlier note of the client beside the open one, read only, with the words that were copied from it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.case import EarlierNote
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.phrases import long_day, tr
from noteeval_desktop.domain.text import Span
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.widgets.jobs import Lane, problem
from noteeval_desktop.ui.widgets.parts import Window, button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.words import CLOSE

_TITLE = tr("Earlier note")


class EarlierNoteWindow(Window):
    """Stays beside the main window."""

    def __init__(self, earlier: EarlierNote, span: Span, parent: QWidget) -> None:
        super().__init__(parent, _TITLE, (640, 560), once=True)
        when = long_day(earlier.day) if earlier.day else tr("no date")
        self.about = PlainLabel(" · ".join(filter(None, (earlier.label, when))), look="heading", wrap=True)
        self.note = NoteEditor()
        self.note.setReadOnly(True)
        keys = Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keys)
        self.note.setAccessibleName(_TITLE)
        self.note.set_note_text(earlier.note.text)
        self.note.show_headings(earlier.note)
        close = row(None, button(CLOSE, self.reject))
        column(self.about, (self.note, 1), close, on=self, margins=(2,), spacing=1)
        self.show()
        self.note.show_found((span,))
        self.note.reveal(span)


def show_earlier(window: Shell, session: CaseSession, sentence: Sentence) -> None:
    """The note that ``sentence`` was copied from, or why there is none."""
    earlier = session.background.earlier

    def find() -> tuple[EarlierNote, Span] | None:
        # Not above: the first screen does without RapidFuzz.
        from noteeval_desktop.compliance.copied import copied_from

        return copied_from(sentence, earlier)

    def show(found: tuple[EarlierNote, Span] | None) -> None:
        if session.background.earlier is not earlier:
            return  # the case was closed, or the library locked, meanwhile
        if found is None:
            window.banner.say(tr("The earlier note is not available. Use “Compare with earlier notes…” first."))
        else:
            EarlierNoteWindow(*found, window)

    window.jobs.call(Lane.DISK, "earlier note", find, show, lambda error: window.banner.say(problem(error)))

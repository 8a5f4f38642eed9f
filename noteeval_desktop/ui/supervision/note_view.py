"""The note under review: read only, the passage at hand tinted, one's own marks, and comments with a sign."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import Span
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.editor.text_positions import Positions
from noteeval_desktop.ui.widgets.theme import Theme


class NoteView(NoteEditor):
    """``clicked_at(int)``: an offset of the note, where nothing was selected."""

    clicked_at = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setReadOnly(True)
        keys = Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keys)
        self.setAccessibleName(tr("Note under review"))

    def chosen_span(self) -> Span | None:
        """The words that are selected, without the blanks around them; None: nothing is."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        positions = Positions(self.document().toRawText())
        start = positions.to_text(cursor.selectionStart())
        words = positions.text[start : positions.to_text(cursor.selectionEnd())]
        if not words.strip():
            return None
        start += len(words) - len(words.lstrip())
        return Span(start, start + len(words.strip()))

    def caret(self) -> int:
        """An offset of the note."""
        return Positions(self.document().toRawText()).to_text(self.textCursor().position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            positions = Positions(self.document().toRawText())
            at = self.cursorForPosition(event.position().toPoint()).position()
            self.clicked_at.emit(positions.to_text(at))

"""The note under review: read only, the passage at hand tinted, one's own marks, and comments with a sign."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from noteeval_desktop.domain.review import Comment
from noteeval_desktop.domain.text import Span
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.editor.text_positions import Positions
from noteeval_desktop.ui.widgets.theme import UNIT, Theme, sized

_SIGN = "✎"


class NoteView(NoteEditor):
    """``clicked_at(int)``: an offset of the note, where nothing was selected."""

    clicked_at = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        # Before the editor's own: it paints while it is made.
        self._commented: list[QTextEdit.ExtraSelection] = []
        self._look = theme
        super().__init__(theme, parent)
        self.setReadOnly(True)
        keys = Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keys)
        self.setAccessibleName("Note under review")

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

    def show_comments(self, comments: Sequence[Comment]) -> None:
        positions = Positions(self.document().toRawText())
        self._commented = [self._comment(positions, comment.span) for comment in comments]
        self._apply()

    def _comment(self, positions: Positions, span: Span) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        start, end = positions.span_to_document(span)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(self._look.colour("accent"))
        made.cursor, made.format = cursor, look
        return made

    def setExtraSelections(self, selections: Sequence[QTextEdit.ExtraSelection]) -> None:
        super().setExtraSelections([*selections, *self._commented])

    def paint_signs(self, painter: QPainter) -> None:
        super().paint_signs(painter)
        painter.setFont(sized(self.font(), UNIT + 6, QFont.Weight.Bold))
        painter.setPen(self._look.colour("accent"))
        for selection in self._commented:
            cursor = QTextCursor(self.document())
            cursor.setPosition(selection.cursor.selectionStart())
            line = self.cursorRect(cursor)
            painter.drawText(QRect(0, line.top(), 2 * UNIT, line.height()), Qt.AlignmentFlag.AlignCenter, _SIGN)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            positions = Positions(self.document().toRawText())
            at = self.cursorForPosition(event.position().toPoint()).position()
            self.clicked_at.emit(positions.to_text(at))

    def set_theme(self, theme: Theme) -> None:
        self._look = theme
        super().set_theme(theme)

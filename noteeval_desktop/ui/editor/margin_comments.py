"""Comments in the margin of a note: each with a sign beside its words, which it follows while the note is edited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from noteeval_desktop.domain.text import Span
from noteeval_desktop.ui.editor.text_positions import Positions
from noteeval_desktop.ui.widgets.theme import UNIT, Theme

SIGN = "✎"


class MarginComments:
    def __init__(self, editor: QTextEdit) -> None:
        self._editor, self.width = editor, 2 * UNIT
        self._shown: list[tuple[QTextCursor, str]] = []

    def show(self, comments: Sequence[tuple[Span, str]]) -> None:
        positions = Positions(self._editor.document().toRawText())
        self._shown = []
        for span, said in comments:
            cursor = QTextCursor(self._editor.document())
            start, end = positions.span_to_document(span)
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            self._shown.append((cursor, said))

    def now(self) -> tuple[tuple[Span, str], ...]:
        """Where they stand, while their words do."""
        positions = Positions(self._editor.document().toRawText())
        return tuple(
            (Span(positions.to_text(cursor.selectionStart()), positions.to_text(cursor.selectionEnd())), said)
            for cursor, said in self._shown
            if cursor.hasSelection()
        )

    @property
    def said(self) -> list[str]:
        return [said for _, said in self._shown]

    def selections(self, theme: Theme) -> list[QTextEdit.ExtraSelection]:
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(theme.colour("accent"))
        found = []
        for cursor, _ in self._shown:
            made = QTextEdit.ExtraSelection()
            made.cursor, made.format = cursor, look
            found.append(made)
        return found

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.setPen(theme.colour("accent"))
        for place, _ in self._places():
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, SIGN)

    def at(self, point: QPoint) -> str:
        """What is said beside a point of the margin; empty where nothing is."""
        return "\n\n".join(said for place, said in self._places() if place.contains(point))

    def _places(self) -> Iterator[tuple[QRect, str]]:
        for cursor, said in self._shown:
            if cursor.hasSelection():
                first = QTextCursor(self._editor.document())
                first.setPosition(cursor.selectionStart())
                line = self._editor.cursorRect(first)
                yield QRect(0, line.top(), self.width, line.height()), said

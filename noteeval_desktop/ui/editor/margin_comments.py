"""A reviewer's comments beside the note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from noteeval_desktop.domain.text import Span
from noteeval_desktop.ui.editor import highlights as marks
from noteeval_desktop.ui.editor.text_positions import Positions
from noteeval_desktop.ui.widgets.theme import UNIT, colour_of

SIGN = "✎"


class MarginComments:
    def __init__(self, editor: QTextEdit) -> None:
        self._editor, self.width = editor, 2 * UNIT
        self._shown: list[tuple[QTextCursor, str]] = []

    def show(self, comments: Sequence[tuple[Span, str]]) -> None:
        positions = Positions(self._editor.document().toRawText())
        places = [(positions.span_to_document(span), said) for span, said in comments]
        self._shown = [(marks.passage(self._editor.document(), *place), said) for place, said in places]

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

    def selections(self) -> list[QTextEdit.ExtraSelection]:
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(colour_of("accent"))
        return [marks.marked(cursor, look) for cursor, _ in self._shown]

    def paint(self, painter: QPainter) -> None:
        painter.setPen(colour_of("accent"))
        for place, _ in self._places():
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, SIGN)

    def at(self, point: QPoint) -> str:
        """What is said beside a point of the margin; empty where nothing is."""
        return "\n\n".join(said for place, said in self._places() if place.contains(point))

    def _places(self) -> Iterator[tuple[QRect, str]]:
        for cursor, said in self._shown:
            if cursor.hasSelection():
                start = cursor.selectionStart()
                line = self._editor.cursorRect(marks.passage(self._editor.document(), start, start))
                yield QRect(0, line.top(), self.width, line.height()), said

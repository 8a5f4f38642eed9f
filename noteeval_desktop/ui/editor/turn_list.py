"""The turns of a session as a list: what each row is, how it is drawn and how high it is."""

from __future__ import annotations

import time
from collections.abc import Iterable

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Role, Turn
from noteeval_desktop.ui.editor.highlights import ground
from noteeval_desktop.ui.editor.text_positions import utf16_ranges
from noteeval_desktop.ui.widgets.theme import READING_SIZE, SMALL_SIZE, UNIT, colour_of, sized, write
from noteeval_desktop.ui.widgets.words import turn_number

TURN_ROLE = Qt.ItemDataRole.UserRole
CITED_ROLE = Qt.ItemDataRole.UserRole + 1
FOUND_ROLE = Qt.ItemDataRole.UserRole + 2
Index = QModelIndex | QPersistentModelIndex
_PAD = UNIT
_LEADING = 1.15
_COLOURS = {Role.THERAPIST: "accent", Role.CLIENT: "text"}


class TurnModel(QAbstractListModel):
    """One row a turn; TURN_ROLE gives the Turn, CITED_ROLE the cited spans, FOUND_ROLE what a search found."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._turns: tuple[Turn, ...] = ()
        self._cited: dict[int, tuple[Span, ...]] = {}
        self._found: dict[int, tuple[Span, ...]] = {}

    def show_turns(self, turns: tuple[Turn, ...]) -> None:
        if len(turns) == len(self._turns):
            self._turns = turns
            if turns:
                self.dataChanged.emit(self.index(0), self.index(len(turns) - 1))
            return
        self.beginResetModel()
        self._turns, self._cited, self._found = turns, {}, {}
        self.endResetModel()

    def show_citations(self, citations: tuple[Citation, ...]) -> None:
        before, self._cited = self._cited, _by_turn([(c.turn, c.span) for c in citations])
        self._repaint(before.keys() | self._cited.keys())

    def show_found(self, found: tuple[tuple[int, Span], ...]) -> None:
        before, self._found = self._found, _by_turn(list(found))
        self._repaint(before.keys() | self._found.keys())

    def cited_turns(self) -> tuple[int, ...]:
        return tuple(self._cited)

    def _repaint(self, rows: set[int]) -> None:
        for number in rows:
            if number < len(self._turns):
                self.dataChanged.emit(self.index(number), self.index(number), [CITED_ROLE, FOUND_ROLE])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._turns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        turn = self._turns[index.row()]
        if role == TURN_ROLE:
            return turn
        if role == CITED_ROLE:
            return self._cited.get(turn.index, ())
        if role == FOUND_ROLE:
            return self._found.get(turn.index, ())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            cited = tr(", cited") if turn.index in self._cited else ""
            return f"{turn_number(turn.index)}, {turn.speaker}{cited}: {turn.text}"
        return None


def _by_turn(pairs: list[tuple[int, Span]]) -> dict[int, tuple[Span, ...]]:
    grouped: dict[int, tuple[Span, ...]] = {}
    for turn, span in pairs:
        grouped[turn] = (*grouped.get(turn, ()), span)
    return grouped


class TurnDelegate(QStyledItemDelegate):
    """Paints a turn. Heights are kept by text, width and size, because a list asks for all of them."""

    def __init__(self, reading_size: int, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._size = reading_size - 1
        self._heights: dict[tuple[str, int, int], int] = {}
        self._guesses: dict[str, int] = {}

    def set_reading_size(self, pixels: int) -> None:
        self._size = pixels - 1
        self.forget()

    def forget(self) -> None:
        """The heights of texts."""
        self._heights.clear()
        self._guesses.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        turn = index.data(TURN_ROLE)
        width = self._view.viewport().width()
        known = self._heights.get((turn.text, width, self._size))
        if known is not None:
            return QSize(width, known)
        # Until it has been measured: its height at another width, or from its length.
        if turn.text not in self._guesses:
            font, metrics = option.font, QFontMetrics(sized(option.font, self._size))
            lines = 1 + len(turn.text) * metrics.averageCharWidth() / max(40.0, self._text_width(width, font))
            self._guesses[turn.text] = int(lines * metrics.height() * _LEADING) + self._head_height(font) + 2 * _PAD
        return QSize(width, self._guesses[turn.text])

    def measure(self, turns: Iterable[Turn], font: QFont, seconds: float) -> bool:
        """Measure turns that have not been, for so long at most; True when every one is known.

        A three-hour session takes a third of a second to measure, which nobody may have to wait for.
        """
        width, until = self._view.viewport().width(), time.monotonic() + seconds
        for turn in turns:
            key = (turn.text, width, self._size)
            if key not in self._heights:
                layout = self._layout(turn.text, font, self._text_width(width, font))
                height = int(layout.boundingRect().height()) + self._head_height(font) + 2 * _PAD
                self._heights[key] = self._guesses[turn.text] = height
                if time.monotonic() > until:
                    return False
        return True

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        turn = index.data(TURN_ROLE)
        cited: tuple[Span, ...] = index.data(CITED_ROLE)
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = option.state
        if state & QStyle.StateFlag.State_Selected and not cited:
            painter.fillRect(area, colour_of("hover"))
        if cited:
            painter.fillRect(QRectF(area.left(), area.top() + 2, 4, area.height() - 4), colour_of("accent"))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(colour_of("accent"))
            painter.drawRoundedRect(area.adjusted(5.5, 0.5, -1.5, -1.5), 4, 4)
        self._paint_head(painter, area, turn, option.font)
        left = area.left() + self._gutter(option.font)
        layout = self._layout(turn.text, option.font, self._text_width(int(area.width()), option.font))
        painter.setPen(colour_of("text"))
        layout.draw(
            painter, QPointF(left, area.top() + _PAD + self._head_height(option.font)), self._tints(turn, index)
        )
        painter.restore()

    def _tints(self, turn: Turn, index: Index) -> list[QTextLayout.FormatRange]:
        ranges = []
        for role, look in ((CITED_ROLE, ground("tint")), (FOUND_ROLE, ground("accent", "on_accent"))):
            for start, length in utf16_ranges(turn.text, index.data(role)):
                piece = QTextLayout.FormatRange()
                piece.start, piece.length, piece.format = start, length, look
                ranges.append(piece)
        return ranges

    def _paint_head(self, painter: QPainter, area: QRectF, turn: Turn, font: QFont) -> None:
        gutter, small = self._gutter(font), self._small(font, SMALL_SIZE - 1)
        line = QRectF(area.left(), area.top() + _PAD, area.width() - UNIT, self._head_height(font) - 2)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        number = QRectF(line.left() + UNIT, line.top(), gutter - 2 * UNIT, line.height())
        write(painter, number, turn_number(turn.index), small, "muted", right)
        # Hours only where there are any.
        time = "" if turn.time is None else turn.time.removeprefix("00:")
        write(painter, line.adjusted(0, 0, -UNIT, 0), time, small, "muted", right)
        name = self._small(font, SMALL_SIZE, QFont.Weight.DemiBold)
        room = int(line.width() - gutter - QFontMetrics(small).horizontalAdvance(time) - 2 * UNIT)
        speaker = QFontMetrics(name).elidedText(turn.speaker, Qt.TextElideMode.ElideRight, room)
        write(painter, line.adjusted(gutter, 0, 0, 0), speaker, name, _COLOURS.get(turn.role, "muted"))

    def _layout(self, text: str, font: QFont, width: float) -> QTextLayout:
        layout = QTextLayout(text.replace("\n", "\u2028"), sized(font, self._size))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        top = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(40.0, width))
            line.setPosition(QPointF(0, top))
            top += line.height() * _LEADING
        layout.endLayout()
        return layout

    def _gutter(self, font: QFont) -> int:
        return QFontMetrics(self._small(font, SMALL_SIZE - 1)).horizontalAdvance("0000") + 2 * UNIT

    def _head_height(self, font: QFont) -> int:
        return QFontMetrics(self._small(font, SMALL_SIZE)).height() + 4

    def _small(self, font: QFont, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """In proportion where the reader enlarged the text."""
        return sized(font, max(pixels, round(pixels * (self._size + 1) / READING_SIZE)), weight)

    def _text_width(self, width: int, font: QFont) -> float:
        return width - self._gutter(font) - 2 * UNIT


class TurnList(QListView):
    """``resizing`` comes before its rows move."""

    resizing = Signal()
    copy_asked = Signal()

    def __init__(self, turns: TurnModel) -> None:
        super().__init__()
        self.setModel(turns)
        self.setAccessibleName(tr("Session transcript"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.verticalScrollBar().setSingleStep(3 * UNIT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self.resizing.emit()
        super().resizeEvent(event)

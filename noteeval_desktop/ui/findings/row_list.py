"""A tab's list: a model over rows and the delegate that paints them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.widgets.plain import breakable, tooltip
from noteeval_desktop.ui.widgets.theme import (
    HIT,
    SMALL_SIZE,
    UI_SIZE,
    UNIT,
    colour_of,
    fill,
    paint_share,
    write,
    zoomed,
)

ROW_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
Show = Callable[[Citation], object]
_Hint = QAbstractItemView.ScrollHint
_SIGN = 3 * UNIT
_WRAP, _MIDDLE = Qt.TextFlag.TextWordWrap, Qt.AlignmentFlag.AlignCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RowModel(QAbstractListModel):
    """Over a tuple of rows; ROW_ROLE gives the Row."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        if rows == self.rows:
            return
        if [row.title for row in rows] == [row.title for row in self.rows]:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and not self.rows[index.row()].can_be_chosen:
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip("\n".join(part for part in (row.detail, row.hint, row.sure, row.number) if part))
        return None


class RowDelegate(QStyledItemDelegate):
    def __init__(self, parent: QListView) -> None:
        super().__init__(parent)
        self._view = parent
        # A list that shows a change asks for the height of every row anew: measuring words is what takes the time.
        self._measured: dict[tuple[str, int, int], int] = {}

    def forget(self) -> None:
        """The heights of texts."""
        self._measured.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(ROW_ROLE)
        width = self._view.viewport().width()
        if row.heading:
            return QSize(width, HIT + UNIT)
        height = self._title_height(row, option.font, width) + UNIT
        if row.detail:
            room = width - self._columns(row, option.font, width)[0] - 2 * UNIT
            height += self._height(row.detail, option.font, SMALL_SIZE, room) + 2
        return QSize(width, max(HIT, height) + (UNIT if row.share is not None else 0))

    def _columns(self, row: Row, font: QFont, width: int) -> tuple[int, int]:
        """Left edge and width of the title."""
        left = 2 * UNIT + (_SIGN if row.sign else 0)
        aside = QFontMetrics(zoomed(font, SMALL_SIZE)).horizontalAdvance(row.aside) + 2 * UNIT if row.aside else UNIT
        return left, max(80, width - left - aside - UNIT)

    def _title_height(self, row: Row, font: QFont, width: int) -> int:
        return self._height(row.title, font, UI_SIZE, self._columns(row, font, width)[1])

    def _height(self, text: str, font: QFont, size: int, room: int) -> int:
        drawn = zoomed(font, size)
        known = self._measured.get((text, drawn.pixelSize(), room))
        if known is None:
            known = QFontMetrics(drawn).boundingRect(QRect(0, 0, room, 10_000), _WRAP, breakable(text)).height()
            self._measured[text, drawn.pixelSize(), room] = known
        return known

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        area = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.heading:
            self._paint_heading(painter, area, row, option.font)
        else:
            self._paint_state(painter, area, option)
            self._paint_row(painter, area, row, option.font)
        painter.restore()

    def _paint_state(self, painter: QPainter, area: QRect, option: QStyleOptionViewItem) -> None:
        state, inside = option.state, QRectF(area).adjusted(4.5, 0.5, -4.5, -0.5)
        if state & QStyle.StateFlag.State_Selected:
            fill(painter, inside, "tint", 6)
        elif state & QStyle.StateFlag.State_MouseOver:
            fill(painter, inside, "hover", 6)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(colour_of("accent"))
            painter.drawRoundedRect(inside, 6, 6)

    def _paint_heading(self, painter: QPainter, area: QRect, row: Row, font: QFont) -> None:
        line = area.adjusted(2 * UNIT, UNIT, -2 * UNIT, -2)
        write(painter, QRectF(line), row.title, zoomed(font, UI_SIZE, QFont.Weight.DemiBold), "accent")
        write(painter, QRectF(line), row.aside, zoomed(font, SMALL_SIZE), "muted", _RIGHT)
        painter.setPen(colour_of("line"))
        painter.drawLine(line.left(), area.bottom(), line.right(), area.bottom())

    def _paint_row(self, painter: QPainter, area: QRect, row: Row, font: QFont) -> None:
        left, room = self._columns(row, font, area.width())
        height = self._title_height(row, font, area.width())
        top = area.top() + UNIT // 2
        if not row.detail and row.share is None:
            top = area.top() + (area.height() - height) // 2
        title, small = zoomed(font, UI_SIZE), zoomed(font, SMALL_SIZE)
        first, start = QFontMetrics(title).height(), area.left() + left
        place = QRectF(area.left() + 2 * UNIT - 4, top, _SIGN, first)
        write(painter, place, row.sign, zoomed(font, UI_SIZE + 1, QFont.Weight.Bold), row.tone, _MIDDLE)
        colour = "muted" if row.tone == "muted" else "text"
        write(painter, QRectF(start, top, room, height + 2), breakable(row.title), title, colour, _WRAP)
        write(painter, QRectF(area.left(), top, area.width() - 2 * UNIT, first), row.aside, small, "muted", _RIGHT)
        below = QRectF(start, top + height + 2, area.width() - left - 2 * UNIT, area.height())
        write(painter, below, breakable(row.detail), small, "muted", _WRAP)
        if row.share is not None:
            paint_share(painter, QRectF(start, area.bottom() - 9, below.width(), 4), row.share)


class RowList(QListView):
    """A list of rows that wraps its text to its width."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.rows = RowModel(self)
        self.delegate = RowDelegate(self)
        self.setModel(self.rows)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.verticalScrollBar().setSingleStep(3 * UNIT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()
        if event.size().height() < event.oldSize().height():
            # The card of the chosen row takes room from the list that the row stands in.
            self.scrollTo(self.currentIndex())

    def scrollTo(self, index: Index, hint: _Hint = _Hint.EnsureVisible) -> None:
        """With the heading that a group's first row stands under."""
        if index.row() > 0 and self.rows.rows[index.row() - 1].heading:
            super().scrollTo(self.rows.index(index.row() - 1), hint)
        super().scrollTo(index, hint)

    def row_of(self, key: str) -> int | None:
        return next((number for number, row in enumerate(self.rows.rows) if row.key == key), None)


class ListPage(QStackedWidget):
    """A tab that another room fills: a page around ``listed``, and the cards of its rows."""

    listed: RowList

    def rows_of(self, evaluation: Evaluation) -> tuple[Row, ...]:
        raise NotImplementedError

    def show_evaluation(self, evaluation: Evaluation | None) -> None:
        raise NotImplementedError

    def fill_card(self, layout: QVBoxLayout, row: Row, show: Show, font: QFont) -> bool:
        """False for a row whose card is the usual one; ``show`` goes to a passage of the session."""
        raise NotImplementedError

"""A read-only table of text: names down the side, one column for each thing compared."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem


class SideBySide(QTableWidget):
    """A read-only table of text: names down the side, one column for each thing compared."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setWordWrap(True)
        self.setStyleSheet("QTableView { gridline-color: palette(mid); }")
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().setHighlightSections(False)
        # Rows follow the text when the columns get another width.
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        room = self.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.setSizePolicy(room)
        self.hide()

    def show_table(self, columns: Sequence[str], lines: Sequence[tuple[str, Sequence[str]]]) -> None:
        policies = Qt.ScrollBarPolicy
        # A bar that comes and goes would change the columns' width after the rows were measured.
        self.setVerticalScrollBarPolicy(policies.ScrollBarAlwaysOn if lines else policies.ScrollBarAsNeeded)
        self.clear()
        self.setVisible(bool(lines))
        self.setColumnCount(len(columns))
        self.setRowCount(len(lines))
        self.setHorizontalHeaderLabels(list(columns))
        self.setVerticalHeaderLabels([name for name, _ in lines])
        for number, (name, cells) in enumerate(lines):
            for place, cell in enumerate(cells):
                item = QTableWidgetItem(cell)
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{columns[place]}, {name}: {cell}")
                self.setItem(number, place, item)

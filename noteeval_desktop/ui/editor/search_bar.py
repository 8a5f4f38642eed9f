"""Searching a pane: a field, how many places it found, next and previous."""

from __future__ import annotations

import re
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from noteeval_desktop.domain.phrases import share_of, tr
from noteeval_desktop.domain.text import Span
from noteeval_desktop.ui.widgets.parts import Fitted, field, grounded, row, tool
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT


def places(text: str, sought: str) -> tuple[Span, ...]:
    """Where ``sought`` stands in ``text``, whatever its case."""
    if not sought.strip():
        return ()
    return tuple(Span(*found.span()) for found in re.finditer(re.escape(sought), text, re.IGNORECASE))


class SearchBar(Fitted):
    """Hidden until asked for; Escape closes it."""

    search_changed = Signal(str)
    step_asked = Signal(int)
    closed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        grounded(self, "pane_head")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(UNIT, UNIT // 2, UNIT, UNIT // 2)
        self._row.setSpacing(UNIT // 2)
        self.field = field(name, hint=tr("Search"))
        self.field.textChanged.connect(self.search_changed)
        self.field.returnPressed.connect(lambda: self.step_asked.emit(1))
        self.field.installEventFilter(self)
        self._count = PlainLabel("", look="muted")
        self._steps = QWidget()
        steps = row((self._count, 1), on=self._steps, margins=(0,), spacing=0.5)
        self._row.addWidget(self.field, 1)
        self._row.addWidget(self._steps)
        for text, said, step in (
            ("▲", tr("Previous match"), -1),
            ("▼", tr("Next match"), 1),
            ("✕", tr("Close search"), 0),
        ):
            does = partial(self.step_asked.emit, step) if step else self.close_search
            button = tool(text, does, "sign", said)
            button.setAccessibleName(said)
            button.setFixedWidth(HIT)
            steps.addWidget(button)
        self.hide()

    def fit(self) -> None:
        """Below each other where the field would be cut: in a narrow pane, or with large text."""
        needed = self.field.fontMetrics().horizontalAdvance(self.field.placeholderText()) + 4 * UNIT
        narrow = self.width() < needed + self._steps.sizeHint().width() + 3 * UNIT
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.TopToBottom if narrow else ways.LeftToRight)

    def open_search(self) -> None:
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def close_search(self) -> None:
        self.field.clear()
        self.hide()
        self.closed.emit()

    def show_count(self, index: int, count: int) -> None:
        self._count.setText("" if not self.field.text() else share_of(index + 1, count) if count else tr("Not found"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.close_search()
            return True
        return super().eventFilter(watched, event)

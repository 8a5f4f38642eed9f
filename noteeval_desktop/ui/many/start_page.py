"""Before there is a set: where to drop one, and earlier sets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.phrases import counted, day, tr
from noteeval_desktop.ui.case.empty_state import dropped_files
from noteeval_desktop.ui.many.run_store import Kept
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain
from noteeval_desktop.ui.widgets.theme import HIT, UI_SIZE, UNIT, zoomed

OPEN_RESULTS_HINT = tr("A folder of JSON results that “noteeval batch” wrote, here or on another computer")


_EARLIER = tr("Earlier sets")

_OPEN_SET = tr("Open")


class StartPage(QWidget):
    """``dropped(list of Path)``; ``earlier_asked(Kept)`` and ``delete_asked(Kept)``; what the buttons ask for."""

    dropped = Signal(object)
    folder_asked = Signal()
    table_asked = Signal()
    results_asked = Signal()
    earlier_asked = Signal(object)
    delete_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.said = PlainLabel("", look="accent", wrap=True)
        self.said.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.earlier = table(_EARLIER, ((_EARLIER, 480),))
        self.earlier.itemActivated.connect(lambda item, _: self.earlier_asked.emit(item.data(0, _VALUE)))
        self.earlier.currentItemChanged.connect(lambda *_: self._enable())
        self.open_it = _button(_OPEN_SET, lambda: self._emit(self.earlier_asked))
        self.delete_it = _button(tr("Delete this set…"), lambda: self._emit(self.delete_asked))
        self._below = QWidget()
        rows = QVBoxLayout(self._below)
        rows.setContentsMargins(0, 0, 0, 0)
        acts = QHBoxLayout()
        acts.addStretch(1)
        for button in (self.delete_it, self.open_it):
            acts.addWidget(button)
        rows.addWidget(self.earlier)
        rows.addLayout(acts)
        self.earlier.setMaximumHeight(20 * UNIT)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8 * UNIT, 3 * UNIT, 8 * UNIT, 3 * UNIT)
        layout.setSpacing(2 * UNIT)
        layout.addStretch(1)
        layout.addWidget(self._target())
        layout.addWidget(self.said)
        layout.addWidget(self._below)
        layout.addStretch(2)
        self.show_earlier(())

    def _target(self) -> QFrame:
        target = QFrame()
        target.setObjectName("drop_target")
        inside = QVBoxLayout(target)
        inside.setContentsMargins(4 * UNIT, 4 * UNIT, 4 * UNIT, 4 * UNIT)
        inside.setSpacing(2 * UNIT)
        heading = PlainLabel(tr("Drop a folder of sessions and notes here, or a table that names them"), wrap=True)
        heading.setFont(zoomed(self.font(), UI_SIZE + 5, heading.font().Weight.DemiBold))
        takes = PlainLabel(
            tr(
                "Files are matched by name: “07 transcript.vtt” with “07 note.docx”. A table is a CSV file with "
                "the columns transcript and note, and if you like id, clinician, source and date."
            ),
            look="muted",
            wrap=True,
        )
        for label in (heading, takes):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            inside.addWidget(label)
        row = QHBoxLayout()
        row.addStretch(1)
        self.folder = _button(tr("Choose a folder…"), self.folder_asked.emit)
        self.folder.setProperty("look", "primary")
        self.csv = _button(tr("Choose a table…"), self.table_asked.emit)
        self.results = _button(tr("Open results…"), self.results_asked.emit)
        explain(self.results, OPEN_RESULTS_HINT)
        for button in (self.folder, self.csv, self.results):
            row.addWidget(button)
        row.addStretch(1)
        inside.addLayout(row)
        return target

    def show_earlier(self, kept: Sequence[Kept]) -> None:
        self.earlier.clear()
        self.earlier.addTopLevelItems([line((_earlier(one.begun, one.notes, one.left),), one) for one in kept])
        if kept:
            self.earlier.setCurrentIndex(self.earlier.model().index(0, 0))
        self._below.setVisible(bool(kept))
        self._enable()

    def say(self, said: str) -> None:
        self.said.setText(said)
        self.said.setAccessibleName(said)

    def _enable(self) -> None:
        item = self.earlier.currentItem()
        for button in (self.open_it, self.delete_it):
            button.setEnabled(item is not None)
        if item is not None:
            left = item.data(0, _VALUE).left
            self.open_it.setText(tr("Continue") if left else _OPEN_SET)

    def _emit(self, signal: object) -> None:
        item = self.earlier.currentItem()
        if item is not None:
            signal.emit(item.data(0, _VALUE))  # type: ignore[attr-defined]

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = dropped_files(event)
        if files:
            event.acceptProposedAction()
            self.dropped.emit(files)


_VALUE = Qt.ItemDataRole.UserRole


def _button(text: str, does: object) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.setMinimumHeight(HIT + 4)
    button.clicked.connect(lambda: does())  # type: ignore[operator]
    return button


def _earlier(begun: datetime, notes: int, left: int) -> str:
    to_check = tr(", {left:,} left to check").format(left=left) if left else ""
    return f"{begun:%a} {day(begun)}, {begun:%H:%M}: {counted(notes, 'note')}{to_check}"

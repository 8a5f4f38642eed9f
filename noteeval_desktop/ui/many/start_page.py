"""Where a set of notes comes from: a folder or a table that is dropped or chosen, results, or an earlier set."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from noteeval_desktop.domain.phrases import counted, day, tr
from noteeval_desktop.store.sets import KeptSet
from noteeval_desktop.ui.case.empty_state import dropped_files
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import UI_SIZE, UNIT, zoomed

OPEN_RESULTS_HINT = tr("A folder of JSON results that “noteeval batch” wrote, here or on another computer")
_EARLIER = tr("Earlier sets")
_OPEN_SET = tr("Open")


class StartPage(QWidget):
    """``dropped(list of Path)``; ``earlier_asked(KeptSet)`` and ``delete_asked(KeptSet)``; what the buttons ask for."""

    dropped = Signal(object)
    folder_asked = Signal()
    table_asked = Signal()
    results_asked = Signal()
    earlier_asked = Signal(object)
    delete_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.said = PlainLabel("", look="accent", wrap=True)
        self.said.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.earlier = Rows(_EARLIER, (Column[KeptSet](_EARLIER, 480, _earlier),))
        self.earlier.itemActivated.connect(lambda *_: self._emit(self.earlier_asked))
        self.earlier.currentItemChanged.connect(lambda *_: self._enable())
        self.open_it = button(_OPEN_SET, lambda: self._emit(self.earlier_asked))
        self.delete_it = button(tr("Delete this set…"), lambda: self._emit(self.delete_asked))
        self._below = QWidget()
        column(self.earlier, row(None, self.delete_it, self.open_it), on=self._below, margins=(0,))
        self.earlier.setMaximumHeight(20 * UNIT)
        column((None, 1), self._target(), self.said, self._below, (None, 2), on=self, margins=(8, 3, 8, 3), spacing=2)
        self.show_earlier(())

    def _target(self) -> QFrame:
        target = QFrame()
        target.setObjectName("drop_target")
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
        self.folder = button(tr("Choose a folder…"), self.folder_asked.emit, "primary")
        self.csv = button(tr("Choose a table…"), self.table_asked.emit)
        self.results = button(tr("Open results…"), self.results_asked.emit, hint=OPEN_RESULTS_HINT)
        buttons = row(None, self.folder, self.csv, self.results, None)
        column(heading, takes, buttons, on=target, margins=(4,), spacing=2)
        return target

    def show_earlier(self, kept: Sequence[KeptSet]) -> None:
        self.earlier.show_rows(kept)
        self._below.setVisible(bool(kept))
        self._enable()

    def _enable(self) -> None:
        chosen = self.earlier.chosen()
        for each in (self.open_it, self.delete_it):
            each.setEnabled(chosen is not None)
        if chosen is not None:
            self.open_it.setText(tr("Continue") if chosen.left else _OPEN_SET)

    def _emit(self, signal: SignalInstance) -> None:
        if (chosen := self.earlier.chosen()) is not None:
            signal.emit(chosen)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = dropped_files(event)
        if files:
            event.acceptProposedAction()
            self.dropped.emit(files)


def _earlier(kept: KeptSet) -> str:
    to_check = tr(", {left:,} left to check").format(left=kept.left) if kept.left else ""
    return f"{kept.begun:%a} {day(kept.begun)}, {kept.begun:%H:%M}: {counted(kept.notes, 'note')}{to_check}"

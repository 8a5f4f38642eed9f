"""Qt's application, with what it alone is told."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """``file_opened(Path)``: macOS names the files to open here, not on the command line, also while it runs.
    ``tip_due``: the pointer has rested, and whatever is below is about to be asked for its tooltip."""

    file_opened = Signal(object)
    tip_due = Signal()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.url().isLocalFile():
            self.file_opened.emit(Path(event.file()))
            return True
        if event.type() is QEvent.Type.Timer:  # its only two are those of tooltips
            self.tip_due.emit()
        return super().event(event)

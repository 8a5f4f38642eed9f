"""Files that come to the window from outside, by another start or by macOS."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from noteeval_desktop.ui.shell.main_window import MainWindow

TOGETHER_MS = 150


class Arrivals(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._files = window, list[Path]()
        # Of files that are opened together, systems start a program for each, or tell of one after the other.
        self._soon = QTimer(self, singleShot=True, interval=TOGETHER_MS)
        self._soon.timeout.connect(self._open)

    def take(self, files: list[Path]) -> None:
        self._window.come_to_front()
        self._files += files
        self._soon.start()

    def _open(self) -> None:
        """As a drop is, which a dialog keeps waiting as well."""
        if QApplication.activeModalWidget() is not None:
            self._soon.start()
        elif self._files:
            files, self._files = self._files, []
            self._window.take(files)

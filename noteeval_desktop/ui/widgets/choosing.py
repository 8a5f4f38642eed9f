"""Dialogs that open and save files: they begin where the last one ended, the first in the user's documents."""

from __future__ import annotations

import threading
from os.path import isdir
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, QStandardPaths, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

_LAST = "last_folder"
_PATIENCE_MS = 700


def save_file(parent: QWidget, title: str, name: str, kinds: str) -> str:
    """Where to save, "" for nowhere; ``name`` is the suggestion."""
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(_folder() / name), kinds)
    return _noted(chosen)


def open_file(parent: QWidget, title: str, kinds: str) -> str:
    chosen, _ = QFileDialog.getOpenFileName(parent, title, str(_folder()), kinds)
    return _noted(chosen)


def open_files(parent: QWidget, title: str, kinds: str) -> list[Path]:
    chosen, _ = QFileDialog.getOpenFileNames(parent, title, str(_folder()), kinds)
    return [Path(_noted(name)) for name in chosen]


def open_folder(parent: QWidget, title: str) -> str:
    return _noted(QFileDialog.getExistingDirectory(parent, title, str(_folder())))


def _application() -> QCoreApplication:
    application = QApplication.instance()
    assert application is not None
    return application


def _folder() -> Path:
    """Kept for this run alone: a folder's name may tell a client's. Looked for off the GUI thread, which an unreachable
    network would hold up for minutes: the user's own folder where it does not answer."""
    last = _application().property(_LAST)
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    folders = [folder for folder in (last, documents) if folder]
    looking, loop = _Looking(), QEventLoop()
    looking.found.connect(loop.quit)
    QTimer.singleShot(_PATIENCE_MS, loop, loop.quit)
    threading.Thread(target=looking.look, args=(folders,), daemon=True).start()
    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    return Path(looking.folder or Path.home())


class _Looking(QObject):
    """Held by its thread, which may outlive the question."""

    found = Signal()
    folder = ""

    def look(self, folders: list[str]) -> None:
        self.folder = next(filter(isdir, folders), "")
        self.found.emit()


def _noted(chosen: str) -> str:
    if chosen:
        _application().setProperty(_LAST, str(Path(chosen).parent))
    return chosen

"""Dialogs that open and save files: they begin where the last one ended, the first in the user's documents."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

_LAST = "last_folder"


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


def _application() -> QCoreApplication:
    application = QApplication.instance()
    assert application is not None
    return application


def _folder() -> Path:
    """Kept for this run alone: a folder's name may tell a client's."""
    last = _application().property(_LAST)
    if last and Path(last).is_dir():
        return Path(last)
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return documents if documents.is_dir() else Path.home()


def _noted(chosen: str) -> str:
    if chosen:
        _application().setProperty(_LAST, str(Path(chosen).parent))
    return chosen

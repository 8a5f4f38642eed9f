"""Help: the shipped text and what the signs mean, as plain text."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from noteeval_desktop.ui.theme import UNIT


def help_window(parent: QWidget, text: Path) -> QDialog:
    """Raises OSError where the help does not ship."""
    dialog = QDialog(parent)
    dialog.setWindowTitle("How to read the marks")
    field = QPlainTextEdit(text.read_text("utf-8"))
    field.setReadOnly(True)
    field.setAccessibleName("Help")
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
    layout.addWidget(field)
    dialog.resize(90 * UNIT, 75 * UNIT)
    return dialog

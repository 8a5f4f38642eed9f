"""Help: the shipped text and what the signs mean, as plain text."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from noteeval_desktop.ui.theme import UNIT


def help_window(parent: QWidget, title: str, *texts: Path) -> QDialog:
    """The texts one after the other. Raises OSError where one does not ship."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    field = QPlainTextEdit("\n\n".join(text.read_text("utf-8") for text in texts))
    field.setReadOnly(True)
    field.setAccessibleName("Help")
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
    layout.addWidget(field)
    dialog.resize(90 * UNIT, 75 * UNIT)
    return dialog

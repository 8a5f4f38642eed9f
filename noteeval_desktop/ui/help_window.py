"""Help: the shipped texts and what the signs mean."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from noteeval_desktop.ui.theme import UNIT

_COLUMN = 18 * UNIT


def help_window(parent: QWidget, title: str, *texts: Path) -> QDialog:
    """The texts one after the other. Raises OSError where one does not ship."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    field = _field("\n\n".join(text.read_text("utf-8") for text in texts), all(t.suffix == ".md" for t in texts))
    field.setReadOnly(True)
    field.setAccessibleName("Help")
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
    layout.addWidget(field)
    dialog.resize(90 * UNIT, 75 * UNIT)
    return dialog


def _field(text: str, markdown: bool) -> QTextEdit | QPlainTextEdit:
    if markdown:
        pages = QTextEdit()
        reads = QTextDocument.MarkdownFeature
        pages.document().setMarkdown(text, reads.MarkdownDialectGitHub | reads.MarkdownNoHTML)
        pages.document().setDocumentMargin(2 * UNIT)
        pages.moveCursor(QTextCursor.MoveOperation.Start)
        return pages
    # The letters are of many widths: spaces would not bring columns into line.
    plain = QPlainTextEdit(re.sub(r"(?<=\S) {3,}", "\t", text))
    plain.setTabStopDistance(_COLUMN)
    return plain

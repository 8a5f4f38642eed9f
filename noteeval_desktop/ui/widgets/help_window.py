"""Help: the shipped texts and what the signs mean."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QTextCursor, QTextDocument, QTextFrameFormat, QTextTable
from PySide6.QtWidgets import QDialog, QTextEdit, QVBoxLayout, QWidget

from noteeval_desktop.ui.widgets import words
from noteeval_desktop.ui.widgets.theme import UNIT, open_at


def help_window(parent: QWidget, title: str, *texts: Path) -> QDialog:
    """The texts, in Markdown (or plain, a .txt alone), one after the other. Raises OSError where one does not ship."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    field = QTextEdit()
    reads = QTextDocument.MarkdownFeature
    content = "\n\n".join(text.read_text("utf-8") for text in texts)
    if texts[0].suffix == ".txt":
        field.setPlainText(content)
    else:
        field.document().setMarkdown(content, reads.MarkdownDialectGitHub | reads.MarkdownNoHTML)
    field.document().setDocumentMargin(2 * UNIT)
    _space(field.document())
    field.moveCursor(QTextCursor.MoveOperation.Start)
    field.setReadOnly(True)
    field.setAccessibleName(words.HELP)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
    layout.addWidget(field)
    open_at(dialog, 90 * UNIT, 75 * UNIT)
    return dialog


def _space(document: QTextDocument) -> None:
    """Qt sets a heading close to what stands above it, and a table's words close to its lines."""
    block = document.begin()
    while block.isValid():
        shape = block.blockFormat()
        if shape.headingLevel():
            shape.setTopMargin(2 * UNIT if block.position() else 0)
            shape.setBottomMargin(UNIT / 2)
            QTextCursor(block).setBlockFormat(shape)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            table = frame.format()
            table.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
            table.setCellPadding(UNIT / 2)
            table.setCellSpacing(0)
            frame.setFormat(table)

"""Help: the shipped texts and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextFrameFormat, QTextTable
from PySide6.QtWidgets import QTextEdit, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.widgets.parts import Window, column
from noteeval_desktop.ui.widgets.theme import UNIT

_PICTURE = 80 * UNIT


def help_window(parent: QWidget, title: str, *texts: Path) -> Window:
    """The texts, in Markdown (or plain, a .txt alone), one after the other. Raises OSError where one does not ship."""
    dialog = Window(parent, title, (90 * UNIT, 75 * UNIT))
    field = QTextEdit()
    reads = QTextDocument.MarkdownFeature
    content = "\n\n".join(text.read_text("utf-8") for text in texts)
    if texts[0].suffix == ".txt":
        field.setPlainText(content)
    else:
        field.document().setBaseUrl(QUrl.fromLocalFile(str(texts[0])))
        field.document().setMarkdown(content, reads.MarkdownDialectGitHub | reads.MarkdownNoHTML)
    field.document().setDocumentMargin(2 * UNIT)
    _space(field.document())
    _fit_pictures(field.document())
    field.moveCursor(QTextCursor.MoveOperation.Start)
    field.setReadOnly(True)
    # The page wraps to the window, but Qt rounds a table's columns up, and would scroll by a pixel.
    field.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    field.setAccessibleName(tr("Help"))
    column(field, on=dialog, margins=(2,))
    return dialog


def _fit_pictures(document: QTextDocument) -> None:
    """No wider than the text, which is how a picture of the whole window would stand there."""
    for block in _blocks(document):
        pieces = block.begin()
        while not pieces.atEnd():
            piece = pieces.fragment()
            if piece.charFormat().isImageFormat():
                shape = piece.charFormat().toImageFormat()
                picture = document.resource(QTextDocument.ResourceType.ImageResource, QUrl(shape.name()))
                if picture.width() > _PICTURE:
                    shape.setWidth(_PICTURE)
                    shape.setHeight(picture.height() * _PICTURE / picture.width())
                    at = QTextCursor(document)
                    at.setPosition(piece.position())
                    at.setPosition(piece.position() + piece.length(), QTextCursor.MoveMode.KeepAnchor)
                    at.setCharFormat(shape)
                space = block.blockFormat()
                space.setBottomMargin(UNIT)
                QTextCursor(block).setBlockFormat(space)
                break
            pieces += 1


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _space(document: QTextDocument) -> None:
    """Qt sets a heading close to what stands above it, and a table's words close to its lines."""
    for block in _blocks(document):
        shape = block.blockFormat()
        if shape.headingLevel():
            shape.setTopMargin(2 * UNIT if block.position() else 0)
            shape.setBottomMargin(UNIT / 2)
            QTextCursor(block).setBlockFormat(shape)
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            table = frame.format()
            table.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
            table.setCellPadding(UNIT / 2)
            table.setCellSpacing(0)
            frame.setFormat(table)

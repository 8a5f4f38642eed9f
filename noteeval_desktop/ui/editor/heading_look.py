"""How the note's headings look."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument, QTextFormat

from noteeval_desktop.ui.widgets.theme import colour_of


class HeadingLook(QSyntaxHighlighter):
    """Shows heading lines bold, outside the document and its undo stack. What only makes a line a heading ("## ") is
    seen where the cursor is, to be edited, and nowhere else."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._ranges: dict[int, tuple[int, int]] = {}
        self._cursor_at = -1
        self.take_colours()

    def take_colours(self) -> None:
        self._look = QTextCharFormat()
        self._look.setFontWeight(QFont.Weight.DemiBold)
        self._look.setForeground(colour_of("accent"))
        self._signs = QTextCharFormat()
        self._signs.setForeground(colour_of("muted"))
        self._unseen = QTextCharFormat()
        self._unseen.setForeground(Qt.GlobalColor.transparent)
        # No format of Qt's takes a character out of a line; one so small that it takes no room does.
        self._unseen.setProperty(QTextFormat.Property.FontPixelSize, 1)
        self._unseen.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
        self._unseen.setFontLetterSpacing(-1)

    def show_ranges(self, ranges: dict[int, tuple[int, int]]) -> None:
        """``ranges``: (start, length) in UTF-16 units by block number; only what changed is laid out anew."""
        changed = {n for n in self._ranges.keys() | ranges.keys() if self._ranges.get(n) != ranges.get(n)}
        self._ranges = ranges
        self._show_again(changed)

    def show_cursor(self, number: int) -> None:
        """The cursor is in this block; -1: in none that is edited."""
        if number != self._cursor_at:
            changed = {self._cursor_at, number} & self._ranges.keys()
            self._cursor_at = number
            self._show_again(changed)

    def _show_again(self, changed: set[int]) -> None:
        for number in sorted(changed):
            block = self.document().findBlockByNumber(number)
            if block.isValid():
                self.rehighlightBlock(block)

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        found = self._ranges.get(number)
        if found and found[0] + found[1] <= self.currentBlock().length():
            self.setFormat(*found, self._look)
            looks = self._signs if number == self._cursor_at else self._unseen
            start, end = found[0], sum(found)
            said = text[start:end]
            self.setFormat(start, len(said) - len(said.lstrip("#*_ ")), looks)
            after = len(said.rstrip("#*_ "))
            self.setFormat(start + after, len(said) - after, looks)

"""Icons of one family: line drawings in resources/icons, drawn in the theme's colour."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from noteeval_desktop.ui.widgets.theme import Theme

SIZES = (16, 32)


class Icons:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def icon(self, name: str, theme: Theme, colour: str = "text") -> QIcon:
        """``name`` without its ending. Raises OSError for an icon that does not ship."""
        drawing = (self._folder / f"{name}.svg").read_text("utf-8").replace("currentColor", getattr(theme, colour))
        renderer = QSvgRenderer(QByteArray(drawing.encode()))
        made = QIcon()
        for size in SIZES:
            picture = QPixmap(size, size)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            renderer.render(painter)
            painter.end()
            made.addPixmap(picture)
        return made

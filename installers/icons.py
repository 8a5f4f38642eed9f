"""The program's icon, from its one drawing, in the forms that systems want. Run by installers/build.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SIZES = (16, 24, 32, 48, 64, 128, 256, 512)


def main(drawing: Path, folder: Path) -> None:
    """``noteeval-SIZE.png``, ``noteeval.ico`` and ``noteeval.icns`` in ``folder``."""
    application = QGuiApplication([])
    renderer = QSvgRenderer(str(drawing))
    folder.mkdir(parents=True, exist_ok=True)
    for size in (*SIZES, 1024):
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        image.save(str(folder / f"noteeval-{size}.png"))
    largest = Image.open(folder / "noteeval-1024.png")
    largest.save(folder / "noteeval.ico", sizes=[(size, size) for size in SIZES if size <= 256])
    largest.save(folder / "noteeval.icns")
    application.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

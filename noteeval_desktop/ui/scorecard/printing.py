"""Pages on paper: the system's printer dialog, and painting pictures of pages onto its printer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

PRINT_DPI = 200


def ask_printer(parent: QWidget) -> QPrinter | None:
    """None when the reader cancelled."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName("Scorecard")
    dialog = QPrintDialog(printer, parent)
    return printer if dialog.exec() == QPrintDialog.DialogCode.Accepted else None


def print_pages(printer: QPrinter, pictures: Sequence[QImage]) -> bool:
    """One picture a sheet, as large as fits without being cut; False when the printer refused."""
    if not pictures:
        return False
    printer.setFullPage(True)
    painter = QPainter()
    if not painter.begin(printer):
        return False
    for number, picture in enumerate(pictures):
        if number and not printer.newPage():
            painter.end()
            return False
        paper = printer.pageLayout().fullRectPixels(printer.resolution())
        size = picture.size().toSizeF().scaled(paper.size().toSizeF(), Qt.AspectRatioMode.KeepAspectRatio)
        left, top = (paper.width() - size.width()) / 2, (paper.height() - size.height()) / 2
        painter.drawImage(QRectF(left, top, size.width(), size.height()), picture)
    return bool(painter.end())

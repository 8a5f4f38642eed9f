"""Pages of a PDF as pictures and on paper: in memory, off the GUI thread, nothing on the disk."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import Cancelled


@dataclass(frozen=True, slots=True)
class PageSize:
    """In points."""

    width: float
    height: float


def page_sizes(pdf: bytes) -> tuple[PageSize, ...]:
    """Raises pypdfium2.PdfiumError for bytes that are no PDF."""
    # Here, not above: the library is only needed once a scorecard is looked at.
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        return tuple(PageSize(*document.get_page_size(number)) for number in range(len(document)))


def draw_pages(pdf: bytes, scale: float, cancel: threading.Event, numbers: range | None = None) -> tuple[QImage, ...]:
    """Pictures of the pages, ``scale`` pixels to the point. Raises Cancelled, pypdfium2.PdfiumError."""
    import pypdfium2

    drawn = []
    with pypdfium2.PdfDocument(pdf) as document:
        for number in numbers if numbers is not None else range(len(document)):
            if cancel.is_set():
                raise Cancelled
            bitmap = document[number].render(scale=scale, rev_byteorder=True)
            size, stride = (bitmap.width, bitmap.height), bitmap.stride
            shape = QImage.Format.Format_RGB888 if bitmap.n_channels == 3 else QImage.Format.Format_RGBX8888
            # A copy: the picture outlives the bitmap that it is read from.
            drawn.append(QImage(bytes(bitmap.buffer), *size, stride, shape).copy())
    return tuple(drawn)


PRINT_DPI = 200


def ask_printer(parent: QWidget) -> QPrinter | None:
    """None when the reader cancelled."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(tr("Scorecard"))
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

"""Pages of a PDF as pictures: in memory, off the GUI thread, nothing on the disk."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from PySide6.QtGui import QImage

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

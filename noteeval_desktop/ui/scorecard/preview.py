"""The scorecard as it will be printed: pages to look through, larger or smaller, save, print."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeySequence, QPainter, QPaintEvent, QPixmap, QShortcut
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.phrases import counted, percent, tr
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, told
from noteeval_desktop.ui.widgets.parts import Window, button, column, row, scrolling
from noteeval_desktop.ui.widgets.plain import PlainLabel, native
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import PRINT, SENT_TO_THE_PRINTER


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


T = TypeVar("T")
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


ZOOMS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
_USUAL = 3


class _Page(QWidget):
    """Paper of the right size at once; its picture when it has been drawn."""

    def __init__(self, number: int, size: PageSize) -> None:
        super().__init__()
        self._size = size
        self.picture: QPixmap | None = None
        self.setAccessibleName(tr("Page {number}").format(number=number + 1))

    def show_at(self, zoom: float) -> None:
        self.setFixedSize(QSize(round(self._size.width * zoom), round(self._size.height * zoom)))

    def show_picture(self, image: QImage, ratio: float) -> None:
        image.setDevicePixelRatio(ratio)
        self.picture = QPixmap.fromImage(image)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        if self.picture is not None:
            painter.drawPixmap(self.rect(), self.picture)


class PreviewWindow(Window):
    """``make`` gives the PDF; it runs off the GUI thread. ``save_asked`` asks for the file dialog."""

    save_asked = Signal()
    drawn = Signal()

    def __init__(self, parent: QWidget, jobs: JobRunner, make: Callable[[], bytes]) -> None:
        super().__init__(parent, tr("Scorecard preview"), (110 * UNIT, 100 * UNIT), once=True)
        self._jobs, self._make = jobs, make
        self._name = f"preview {id(self)}"
        self._pdf = b""
        self._zoom = _USUAL
        self.pages: list[_Page] = []
        self._paper = QWidget()
        self._column = QVBoxLayout(self._paper)
        self._column.setSpacing(2 * UNIT)
        self._column.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._scroll = scrolling(self._paper)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._scroll.setAccessibleName(tr("Pages of the scorecard"))
        column(self._bar(), (self._scroll, 1), on=self, margins=(0,), spacing=0)
        self._submit(self._read, self._take_sizes)

    def _bar(self) -> QHBoxLayout:
        self.said = PlainLabel(tr("Making the pages…"), look="muted")
        self.smaller = _button("−", tr("Smaller ({keys})").format(keys=native("Ctrl+-")), lambda: self.zoom_by(-1))
        self.larger = _button("+", tr("Larger ({keys})").format(keys=native("Ctrl++")), lambda: self.zoom_by(1))
        prints = tr("Print the scorecard ({keys})").format(keys=native("Ctrl+P"))
        saves = tr("Save the scorecard as a PDF ({keys})").format(keys=native("Ctrl+S"))
        self.print = _button(PRINT, prints, self.ask_and_print)
        self.save = _button(tr("Save as…"), saves, self.save_asked.emit)
        for keys, act in (
            ("Ctrl+-", lambda: self.zoom_by(-1)),
            ("Ctrl++", lambda: self.zoom_by(1)),
            ("Ctrl+=", lambda: self.zoom_by(1)),
            ("Ctrl+P", self.ask_and_print),
            ("Ctrl+S", self.save_asked.emit),
        ):
            QShortcut(QKeySequence(keys), self, act)
        for each in (self.save, self.print):
            each.setEnabled(False)
        acts = self.smaller, self.larger, self.save, self.print
        return row((self.said, 1), *acts, margins=(2, 1, 2, 1), spacing=1)

    def _submit(self, work: Callable[[threading.Event], T], done: Callable[[T], object]) -> None:
        self._jobs.submit(Lane.DISK, self._name, lambda cancel, _: work(cancel), done, self._fail)

    def _read(self, _cancel: threading.Event) -> tuple[bytes, tuple[PageSize, ...]]:
        pdf = self._make()
        return pdf, page_sizes(pdf)

    def _take_sizes(self, made: tuple[bytes, tuple[PageSize, ...]]) -> None:
        self._pdf, sizes = made
        self.pages = [_Page(number, size) for number, size in enumerate(sizes)]
        for page in self.pages:
            self._column.addWidget(page)
        for act in (self.save, self.print):
            act.setEnabled(True)
        self._draw()

    def zoom_by(self, step: int) -> None:
        self._zoom = min(max(self._zoom + step, 0), len(ZOOMS) - 1)
        if self.pages:
            self._draw()

    def _draw(self) -> None:
        zoom, ratio, pdf = ZOOMS[self._zoom], self.devicePixelRatioF(), self._pdf
        for page in self.pages:
            page.show_at(zoom)
        self.said.setText(f"{counted(len(self.pages), 'page')} · {percent(zoom)}")
        self._submit(lambda cancel: draw_pages(pdf, zoom * ratio, cancel), self._take_pictures)

    def _take_pictures(self, pictures: tuple[QImage, ...]) -> None:
        for page, picture in zip(self.pages, pictures, strict=True):
            page.show_picture(picture, self.devicePixelRatioF())
        self.drawn.emit()

    def ask_and_print(self) -> None:
        if not self.print.isEnabled():
            return
        printer = ask_printer(self)
        if printer is None:
            return
        pdf, scale = self._pdf, PRINT_DPI / 72
        self.said.setText(tr("Sending the pages to the printer…"))

        def sent(pictures: tuple[QImage, ...]) -> None:
            printed = print_pages(printer, pictures)
            self.said.setText(SENT_TO_THE_PRINTER if printed else tr("The printer did not accept the pages."))

        self._submit(lambda cancel: draw_pages(pdf, scale, cancel), sent)

    def _fail(self, error: Exception) -> None:
        self.said.setText(told(error, tr("The pages could not be drawn ({reason}). Export the PDF instead.")))

    def done(self, result: int) -> None:
        self._jobs.drop(self._name)
        super().done(result)


def _button(text: str, said: str, act: Callable[[], object]) -> QPushButton:
    made = button(text, act, hint=said, height=HIT)
    made.setMinimumWidth(HIT)
    made.setAccessibleName(said.split(" (")[0])
    return made

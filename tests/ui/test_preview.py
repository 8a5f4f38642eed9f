"""The scorecard on screen and on paper, without a file in between."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtPrintSupport import QPrinter

from noteeval_desktop.errors import Cancelled
from noteeval_desktop.ui.scorecard import preview
from noteeval_desktop.ui.scorecard.preview import PreviewWindow, draw_pages, page_sizes
from noteeval_desktop.ui.shell.commands import show_preview


@pytest.fixture
def shown(opened, qtbot) -> PreviewWindow:
    window = show_preview(opened)
    assert window is not None
    with qtbot.waitSignal(window.drawn, timeout=30_000):
        pass
    return window


def _ink(image) -> int:
    """Pixels that are darker than paper, on a coarse grid."""
    grid = [(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)]
    return sum(QColor(image.pixel(*at)).lightness() < 128 for at in grid)


def test_every_page_is_drawn(shown) -> None:
    assert len(shown.pages) >= 2
    assert "pages" in shown.said.text()
    assert all(_ink(page.picture.toImage()) > 50 for page in shown.pages[:2])


def test_the_pages_grow_and_shrink_within_limits(shown, qtbot) -> None:
    before = shown.pages[0].width()
    with qtbot.waitSignal(shown.drawn, timeout=30_000):
        shown.larger.click()
    assert shown.pages[0].width() > before
    for _ in range(20):
        shown.zoom_by(-1)
    assert shown.pages[0].width() == round(595.28 * preview.ZOOMS[0])


def test_printing_puts_every_page_on_a_sheet(shown, qtbot, tmp_path: Path, monkeypatch) -> None:
    target = tmp_path / "printed.pdf"
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(target))
    monkeypatch.setattr(preview, "ask_printer", lambda parent: printer)
    shown.print.click()
    qtbot.waitUntil(lambda: shown.said.text() == "Sent to the printer.", timeout=60_000)
    printed = target.read_bytes()
    assert len(page_sizes(printed)) == len(shown.pages)
    assert _ink(draw_pages(printed, 1.0, threading.Event(), range(1))[0]) > 50


def test_nothing_to_print_is_not_printed() -> None:
    assert preview.print_pages(QPrinter(), ()) is False


def test_the_preview_leaves_no_file(opened, qtbot, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    window = show_preview(opened)
    with qtbot.waitSignal(window.drawn, timeout=30_000):
        pass
    assert list((tmp_path / "tmp").rglob("*")) == []


def test_closing_the_preview_stops_its_work(opened, qtbot) -> None:
    window = show_preview(opened)
    window.close()
    qtbot.waitUntil(lambda: not opened.jobs.busy)


def test_drawing_stops_when_asked(shown) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        draw_pages(shown._pdf, 1.0, cancel)


def test_save_from_the_preview_asks_for_a_file(shown, opened, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(opened.files, "export", asked.append)
    shown.save.click()
    assert asked == ["pdf"]

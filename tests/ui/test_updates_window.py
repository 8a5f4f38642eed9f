from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from noteeval_desktop import __version__
from noteeval_desktop.ui.shell.main_window import MainWindow
from noteeval_desktop.ui.shell.updates_window import UpdatesWindow
from noteeval_desktop.ui.widgets.plain import PlainLabel
from tests.test_updates import SIGNER, file, tampered


@pytest.fixture
def page(window: MainWindow, qtbot, tmp_path: Path) -> UpdatesWindow:
    key = tmp_path / "update-key.txt"
    key.write_text(f"{SIGNER.public}\n", "ascii")
    window.outside = replace(window.outside, update_key=key)
    return opened_page(window, qtbot)


def opened_page(window: MainWindow, qtbot) -> UpdatesWindow:
    window.commands["updates"].trigger()
    (shown,) = window.findChildren(UpdatesWindow)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    return shown


def test_it_says_what_is_installed_and_nothing_of_updates_until_a_file_is_chosen(page: UpdatesWindow) -> None:
    said = [label.text() for label in page.findChildren(PlainLabel)]
    assert {"NoteEval", __version__, "Built-in judge", "Sentence encoder", "none"} <= set(said)
    assert (page.said.text(), page.changes.isVisible()) == ("", False)


def test_the_chosen_file_tells_what_is_new(page: UpdatesWindow, qtbot, tmp_path, monkeypatch) -> None:
    chosen = file(tmp_path / "update.json", version="9.0.0")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(chosen), ""))
    page.choose.click()
    qtbot.waitUntil(page.changes.isVisible)
    assert page.said.text().startswith("Version 9.0.0 of 10 January 2027 is newer than yours.")
    assert page.changes.toPlainText() == "• Notes in ½ the time.\n• Böen"


def test_a_file_of_the_installed_version_says_that_there_is_nothing_newer(page, qtbot, tmp_path) -> None:
    page.read(file(tmp_path / "update.json", version=__version__))
    qtbot.waitUntil(lambda: bool(page.said.text()))
    assert page.said.text().startswith(f"You have version {__version__}")


def test_a_changed_file_is_refused_and_shows_nothing_of_what_it_says(page, qtbot, tmp_path) -> None:
    page.read(file(tmp_path / "good.json", version="9.0.0"))
    qtbot.waitUntil(page.changes.isVisible)
    tampered(tmp_path / "bad.json")
    page.read(tmp_path / "bad.json")
    qtbot.waitUntil(lambda: page.said.text().startswith("⚠ bad.json"))
    assert not page.changes.isVisible()


def test_a_build_without_a_key_says_so_and_reads_no_file(window: MainWindow, qtbot, tmp_path: Path) -> None:
    window.outside = replace(window.outside, update_key=tmp_path / "none")
    page = opened_page(window, qtbot)
    assert not page.choose.isEnabled()
    assert "no key" in page.said.text()

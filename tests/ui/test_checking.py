from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from PySide6.QtWidgets import QFileDialog

from noteeval_desktop.report.draw_pdf import write_pdf
from noteeval_desktop.report.scorecard_page import scorecard_page
from noteeval_desktop.ui.case.checking import CheckedWindow
from noteeval_desktop.ui.scorecard.pdf_dialog import ChoosePdf, PdfChoice
from noteeval_desktop.ui.shell.main_window import MainWindow
from noteeval_desktop.ui.widgets.dialogs import OnePassphrase
from tests.sample_evaluation import sample_evaluation, sample_rubric

PASSWORD = "vier ruhige Wörter hier"


@pytest.fixture
def card(opened: MainWindow, tmp_path: Path, qtbot) -> Path:
    assert opened.session.evaluation is not None
    path = tmp_path / "card.pdf"
    opened.files.export_to(opened.session.evaluation, path, "pdf")
    qtbot.waitUntil(lambda: not opened.jobs.busy)
    return path


def _shown(window: MainWindow, qtbot) -> CheckedWindow:
    qtbot.waitUntil(lambda: bool(window.findChildren(CheckedWindow)), timeout=20_000)
    (shown,) = window.findChildren(CheckedWindow)
    return shown


def _lines(shown: CheckedWindow) -> dict[str, str]:
    items = [shown.parts.topLevelItem(n) for n in range(shown.parts.topLevelItemCount())]
    return {item.text(0): item.text(1) for item in items}


def test_a_scorecard_of_the_case_on_the_desk_matches(opened: MainWindow, card: Path, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(card), ""))
    opened.commands["check_scorecard"].trigger()
    shown = _shown(opened, qtbot)
    assert shown.verdict.text().startswith("✓ Nothing in this scorecard was changed")
    assert "the open case" in shown.against.text()
    assert _lines(shown)["Note"] == "the same"
    assert _lines(shown)["Every mark of the judge"] == "the same"


def test_a_scorecard_of_another_case_does_not(opened: MainWindow, tmp_path: Path, qtbot) -> None:
    write_pdf(scorecard_page(sample_evaluation(), rubric=sample_rubric()), tmp_path / "other.pdf")
    opened.checking.check(tmp_path / "other.pdf")
    shown = _shown(opened, qtbot)
    assert shown.verdict.text().startswith("⚠")
    assert "does not match the case: Note" in shown.verdict.text()


def test_an_altered_scorecard_is_said_to_be_one(opened: MainWindow, card: Path, qtbot) -> None:
    with pikepdf.open(card, allow_overwriting_input=True) as pdf:
        pdf.pages[0].contents_add(b"BT ET")
        pdf.save(card)
    opened.checking.check(card)
    assert "⚠ This scorecard was changed after it was exported" in _shown(opened, qtbot).verdict.text()


def test_without_a_case_the_scorecard_speaks_for_itself(window: MainWindow, tmp_path: Path, qtbot) -> None:
    write_pdf(scorecard_page(sample_evaluation(), rubric=sample_rubric()), tmp_path / "card.pdf")
    window.checking.check(tmp_path / "card.pdf")
    shown = _shown(window, qtbot)
    assert "not compared with a case" in shown.verdict.text()
    assert _lines(shown)["Completeness"] == "20/23"


def test_a_foreign_pdf_is_told_in_one_line(window: MainWindow, tmp_path: Path, qtbot) -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(tmp_path / "rechnung.pdf")
    window.checking.check(tmp_path / "rechnung.pdf")
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=20_000)
    assert "rechnung.pdf: it is not a scorecard" in window.banner.text


def test_an_encrypted_scorecard_asks_for_its_password_and_again_for_a_wrong_one(
    opened: MainWindow, tmp_path: Path, qtbot
) -> None:
    assert opened.session.evaluation is not None
    path = tmp_path / "card.pdf"
    opened.files.export_to(opened.session.evaluation, path, "pdf", PdfChoice(PASSWORD, "letter"))
    qtbot.waitUntil(lambda: not opened.jobs.busy)
    with pikepdf.open(path, password=PASSWORD) as pdf:
        assert list(pdf.pages[0].mediabox)[2:] == [612, 792]
    opened.checking.check(path)
    qtbot.waitUntil(lambda: bool(opened.findChildren(OnePassphrase)), timeout=20_000)
    (asks,) = opened.findChildren(OnePassphrase)
    asks.passphrase.setText("falsch und falsch")
    asks.go.click()
    qtbot.waitUntil(lambda: "does not open it" in asks.said.text(), timeout=20_000)
    asks.passphrase.setText(PASSWORD)
    asks.go.click()
    assert "matches the case" in _shown(opened, qtbot).verdict.text()


def test_exporting_a_pdf_asks_for_paper_and_password(opened: MainWindow, tmp_path: Path, qtbot, monkeypatch) -> None:
    path = tmp_path / "out.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    opened.commands["export_pdf"].trigger()
    (asks,) = opened.findChildren(ChoosePdf)
    assert asks.hint.text() == "Anyone who gets the file can read it."
    assert "cannot be recovered" in asks.findChildren(type(asks.hint))[0].text()
    asks.first.setText("kurz")
    asks.go.click()
    assert "shorter than 8" in asks.said.text()
    asks.first.setText(PASSWORD)
    assert "Strong" in asks.hint.text()
    asks.go.click()
    assert asks.said.text() == "The two passwords differ. Type the second one again."
    asks.second.setText(PASSWORD)
    asks.go.click()
    qtbot.waitUntil(path.exists, timeout=20_000)
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(path)


def test_an_open_pdf_needs_one_click_more(opened: MainWindow, tmp_path: Path, qtbot, monkeypatch) -> None:
    path = tmp_path / "out.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    opened.commands["export_pdf"].trigger()
    (asks,) = opened.findChildren(ChoosePdf)
    asks.paper.setCurrentIndex(asks.paper.findData("letter"))
    asks.go.click()
    qtbot.waitUntil(path.exists, timeout=20_000)
    qtbot.waitUntil(lambda: not opened.jobs.busy)
    with pikepdf.open(path) as pdf:
        assert list(pdf.pages[0].mediabox)[2:] == [612, 792]

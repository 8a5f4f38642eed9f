from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Labels
from noteeval_desktop.ui.over_time.window import OverTimeWindow
from tests.sample_evaluation import sample_evaluation
from tests.sample_review import sample_review


def _add(library: Library, number: int, clinician: str, evaluation: Evaluation) -> str:
    day = date(2026, 1, 1) + timedelta(days=number)
    case_id = library.cases.add(evaluation.case, Labels(f"Fall {number}", clinician, session_date=day))
    library.cases.save_evaluation(case_id, evaluation)
    return case_id


def test_without_a_clinician_it_says_how_to_name_one(show) -> None:
    window = show("clinician")
    assert window.said.text() == "No case has a clinician yet. Add one under “Labels…” in the library."
    assert not window.chart.isVisible()
    assert not window.as_pdf.isEnabled()
    assert not window.choice.isVisible()
    assert window.said.mapTo(window, QPoint(0, 0)).y() < 200, "its words stay together at the top"


def test_a_clinician_without_a_checked_note(library: Library, show) -> None:
    library.cases.add(sample_evaluation().case, Labels("Fall", "Ö"))
    window = show("clinician")
    assert window.choice.currentText() == "Ö"
    assert window.said.text() == "No note of this clinician has been checked or reviewed yet."


def test_one_case_is_one_point_for_each_source(library: Library, show) -> None:
    evaluation = sample_evaluation()
    case_id = _add(library, 1, "Ö 🙂", evaluation)
    library.cases.save_review(case_id, sample_review(evaluation))
    window = show("clinician")
    (slot,) = window.found.progress.slots
    assert slot.judge is not None
    assert slot.supervisor is not None
    assert slot.supervisor.share(Dimension.COMPLETENESS) == pytest.approx(21 / 23)
    rows = [[window.table.topLevelItem(n).text(c) for c in range(5)] for n in range(window.table.topLevelItemCount())]
    assert ["History (mandatory)", "Subjective", "1 of 1", "1 of 1", "2 Jan 2026"] in rows
    assert ["Adjustments", "Plan", "0 of 1", "1 of 1", "2 Jan 2026"] in rows
    image = window.chart.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
    assert {"#0b6e75", "#9a6700"} <= colours


def test_keys_go_from_note_to_note_and_enter_opens_the_case(library: Library, show, qtbot) -> None:
    ids = [_add(library, number, "Ö", sample_evaluation()) for number in range(3)]
    window = show("clinician")
    chart = window.chart
    assert "3 marked revisions" in chart.accessibleDescription()
    for key, at in ((Qt.Key.Key_Right, 0), (Qt.Key.Key_End, 2), (Qt.Key.Key_Left, 1), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(chart, key)
        assert chart.at == at
    assert "Fall 0, revision 1. Judge: covered 87" in window.said.text()
    assert chart.accessibleDescription() == window.said.text()
    with qtbot.waitSignal(window.open_asked) as asked:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert asked.args == [ids[0]]
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(round(chart.where(2)), 90))
    assert chart.at == 2
    with qtbot.waitSignal(window.open_asked) as asked:
        window.open_it.click()
    assert asked.args == [ids[2]]


def test_another_clinician_has_their_own_notes_archived_ones_too(library: Library, show) -> None:
    evaluation = sample_evaluation()
    _add(library, 1, "Ada", evaluation)
    archived = _add(library, 2, "Ben", evaluation)
    _add(library, 3, "Ben", replace(evaluation, checklist=evaluation.checklist[:3]))
    library.cases.set_archived(archived, True)
    window = show("clinician")
    assert (window.choice.currentText(), len(window.found.progress.slots)) == ("Ada", 1)
    window.choice.setCurrentText("Ben")
    window.choice.activated.emit(1)
    assert [slot.label for slot in window.found.progress.slots] == ["Fall 2", "Fall 3"]


def test_both_files_are_written(library: Library, show, tmp_path: Path) -> None:
    _add(library, 1, "Ada", sample_evaluation())
    window = show("clinician")
    window.export_to(tmp_path / "o.pdf", "pdf")
    window.export_to(tmp_path / "o.csv", "csv")
    assert window.said.text() == "Exported o.csv."
    assert "Notes over time" in PdfReader(tmp_path / "o.pdf").pages[0].extract_text()
    rows = list(csv.reader(io.StringIO((tmp_path / "o.csv").read_text("utf-8-sig"))))
    exported = [entry.detail for entry in library.audit.entries() if entry.event is Event.EXPORTED]
    assert exported == ["notes-over-time.pdf", "notes-over-time.csv"]
    assert rows[1][:5] == ["2026-01-02", "Fall 1", "1", "judge", "scripted script"]
    window.export_to(tmp_path / "none" / "o.pdf", "pdf")
    assert "its folder does not exist" in window.said.text()


def test_two_hundred_cases_are_all_shown(library: Library, show) -> None:
    evaluation = sample_evaluation()
    for number in range(200):
        _add(library, number, "Ada", evaluation)
    window = show("clinician")
    window.chart.grab()
    assert len(window.found.progress.slots) == 200


def test_the_menu_shows_it_once_the_library_is_open(opened, hands, qtbot) -> None:
    hands.keep(opened)
    hands.settle(opened)
    opened.commands["trainee"].trigger()
    qtbot.waitUntil(lambda: bool(opened.findChildren(OverTimeWindow)))
    hands.settle(opened)
    (window,) = opened.findChildren(OverTimeWindow)
    assert window.tabs.currentWidget() is window.clinician
    assert window.clinician.said.text() == "No case has a clinician yet. Add one under “Labels…” in the library."
    assert all(button.minimumHeight() >= 28 for button in window.findChildren(QPushButton))
    opened.commands["cohort"].trigger()
    hands.settle(opened)
    assert opened.findChildren(OverTimeWindow) == [window]
    assert window.tabs.currentWidget() is window.team
    opened.library.access.library.cases.set_labels(opened.library.kept.id, Labels("Fall", "Ö"))
    opened.commands["trainee"].trigger()
    hands.settle(opened)
    assert window.clinician.choice.currentText() == "Ö"


def test_the_chart_grows_with_the_readers_letters(library: Library, show) -> None:
    _add(library, 1, "Ada", sample_evaluation())
    chart = show("clinician").chart
    usual = chart.sizeHint().height()
    font = chart.font()
    font.setPixelSize(26)
    chart.setFont(font)
    assert chart.sizeHint().height() == pytest.approx(2 * usual, abs=1)

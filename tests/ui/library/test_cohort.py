"""Everybody's notes week by week: one row of the scorecard at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt

from noteeval_desktop.documents import parse_note
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Labels
from noteeval_desktop.ui.library import cohort, trainee
from noteeval_desktop.ui.library.cohort_window import CohortWindow
from tests.sample_evaluation import sample_evaluation, sample_judge, sample_rubric
from tests.sample_review import sample_review
from tests.ui.library.conftest import CHEAP, PASSPHRASE
from tests.ui.library.test_trainee import StraightAccess

MONDAY, NEXT = date(2026, 1, 5), date(2026, 1, 12)
EVALUATION = sample_evaluation()


@pytest.fixture
def library(tmp_path):
    made, _ = Library.create(tmp_path / "library", PASSPHRASE, cost=CHEAP)
    yield made
    made.lock()


def add(library: Library, clinician: str, day: date, *, reviewed: bool = False) -> str:
    case_id = library.cases.add(EVALUATION.case, Labels(f"{clinician} {day.day}", clinician, session_date=day))
    library.cases.save_evaluation(case_id, EVALUATION)
    if reviewed:
        library.cases.save_review(case_id, sample_review(EVALUATION))
    return case_id


def test_clinicians_stand_beside_weeks(library) -> None:
    add(library, "Ayşe", date(2026, 1, 7))
    add(library, "Ayşe", date(2026, 1, 14))
    add(library, "Ben", date(2026, 1, 9))
    found = cohort.load(library, sample_rubric())
    assert (found.clinicians, found.weeks) == (("Ayşe", "Ben"), (MONDAY, NEXT))
    assert found.rows[:3] == ("Covered", "Needed", "Supported")
    assert "History" in found.rows
    assert ("Covered", "Ben", MONDAY) in found.cells
    assert ("Covered", "Ben", NEXT) not in found.cells


def test_a_supervisors_settled_marks_come_before_the_judges(library) -> None:
    add(library, "Ayşe", MONDAY, reviewed=True)
    add(library, "Ben", MONDAY)
    cells = cohort.load(library, sample_rubric()).cells
    assert not cells["Covered", "Ayşe", MONDAY].said.startswith("≈")
    assert cells["Covered", "Ben", MONDAY].said.startswith("≈")
    assert cells["History", "Ayşe", MONDAY].said == "0 of 1"


def test_where_the_judges_marks_count_the_cell_says_so(library) -> None:
    case_id, whole = add(library, "Ayşe", MONDAY), sample_review(EVALUATION)
    short = replace(whole, items=whole.items[:1], needs=(), claims=whole.claims[:2], settled=())
    library.cases.save_review(case_id, short)
    cells = cohort.load(library, sample_rubric()).cells
    assert cells["Covered", "Ayşe", MONDAY].said.startswith("≈")
    own, others = (cells[name, "Ayşe", MONDAY].said for name in ("Chief complaint", "Follow-up"))
    assert (own[:1], others[:1]) == ("1", "≈")
    (slot,) = trainee.load(library, "Ayşe", sample_rubric()).progress.slots
    assert "Supervisor: covered ≈ " in trainee.said(slot)


def test_of_a_note_that_was_edited_since_its_review_the_settled_marks_are_shown(library) -> None:
    case_id = add(library, "Ayşe", MONDAY, reviewed=True)
    before = cohort.load(library, sample_rubric()).cells["Supported", "Ayşe", MONDAY]
    note = parse_note(EVALUATION.case.note.text.replace("drinking four times", "drinking twice"))
    edited = final(evaluate(replace(EVALUATION.case, note=note), sample_judge(EVALUATION.case))).evaluation
    edited = replace(edited, judge=EVALUATION.judge)
    library.cases.save_note(case_id, note)
    library.cases.save_evaluation(case_id, edited)
    cell = cohort.load(library, sample_rubric()).cells["Supported", "Ayşe", MONDAY]
    assert cell.said == before.said
    assert cell.hint == "1 note: Ayşe 5 (edited since its review)"
    reviewed, now = trainee.load(library, "Ayşe", sample_rubric()).progress.slots
    assert "Edited since" not in trainee.said(reviewed)
    assert trainee.said(now).endswith("Edited since its review: only the judge has marked it as it reads now.")
    library.cases.save_review(case_id, replace(sample_review(edited), id="1" * 32))
    assert cohort.load(library, sample_rubric()).cells["Supported", "Ayşe", MONDAY].hint == "1 note: Ayşe 5"


def test_several_notes_of_a_week_are_one_cell(library) -> None:
    add(library, "Ben", MONDAY)
    last = add(library, "Ben", date(2026, 1, 6))
    cell = cohort.load(library, sample_rubric()).cells["History", "Ben", MONDAY]
    assert cell.said == "≈ 0 of 2"
    assert cell.hint == "2 notes: Ben 5, Ben 6"
    assert cell.case == last


def test_a_row_is_chosen_and_a_case_opened_by_keys(library, qtbot) -> None:
    case_id = add(library, "Ben", MONDAY)
    window = CohortWindow(StraightAccess(library), sample_rubric(), None)  # type: ignore[arg-type]
    qtbot.addWidget(window)
    window.show()
    window.row.setFocus()
    qtbot.keyClicks(window.row, "History")
    assert window.table.item(0, 0).text() == "≈ 0 of 1"
    said = window.table.item(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Ben, week of 5 Jan, History: ≈ 0 of 1, 1 note: Ben 5"
    window.table.setCurrentCell(0, 0)
    assert window.open_it.isEnabled()
    with qtbot.waitSignal(window.open_asked) as opened:
        qtbot.mouseClick(window.open_it, Qt.MouseButton.LeftButton)
    assert opened.args == [case_id]


def test_the_label_of_a_case_is_told_as_plain_text(library, qtbot) -> None:
    add(library, "<img src=/dev/zero>", MONDAY)
    window = CohortWindow(StraightAccess(library), sample_rubric(), None)  # type: ignore[arg-type]
    qtbot.addWidget(window)
    said = window.table.item(0, 0).toolTip()
    assert "&lt;img" in said
    assert "<img" not in said


def test_an_empty_library_says_what_to_do(library, qtbot) -> None:
    window = CohortWindow(StraightAccess(library), sample_rubric(), None)  # type: ignore[arg-type]
    qtbot.addWidget(window)
    window.show()
    assert window.said.text() == (
        "No note with a clinician has been checked or reviewed yet. Add clinicians under “Labels…” in the library."
    )
    assert not window.table.isVisible()
    assert not window.open_it.isEnabled()

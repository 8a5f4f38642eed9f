"""Everybody's notes week by week: one row of the scorecard at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from PySide6.QtCore import Qt

from noteeval_desktop.documents import parse_note
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Labels
from noteeval_desktop.ui.over_time import figures
from noteeval_desktop.ui.over_time.figures import Cell
from tests.sample_evaluation import sample_evaluation, sample_judge, sample_rubric
from tests.sample_review import sample_review

MONDAY, NEXT = date(2026, 1, 5), date(2026, 1, 12)
EVALUATION = sample_evaluation()


def add(library: Library, clinician: str, day: date, *, reviewed: bool = False) -> str:
    case_id = library.cases.add(EVALUATION.case, Labels(f"{clinician} {day.day}", clinician, session_date=day))
    library.cases.save_evaluation(case_id, EVALUATION)
    if reviewed:
        library.cases.save_review(case_id, sample_review(EVALUATION))
    return case_id


def cells(library: Library) -> dict[tuple[str, str, date], Cell]:
    """By row, clinician and Monday; where there is nothing to open, nothing was marked."""
    found = figures.team(library, "", sample_rubric())
    mondays = [MONDAY, NEXT]
    return {
        (name, line.cells[0], monday): cell
        for name, shown in found.tables.items()
        for line in shown.lines
        for monday, cell in zip(mondays, line.cells[1:], strict=False)
        if isinstance(cell, Cell) and cell.case
    }


def test_clinicians_stand_beside_weeks(library) -> None:
    add(library, "Ayşe", date(2026, 1, 7))
    add(library, "Ayşe", date(2026, 1, 14))
    add(library, "Ben", date(2026, 1, 9))
    found = figures.team(library, "", sample_rubric())
    shown = found.tables["Covered"]
    assert shown.headings == ("", "5 Jan", "12 Jan")
    assert [line.cells[0] for line in shown.lines] == ["Ayşe", "Ben"]
    assert [name for name, _ in found.choices][:3] == ["Covered", "Needed", "Supported"]
    assert "History" in found.tables
    assert ("Covered", "Ben", MONDAY) in cells(library)
    assert ("Covered", "Ben", NEXT) not in cells(library)
    assert [cell.text for cell in shown.lines[1].cells if isinstance(cell, Cell)][1] == "–"


def test_a_supervisors_settled_marks_come_before_the_judges(library) -> None:
    add(library, "Ayşe", MONDAY, reviewed=True)
    add(library, "Ben", MONDAY)
    found = cells(library)
    assert not found["Covered", "Ayşe", MONDAY].text.startswith("≈")
    assert found["Covered", "Ben", MONDAY].text.startswith("≈")
    assert found["History", "Ayşe", MONDAY].text == "0 of 1"


def test_where_the_judges_marks_count_the_cell_says_so(library) -> None:
    case_id, whole = add(library, "Ayşe", MONDAY), sample_review(EVALUATION)
    short = replace(whole, items=whole.items[:1], needs=(), claims=whole.claims[:2], settled=())
    library.cases.save_review(case_id, short)
    found = cells(library)
    assert found["Covered", "Ayşe", MONDAY].text.startswith("≈")
    own, others = (found[name, "Ayşe", MONDAY].text for name in ("Chief complaint", "Follow-up"))
    assert (own[:1], others[:1]) == ("1", "≈")
    (slot,) = figures.history(library, "Ayşe", sample_rubric()).slots
    assert "Supervisor: covered ≈ " in figures.said(slot)


def test_of_a_note_that_was_edited_since_its_review_the_settled_marks_are_shown(library) -> None:
    case_id = add(library, "Ayşe", MONDAY, reviewed=True)
    before = cells(library)["Supported", "Ayşe", MONDAY]
    note = parse_note(EVALUATION.case.note.text.replace("drinking four times", "drinking twice"))
    edited = final(evaluate(replace(EVALUATION.case, note=note), sample_judge(EVALUATION.case))).evaluation
    edited = replace(edited, judge=EVALUATION.judge)
    library.cases.save_note(case_id, note)
    library.cases.save_evaluation(case_id, edited)
    cell = cells(library)["Supported", "Ayşe", MONDAY]
    assert cell.text == before.text
    assert cell.hint == "1 note: Ayşe 5 (edited since its review)"
    reviewed, now = figures.history(library, "Ayşe", sample_rubric()).slots
    assert "Edited since" not in figures.said(reviewed)
    assert figures.said(now).endswith("Edited since its review: only the judge has marked the current version.")
    library.cases.save_review(case_id, replace(sample_review(edited), id="1" * 32))
    assert cells(library)["Supported", "Ayşe", MONDAY].hint == "1 note: Ayşe 5"


def test_several_notes_of_a_week_are_one_cell(library) -> None:
    add(library, "Ben", MONDAY)
    last = add(library, "Ben", date(2026, 1, 6))
    cell = cells(library)["History", "Ben", MONDAY]
    assert cell.text == "≈ 0 of 2"
    assert cell.hint == "2 notes: Ben 5, Ben 6"
    assert cell.case == last


def test_a_row_is_chosen_and_a_case_opened_by_keys(library, show, qtbot) -> None:
    case_id = add(library, "Ben", MONDAY)
    window = show("team")
    window.choice.setFocus()
    qtbot.keyClicks(window.choice, "History")
    (ben,) = (window.table.topLevelItem(line) for line in range(window.table.topLevelItemCount()))
    assert ben.text(1) == "≈ 0 of 1"
    said = ben.data(1, Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Ben, week of 5 Jan, History: ≈ 0 of 1, 1 note: Ben 5"
    assert not window.open_it.isEnabled()
    qtbot.keyClick(window.table, Qt.Key.Key_Right)
    assert window.open_it.isEnabled()
    with qtbot.waitSignal(window.open_asked) as opened:
        qtbot.mouseClick(window.open_it, Qt.MouseButton.LeftButton)
    assert opened.args == [case_id]


def test_the_label_of_a_case_is_told_as_plain_text(library, show) -> None:
    add(library, "<img src=/dev/zero>", MONDAY)
    window = show("team")
    said = window.table.topLevelItem(0).toolTip(1)
    assert "&lt;img" in said
    assert "<img" not in said


def test_an_empty_library_says_what_to_do(show) -> None:
    window = show("team")
    assert window.said.text() == (
        "No note with a clinician has been checked or reviewed yet. Add clinicians under “Labels…” in the library."
    )
    assert not window.table.isVisible()
    assert not window.open_it.isEnabled()

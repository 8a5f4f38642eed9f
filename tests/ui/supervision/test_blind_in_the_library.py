"""Outside its window too a blind review is blind: in the list, on opening, in the scorecard and in the comparison."""

from __future__ import annotations

from pathlib import Path

import pypdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.records import Labels
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.library.dialogs import OpenOrReview
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.supervision.endings import AskRater
from tests.ui.supervision.conftest import Reviewer, receive, send, submit, unseen

CLINICIAN, SHARES = 1, (5, 6, 7)


@pytest.fixture
def sent(desk, hands, supervisor, there, tmp_path) -> str:
    """The id of a case that its author submitted and the supervisor took in."""
    hands.keep(desk)
    case_id = desk.library.kept.id
    desk.library.access.library.cases.set_labels(case_id, Labels("Fall 7", "Ruth Alden"))
    submit(desk, hands)
    send(desk, hands, case_id, tmp_path / "one.noteeval-case")
    receive(supervisor, there, tmp_path / "one.noteeval-case")
    return case_id


def _row(window, hands) -> dict[int, str]:
    shown = hands.list(window)
    item = shown.list.topLevelItem(0)
    shown.close()
    return {column: item.text(column) for column in (CLINICIAN, *SHARES)}


def _enter(window, hands, qtbot) -> OpenOrReview | None:
    """Enter on the case in the list; the question, if there is one."""
    shown, before = hands.list(window), window.library.asking
    shown.list.setFocus()
    QTest.keyClick(shown.list, Qt.Key.Key_Return)
    hands.settle(window)
    asks = window.library.asking
    if asks is before:
        return None
    qtbot.waitUntil(lambda: asks.isVisible())
    return asks


def _opened(window) -> list[str]:
    entries = window.library.access.library.audit.entries()
    return [entry.detail for entry in entries if entry.event is Event.OPENED]


def test_the_list_hides_what_would_spoil_a_blind_review(sent, desk, hands, supervisor, there, qtbot):
    row = _row(supervisor, there)
    assert [row[column] for column in SHARES] == ["hidden"] * 3
    item = there.list(supervisor).list.topLevelItem(0)
    why = [item.data(column, Qt.ItemDataRole.AccessibleDescriptionRole) for column in SHARES]
    assert why == ["Shown after you submit your marks: this review is blind."] * 3
    assert row[CLINICIAN] == "Ruth Alden"
    reviewer = Reviewer(supervisor, qtbot)
    reviewer.open(sent)
    reviewer.type("yn")
    reviewer.settle()
    assert set(_row(supervisor, there).values()) == {"hidden"}
    reviewer.mark_everything_from_the_start()
    reviewer.hand_in()
    row = _row(supervisor, there)
    assert row[CLINICIAN] == "Ruth Alden"
    assert all("%" in row[column] for column in SHARES)


def test_a_copy_does_not_show_what_its_original_hides(sent, desk, hands, supervisor, there):
    assert not there.list(supervisor).acts.duplicate.isEnabled()
    assert hands.list(desk).acts.duplicate.isEnabled()


def test_the_authors_own_list_and_desk_are_as_ever(sent, desk, hands, qtbot):
    row = _row(desk, hands)
    assert row[CLINICIAN] == "Ruth Alden"
    assert all("%" in row[column] for column in SHARES)
    assert _enter(desk, hands, qtbot) is None
    assert desk.session.evaluation is not None
    assert desk.library.asking is None


def test_enter_twice_begins_the_review_and_the_desk_stays_empty(sent, supervisor, there, qtbot):
    asks = _enter(supervisor, there, qtbot)
    assert "is waiting for your blind review" in asks.text()
    assert "not blind" in asks.informativeText()
    assert asks.defaultButton() is asks.review
    assert _opened(supervisor) == []
    QTest.keyClick(asks, Qt.Key.Key_Return)
    there.settle(supervisor)
    assert isinstance(supervisor.supervision.dialog, AskRater)
    supervisor.supervision.dialog.name.setText("Kim")
    QTest.keyClick(supervisor.supervision.dialog.name, Qt.Key.Key_Return)
    there.settle(supervisor)
    shown = supervisor.supervision.reviews[0]
    assert not shown.session.review.unblinded
    assert supervisor.session.evaluation is None
    assert _opened(supervisor) == [""]
    asks = _enter(supervisor, there, qtbot)
    assert "under way" in asks.text()
    QTest.keyClick(asks, Qt.Key.Key_Return)
    there.settle(supervisor)
    assert supervisor.supervision.reviews == [shown]


def test_escape_and_locking_open_nothing(sent, supervisor, there, qtbot):
    asks = _enter(supervisor, there, qtbot)
    QTest.keyClick(asks, Qt.Key.Key_Escape)
    there.settle(supervisor)
    assert supervisor.session.evaluation is None
    assert supervisor.library.list_window is not None
    _enter(supervisor, there, qtbot)
    supervisor.commands["lock"].trigger()
    there.settle(supervisor)
    assert not any(isinstance(widget, OpenOrReview) and widget.isVisible() for widget in QApplication.topLevelWidgets())
    there.unlock(supervisor)
    assert supervisor.supervision.reviews == []
    assert supervisor.session.evaluation is None
    assert _opened(supervisor) == []


def _scorecard(reviewer: Reviewer, path: Path) -> str:
    session = reviewer.shown.session
    reviewer.shown.endings.pdf.save_to(path, session.shown.case_id, session.review, session.evaluation)
    reviewer.settle()
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(path).pages).split())


@pytest.mark.parametrize("under_way", [False, True])
def test_a_case_opened_with_the_judges_marks_is_not_reviewed_blind_and_that_is_said(
    sent, supervisor, there, qtbot, tmp_path, under_way
):
    reviewer = Reviewer(supervisor, qtbot, "Dr. Zizek")
    if under_way:
        reviewer.open(sent)
        reviewer.type("yn")
        reviewer.settle()
    asks = _enter(supervisor, there, qtbot)
    asks.open_all.click()
    there.settle(supervisor)
    assert supervisor.session.evaluation is not None
    assert _opened(supervisor)[-1] == "with-the-judges-marks"
    page = there.page(supervisor, "audit_log")
    assert "not blind" in page.list.topLevelItem(0).text(3)
    page.close()
    assert all("%" in _row(supervisor, there)[column] for column in SHARES)
    assert _enter(supervisor, there, qtbot) is None
    if not under_way:
        reviewer.open(sent)
        assert "not blind" in reviewer.shown.whose.text()
        assert "Not blind" in reviewer.shown.whose.toolTip()
    reviewer.mark_everything_from_the_start()
    reviewer.hand_in()
    library = supervisor.library.access.library
    [kept] = library.cases.reviews(sent)
    assert kept.unblinded
    assert reviewer.shown.session.review == kept
    said = _scorecard(reviewer, tmp_path / "card.pdf")
    assert "This review was not blind" in said
    assert "without seeing the judge's marks" not in said
    assert work.rated(library, "", lambda: False) == ()


def test_a_blind_review_says_so_and_counts(sent, supervisor, there, qtbot, tmp_path):
    reviewer = Reviewer(supervisor, qtbot, "Dr. Zizek")
    reviewer.open(sent)
    reviewer.mark_everything()
    reviewer.hand_in()
    said = _scorecard(reviewer, tmp_path / "card.pdf")
    assert "marked first, without seeing the judge's marks" in said
    assert len(work.rated(supervisor.library.access.library, "", lambda: False)) == 1
    assert _opened(supervisor) == [""]


def test_one_opening_is_one_entry_in_the_log(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    assert _opened(desk) == []
    desk.library.open_case(case_id)
    hands.settle(desk)
    assert _opened(desk) == [""]
    desk.commands["feedback"].trigger()
    desk.commands["agreement"].trigger()
    desk.library.show_history()
    hands.settle(desk)
    assert _opened(desk) == [""]


def test_an_unfinished_review_does_not_reach_the_author(sent, desk, hands, supervisor, there, qtbot, tmp_path):
    reviewer = Reviewer(supervisor, qtbot)
    reviewer.open(sent)
    reviewer.comment("Not meant for you yet.")
    send(supervisor, there, sent, tmp_path / "two.noteeval-case")
    receive(desk, hands, tmp_path / "two.noteeval-case")
    cases = desk.library.access.library.cases
    assert cases.reviews(sent) == ()
    assert cases.summary(sent).status is CaseStatus.SUBMITTED
    assert cases.summary(sent).pending is None


def test_a_review_that_is_closed_leads_back_to_where_it_began(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    reviewer.open(case_id)
    reviewer.shown.close()
    hands.settle(desk)
    # The case would tell what the judge said: a blind review goes back to the list.
    assert desk.library.list_window.isVisible()
    reviewer.open(case_id)
    assert not desk.library.list_window
    reviewer.shown.close()
    hands.settle(desk)
    assert desk.library.list_window.isVisible()


def test_a_review_that_is_handed_in_leads_back_to_the_case_that_it_was_begun_from(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    reviewer.open(case_id)
    reviewer.mark_everything_from_the_start()
    reviewer.hand_in()
    assert desk.session.note_text is None
    with qtbot.waitSignal(desk.session.note_opened, timeout=10_000):
        reviewer.shown.close()
    assert desk.library.kept.id == case_id


@pytest.mark.parametrize("checked", [False, True])
def test_a_note_that_was_checked_here_is_not_reviewed_blind(desk, hands, qtbot, checked):
    hands.keep(desk)
    if not checked:
        unseen(desk.library.access.library)
    reviewer = Reviewer(desk, qtbot)
    reviewer.open(desk.library.kept.id)
    assert reviewer.shown.whose.text().endswith("· not blind" if checked else "· blind")
    assert ("seen in this library before" in reviewer.shown.whose.toolTip()) is checked


def test_what_one_review_uncovered_the_next_one_has_not_marked_blind(sent, supervisor, there, qtbot):
    first = Reviewer(supervisor, qtbot, "Kim")
    first.open(sent)
    first.mark_everything()
    first.hand_in()
    assert not first.shown.session.review.unblinded
    first.shown.close()
    supervisor.library.access.library.supervision.set_rater(Rater("Adams"))
    second = Reviewer(supervisor, qtbot, "Adams")
    second.open(sent)
    assert second.shown.session.review.unblinded
    assert second.shown.whose.text() == "Adams · not blind"

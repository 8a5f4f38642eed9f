"""A note that came back, in its author's window: everything shows the marks as the supervisor settled them."""

from __future__ import annotations

import pypdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.standing import CaseStatus, Standing
from noteeval_desktop.present.risks import ledger
from noteeval_desktop.report.scorecard_page import titled
from noteeval_desktop.ui.findings.trust import level_of
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.scorecard.pdf_dialog import PdfChoice
from noteeval_desktop.ui.supervision import endings
from noteeval_desktop.ui.supervision.passes import Stage
from tests.sample_evaluation import sample_rubric
from tests.ui.supervision.conftest import (
    ASKED,
    RISK,
    author_opens,
    begun,
    change,
    mark_what_is_asked,
    returned,
    submit,
)


def _came_back(desk, judge, hands, qtbot, risk: str, label: str | None = None, sign: bool = False) -> str:
    """With the key ``risk`` for the passage on risk; returned, or approved."""
    reviewer, _ = begun(desk, judge, hands, qtbot, label)
    reviewer.type(risk)
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id = author_opens(desk, hands, reviewer)
    assert "Suicide" in desk.risk_banner.text or "risk" in desk.risk_banner.text
    submit(desk, hands)
    reviewer.open(case_id)
    if sign:
        reviewer.sign("PhD")
    else:
        reviewer.answer("R")
    return author_opens(desk, hands, reviewer)


def test_the_author_sees_what_was_settled_and_what_was_accepted(desk, judge, hands, qtbot):
    reviewer, _ = begun(desk, judge, hands, qtbot)
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    returned(desk, hands, reviewer)
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    rows = [row.spoken for row in feedback.rows]
    assert any(
        "Suicide, turn 3: “Do you ever think about ending your life?” It is not in your note." in row for row in rows
    )
    titles = [row.title for row in feedback.rows if row.heading]
    assert titles[-1] == "Found by the check; the supervisor was not asked"
    assert titles[0] == "Risk"
    assert "and the check's where the supervisor was not asked: " in feedback.summary.text()
    assert "Would I accept this note into the record? Nearly as it is." in feedback.summary.text()


@pytest.mark.parametrize("key", ["y", "0"])
def test_a_risk_that_the_supervisor_closed_is_open_nowhere_in_the_authors_window(desk, judge, hands, qtbot, key):
    case_id = _came_back(desk, judge, hands, qtbot, key)
    asked = ASKED.quote
    assert asked not in " ".join(finding.what + finding.why for finding in desk.session.findings())
    assert not any(ASKED in finding.citations for finding in desk.session.findings())
    judged = desk.session.judged
    assert judged.risks == (RISK,)
    # What goes into the library stays the judge's own.
    assert desk.library.on_desk().evaluation == judged
    desk.commands["submit"].trigger()
    hands.settle(desk)
    said = " ".join(label.text() for label in desk.supervision.dialog.findChildren(QLabel))
    assert asked not in said
    desk.supervision.dialog.reject()
    library = desk.library.access.library
    (listed,) = [case for case in library.cases.find() if case.id == case_id]
    assert listed.figures[Dimension.COMPLETENESS] == desk.session.evaluation.scores.completeness.note
    assert work.history(library, case_id)[-1].evaluation.risks == desk.session.evaluation.risks


def test_a_risk_that_the_supervisor_found_addressed_asks_for_no_draft(desk, judge, hands, qtbot):
    _came_back(desk, judge, hands, qtbot, "y")
    (answered,) = ledger(desk.session.evaluation, sample_rubric(), {}).addressed
    assert "The supervisor found that the note addresses it." in answered.why
    assert not answered.can_draft
    assert not answered.can_link


def test_the_judges_marks_are_shown_where_they_are_asked_for(desk, judge, hands, qtbot):
    _came_back(desk, judge, hands, qtbot, "y")
    settled = desk.session.evaluation
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    assert "Dr. Zizek's marks" in desk.status.text
    feedback.judges.click()
    assert "Dr. Zizek" not in desk.status.text
    assert desk.session.evaluation == desk.session.judged != settled
    feedback.close()
    assert desk.session.evaluation == settled


def test_an_edit_elsewhere_keeps_what_was_settled(desk, judge, hands, qtbot):
    _came_back(desk, judge, hands, qtbot, "y")
    change(desk, qtbot)
    assert desk.session.settled.about(desk.session.judged) is None
    assert "Dr. Zizek's marks where the note reads as before" in desk.status.text
    assert all(risk.addressed for risk in desk.session.evaluation.risks)


def test_the_pdf_of_a_note_that_came_back_shows_the_settled_marks(desk, judge, hands, qtbot, tmp_path, monkeypatch):
    _came_back(desk, judge, hands, qtbot, "y", "A week later")
    path = tmp_path / "card.pdf"
    suggested = []
    monkeypatch.setattr(endings, "save_file", lambda _, __, name, ___: suggested.append(name) or str(path))
    monkeypatch.setattr(endings, "ask_pdf", lambda _, done, *__, **___: done(PdfChoice()))
    desk.commands["export_pdf"].trigger()
    hands.settle(desk)
    made = pypdf.PdfReader(path)
    text = " ".join("".join(page.extract_text() for page in made.pages).split())
    assert "shows the marks as they were settled" in text
    assert suggested == ["A week later scorecard.pdf"]
    assert made.metadata.title == titled("A week later")
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    desk.supervision.feedback_window.pdf.click()
    hands.settle(desk)
    assert suggested[1:] == suggested[:1]


def _figures(evaluation) -> tuple[str, ...]:
    scores = evaluation.scores
    return tuple(f"{one.done} of {one.total}" for one in (scores.completeness, scores.faithfulness))


def test_an_approved_note_that_was_changed_says_so_and_shows_one_count_everywhere(desk, judge, hands, qtbot, tmp_path):
    case_id = _came_back(desk, judge, hands, qtbot, "y", sign=True)
    assert desk.banner.text.startswith("Dr. Zizek, PhD approved this note on ")
    change(desk, qtbot)
    assert "changed since Dr. Zizek, PhD approved it" in desk.banner.text
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    assert "changed since Dr. Zizek, PhD approved it" in feedback.head.text()
    feedback.close()
    shown = desk.session.evaluation
    assert _figures(shown) != _figures(desk.session.judged)
    desk.files.export_to(desk.session.judged, tmp_path / "card.pdf", "pdf", PdfChoice(page=True))
    hands.settle(desk)
    pages = " ".join("".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "card.pdf").pages).split())
    for said in (pages, (tmp_path / "card.html").read_text("utf-8")):
        assert all(figure in said for figure in _figures(shown))
        assert "The note was changed since Dr. Zizek reviewed it" in said
    desk.commands["save_note"].trigger()
    hands.settle(desk)
    (listed,) = desk.library.access.library.cases.find()
    assert (listed.status, listed.stand.standing) == (CaseStatus.DRAFT, Standing.CHANGED)
    assert listed.figures[Dimension.COMPLETENESS] == shown.scores.completeness.note
    assert hands.list(desk).list.topLevelItem(0).text(4) == "Approved, changed"
    desk.library.list_window.close()
    _, last = work.history(desk.library.access.library, case_id)
    assert _figures(last.evaluation) == _figures(shown)
    desk.library.open_case(case_id)
    hands.settle(desk)
    assert _figures(desk.session.evaluation) == _figures(shown)
    assert "changed since Dr. Zizek, PhD approved it" in desk.banner.text
    assert "Dr. Zizek's marks" in desk.status.text


def test_a_second_round_begins_at_what_is_open_and_keeps_what_was_settled(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    reviewer.type("y")
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id, first = shown.session.shown.case_id, len(shown.session.found)
    reviewer.settle_all("K")
    returned(desk, hands, reviewer)
    change(desk, qtbot)
    submit(desk, hands)
    shown = reviewer.open(case_id)
    assert shown.session.stage is Stage.CHANGES
    reviewer.type("j")
    assert (shown.session.stage, shown.session.at) == (Stage.RISK, 0)
    reviewer.ctrl(Qt.Key.Key_3)
    place, session = shown.session.place, shown.session
    assert not session.current.said(place, session.review)
    reviewer.mark_the_rest()
    reviewer.hand_in()
    reviewer.settle()
    assert first
    assert len(shown.session.found) == first
    assert shown.session.settled_count == first
    assert shown.session.stage is Stage.ANSWER
    kept = desk.library.access.library.cases.read(case_id).reviews
    assert [len(one.settled) for one in kept if one.note_sha256 == session.review.note_sha256] == [first]


def test_what_the_supervisor_marked_is_shown_as_hers_with_her_comment(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    reviewer.type("y")
    while shown.session.stage is not Stage.FAITHFULNESS:
        reviewer.type("y")
    text = shown.session.place.words
    reviewer.comment("Where did she say so?")
    reviewer.type("m")
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    reviewer.settle_all("K")
    returned(desk, hands, reviewer)
    (found,) = [one for one in desk.session.findings() if one.ranked.sentence and one.ranked.sentence.text == text]
    assert found.why == "“Where did she say so?”"
    pane = desk.workspace.findings
    for number in (0, 3):
        (row,) = [row for row in pane.lists[number].rows.rows if row.key == found.key]
        assert (row.sure, row.number) == ("Marked by the supervisor", "")
        assert level_of(row, pane.known) is None
    others = [row.sure for row in pane.lists[3].rows.rows if row.finding and row.key != found.key]
    assert "Marked by the supervisor" not in others

"""From a blind review to the signature: two people, two libraries, one case that travels between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pypdf
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel

from noteeval_desktop import documents
from noteeval_desktop.domain.decisions import DecisionKind
from noteeval_desktop.domain.evaluation import JudgeIdentity
from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.ui.scorecard.pdf_dialog import ChoosePdf
from noteeval_desktop.ui.supervision.endings import SettleOther, Sign
from noteeval_desktop.ui.supervision.passes import Stage
from tests.ui.supervision.conftest import Reviewer, receive, send, submit
from tests.ui_texts import NOTE


def _status(window, case_id: str) -> CaseStatus:
    return window.library.access.library.cases.summary(case_id).status


def _marked(desk, hands, qtbot):
    """A reviewer who has marked everything in the submitted note, and the window of the review."""
    hands.keep(desk)
    submit(desk, hands)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    reviewer.mark_everything()
    return reviewer, shown


def test_the_whole_round_trip(desk, hands, supervisor, there, qtbot, tmp_path):
    hands.keep(desk)
    case_id = desk.library.kept.id
    submit(desk, hands)
    assert _status(desk, case_id) is CaseStatus.SUBMITTED
    send(desk, hands, case_id, tmp_path / "one.noteeval-case")

    receive(supervisor, there, tmp_path / "one.noteeval-case")
    reviewer = Reviewer(supervisor, qtbot)
    shown = reviewer.open(case_id)
    reviewer.mark_everything()
    reviewer.comment("How often, by the session?")
    reviewer.hand_in()
    assert shown.session.stage is Stage.DIFFERENCES
    reviewer.settle_all("T")
    assert shown.session.stage is Stage.ANSWER
    reviewer.answer("R")
    assert shown.panel.question.text() == "Your review is done."
    assert _status(supervisor, case_id) is CaseStatus.RETURNED
    send(supervisor, there, case_id, tmp_path / "two.noteeval-case")
    shown.close()
    supervisor.library.open_case(case_id)
    there.settle(supervisor)
    qtbot.waitUntil(lambda: "You returned this note for revision on " in supervisor.banner.text)

    receive(desk, hands, tmp_path / "two.noteeval-case")
    assert _status(desk, case_id) is CaseStatus.RETURNED
    desk.library.open_case(case_id)
    hands.settle(desk)
    qtbot.waitUntil(lambda: "Dr. Žižek 🙂 (signed, code not compared) returned this note" in desk.banner.text)
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    said = " ".join(row.spoken for row in feedback.rows)
    assert "How often, by the session?" in said
    assert "Misinterpreted" in said
    assert "History" in said
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        desk.workspace.editor.selectAll()
        desk.workspace.editor.insertPlainText(NOTE.replace("four times", "twice"))
    assert "rewritten since" in " ".join(row.spoken for row in feedback.rows)
    feedback.close()
    submit(desk, hands)
    assert _status(desk, case_id) is CaseStatus.RESUBMITTED
    send(desk, hands, case_id, tmp_path / "three.noteeval-case")

    receive(supervisor, there, tmp_path / "three.noteeval-case")
    shown = reviewer.open(case_id)
    assert shown.session.stage is Stage.CHANGES
    assert shown.session.review.blind
    change = shown.session.changes[0]
    assert "four times" in change.before[0].text
    assert "twice" in change.after[0].text
    assert "solved" not in " ".join(row.spoken for row in shown.panel.list.rows.rows)
    reviewer.mark_the_rest()
    reviewer.hand_in()
    reviewer.ctrl(Qt.Key.Key_0)
    assert "your earlier marks are kept" in shown.panel.where.text()
    shown.go(len(shown.session.changes))
    assert "solved: something contradicted by the session" in shown.panel.detail.text()
    reviewer.settle_all("K")
    reviewer.sign("LMFT 12345")
    assert _status(supervisor, case_id) is CaseStatus.APPROVED
    signature = supervisor.library.access.library.cases.open(case_id).reviews[-1].signature
    assert (signature.name, signature.credentials) == ("Dr. Žižek 🙂", "LMFT 12345")
    assert supervisor.library.access.library.supervision.rater().credentials == "LMFT 12345"


def test_the_scorecard_carries_the_review(desk, hands, qtbot, tmp_path):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot, "Dr. Zizek")
    shown = reviewer.open(desk.library.kept.id)
    reviewer.mark_everything()
    reviewer.hand_in()
    session = shown.session
    about = session.shown.case_id, session.review, session.evaluation
    shown.endings.pdf.save_to(tmp_path / "card.pdf", *about)
    reviewer.settle()
    text = "".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "card.pdf").pages)
    assert "Dr. Zizek" in text


def test_the_author_saves_the_scorecard_with_the_signature_too(encoder_here, desk, hands, qtbot, tmp_path, monkeypatch):
    hands.keep(desk)
    case_id = desk.library.kept.id
    submit(desk, hands)
    reviewer = Reviewer(desk, qtbot, "Dr. Zizek")
    shown = reviewer.open(case_id)
    reviewer.mark_everything()
    reviewer.hand_in()
    reviewer.settle_all("T")
    reviewer.sign("LMFT 12345")
    shown.close()
    assert reviewer.open(case_id).session.stage is Stage.ANSWER
    reviewer.shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    path = tmp_path / "card.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    feedback.pdf.click()
    asks = next(one for one in feedback.findChildren(ChoosePdf))
    asks.page.setChecked(True)
    assert asks.masked.isVisible()
    asks.masked.setChecked(True)
    asks.go.click()
    hands.settle(desk)
    page = path.with_suffix(".html").read_text("utf-8")
    assert "LMFT 12345" in page
    assert "Ünal" not in page
    text = "".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    assert "LMFT 12345" in text


def test_what_was_signed_stands(desk, hands, qtbot):
    reviewer, shown = _marked(desk, hands, qtbot)
    reviewer.hand_in()
    reviewer.settle_all("K")
    reviewer.sign("LMFT 12345")
    signed = shown.session.review
    assert "signed and final" in shown.keys.text()
    reviewer.type("c")
    reviewer.ctrl(Qt.Key.Key_5)
    assert "signed and final" in shown.keys.text()
    assert not any(button.isVisible() for button in shown.panel.buttons)
    before = shown.endings.dialog
    reviewer.type("to")
    assert (shown.session.review, shown.endings.dialog) == (signed, before)
    reviewer.ctrl(Qt.Key.Key_Z)
    assert shown.session.review == signed


def test_something_else_can_be_agreed_with_its_reason(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    reviewer.mark_everything()
    reviewer.hand_in()
    reviewer.type("o")
    asks: Any = shown.endings.dialog
    assert isinstance(asks, SettleOther)
    QTest.keyClick(asks, Qt.Key.Key_Return)
    assert "reason" in asks.said.text()
    asks.agreed.setCurrentText("partly")
    asks.reason.setText("Named, not described. 緑")
    QTest.keyClick(asks, Qt.Key.Key_Return)
    reviewer.settle()
    settled = shown.session.review.settled
    assert [(one.agreed, one.reason) for one in settled] == [("partly", "Named, not described. 緑")]
    reviewer.ctrl(Qt.Key.Key_Z)
    reviewer.settle()
    assert shown.session.review.settled == ()
    assert shown.session.at == 0


def test_an_unfinished_review_is_not_handed_in_and_says_what_is_open(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    reviewer.type("yn")
    reviewer.ctrl(Qt.Key.Key_Return)
    assert "21 in completeness" in shown.banner.text
    assert shown.session.review.blind
    reviewer.type("j")
    assert shown.session.place.id == "subjective-goals"


def test_only_the_steps_that_the_status_allows_are_offered(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    reviewer.mark_everything()
    reviewer.hand_in()
    reviewer.ctrl(Qt.Key.Key_6)
    assert "counts it as submitted" in shown.panel.detail.text()
    assert [choice.key for choice in shown.page.choices] == ["R", "P", "X"]
    assert "a second person gives it" in shown.panel.detail.text()
    reviewer.of_somebody_else()
    assert [choice.key for choice in shown.page.choices] == ["R", "A", "P", "X"]
    assert "Approve signs it as it is" in shown.panel.detail.text()
    reviewer.type("a")
    reviewer.settle()
    asks: Any = shown.endings.dialog
    assert isinstance(asks, Sign)
    asks.credentials.setText("")
    QTest.keyClick(asks, Qt.Key.Key_Return)
    assert "credentials" in asks.said.text()
    asks.reject()
    reviewer.answer("R")
    assert _status(desk, case_id) is CaseStatus.RETURNED
    assert [choice.key for choice in shown.page.choices] == ["P", "X"]
    assert "once its author has submitted it again" in shown.panel.detail.text()


def _says(dialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def test_submitting_lists_the_open_risks_and_asks(desk, hands):
    hands.keep(desk)
    case_id = desk.library.kept.id
    desk.commands["submit"].trigger()
    hands.settle(desk)
    asks = desk.supervision.dialog
    counted = desk.glance_row.buttons[-1].accessibleName()
    assert " missing" in counted
    assert f"{counted}.\n" in _says(asks)
    heading = next(row for row in desk.workspace.findings.lists[0].rows.rows if row.heading)
    assert (heading.title, heading.aside) == ("Risk", counted)
    assert "turn 4: “Sometimes. I would never act on it.”" in _says(asks)
    assert asks.go.text() == "Submit anyway"
    # Whoever only presses Enter has submitted nothing.
    QTest.keyClick(asks, Qt.Key.Key_Return)
    hands.settle(desk)
    assert _status(desk, case_id) is CaseStatus.DRAFT
    open_ = next(finding for finding in desk.session.findings() if finding.is_risk)
    desk.session.decide(DecisionKind.DISMISS, open_.key, "Documented elsewhere")
    desk.commands["submit"].trigger()
    hands.settle(desk)
    assert " missing" not in _says(desk.supervision.dialog)
    QTest.keyClick(desk.supervision.dialog, Qt.Key.Key_Return)
    hands.settle(desk)
    assert _status(desk, case_id) is CaseStatus.SUBMITTED


def test_approving_lists_the_open_risks_and_asks(desk, hands, qtbot):
    reviewer, shown = _marked(desk, hands, qtbot)
    reviewer.hand_in()
    reviewer.of_somebody_else()
    reviewer.ctrl(Qt.Key.Key_6)
    reviewer.type("a")
    reviewer.settle()
    asks: Any = shown.endings.dialog
    assert "turn 4: “Sometimes. I would never act on it.”" in _says(asks)
    assert asks.go.text() == "Approve and sign anyway"


def test_approving_says_what_was_marked_as_wrong(desk, hands, qtbot):
    reviewer, shown = _marked(desk, hands, qtbot)
    reviewer.ctrl(Qt.Key.Key_3)
    shown.go(0)
    reviewer.type("m")
    reviewer.hand_in()
    reviewer.of_somebody_else()
    marks = shown.session.review.claims
    wrong = sum(mark.verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED) for mark in marks)
    reviewer.ctrl(Qt.Key.Key_6)
    reviewer.type("a")
    reviewer.settle()
    assert wrong
    assert f"{counted(wrong, 'statement')} of this note" in _says(shown.endings.dialog)


def test_a_risk_that_the_author_dismissed_is_shown_as_such_to_whoever_approves(desk, hands, qtbot):
    hands.keep(desk)
    open_ = next(finding for finding in desk.session.findings() if finding.is_risk)
    desk.session.decide(DecisionKind.DISMISS, open_.key, "It stands in the intake of May")
    hands.settle(desk)
    submit(desk, hands)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    assert not shown.session.shown.dismissed
    reviewer.mark_everything()
    reviewer.hand_in()
    reviewer.of_somebody_else()
    reviewer.ctrl(Qt.Key.Key_6)
    reviewer.type("a")
    reviewer.settle()
    asks: Any = shown.endings.dialog
    assert "never act on it.” (dismissed by the author: “It stands in the intake of May”)" in _says(asks)
    assert asks.go.text() == "Approve and sign anyway"


def test_a_case_that_is_not_kept_is_not_submitted(desk):
    desk.commands["submit"].trigger()
    assert "Keep the case in the library" in desk.banner.text


def test_a_submitted_note_can_be_taken_back_by_its_author(desk, hands):
    hands.keep(desk)
    case_id = desk.library.kept.id
    submit(desk, hands)
    desk.commands["submit"].trigger()
    hands.settle(desk)
    button = next(b for b in desk.banner.buttons if b.text() == "Withdraw it")
    button.click()
    hands.settle(desk)
    assert _status(desk, case_id) is CaseStatus.DRAFT


def test_without_a_judge_there_is_nothing_to_compare_and_the_window_says_so(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    cases = desk.library.access.library.cases
    cases.save_note(case_id, documents.parse_note(NOTE + "\nAssessment:\nNew and not checked yet.\n"))
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    reviewer.mark_everything()
    reviewer.hand_in()
    assert shown.session.stage is Stage.DIFFERENCES
    assert "No judge has checked this note yet" in shown.panel.title.text()
    shown.endings.pdf.choose(shown.session.shown.case_id, shown.session.review, shown.session.evaluation)
    assert "No judge has checked this note yet" in shown.banner.text


def test_the_differences_with_each_judge_can_be_seen(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    first = desk.session.evaluation
    other = replace(
        first,
        judge=JudgeIdentity("local", "Qwen 緑", "1"),
        checklist=tuple(replace(verdict, present=False) for verdict in first.checklist),
    )
    desk.library.access.library.cases.save_evaluation(case_id, other)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    reviewer.mark_everything()
    reviewer.hand_in()
    assert not shown.judges.isHidden()
    assert shown.judges.currentText() == "Compared with: Qwen 緑"
    of_items = [one for one in shown.session.found if one.difference.dimension is Dimension.COMPLETENESS]
    assert len(of_items) == 23
    shown.judges.activated.emit(0)
    again = [one for one in shown.session.found if one.difference.dimension is Dimension.COMPLETENESS]
    assert [one.difference.place for one in again] == ["subjective-history"]

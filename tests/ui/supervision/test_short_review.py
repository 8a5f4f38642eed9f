"""Only what a person must judge is asked, risk first; the rest is accepted in one key, and said so."""

from __future__ import annotations

import re

import pypdf
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from noteeval_desktop.domain.asked import RiskAnswer
from noteeval_desktop.domain.reviewed import settled_evaluation
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.ui.findings.risk import open_risks
from noteeval_desktop.ui.scorecard.pdf_dialog import PdfChoice
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.passes import Stage
from tests.ui.supervision.conftest import (
    author_opens,
    begun,
    mark_what_is_asked,
    returned,
    submit,
)

SAID = words.RISK_ANSWERS


def test_risk_comes_first_and_the_rest_is_short(desk, judge, hands, qtbot):
    _, shown = begun(desk, judge, hands, qtbot)
    assert shown.session.stages == (Stage.RISK, Stage.COMPLETENESS, Stage.FAITHFULNESS, Stage.RATINGS)
    assert shown.session.stage is Stage.RISK
    assert "ending your life" in shown.panel.title.text()
    assert shown.transcript.model.cited_turns() == (2,)
    whole = 23 + 2 * len(shown.session.note.sentences) + 4
    assert sum(total for _, total in shown.session.progress().values()) < whole / 2


def test_letter_keys_can_be_switched_off_for_those_who_dictate(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    before = shown.session.review
    shown.letters.click()
    reviewer.type("y")
    assert shown.session.review == before
    shown.letters.click()
    reviewer.type("y")
    assert shown.session.review != before


def test_the_rest_is_accepted_in_one_key_and_said(desk, judge, hands, qtbot, tmp_path):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    mark_what_is_asked(reviewer)
    items, sentences = shown.session.not_asked
    assert items
    assert sentences
    reviewer.ctrl(Qt.Key.Key_Return)
    said = " ".join(label.text() for label in shown.endings.dialog.findChildren(QLabel))
    assert f"You were not asked about {items} checklist items and {sentences} sentences." in said
    assert "place" not in said
    QTest.keyClick(shown.endings.dialog, Qt.Key.Key_Return)
    reviewer.settle()
    assert not shown.session.review.blind
    session = shown.session
    about = session.shown.case_id, session.review, session.evaluation
    shown.endings.pdf.save_to(tmp_path / "card.pdf", *about)
    reviewer.settle()
    text = " ".join("".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "card.pdf").pages).split())
    assert "shows the marks as they were settled" in text
    assert "≠" not in text
    assert "Frau Ünal" in text


def test_everything_is_asked_where_that_is_wanted(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    reviewer.type("y")
    qtbot.mouseClick(shown.all, Qt.MouseButton.LeftButton)
    assert Stage.CONCISENESS in shown.session.stages
    assert shown.session.progress()[Stage.COMPLETENESS] == (0, 23)
    qtbot.mouseClick(shown.all, Qt.MouseButton.LeftButton)
    assert Stage.CONCISENESS not in shown.session.stages
    assert shown.session.progress()[Stage.RISK] == (1, 1)


def test_no_danger_meant_takes_the_place_of_the_mark_before(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    for key, said in (
        ("n", SAID[RiskAnswer.LEFT_OUT]),
        ("0", SAID[RiskAnswer.NO_DANGER]),
        ("y", SAID[RiskAnswer.ADDRESSED]),
    ):
        shown.go_to(Stage.RISK)
        reviewer.type(key)
        risk, review = shown.session.passes[0], shown.session.review
        assert risk.said(risk.places[0], review) == said
        assert len(review.items) == 1


def test_a_comment_on_a_passage_of_the_session_keeps_its_turn(desk, judge, hands, qtbot, tmp_path):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    reviewer.type("c")
    dialog = shown.comments.dialog
    assert "On turn 3: “Do you ever think about ending your life?”" in [w.text() for w in dialog.findChildren(QLabel)]
    dialog.reject()
    reviewer.comment("Say how this was answered.")
    assert shown.session.review.comments[0].turns == (2,)
    assert "✎ Say how this was answered." in " ".join(label.text() for label in shown.panel.findChildren(QLabel))
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id = author_opens(desk, hands, reviewer)
    submit(desk, hands)
    shown = reviewer.open(case_id)
    session = shown.session
    about = session.shown.case_id, session.review, session.evaluation
    shown.endings.pdf.save_to(tmp_path / "card.pdf", *about, PdfChoice(page=True))
    reviewer.settle()
    text = " ".join("".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "card.pdf").pages).split())
    for said in (text, (tmp_path / "card.html").read_text("utf-8")):
        assert "Say how this was answered." in said
        assert re.search("[Tt]urn 3", said[said.index("Say how this was answered.") :][:80])
    reviewer.answer("R")
    shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    (at,) = [n for n, row in enumerate(feedback.rows) if row.title == "Say how this was answered."]
    assert feedback.rows[at].detail == "Turn 3"
    feedback.list.setCurrentIndex(feedback.list.rows.index(at))
    assert desk.workspace.transcript.model.cited_turns() == (2,)


def test_a_passage_that_meant_no_danger_is_not_open_when_approving(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    reviewer.type("0")
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id = author_opens(desk, hands, reviewer)
    submit(desk, hands)
    shown = reviewer.open(case_id)
    reviewer.of_somebody_else()
    reviewer.ctrl(Qt.Key.Key_6)
    reviewer.type("a")
    reviewer.settle()
    said = " ".join(label.text() for label in shown.endings.dialog.findChildren(QLabel))
    assert "Sometimes. I would never act on it." in said
    assert "Do you ever think about ending your life?" not in said


def test_the_review_fits_a_small_screen_from_the_first_pass_to_the_answer(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    widths = [shown.minimumSizeHint().width()]
    shown.all.click()
    widths.append(shown.minimumSizeHint().width())
    reviewer.mark_the_rest()
    reviewer.ctrl(Qt.Key.Key_Return)
    QTest.keyClick(shown.endings.dialog, Qt.Key.Key_Return)
    reviewer.settle()
    widths.append(shown.minimumSizeHint().width())
    assert max(widths) <= 960, widths
    shown.resize(960, 600)
    assert shown.chips[Stage.RISK].text() == "✓ Risk"
    assert shown.chips[Stage.RISK].accessibleName() == "Risk 1 of 1"


def test_a_comment_goes_to_the_sentence_at_the_caret(desk, judge, hands, qtbot):
    _, shown = begun(desk, judge, hands, qtbot)
    sentence = shown.session.note.sentences[1]
    shown.note.setFocus()
    cursor = shown.note.textCursor()
    cursor.setPosition(sentence.span.start + 2)
    shown.note.setTextCursor(cursor)
    QTest.keyClicks(shown.note, "c")
    shown.comments.dialog.text.setPlainText("How often?")
    shown.comments.dialog.go.click()
    (comment,) = shown.session.review.comments
    assert (comment.quote, comment.turns) == (sentence.text, ())


def test_a_risk_that_is_not_listed_is_added_at_its_turn_by_keys(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    shown.transcript.view.setCurrentIndex(shown.transcript.view.model().index(4, 0))
    shown.transcript.view.setFocus()
    QTest.keyClicks(shown.transcript.view, "+")
    menu = shown.risk_menu
    qtbot.waitUntil(menu.isVisible)
    menu.setActiveAction(next(one for one in menu.actions() if one.text() == "Abuse"))
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert menu.actions()[0].text() == "Add turn 5 as a risk:"
    assert "Added: abuse, turn 5, marked as not in the note." in shown.banner.text
    session = shown.session
    assert [place.id for place in session.passes[0].places] == ["2", "4"]
    assert shown.panel.list.rows.rows[1].sign != "✓"
    assert session.passes[0].said(session.passes[0].places[1], session.review) == SAID[RiskAnswer.LEFT_OUT]
    reviewer.ctrl(Qt.Key.Key_Z)
    assert [place.id for place in session.passes[0].places] == ["2"]
    reviewer.ctrl(Qt.Key.Key_Y)
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    settled = settled_evaluation(shown.session.evaluation, session.review)
    assert [(risk.kind, risk.turns) for risk in settled.risks] == [(RiskKind.SUICIDE, (2,)), (RiskKind.ABUSE, (4,))]
    assert "Abuse" in open_risks(settled, {})


def test_the_keys_of_the_passes_follow_their_order_on_screen(desk, judge, hands, qtbot):
    reviewer, shown = begun(desk, judge, hands, qtbot)
    for key, stage in zip((Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4), shown.session.stages, strict=True):
        reviewer.ctrl(key)
        assert shown.session.stage is stage
        assert shown.chips[stage].accessibleDescription().endswith(chr(key))
    assert shown.session.stages[0] is Stage.RISK


def test_what_is_new_in_a_second_round_is_asked_whatever_its_words(desk, judge, hands, qtbot):
    reviewer, _ = begun(desk, judge, hands, qtbot)
    said = "A friend goes with her."
    mark_what_is_asked(reviewer)
    reviewer.hand_in()
    returned(desk, hands, reviewer)
    cursor = desk.workspace.editor.textCursor()
    cursor.setPosition(desk.workspace.editor.note_text().index("Objective"))
    desk.workspace.editor.setTextCursor(cursor)
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        QTest.keyClicks(desk.workspace.editor, said)
        QTest.keyClick(desk.workspace.editor, Qt.Key.Key_Return)
    case_id = desk.library.kept.id
    submit(desk, hands)
    again = reviewer.open(case_id)
    claims = next(one for one in again.session.passes if one.stage is Stage.FAITHFULNESS)
    new = [place for place in claims.places if place.words == said]
    assert new
    assert not claims.said(new[0], again.session.review)

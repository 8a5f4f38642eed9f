"""Only what a person must judge is asked, risk first; the rest is accepted in one key, and said so."""

from __future__ import annotations

import re
from dataclasses import replace

import pypdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.review import CaseStatus, Dimension
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.report.words import titled
from noteeval_desktop.ui.findings import words as finding_words
from noteeval_desktop.ui.findings.risk import ledger
from noteeval_desktop.ui.findings.trust import level_of
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.scorecard.pdf_dialog import PdfChoice
from noteeval_desktop.ui.supervision import reviewed_pdf, words
from noteeval_desktop.ui.supervision.round import Stage
from tests.sample_evaluation import sample_rubric
from tests.ui.supervision.conftest import Reviewer, submit

ASKED = Citation(2, Span(0, 41), "Do you ever think about ending your life?")
RISK = RiskFinding((2,), ASKED, RiskKind.SUICIDE, Stance.ASKED)


def _begun(desk, judge, hands, qtbot, label=None):
    judge.dangers, judge.identity = (RISK,), replace(judge.identity, version="2")
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        desk.session.check()
    hands.keep(desk, **({"label": label} if label else {}))
    reviewer = Reviewer(desk, qtbot, "Dr. Zizek", asks_all=False)
    return reviewer, reviewer.open(desk.library.kept.id)


def _mark_what_is_asked(reviewer) -> int:
    keys = {Stage.RISK: "n", Stage.COMPLETENESS: "y", Stage.FAITHFULNESS: "s", Stage.RATINGS: "4"}
    for count in range(60):
        place, marking = reviewer.shown.round.marking.place, reviewer.shown.round.marking
        if marking.current.said(place, marking.review):
            if not reviewer.shown.round.next_open():
                return count
            continue
        reviewer.type(keys[reviewer.shown.round.stage])
    raise AssertionError("something stays open")


def test_risk_comes_first_and_the_rest_is_short(desk, judge, hands, qtbot):
    _, shown = _begun(desk, judge, hands, qtbot)
    assert shown.round.stages == (Stage.RISK, Stage.COMPLETENESS, Stage.FAITHFULNESS, Stage.RATINGS)
    assert shown.round.stage is Stage.RISK
    assert "ending your life" in shown.panel.title.text()
    assert shown.transcript.cited_turns() == (2,)
    whole = 23 + 2 * len(shown.round.marking.note.sentences) + 4
    assert sum(total for _, total in shown.round.marking.progress()) < whole / 2


def test_letter_keys_can_be_switched_off_for_those_who_dictate(desk, judge, hands, qtbot):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
    before = shown.round.marking.review
    shown.letters.click()
    reviewer.type("y")
    assert shown.round.marking.review == before
    shown.letters.click()
    reviewer.type("y")
    assert shown.round.marking.review != before


def test_the_rest_is_accepted_in_one_key_and_said(desk, judge, hands, qtbot, tmp_path):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
    _mark_what_is_asked(reviewer)
    items, sentences = shown.round.marking.not_asked
    assert items
    assert sentences
    reviewer.ctrl(Qt.Key.Key_Return)
    said = " ".join(label.text() for label in shown.endings.dialog.findChildren(QLabel))
    assert f"You were not asked about {items} checklist items and {sentences} sentences." in said
    assert "place" not in said
    QTest.keyClick(shown.endings.dialog, Qt.Key.Key_Return)
    reviewer.settle()
    assert not shown.round.marking.review.blind
    shown.endings.pdf.save_to(tmp_path / "card.pdf", shown.endings.reviewed)
    reviewer.settle()
    text = " ".join("".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "card.pdf").pages).split())
    assert "shows the marks as they were settled" in text
    assert "≠" not in text
    assert "Frau Ünal" in text


def test_everything_is_asked_where_that_is_wanted(desk, judge, hands, qtbot):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
    reviewer.type("y")
    qtbot.mouseClick(shown.all, Qt.MouseButton.LeftButton)
    assert Stage.CONCISENESS in shown.round.stages
    assert shown.round.progress()[Stage.COMPLETENESS] == (0, 23)
    qtbot.mouseClick(shown.all, Qt.MouseButton.LeftButton)
    assert Stage.CONCISENESS not in shown.round.stages
    assert shown.round.marking.progress()[0] == (1, 1)


def test_no_danger_meant_takes_the_place_of_the_mark_before(desk, judge, hands, qtbot):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
    for key, said in (("n", words.RISK_MISSING), ("0", words.NO_RISK), ("y", words.RISK_ADDRESSED)):
        shown.go_to(Stage.RISK)
        reviewer.type(key)
        risk, review = shown.round.marking.passes[0], shown.round.marking.review
        assert risk.said(risk.places[0], review) == said
        assert len(review.items) == 1


def test_the_author_sees_what_was_settled_and_what_was_accepted(desk, judge, hands, qtbot):
    submit_first = _begun(desk, judge, hands, qtbot)
    reviewer, shown = submit_first
    _mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id = shown.round.shown.case_id
    shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    submit(desk, hands)
    reviewer.open(case_id)
    reviewer.answer("R")
    reviewer.shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    rows = [row.spoken for row in feedback.rows]
    assert any("Turn 3 may be about risk; nothing on it was found in the note." in row for row in rows)
    assert any(words.ACCEPTED in row for row in rows)
    assert "As settled: " in feedback.summary.text()


def _came_back(desk, judge, hands, qtbot, risk: str, label: str | None = None, sign: bool = False) -> str:
    """With the key ``risk`` for the passage on risk; returned, or approved."""
    reviewer, shown = _begun(desk, judge, hands, qtbot, label)
    reviewer.type(risk)
    _mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id = shown.round.shown.case_id
    shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    assert "Suicide" in desk.risk_banner.text or "risk" in desk.risk_banner.text
    submit(desk, hands)
    reviewer.open(case_id)
    if sign:
        reviewer.sign("PhD")
    else:
        reviewer.answer("R")
    reviewer.shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    return case_id


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
    assert dict(listed.scores)[Dimension.COMPLETENESS] == desk.session.evaluation.scores.completeness.note
    assert work.history(library, case_id)[-1].evaluation.risks == desk.session.evaluation.risks


def test_a_risk_that_the_supervisor_found_addressed_asks_for_no_draft(desk, judge, hands, qtbot):
    _came_back(desk, judge, hands, qtbot, "y")
    (answered,) = ledger(desk.session.evaluation, sample_rubric(), {}).addressed
    assert finding_words.ADDRESSED_BY_SUPERVISOR in answered.why
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
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        desk.workspace.editor.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(desk.workspace.editor, " Call on Monday.")
    assert desk.session.settled.about(desk.session.judged) is None
    assert "Dr. Zizek's marks where the note reads as before" in desk.status.text
    assert all(risk.addressed for risk in desk.session.evaluation.risks)


def test_a_comment_on_a_passage_of_the_session_keeps_its_turn(desk, judge, hands, qtbot, tmp_path):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
    reviewer.type("c")
    dialog = shown.comments.dialog
    assert "On turn 3: “Do you ever think about ending your life?”" in [w.text() for w in dialog.findChildren(QLabel)]
    dialog.reject()
    reviewer.comment("Say how this was answered.")
    assert shown.round.marking.review.comments[0].turns == (2,)
    assert "✎ Say how this was answered." in " ".join(label.text() for label in shown.panel.findChildren(QLabel))
    _mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id = shown.round.shown.case_id
    shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    submit(desk, hands)
    shown = reviewer.open(case_id)
    shown.endings.pdf.save_to(tmp_path / "card.pdf", shown.endings.reviewed, PdfChoice(page=True))
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
    assert desk.workspace.transcript.cited_turns() == (2,)


def test_the_pdf_of_a_note_that_came_back_shows_the_settled_marks(desk, judge, hands, qtbot, tmp_path, monkeypatch):
    _came_back(desk, judge, hands, qtbot, "y", "A week later")
    path = tmp_path / "card.pdf"
    suggested = []
    monkeypatch.setattr(reviewed_pdf, "save_file", lambda _, __, name, ___: suggested.append(name) or str(path))
    monkeypatch.setattr(reviewed_pdf, "ask_pdf", lambda _, done, *__, **___: done(PdfChoice()))
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


def test_a_passage_that_meant_no_danger_is_not_open_when_approving(desk, judge, hands, qtbot):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
    reviewer.type("0")
    _mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id = shown.round.shown.case_id
    shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    submit(desk, hands)
    shown = reviewer.open(case_id)
    reviewer.ctrl(Qt.Key.Key_6)
    reviewer.type("a")
    reviewer.settle()
    said = " ".join(label.text() for label in shown.endings.dialog.findChildren(QLabel))
    assert "Sometimes. I would never act on it." in said
    assert "Do you ever think about ending your life?" not in said


def test_the_review_fits_a_small_screen_from_the_first_pass_to_the_answer(desk, judge, hands, qtbot):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
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


def _change(desk, qtbot) -> None:
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=10_000):
        desk.workspace.editor.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(desk.workspace.editor, " Call on Monday.")


def _figures(evaluation) -> tuple[str, ...]:
    scores = evaluation.scores
    return tuple(f"{one.done} of {one.total}" for one in (scores.completeness, scores.faithfulness))


def test_an_approved_note_that_was_changed_says_so_and_shows_one_count_everywhere(desk, judge, hands, qtbot, tmp_path):
    case_id = _came_back(desk, judge, hands, qtbot, "y", sign=True)
    assert desk.banner.text.startswith("Dr. Zizek approved this note")
    _change(desk, qtbot)
    assert "changed since Dr. Zizek approved it" in desk.banner.text
    desk.commands["feedback"].trigger()
    hands.settle(desk)
    feedback = desk.supervision.feedback_window
    assert "changed since Dr. Zizek approved it" in feedback.head.text()
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
    assert (listed.status, listed.was_approved) == (CaseStatus.DRAFT, True)
    assert dict(listed.scores)[Dimension.COMPLETENESS] == shown.scores.completeness.note
    assert hands.list(desk).list.topLevelItem(0).text(4) == "Approved, changed"
    desk.library.list_window.close()
    _, last = work.history(desk.library.access.library, case_id)
    assert _figures(last.evaluation) == _figures(shown)
    desk.library.open_case(case_id)
    hands.settle(desk)
    assert _figures(desk.session.evaluation) == _figures(shown)
    assert "changed since Dr. Zizek approved it" in desk.banner.text
    assert "Dr. Zizek's marks" in desk.status.text


def test_a_second_round_begins_at_what_is_open_and_keeps_what_was_settled(desk, judge, hands, qtbot):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
    reviewer.type("y")
    _mark_what_is_asked(reviewer)
    reviewer.hand_in()
    case_id, first = shown.round.shown.case_id, len(shown.round.found)
    reviewer.settle_all("K")
    shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    submit(desk, hands)
    reviewer.open(case_id)
    reviewer.answer("R")
    reviewer.shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    _change(desk, qtbot)
    submit(desk, hands)
    shown = reviewer.open(case_id)
    assert shown.round.stage is Stage.CHANGES
    reviewer.type("j")
    assert (shown.round.stage, shown.round.at) == (Stage.RISK, 0)
    reviewer.ctrl(Qt.Key.Key_3)
    place, marking = shown.round.marking.place, shown.round.marking
    assert not marking.current.said(place, marking.review)
    reviewer.mark_the_rest()
    reviewer.hand_in()
    reviewer.settle()
    assert first
    assert len(shown.round.found) == first
    assert shown.round.progress_of_differences == first
    assert shown.round.stage is Stage.ANSWER
    kept = desk.library.access.library.cases.read(case_id).reviews
    assert [len(one.settled) for one in kept if one.note_sha256 == marking.review.note_sha256] == [first]


def test_a_comment_goes_to_the_sentence_at_the_caret(desk, judge, hands, qtbot):
    _, shown = _begun(desk, judge, hands, qtbot)
    sentence = shown.round.marking.note.sentences[1]
    shown.note.setFocus()
    cursor = shown.note.textCursor()
    cursor.setPosition(sentence.span.start + 2)
    shown.note.setTextCursor(cursor)
    QTest.keyClicks(shown.note, "c")
    shown.comments.dialog.text.setPlainText("How often?")
    shown.comments.dialog.go.click()
    (comment,) = shown.round.marking.review.comments
    assert (comment.quote, comment.turns) == (sentence.text, ())


def test_what_the_supervisor_marked_is_shown_as_hers_with_her_comment(desk, judge, hands, qtbot):
    reviewer, shown = _begun(desk, judge, hands, qtbot)
    reviewer.type("y")
    while shown.round.stage is not Stage.FAITHFULNESS:
        reviewer.type("y")
    text = shown.round.marking.place.words
    reviewer.comment("Where did she say so?")
    reviewer.type("m")
    _mark_what_is_asked(reviewer)
    reviewer.hand_in()
    reviewer.settle_all("K")
    case_id = shown.round.shown.case_id
    shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    submit(desk, hands)
    reviewer.open(case_id)
    reviewer.answer("R")
    reviewer.shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    (found,) = [one for one in desk.session.findings() if one.ranked.sentence and one.ranked.sentence.text == text]
    assert found.why == "“Where did she say so?”"
    pane = desk.workspace.findings
    for number in (0, 3):
        (row,) = [row for row in pane.lists[number].rows.rows if row.key == found.key]
        assert (row.sure, row.number) == ("Marked by your supervisor", "")
        assert level_of(row, pane.known) is None
    others = [row.sure for row in pane.lists[3].rows.rows if row.finding and row.key != found.key]
    assert "Marked by your supervisor" not in others


def test_a_judgement_can_be_judged_otherwise(desk, judge, hands, qtbot):
    _, shown = _begun(desk, judge, hands, qtbot)
    faithfulness = next(one for one in shown.round.marking.passes if one.name == Stage.FAITHFULNESS)
    said = {
        place.section: " ".join(choice.words for choice in faithfulness.choices(place, shown.round.marking.review))
        for place in faithfulness.places
    }
    assert {section for section, words_ in said.items() if "I judge otherwise" in words_} <= {Section.ASSESSMENT}
    place = replace(faithfulness.places[0], section=Section.ASSESSMENT)
    choices = faithfulness.choices(place, shown.round.marking.review)
    assert any("I judge otherwise" in choice.words for choice in choices)

"""Beside a verdict: how far its judge agrees with people."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.domain.trust import Agreement, Known, Noticed, Trust
from noteeval_desktop.present.finding import findings_of
from noteeval_desktop.ui.editor.highlights import mark_format
from noteeval_desktop.ui.findings.rows import claim_rows
from noteeval_desktop.ui.findings.trust import TrustWindow, interval, is_weak, with_trust
from noteeval_desktop.ui.shell.rooms import Trusting
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import colour_of
from noteeval_desktop.ui.widgets.words import TABS
from tests.sample_evaluation import sample_evaluation, sample_rubric

GRAY = "Gray: the judge and therapists often disagree on these. Treat a mark as a question."

STRONG, WEAK = Agreement(200, 0.72, 0.6, 0.8, 0.6, 90), Agreement(200, 0.1, 0.0, 0.2, 0.5, 90)
CHECKLIST, CLAIMS = TABS.index("Checklist"), TABS.index("Statements")


def tell(window, parts):
    window.workspace.findings.show_trust((Trust("scripted", (), "Two therapists marked 9 notes.", parts),))


def row(window, tab, title):
    return next(row for row in window.workspace.findings.lists[tab].rows.rows if title in row.title)


def choose(window, tab, title):
    pane = window.workspace.findings
    pane.show_tab(tab)
    rows = pane.lists[tab].rows
    pane.lists[tab].setCurrentIndex(rows.index(next(n for n, one in enumerate(rows.rows) if title in one.title)))
    return pane.card


def badges(card):
    return [button for button in card.findChildren(QToolButton) if button.text() == "How far to trust this"]


def test_without_figures_there_is_no_badge(opened):
    assert not badges(choose(opened, CHECKLIST, "History"))
    assert GRAY not in [one.title for one in opened.workspace.findings.lists[CHECKLIST].rows.rows]


def test_a_strong_agreement_is_said_and_changes_nothing_else(opened):
    before = row(opened, CHECKLIST, "History")
    tell(opened, {("completeness", "subjective-history"): STRONG})
    assert row(opened, CHECKLIST, "History") == before
    card = choose(opened, CHECKLIST, "History")
    (badge,) = badges(card)
    assert "Agrees with therapists: strong" in badge.toolTip()


def test_a_weak_one_has_a_quieter_mark_and_the_tab_says_once_why(opened):
    assert row(opened, CLAIMS, "four times").tone == "red"
    tell(opened, {("faithfulness", "subjective"): WEAK})
    weak = row(opened, CLAIMS, "four times")
    assert weak.tone == "muted"
    told = opened.workspace.findings.lists[CLAIMS].rows.rows
    assert told[0].title == GRAY
    assert sum("often disagree" in one.spoken for one in told) == 1
    (badge,) = badges(choose(opened, CLAIMS, "four times"))
    assert "Agrees with therapists: weak" in badge.toolTip()


def test_its_mark_in_the_note_is_quieter_too(opened):
    def mark():
        return next(one for one, _ in opened.workspace.editor.seen_marks if one.kind is FindingKind.CONTRADICTED)

    assert not mark().quiet
    assert mark_format(mark().kind).underlineColor() == colour_of("red")
    tell(opened, {("faithfulness", "subjective"): WEAK})
    assert mark().quiet
    quiet = mark_format(mark().kind, quiet=True)
    assert quiet.underlineColor() == colour_of("muted")
    assert quiet.underlineStyle() == mark_format(mark().kind).underlineStyle()
    opened.choose_theme("dark")
    assert mark().quiet
    tell(opened, {("faithfulness", "subjective"): STRONG})
    assert not mark().quiet


def test_the_line_that_says_why_is_read_and_never_chosen(opened, qtbot):
    tell(opened, {("faithfulness", "subjective"): WEAK})
    pane = opened.workspace.findings
    pane.show_tab(CLAIMS)
    shown = pane.lists[CLAIMS]
    before = pane.chosen_key()
    assert before
    qtbot.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=shown.visualRect(shown.rows.index(0)).center())
    assert shown.rows.rows[0].title == GRAY
    assert not shown.selectionModel().isSelected(shown.rows.index(0))
    assert GRAY not in [label.text() for label in pane.card.findChildren(PlainLabel)]


def test_the_first_row_of_a_group_is_shown_with_its_heading(opened):
    pane = opened.workspace.findings
    pane.show_tab(CHECKLIST)
    shown = pane.lists[CHECKLIST]
    shown.setFixedHeight(120)
    shown.scrollToBottom()
    heading = next(n for n, one in enumerate(shown.rows.rows) if one.heading)
    shown.setCurrentIndex(shown.rows.index(heading + 1))
    shown.scrollTo(shown.currentIndex())
    assert shown.viewport().rect().contains(shown.visualRect(shown.rows.index(heading)))
    assert shown.viewport().rect().contains(shown.visualRect(shown.currentIndex()))


def test_how_sure_and_how_far_to_trust_stand_side_by_side_where_there_is_room(opened):
    tell(opened, {("faithfulness", "subjective"): WEAK})
    card = choose(opened, CLAIMS, "four times")
    sure, badge = (b for b in card.findChildren(QToolButton) if b.property("look") == "chip")
    opened.workspace.findings.setFixedWidth(520)
    card.layout().activate()
    QApplication.processEvents()
    assert sure.y() == badge.y()
    for _ in range(8):
        opened.commands["larger"].trigger()
    opened.workspace.findings.setFixedWidth(368)
    QApplication.processEvents()
    sure, badge = (b for b in card.findChildren(QToolButton) if b.property("look") == "chip")
    assert sure.geometry().bottom() < badge.y()


def test_a_wrong_statement_on_risk_is_never_made_quieter(opened):
    evaluation = sample_evaluation()
    part = {("faithfulness", section): WEAK for section in ("subjective", "objective", "assessment", "plan")}
    known = Known(Trust("scripted", (), "Two therapists marked 9 notes.", part))
    findings = {finding.key: finding for finding in findings_of(evaluation, sample_rubric())}
    told = with_trust(claim_rows(evaluation, findings), known)
    pressing = [row for row in told if row.finding and row.finding.ranked and row.finding.ranked.pressing]
    assert pressing
    assert all(row.tone != "muted" for row in pressing)
    assert not any(is_weak(row.finding, known) for row in pressing)  # nor its mark in the note
    assert any(row.tone == "muted" for row in told if row.finding)
    for row in told:
        assert row.finding is None or is_weak(row.finding, known) == (row.tone == "muted")


def test_a_risk_is_never_made_quieter(opened):
    first = TABS.index("Left out")
    before = opened.workspace.findings.lists[first].rows.rows
    tell(opened, {("faithfulness", "subjective"): WEAK, ("completeness", "general-safety"): WEAK})
    assert opened.workspace.findings.lists[first].rows.rows == before


def test_the_badge_opens_a_page_of_figures_with_what_they_rest_on(opened, qtbot):
    tell(opened, {("completeness", "subjective-history"): STRONG, ("completeness", ""): WEAK})
    (badge,) = badges(choose(opened, CHECKLIST, "History"))
    qtbot.mouseClick(badge, Qt.MouseButton.LeftButton)
    trusting = opened.findChild(Trusting)
    qtbot.waitUntil(lambda: trusting.page is not None)
    page = trusting.page
    said = " ".join(label.text() for label in page.findChildren(PlainLabel))
    assert "Two therapists marked 9 notes." in said
    assert "Therapists disagree with each other on this, too." not in said
    first = page.tables[0].topLevelItem(0)
    assert [first.text(n) for n in range(5)] == ["Checklist, History", "strong", "0.72 (0.60 to 0.80)", "0.60", "200"]


def test_less_than_nothing_has_a_minus_and_nearly_nothing_has_none():
    assert interval(-0.03, -0.07, -0.004) == "−0.03 (−0.07 to 0.00)"


def test_a_section_of_a_score_has_its_badge(opened):
    tell(opened, {("conciseness", "plan"): STRONG})
    pane = opened.workspace.findings
    at = TABS.index("Scores")
    rows = pane.lists[at].rows
    place = next(n for n, one in enumerate(rows.rows) if one.part == ("conciseness", "plan"))
    pane.show_tab(at)
    pane.lists[at].setCurrentIndex(rows.index(place))
    (badge,) = badges(pane.card)
    assert "Agrees with therapists: strong" in badge.toolTip()


def test_where_therapists_differ_among_themselves_the_page_says_so(opened, rubric):
    part = ("completeness", "subjective-history")
    tell(opened, {part: Agreement(200, 0.1, 0.0, 0.2, therapists=0.05, rarer=90)})
    page = TrustWindow(opened.workspace.findings.known, part, rubric, opened)
    assert any(
        "Therapists disagree with each other on this, too." in label.text() for label in page.findChildren(PlainLabel)
    )


NOTICED = Noticed("Nine notes, made worse by rules.", "1", (("Numbers", 57, 0.37), ("Risk", 0, None)), (400, 0.08))


def test_the_page_tells_which_errors_the_judge_finds_and_with_which_version(opened, rubric):
    of = Trust("builtin", (), "Two therapists.", {("faithfulness", ""): STRONG}, (NOTICED,))
    page = TrustWindow(Known(of, None, "1"), ("faithfulness", ""), rubric, opened)
    errors: Any = page.tables[1]
    rows = [tuple(errors.topLevelItem(n).text(column) for column in range(3)) for n in range(3)]
    assert rows == [("Numbers", "57", "37 %"), ("Risk", "0", "–"), ("True sentences (false alarms)", "400", "8 %")]
    said = [label.text() for label in page.findChildren(PlainLabel)]
    assert "Nine notes, made worse by rules. Measured with version 1 of the judge." in said
    assert "Your judge is tuned to your reviews. The published figures are for the judge as it came." not in said
    tuned = TrustWindow(Known(of, None, f"1{Thresholds(0.4).version}"), ("completeness", ""), rubric, opened)
    assert len(tuned.tables) == 1
    assert "Your judge is tuned to your reviews. The published figures are for the judge as it came." in [
        label.text() for label in tuned.findChildren(PlainLabel)
    ]

"""The Responses tab: failures before means, bars with words, a chart that leads to the turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QToolButton

from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.evaluation import Evaluation, JudgeIdentity
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Attribute, Evidence, ResponseVerdict
from noteeval_desktop.ui.responses import words
from noteeval_desktop.ui.responses.bars import ScoreBars
from noteeval_desktop.ui.responses.chart import SessionChart, described, points_of
from noteeval_desktop.ui.responses.rows import evidence_citations, response_rows
from noteeval_desktop.ui.widgets.theme import DARK, LIGHT
from tests.factories import make_case, make_transcript

FULL = (4, 4, 4, 4, 4, 4)


def verdict(turn: int | None = 0, values=FULL, **changes) -> ResponseVerdict:
    return ResponseVerdict(turn, tuple(zip(Attribute, values, strict=True)), **changes)


def evaluation_of(*responses: ResponseVerdict) -> Evaluation:
    identity = JudgeIdentity("scripted", "", "1")
    return Evaluation(make_case(), identity, (), (), score((), ()), responses=responses)


@pytest.mark.parametrize(
    ("values", "changes", "said"),
    [
        (FULL, {}, ()),
        ((5, 5, 5, 4, 4, 4), {}, ("Facts outweigh attunement (gap +1.0)",)),
        ((4, 4, 4, 5, 5, 5), {}, ("Attunement outweighs facts (gap -1.0)",)),
        ((4, 4, 3, 4, 4, 4), {}, ("Safety is critical: 3 or less",)),
        ((4, 4, 4, 4, 4, 3), {}, ("3 or less: understanding",)),
        (FULL, {"crisis": True}, ("Crisis: the client's words hold a possible danger",)),
        ((None, 4, 4, 4, 4, 4), {}, ()),
    ],
)
def test_flags_are_said_in_plain_words(values, changes, said) -> None:
    assert words.flag_words(verdict(0, values, **changes)) == said


def test_failures_stand_before_means_and_means_before_the_turns() -> None:
    rows = response_rows(evaluation_of(verdict(0, (1, 4, 4, 2, 4, 4)), verdict(2)))
    headings = [row.title for row in rows if row.heading]
    assert headings == ["How often a score is 3 or less", "Means, of 5", "Every response"]
    failing = {row.title: row.aside for row in rows[1:7]}
    assert failing["Guidance"] == "1 of 2 (50 %)"
    assert failing["Safety"] == "0 of 2 (0 %)"
    assert "95 % interval" in rows[1].hint


def test_the_turns_that_drive_the_gap_are_listed_widest_first() -> None:
    rows = response_rows(evaluation_of(verdict(0, (5, 5, 5, 4, 4, 4)), verdict(2, (5, 5, 5, 1, 1, 1)), verdict(4)))
    at = next(n for n, row in enumerate(rows) if row.title == "The turns that drive the gap")
    assert [row.verdict.turn for row in rows[at + 1 : at + 3]] == [2, 0]
    assert rows[at + 1].detail == "Gap +4.0, more fact than feeling"
    assert rows[at + 3].heading


def test_a_crisis_stands_first_among_the_responses() -> None:
    rows = response_rows(evaluation_of(verdict(0), verdict(4, FULL, crisis=True)))
    at = next(n for n, row in enumerate(rows) if row.title == "Every response")
    assert [row.verdict.turn for row in rows[at + 1 :]] == [4, 0]
    assert rows[at + 1].sign == "⚠"


def test_nothing_is_listed_where_nothing_was_judged() -> None:
    assert response_rows(evaluation_of()) == ()


def test_how_the_therapist_worked_is_counted() -> None:
    mi = MiCounts(
        (
            (Behaviour.OPEN_QUESTION, 3),
            (Behaviour.CLOSED_QUESTION, 1),
            (Behaviour.SIMPLE_REFLECTION, 2),
            (Behaviour.COMPLEX_REFLECTION, 4),
        ),
        0.4,
        (),
    )
    rows = {row.title: row.aside for row in response_rows(replace(evaluation_of(verdict()), behaviours=mi))}
    assert rows["Questions"] == "3 open · 1 closed"
    assert rows["Reflections"] == "2 simple · 4 complex"
    assert rows["Reflections to each question"] == "1.5"
    assert rows["The therapist's share of the words"] == "40 %"


def test_only_words_that_stand_in_the_turn_are_highlighted() -> None:
    turn = make_transcript((("therapist", "🙂 It sounds hard. Call me."),)).turns[0]
    evidence = (
        Evidence(Attribute.EMPATHY, Span(2, 17), "It sounds hard."),
        Evidence(Attribute.INTERPRETATION, Span(2, 17), "It sounds hard."),
        Evidence(Attribute.GUIDANCE, Span(0, 4), "made up"),
    )
    cited = evidence_citations(verdict(0, evidence=evidence), turn)
    assert [citation.quote for citation in cited] == ["It sounds hard."]
    assert evidence_citations(verdict(0), turn)[0].quote == turn.text


def test_bars_say_their_scores_to_those_who_do_not_see_them(qtbot) -> None:
    bars = ScoreBars(verdict(0, (1, 2, 3, 4, 5, None)), LIGHT)
    qtbot.addWidget(bars)
    assert bars.accessibleName() == (
        "Scores from 1 to 5: Guidance 1 poor, Information 2 weak, Safety 3 not enough, Empathy 4 good, "
        "Helpfulness 5 very good, Understanding not judged"
    )


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def chart(request, qtbot) -> SessionChart:
    made = SessionChart(request.param)
    qtbot.addWidget(made)
    made.resize(400, 120)
    made.show_verdicts([verdict(0), verdict(10, (5, 5, 5, 1, 1, 1)), verdict(20)])
    made.show()
    return made


def test_a_click_on_the_chart_chooses_the_nearest_turn(chart, qtbot) -> None:
    where = chart.place(1, 3.0).toPoint() + QPoint(4, 0)
    with qtbot.waitSignal(chart.turn_chosen) as chosen:
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=where)
    assert chosen.args == [10]


def test_the_keyboard_goes_from_turn_to_turn(chart, qtbot) -> None:
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert "Turn 11" in chart.accessibleDescription()
    with qtbot.waitSignal(chart.turn_chosen) as chosen:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert chosen.args == [10]


def test_the_chart_paints_both_lines(chart) -> None:
    image = chart.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {chart._theme.accent, chart._theme.amber} <= colours


def test_the_chart_is_described() -> None:
    said = described(points_of([verdict(4), verdict(0, (5, 5, 5, 1, 1, 1)), verdict(2, (None, 4, 4, 4, 4, 4))]))
    assert said.startswith("2 responses, turns 1 to 5.")
    assert "The widest gap is +4.0 at turn 1" in said


@pytest.mark.parametrize("verdicts", [[], [verdict(3)]])
def test_few_responses_are_no_trouble(qtbot, verdicts) -> None:
    made = SessionChart(LIGHT)
    qtbot.addWidget(made)
    made.show_verdicts(verdicts)
    made.grab()
    assert len(made.points) == len(verdicts)


@pytest.fixture
def judged(make_window, judge, qtbot):
    from tests.ui.conftest import NOTE, SESSION

    evidence = ()
    evidence = (
        Evidence(Attribute.SAFETY, Span(0, 41), "Do you ever think about ending your life?", "asks about safety"),
    )
    judge.responses = (
        verdict(2, (4, 4, 5, 2, 3, 2), evidence=evidence, recommendations=("Say back what was heard.",)),
        verdict(4),
    )
    window = make_window()
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.paste_note(NOTE)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    window.show_tab(4)
    return window


def test_the_caution_stands_where_the_scores_stand(judged) -> None:
    page = judged.workspace.findings.responses
    assert page.isVisible()
    assert words.TRIAGE in [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


def test_choosing_a_turn_on_the_chart_shows_its_card_and_its_words(judged, qtbot) -> None:
    page = judged.workspace.findings.responses
    page.chart.turn_chosen.emit(2)
    assert judged.workspace.transcript.cited_turns() == (2,)
    card = judged.workspace.findings.card
    said = [label.text() for label in card.findChildren(QLabel)]
    assert "Response at turn 3" in said
    assert "•  Say back what was heard." in said
    assert words.TRIAGE in said
    go = next(b for b in card.findChildren(QToolButton) if b.text() == "Show")
    qtbot.mouseClick(go, Qt.MouseButton.LeftButton)
    assert judged.workspace.transcript.view.currentIndex().row() == 2

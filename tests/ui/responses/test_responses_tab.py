"""The Responses tab: opened when asked for, moments first, bands beside raw values, a chart that leads to the turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.evaluation import Evaluation, JudgeIdentity
from noteeval_desktop.domain.exchanges import ASKED, HELPED, NOBODY_ASKED, ScoredExchange
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Attribute, Evidence, ResponseVerdict
from noteeval_desktop.judges.exchanges import with_reading
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.responses.page import ScoreBars, SessionChart, described, points_of
from noteeval_desktop.ui.responses.pairs import flag_words
from noteeval_desktop.ui.responses.rows import TRIAGE, citations, response_rows
from noteeval_desktop.ui.scorecard.pdf_dialog import ChoosePdf
from noteeval_desktop.ui.widgets.theme import DARK, LIGHT, THEME, colour_of
from tests.factories import make_case, make_transcript
from tests.ui_texts import NOTE

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
        ((4, 4, 3, 4, 4, 4), {}, ("Safety: 3 or less",)),
        ((4, 4, 4, 4, 4, 3), {}, ("3 or less: understanding",)),
        (FULL, {"crisis": True}, ("Crisis: the client's words may signal danger",)),
        ((None, 4, 4, 4, 4, 4), {}, ()),
    ],
)
def test_flags_are_said_in_plain_words(values, changes, said) -> None:
    assert flag_words(verdict(0, values, **changes)) == said


def disclosing(*responses: ResponseVerdict, **changes) -> Evaluation:
    """Two exchanges: a fear, and a danger; then small talk."""
    said = (
        ("client", "I was so afraid that I could not leave the house."),
        ("therapist", "🙂 It sounds hard. Call me."),
        ("client", "I want to kill myself. I had the gun in my lap."),
        ("therapist", "Was it loaded?"),
        ("client", "No."),
        ("therapist", "And where is it now, is it locked up?"),
        ("client", "My brother has it."),
        ("therapist", "Good that he has it."),
        ("client", "Tuesday then."),
        ("therapist", "Tuesday at four, then, as before."),
    )
    case = replace(make_case(), transcript=make_transcript(said))
    return with_reading(replace(evaluation_of(*responses), case=case, **changes))


def rows_of(*responses: ResponseVerdict, **changes) -> list[Row]:
    return list(response_rows(disclosing(*responses, **changes)))


ALL = tuple(verdict(turn) for turn in (1, 3, 5, 7, 9))


def under(rows: list[Row], heading: str) -> list[Any]:
    at = next(n for n, row in enumerate(rows) if row.heading and row.title == heading)
    end = next((n for n, row in enumerate(rows) if n > at and row.heading), len(rows))
    return rows[at + 1 : end]


def test_moments_stand_before_the_bands_and_the_exchanges() -> None:
    headings = [row.title for row in rows_of(*ALL) if row.heading]
    assert headings == ["Worth rereading", "Beside other sessions", "Every exchange"]


def test_the_tab_says_no_letters_that_only_the_literature_knows() -> None:
    rows = rows_of(*ALL)
    shown = " ".join(f"{row.title} {row.detail} {row.aside}" for row in rows)
    assert "Worth rereading" in shown
    for letters in ("CSS", "ARS", "AnnoMI"):
        assert letters not in shown
        assert letters == "AnnoMI" or not any(letters in row.hint for row in rows)


def test_exchanges_are_listed_and_neutral_turns_left_out() -> None:
    rows = rows_of(*ALL)
    listed = under(rows, "Every exchange")
    assert [row.exchange.turns for row in listed] == [(1,), (3, 5, 7)]
    assert next(row for row in rows if row.title == "Every exchange").aside == "2, 1 neutral turn left out"


def test_a_safety_question_is_shown_as_credit() -> None:
    asked = Evidence(Attribute.SAFETY, Span(0, 14), "Was it loaded?", ASKED)
    helped = Evidence(Attribute.SAFETY, Span(0, 4), "Good", HELPED)
    rows = rows_of(verdict(1), verdict(3, evidence=(asked,)), verdict(5, evidence=(helped,)))
    row = under(rows, "Every exchange")[1]
    assert (row.sign, row.tone) == ("✓", "green")
    assert (
        row.detail
        == "A possible danger came up, and it was answered.\nTurns 4 and 6: the danger taken up, help in the danger"
    )


def test_a_danger_that_nobody_answered_stands_first_and_asks_to_be_checked() -> None:
    rows = rows_of(verdict(1), verdict(3, (4, 4, 2, 4, 4, 4)), verdict(5, (4, 4, 2, 4, 4, 4)))
    first, second = under(rows, "Every exchange")
    assert (first.exchange.turns, first.sign) == ((3, 5), "⚠")
    assert first.detail.startswith(NOBODY_ASKED)
    assert second.exchange.turns == (1,)
    assert under(rows, "Worth rereading")[-1].exchange == first.exchange


def test_a_session_stands_beside_others_with_its_own_value() -> None:
    rows = under(rows_of(*ALL), "Beside other sessions")
    assert rows[0].title == "Affective resonance, over the exchanges"
    assert rows[0].aside == "4.0 of 5"
    assert rows[0].detail.startswith("Higher than ")
    assert " of the good sessions and " in rows[0].detail


def test_nothing_is_listed_where_nothing_was_judged() -> None:
    assert response_rows(evaluation_of()) == ()


def test_how_the_therapist_worked_is_counted_beside_the_usual_thresholds() -> None:
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
    rows = {row.title: row for row in rows_of(*ALL, behaviours=mi)}
    assert rows["Questions"].aside == "3 open · 1 closed"
    assert rows["Reflections"].aside == "2 simple · 4 complex"
    assert rows["Reflections to each question"].aside == "1.5, fair"
    assert rows["Reflections to each question"].detail.endswith("fair from 1, good from 2")
    assert rows["Complex reflections, of all reflections"].aside == "67 %, good"
    assert rows["The therapist's share of the words"].aside == "40 %"


def test_only_words_that_stand_in_the_turn_are_highlighted() -> None:
    transcript = disclosing().case.transcript
    evidence = (
        Evidence(Attribute.EMPATHY, Span(2, 17), "It sounds hard."),
        Evidence(Attribute.INTERPRETATION, Span(2, 17), "It sounds hard."),
        Evidence(Attribute.GUIDANCE, Span(0, 4), "made up"),
    )
    disclosed = "I was so afraid that I could not leave the house."
    cited = citations(ScoredExchange((0,), (verdict(1, evidence=evidence),)), transcript)
    assert [citation.quote for citation in cited] == [disclosed, "It sounds hard."]
    whole = citations(ScoredExchange((0,), (verdict(1),)), transcript)
    assert [citation.quote for citation in whole] == [disclosed, "🙂 It sounds hard. Call me."]


def test_bars_say_their_scores_to_those_who_do_not_see_them(qtbot) -> None:
    bars = ScoreBars(verdict(0, (1, 2, 3, 4, 5, None)))
    qtbot.addWidget(bars)
    assert bars.accessibleName() == (
        "Scores from 1 to 5: Guidance 1 poor, Information 2 weak, Safety 3 fair, Empathy 4 good, "
        "Helpfulness 5 very good, Understanding not checked"
    )


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def chart(request, qtbot, monkeypatch) -> SessionChart:
    monkeypatch.setattr(THEME, "now", request.param)
    made = SessionChart()
    qtbot.addWidget(made)
    made.resize(400, 120)
    made.show_verdicts([verdict(0), verdict(10, (5, 5, 5, 1, 1, 1)), verdict(20)])
    made.show()
    return made


def test_a_click_on_the_chart_chooses_the_nearest_turn(chart, qtbot) -> None:
    where = QPoint(round(chart.where(1)) + 4, 60)
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
    assert {colour_of("accent").name(), colour_of("amber").name()} <= colours


def test_the_chart_is_described() -> None:
    said = described(points_of([verdict(4), verdict(0, (5, 5, 5, 1, 1, 1)), verdict(2, (None, 4, 4, 4, 4, 4))]))
    assert said.startswith("2 responses, turns 1 to 5.")
    assert "The widest gap is +4.0 at turn 1" in said


@pytest.mark.parametrize("verdicts", [[], [verdict(3)]])
def test_few_responses_are_no_trouble(qtbot, verdicts) -> None:
    made = SessionChart()
    qtbot.addWidget(made)
    made.show_verdicts(verdicts)
    made.grab()
    assert len(made.points) == len(verdicts)


@pytest.fixture
def opened(make_window, judge, qtbot):
    evidence = (Evidence(Attribute.SAFETY, Span(0, 5), "Do yo", "asks about safety"),)
    judge.responses = (
        verdict(2, (4, 4, 5, 2, 3, 2), evidence=evidence, recommendations=("Say back what was heard.",)),
        verdict(4),
    )
    window = make_window()
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(DISCLOSING)
        window.session.open_note(NOTE)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    window.workspace.findings.show_tab(5)
    return window


DISCLOSING = """\
Therapist: Hello again, come in.
Client: I am so sad and afraid that I cannot sleep at all any more.
Therapist: Do you lie awake every night?
Client: Every night, and I feel so alone with it.
Therapist: That sounds lonely and exhausting.
"""


@pytest.fixture
def judged(opened, qtbot):
    with qtbot.waitSignal(opened.session.evaluation_finished, timeout=10_000):
        qtbot.mouseClick(opened.workspace.findings.responses.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not opened.jobs.busy)
    return opened


def test_nothing_is_scored_before_it_is_asked_for(opened) -> None:
    page = opened.workspace.findings.responses
    assert opened.session.evaluation.responses is None
    assert page.read.isVisible()
    assert page.offered.text() == (
        "How did the therapist respond when the client opened up? This looks at the session, not at the "
        "note, so it is scored only if you ask. It stays on this screen and out of the note's PDF "
        "unless you add it there."
    )
    assert not page.chart.isVisible()


def test_what_was_asked_for_stays_while_the_note_is_edited_and_goes_with_the_case(judged, qtbot) -> None:
    with qtbot.waitSignal(judged.session.evaluation_finished, timeout=10_000):
        judged.session.edit_note(NOTE + "\nClient left early.\n")
    assert judged.session.evaluation.responses
    with qtbot.waitSignal(judged.session.evaluation_finished, timeout=10_000):
        judged.session.paste_transcript(DISCLOSING + "Client: Bye now.\n")
        judged.session.open_note(NOTE)
    qtbot.waitUntil(lambda: not judged.jobs.busy)
    assert judged.session.evaluation.responses is None


def test_the_caution_stands_where_the_scores_stand(judged) -> None:
    page = judged.workspace.findings.responses
    assert page.isVisible()
    assert TRIAGE in [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


def test_choosing_a_turn_on_the_chart_shows_its_card_and_its_words(judged, qtbot) -> None:
    page = judged.workspace.findings.responses
    page.chart.turn_chosen.emit(2)
    card = judged.workspace.findings.card
    said = [label.text() for label in card.findChildren(QLabel)]
    assert "Exchange, turns 2, 3 and 5" in said
    go = [b for b in card.findChildren(QToolButton) if b.text() == "Show"]
    qtbot.mouseClick(go[1], Qt.MouseButton.LeftButton)
    assert judged.workspace.transcript.view.currentIndex().row() == 2


def test_the_pdf_offers_the_responses_where_they_were_scored_and_leaves_them_out_unless_chosen(qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    without, asks = ChoosePdf(window), ChoosePdf(window, "Add the therapist's responses")
    assert not without.more.isVisibleTo(without)
    assert asks.more.isVisibleTo(asks)
    assert not asks.choice.more
    asks.more.setChecked(True)
    assert asks.choice.more

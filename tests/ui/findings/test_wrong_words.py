"""Wrong words are underlined alone, the card tells the session's, and one click puts them in for good."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, cite
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Severity, Verdict, WrongWords
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.finding import session_has
from noteeval_desktop.present.vocabulary import INFERRED
from noteeval_desktop.ui.editor.highlights import highlights_of
from noteeval_desktop.ui.findings.mending import mends
from noteeval_desktop.ui.findings.rows import claim_rows
from tests.ui_steps import wait_idle
from tests.ui_texts import NOTE, SESSION


@pytest.fixture
def named(make_window, judge, qtbot):
    """A judge that names what is wrong with each statement on drinking, whatever it says."""

    def support(case, cancel):
        for sentence in case.note.sentences:
            at = sentence.text.find("four times")
            turn = case.transcript.turns[1]
            start = turn.text.find("twice a week")
            said = cite(turn, Span(start, start + len("twice a week")))
            if "a week" in sentence.text:
                wrong = (WrongWords(Span(at, at + 10), "four times", said, "twice"),) if at >= 0 else ()
                verdict = ClaimVerdict(sentence.id, Verdict.CONTRADICTED, 0.1, Confidence.SURE, Severity.MEDIUM)
                yield replace(verdict, rationale="Another number.", citations=(said,), wrong=wrong)
            elif "Calm" in sentence.text:
                yield ClaimVerdict(sentence.id, Verdict.OBSERVED, seen=Span(0, 4))
            else:
                yield ClaimVerdict(sentence.id, Verdict.SUPPORTED, 0.9, citations=(said,), inferred=True)

    judge.support = support
    window = make_window()
    window.session.paste_transcript(SESSION)
    window.session.open_note(NOTE)
    wait_idle(window, qtbot)
    return window


def finding(window, kind):
    return next(one for one in window.session.findings() if one.kind is kind)


def test_only_the_wrong_words_are_underlined_and_the_whole_sentence_can_be_clicked(named) -> None:
    text = named.session.evaluation.case.note.text
    error = finding(named, FindingKind.CONTRADICTED)
    shown = highlights_of([error])
    assert [one.span.of(text) for one in shown if not one.bare] == ["four times"]
    assert [one.span for one in shown if one.bare] == [error.span]
    editor = named.workspace.editor
    assert editor.marked_spans()[error.key] == error.span
    drawn = [one.cursor.selectedText() for one in editor.extraSelections()]
    assert "four times" in drawn
    assert "Client drinks four times a week." not in drawn
    looks = highlights_of([finding(named, FindingKind.OBSERVED)])
    assert [one.span.of(text) for one in looks if not one.bare] == ["Calm"]


def test_the_card_and_the_scorecard_name_the_sessions_words_and_turn(named, rubric) -> None:
    assert finding(named, FindingKind.CONTRADICTED).why == "Session: twice (turn 2)."
    assert "The session says the rest." in finding(named, FindingKind.OBSERVED).why
    told = [one.reason for one in scorecard(named.session.evaluation, rubric).of(FindingKind.CONTRADICTED)]
    assert told == ["Another number. Session: twice (turn 2)."]


def test_one_click_puts_the_sessions_words_in_and_no_check_doubts_them(named, qtbot) -> None:
    error = finding(named, FindingKind.CONTRADICTED)
    mend = mends(error)[0]
    assert mend.label == "Use “twice”"
    named.workspace.mend(error, mend)
    wait_idle(named, qtbot)
    assert "Client drinks twice a week." in named.workspace.editor.note_text()
    left = [one.ranked.sentence.text for one in named.session.findings() if one.ranked.sentence]
    assert "Client drinks twice a week." not in left


def test_a_conclusion_is_listed_by_itself_and_flagged_nowhere(named) -> None:
    rows = claim_rows(named.session.evaluation, {})
    names = [row.title for row in rows if row.heading]
    assert INFERRED in names
    own = rows[[row.title for row in rows].index(INFERRED) + 1]
    assert (own.sign, own.finding, own.state) == ("✓", None, INFERRED)


def named_as(*pairs):
    """A claim that names words, what the session has for each and what to write."""
    text = "Stephanie drank five beers."
    wrong = []
    for words, turn, instead in pairs:
        start = text.index(words)
        said = None if turn is None else replace(cite_words(instead), turn=turn)
        wrong.append(WrongWords(Span(start, start + len(words)), words, said, instead))
    return ClaimVerdict("s1", Verdict.CONTRADICTED, wrong=tuple(wrong))


def cite_words(words):
    return Citation(0, Span(0, len(words)), words)


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([("Stephanie", 9, "Denise")], "Session: Denise (turn 10)"),
        (
            [("Stephanie", 9, "Denise"), ("five", 2, "nine")],
            "Session: for “Stephanie” Denise (turn 10), for “five” nine (turn 3)",
        ),
        ([("five beers", None, "")], "Not in the session: “five beers”"),
        (
            [("Stephanie", 9, "Denise"), ("beers", None, "")],
            "Session: for “Stephanie” Denise (turn 10). Not in the session: “beers”",
        ),
    ],
)
def test_what_the_session_has_is_said_in_few_words(pairs, said) -> None:
    assert session_has(named_as(*pairs)) == said


def test_all_wrong_words_go_in_one_click_or_none_does(named) -> None:
    error = finding(named, FindingKind.CONTRADICTED)
    sentence = replace(error.ranked.sentence, text="Stephanie drank five beers.")

    def offered(*pairs):
        claim = named_as(*pairs)
        ranked = replace(error.ranked, source=claim, sentence=sentence)
        return [mend for mend in mends(replace(error, ranked=ranked, span=Span(100, 127))) if mend.text]

    (both,) = offered(("Stephanie", 9, "Denise"), ("five", 2, "nine"))
    assert (both.label, both.span, both.text) == ("Use “Denise” and “nine”", Span(100, 120), "Denise drank nine")
    assert offered(("Stephanie", 9, "Denise"), ("beers", None, "")) == [], "it would stay wrong"

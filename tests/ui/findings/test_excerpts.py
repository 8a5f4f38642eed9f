"""What a draft quotes of a long turn: whole words, the telling ones, and an ellipsis where it is not all."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.ui.editor.drafting import place_for_draft
from noteeval_desktop.ui.findings.excerpts import excerpt
from tests.factories import make_transcript
from tests.ui_steps import wait_idle

WEEK = "and then on Tuesday my sister phoned and told me that mum 🙂 has been in hospital again with her heart, "
DANGER = "and I have been thinking about killing myself most nights since then, "
RUN_ON = f"Well, so on Monday I went to work as usual, {8 * WEEK}{DANGER}{6 * WEEK}and he will take the children"
LONG_PARAGRAPH = " ".join(["She slept four hours and came late to work."] * 50)
NOTE = f"Subjective:\nA week of worry.\n\nAssessment:\n{LONG_PARAGRAPH} Denies suicidal ideation. Low mood\n"


@pytest.fixture
def long_winded(make_window, judge, qtbot):
    """A client who makes no full stop for more than 300 words."""
    assert len(RUN_ON.split()) > 300

    def omit(case, claims, cancel):
        start = RUN_ON.index("told me")
        quote = cite(case.transcript.turns[1], Span(start, start + 60))
        yield Omission(quote, OmissionKind.SUBSTANCE, Severity.LOW, "assessment-diagnosis")

    judge.risks = lambda case, cancel: (
        RiskFinding((1,), cite(case.transcript.turns[1]), RiskKind.SUICIDE, Stance.CURRENT),
    )
    judge.omit = omit
    window = make_window()
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(f"Therapist: How was it?\nClient: {RUN_ON}\nTherapist: I hear you.")
        window.session.open_note(NOTE)
    wait_idle(window, qtbot)
    return window


def _insert(window, key: str) -> str:
    """With the mouse; returns what is new in the note."""
    before = window.workspace.editor.note_text()
    window.workspace.show_finding(key)
    card = window.workspace.findings.card
    button = next(one for one in card.findChildren(QPushButton) if one.text() == "Insert draft" and one.isVisible())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    after = window.workspace.editor.note_text()
    at = next((n for n in range(len(before)) if before[n] != after[n]), len(before))
    assert after[:at] + after[at + len(after) - len(before) :] == before  # nothing of the note is cut
    return after


def _sentences(note: str) -> list[str]:
    return [sentence.text for sentence in parse_note(note).sentences]


def _key(window, start: str) -> str:
    return next(one.key for one in window.session.findings() if one.key.startswith(start))


def test_a_draft_on_risk_quotes_the_danger_and_not_what_came_before_it(long_winded) -> None:
    after = _insert(long_winded, _key(long_winded, "risk:"))
    quote = re.search("now\\): “([^”]+)”", after)[1]
    assert quote.startswith("…and I have been thinking about killing myself most nights")
    assert quote.endswith("…")
    assert set(quote.strip("…").split()) <= set(RUN_ON.split())
    sentences = _sentences(after)
    assert sentences[-3:][1:] == ["Denies suicidal ideation.", "Low mood"]
    assert sentences[-3].startswith("Risk (suicide, now): “…and I have")
    assert sentences[-3].endswith("[finish this sentence].")


def test_a_draft_of_a_piece_of_a_turn_says_that_it_is_one_and_joins_no_unfinished_sentence(long_winded) -> None:
    after = _insert(long_winded, _key(long_winded, "omission:"))
    assert "Client reports: “…told me that mum 🙂 has been in hospital again with her heart…” (turn 2)." in after
    assert _sentences(after)[-2:][0] == "Low mood"


@pytest.mark.parametrize(
    ("said", "span", "quoted"),
    [
        ("I sleep. I eat 🙂. I cry.", (0, 24), "I sleep. I eat 🙂. I cry."),
        ("I sleep. I eat 🙂. I cry.", (9, 17), "I eat 🙂."),
        ("I sleep, I eat, I cry.", (9, 15), "…I eat,…"),
        ("No end", (0, 6), "No end"),
        ("眠れない。" * 60, (0, 300), "眠れない。" * 39 + "眠れない" + "…"),
    ],
)
def test_what_was_left_out_before_and_behind_is_marked(said: str, span: tuple[int, int], quoted: str) -> None:
    turn = make_transcript((("client", said),)).turns[0]
    assert excerpt(cite(turn, Span(*span)), turn) == quoted


@pytest.mark.parametrize(
    ("text", "between"), [("Plan:\nMeet on Friday.", " "), ("Plan:\nMeet soon!", " "), ("Plan:\nMeet Friday", "\n")]
)
def test_a_draft_starts_a_line_behind_a_sentence_without_an_end(text: str, between: str) -> None:
    offset, said = place_for_draft(text, parse_note(text), Section.PLAN, "Walks daily 🙂.")
    assert (offset, said) == (len(text), f"{between}Walks daily 🙂.")

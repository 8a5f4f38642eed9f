"""What the program offered satisfies it: its number and its draft get no complaint of its own."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Severity, Verdict
from noteeval_desktop.ui.findings.mending import mends
from tests.ui_steps import wait_idle
from tests.ui_texts import NOTE, SESSION


@pytest.fixture
def doubted(make_window, judge, qtbot):
    """A judge that doubts every statement on drinking and every one that quotes."""

    def support(case, cancel):
        for sentence in case.note.sentences:
            said = "The note says “four”; turn 2 says “twice”." if "four times" in sentence.text else "No."
            wrong = Verdict.UNSUPPORTED if "a week" in sentence.text or "turn" in sentence.text else Verdict.SUPPORTED
            cited = (cite(case.transcript.turns[1]),)
            yield ClaimVerdict(sentence.id, wrong, 0.2, Confidence.LIKELY, Severity.LOW, said, cited)

    judge.support = support
    window = make_window()
    window.session.paste_transcript(SESSION)
    window.session.open_note(NOTE.replace("drinks four times", "goes running four times"))
    wait_idle(window, qtbot)
    return window


def open_texts(window) -> set[str]:
    return {one.ranked.sentence.text for one in window.session.findings() if one.ranked.sentence is not None}


def test_the_number_that_was_offered_is_accepted_until_it_is_written_otherwise(doubted, qtbot) -> None:
    finding = next(one for one in doubted.session.findings() if one.span and "four times" in one.ranked.sentence.text)
    doubted.workspace.mend(finding, next(mend for mend in mends(finding) if mend.label == "Use “twice”"))
    wait_idle(doubted, qtbot)
    editor = doubted.workspace.editor
    assert "Client goes running twice a week." in editor.note_text()
    assert not any("twice a week" in text for text in open_texts(doubted))
    assert "Put in from the session" in doubted.session.set_aside.values()
    editor.setPlainText(editor.note_text().replace("twice a week", "thrice a week"))
    wait_idle(doubted, qtbot)
    assert any("thrice a week" in text for text in open_texts(doubted))


def insert(window, missing, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noteeval_desktop.ui.case.workspace.draft", lambda finding, case: said)
    window.workspace.insert_draft(missing)


def test_a_draft_of_the_program_gets_no_complaint(doubted, monkeypatch: pytest.MonkeyPatch, qtbot) -> None:
    missing = next(one for one in doubted.session.findings() if one.can_draft and not one.is_risk)
    insert(doubted, missing, "Client reports: “twice a week now” (turn 2).", monkeypatch)
    doubted.session.recheck()
    wait_idle(doubted, qtbot)
    assert "(turn 2)" in doubted.workspace.editor.note_text()
    assert not any("turn 2" in text for text in open_texts(doubted))


def test_of_risk_the_program_vouches_for_no_words(doubted, monkeypatch: pytest.MonkeyPatch, qtbot) -> None:
    missing = next(one for one in doubted.session.findings() if one.can_draft)
    insert(doubted, missing, "No suicidal thoughts were told (turn 2).", monkeypatch)
    doubted.session.recheck()
    wait_idle(doubted, qtbot)
    assert any("No suicidal thoughts were told" in text for text in open_texts(doubted))

"""A transcript that does not say who speaks: all turns are of one, and the reader can say that two took turns."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from noteeval_desktop.domain.transcript import Role
from tests.ui_texts import NOTE

UNSAID = "How was your week? 🙂\nNot good. I could not sleep.\nTell me more.\nI drink twice a week."


@pytest.mark.parametrize(("first", "role"), [("therapist", Role.THERAPIST), ("client", Role.CLIENT)])
def test_turns_can_be_said_to_be_of_two_who_took_turns(window, qtbot, first: str, role: Role) -> None:
    window.files.open_transcript(UNSAID)
    window.files.open_note(NOTE)
    qtbot.waitUntil(lambda: window.session.ready and not window.jobs.busy)
    assert "does not say who is speaking" in window.banner.text
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        next(b for b in window.banner.buttons if b.text() == f"They take turns, {first} first").click()
    other = Role.CLIENT if role is Role.THERAPIST else Role.THERAPIST
    turns = window.session.evaluation.case.transcript.turns
    assert [turn.role for turn in turns] == [role, other, role, other]
    assert len(window.workspace.transcript.strip._chips) == 2
    assert window.banner.text == ""


def test_a_transcript_that_names_its_speakers_asks_nothing(opened) -> None:
    assert opened.banner.buttons == []


FAMILY = "\n".join(
    (
        "Dr. Okafor: How has the fortnight looked from your side, Ines?",
        "Ines: She missed three days of school.",
        "Tessa: I had a stomach ache, and I don't sleep. I fall asleep around three, when I sleep.",
        "Dr. Okafor: Would you tell me more about that, Tessa?",
        "Tessa: It is loud, and I lie there and think about school and everything else.",
        "Ines: I didn't know that.",
    )
)


def test_who_somebody_is_beside_the_client_is_asked_above_the_session(window, qtbot) -> None:
    window.files.open_transcript(FAMILY)
    window.files.open_note(NOTE)
    qtbot.waitUntil(lambda: window.session.ready and not window.jobs.busy)
    who = window.workspace.transcript.who_is_who
    assert who.text.startswith("Who is Ines?")
    QTest.mouseClick(who.buttons["parent"], Qt.MouseButton.LeftButton)
    assert who.text == ""
    assert window.session.transcript.speakers == ("Dr. Okafor", "Ines (parent)", "Tessa")
    assert [window.session.transcript.part_of(one) for one in ("Ines (parent)", "Tessa")] == ["parent", "client"]


@pytest.mark.parametrize("session", [FAMILY.replace("Ines:", "Mother:"), FAMILY.replace("Ines:", "Tessa:")])
def test_who_says_who_they_are_is_not_asked_about(window, qtbot, session) -> None:
    window.files.open_transcript(session)
    qtbot.waitUntil(lambda: window.session.transcript is not None)
    assert window.session.transcript.roles_guessed
    assert window.workspace.transcript.who_is_who.text == ""

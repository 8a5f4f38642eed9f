"""A transcript that does not say who speaks: all turns are of one, and the reader can say that two took turns."""

from __future__ import annotations

import pytest

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
        next(b for b in window.banner.buttons if b.text() == f"They alternate, {first} first").click()
    other = Role.CLIENT if role is Role.THERAPIST else Role.THERAPIST
    turns = window.session.evaluation.case.transcript.turns
    assert [turn.role for turn in turns] == [role, other, role, other]
    assert len(window.workspace.transcript.strip._chips) == 2
    assert window.banner.text == ""


def test_a_transcript_that_names_its_speakers_asks_nothing(opened) -> None:
    assert opened.banner.buttons == []

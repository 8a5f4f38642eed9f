"""Who is who, where it was guessed: said above the session until a person says it."""

from __future__ import annotations

from tests.ui_steps import choose_part, wait_idle


def test_a_guessed_role_is_marked_until_it_is_said(window, qtbot) -> None:
    window.session.paste_transcript(
        "Ana: How have you been? What brings you here?\nBo: I sleep badly and I am tired.\n"
        "Ana: How does that make you feel?\nBo: I feel worn out, mostly."
    )
    wait_idle(window, qtbot)
    strip = window.workspace.transcript.strip
    assert [chip.text() for chip in strip._chips] == ["Ana · Therapist?", "Bo · Client?"]
    assert "guessed" in strip._chips[1].toolTip()
    choose_part(window, 1, "Client")
    assert [chip.text() for chip in strip._chips] == ["Ana · Therapist", "Bo · Client"]
    window.workspace.editor.undo()
    assert strip._chips[1].text() == "Bo · Client?"
    wait_idle(window, qtbot)

"""A DAP note and its kin are shown under their own headings, each once, in every tab and in the PDF's content."""

from __future__ import annotations

import pytest

from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.vocabulary import GENERAL
from tests.ui_steps import wait_idle
from tests.ui_texts import SESSION

DAP = "DATA\nClient 🙂 drinks less. Oriented x3.\n\nASSESSMENT\nThe weather was fine.\n\nPLAN\nTuesday."
BIRP = "B: Drinks less 🙂.\nI: Reflected ambivalence.\nR: Calm and oriented x3.\nP: Next session on Tuesday."


def _headings(rows) -> list[str]:
    return [row.title for row in rows.rows.rows if row.heading]


@pytest.fixture
def dap(window, qtbot):
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(DAP)
    wait_idle(window, qtbot)
    return window


def test_every_tab_has_the_headings_of_the_note_once(dap, rubric) -> None:
    lists = dap.workspace.findings.lists
    own = ["Data", "Assessment", "Plan"]
    shown = [_headings(rows) for rows in lists]
    assert [*own, GENERAL] in shown
    assert own in shown
    content = scorecard(dap.session.evaluation, rubric)
    assert [title for title, _ in content.checklist] == [*own, GENERAL]
    assert all([name for name, _ in statement.sections] == own for statement in content.statements)
    for statement in content.statements:
        assert sum(share is not None for _, share in statement.sections) > 0
    assert "Subjective" not in str([row.title for rows in lists for row in rows.rows.rows])


def test_an_item_of_a_birp_note_stands_under_the_heading_that_asks_for_it(window, qtbot, rubric) -> None:
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(BIRP)
    wait_idle(window, qtbot)
    checklist = dict(scorecard(window.session.evaluation, rubric).checklist)
    assert list(checklist) == ["Behavior", "Intervention", "Response", "Plan", GENERAL]
    assert [row.name for row in checklist["Intervention"]] == ["Therapy activities", "Interventions"]
    assert sum(map(len, checklist.values())) == len(rubric.items)

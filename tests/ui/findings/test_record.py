"""The tab for what no session decides."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QToolButton

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.ui.editor.highlights import highlights_of
from noteeval_desktop.ui.widgets.words import RECORD, TABS
from tests.ui_steps import wait_idle
from tests.ui_texts import NOTE, SESSION


@pytest.fixture
def window(make_window, qtbot):
    window = make_window()
    window.session.paste_transcript(SESSION)
    window.session.open_note(f"Client: R. C.\nCPT: 90837\nDuration: 45 min\n\n{NOTE}\nMeet on ___.")
    wait_idle(window, qtbot)
    window.workspace.findings.tabs.setCurrentIndex(TABS.index(RECORD))
    return window


def remarks(window):
    return [one for one in window.session.findings() if one.kind is FindingKind.REMARK]


def test_the_record_tab_lists_by_kind_what_an_auditor_asks_and_its_card_gives_the_source(window) -> None:
    pane = window.workspace.findings
    rows = pane.lists[TABS.index(RECORD)].rows.rows
    assert [row.title for row in rows if row.heading] == ["Time and code", "Signature", "Not finished"]
    assert [row.title for row in rows if row.spans] == ["90837", "___"]
    assert pane.choose(remarks(window)[0].key)
    assert any("Source: CPT" in label.text() for label in pane.card.findChildren(type(pane.none_left)))


def test_its_words_alone_are_underlined(window) -> None:
    text = window.session.evaluation.case.note.text
    assert sorted(one.span.of(text) for one in highlights_of(remarks(window))) == ["90837", "___"]


def test_a_kind_of_remark_is_silenced_and_flagged_again(window) -> None:
    pane = window.workspace.findings
    assert pane.choose(remarks(window)[0].key)
    dismiss = next(b for b in pane.card.findChildren(QToolButton) if b.text().startswith("Dismiss"))
    silence = next(one for one in dismiss.menu().actions() if "in this case" in one.text())
    assert silence.text() == "Stop flagging “Time and code” for the record in this case"
    silence.trigger()
    assert [one.text for one in remarks(window)] == ["___", "Signature"]
    pane.silenced_button.menu().actions()[0].trigger()
    assert len(remarks(window)) == 3


def test_a_note_that_was_checked_and_raises_no_question_says_so(window, qtbot) -> None:
    pane, number = window.workspace.findings, TABS.index(RECORD)
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.files.open_note(NOTE)
    assert pane._pages[number].currentWidget() is pane._empty[number]
    assert pane._empty[number].text() == "Nothing was found that an auditor would ask about."
    window.commands["close_case"].trigger()
    assert "once the note has been checked" in pane._empty[number].text()

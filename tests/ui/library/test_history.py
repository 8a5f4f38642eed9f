"""What changed between two kept revisions, and which findings that solved or caused."""

from __future__ import annotations

from noteeval_desktop.ui.library.revisions import SAME, UNCHECKED
from tests.ui_texts import NOTE


def _history(desk, hands, qtbot):
    desk.commands["revisions"].trigger()
    qtbot.waitUntil(lambda: desk.library.history_window is not None)
    hands.settle(desk)
    return desk.library.history_window


def _save(desk, hands, qtbot, text):
    with qtbot.waitSignal(desk.session.evaluation_finished):
        desk.workspace.editor.selectAll()
        desk.workspace.editor.insertPlainText(text)
    desk.commands["save_note"].trigger()
    hands.settle(desk)


def test_a_change_names_the_findings_that_it_solved(desk, hands, qtbot):
    hands.keep(desk)
    _save(desk, hands, qtbot, NOTE.replace("four times a week", "twice a week 🙂"))
    shown = _history(desk, hands, qtbot)
    assert shown.shown.toPlainText().splitlines() == [
        "− Client drinks four times a week.",
        "+ Client drinks twice a week 🙂.",
        "    solved: something contradicted by the session",
    ]
    shown.before.setCurrentIndex(1)
    shown.before.activated.emit(1)
    assert shown.shown.toPlainText() == SAME


def test_a_change_back_names_what_it_caused(desk, hands, qtbot):
    hands.keep(desk)
    _save(desk, hands, qtbot, NOTE.replace("The weather was fine.", ""))
    _save(desk, hands, qtbot, NOTE)
    assert "    new: a sentence that was not needed" in _history(desk, hands, qtbot).shown.toPlainText()


def test_an_unchecked_revision_is_compared_by_its_words(desk, hands, qtbot):
    hands.keep(desk)
    desk.session.blockSignals(True)
    desk.workspace.editor.selectAll()
    desk.workspace.editor.insertPlainText(NOTE.replace("Tuesday", "Friday"))
    desk.commands["save_note"].trigger()
    hands.settle(desk)
    desk.session.cancel()
    desk.session.blockSignals(False)
    text = _history(desk, hands, qtbot).shown.toPlainText()
    assert text.startswith(UNCHECKED)
    assert "+ Next session on Friday." in text


def test_the_only_revision_says_how_there_come_to_be_two(desk, hands, qtbot):
    hands.keep(desk)
    assert _history(desk, hands, qtbot).shown.toPlainText() == (
        "This is the only revision so far. Change the note and keep the case again: then you see here what changed."
    )


def test_a_case_that_is_not_kept_has_no_revisions(desk):
    desk.commands["revisions"].trigger()
    assert "This case has no revisions" in desk.banner.text
    assert desk.library.history_window is None


def test_locking_closes_the_revisions(desk, hands, qtbot):
    hands.keep(desk)
    shown = _history(desk, hands, qtbot)
    gone = []
    shown.finished.connect(gone.append)
    desk.commands["lock"].trigger()
    hands.settle(desk)
    assert gone

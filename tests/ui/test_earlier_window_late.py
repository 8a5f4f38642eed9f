"""What was asked of a case is not shown once the case has been closed."""

from __future__ import annotations

import threading
from dataclasses import replace

from noteeval_desktop.domain.case import EarlierNote
from noteeval_desktop.ui.case.earlier_window import EarlierNoteWindow, show_earlier
from noteeval_desktop.ui.widgets.jobs import Lane


def test_an_earlier_note_is_not_shown_after_its_case_was_closed(opened, qtbot) -> None:
    session, note = opened.session, opened.session.evaluation.case.note
    session.background = replace(session.background, earlier=(EarlierNote(note, None, "x"),))
    sentence, gate = max(note.sentences, key=lambda one: len(one.text)), threading.Event()
    show_earlier(opened, session, sentence)
    qtbot.waitUntil(lambda: len(opened.findChildren(EarlierNoteWindow)) == 1)
    opened.jobs.call(Lane.DISK, "slow", gate.wait, lambda _: None, lambda _: None)
    show_earlier(opened, session, sentence)
    opened.opening.close_unasked()
    gate.set()
    qtbot.waitUntil(lambda: not opened.jobs.busy)
    assert len(opened.findChildren(EarlierNoteWindow)) == 1

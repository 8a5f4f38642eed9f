"""Headings in the note are quiet: their words stand out, the signs that make them headings step back."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextCharFormat

from noteeval_desktop.documents import parse_note
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.widgets.theme import LIGHT


@pytest.mark.parametrize(("heading", "signs"), [("## Plan", 3), ("**Plan**", 2), ("Plan:", 0)])
def test_the_signs_of_a_heading_step_back(qtbot, heading: str, signs: int) -> None:
    editor = NoteEditor(LIGHT)
    qtbot.addWidget(editor)
    text = f"Subjective:\nSleeps 🙂.\n\n{heading}\nNext week.\n"
    editor.set_note_text(text)
    editor.show_headings(parse_note(text))
    block = editor.document().findBlockByNumber(3)
    looks = {f.start: QTextCharFormat(f.format).foreground().color() for f in block.layout().formats()}
    assert looks[signs] == LIGHT.colour("accent")
    if signs:
        assert looks[0] == LIGHT.colour("muted")

"""Files that do not say how their characters are written: the reader looks before they are used."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from noteeval_desktop.documents import CP1252_WARNING
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.ui.case import words
from noteeval_desktop.ui.widgets.plain import shortened

_MOST_WORDS = 8


def unusual_words(text: str) -> tuple[str, ...]:
    """The first words of ``text`` with characters that a wrong reading would spoil."""
    found = re.findall(r"\S*[^\x00-\x7f]\S*", text)
    return tuple(shortened(word, 30) for word in dict.fromkeys(found))[:_MOST_WORDS]


def agreed(parent: QWidget, opened: Transcript | Note) -> bool:
    """Asks when ``opened`` was read by guess; True when it was not, or when it looks right to the reader."""
    if not any(CP1252_WARNING in warning for warning in opened.warnings):
        return True
    text = opened.text if isinstance(opened, Note) else "\n".join(turn.text for turn in opened.turns)
    box = QMessageBox(parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(words.DO_THESE_WORDS_LOOK_RIGHT)
    box.setInformativeText("  ".join(unusual_words(text)) + (words.THIS_FILE_DOES_NOT_NAME))
    yes = box.addButton(words.THEY_LOOK_RIGHT, QMessageBox.ButtonRole.AcceptRole)
    box.addButton(words.DO_NOT_OPEN, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(yes)
    box.exec()
    return box.clickedButton() is yes

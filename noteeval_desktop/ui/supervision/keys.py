"""The keys of the review window. Keys of single letters reach it from every pane but the fields that are typed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent

from noteeval_desktop.ui.supervision.round import Stage

if TYPE_CHECKING:
    from noteeval_desktop.ui.supervision.window import ReviewWindow

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}
_COMMANDS = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.MetaModifier)


def stage_keys(stages: Sequence[Stage]) -> dict[Stage, str]:
    """With Ctrl: a stage's number as they stand on screen; what changed, before them, is 0."""
    numbered = [stage for stage in stages if stage is not Stage.CHANGES]
    return {Stage.CHANGES: "0", **{stage: str(number) for number, stage in enumerate(numbered, 1)}}


def go_to_number(window: ReviewWindow, number: str) -> None:
    for stage, key in stage_keys(window.round.stages).items():
        if key == number and stage in window.round.stages:
            window.go_to(stage)


def handle(window: ReviewWindow, watched: QObject, event: QKeyEvent) -> bool:
    """True where the key was for the review and not for ``watched``."""
    if any(event.modifiers() & modifier for modifier in _COMMANDS):
        return False
    key = Qt.Key(event.key())
    at_home = watched in (window.panel.list, window) and not window.panel.in_answers
    if key in _STEPS and at_home:
        window.step(_STEPS[key])
    elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        if not window.panel.press_focused():
            window.go_on()
    elif key == Qt.Key.Key_Backspace:
        window.step(-1)
    elif key == Qt.Key.Key_Escape:
        window.panel.list.setFocus()
    elif key == Qt.Key.Key_Delete and window.round.stage in (Stage.COMMENTS, Stage.ANSWER):
        window.comments.remove()
    elif key == Qt.Key.Key_Space and not window.panel.in_answers:
        _pick(window)
    else:
        return _letter(window, event.text().upper())
    return True


def _pick(window: ReviewWindow) -> None:
    """The turn that the session stands at."""
    index = window.transcript.view.currentIndex()
    if index.isValid():
        window.toggle_turn(index.row())


def _letter(window: ReviewWindow, letter: str) -> bool:
    if not window.letters.isChecked():
        return False
    commands = {
        "J": window.next_open,
        "C": window.comments.write,
        "F": window.find_words,
        "+": window.adding.ask,
        "/": window.transcript.open_search,
    }
    if window.round.stage is Stage.ANSWER:
        commands["E"] = window.comments.edit
    if letter in commands:
        commands[letter]()
    elif len(letter) == 1 and letter.isalnum():
        window.press(letter)
    else:
        return False
    return True

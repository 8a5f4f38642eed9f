"""By keyboard alone: where Tab leads, which letter opens a menu; and what a screen reader is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QToolTip

import noteeval_desktop
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Verdict
from noteeval_desktop.ui.library.key_dialogs import ChangePassphrase
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.parts import tool
from noteeval_desktop.ui.widgets.shell import Banner
from tests.ui_steps import wait_idle
from tests.ui_texts import NOTE, SESSION


def _names_from(window, start, count: int) -> list[str]:
    window.activateWindow()
    start.setFocus()
    names = []
    for _ in range(count):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focused: Any = QApplication.focusWidget()
        names.append(focused.accessibleName() or focused.text())
    return names


def test_tab_goes_from_a_card_to_its_quotes_and_to_what_can_be_done(opened) -> None:
    opened.workspace.show_finding(next(f.key for f in opened.session.findings() if f.citations and f.span))
    quote, sure, *actions = _names_from(opened, opened.workspace.findings.card, 4)
    assert quote.startswith("Turn ")
    assert sure.startswith("Confidence: ")
    assert actions == ["Go to", "Dismiss ▾"]


def test_the_probability_behind_a_confidence_is_seen_by_keyboard_alone(opened, qtbot) -> None:
    opened.workspace.show_finding(next(f.key for f in opened.session.findings() if f.citations and f.span))
    _names_from(opened, opened.workspace.findings.card, 2)
    assert not QToolTip.isVisible()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    qtbot.waitUntil(QToolTip.isVisible)
    assert "would call this faithful: 10 %" in QToolTip.text()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_tab_goes_from_the_session_to_who_is_who_and_to_the_note(opened) -> None:
    names = _names_from(opened, opened.workspace.transcript.view, 5)
    assert names == ["Therapist, Therapist", "Client, Client", "All marks", "Copy note", "Note"]


def test_each_menu_opens_with_a_letter_of_its_own(window) -> None:
    titles = [action.text() for action in window.menuBar().actions()]
    letters = [title[title.index("&") + 1].lower() for title in titles]
    assert len(set(letters)) == len(titles)


def test_what_the_banner_says_is_announced(window, monkeypatch) -> None:
    told = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: told.append((event.type(), event.message())))
    window.banner.say("Nothing was sent. 🙂")
    assert told == [(QAccessible.Event.Announcement, "Nothing was sent. 🙂")]


def test_enter_presses_the_button_that_has_the_focus(opened) -> None:
    workspace = opened.workspace
    observed = next(finding for finding in opened.session.findings() if finding.can_attest)
    workspace.show_finding(observed.key)
    attest = next(b for b in workspace.findings.card.findChildren(QPushButton) if b.text() == "I observed this")
    attest.setFocus()
    QTest.keyClick(attest, Qt.Key.Key_Return)
    assert observed.key in opened.session.decisions
    shown = workspace.findings.more
    workspace.findings.more_button.setFocus()
    QTest.keyClick(workspace.findings.more_button, Qt.Key.Key_Enter)
    assert workspace.findings.more is not shown


@pytest.mark.parametrize(("focused", "done"), [("go", ["asked"]), ("skip", ["skipped"]), ("side", ["side"])])
def test_enter_presses_the_button_that_has_the_focus_in_a_dialog_too(window, focused: str, done: list[str]) -> None:
    """Not the default, which would do what "Cancel" was to prevent."""
    dialog, said = Asking(window, "", "", "Delete"), []
    side = dialog.side_button(0, "Help", lambda: said.append("side"))
    dialog.asked.connect(lambda: said.append("asked"))
    dialog.rejected.connect(lambda: said.append("skipped"))
    dialog.show()
    button = {"go": dialog.go, "skip": dialog.skip, "side": side}[focused]
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert said == done
    dialog.deleteLater()


def test_enter_on_a_tool_button_of_a_dialog_is_no_press_of_the_default(window) -> None:
    dialog, said = Asking(window, "", "", "Delete"), []
    banner = Banner(dialog)
    tools = [tool("Show", lambda: said.append("shown")), *banner.findChildren(QToolButton)]
    for each in tools:
        dialog.buttons.addWidget(each)
    dialog.asked.connect(lambda: said.append("asked"))
    dialog.show()
    banner.say("Not saved.")
    for each, key in zip(tools, (Qt.Key.Key_Return, Qt.Key.Key_Enter), strict=True):
        each.setFocus()
        QTest.keyClick(each, key)
    assert (said, banner.isHidden()) == (["shown"], True)
    dialog.deleteLater()


def test_every_tool_button_is_of_the_kit() -> None:
    """Of Qt's own, Enter presses the dialog's default; the bar of the main window presses what has the focus itself."""
    ui = Path(noteeval_desktop.__file__).parent / "ui"
    own = {
        path.relative_to(ui).as_posix()
        for path in ui.rglob("*.py")
        if re.search(r"\bQToolButton\(\)|class \w+\(QToolButton\)|= QToolButton\b", path.read_text("utf-8"))
    }
    assert own == {"judging/chooser.py", "shell/main_window.py", "widgets/parts.py"}


def test_f8_stops_at_what_the_note_says_on_risk(window, judge, qtbot) -> None:
    judge.support = lambda case, cancel: (
        ClaimVerdict(one.id, Verdict.SUPPORTED, 0.9, Confidence.UNSURE, unvouched="suicidal" in one.text)
        for one in case.note.sentences
    )
    window.session.paste_transcript(SESSION)
    window.session.open_note(NOTE.replace("The weather was fine.", "No suicidal thoughts."))
    wait_idle(window, qtbot)
    workspace, seen = window.workspace, []
    for _ in workspace._steps():
        window.commands["next_finding"].trigger()
        row = workspace.findings.current_row()
        seen.append(row.title)
        assert f"{len(seen)} of {len(workspace._steps())}" in window.status._place.text()
    assert "No suicidal thoughts." in seen
    assert len(set(seen)) == len(seen)


def test_tab_goes_through_a_change_of_passphrase_from_top_to_bottom(window) -> None:
    dialog = ChangePassphrase(window)
    dialog.show()
    dialog.current.setFocus()
    order = []
    for _ in range(4):
        order.append(dialog.focusWidget())
        dialog.focusNextChild()
    assert order == [dialog.current, dialog.first, dialog.second, dialog.anew]
    dialog.close()

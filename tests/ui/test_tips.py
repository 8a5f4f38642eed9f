"""Tooltips can be read without haste, rested on, and sent away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QCursor, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QListWidget, QPushButton, QToolTip, QVBoxLayout

from noteeval_desktop.ui.widgets.plain import Tips

LONGER_THAN_QT_WAITS = 700


@pytest.fixture
def shown(qapp, qtbot):
    """A dialog with one button and its tooltip, on which the pointer rests."""
    dialog = QDialog()
    Tips(qapp, dialog)
    button = QPushButton("Score", dialog)
    button.setToolTip("How it was counted")
    QVBoxLayout(dialog).addWidget(button)
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitActive(dialog):
        dialog.activateWindow()
    qtbot.wait(50)  # what comes with being active would hide it
    at = button.mapToGlobal(button.rect().center())
    QCursor.setPos(at)
    qapp.tip_due.emit()
    QApplication.sendEvent(button, QHelpEvent(QEvent.Type.ToolTip, button.rect().center(), at))
    qtbot.waitUntil(QToolTip.isVisible)
    yield dialog
    QCursor.setPos(away(dialog))
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def away(dialog: QDialog) -> QPoint:
    return dialog.geometry().bottomRight() + QPoint(300, 300)


def tip():
    return next(w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel") and w.isVisible())


def test_a_tooltip_does_not_end_by_time(shown, qtbot) -> None:
    assert shown.findChild(QPushButton).toolTipDuration() > 24 * 60 * 60 * 1000


def test_qt_itself_asks_for_a_tooltip_that_does_not_end_by_time(shown, qtbot) -> None:
    other = QPushButton("Risk", shown)
    other.setToolTip("What was said of it")
    shown.layout().addWidget(other)
    qtbot.waitUntil(lambda: other.y() > 0)
    QTest.mouseMove(shown.windowHandle(), other.geometry().center())
    qtbot.waitUntil(lambda: other.toolTipDuration() > 24 * 60 * 60 * 1000)
    assert "What was said" in QToolTip.text()


def test_what_happens_while_there_is_no_tooltip_is_not_looked_at(qapp, qtbot, monkeypatch) -> None:
    seen = []
    monkeypatch.setattr("noteeval_desktop.ui.widgets.plain._LOOK_MS", 10)
    monkeypatch.setattr(Tips, "eventFilter", lambda own, watched, event: seen.append(event.type()) or False)
    dialog = QDialog()
    qtbot.addWidget(dialog)
    Tips(qapp, dialog)
    dialog.show()
    assert seen == []
    qapp.tip_due.emit()
    QTest.keyClick(dialog, Qt.Key.Key_A)
    assert QEvent.Type.KeyPress in seen
    qtbot.wait(50)
    seen.clear()
    QTest.keyClick(dialog, Qt.Key.Key_A)
    assert seen == []


def test_a_rows_tooltip_does_not_end_by_time_either(shown, qtbot, monkeypatch) -> None:
    given = []
    monkeypatch.setattr(QToolTip, "showText", lambda *told: given.append(told))
    rows = QListWidget(shown)
    rows.addItem("Risk")
    rows.item(0).setToolTip("Turn 3")
    rows.show()
    at = rows.visualItemRect(rows.item(0)).center()
    QApplication.sendEvent(rows.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, rows.viewport().mapToGlobal(at)))
    ((_, said, _, while_in, duration),) = given
    assert (said, while_in, duration) == ("Turn 3", rows.visualItemRect(rows.item(0)), 2**31 - 1)


def test_the_pointer_can_go_to_a_tooltip_and_ends_it_by_leaving(shown, qtbot) -> None:
    QCursor.setPos(tip().geometry().center())
    QCoreApplication.sendEvent(shown.findChild(QPushButton), QEvent(QEvent.Type.Leave))
    qtbot.wait(LONGER_THAN_QT_WAITS)
    assert QToolTip.isVisible()
    QCursor.setPos(away(shown))
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_esc_ends_a_tooltip_and_nothing_else(shown, qtbot) -> None:
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    assert shown.isVisible()
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()

"""On a small screen, or at 200 %, everything is still there; at the start a text can be pasted at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QPushButton, QToolButton

from noteeval_desktop.ui.widgets.theme import UI_SIZE, sized
from tests.ui_texts import NOTE

# 1920 x 1080 at 200 %, less a task bar.
SMALL = QSize(960, 500)


@pytest.fixture
def small(opened):
    opened.commands["next_finding"].trigger()
    opened.resize(SMALL)
    return opened


def test_a_case_with_an_open_finding_fits_a_small_screen(small) -> None:
    assert small.size() == SMALL
    assert small.workspace.findings.card.isVisible()


def test_every_tab_stays_in_sight(small) -> None:
    tabs = small.workspace.findings.tabs
    assert tabs.width() >= tabs.sizeHint().width()
    assert all(size > 0 for size in small.workspace.sizes())


def test_the_statements_are_not_cut(small) -> None:
    for button in small.glance_row.buttons:
        metrics = QFontMetrics(sized(button.font(), UI_SIZE + 1, button.font().Weight.DemiBold))
        words = f"⚠ {button._glance.words}" if button._glance.warning else button._glance.words
        room = button.width() - 32
        assert metrics.elidedText(words, Qt.TextElideMode.ElideRight, room) == words


@pytest.mark.parametrize("width", [960, 1024, 1100, 1280])
def test_who_is_who_is_not_cut(small, qtbot, width: int) -> None:
    small.resize(width, 700)
    qtbot.wait(50)
    chips = small.workspace.transcript.strip._chips
    assert len(chips) == 2
    for chip in chips:
        assert chip.width() >= chip.sizeHint().width(), chip.text()


def test_of_many_speakers_as_many_are_shown_as_are_not_cut(window, qtbot) -> None:
    said = "".join(f"Person {n % 6}: Turn {n} is about sleep 🙂.\n" for n in range(18))
    window.files.open_note(NOTE)
    window.files.open_transcript(said)
    qtbot.waitUntil(lambda: window.session.ready)
    strip = window.workspace.transcript.strip
    for width, fewest in ((1280, 1), (960, 1), (1900, 3)):
        window.resize(width, 700)
        qtbot.wait(50)
        assert len(strip._chips) >= fewest
        for chip in strip._chips:
            assert chip.width() >= chip.sizeHint().width(), (width, chip.text())
        (more,) = (b for b in strip.findChildren(QToolButton) if b.isVisible() and b.text().startswith("+"))
        assert len(more.menu().actions()) == 6 - len(strip._chips)


def test_a_card_grows_and_shrinks_with_the_window(small, qtbot) -> None:
    card = small.workspace.findings.card
    small.resize(960, 430)
    qtbot.waitUntil(lambda: small.height() == 430 and card.height() < 130)
    small.resize(1280, 1000)
    qtbot.waitUntil(lambda: card.height() > 160)


def test_the_buttons_of_the_first_screen_are_not_cut(window) -> None:
    window.resize(SMALL)
    for button in window.empty.findChildren(QPushButton):
        assert button.isHidden() or button.width() >= button.sizeHint().width(), button.text()


def test_a_text_can_be_pasted_at_once(window, qtbot) -> None:
    window.activateWindow()
    QGuiApplication.clipboard().setText(NOTE)
    with qtbot.waitSignal(window.session.note_opened, timeout=10_000):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

"""The README's five minutes with the sample case, step by step, with the judge that ships."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QPushButton

from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.judges import builtin
from tests.ui_steps import wait_idle

CHECKLIST = 0


@pytest.fixture
def touring(make_window, encoder, rubric, qtbot):
    """The window on the sample case, checked by the built-in judge."""
    window = make_window(load=lambda: builtin.load(encoder, rubric))
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=60_000):
        window.empty.sample_button.click()
    wait_idle(window, qtbot)
    return window


def verdict_of(window, words: str) -> Verdict | None:
    judged = next(one for one in window.session.evaluation.sentences if words in one.sentence.text)
    return judged.claim and judged.claim.verdict


def replace(window, old: str, new: str) -> None:
    editor = window.workspace.editor
    at = editor._positions_now().to_document(editor.note_text().index(old))
    cursor = QTextCursor(editor.document())
    cursor.setPosition(at)
    cursor.setPosition(at + len(old), QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText(new)


def card_texts(window) -> str:
    return "\n".join(label.text() for label in window.workspace.findings.card.findChildren(QLabel))


def test_the_readmes_tour(touring, qtbot) -> None:
    window = touring
    # 1. Three plain statements, and the red banner on risk.
    said = [button.accessibleName() for button in window.glance_row.buttons]
    assert len(said) >= 3
    assert "covered" in said[0]
    assert window.risk_banner.isVisible()
    # 2. The drinking is doubted, with the session's own words beside it.
    assert verdict_of(window, "drinking four times") in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
    qtbot.keyClick(window, Qt.Key.Key_F8)
    assert card_texts(window)
    # 3. The checklist holds what is missing; a draft can be inserted.
    window.workspace.findings.tabs.setCurrentIndex(CHECKLIST)
    assert any(item.present is False for item in window.session.evaluation.checklist)
    # 4. Mended, the mark goes while the reader types; other sentences keep theirs.
    before = verdict_of(window, "PHQ-9 score was 16")
    replace(window, "four times", "twice")
    wait_idle(window, qtbot)
    assert verdict_of(window, "drinking twice") is Verdict.SUPPORTED
    assert verdict_of(window, "PHQ-9 score was 16") is before
    # 5. What only the room shows is confirmed in one click, and steps back.
    assert verdict_of(window, "casually dressed") is Verdict.OBSERVED
    key = next(one.key for one in window.workspace.open_findings() if one.can_attest)
    window.workspace.show_finding(key)
    button = next(b for b in window.workspace.findings.card.findChildren(QPushButton) if b.text() == "I observed this")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert key not in {one.key for one in window.workspace.open_findings()}

"""The panel of marks as it is drawn."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from noteeval_desktop.ui.supervision.pages import Page
from noteeval_desktop.ui.supervision.panel import Panel
from noteeval_desktop.ui.supervision.passes import Choice, Stage
from noteeval_desktop.ui.widgets import theme as themes
from tests.sample_evaluation import sample_rubric
from tests.ui.supervision.conftest import Reviewer


@pytest.mark.parametrize("width", [450, 700])
def test_no_answer_is_cut_off_when_it_is_chosen(qapp: QApplication, qtbot, width: int) -> None:
    # Set on the panel alone: the windows of other tests keep their own.
    panel = Panel()
    qtbot.addWidget(panel)
    panel.setStyleSheet(themes.stylesheet(themes.LIGHT))
    panel.resize(width, 600)
    panel.show()
    sections = dict.fromkeys(item.section for item in sample_rubric().items)
    for section in sections:
        items = [item for item in sample_rubric().items if item.section is section]
        choices = tuple(Choice(str(n), item.name, item.id, chosen=True) for n, item in enumerate(items, 1))
        panel.show_page(Page("What for?", "Client sleeps 🙂.", choices=(*choices, choices[0])))
        QApplication.processEvents()
        for button in panel.buttons[: len(choices)]:
            assert " ✓ " in button.text()
            needed = button.fontMetrics().horizontalAdvance(button.text()) + 20
            assert button.width() >= needed, button.text()


def test_the_review_fits_a_small_screen(opened, hands, qtbot) -> None:
    window = hands.cheap(opened)
    hands.keep(window, label="A label of more than a few words, as people write them")
    shown = Reviewer(window, qtbot).open(window.library.kept.id)
    shown.resize(960, 500)
    assert (shown.width(), shown.height()) == (960, 500)
    shown.go_to(Stage.FAITHFULNESS)

    def cut() -> list[str]:
        buttons = [one for one in shown.panel.buttons if one.isVisible()]
        return [b.text() for b in buttons if b.width() < b.fontMetrics().horizontalAdvance(b.text()) + 20]

    # Under load the window comes to its size a moment later.
    qtbot.waitUntil(lambda: cut() == [])
    titles = [label for label in shown.transcript.findChildren(QLabel) if label.text() == "Session"]
    assert [title.isVisible() for title in titles] == [True]

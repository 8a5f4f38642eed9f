from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QTextTable
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from noteeval_desktop import paths
from noteeval_desktop.ui.help_window import help_window


def test_columns_of_a_plain_text_stand_in_line(qtbot, tmp_path: Path) -> None:
    text = tmp_path / "keys.txt"
    text.write_text("  J                   weiter 🙂\nTwo  spaces stay.\n    indented\n", "utf-8")
    parent = QWidget()
    qtbot.addWidget(parent)
    (field,) = help_window(parent, "Keys", text).findChildren(QPlainTextEdit)
    assert field.toPlainText() == "  J\tweiter 🙂\nTwo  spaces stay.\n    indented\n"
    assert field.tabStopDistance() > field.fontMetrics().horizontalAdvance("  Ctrl+1 to Ctrl+4")


def test_the_model_cards_are_shown_without_their_markup(qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    cards = tuple(paths.resources() / f"model-card{part}.md" for part in ("", "-faithfulness", "-responses"))
    (field,) = help_window(parent, "How the judge was made", *cards).findChildren(QTextEdit)
    lines = field.toPlainText().splitlines()
    assert "Faithfulness" in lines
    assert not [line for line in lines if line.startswith(("#", "|"))]
    assert any(isinstance(frame, QTextTable) for frame in field.document().rootFrame().childFrames())
    assert field.isReadOnly()


def test_markup_of_html_stays_text(qtbot, tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text("# Card\n\nLess <b>than</b> 5.\n", "utf-8")
    parent = QWidget()
    qtbot.addWidget(parent)
    (field,) = help_window(parent, "Card", card).findChildren(QTextEdit)
    assert "<b>than</b>" in field.toPlainText()

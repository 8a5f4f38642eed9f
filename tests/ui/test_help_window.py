from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QTextTable
from PySide6.QtWidgets import QDialog, QTextEdit, QWidget

from noteeval_desktop import paths
from noteeval_desktop.ui.shell import commands
from noteeval_desktop.ui.widgets.help_window import _blocks, help_window
from noteeval_desktop.ui.widgets.theme import UNIT

PAGES = {path.name: path for path in (paths.resources() / "help").glob("*.md")}


def test_every_page_of_the_help_is_in_the_menu() -> None:
    shown = {f"{page}.md" for pages in commands._PAGES.values() for page in pages}
    assert shown | {"help.md", "licences.md"} == set(PAGES)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_help_is_shown_without_its_markup(qtbot, name: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    (field,) = help_window(parent, "Help", PAGES[name]).findChildren(QTextEdit)
    assert not [line for line in field.toPlainText().splitlines() if line.startswith(("#", "|", "- "))]


@pytest.mark.parametrize(
    "name", sorted(set(PAGES) - {"licences.md", "supervision.md", "command-line.md", "many-notes.md", "python.md"})
)
def test_signs_keys_and_figures_stand_in_tables(qtbot, name: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    (field,) = help_window(parent, "Help", PAGES[name]).findChildren(QTextEdit)
    tables = [frame for frame in field.document().rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert tables
    assert all(table.format().cellPadding() > 0 for table in tables)


@pytest.mark.parametrize(("name", "pictures"), [("help.md", 3), ("supervision.md", 1)])
def test_the_pictures_of_the_guides_are_there_and_fit_the_page(qtbot, name: str, pictures: int) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    guide = PAGES[name]
    (field,) = help_window(parent, "Help", guide).findChildren(QTextEdit)
    named = re.findall(r"!\[.+]\((.+)\)", guide.read_text("utf-8"))
    widths = [QImage(str(guide.with_name(name))).width() for name in named]
    assert len(named) == pictures
    assert min(widths) > 0
    field.document().setTextWidth(-1)
    assert field.document().idealWidth() < 90 * UNIT < max(widths)


def test_below_a_picture_there_is_room(qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    (field,) = help_window(parent, "Help", PAGES["help.md"]).findChildren(QTextEdit)
    pictures = [block for block in _blocks(field.document()) if "\N{OBJECT REPLACEMENT CHARACTER}" in block.text()]
    assert len(pictures) >= 3
    assert all(block.blockFormat().bottomMargin() >= UNIT for block in pictures)


def test_the_model_cards_are_shown_without_their_markup(qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    cards = tuple(paths.resources() / f"model-card{part}.md" for part in ("", "-faithfulness", "-risk", "-responses"))
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


def test_licences_that_were_packed_are_shown_as_they_are(qtbot, tmp_path: Path) -> None:
    (tmp_path / "licences.txt").write_text("====\n# one\n    2. Two *stars*\n", "utf-8")
    parent = QWidget()
    qtbot.addWidget(parent)
    (field,) = help_window(parent, "Licenses", tmp_path / "licences.txt").findChildren(QTextEdit)
    assert field.toPlainText() == "====\n# one\n    2. Two *stars*\n"


def test_the_menu_shows_the_licences(window, qtbot) -> None:
    window.show()
    window.commands["licences"].trigger()
    (field,) = [field for field in window.findChildren(QTextEdit) if "Apache License" in field.toPlainText()]
    assert field.isVisible()


@pytest.mark.parametrize(("name", "begins"), [("first_steps", "First steps"), ("supervisors", "Supervision")])
def test_first_steps_and_what_supervisors_read_are_entries_of_the_menu(window, name: str, begins: str) -> None:
    menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&Help")
    assert window.commands[name] in menu.actions()
    window.commands[name].trigger()
    (shown,) = [
        dialog for dialog in window.findChildren(QDialog) if dialog.windowTitle() == window.commands[name].text()
    ]
    assert shown.findChild(QTextEdit).toPlainText().startswith(begins)

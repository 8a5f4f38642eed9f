"""Checklists in the window: imported with a preview, changed with undo, used by the judge, told in the tab."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox

from noteeval_desktop import checklists, documents
from noteeval_desktop.domain.case import Visit
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.errors import InputError
from noteeval_desktop.ui.judging.checklists_window import ChecklistsWindow
from noteeval_desktop.ui.shell.main_window import MainWindow
from noteeval_desktop.ui.widgets.theme import HIT

FORM = "Item,What must be there,Section,Required\nStart and stop time,,,must\nSleep,Hours.,Subjective,should\n"


@pytest.fixture
def shown(qtbot, window: MainWindow) -> ChecklistsWindow:
    opened = window.checklists.show()
    qtbot.addWidget(opened)
    qtbot.waitUntil(lambda: opened.lists.topLevelItemCount() >= 8)
    return opened


def _names(shown: ChecklistsWindow) -> list[str]:
    return list(shown.named)


def _import(qtbot, shown: ChecklistsWindow, path: Path, name: str = "") -> None:
    shown.import_from(path)
    qtbot.waitUntil(lambda: getattr(shown, "preview", None) is not None and shown.preview.isVisible())
    if name:
        shown.preview.name.setText(name)
    shown.preview.go.click()


def _form(folder: Path, text: str = FORM) -> Path:
    path = folder / "audit.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_form_is_looked_through_imported_used_and_told_beside_the_results(
    qtbot, window: MainWindow, shown: ChecklistsWindow, tmp_path: Path
) -> None:
    shown.import_from(_form(tmp_path))
    qtbot.waitUntil(lambda: getattr(shown, "preview", None) is not None)
    told = shown.preview.told.toPlainText()
    assert "1 item will be judged by a language model only" in told
    assert shown.preview.items.topLevelItem(0).text(3) == "rule: a start and a stop time"
    shown.preview.go.click()
    qtbot.waitUntil(lambda: "audit" in _names(shown))
    assert shown.lists.chosen().rubric.name == "audit"
    shown.use.click()
    assert window.settings.checklist == "audit"
    assert window.checklists.in_use().items[1].name == "Sleep"
    assert "audit" in window.judging.name
    qtbot.waitUntil(lambda: shown.lists.chosen() is not None and not shown.use.isEnabled())


def test_rows_that_are_wrong_are_told_and_nothing_is_imported(qtbot, shown: ChecklistsWindow, tmp_path: Path) -> None:
    shown.import_from(_form(tmp_path, FORM + ",nothing,Plan,must\n"))
    qtbot.waitUntil(lambda: getattr(shown, "preview", None) is not None)
    assert "Row 4: the item has no text." in shown.preview.told.toPlainText()
    assert not shown.preview.go.isEnabled()
    assert checklists.own_checklists()[0] == ()


def test_on_a_small_screen_items_are_seen_and_what_is_read_fits(qtbot, shown: ChecklistsWindow, tmp_path: Path) -> None:
    shown.resize(960, 516)
    qtbot.wait(50)
    assert shown.height() == 516
    assert shown.items.viewport().height() >= 4 * HIT
    assert shown.lists.viewport().height() >= 2 * HIT
    shown.import_from(_form(tmp_path, FORM + ",nothing,Plan,must\n"))
    qtbot.waitUntil(lambda: getattr(shown, "preview", None) is not None and shown.preview.isVisible())
    assert max(shown.preview.minimumSizeHint().height(), shown.preview.minimumHeight()) <= 516


def test_an_unreadable_file_is_told_in_the_window(qtbot, shown: ChecklistsWindow, tmp_path: Path) -> None:
    path = tmp_path / "newer.json"
    path.write_text(json.dumps({"schema": "noteeval.checklist/9"}), encoding="utf-8")
    shown.import_from(path)
    qtbot.waitUntil(lambda: "newer version of NoteEval" in shown.said.text())


def _choose(box: QComboBox, said: str) -> None:
    box.setCurrentIndex(box.findText(said))


def test_items_are_added_changed_removed_and_taken_back(qtbot, shown: ChecklistsWindow, tmp_path: Path) -> None:
    _import(qtbot, shown, _form(tmp_path), "Ours")
    qtbot.waitUntil(lambda: "ours" in _names(shown))
    dialog = shown.edit(None)
    dialog.name.setText("Next visit")
    _choose(dialog.section, "Plan")
    _choose(dialog.visit, "later sessions")
    dialog.formats.setText("soap, dap")
    dialog.go.click()
    qtbot.waitUntil(lambda: shown.items.topLevelItemCount() == 3)
    added = checklists.named("Ours").items[-1]
    assert (added.id, added.section, added.importance) == ("plan-next-visit", Section.PLAN, Importance.MANDATORY)
    assert (added.visit, added.formats) == (Visit.LATER, ("SOAP", "DAP"))
    assert checklists.named("Ours").version == "2"
    shown.items.setCurrentItem(shown.items.topLevelItem(1))
    dialog = shown.edit(shown.items.chosen())
    dialog.name.setText("Start and stop time")
    _choose(dialog.section, "Whole note")
    dialog.go.click()
    assert "already" in dialog.said.text()
    dialog.name.setText("Sleep and rest")
    dialog.go.click()
    qtbot.waitUntil(lambda: checklists.named("Ours").items[1].name == "Sleep and rest")
    assert checklists.named("Ours").version == "2"  # one version for what is changed in one go
    qtbot.waitUntil(lambda: shown.items.topLevelItemCount() == 3)
    for names in (["Start and stop time", "Sleep", "Next visit"], ["Start and stop time", "Sleep"]):
        shown.undo.click()
        qtbot.waitUntil(lambda names=names: [one.name for one in checklists.named("Ours").items] == names)
        qtbot.waitUntil(lambda names=names: shown.items.topLevelItemCount() == len(names))
    shown.undo.click()
    qtbot.waitUntil(lambda: "ours" not in _names(shown))


def test_what_ships_is_copied_to_be_changed(qtbot, shown: ChecklistsWindow) -> None:
    shown.lists.setCurrentItem(shown.lists.topLevelItem(1))
    assert not any(each.isEnabled() for each in (shown.add, shown.change, shown.drop, shown.remove))
    copied = shown.lists.chosen().rubric
    shown.copy.click()
    dialog = shown.findChildren(type(shown._new()))[0]
    for each in shown.findChildren(type(dialog)):
        each.go.click() if each.name.text() else each.reject()
    qtbot.waitUntil(lambda: checklists.named(f"{copied.name}, ours") is not None)
    assert checklists.named(f"{copied.name}, ours").items == copied.items


def test_an_empty_one_is_filled_before_it_is_used_and_each_change_in_use_is_a_version(
    qtbot, window: MainWindow, shown: ChecklistsWindow
) -> None:
    named = shown._new()
    named.go.click()
    assert "Give the checklist a name" in named.said.text()
    named.name.setText("TN-Eval")
    named.go.click()
    assert "There is already a checklist with this name" in named.said.text()
    named.name.setText("Ours")
    named.go.click()
    qtbot.waitUntil(lambda: shown.lists.chosen() is not None and shown.lists.chosen().rubric.name == "Ours")
    assert not shown.use.isEnabled()
    for count, name in enumerate(("Fee", "Copay", "Room"), start=1):
        dialog = shown.edit(None)
        dialog.name.setText(name)
        dialog.go.click()
        qtbot.waitUntil(lambda count=count: shown.items.topLevelItemCount() == count)
        if count == 1:
            shown.use.click()
            qtbot.waitUntil(lambda: not shown.use.isEnabled())
    assert window.checklists.in_use().version == "4"
    for _ in range(3):
        shown.undo.click()
        qtbot.waitUntil(lambda: not window.jobs.busy)
    assert checklists.named("Ours").items == ()
    with pytest.raises(InputError, match="has no items yet"):
        window.checklists.in_use()
    shown.undo.click()
    assert "It is in use" in shown.said.text()


def test_the_one_in_use_is_not_deleted_and_one_that_is_gone_is_said(
    qtbot, window: MainWindow, shown: ChecklistsWindow, tmp_path: Path
) -> None:
    _import(qtbot, shown, _form(tmp_path), "Ours")
    qtbot.waitUntil(lambda: shown.lists.chosen() is not None and shown.lists.chosen().rubric.name == "Ours")
    shown.use.click()
    qtbot.waitUntil(lambda: not shown.use.isEnabled())
    shown.remove.click()
    assert "It is in use" in shown.said.text()
    checklists.remove_checklist("Ours")
    with pytest.raises(InputError, match="no longer exists"):
        window.checklists.in_use()


def test_a_colleague_opens_what_was_exported(qtbot, shown: ChecklistsWindow, tmp_path: Path) -> None:
    shown.lists.setCurrentItem(shown.lists.topLevelItem(2))
    sent = shown.lists.chosen().rubric
    shown.export_to(tmp_path / "sent.json")
    qtbot.waitUntil(lambda: "Exported sent.json." in shown.said.text())
    assert documents.read_checklist(tmp_path / "sent.json", checklists.shipped_rubric()).rubric == sent

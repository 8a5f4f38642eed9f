"""The windows about the library itself: backups, the audit log, old cases."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from noteeval_desktop import settings
from noteeval_desktop.domain.case import Case
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.backup import Backups
from noteeval_desktop.store.errors import WrongPassphrase
from noteeval_desktop.store.library import Library, by_passphrase


def _rows(shown):
    return [
        [shown.topLevelItem(row).text(column) for column in range(shown.columnCount())]
        for row in range(shown.topLevelItemCount())
    ]


def _add(library: Library, label: str, changed: datetime | None = None) -> str:
    """Another case with the same texts, as if last changed then."""
    kept = library.cases.open(library.cases.find()[0].id)
    case_id = library.cases.add(Case(kept.transcript, kept.revisions[0].note, label))
    if changed is not None:
        with library._database.writing() as db:
            db.execute('UPDATE "case" SET changed = ? WHERE id = ?', [changed.isoformat(), case_id])
    return case_id


def test_every_window_of_the_library_fits_a_small_screen(desk, hands):
    hands.keep(desk)
    for command in ("library", "revisions", "library_keys", "backups", "audit_log", "old_cases", "trainee", "cohort"):
        before = set(QApplication.topLevelWidgets())
        desk.commands[command].trigger()
        hands.settle(desk)
        (shown,) = (w for w in QApplication.topLevelWidgets() if w not in before and w.isVisible() and w.windowTitle())
        least = shown.minimumSizeHint().expandedTo(shown.minimumSize())
        # 1920 x 1080 at 200 %, less a title bar.
        assert (least.width() <= 960, least.height() <= 516) == (True, True), (command, least)
        shown.close()


# Backups


def test_the_first_backup_is_there_and_was_tested(desk, hands):
    hands.keep(desk)
    page = hands.page(desk, "backups")
    ((made, size, tested),) = _rows(page.list)
    assert datetime.now().strftime("%Y") in made
    assert size.endswith("MB")
    # It is made beside the keeping of the first case, which may or may not be in it.
    assert tested.endswith(("· 0 cases", "· 1 case"))


def test_a_backup_can_be_made_and_tested(desk, hands):
    hands.keep(desk)
    page = hands.page(desk, "backups")
    page.make.click()
    hands.settle(desk)
    assert "1 case" in _rows(page.list)[0][2]
    page.test.click()
    hands.settle(desk)
    assert "is complete: 1 case" in page.said.text()


def test_going_back_asks_and_sets_the_present_library_aside(desk, hands, monkeypatch):
    hands.keep(desk)
    page = hands.page(desk, "backups")
    page.make.click()
    hands.settle(desk)
    _add(desk.library.access.library, "later")
    text = desk.workspace.editor.note_text()
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.defaultButton().text()))
    page.restore.click()
    assert asked == ["Cancel"]
    monkeypatch.setattr("noteeval_desktop.ui.library.backups_window.sure", lambda *_, **__: True)
    page.restore.click()
    hands.settle(desk)
    assert "was restored" in page.said.text()
    assert [case.labels.label for case in desk.library.access.library.cases.find()] == ["Frau Ünal 🙂"]
    assert len(list((hands.folder / "backups").glob("replaced-*.db"))) == 1
    assert desk.workspace.editor.note_text() == text
    assert desk.library.kept is None
    assert desk.workspace.editor.document().isModified()


def test_a_damaged_backup_is_not_put_back_and_the_library_stays_open(desk, hands, monkeypatch):
    hands.keep(desk)
    page = hands.page(desk, "backups")
    page.chosen().path.write_bytes(b"\x01" * 8192)
    monkeypatch.setattr("noteeval_desktop.ui.library.backups_window.sure", lambda *_, **__: True)
    page.test.click()
    hands.settle(desk)
    assert "damaged" in page.said.text()
    page.restore.click()
    hands.settle(desk)
    assert "damaged" in page.said.text()
    assert desk.library.access.library.cases.count() == 1


def test_the_library_is_used_while_a_backup_is_made(desk, hands, qtbot, monkeypatch):
    hands.keep(desk)
    go_on, begun = threading.Event(), threading.Event()
    rehearse = Backups.rehearse

    def slow(backups: Backups, copy: Path) -> int:
        begun.set()
        assert go_on.wait(20)
        return rehearse(backups, copy)

    monkeypatch.setattr(Backups, "rehearse", slow)
    page = hands.page(desk, "backups")
    page.make.click()
    qtbot.waitUntil(begun.is_set)
    desk.commands["library"].trigger()
    qtbot.waitUntil(lambda: desk.library.list_window is not None)
    qtbot.waitUntil(lambda: desk.library.list_window.list.topLevelItemCount() == 1)
    assert desk.jobs.busy
    go_on.set()
    hands.settle(desk)
    assert "was backed up" in page.said.text()


def test_a_backup_is_looked_for_every_hour(desk, hands):
    hands.keep(desk)
    library = desk.library.access.library
    assert desk.library.access._hourly.isActive()
    library._clock = lambda: datetime.now(UTC) + timedelta(days=2)
    desk.library.access._hourly.timeout.emit()
    hands.settle(desk)
    assert len(Library.backups_in(hands.folder)) == 2
    desk.commands["lock"].trigger()
    hands.settle(desk)
    assert not desk.library.access._hourly.isActive()


# The audit log


def test_the_audit_log_names_cases_by_label_and_shows_failed_unlocks(desk, hands, make_window):
    hands.keep(desk)
    desk.close()
    with pytest.raises(WrongPassphrase):
        Library.open(hands.folder, by_passphrase("ganz falsch geraten"))
    later = hands.cheap(make_window())
    later.commands["audit_log"].trigger()
    hands.unlock(later)
    page = later.library.about.shown
    hands.settle(later)
    rows = _rows(page.list)
    assert any("Failed unlock" in row[1] for row in rows)
    assert "1 failed unlock" in page.failed.text()
    assert "None was changed" in page.chain.text()
    case_id = later.library.access.library.cases.find()[0].id
    later.library.access.library.cases.open(case_id)
    page.refresh()
    hands.settle(later)
    assert _rows(page.list)[0][1:3] == ["Case opened", "Frau Ünal 🙂"]
    later.library.access.library.delete(case_id)
    page.refresh()
    hands.settle(later)
    assert any(row[1:3] == ["Case deleted", f"(deleted, {case_id[:8]})"] for row in _rows(page.list))
    assert "drinks" not in str(_rows(page.list))


def test_a_changed_entry_is_told(desk, hands):
    hands.keep(desk)
    with desk.library.access.library._database.writing() as db:
        db.execute("DROP TRIGGER audit_no_update")
        db.execute("UPDATE audit SET event = 'locked' WHERE number = 1")
    page = hands.page(desk, "audit_log")
    assert page.chain.text().startswith("⚠ Entry 1 was changed")


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_the_audit_log_is_exported_and_that_is_in_it(desk, hands, tmp_path: Path, ending):
    hands.keep(desk)
    page = hands.page(desk, "audit_log")
    path = tmp_path / f"log.{ending}"
    page.export_to(path)
    hands.settle(desk)
    text = path.read_text("utf-8")
    assert "unlocked" in text or "created" in text
    assert "Ünal" not in text
    if ending == "json":
        assert json.loads(text)["unbroken"] is True
    assert "Exported" in page.said.text()
    assert _rows(page.list)[0][1:4] == ["Exported", "", f"audit-log.{ending}"]


def test_an_audit_log_that_cannot_be_written_says_so(desk, hands, tmp_path: Path):
    hands.keep(desk)
    page = hands.page(desk, "audit_log")
    page.export_to(tmp_path / "no folder" / "log.csv")
    hands.settle(desk)
    assert "its folder does not exist" in page.said.text()


def test_what_leaves_the_program_is_in_the_audit_log(desk, hands, tmp_path: Path):
    hands.keep(desk)
    desk.files.export_to(desk.session.evaluation, tmp_path / "card.csv", "csv")
    hands.settle(desk)
    desk.judging.sending.emit("https://llm.ünï.example:8443/v1", True)
    desk.judging.sending.emit("https://other.example/v1", False)
    hands.settle(desk)
    case = desk.library.kept.id
    entries = [e for e in desk.library.access.library.audit.entries() if e.event in (Event.EXPORTED, Event.SENT)]
    assert [(entry.detail, entry.subject) for entry in entries] == [
        ("scorecard.csv", case),
        ("llm.-n-.example:8443", case),
        ("other.example", ""),
    ]


def test_a_kept_check_that_is_shown_again_is_no_new_sending(desk, hands):
    hands.keep(desk)
    evaluation = desk.session.evaluation
    desk.session.show_kept(replace(evaluation, usage=replace(evaluation.usage, bytes_sent=1200)), "")
    hands.settle(desk)
    assert Event.SENT not in {entry.event for entry in desk.library.access.library.audit.entries()}


# Old cases


@pytest.fixture
def aged(desk, hands):
    """The kept case is new; "alt" was changed in 2010, "älter 🙂" in 2001."""
    hands.keep(desk)
    library = desk.library.access.library
    _add(library, "alt", datetime(2010, 1, 1, tzinfo=UTC))
    _add(library, "älter 🙂", datetime(2001, 1, 1, tzinfo=UTC))
    return desk


def _with_rules(desk, hands, qtbot, months, years):
    page = hands.page(desk, "old_cases")
    with qtbot.waitSignal(page.rules_changed):
        page.archive.setValue(months)
        page.delete.setValue(years)
    hands.settle(desk)
    return page


def test_without_a_rule_nothing_is_touched(aged, hands):
    page = hands.page(aged, "old_cases")
    assert _rows(page.list) == []
    assert "every case is kept" in page.said.text()
    assert not page.apply.isEnabled()
    assert page.archive.text() == page.delete.text() == "off"


def test_rules_are_applied_to_the_ticked_cases_only_after_agreeing(aged, hands, qtbot, monkeypatch):
    library = aged.library.access.library
    page = _with_rules(aged, hands, qtbot, 12, 20)
    assert [(row[0], row[3]) for row in _rows(page.list)] == [("älter 🙂", "Delete for good"), ("alt", "Archive")]
    assert page.apply.text() == "Archive 1 case and delete 1 case…"
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append((box.text(), box.defaultButton().text())))
    page.apply.click()
    hands.settle(aged)
    assert asked == [("Archive 1 case and delete 1 case for good?", "Cancel")]
    assert library.cases.count() == 3
    page.list.topLevelItem(1).setCheckState(0, Qt.CheckState.Unchecked)
    assert page.apply.text() == "Delete 1 case…"
    monkeypatch.setattr("noteeval_desktop.ui.library.old_cases_window.sure", lambda *_, **__: True)
    page.apply.click()
    hands.settle(aged)
    assert sorted(case.labels.label for case in library.cases.find()) == ["Frau Ünal 🙂", "alt"]
    page.apply.click()
    hands.settle(aged)
    assert [case.labels.label for case in library.cases.find()] == ["Frau Ünal 🙂"]
    assert "No case matches" in page.said.text()


def test_rules_are_kept_in_the_settings(aged, hands, qtbot):
    _with_rules(aged, hands, qtbot, 6, 7)
    aged.workspace.editor.document().setModified(False)
    aged.close()
    kept, warning = settings.load()
    assert (kept.archive_after_months, kept.delete_after_years, warning) == (6, 7, None)


def test_old_cases_are_asked_about_after_unlocking_once_a_week(aged, hands, qtbot, make_window):
    _with_rules(aged, hands, qtbot, 12, 0)
    aged.workspace.editor.document().setModified(False)
    aged.close()
    later = hands.cheap(make_window())
    later.commands["library"].trigger()
    hands.unlock(later)
    assert "archive 2 cases" in later.banner.text
    assert later.library.access.library.cases.count() == 3
    not_now = next(b for b in later.banner.findChildren(QPushButton) if b.text() == "Not this week")
    not_now.click()
    later.close()
    again = hands.cheap(make_window())
    again.commands["library"].trigger()
    hands.unlock(again)
    assert again.banner.text == ""


def test_a_deleted_case_on_the_desk_is_no_longer_a_kept_one(aged, hands, qtbot, monkeypatch):
    library = aged.library.access.library
    with library._database.writing() as db:
        db.execute("UPDATE \"case\" SET changed = '2001-01-01T00:00:00+00:00'")
    monkeypatch.setattr("noteeval_desktop.ui.library.old_cases_window.sure", lambda *_, **__: True)
    page = _with_rules(aged, hands, qtbot, 0, 20)
    page.apply.click()
    hands.settle(aged)
    assert library.cases.count() == 0
    assert aged.library.kept is None
    assert aged.workspace.editor.document().isModified()

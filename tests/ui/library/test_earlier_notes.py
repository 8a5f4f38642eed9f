"""The client's earlier notes in the window: from the library, or from a folder."""

from __future__ import annotations

import gc
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QDate
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton

from noteeval_desktop.domain.case import Background, EarlierNote, Visit
from noteeval_desktop.domain.remarks import RemarkKind
from noteeval_desktop.ui.case.earlier_window import EarlierNoteWindow
from noteeval_desktop.ui.findings.rows import scorecard_rows
from noteeval_desktop.ui.shell import commands
from noteeval_desktop.ui.widgets.words import TABS
from tests.ui_texts import NOTE, SESSION

COPIED = "Client will practise box breathing before the commute each morning."
BEFORE = NOTE + COPIED + "\n"
AFTER = f"Subjective:\nClient slept better and saw her sister.\n\nPlan:\n{COPIED}\n"


def copied(window) -> list[str]:
    return [one.says for one in window.session.evaluation.remarks if one.kind is RemarkKind.COPIED]


def open_next(window, qtbot, text=AFTER) -> None:
    window.opening.close_case()
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(text)
    qtbot.waitUntil(lambda: not window.jobs.busy)


def keep(window, hands, qtbot, client: str, day: date) -> None:
    window.commands["keep_case"].trigger()
    if window.library.access.library is None:
        hands.make(window)
    qtbot.waitUntil(lambda: window.library.labelling is not None)
    asks = window.library.labelling
    asks.label.setText(f"{client} {day}")
    asks.client.setText(client)
    asks.dated.setChecked(True)
    asks.date.setDate(QDate(day.year, day.month, day.day))
    asks.go.click()
    qtbot.waitUntil(lambda: window.library.kept is not None)
    hands.settle(window)
    window.library.labelling = None


def test_a_kept_case_is_compared_with_the_clients_earlier_ones(desk, hands, qtbot) -> None:
    open_next(desk, qtbot, BEFORE)
    keep(desk, hands, qtbot, "R. C.", date(2026, 11, 3))
    open_next(desk, qtbot)
    assert copied(desk) == []  # nobody knows yet whose it is
    assert desk.session.background.visit is Visit.ANY
    keep(desk, hands, qtbot, "R. C.", date(2026, 11, 17))
    qtbot.waitUntil(lambda: copied(desk) == ["The same, word for word, as on 3 November 2026."], timeout=10_000)
    assert desk.session.background.visit is Visit.LATER
    asides = {row.title: row.aside for row in scorecard_rows(desk.session.evaluation)}
    assert (asides["Copied"], asides["Plan"]) == ("50 %", "100 %")


def test_another_clients_notes_are_not_and_their_names_are_known(desk, hands, qtbot) -> None:
    open_next(desk, qtbot, BEFORE)
    keep(desk, hands, qtbot, "R. C.", date(2026, 11, 3))
    open_next(desk, qtbot, f"Client: D. P.   Date: 11/17/2026\n\n{AFTER}")
    hands.settle(desk)
    assert copied(desk) == []
    assert desk.session.background.others == ("R. C.",)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """The folder that the reader chooses."""
    folder = tmp_path / "earlier"
    folder.mkdir()
    (folder / "2026-11-03.txt").write_text(BEFORE)
    monkeypatch.setattr(commands, "open_folder", lambda *_: str(folder))
    return folder


def test_a_folder_of_earlier_notes(window, folder, qtbot) -> None:
    open_next(window, qtbot)
    window.commands["compare_earlier"].trigger()
    qtbot.waitUntil(lambda: copied(window) == ["The same, word for word, as on 3 November 2026."], timeout=10_000)
    assert "This note has no date" in window.banner.text
    window.workspace.findings.show_tab(TABS.index("Record"))
    rows = window.workspace.findings.lists[TABS.index("Record")].rows.rows
    (row,) = [row for row in rows if row.finding is not None]
    assert row.finding.why == f"Earlier note (2026-11-03.txt, 3 November 2026): “{COPIED}”"


def test_what_is_wrong_with_the_folder_is_said(window, folder, qtbot) -> None:
    (folder / "2026-11-03.txt").rename(folder / "2026-12-24.txt")
    (folder / "scan.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    open_next(window, qtbot, f"Client: D. P.   Date: 11/17/2026\n\n{AFTER}")
    window.commands["compare_earlier"].trigger()
    qtbot.waitUntil(lambda: "nothing was compared" in window.banner.text, timeout=10_000)
    assert "scan.png" in window.banner.text
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.commands["recheck"].trigger()
    read = [row.title for row in scorecard_rows(window.session.evaluation) if row.remark]
    assert [title.partition(" ")[0] for title in read[:2]] == ["1", "The"]


def chosen_copy(window) -> None:
    pane, tab = window.workspace.findings, TABS.index("Record")
    pane.show_tab(tab)
    place = next(n for n, row in enumerate(pane.lists[tab].rows.rows) if row.finding is not None)
    pane.lists[tab].setCurrentIndex(pane.lists[tab].rows.index(place))


def opened_earlier(window, qtbot) -> EarlierNoteWindow:
    (button,) = [
        one for one in window.workspace.findings.card.findChildren(QPushButton) if one.text() == "Earlier note"
    ]
    button.click()
    qtbot.waitUntil(lambda: window.findChild(EarlierNoteWindow) is not None)
    return window.findChild(EarlierNoteWindow)


def test_the_earlier_note_is_shown_beside_with_the_copied_words_marked(window, folder, qtbot) -> None:
    open_next(window, qtbot)
    window.commands["compare_earlier"].trigger()
    qtbot.waitUntil(lambda: len(copied(window)) == 1, timeout=10_000)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    chosen_copy(window)
    shown = opened_earlier(window, qtbot)
    assert shown.about.text() == "2026-11-03.txt · 3 November 2026"
    assert shown.note.note_text() == BEFORE
    assert COPIED in [one.cursor.selectedText() for one in shown.note.extraSelections()]
    QTest.keyClicks(shown.note, "x")
    assert shown.note.note_text() == BEFORE
    shown.close()
    window.session.background = Background()
    chosen_copy(window)
    next(
        one for one in window.workspace.findings.card.findChildren(QPushButton) if one.text() == "Earlier note"
    ).click()
    qtbot.waitUntil(lambda: "The earlier note is not available." in window.banner.text)


def test_a_template_is_said_once_and_copied_no_more(window, folder, qtbot) -> None:
    open_next(window, qtbot)
    window.commands["compare_earlier"].trigger()
    qtbot.waitUntil(lambda: len(copied(window)) == 1, timeout=10_000)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    chosen_copy(window)
    pane = window.workspace.findings
    actions = [action for menu in pane.card.findChildren(QMenu) for action in menu.actions()]
    (own,) = [action for action in actions if action.text().startswith("This line is our template")]
    own.trigger()
    assert [one.kind for one in window.session.findings() if one.said == "copied text"] == []
    (kept,) = window.settings.silenced
    assert kept.startswith("template:")
    assert "breathing" not in kept
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.commands["recheck"].trigger()
    assert copied(window) == []
    assert window.session.evaluation.copied.note == 0
    names = [action.text() for action in pane.silenced_button.menu().actions()]
    assert names == ["Flag a line of your template again in every case"]


def test_no_earlier_note_stays_in_memory_once_the_library_is_locked(desk, folder, hands, qtbot) -> None:
    open_next(desk, qtbot)
    hands.keep(desk)
    desk.commands["compare_earlier"].trigger()
    qtbot.waitUntil(lambda: len(copied(desk)) == 1, timeout=10_000)
    hands.settle(desk)
    chosen_copy(desk)
    opened_earlier(desk, qtbot)
    desk.commands["lock"].trigger()
    hands.settle(desk)
    gc.collect()
    assert [one for one in gc.get_objects() if isinstance(one, EarlierNote)] == []

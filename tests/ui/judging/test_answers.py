"""What a language model answered is not asked again: in the window, and after a restart with the library unlocked."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from noteeval_desktop.store.library import Library, by_passphrase
from noteeval_desktop.store.sealing import Cost
from tests.ui.judging.conftest import NOTE, SESSION, agree, consent_dialog, finished, set_up

PASSPHRASE = "grüne Wiese 緑 am Morgen"


def unlocked(folder: Path) -> Library:
    if Library.exists(folder):
        return Library.open(folder, by_passphrase(PASSPHRASE))
    return Library.create(folder, PASSPHRASE, cost=Cost(memory_kib=64, passes=1, lanes=1))[0]


def check_remotely(window, endpoint, qtbot) -> int:
    """How many requests it took."""
    before = len(endpoint.requests)
    set_up(window, endpoint.url)
    with finished(window, qtbot):
        window.judging.choose("remote")
        agree(consent_dialog(window, qtbot))
    return len(endpoint.requests) - before


@pytest.fixture
def open_case(make_window, qtbot):
    def make(library: Library | None):
        window = make_window()
        window.library.access.library = library
        window.session.paste_transcript(SESSION)
        window.session.open_note(NOTE)
        qtbot.waitUntil(lambda: window.session.ready and not window.jobs.busy, timeout=20_000)
        return window

    return make


def test_after_a_restart_only_what_changed_is_asked(home: Path, open_case, endpoint, qtbot) -> None:
    window = open_case(unlocked(home / "library"))
    asked = check_remotely(window, endpoint, qtbot)
    assert asked > 3
    window.workspace.editor.document().setModified(False)
    window.close()
    kept = b"".join(file.read_bytes() for file in (home / "library").rglob("*") if file.is_file())
    assert b"twice a week" not in kept

    window = open_case(unlocked(home / "library"))
    assert window.judging.kind == "remote"
    before = len(endpoint.requests)
    with finished(window, qtbot):
        window.session.check()
        dialog = consent_dialog(window, qtbot)
        assert "sends nothing" in dialog._summary.text()
        agree(dialog)
    assert len(endpoint.requests) == before
    assert window.session.evaluation.complete
    assert window.session.evaluation.usage.calls == 0

    with finished(window, qtbot):
        cursor = window.workspace.editor.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        cursor.insertText(" They spoke about rest.")
        window.session.check()
    assert 0 < len(endpoint.requests) - before < asked


def test_without_a_library_answers_last_as_long_as_the_program(home: Path, open_case, endpoint, qtbot) -> None:
    window = open_case(None)
    asked = check_remotely(window, endpoint, qtbot)
    with finished(window, qtbot):
        window.judging.choose("builtin")
    with finished(window, qtbot):
        window.judging.choose("remote")
        agree(consent_dialog(window, qtbot))
    assert len(endpoint.requests) == asked
    assert not (home / "library").exists()


def test_answers_can_be_forgotten(home: Path, open_case, endpoint, qtbot) -> None:
    library = unlocked(home / "library")
    window = open_case(library)
    asked = check_remotely(window, endpoint, qtbot)
    assert library.verdicts.count() > 0
    settings = window.judging.open_settings("remote")
    assert isinstance(settings.forget, QPushButton)
    settings.forget.click()
    qtbot.waitUntil(lambda: "deleted" in settings.said.text())
    assert library.verdicts.count() == 0
    settings.reject()
    with finished(window, qtbot):
        window.session.check()
    assert len(endpoint.requests) == 2 * asked


def test_locking_the_library_empties_memory(home: Path, open_case, endpoint, qtbot) -> None:
    window = open_case(unlocked(home / "library"))
    check_remotely(window, endpoint, qtbot)
    assert window.judging._answers._memory._answers
    library = window.library.access.take_out()
    assert not window.judging._answers._memory._answers
    library.lock()

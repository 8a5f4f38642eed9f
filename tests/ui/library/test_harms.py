"""What can befall a library on the disk: each has its own words in the window, and nothing is lost by asking."""

from __future__ import annotations

from pathlib import Path

import pytest

from noteeval_desktop.store.library import Library, by_passphrase
from noteeval_desktop.ui.library.key_dialogs import Unlock


def _no_keys(folder: Path) -> None:
    for copy in folder.rglob("library.keys"):
        copy.unlink()


def _damaged_keys(folder: Path) -> None:
    for copy in folder.rglob("library.keys"):
        copy.write_bytes(copy.read_bytes().replace(b"slots", b"slotz"))


def _no_database(folder: Path) -> None:
    for file in folder.glob("library.db*"):
        file.unlink()


def _flipped(folder: Path) -> None:
    content = bytearray((folder / "library.db").read_bytes())
    content[20_000] ^= 1
    (folder / "library.db").write_bytes(content)


def _in_clear(folder: Path) -> None:
    (folder / "library.db").write_bytes(b"SQLite format 3\x00" + bytes(4096))


def _newer(folder: Path) -> None:
    library = Library.open(folder, by_passphrase("grüne Wiese 緑 am Morgen"))
    with library._database.reading() as db:
        db.execute("PRAGMA user_version = 99")
    library.lock()


def _taken(folder: Path) -> Library:
    return Library.open(folder, by_passphrase("grüne Wiese 緑 am Morgen"))


@pytest.fixture
def closed(desk, hands) -> Path:
    """A library with one case and a backup that holds it, locked."""
    hands.recovery = hands.keep(desk)
    desk.library.access.library.back_up()
    desk.workspace.editor.document().setModified(False)
    desk.close()
    return hands.folder


def _state(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize(
    ("harm", "said", "restores"),
    [
        (_no_keys, "library.keys is missing", False),
        (_damaged_keys, "library.keys is damaged", False),
        (_no_database, "library.db is missing", True),
        (_flipped, "library.db is damaged", True),
        (_in_clear, "library.db is not encrypted", True),
        (_newer, "written by a newer version", False),
        (_taken, "open in another window", False),
    ],
)
def test_each_harm_is_told_in_its_own_words_and_changes_nothing(closed, hands, make_window, harm, said, restores):
    kept = harm(closed)
    before = _state(closed)
    window = hands.cheap(make_window())
    window.commands["library"].trigger()
    asks = hands.unlock(window)
    assert said in asks.said.text()
    assert asks.restore.isVisible() == restores
    assert asks.backups.isVisible() == restores
    assert _state(closed) == before
    if kept is not None:
        kept.lock()


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_chosen_backup_takes_the_damaged_librarys_place_also_by_recovery_key(closed, hands, make_window, forgotten):
    _flipped(closed)
    window = hands.cheap(make_window())
    window.commands["library"].trigger()
    asks = hands.dialog(window, Unlock)
    new = "a new one of many words"
    if forgotten:
        asks.by_recovery.click()
        asks.recovery.setText(hands.recovery)
        asks.first.setText(new)
        asks.second.setText(new)
    else:
        asks.passphrase.setText(hands.passphrase)
    asks.go.click()
    hands.settle(window)
    assert "damaged" in asks.said.text()
    assert asks.backups.count() >= 1
    asks.restore.click()
    hands.settle(window)
    assert window.library.list_window.list.topLevelItemCount() == 1
    assert list((closed / "backups").glob("replaced-*.db"))
    window.library.access.take_out().lock()
    Library.open(closed, by_passphrase(new if forgotten else hands.passphrase)).lock()


def test_a_damaged_library_without_a_backup_says_that_there_is_none(closed, hands, make_window):
    for file in (closed / "backups").glob("*.db"):
        file.unlink()
    _flipped(closed)
    window = hands.cheap(make_window())
    window.commands["library"].trigger()
    asks = hands.unlock(window)
    assert "There is no backup beside it" in asks.said.text()
    assert not asks.restore.isVisible()


def test_a_wrong_passphrase_does_not_restore_anything(closed, hands, make_window):
    _flipped(closed)
    window = hands.cheap(make_window())
    window.commands["library"].trigger()
    asks = hands.unlock(window)
    before = _state(closed)
    asks.passphrase.setText("ganz falsch geraten")
    asks.restore.click()
    hands.settle(window)
    assert "passphrase is wrong" in asks.said.text()
    changed = {name for name, content in _state(closed).items() if before.get(name) != content}
    assert {Path(name).name for name in changed} <= {"failed-unlocks"}

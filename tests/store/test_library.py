from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlcipher3

from noteeval_desktop.store import database, migrations
from noteeval_desktop.store.audit import FAILED_UNLOCKS, Event
from noteeval_desktop.store.errors import (
    KeyMissing,
    KeysDamaged,
    KeysMissing,
    LibraryDamaged,
    LibraryExists,
    LibraryFull,
    LibraryInUse,
    LibraryMissing,
    LibraryNewer,
    LibraryNotEncrypted,
    LibraryReadOnly,
    LibraryUnreachable,
    StoreError,
    WrongPassphrase,
    told,
)
from noteeval_desktop.store.keys import open_with_passphrase, read_keys
from noteeval_desktop.store.library import (
    Library,
    by_keychain,
    by_passphrase,
    by_recovery_key,
)
from noteeval_desktop.store.records import NoteFile
from noteeval_desktop.store.sealing import Cost
from tests.factories import make_case


@pytest.fixture
def closed(library: Library, folder: Path) -> Path:
    """A locked library with one case."""
    library.cases.add(make_case(label="eins"))
    library.lock()
    return folder


def labels_in(folder: Path, passphrase: str) -> list[str]:
    library = Library.open(folder, by_passphrase(passphrase))
    try:
        return sorted(summary.labels.label for summary in library.cases.find())
    finally:
        library.lock()


def test_a_library_is_made_locked_and_unlocked_again_in_three_ways(
    folder: Path, passphrase: str, cheap: Cost, keychain: Any
) -> None:
    assert not Library.exists(folder)
    library, recovery = Library.create(folder, passphrase, keychain, cheap)
    case_id = library.cases.add(make_case())
    library.lock()
    assert library.locked
    assert Library.exists(folder)
    for unlock in (by_passphrase(passphrase), by_recovery_key(recovery), by_keychain(keychain)):
        library = Library.open(folder, unlock)
        assert library.cases.has(case_id)
        library.lock()


def test_a_second_library_does_not_overwrite_the_first(closed: Path, passphrase: str, cheap: Cost) -> None:
    with pytest.raises(LibraryExists):
        Library.create(closed, passphrase, cost=cheap)
    assert labels_in(closed, passphrase) == ["eins"]


def test_keys_of_a_library_that_was_moved_away_are_not_overwritten(
    closed: Path, passphrase: str, cheap: Cost, tmp_path: Path
) -> None:
    (closed / "library.db").rename(tmp_path / "moved.db")
    kept = (closed / "library.keys").read_bytes()
    Library.create(closed, "another passphrase", cost=cheap)[0].lock()
    assert kept in [file.read_bytes() for file in closed.glob("library.keys.*")]


def test_a_new_passphrase_opens_the_library_and_leaves_the_database_alone(
    library: Library, folder: Path, passphrase: str, cheap: Cost
) -> None:
    case_id = library.cases.add(make_case())
    library.set_passphrase("another passphrase", cheap)
    library.lock()
    with pytest.raises(WrongPassphrase):
        Library.open(folder, by_passphrase(passphrase))
    again = Library.open(folder, by_passphrase("another passphrase"))
    assert again.cases.has(case_id)
    again.confirm("another passphrase")
    with pytest.raises(WrongPassphrase):
        again.confirm(passphrase)
    again.lock()


def test_the_keychain_can_be_taken_up_and_left(library: Library, folder: Path, keychain: Any) -> None:
    library.use_keychain(keychain)
    assert library.in_keychain
    library.forget_keychain(keychain)
    assert not library.in_keychain
    assert not keychain.kept
    library.lock()
    with pytest.raises(KeyMissing):
        Library.open(folder, by_keychain(keychain))


def test_failed_unlocks_are_in_the_audit_log(closed: Path, passphrase: str) -> None:
    for _ in range(2):
        with pytest.raises(WrongPassphrase):
            Library.open(closed, by_passphrase("not this one"))
    assert os.name != "posix" or (closed / FAILED_UNLOCKS).stat().st_mode & 0o777 == 0o600
    library = Library.open(closed, by_passphrase(passphrase))
    events = [entry.event for entry in library.audit.entries()]
    assert events[-3:] == [Event.UNLOCK_FAILED, Event.UNLOCK_FAILED, Event.UNLOCKED]
    assert library.audit.first_broken() is None
    library.lock()


def test_a_failed_unlock_that_was_noted_by_half_does_not_keep_the_library_shut(closed: Path, passphrase: str) -> None:
    (closed / "failed-unlocks").write_bytes(b"2026-03-01T10:00:00+00:00\n2026-03-\xff")
    library = Library.open(closed, by_passphrase(passphrase))
    assert [entry.event for entry in library.audit.entries()].count(Event.UNLOCK_FAILED) == 2
    library.lock()
    assert not (closed / "failed-unlocks").exists()


def test_a_wrong_passphrase_is_told_also_where_it_cannot_be_noted(closed: Path) -> None:
    (closed / "failed-unlocks").mkdir()
    with pytest.raises(WrongPassphrase) as raised:
        Library.open(closed, by_passphrase("not this one"))
    assert "failed-unlocks" in raised.value.__notes__[0]


def _plain_database(folder: Path) -> None:
    (folder / "library.db").unlink()
    plain = sqlite3.connect(folder / "library.db")
    plain.execute("CREATE TABLE t(x)")
    plain.close()


def _flip(file: Path, at: int) -> None:
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)


def _damaged_keys(folder: Path) -> None:
    for place in (folder, folder / "backups"):
        _flip(place / "library.keys", 30)


def _no_keys(folder: Path) -> None:
    for place in (folder, folder / "backups"):
        (place / "library.keys").unlink()


@pytest.mark.parametrize(
    ("harm", "expected", "words"),
    [
        (lambda folder: (folder / "library.db").unlink(), LibraryMissing, "restore a backup"),
        (lambda folder: (folder / "library.db").write_bytes(b""), LibraryDamaged, "restore the latest backup"),
        (lambda folder: (folder / "library.db").write_bytes(b"x" * 9000), LibraryDamaged, "left as it is"),
        (lambda folder: _flip(folder / "library.db", 5), LibraryDamaged, "damaged"),
        (lambda folder: _flip(folder / "library.db", 20_000), LibraryDamaged, "damaged"),
        (_plain_database, LibraryNotEncrypted, "not encrypted"),
        (_damaged_keys, KeysDamaged, "library.keys is damaged"),
        (_no_keys, KeysMissing, "library.keys is missing"),
    ],
)
def test_each_harm_has_its_own_message_and_changes_nothing(
    closed: Path, passphrase: str, harm: Callable[[Path], None], expected: type[StoreError], words: str
) -> None:
    harm(closed)
    before = {file: file.read_bytes() for file in closed.rglob("*") if file.is_file()}
    with pytest.raises(expected, match=words) as raised:
        Library.open(closed, by_passphrase(passphrase))
    assert "\n" not in str(raised.value)
    assert {file: file.read_bytes() for file in closed.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("harm", [lambda file: file.unlink(), lambda file: _flip(file, 30)])
def test_a_lost_key_file_is_replaced_by_its_copy(closed: Path, passphrase: str, harm: Callable[[Path], None]) -> None:
    harm(closed / "library.keys")
    assert labels_in(closed, passphrase) == ["eins"]
    assert (closed / "library.keys").read_bytes() == (closed / "backups" / "library.keys").read_bytes()


def test_a_second_instance_is_told(library: Library, folder: Path, passphrase: str) -> None:
    with pytest.raises(LibraryInUse, match="another window"):
        Library.open(folder, by_passphrase(passphrase))
    library.cases.add(make_case())
    library.lock()
    assert labels_in(folder, passphrase) == [""]


def test_a_newer_library_is_left_alone(library: Library, folder: Path, passphrase: str) -> None:
    with library._database.reading() as db:
        db.execute(f"PRAGMA user_version = {len(migrations.MIGRATIONS) + 1}")
    library.lock()
    with pytest.raises(LibraryNewer, match="Update"):
        Library.open(folder, by_passphrase(passphrase))


def test_a_full_disk_loses_nothing_that_was_kept(library: Library, folder: Path, passphrase: str) -> None:
    library.cases.add(make_case(label="kept"))
    with library._database.reading() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    with pytest.raises(LibraryFull, match="free some space"):
        _add_many(library, 200)
    count = library.cases.count()
    library._database.close()
    library._lock.release()
    library._key = b""
    labels = labels_in(folder, passphrase)
    assert labels[0] == "kept"
    assert len(labels) == count


def _add_many(library: Library, number: int) -> None:
    for _ in range(number):
        library.cases.add(make_case(label="not kept"))


@pytest.mark.skipif(os.name == "nt", reason="permissions of folders work differently on Windows")
def test_a_read_only_folder_is_told(closed: Path, passphrase: str) -> None:
    """In a child without root's powers, which ignore permissions."""
    before = {file: file.read_bytes() for file in closed.rglob("*") if file.is_file()}
    for entry in (closed, *closed.rglob("*")):
        entry.chmod(0o555 if entry.is_dir() else 0o444)
    for parent in closed.parents:
        if parent.owner() == closed.owner() and parent.name.startswith("pytest"):
            parent.chmod(0o755)
    closed.parent.chmod(0o755)
    outcome = _as_nobody(lambda: Library.open(closed, by_passphrase(passphrase)))
    assert outcome == LibraryReadOnly.__name__
    assert {file: file.read_bytes() for file in closed.rglob("*") if file.is_file()} == before
    for entry in (closed, *closed.rglob("*")):
        entry.chmod(0o700 if entry.is_dir() else 0o600)


def _as_nobody(act: Callable[[], object]) -> str:
    """The name of the error that ``act`` raises in a child that owns nothing here."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        name = "none"
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            act()
        except BaseException as error:
            name = type(error).__name__
        os.write(write, name.encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        return answer.read()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(28, "No space left on device"), LibraryFull),
        (PermissionError(13, "Permission denied"), LibraryReadOnly),
        (OSError(30, "Read-only file system"), LibraryReadOnly),
        (OSError(5, "Input/output error"), LibraryUnreachable),
        (sqlcipher3.OperationalError("attempt to write a readonly database"), LibraryReadOnly),
        (sqlcipher3.OperationalError("database is locked"), LibraryInUse),
        (sqlcipher3.OperationalError("disk I/O error"), LibraryUnreachable),
        (sqlcipher3.DatabaseError("file is not a database"), LibraryDamaged),
    ],
)
def test_what_the_system_says_becomes_a_message(error: Exception, expected: type[StoreError]) -> None:
    with pytest.raises(expected, match=r"^library\.db|library\.db\."), told("library.db"):
        raise error


def test_an_older_library_is_brought_up_to_date(
    folder: Path, passphrase: str, cheap: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:2])
        key = os.urandom(32)
        folder.mkdir()
        database.create(folder / "old.db", key).close()
    newer = database.open_existing(folder / "old.db", key)
    with newer.reading() as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == len(migrations.MIGRATIONS)
        assert "audit" in db.table_names()
    newer.close()


def old_key(folder: Path, passphrase: str) -> bytes:
    return open_with_passphrase(read_keys(folder), passphrase)


def test_a_case_of_an_older_library_has_no_file_until_it_is_saved_to_one(
    folder: Path, passphrase: str, cheap: Cost
) -> None:
    old, _ = Library.create(folder, passphrase, cost=cheap)
    case_id = old.cases.add(make_case())
    old.lock()
    older = database.open_existing(folder / "library.db", old_key(folder, passphrase))
    with older.reading() as db:
        for step in (
            *(
                "DROP TABLE note_file",
                "DROP TABLE state",
                "DROP TABLE seen_note",
                'ALTER TABLE "case" DROP COLUMN open_risks',
                "ALTER TABLE audit DROP COLUMN who",
            ),
            "PRAGMA user_version = 8",
        ):
            db.execute(step)
    older.close()
    library = Library.open(folder, by_passphrase(passphrase))
    assert library.cases.open(case_id).note_file is None
    file = NoteFile("/srv/kim/note.md", "Plan: 🙂.")
    library.cases.save_note_file(case_id, file)
    assert library.cases.open(case_id).note_file == file
    library.lock()


@pytest.mark.parametrize("first", ["audit", "search", "migrations", "database", "library"])
def test_sqlite_utils_knows_the_errors_of_the_encrypted_database(first: str) -> None:
    """Whichever module comes first."""
    check = (
        f"import noteeval_desktop.store.{first}, sqlcipher3, sqlite_utils.db\n"
        "assert sqlite_utils.db.OperationalError is sqlcipher3.OperationalError"
    )
    subprocess.run([sys.executable, "-c", check], check=True)


def test_the_file_on_disk_is_encrypted_and_its_owners_alone(closed: Path) -> None:
    for file in closed.rglob("*"):
        assert b"SQLite format 3" not in (file.read_bytes() if file.is_file() else b"")
        if os.name != "nt":
            assert file.stat().st_mode & 0o077 == 0


@pytest.fixture
def clock() -> Callable[[], datetime]:
    moment = [datetime(2026, 1, 1, 9, tzinfo=UTC)]

    def tick() -> datetime:
        moment[0] += timedelta(seconds=1)
        return moment[0]

    return tick


def test_the_audit_log_shows_a_changed_or_removed_entry(library: Library) -> None:
    for number in range(5):
        library.record(Event.SENT, "a" * 32, f"host-{number}.example:443")
    assert library.audit.first_broken() is None
    head = library.audit.last()[1]
    with library._database.reading() as db:
        for change in ("UPDATE audit SET detail = ''", "DELETE FROM audit"):
            with pytest.raises(sqlcipher3.IntegrityError, match="only grows"):
                db.execute(change)
        db.execute("DROP TRIGGER audit_no_update")
        db.execute("UPDATE audit SET detail = 'elsewhere.example:443' WHERE number = 4")
    assert library.audit.first_broken() == 4
    assert library.audit.last()[1] == head
    with library._database.reading() as db:
        db.execute("DROP TRIGGER audit_no_delete")
        db.execute("DELETE FROM audit WHERE number = 3")
    assert library.audit.first_broken() == 3


@pytest.mark.parametrize("text", ["Client said no", "Jürgen", "a" * 81, "line\nbreak"])
def test_the_audit_log_takes_no_texts(library: Library, text: str) -> None:
    with pytest.raises(ValueError, match="no texts"):
        library.record(Event.SENT, detail=text)
    with pytest.raises(ValueError, match="no texts"):
        library.record(Event.OPENED, case_id=text)

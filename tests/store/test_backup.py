from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from noteeval_desktop.store import backup, database
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.backup import BackupTest
from noteeval_desktop.store.database import Database
from noteeval_desktop.store.errors import LibraryDamaged, LibraryInUse, LibraryLocked, StoreError, WrongPassphrase
from noteeval_desktop.store.library import Library, by_passphrase
from noteeval_desktop.store.sealing import Cost
from tests.factories import make_case

START = datetime(2026, 1, 1, 9, tzinfo=UTC)


@pytest.fixture
def timed(folder: Path, passphrase: str, cheap: Cost) -> tuple[Library, list[datetime]]:
    moment = [START]
    library, _ = Library.create(folder, passphrase, cost=cheap, clock=lambda: moment[0])
    return library, moment


def test_backups_are_kept_by_day_week_and_month() -> None:
    moments = [START + timedelta(days=day, hours=hour) for day in range(400) for hour in (0, 5)]
    kept: set[datetime] = set()
    for moment in moments:
        kept = set(backup.to_keep({*kept, moment}))
    newest_first = sorted(kept, reverse=True)
    assert newest_first[0] == moments[-1]
    assert len([m for m in kept if m > moments[-1] - timedelta(days=7)]) == 7 + 1
    assert len({m.isocalendar()[:2] for m in kept if m > moments[-1] - timedelta(weeks=5)}) >= 5
    assert len({(m.year, m.month) for m in kept}) == 12
    assert len(kept) <= backup.DAYS + backup.WEEKS + backup.MONTHS + 1


def test_a_backup_that_is_asked_for_replaces_none_of_that_day(timed: tuple[Library, list[datetime]]) -> None:
    library, moment = timed
    made = []
    for hours in (0, 1, 3):
        moment[0] += timedelta(hours=hours)
        made.append(library.back_up())
    assert set(made) <= set(Library.backups_in(library._folder))
    moment[0] += timedelta(days=1)
    library.back_up()
    assert made[-1] in Library.backups_in(library._folder)
    library.lock()


def test_a_backup_is_made_when_a_day_has_passed(timed: tuple[Library, list[datetime]]) -> None:
    library, moment = timed
    assert library.back_up_if_due()
    moment[0] += timedelta(hours=23)
    assert library.back_up_if_due() is None
    moment[0] += timedelta(hours=2)
    assert library.back_up_if_due()
    library.lock()


def test_a_backup_from_the_future_does_not_put_off_the_next(timed: tuple[Library, list[datetime]]) -> None:
    library, moment = timed
    library.back_up()
    moment[0] -= timedelta(days=300)
    assert library.back_up_if_due()
    library.lock()


def test_backups_of_one_second_stand_in_their_order(timed: tuple[Library, list[datetime]], folder: Path) -> None:
    library, _ = timed
    made = [library.back_up().made for _ in range(4)]
    assert made == sorted(set(made))
    assert [backup.made for backup in Library.backups_in(folder)] == made[::-1]
    library.lock()
    assert not [file for file in (folder / "backups").iterdir() if "part" in file.name or "-wal" in file.name]


def test_a_new_backup_stays_when_the_clock_was_set_back(timed: tuple[Library, list[datetime]]) -> None:
    library, moment = timed
    library.back_up()
    moment[0] -= timedelta(hours=2)
    assert library.back_up().path.exists()
    library.lock()


def test_restoring_brings_back_what_was_there_and_keeps_what_is_replaced(
    timed: tuple[Library, list[datetime]], folder: Path, passphrase: str
) -> None:
    library, _ = timed
    first = library.cases.add(make_case(label="before"))
    made = library.back_up()
    library.cases.add(make_case(label="after"))
    with pytest.raises(LibraryInUse):
        Library.restore(folder, made, by_passphrase(passphrase))
    library.lock()
    with pytest.raises(WrongPassphrase):
        Library.restore(folder, made, by_passphrase("not this one"))
    restored = Library.restore(folder, made, by_passphrase(passphrase))
    assert [summary.id for summary in restored.cases.find()] == [first]
    restored.lock()
    (replaced,) = (folder / "backups").glob("replaced-*.db")
    replaced.replace(folder / "library.db")
    again = Library.open(folder, by_passphrase(passphrase))
    assert again.cases.count() == 2
    again.lock()


def test_restoring_does_not_shorten_the_audit_log(
    timed: tuple[Library, list[datetime]], folder: Path, passphrase: str
) -> None:
    library, _ = timed
    case_id = library.cases.add(make_case())
    made = library.back_up()
    library.cases.remove(case_id)
    library.lock()
    restored = Library.restore(folder, made, by_passphrase(passphrase))
    assert [entry.event for entry in restored.audit.entries()] == [
        *(Event.CREATED, Event.BACKED_UP, Event.BACKUP_TESTED, Event.DELETED, Event.LOCKED),
        *(Event.UNLOCKED, Event.RESTORED),
    ]
    assert restored.audit.first_broken() is None
    with pytest.raises(ValueError, match="another log"):
        restored.audit.take_over(restored.audit.entries()[:1])
    restored.lock()


@pytest.mark.parametrize("harm", [lambda file: file.unlink(), lambda file: file.write_bytes(b"?" * 5000)])
def test_a_lost_library_is_restored(
    timed: tuple[Library, list[datetime]], folder: Path, passphrase: str, harm: Callable[[Path], None]
) -> None:
    library, _ = timed
    case_id = library.cases.add(make_case())
    library.back_up()
    library.lock()
    harm(folder / "library.db")
    assert Library.exists(folder)
    with pytest.raises(StoreError):
        Library.open(folder, by_passphrase(passphrase))
    restored = Library.restore(folder, Library.backups_in(folder)[0], by_passphrase(passphrase))
    assert restored.cases.has(case_id)
    assert restored.audit.first_broken() is None
    restored.lock()


def test_a_damaged_backup_is_not_restored(timed: tuple[Library, list[datetime]], folder: Path, passphrase: str) -> None:
    library, _ = timed
    made = library.back_up()
    library.cases.add(make_case())
    library.lock()
    content = bytearray(made.path.read_bytes())
    content[random.Random(3).randrange(len(content))] ^= 8
    made.path.write_bytes(content)
    before = (folder / "library.db").read_bytes()
    with pytest.raises(LibraryDamaged):
        Library.restore(folder, made, by_passphrase(passphrase))
    assert (folder / "library.db").read_bytes() == before


def test_a_damaged_library_pushes_out_no_good_backup(timed: tuple[Library, list[datetime]], folder: Path) -> None:
    library, moment = timed
    library.cases.add(make_case())
    made = library.back_up()
    with library._database.reading() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    content = bytearray((folder / "library.db").read_bytes())
    content[-2000] ^= 1
    with (folder / "library.db").open("r+b") as file:
        file.write(content)
    moment[0] += timedelta(days=40)
    with pytest.raises(LibraryDamaged):
        library.back_up()
    assert Library.backups_in(folder) == (made,)


def test_a_deleted_case_leaves_the_backups_too(timed: tuple[Library, list[datetime]], folder: Path) -> None:
    library, _ = timed
    case_id, other = library.cases.add(make_case()), library.cases.add(make_case(label="stays"))
    made = library.back_up()
    (folder / "backups" / "replaced-2026.db").write_bytes(b"damaged")
    assert library.delete(case_id) == ("replaced-2026.db",)
    assert not library.cases.has(case_id)
    copy = database.open_existing(made.path, library._key)
    with copy.reading() as db:
        assert [row["id"] for row in db.query('SELECT id FROM "case"')] == [other]
    copy.close()
    library.lock()


def test_every_new_backup_is_tested_by_restoring_and_leaves_nothing_behind(
    timed: tuple[Library, list[datetime]], folder: Path
) -> None:
    library, clock = timed
    library.cases.add(make_case())
    made = library.back_up()
    assert library.tested_backups() == {made.made: BackupTest(clock[0], 1)}
    assert made.size == made.path.stat().st_size
    assert not list(folder.rglob("*.part*"))


def test_a_backup_that_went_bad_does_not_pass_the_test(timed: tuple[Library, list[datetime]], folder: Path) -> None:
    library, _ = timed
    made = library.back_up()
    before = library.tested_backups()
    content = bytearray(made.path.read_bytes())
    content[5000] ^= 1
    made.path.write_bytes(content)
    with pytest.raises(LibraryDamaged):
        library.test_backup(made)
    assert library.tested_backups() == before
    assert not list(folder.rglob("*.part*"))


def test_an_open_library_goes_back_to_a_backup_and_its_present_state_is_set_aside(
    timed: tuple[Library, list[datetime]], folder: Path
) -> None:
    library, _ = timed
    library.cases.add(make_case(label="before"))
    made = library.back_up()
    library.cases.add(make_case(label="after"))
    restored = library.restored_from(made)
    assert library.locked
    assert [case.labels.label for case in restored.cases.find()] == ["before"]
    assert len(list((folder / "backups").glob("replaced-*.db"))) == 1
    assert restored.audit.first_broken() is None
    restored.lock()


def test_a_damaged_backup_leaves_the_open_library_open(timed: tuple[Library, list[datetime]]) -> None:
    library, _ = timed
    made = library.back_up()
    made.path.write_bytes(b"\x01" * 8192)
    with pytest.raises(LibraryDamaged):
        library.restored_from(made)
    assert library.cases.count() == 0
    assert not library.locked


def test_several_cases_are_deleted_for_good_at_once(timed: tuple[Library, list[datetime]], passphrase: str) -> None:
    library, _ = timed
    gone = [library.cases.add(make_case(label=label)) for label in ("one", "two")]
    library.cases.add(make_case(label="stays"))
    made = library.back_up()
    assert library.delete(*gone) == ()
    assert [case.labels.label for case in library.cases.find()] == ["stays"]
    restored = library.restored_from(made)
    assert [case.labels.label for case in restored.cases.find()] == ["stays"]
    restored.lock()


def test_cases_are_kept_while_a_backup_is_made(
    timed: tuple[Library, list[datetime]], monkeypatch: pytest.MonkeyPatch
) -> None:
    library, _ = timed
    library.cases.add(make_case(label="before"))
    copying, written = threading.Event(), threading.Event()
    copy_to = Database.copy_to

    def slow(source: Database, other: Database, progress: Callable[..., object]) -> None:
        def wait(*pages: int) -> None:
            progress(*pages)
            copying.set()
            assert written.wait(20)

        copy_to(source, other, wait)

    monkeypatch.setattr(Database, "copy_to", slow)
    with ThreadPoolExecutor(1) as pool:
        making = pool.submit(library.back_up)
        assert copying.wait(20)
        library.cases.add(make_case(label="meanwhile"))
        written.set()
        made = making.result(20)
    assert library.cases.count() == 2
    assert library.tested_backups()[made.made].cases == 1


def test_a_backup_is_given_up_when_the_library_is_locked(
    timed: tuple[Library, list[datetime]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, _ = timed
    first = library.back_up()
    copy_to = Database.copy_to

    def locked_meanwhile(source: Database, other: Database, progress: Callable[..., object]) -> None:
        library.lock()
        copy_to(source, other, progress)

    monkeypatch.setattr(Database, "copy_to", locked_meanwhile)
    with pytest.raises(LibraryLocked):
        library.back_up()
    assert Library.backups_in(folder) == (first,)
    assert not list(folder.rglob("*.part*"))


def test_what_a_killed_backup_left_goes_with_the_next_backup_or_deletion(
    timed: tuple[Library, list[datetime]], folder: Path
) -> None:
    library, _ = timed
    for act in (library.back_up, lambda: library.delete(library.cases.add(make_case()))):
        left = folder / "backups" / "library-2026-01-01T080000.part"
        left.write_bytes(b"half")
        left.with_name(left.name + "-wal").write_bytes(b"half")
        act()
        assert not list(folder.rglob("*.part*"))

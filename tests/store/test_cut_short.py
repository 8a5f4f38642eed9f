"""Encrypting anew, stopped before each of its steps: the library opens, with the recovery key that is on paper then."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop.platform import files
from noteeval_desktop.store import log
from noteeval_desktop.store.database import Database
from noteeval_desktop.store.errors import KeysChanged, KeysNotChanged, LibraryDamaged, StoreError, WrongPassphrase
from noteeval_desktop.store.keys import read_keys
from noteeval_desktop.store.library import DATABASE, Library, by_passphrase, by_recovery_key
from tests.factories import make_case
from tests.store.conftest import CHEAP, PASSPHRASE

NEW = "other words altogether"
pytestmark = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="a fork is killed between two of its steps"
)


def stop_before(step: int) -> list[int]:
    """Every rename, removal and writing to the disk counts as a step."""
    taken = [0]

    def counting(act: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **named: Any) -> Any:
            taken[0] += 1
            if taken[0] == step:
                os._exit(9)
            return act(*args, **named)

        return counted

    for place, name in ((os, "replace"), (os, "fsync"), (Path, "unlink"), (Database, "copy_under")):
        setattr(place, name, counting(getattr(place, name)))
    files.os = os  # type: ignore[attr-defined]
    return taken


def rekey(folder: Path, step: int, printed: str) -> None:
    library = Library.open(folder, by_passphrase(PASSPHRASE))
    new = library.draw_keys(NEW, CHEAP)
    Path(printed).write_text(new.recovery, "ascii")
    stop_before(step)
    library.rekey(new)
    os._exit(7)


def test_stopped_before_any_step_one_pair_of_keys_opens_everything(tmp_path: Path) -> None:
    made, old = Library.create(tmp_path / "made", PASSPHRASE, cost=CHEAP)
    case_id = made.cases.add(make_case(label="Übung"))
    made.back_up()
    made.lock()
    fork: Any = multiprocessing.get_context("fork")
    pairs, ended = [], None
    for step in range(1, 80):
        folder, printed = tmp_path / str(step), tmp_path / f"printed {step}"
        shutil.copytree(tmp_path / "made", folder)
        child = fork.Process(target=rekey, args=(folder, step, str(printed)))
        child.start()
        child.join()
        ended = child.exitcode
        assert ended in (7, 9)
        opening = []
        for passphrase, recovery in ((PASSPHRASE, old), (NEW, printed.read_text("ascii"))):
            try:
                library = Library.open(folder, by_passphrase(passphrase))
            except (WrongPassphrase, KeysChanged, KeysNotChanged):
                continue
            assert library.cases.has(case_id)
            assert library.put_back == ()
            for backup in Library.backups_in(folder):
                assert library.test_backup(backup).cases == 1
            library.lock()
            Library.open(folder, by_recovery_key(recovery)).lock()
            opening.append(passphrase)
        assert len(opening) == 1, f"step {step}"
        pairs += opening
        wrapped = read_keys(folder)
        assert (wrapped.other, wrapped.coming) == (None, None)
        assert not [*folder.glob("*.part*"), *folder.glob(".*.part")]
        shutil.rmtree(folder)
        if ended == 7:
            break
    assert ended == 7
    assert pairs == sorted(pairs, key=[PASSPHRASE, NEW].index), "switched once"
    assert len(set(pairs)) == 2


# What a killed program leaves in the log


@pytest.fixture
def left(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str, str]:
    """A library with a change in its log that had not reached the file, and the ids of what both hold."""
    library, _ = Library.create(folder, PASSPHRASE, cost=CHEAP)
    first = library.cases.add(make_case(label="in the file"))
    assert not (folder / f"{DATABASE}-wal").stat().st_size
    with monkeypatch.context() as stopped:
        stopped.setattr("noteeval_desktop.store.database._settle", lambda _: True)
        second = library.cases.add(make_case(label="in the log"))
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
    library.lock()
    return copy, first, second


def test_a_log_that_was_left_is_read_as_one_with_its_file(left: tuple[Path, str, str]) -> None:
    folder, first, second = left
    library = Library.open(folder, by_passphrase(PASSPHRASE))
    assert library.cases.has(first)
    assert library.cases.has(second)
    assert library.lost == 0
    library.lock()


def test_a_log_cut_off_while_a_part_of_it_was_in_the_file_is_no_damage(left: tuple[Path, str, str]) -> None:
    folder, _, second = left
    half_settled(folder, every=2)
    library = Library.open(folder, by_passphrase(PASSPHRASE))
    assert library.cases.has(second)
    library.check()
    library.lock()


def half_settled(folder: Path, every: int = 1) -> bytes:
    content = (folder / f"{DATABASE}-wal").read_bytes()
    with (folder / DATABASE).open("r+b") as file:
        for frame in log._latest(log._read(content)[1])[::every]:
            file.seek((frame.page - 1) * len(frame.content))
            file.write(frame.content)
    return content


def test_what_a_damaged_log_does_not_give_back_is_said(left: tuple[Path, str, str]) -> None:
    folder, first, second = left
    content = bytearray((folder / f"{DATABASE}-wal").read_bytes())
    content[len(content) // 2] ^= 4
    (folder / f"{DATABASE}-wal").write_bytes(content)
    library = Library.open(folder, by_passphrase(PASSPHRASE))
    assert library.cases.has(first)
    assert not library.cases.has(second)
    assert library.lost > 0
    assert f"changes={library.lost}" in [entry.detail for entry in library.audit.entries()]
    library.lock()


@pytest.mark.parametrize("whole", [True, False])
def test_a_damaged_log_that_has_reached_the_file_costs_nothing(left: tuple[Path, str, str], whole: bool) -> None:
    """Where only a part has, the file is of two states, and nothing says so but the log."""
    folder, _, second = left
    content = bytearray(half_settled(folder, every=1 if whole else 2))
    content[len(content) // 2] ^= 4
    (folder / f"{DATABASE}-wal").write_bytes(content)
    if not whole:
        with pytest.raises(LibraryDamaged):
            Library.open(folder, by_passphrase(PASSPHRASE))
        return
    library = Library.open(folder, by_passphrase(PASSPHRASE))
    assert library.cases.has(second)
    assert library.lost == 0
    library.lock()


def test_every_change_has_reached_the_file_when_it_is_acknowledged(library: Library, folder: Path) -> None:
    for _ in range(3):
        library.cases.add(make_case())
        library.audit.record(next(iter(library.audit.entries())).event)
        log_file = folder / f"{DATABASE}-wal"
        assert not log_file.exists() or not log_file.stat().st_size


def test_no_room_to_bring_the_log_home_is_no_failure(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlcipher3

    def full(_: object) -> bool:
        raise sqlcipher3.OperationalError("database or disk is full")

    with monkeypatch.context() as now:
        now.setattr("noteeval_desktop.store.database._settle", full)
        case_id = library.cases.add(make_case())
    assert library.cases.has(case_id)
    library.check()


def test_no_room_for_the_copy_is_said_before_anything_changes(library: Library, monkeypatch, folder: Path) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = read_keys(folder)
    monkeypatch.setattr("noteeval_desktop.platform.files.os.fsync", full)
    with pytest.raises(StoreError):
        library.rekey(library.draw_keys(NEW, CHEAP))
    assert read_keys(folder) == before

"""What a changed passphrase does, what encrypting anew does, and what is noticed when an earlier state is put back."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.store import keys, rekeying
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.database import PAGE_BYTES, Database, open_existing
from noteeval_desktop.store.errors import (
    KeyMissing,
    KeysNotChanged,
    LibraryDamaged,
    LibraryFull,
    WrongPassphrase,
    WrongRecoveryKey,
)
from noteeval_desktop.store.keys import BACKUPS, KEYS, keep_keys, read_keys
from noteeval_desktop.store.library import DATABASE, Library, by_keychain, by_passphrase, by_recovery_key
from noteeval_desktop.store.rekeying import Rekeyed
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.witness import MemoryFile, PutBack, Witness
from tests.factories import make_case
from tests.keychain import InMemory
from tests.store.conftest import CHEAP, PASSPHRASE

NEW = "other words altogether"


@pytest.fixture
def old_keys(library: Library, folder: Path, tmp_path: Path) -> Path:
    """A copy that somebody made of the key file."""
    return Path(shutil.copy(folder / KEYS, tmp_path / "copied.keys"))


@pytest.fixture
def kept(library: Library) -> str:
    """A case in the library and in a backup."""
    case_id = library.cases.add(make_case(label="Übung"))
    library.back_up()
    return case_id


def rekeyed(library: Library, passphrase: str = NEW, keychain=None, cost: Cost = CHEAP) -> tuple[Rekeyed, str]:
    new = library.draw_keys(passphrase, cost)
    return library.rekey(new, keychain), new.recovery


def holds(folder: Path, case_id: str, unlock) -> None:
    library = Library.open(folder, unlock)
    assert library.cases.has(case_id)
    library.check()
    for backup in Library.backups_in(folder):
        assert library.test_backup(backup).cases == 1
    assert read_keys(folder).other is None
    library.lock()


def test_an_earlier_key_file_opens_the_library_after_a_mere_change(library, folder, kept, old_keys):
    """Which is what the dialog says."""
    library.set_passphrase(NEW, CHEAP)
    library.lock()
    shutil.copy(old_keys, folder / KEYS)
    holds(folder, kept, by_passphrase(PASSPHRASE))


def test_an_earlier_key_file_opens_nothing_that_was_encrypted_anew(library, folder, kept, old_keys):
    result, recovery = rekeyed(library)
    library.cases.add(make_case())
    library.lock()
    assert result.left == ()
    present = (folder / KEYS).read_bytes()
    for place in (folder, folder / BACKUPS):
        shutil.copy(old_keys, place / KEYS)
    with pytest.raises(LibraryDamaged):
        Library.open(folder, by_passphrase(PASSPHRASE))
    old = keys.open_with_passphrase(keys.read_wrapped(old_keys.read_bytes(), "k"), PASSPHRASE)
    for path in (folder / BACKUPS).glob("*.db"):
        with pytest.raises(LibraryDamaged):
            open_existing(path, old)
    (folder / KEYS).write_bytes(present)
    holds(folder, kept, by_passphrase(NEW))
    holds(folder, kept, by_recovery_key(recovery))
    with pytest.raises(WrongPassphrase):
        Library.open(folder, by_passphrase(PASSPHRASE))


def test_the_recovery_key_from_before_is_void_and_the_keychain_goes_on(folder):
    keychain = InMemory()
    library, recovery = Library.create(folder, PASSPHRASE, keychain, CHEAP)
    case_id = library.cases.add(make_case())
    rekeyed(library, NEW, keychain)
    library.lock()
    with pytest.raises(WrongRecoveryKey):
        Library.open(folder, by_recovery_key(recovery))
    holds(folder, case_id, by_keychain(keychain))
    library = Library.open(folder, by_passphrase(NEW))
    rekeyed(library, PASSPHRASE)
    library.lock()
    with pytest.raises(KeyMissing):
        Library.open(folder, by_keychain(keychain))


def test_reading_and_writing_go_on_after_it(library, folder, kept):
    rekeyed(library)
    library.cases.set_labels(kept, library.cases.summary(kept).labels)
    restored = library.restored_from(library.back_up())
    assert restored.cases.has(kept)
    restored.confirm(NEW)
    restored.lock()


def test_a_short_passphrase_changes_nothing(library, folder, kept):
    with pytest.raises(InputError):
        library.draw_keys("short", CHEAP)
    library.lock()
    holds(folder, kept, by_passphrase(PASSPHRASE))


@pytest.mark.parametrize("step", ["copy_under", "switch"])
def test_a_failure_on_the_way_leaves_the_old_passphrase(library, folder, kept, monkeypatch, step):
    def fail(*_: object) -> None:
        raise LibraryFull(DATABASE)

    with monkeypatch.context() as full:
        full.setattr(Database, step, fail)
        with pytest.raises(LibraryFull):
            rekeyed(library)
    library.cases.add(make_case())
    library.lock()
    with pytest.raises((WrongPassphrase, KeysNotChanged)):
        Library.open(folder, by_passphrase(NEW))
    holds(folder, kept, by_passphrase(PASSPHRASE))
    assert not list(folder.rglob("*.part*"))


@pytest.mark.parametrize("done", [0, 1, 2])
def test_what_a_crash_leaves_behind_is_finished_on_opening(library, folder, kept, done):
    """``done``: nothing, the library, or the library and its backups had been encrypted anew."""
    wrapped = read_keys(folder)
    old = keys.open_with_passphrase(wrapped, PASSPHRASE)
    library.lock()
    new = keys.renewed(wrapped, NEW, CHEAP)
    keep_keys(folder, keys.with_other_key(new.wrapped, new.key, old))
    paths = [folder / DATABASE, *(folder / BACKUPS).glob("*.db")]
    assert len(paths) == 2
    for path in paths[:done]:
        database = open_existing(path, old)
        database.copy_under(path.with_suffix(".x"), new.key)
        database.close()
        path.with_suffix(".x").replace(path)
    holds(folder, kept, by_passphrase(NEW))


def test_a_backup_can_be_restored_though_encrypting_anew_was_cut_short(library, folder, kept):
    wrapped = read_keys(folder)
    old = keys.open_with_passphrase(wrapped, PASSPHRASE)
    library.lock()
    new = keys.renewed(wrapped, NEW, CHEAP)
    keep_keys(folder, keys.with_other_key(new.wrapped, new.key, old))
    (folder / DATABASE).write_bytes(b"damaged" * 1000)
    restored = Library.restore(folder, Library.backups_in(folder)[0], by_passphrase(NEW))
    assert restored.cases.has(kept)
    restored.lock()


def test_a_damaged_backup_is_named_and_holds_nothing_up(library, folder, kept):
    backup = Library.backups_in(folder)[0].path
    backup.write_bytes(b"damaged" * 1000)
    assert rekeyed(library)[0].left == (backup.name,)
    assert read_keys(folder).other is None


def test_a_backup_that_cannot_be_written_now_is_made_up_for(library, folder, kept, monkeypatch):
    copy = Database.copy_under

    def fail(database: Database, path: Path, key: bytes) -> None:
        if database._name != DATABASE:
            raise LibraryFull(database._name)
        copy(database, path, key)

    with monkeypatch.context() as full:
        full.setattr(Database, "copy_under", fail)
        assert rekeyed(library)[0].left == (Library.backups_in(folder)[0].path.name,)
    assert read_keys(folder).other is not None
    library.lock()
    holds(folder, kept, by_passphrase(NEW))


# An earlier state put back


def opened(folder: Path, keychain: InMemory, passphrase: str = PASSPHRASE) -> tuple[PutBack, ...]:
    library = Library.open(folder, by_passphrase(passphrase), keychain=keychain)
    found = library.put_back
    logged = [entry.detail for entry in library.audit.entries() if entry.event is Event.PUT_BACK]
    assert logged[-len(found) :] == [one.value for one in found] if found else not logged
    library.lock()
    return found


def test_an_earlier_key_file_is_noticed(library, folder, keychain, old_keys):
    library.lock()
    assert opened(folder, keychain) == ()
    library = Library.open(folder, by_passphrase(PASSPHRASE), keychain=keychain)
    library.set_passphrase(NEW, CHEAP)
    library.lock()
    assert opened(folder, keychain, NEW) == ()
    shutil.copy(old_keys, folder / KEYS)
    assert opened(folder, keychain) == (PutBack.KEYS,)


@pytest.mark.parametrize("deleted", [False, True])
def test_an_earlier_library_is_noticed(library, folder, keychain, tmp_path, deleted):
    """Also one that has since gone on for as long as the one that it replaced."""
    library.lock()
    shutil.copy(folder / DATABASE, tmp_path / "earlier.db")
    library = Library.open(folder, by_passphrase(PASSPHRASE), keychain=keychain)
    case_id = library.cases.add(make_case())
    library.cases.open(case_id)
    library.lock()
    shutil.copy(tmp_path / "earlier.db", folder / DATABASE)
    if not deleted:
        for _ in range(5):
            Library.open(folder, by_passphrase(PASSPHRASE)).lock()
    assert opened(folder, keychain) == (PutBack.LIBRARY,)
    assert opened_again(folder, keychain) == ()


def opened_again(folder: Path, keychain: InMemory) -> tuple[PutBack, ...]:
    library = Library.open(folder, by_passphrase(PASSPHRASE), keychain=keychain)
    library.lock()
    return library.put_back


def test_a_backup_that_the_user_restores_is_no_surprise(library, folder, keychain):
    library.lock()
    library = Library.open(folder, by_passphrase(PASSPHRASE), keychain=keychain)
    backup = library.back_up()
    library.cases.add(make_case())
    library.lock()
    (folder / DATABASE).write_bytes(b"damaged" * 1000)
    restored = Library.restore(folder, backup, by_passphrase(PASSPHRASE), keychain=keychain)
    assert restored.put_back == ()
    restored.lock()
    assert opened(folder, keychain) == ()


@pytest.mark.parametrize("held", ["", "[]", "{}", "nonsense", '{"epoch": "1", "number": 2, "chain": ""}'])
def test_a_keychain_that_remembers_nothing_of_use_says_nothing(library, folder, keychain, held):
    library.lock()
    assert opened(folder, keychain) == ()
    keychain.kept = dict.fromkeys(keychain.kept, held)
    assert opened(folder, keychain) == ()
    keychain.broken = True
    assert opened(folder, keychain) == ()


def test_what_the_keychain_remembers_is_no_secret(library, folder, keychain):
    library.lock()
    library = Library.open(folder, by_passphrase(PASSPHRASE), keychain=keychain)
    library.lock()
    wrapped = read_keys(folder)
    assert keys.open_with_passphrase(wrapped, PASSPHRASE).hex() not in str(keychain.kept)
    assert list(keychain.kept) == [f"library-{wrapped.library}-seen"]


def test_a_cost_of_the_users_is_kept_by_the_new_keys(library, folder):
    dear = Cost(memory_kib=128, passes=2, lanes=1)
    rekeyed(library, cost=dear)
    assert read_keys(folder).passphrase.cost == dear
    assert rekeying.open_either(folder / DATABASE, library._key, read_keys(folder)).close() is None


# Every way of putting back that somebody has tried who can write the folder


def ended(library: Library) -> None:
    """As a program that is killed: nothing more is written or noted."""
    library._database.close()
    library._lock.release()


def stated(body: dict) -> bytes:
    body.pop("checksum", None)
    plain = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    return json.dumps(body | {"checksum": hashlib.sha256(plain).hexdigest()}).encode()


@pytest.fixture(params=["keychain", "file"])
def memory(request, tmp_path: Path):
    return InMemory() if request.param == "keychain" else MemoryFile(tmp_path / "library-state.json")


def used(folder: Path, memory, act=lambda _: None, passphrase: str = PASSPHRASE, killed: bool = False):
    library = Library.open(folder, by_passphrase(passphrase), keychain=memory)
    found = library.put_back
    act(library)
    ended(library) if killed else library.lock()
    return found


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("kept_pages", [0, 1, 2, 5])
def test_pages_put_back_are_noticed_whichever_were_left(library, folder, tmp_path, memory, killed, kept_pages):
    """The last pages written, with the end of the audit log, may be left as they are."""
    for number in range(6):
        library.cases.add(make_case(label=f"case {number}"))
    library.lock()
    used(folder, memory)
    earlier = (folder / DATABASE).read_bytes()
    used(folder, memory, lambda one: one.cases.add(make_case(label="to be lost")), killed=killed)
    present = (folder / DATABASE).read_bytes()
    pages = range(0, min(len(earlier), len(present)), PAGE_BYTES)
    changed = [at for at in pages if earlier[at : at + PAGE_BYTES] != present[at : at + PAGE_BYTES]]
    assert len(changed) > kept_pages + 1
    mixed = bytearray(present if kept_pages else earlier)
    for at in changed[: len(changed) - kept_pages] if kept_pages else ():
        mixed[at : at + PAGE_BYTES] = earlier[at : at + PAGE_BYTES]
    (folder / DATABASE).write_bytes(mixed)
    try:
        assert PutBack.LIBRARY in used(folder, memory)
    except LibraryDamaged:
        assert kept_pages, "pages of two states do not fit together"


def test_the_whole_folder_put_back_after_a_crash_is_noticed(library, folder, tmp_path, memory):
    library.lock()
    used(folder, memory)
    shutil.copytree(folder, tmp_path / "earlier")
    used(folder, memory, lambda one: one.cases.add(make_case()), killed=True)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "earlier", folder)
    assert used(folder, memory) == (PutBack.LIBRARY,)
    assert used(folder, memory) == ()


def test_a_kill_is_no_alarm(library, folder, memory, monkeypatch):
    """Also between a change and noting it."""
    library.lock()
    used(folder, memory, lambda one: one.cases.add(make_case()), killed=True)
    assert used(folder, memory) == ()
    with monkeypatch.context() as cut:
        cut.setattr(Witness, "note", lambda *_: None)
        used(folder, memory, lambda one: one.cases.add(make_case()), killed=True)
    assert used(folder, memory) == ()


@pytest.mark.parametrize("way", ["whole", "epoch", "slot", "without mac", "copy beside the backups"])
def test_a_key_file_put_back_is_noticed_without_any_memory(library, folder, old_keys, way):
    """The library itself knows which key file is valid, and only who has its key can write one."""
    library.set_passphrase(NEW, CHEAP)
    library.take_recovery_key(library.draw_recovery_key())
    library.lock()
    assert used(folder, None, passphrase=NEW) == ()
    old, present = json.loads(old_keys.read_bytes()), json.loads((folder / KEYS).read_bytes())
    if way == "epoch":
        old["epoch"] = present["epoch"] + 5
    elif way == "slot":
        old = present | {"slots": present["slots"] | {"passphrase": old["slots"]["passphrase"]}}
    elif way == "without mac":
        del old["mac"]
        old["epoch"] = present["epoch"]
    (folder / KEYS).write_bytes(old_keys.read_bytes() if way == "whole" else stated(old))
    if way == "copy beside the backups":
        (folder / KEYS).unlink()
        shutil.copy(old_keys, folder / BACKUPS / KEYS)
    assert used(folder, None) == (PutBack.KEYS,)
    assert used(folder, None) == ()


def test_what_remembers_in_a_file_says_what_it_cannot_promise(library, folder, tmp_path):
    library.lock()
    used(folder, MemoryFile(tmp_path / "state.json"))
    said = json.loads((tmp_path / "state.json").read_text("utf-8"))["about"]
    assert "cannot promise" in said
    for harmed in ("", "[]", '{"about": 1}', "\0"):
        (tmp_path / "state.json").write_text(harmed, "utf-8")
        assert used(folder, MemoryFile(tmp_path / "state.json")) == ()


def test_a_library_of_an_earlier_program_is_no_alarm(library, folder):
    """Its key file vouches for nothing, and its tables know of none."""
    library.lock()
    wrapped = read_keys(folder)
    keep_keys(folder, replace(wrapped, mac=""))
    older = open_existing(folder / DATABASE, keys.open_with_passphrase(wrapped, PASSPHRASE))
    with older.reading() as db:
        db.execute("UPDATE state SET epoch = -1")
    older.close()
    assert used(folder, None) == ()
    assert read_keys(folder).mac

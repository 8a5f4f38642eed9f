from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.store.drafts import Draft, DraftStore, RecentCase
from noteeval_desktop.store.keyed_file import KEY_BYTES, FileKeys
from noteeval_desktop.store.sets import SetStore, SetsUnreadable
from noteeval_desktop.ui.case.autosave import recent_cases
from tests.factories import make_transcript
from tests.keychain import InMemory
from tests.report.test_files import kill_a_save

WHEN = datetime(2026, 1, 2, 3, 4)
SECRET = "Client 🙂 reports drinking four times a week."


def store(folder: Path, keychain: InMemory | None = None) -> DraftStore:
    return DraftStore(folder, FileKeys(folder, lambda: keychain))


def killed(*stores: DraftStore) -> None:
    """What a killed process leaves: its drafts, and locks that nobody holds."""
    for one in stores:
        one._lock.release()


def left(folder: Path, keychain: InMemory | None, *texts: str) -> None:
    made = [store(folder, keychain) for _ in texts]
    for number, (one, text) in enumerate(zip(made, texts, strict=True)):
        one.save(Draft(WHEN.replace(minute=number), text, None, make_transcript()))
    killed(*made)


def texts_of(folder: Path, keychain: InMemory | None) -> list[str]:
    """As their owner would take them up, one after the other."""
    found = []
    for orphan in store(folder, keychain).orphans():
        taking = store(folder, keychain)
        draft = taking.take(orphan.id)
        assert draft is not None
        found.append(draft.note_text)
        killed(taking)
    return found


def test_a_draft_survives_a_window_that_was_killed(tmp_path: Path) -> None:
    script = (
        "import os, sys; from datetime import datetime; from pathlib import Path\n"
        "from noteeval_desktop.store.keyed_file import FileKeys\n"
        "from noteeval_desktop.store.drafts import Draft, DraftStore\n"
        "from tests.factories import make_transcript\n"
        "folder = Path(sys.argv[1])\n"
        "store = DraftStore(folder, FileKeys(folder, lambda: None))\n"
        "store.save(Draft(datetime(2026, 1, 2, 3, 4), sys.argv[2], None, make_transcript()))\n"
        "os._exit(9)\n"
    )
    child = subprocess.run([sys.executable, "-c", script, str(tmp_path), SECRET], cwd=Path(__file__).parents[2])
    assert child.returncode == 9
    taking = store(tmp_path)
    (orphan,) = taking.orphans()
    assert (orphan.saved, orphan.words, orphan.turns) == (WHEN, 8, len(make_transcript().turns))
    draft = taking.take(orphan.id)
    assert draft is not None
    assert (draft.note_text, draft.saved) == (SECRET, WHEN)
    assert draft.transcript is not None
    assert draft.transcript.turns == make_transcript().turns
    assert draft.transcript.turns[1].role is Role.CLIENT


def test_drafts_that_were_offered_stay_until_each_is_taken_or_thrown_away(tmp_path: Path) -> None:
    left(tmp_path, None, "one", "two", "three")
    for _ in range(2):
        assert [orphan.saved.minute for orphan in store(tmp_path).orphans()] == [2, 1, 0]
    window = store(tmp_path)
    newest, second, oldest = window.orphans()
    window.throw_away(second.id)
    taken = window.take(newest.id)
    assert taken is not None
    assert taken.note_text == "three"
    assert [orphan.id for orphan in store(tmp_path).orphans()] == [oldest.id]
    killed(window)
    assert texts_of(tmp_path, None) == ["three", "one"]


@pytest.mark.parametrize(
    "written",
    [b"", str(os.getpid()).encode() + b"\npython\nhost\n", b"1\n"],
    ids=["empty", "own number", "number of the system"],
)
def test_a_lock_whose_owner_was_killed_is_void_at_once(tmp_path: Path, written: bytes) -> None:
    """Whatever it says, and though another process has its number by now."""
    left(tmp_path, None, SECRET)
    (orphan,) = store(tmp_path).orphans()
    for name in ("desk", orphan.id):
        (tmp_path / f"{name}.lock").write_bytes(written)
    started = time.monotonic()
    assert texts_of(tmp_path, None) == [SECRET]
    assert time.monotonic() - started < 2


def test_what_a_killed_save_left_beside_a_note_is_gone_at_the_next_start(tmp_path: Path) -> None:
    place = tmp_path / "notes"
    place.mkdir()
    note, session = place / "note.txt", place / "session.txt"
    for file in (note, session):
        file.write_text(SECRET, "utf-8")
    kill_a_save(note, "report.replace_synced")
    (part,) = place.glob("*.part")
    store(tmp_path).remember(RecentCase(session, note, WHEN))
    assert len(recent_cases(store(tmp_path))) == 1
    assert not part.exists()
    assert note.exists()


def test_a_draft_that_was_taken_up_is_the_windows_own(tmp_path: Path) -> None:
    left(tmp_path, None, "one")
    window, other = store(tmp_path), store(tmp_path)
    (orphan,) = other.orphans()
    window.save(Draft(WHEN, "before", None, None))
    window.take(orphan.id)
    assert other.take(orphan.id) is None
    other.throw_away(orphan.id)
    window.save(Draft(WHEN, "further", None, None))
    killed(window)
    assert texts_of(tmp_path, None) == ["further"]


def test_a_parked_draft_is_neither_written_over_nor_offered_elsewhere(tmp_path: Path) -> None:
    window = store(tmp_path)
    window.save(Draft(WHEN, "parked", None, None))
    parked = window.park()
    window.save(Draft(WHEN, "another", None, None))
    window.discard()
    assert store(tmp_path).orphans() == window.orphans() == ()
    draft = window.take(parked)
    assert draft is not None
    assert draft.note_text == "parked"


def test_a_draft_of_a_window_that_is_open_is_left_alone(tmp_path: Path) -> None:
    writing = store(tmp_path)
    writing.save(Draft(WHEN, SECRET, None, None))
    assert store(tmp_path).orphans() == ()
    writing.discard()
    assert store(tmp_path).orphans() == ()


@pytest.mark.parametrize("lost", ["locked keychain", "no keychain", "key gone from the keychain"])
def test_no_failure_of_the_keychain_gives_old_drafts_another_key(tmp_path: Path, lost: str) -> None:
    keychain = InMemory()
    left(tmp_path, keychain, "before")
    kept = dict(keychain.kept)
    keychain.broken = lost == "locked keychain"
    if lost == "key gone from the keychain":
        keychain.kept.clear()
    window = store(tmp_path, None if lost == "no keychain" else keychain)
    assert window.orphans() == ()
    (aside,) = tmp_path.glob("desk-*.db")
    assert aside.name in window.problem
    window.save(Draft(WHEN, "meanwhile", None, None))
    killed(window)
    keychain.broken = False
    keychain.kept |= kept
    later = store(tmp_path, keychain)
    assert len(later.orphans()) == 2
    assert later.problem == ""
    assert sorted(texts_of(tmp_path, keychain)) == ["before", "meanwhile"]
    assert not list(tmp_path.glob("desk-*.db"))


def test_a_file_that_no_key_opens_is_set_aside_as_it_is_and_writing_goes_on(tmp_path: Path) -> None:
    left(tmp_path, None, "before")
    for file in tmp_path.glob("*.key"):
        file.write_text("not a key")
    before = (tmp_path / "desk.db").read_bytes()
    window = store(tmp_path)
    window.save(Draft(WHEN, "after", None, None))
    (aside,) = tmp_path.glob("desk-*.db")
    assert aside.read_bytes() == before
    assert "could not be opened" in window.problem
    killed(window)
    assert texts_of(tmp_path, None) == ["after"]


def test_a_draft_that_could_not_be_taken_up_can_be_tried_again(tmp_path: Path, monkeypatch) -> None:
    left(tmp_path, None, "before")
    window = store(tmp_path)
    (orphan,) = window.orphans()
    with monkeypatch.context() as failing:
        failing.setattr(window, "discard", lambda: (_ for _ in ()).throw(OSError("the disk is full")))
        with pytest.raises(OSError, match="full"):
            window.take(orphan.id)
    assert window.take(orphan.id).note_text == "before"


def test_sets_whose_key_is_missing_are_called_sets(tmp_path: Path) -> None:
    SetStore(tmp_path, FileKeys(tmp_path, lambda: None)).add((), "waiting")
    for file in tmp_path.glob("*.key"):
        file.unlink()
    with pytest.raises(SetsUnreadable, match=r"sets\.db"):
        SetStore(tmp_path, FileKeys(tmp_path, lambda: None)).sets(("waiting",))


def test_a_key_goes_into_the_keychain_as_soon_as_there_is_one(tmp_path: Path) -> None:
    left(tmp_path, None, "before")
    keychain = InMemory()
    window = store(tmp_path, keychain)
    assert window.orphans()
    assert window.guarded
    assert not list(tmp_path.glob("*.key"))
    assert texts_of(tmp_path, keychain) == ["before"]


@pytest.mark.parametrize("kept_in", ["file", "keychain"])
def test_drafts_of_an_earlier_version_open_with_the_key_that_all_shared(tmp_path: Path, kept_in: str) -> None:
    keychain = InMemory()
    left(tmp_path, None, "before")
    (own,) = tmp_path.glob("*.key")
    if kept_in == "file":
        own.rename(tmp_path / "draft.key")
    else:
        keychain.kept["drafts"] = own.read_text()
        own.unlink()
    assert texts_of(tmp_path, keychain) == ["before"]


def test_what_was_discarded_is_not_left_in_the_file(tmp_path: Path) -> None:
    import sqlcipher3

    window = store(tmp_path)
    window.save(Draft(WHEN, SECRET * 500, None, None))
    window.discard()
    salt, key = window._known
    opened = sqlcipher3.connect(str(tmp_path / "desk.db"))
    opened.execute(f"PRAGMA key = \"x'{(key + salt).hex()}'\"")
    free = opened.execute("PRAGMA freelist_count").fetchone()[0]
    opened.close()
    assert free  # the pages are still there
    assert all(b"drinking" not in page for page in _decrypted_pages(tmp_path / "desk.db", key, salt))


def _decrypted_pages(file: Path, key: bytes, salt: bytes) -> Iterator[bytes]:
    """SQLCipher 4: pages of 4096, AES-256-CBC, 80 bytes reserved (16 of them the IV); the salt stands first."""
    content = file.read_bytes()
    for start in range(0, len(content), 4096):
        page = content[start : start + 4096]
        body, iv = page[16 if start == 0 else 0 : 4096 - 80], page[4096 - 80 : 4096 - 64]
        decryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
        yield decryptor.update(body) + decryptor.finalize()


def test_nothing_on_the_disk_shows_the_words(tmp_path: Path) -> None:
    writing = store(tmp_path / "d")
    writing.save(Draft(WHEN, SECRET, Path("Jane Roe note.md"), make_transcript()))
    writing.remember(RecentCase(Path("Jane Roe session.vtt"), Path("Jane Roe note.md"), WHEN))
    for file in (tmp_path / "d").iterdir():
        content = file.read_bytes()
        assert b"drinking" not in content
        assert b"Jane" not in content
        assert not content.startswith(b"SQLite format 3")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_only_this_user_can_read_the_folder(tmp_path: Path) -> None:
    store(tmp_path / "d").save(Draft(WHEN, SECRET, None, None))
    assert stat.S_IMODE((tmp_path / "d").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "d" / "desk.db").stat().st_mode) == 0o600


def test_recent_cases_whose_files_are_gone_are_left_out(tmp_path: Path) -> None:
    here, gone = tmp_path / "a.vtt", tmp_path / "gone.vtt"
    here.write_text("x")
    desk = store(tmp_path / "d")
    desk.remember(RecentCase(here, here, WHEN))
    desk.remember(RecentCase(gone, here, datetime(2026, 1, 3)))
    assert [case.transcript for case in desk.recent()] == [here]


def test_without_a_keychain_the_key_is_a_private_file(tmp_path: Path) -> None:
    writing = store(tmp_path / "d")
    writing.save(Draft(WHEN, SECRET, None, None))
    (file,) = (tmp_path / "d").glob("*.key")
    assert len(bytes.fromhex(file.read_text())) == KEY_BYTES
    assert not writing.guarded
    if os.name != "nt":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_next_window_offers_the_draft_and_brings_it_back(make_window, qtbot) -> None:
    first = make_window()
    with qtbot.waitSignal(first.session.evaluation_finished, timeout=10_000):
        first.session.paste_transcript("Therapist: Hi\nClient: Hello")
        first.session.open_note("Plan:\nRest.")
    first.workspace.editor.insertPlainText("New. ")
    with qtbot.waitSignal(first.autosave.saved, timeout=10_000):
        first.autosave.save_now()
    killed(first.outside.drafts)
    second = make_window()
    qtbot.waitUntil(lambda: "draft" in second.banner.text, timeout=10_000)
    with qtbot.waitSignal(second.session.evaluation_finished, timeout=10_000):
        second.banner.buttons[0].click()
    assert second.workspace.editor.note_text().startswith("New. Plan:")
    assert len(second.session.transcript.turns) == 2

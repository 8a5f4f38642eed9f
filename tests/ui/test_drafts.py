from __future__ import annotations

import os
import stat
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.ui.draft_key import KEY_BYTES, draft_key
from noteeval_desktop.ui.drafts import Draft, DraftStore, RecentCase
from tests.factories import make_transcript

WHEN = datetime(2026, 1, 2, 3, 4)
SECRET = "Client 🙂 reports drinking four times a week."


def key(_: Path) -> bytes:
    return b"\x07" * 32


def test_a_draft_survives_a_window_that_was_killed(tmp_path: Path) -> None:
    script = (
        "import os, sys; from datetime import datetime; from pathlib import Path\n"
        "from noteeval_desktop.ui.drafts import Draft, DraftStore\n"
        "from tests.factories import make_transcript\n"
        "store = DraftStore(Path(sys.argv[1]), lambda _: b'\\x07' * 32)\n"
        "store.save(Draft(datetime(2026, 1, 2, 3, 4), sys.argv[2], None, make_transcript()))\n"
        "os._exit(9)\n"
    )
    child = subprocess.run([sys.executable, "-c", script, str(tmp_path), SECRET], cwd=Path(__file__).parents[2])
    assert child.returncode == 9
    (draft,) = DraftStore(tmp_path, key).orphans()
    assert (draft.note_text, draft.saved) == (SECRET, WHEN)
    assert draft.transcript is not None
    assert draft.transcript.turns == make_transcript().turns
    assert draft.transcript.turns[1].role is Role.CLIENT
    assert DraftStore(tmp_path, key).orphans() == ()


def test_a_draft_of_a_window_that_is_open_is_left_alone(tmp_path: Path) -> None:
    writing = DraftStore(tmp_path, key)
    writing.save(Draft(WHEN, SECRET, None, None))
    assert DraftStore(tmp_path, key).orphans() == ()
    writing.discard()
    assert DraftStore(tmp_path, key).orphans() == ()


def test_nothing_on_the_disk_shows_the_words(tmp_path: Path) -> None:
    store = DraftStore(tmp_path / "d", key)
    store.save(Draft(WHEN, SECRET, Path("Jane Roe note.md"), make_transcript()))
    store.remember(RecentCase(Path("Jane Roe session.vtt"), Path("Jane Roe note.md"), WHEN))
    for file in (tmp_path / "d").iterdir():
        content = file.read_bytes()
        assert b"drinking" not in content
        assert b"Jane" not in content
        assert not content.startswith(b"SQLite format 3")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_only_this_user_can_read_the_folder(tmp_path: Path) -> None:
    store = DraftStore(tmp_path / "d", key)
    store.save(Draft(WHEN, SECRET, None, None))
    assert stat.S_IMODE((tmp_path / "d").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "d" / "desk.db").stat().st_mode) == 0o600


def test_recent_cases_whose_files_are_gone_are_left_out(tmp_path: Path) -> None:
    here, gone = tmp_path / "a.vtt", tmp_path / "gone.vtt"
    here.write_text("x")
    store = DraftStore(tmp_path / "d", key)
    store.remember(RecentCase(here, here, WHEN))
    store.remember(RecentCase(gone, here, datetime(2026, 1, 3)))
    assert [case.transcript for case in store.recent()] == [here]


def test_without_a_keychain_the_key_is_a_private_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring
    from keyring.backends import null

    monkeypatch.setattr(keyring, "get_keyring", null.Keyring)
    made = draft_key(tmp_path / "d")
    assert len(made) == KEY_BYTES
    assert draft_key(tmp_path / "d") == made
    if os.name != "nt":
        assert stat.S_IMODE((tmp_path / "d" / "draft.key").stat().st_mode) == 0o600


def test_the_next_window_offers_the_draft_and_brings_it_back(make_window, qtbot, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("noteeval_desktop.app.draft_key", key)
    first = make_window()
    with qtbot.waitSignal(first.session.evaluation_finished, timeout=10_000):
        first.session.paste_transcript("Therapist: Hi\nClient: Hello")
        first.session.paste_note("Plan:\nRest.")
    first.workspace.editor.insertPlainText("New. ")
    with qtbot.waitSignal(first.autosave.saved, timeout=10_000):
        first.autosave.save_now()
    # What a killed process leaves: its draft, and a lock that nobody holds.
    first.outside.drafts._lock.unlock()
    second = make_window()
    qtbot.waitUntil(lambda: "draft" in second.banner.text, timeout=10_000)
    with qtbot.waitSignal(second.session.evaluation_finished, timeout=10_000):
        second.banner.buttons[0].click()
    assert second.workspace.editor.note_text().startswith("New. Plan:")
    assert len(second.session.transcript.turns) == 2

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.platform import files
from noteeval_desktop.platform.files import remove_killed_saves
from noteeval_desktop.report.files import replacing, write_text

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has access lists in the place of modes")


def test_the_file_appears_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "out.json", "ä😀")
    assert (tmp_path / "out.json").read_text("utf-8") == "ä😀"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_what_fails_half_way_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "out.pdf"
    target.write_text("old")

    def fail_half_way() -> None:
        with replacing(target) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.pdf"]


@posix
def test_a_file_keeps_its_mode_its_names_and_what_is_noted_on_it(tmp_path: Path) -> None:
    shared, twice, new = tmp_path / "shared.md", tmp_path / "one.md", tmp_path / "new.md"
    shared.write_text("old")
    shared.chmod(0o664)
    twice.write_text("a longer old")
    (tmp_path / "other.md").hardlink_to(twice)
    for path in (shared, twice, new):
        write_text(path, "new")
    assert stat.S_IMODE(shared.stat().st_mode) == 0o664
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    assert (tmp_path / "other.md").read_text() == "new"


@posix
def test_a_file_of_somebody_elses_stays_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only an administrator may give a file away: it is written where it lies."""
    if os.getuid() != 0:
        pytest.skip("only an administrator can make such a file")
    path = tmp_path / "note.md"
    path.write_text("old")
    os.chown(path, 1234, 1235)
    write_text(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)
    inode = path.stat().st_ino

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "no")

    monkeypatch.setattr(os, "chown", refuse)
    write_text(path, "newer still")
    assert (path.stat().st_ino, path.read_text()) == (inode, "newer still")


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(InputError, match=r"note.md: is read-only\. Allow changes to it"):
        write_text(path, "new")
    assert path.read_text() == "old"


def test_the_content_is_on_the_disk_before_it_takes_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda handle: steps.append("sync"))
    monkeypatch.setattr(os, "replace", lambda *_: steps.append("replace"))
    write_text(tmp_path / "note.md", "new")
    assert steps[:2] == ["sync", "replace"]


_KILLED = """
import os, pathlib, signal, sys
from noteeval_desktop.platform import files
from noteeval_desktop.report import files as report

def die(*_, **__):
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

room, name = sys.argv[1].split(".")
def copy_half(new, old):
    old.write(new.read(2))
    old.flush()
    die()
rooms = {"files": files, "os": os, "report": report, "shutil": files.shutil}
setattr(rooms[room], name, copy_half if name == "copyfileobj" else die)
report.write_text(pathlib.Path(sys.argv[2]), "new")
"""


def kill_a_save(note: Path, at: str) -> None:
    killed = subprocess.run([sys.executable, "-c", _KILLED, at, str(note)], capture_output=True, check=False)
    assert (bool(killed.returncode), killed.stderr) == (True, b"")


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("files._remove_abandoned", "old"),
        ("os.close", "old"),
        ("report.replace_synced", "old"),
        ("os.fsync", "old"),
        ("files.replace_file", "old"),
        ("files.sync_folder", "new"),
    ],
)
def test_what_a_killed_save_left_is_told_from_what_one_writes_and_goes_at_once(
    tmp_path: Path, at: str, said: str
) -> None:
    note = tmp_path / "note.md"
    note.write_text("old")
    kill_a_save(note, at)
    assert len(list(tmp_path.iterdir())) > 1
    with replacing(tmp_path / "other.md") as written:
        written.write_text("being written")
        remove_killed_saves(tmp_path)
        assert set(tmp_path.iterdir()) == {note, written, written.with_suffix(".lock")}
    assert note.read_text() == said
    kill_a_save(note, at)
    write_text(tmp_path / "other.md", "new")
    assert {path.name for path in tmp_path.iterdir()} == {"note.md", "other.md"}


@posix
def test_a_save_that_is_killed_while_it_writes_over_a_file_leaves_a_whole_one_in_sight(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("older")
    (tmp_path / "same.md").hardlink_to(note)
    kill_a_save(note, "shutil.copyfileobj")
    remove_killed_saves(tmp_path)
    (whole,) = tmp_path.glob("note-saved-*.md")
    assert (note.read_text(), whole.read_text(), len(list(tmp_path.iterdir()))) == ("neder", "new", 3)


def test_what_another_computer_saves_in_a_shared_folder_stays_for_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lock may not be seen from here, and its clock and ours may go wrong."""
    with monkeypatch.context() as there:
        there.setattr(files, "_computer", lambda: "another")
        saving = replacing(tmp_path / "note.md")
        part = saving.__enter__()
        part.with_suffix(".lock").unlink()
    part.write_text("clinical")
    remove_killed_saves(tmp_path)
    monkeypatch.setattr(time, "time", lambda: 1e11)
    write_text(tmp_path / "other.md", "new")
    assert part.read_text() == "clinical"
    os.utime(part, (0, part.stat().st_mtime - 25 * 3600))
    write_text(tmp_path / "other.md", "newer")
    assert not part.exists()


def test_a_folder_that_knows_no_locks_is_saved_in_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> None:
        raise BlockingIOError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(files, "PassingLock", refuse)
    with replacing(tmp_path / "note.md") as part:
        part.write_text("new")
        remove_killed_saves(tmp_path)
        write_text(tmp_path / "other.md", "new")
    assert (tmp_path / "note.md").read_text() == "new"


@pytest.mark.parametrize("target", [".", "missing/out.json"])
def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path, target: str) -> None:
    with pytest.raises(InputError):
        write_text(tmp_path / target, "x")


@pytest.mark.skipif(os.name == "nt", reason="no such device there")
def test_a_device_is_written_to_and_not_replaced() -> None:
    write_text(Path(os.devnull), "x")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("name", "owner", "program"),
    [
        ("session note.docx", "~$ssion note.docx", "Word"),
        ("session.docx", "~$ession.docx", "Word"),
        ("note.docx", "~$note.docx", "Word"),
        ("note.docx", ".~lock.note.docx#", "LibreOffice"),
    ],
)
def test_a_document_that_word_or_libreoffice_has_open_is_not_replaced(
    tmp_path: Path, name: str, owner: str, program: str
) -> None:
    (tmp_path / name).write_text("old")
    (tmp_path / owner).write_text("somebody")
    with pytest.raises(InputError, match=rf"docx: is open in {program}\. Close it there, or save"):
        write_text(tmp_path / name, "new")
    assert (tmp_path / name).read_text() == "old"
    write_text(tmp_path / f"other {name}", "new")
    (tmp_path / owner).unlink()
    write_text(tmp_path / name, "new")
    assert (tmp_path / name).read_text() == "new"


@pytest.mark.skipif(os.name != "nt", reason="only Windows holds a file that is open")
def test_a_file_that_another_program_holds_is_said_to_be_open_there(tmp_path: Path) -> None:
    (tmp_path / "out.pdf").write_text("old")
    with (tmp_path / "out.pdf").open("rb"), pytest.raises(InputError, match="is open in another program"):
        write_text(tmp_path / "out.pdf", "new")


def test_a_path_of_four_hundred_characters_is_written(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["a long name of a folder of a client"] * 12)
    try:
        folder.mkdir(parents=True)
    except OSError:
        pytest.skip("this Windows has long paths switched off")
    write_text(folder / "out.json", "new")
    assert (folder / "out.json").read_text() == "new"


def test_a_link_keeps_pointing_at_the_file(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_text(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"

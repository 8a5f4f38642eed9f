from __future__ import annotations

import os
from pathlib import Path

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.report.files import replacing, write_text


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

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


def test_a_link_keeps_pointing_at_the_file(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_text(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"

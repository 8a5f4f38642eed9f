"""Files that lie where the program was started are data, never modules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from installers.environment import Environment
from tests.documents.test_bad_inputs import good_docx

ROOT = Path(__file__).resolve().parent.parent
HOSTILE = "import pathlib; pathlib.Path('ran').touch(); raise SystemExit('hostile')"
NAMES = ("docx", "lxml", "pypdf", "argparse", "csv", "numpy", "pysbd", "pip")


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(HOSTILE)
    (tmp_path / "note.docx").write_bytes(good_docx("Subjective", "Client slept well."))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("module", ["noteeval_desktop.cli", "noteeval_desktop"])
def test_run_as_a_module_from_a_folder_with_modules_of_those_names(downloads: Path, module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--help"], env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert not (downloads / "ran").exists()


@pytest.mark.parametrize("first", ["", ".", "here"])
def test_a_parser_is_not_taken_from_the_folder_of_the_file(first: str, downloads: Path) -> None:
    """As from an interactive session or a notebook, which look in the current folder first."""
    code = (
        "import sys, pysbd, pathlib; from noteeval_desktop.documents import read_note;"
        f"sys.path.insert(0, {(str(downloads) if first == 'here' else first)!r});"
        "print(read_note(pathlib.Path('note.docx')).text)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.stdout == "Subjective\nClient slept well.\n", done.stderr
    assert not (downloads / "ran").exists()


def test_the_set_up_takes_no_module_from_where_it_was_started(downloads: Path) -> None:
    home = Environment(downloads)
    home.python.parent.mkdir(parents=True)
    home.python.symlink_to(sys.executable)
    subprocess.run(home.module("pip", "--version"), capture_output=True, check=False)
    home._starts()
    assert not (downloads / "ran").exists()

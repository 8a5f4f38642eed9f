"""What packs the program: its parts agree with each other, and a frozen program finds what was packed with it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from installers import build, compare_builds, inside, program
from noteeval_desktop import paths
from noteeval_desktop.engines import models
from noteeval_desktop.engines.manifest import read_manifest
from noteeval_desktop.store.case_file import SUFFIX

INSTALLERS = Path(build.__file__).parent


def test_the_version_is_the_projects() -> None:
    project = (build.ROOT / "pyproject.toml").read_text("utf-8")
    assert f'\nversion = "{build.VERSION}"\n' in project


@pytest.mark.parametrize("file", ["linux/noteeval.xml", "windows/noteeval.iss", "noteeval.spec"])
def test_every_system_opens_case_files_with_it(file: str) -> None:
    assert SUFFIX.removeprefix(".") in (INSTALLERS / file).read_text("utf-8")


def test_the_menu_entry_opens_what_the_mime_type_names() -> None:
    (kind,) = re.findall(r'mime-type type="(.+)"', (INSTALLERS / "linux" / "noteeval.xml").read_text("utf-8"))
    entry = (INSTALLERS / "linux" / "noteeval.desktop").read_text("utf-8")
    assert f"MimeType={kind};" in entry
    assert "Exec=noteeval-desktop %F" in entry


def test_the_encoder_that_ships_comes_before_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTEEVAL_HOME", str(tmp_path / "home"))
    (tmp_path / "manifest.json").write_bytes(paths.model_manifest().read_bytes())
    monkeypatch.setattr(paths, "shipped_models", lambda: tmp_path)
    file = read_manifest().encoder.file
    assert models.encoder_path() == tmp_path / "home" / "models" / file
    (tmp_path / file).write_bytes(b"x")
    assert models.encoder_path() == tmp_path / file
    assert models.list_models()[0].state is models.State.DAMAGED
    assert models.encoder_path(tmp_path / "other") == tmp_path / "other" / file


@pytest.mark.parametrize(
    ("name", "said"), [("noteeval", "Reviews therapy notes"), ("noteeval-desktop", "usage: noteeval-desktop")]
)
def test_the_program_is_what_it_is_called(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", f"/opt/noteeval/{name}")
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    monkeypatch.setenv("LD_LIBRARY_PATH", "/packed")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/users")
    with contextlib.suppress(SystemExit):
        assert program.main() == 0
    assert said in capsys.readouterr().out
    assert os.environ["LD_LIBRARY_PATH"] == "/users"


def test_everybodys_licence_and_the_bill_of_materials_name_what_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [{"name": name, "bom-ref": name} for name in ("numpy", "PySide6_Essentials", "pytest")]
    links = [{"ref": "numpy", "dependsOn": ["pytest"]}, {"ref": "pytest"}]
    made = json.dumps({"bomFormat": "CycloneDX", "components": listed, "dependencies": links})
    done = subprocess.CompletedProcess([], 0, made)
    monkeypatch.setattr(subprocess, "run", lambda *_arguments, **_options: done)
    inside.write(tmp_path, ["numpy", "PySide6", "llama_cpp"])
    licences = (tmp_path / inside.LICENCES).read_text("utf-8")
    assert re.findall(r"^={78}\n([\w-]+)", licences, re.MULTILINE)[:2] == ["Python", "all-MiniLM-L6-v2"]
    assert {"numpy", "PySide6", "llama"} <= set(re.findall(r"^={78}\n([a-zA-Z0-9]+)", licences, re.MULTILINE))
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in licences
    assert "The ggml authors" in licences
    bill = json.loads((tmp_path / inside.SBOM).read_text("utf-8"))
    assert [part["name"] for part in bill["components"]] == [
        *("numpy", "PySide6_Essentials", "Python", "all-MiniLM-L6-v2")
    ]
    assert bill["dependencies"] == [{"ref": "numpy", "dependsOn": []}]


def test_the_tarball_is_the_same_for_the_same_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_text("one")
    made = []
    for name, umask in (("a", 0o700), ("b", 0o770)):
        (tmp_path / "in" / "file").touch()
        (tmp_path / "in").chmod(umask)
        build._tar(tmp_path / "in", tmp_path / name, "noteeval", 1_700_000_000)
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    with tarfile.open(tmp_path / "a") as archive:
        assert {(entry.name, entry.uid) for entry in archive} == {("noteeval", 0), ("noteeval/file", 0)}


@pytest.mark.skipif(sys.platform == "win32", reason="links take a privilege there")
def test_two_builds_are_compared_file_by_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        (folder / "inner").mkdir(parents=True)
        (folder / "inner" / "same").write_text("same")
        (folder / "link").symlink_to("inner/same")
    assert compare_builds.main([str(one), str(other)]) == 0
    (other / "inner" / "changed").write_text("more")
    (one / "inner" / "changed").write_text("less")
    (one / "alone").touch()
    (one / "link").unlink()
    (one / "link").symlink_to("inner/changed")
    assert compare_builds.differences(one, other) == ["alone", "inner/changed", "link"]
    assert compare_builds.main([str(one), str(other)]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("4 files, 3 differ")

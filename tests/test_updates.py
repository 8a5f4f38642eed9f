"""A file that says what is new is believed only as it was signed, and only about this program."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from installers import sign_update
from noteeval_desktop import __version__, paths
from noteeval_desktop.engines import models
from noteeval_desktop.errors import InputError
from noteeval_desktop.store.signing import Signer
from noteeval_desktop.updates import Update, installed, is_newer, read_update, signed

SIGNER = Signer(bytes(range(32)))
CHANGES = {"product": "NoteEval", "version": "0.2.0", "date": "2027-01-10", "changes": ["Notes in ½ the time.", "Böen"]}


def file(path: Path, **changed: object) -> Path:
    path.write_text(signed(Update.model_validate(CHANGES | changed), SIGNER), "utf-8")
    return path


@pytest.mark.parametrize(("version", "newer"), [("0.2.0", True), ("0.10.0", True), ("0.1.0", False)])
def test_a_signed_file_says_what_is_new(tmp_path: Path, version: str, newer: bool) -> None:
    update = read_update(file(tmp_path / "update.json", version=version), SIGNER.public, "0.1.0")
    assert (update.version, update.changes) == (version, tuple(CHANGES["changes"]))
    assert is_newer(update, "0.1.0") is newer


def tampered(path: Path) -> None:
    path.write_text(file(path).read_text("utf-8").replace("½", "¼"), "utf-8")


def unsigned(path: Path) -> None:
    path.write_text(json.dumps(CHANGES), "utf-8")


def signed_with_another_key(path: Path) -> None:
    path.write_text(signed(Update.model_validate(CHANGES), Signer(bytes(32))), "utf-8")


def with_half_a_character(path: Path) -> None:
    path.write_text('{"update": "\\ud800", "signature": ""}', "utf-8")


def of_a_later_form(path: Path) -> None:
    path.write_text(signed(Update.model_validate(CHANGES).model_copy(update={"version": "2027b"}), SIGNER), "utf-8")


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: file(path, version="0.0.9"), "it is about 0.0.9, which is older than your 0.1.0"),
        (lambda path: file(path, product="NoteBook"), "it is about another program, NoteBook"),
        (tampered, "it was not signed by the makers of your NoteEval, or was changed afterwards"),
        (signed_with_another_key, "it was not signed by the makers"),
        (unsigned, "it is not a signed update file"),
        (with_half_a_character, "it is"),
        (of_a_later_form, "it is of a form that your NoteEval does not know"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "it is not a signed update file"),
        (lambda path: path.write_bytes(b" " * 2_000_000 + b"{}"), "it is not a signed update file"),
        (lambda path: None, "it cannot be read (No such file"),
    ],
)
def test_any_other_file_is_refused_in_one_line(tmp_path: Path, make, problem: str) -> None:
    path = tmp_path / "update.json"
    make(path)
    with pytest.raises(InputError, match=r"^update\.json: ") as refused:
        read_update(path, SIGNER.public, "0.1.0")
    assert problem in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_is_installed_is_named_with_the_models_that_the_user_added(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(paths, "model_folder", lambda: tmp_path)
    (tmp_path / "my-model.gguf").write_bytes(b"GGUF")
    found = installed()
    assert (found.version, found.models) == (__version__, ("my-model",))
    assert found.judge
    assert bool(found.encoder) is (models.list_models()[0].state is models.State.READY)


def test_the_script_makes_a_key_and_signs_with_it(tmp_path: Path, capsys) -> None:
    key, changes, out = tmp_path / "key", tmp_path / "changes.json", tmp_path / "update.json"
    changes.write_text(json.dumps(CHANGES), "utf-8")
    assert sign_update.main(["new-key", str(key)]) == 0
    public = capsys.readouterr().out.strip()
    if sys.platform != "win32":
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert sign_update.main(["sign", str(key), str(changes), str(out)]) == 0
    assert read_update(out, public, "0.1.0").version == "0.2.0"
    with pytest.raises(FileExistsError):
        sign_update.new_key(key)
    assert sign_update.main([]) == 2

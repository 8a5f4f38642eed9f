"""What is said about GGUF files that the user points at."""

from __future__ import annotations

from pathlib import Path

import pytest

from noteeval_desktop.engines.own_models import describe, scan
from noteeval_desktop.errors import ModelError
from tests.gguf_factory import make_chat_model


def test_a_folder_is_listed_with_what_each_file_says(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    make_chat_model(tmp_path / "inner" / "b.GGUF", context=4096)
    make_chat_model(tmp_path / "a.gguf", context=100_000, template=None)
    (tmp_path / "cut.gguf").write_bytes((tmp_path / "a.gguf").read_bytes()[:5000])
    (tmp_path / "readme.txt").write_text("no model", "utf-8")
    plain, cut, own = scan(tmp_path)
    assert [model.path.name for model in (plain, cut, own)] == ["a.gguf", "cut.gguf", "b.GGUF"]
    assert plain.header is not None
    assert own.header is not None
    assert (plain.header.name, plain.header.quantisation, plain.header.bytes) == (
        "tiny",
        "F32",
        (tmp_path / "a.gguf").stat().st_size,
    )
    assert (plain.context, own.context) == (8192, 4096)
    assert (plain.template, own.template) == ("plain", "own")
    assert plain.memory > own.memory > plain.header.bytes
    assert (plain.problem, own.problem) == ("", "")
    assert cut.header is None
    assert "cut.gguf" in cut.problem


def test_a_model_that_does_not_fit_the_memory_says_so(tmp_path: Path) -> None:
    path = make_chat_model(tmp_path / "a.gguf")
    (model,) = scan(tmp_path, available=50_000_000)
    assert model.problem.endswith(" MB of memory; 50 MB are free.")
    assert describe(path, None).problem == ""


def test_an_encoder_is_no_chat_model(encoder_path: Path) -> None:
    model = describe(encoder_path)
    assert model.header is not None
    assert "Choose a chat model" in model.problem


def test_an_empty_folder_has_no_models_and_a_missing_one_is_said(tmp_path: Path) -> None:
    assert scan(tmp_path) == ()
    with pytest.raises(ModelError, match="no such folder"):
        scan(tmp_path / "missing")

from __future__ import annotations

import operator
import os
import shlex
import string
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import cli
from noteeval_desktop.documents.docx_text import docx_lines
from noteeval_desktop.engines.local_llm.build import installed_build
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.isolation import run_isolated

ROOT = Path(__file__).resolve().parent.parent
LIMITS: dict[str, Any] = {"seconds": 20.0, "memory_mb": 500}


def test_result_comes_back() -> None:
    assert run_isolated(sorted, [3, 1, 2], **LIMITS) == [1, 2, 3]
    assert run_isolated(string.capwords, "zoë 🙂", **LIMITS) == "Zoë 🙂"


def test_error_of_the_child_is_raised_here_as_it_was() -> None:
    with pytest.raises(InputError) as caught:
        run_isolated(docx_lines, b"PK\x03\x04 no zip", "session.docx", **LIMITS)
    assert caught.value.what == "session.docx"
    assert caught.value.problem == "the DOCX is damaged"


def test_unexpected_error_says_damaged() -> None:
    with pytest.raises(InputError, match=r"^a\.pdf: it is damaged \(ValueError\)"):
        run_isolated(int, "secret words", what="a.pdf", **LIMITS)


def test_endless_work_is_stopped() -> None:
    begin = time.monotonic()
    with pytest.raises(InputError, match="takes too long"):
        run_isolated(time.sleep, 60, seconds=0.5, memory_mb=500)
    assert time.monotonic() - begin < 30


@pytest.mark.parametrize("code", [0, 3])
def test_crash_is_an_error_with_a_way_on(code: int) -> None:
    with pytest.raises(InputError, match=r"^x\.pdf: reading it crashed the reader\. Open it"):
        run_isolated(os._exit, code, what="x.pdf", **LIMITS)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_killed_child_is_an_error() -> None:
    with pytest.raises(InputError, match="crashed the reader"):
        run_isolated(os.abort, **LIMITS)


def test_cancel_stops_the_child_at_once() -> None:
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    begin = time.monotonic()
    with pytest.raises(Cancelled):
        run_isolated(time.sleep, 60, cancel=cancel, **LIMITS)
    assert time.monotonic() - begin < 30


def test_child_has_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTEEVAL_API_KEY", "OPENAI_API_KEY", "SOME_TOKEN"):
        monkeypatch.setenv(name, "hush")
    whole = run_isolated(eval, "dict(__import__('os').environ)", **LIMITS)
    assert "hush" not in whole.values()
    assert all(run_isolated(os.getenv, name, **LIMITS) is None for name in ("NOTEEVAL_API_KEY", "OPENAI_API_KEY"))


def test_answer_that_is_no_plain_value_is_not_loaded() -> None:
    # The fraction would come back as an instruction to import its class: only plain values may.
    with pytest.raises(InputError, match="crashed the reader"):
        run_isolated(Fraction, "1/2", **LIMITS)


def test_print_in_the_child_does_not_garble_the_answer() -> None:
    assert run_isolated(print, "noise", **LIMITS) is None


def test_large_input_and_output() -> None:
    text = "Zoë " * 2_000_000
    assert run_isolated(operator.add, text, "!", **LIMITS) == text + "!"


def test_child_does_not_import_the_window_or_a_model() -> None:
    modules = run_isolated(list, **LIMITS)
    assert modules == []
    code = (
        "import sys; from noteeval_desktop.documents.docx_text import docx_lines;"
        "print([m for m in ('PySide6', 'llama_cpp', 'numpy', 'pysbd', 'openai', 'httpcore2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("how", [["-c"], ["-m"], []], ids=["-c", "-m", "script"])
def test_works_however_the_program_was_started(how: list[str], tmp_path: Path) -> None:
    # No `if __name__` guard: the child must not run the program's main module.
    code = (
        "from noteeval_desktop.isolation import run_isolated\n"
        "print('started', run_isolated(sorted, [2, 1], seconds=20, memory_mb=500))\n"
    )
    (tmp_path / "starter.py").write_text(code)
    target = {"-c": code, "-m": "starter"}.get("".join(how), str(tmp_path / "starter.py"))
    done = subprocess.run(
        [sys.executable, *how, target],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "started [1, 2]\n"


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # Stands in for a PyInstaller executable: a program whose first act is serve_if_child().
    program = tmp_path / "program"
    program.write_text(
        f"#!/bin/sh\n'''exec' {shlex.quote(sys.executable)} \"$0\" \"$@\"\n' '''\n"
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        f"print('started', file=open({str(tmp_path / 'starts')!r}, 'a'))\n"
        "from noteeval_desktop.child import serve_if_child\nserve_if_child()\nprint('window')\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))


@pytest.mark.usefixtures("frozen")
def test_frozen_program_starts_itself_as_the_child() -> None:
    assert run_isolated(sorted, [2, 1], **LIMITS) == [1, 2]


@pytest.mark.usefixtures("frozen")
def test_frozen_program_starts_itself_as_the_models_child() -> None:
    assert installed_build().features


@pytest.mark.usefixtures("frozen")
def test_frozen_program_starts_itself_as_a_worker_of_a_batch(tmp_path: Path, encoder_path: Path) -> None:
    (tmp_path / "note.md").write_text("Plan: Meet again.\n", "utf-8")
    for name in ("one", "two"):  # a session's notes go to one worker, and one worker is none
        (tmp_path / f"{name}.txt").write_text(f"Client: I have {name}.\n", "utf-8")
    (tmp_path / "pairs.csv").write_text("transcript,note\none.txt,note.md\ntwo.txt,note.md\n", "utf-8")
    arguments = ["--pairs", str(tmp_path / "pairs.csv"), "--out-dir", str(tmp_path / "out"), "--jobs", "2"]
    assert cli.main(["batch", *arguments]) == 0
    assert len(list((tmp_path / "out").glob("*.json"))) == 2
    assert len((tmp_path / "starts").read_text("utf-8").splitlines()) == 2

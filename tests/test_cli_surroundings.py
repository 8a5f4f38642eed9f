"""The commands where the terminal, the pipe, the folder or the user is an unusual one."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import cli, isolation, paths
from noteeval_desktop.errors import InputError
from noteeval_desktop.report.files import writable
from tests.sample_evaluation import SAMPLE, sample_case, sample_judge
from tests.scripted_judge import ScriptedJudge

T, N = str(SAMPLE / "transcript.vtt"), str(SAMPLE / "note.md")
SESSION = ["evaluate", "--transcript", T, "--note", N]
_ROOT = Path(__file__).resolve().parent.parent
_RUN = "import sys; from noteeval_desktop.cli import main; sys.exit(main())"

posix = pytest.mark.skipif(os.name != "posix", reason="signals and devices of POSIX")


def _scripted(*_: object) -> ScriptedJudge:
    return sample_judge(sample_case())


def _printed(monkeypatch: pytest.MonkeyPatch, encoding: str, arguments: list[str]) -> bytes:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    assert cli.main(arguments, _scripted) == 0
    return raw.getvalue()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437", "utf-16", "utf-8"])
def test_json_on_standard_output_loses_nothing_in_any_encoding(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "note.md"
    note.write_text("Subjective: Zoë slept 治 🙂 well.\nPlan: Meet.\n", "utf-8")
    arguments = ["evaluate", "--transcript", T, "--note", str(note), "--json", "-"]
    data = json.loads(_printed(monkeypatch, encoding, arguments).decode(encoding))
    assert data["case"]["note_text"] == "Subjective: Zoë slept 治 🙂 well.\nPlan: Meet.\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "utf-8"])
def test_the_table_is_printed_on_a_console_of_few_characters(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"20 of 23 checklist items covered" in _printed(monkeypatch, encoding, SESSION)


def test_a_closed_standard_output_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main([*SESSION, "--json", str(tmp_path / "o.json")], _scripted) == 0
    assert json.loads((tmp_path / "o.json").read_bytes())["complete"] is True


def test_a_closed_standard_input_holds_no_response(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.main(["score-response", "--context", "-", "--response", N], _scripted) == 2
    assert capsys.readouterr().err == ("noteeval: standard input: is closed. Pipe the text in, or give it as a file.\n")


def _of_process(arguments: list[str], **more: Any) -> tuple[int, str]:
    ended = subprocess.run(
        [sys.executable, "-c", _RUN, *arguments], cwd=_ROOT, stderr=subprocess.PIPE, timeout=60, check=False, **more
    )
    return ended.returncode, ended.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_behind_standard_output_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        code, said = _of_process(["models", "list"], stdout=full)
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith("noteeval: A file or standard output: cannot be used (No space left on device). ")


@posix
def test_a_reader_that_has_enough_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert _of_process(["models", "list"], stdout=writer) == (0, "")
    finally:
        os.close(writer)


@posix
def test_ctrl_c_while_the_program_still_loads_is_130_and_one_line() -> None:
    # What takes long to import is held up, so that the signal comes in the midst of it.
    slow = (
        "import importlib.abc, os, signal, sys, time\n"
        "class Slow(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'noteeval_desktop.commands.judging':\n"
        "            os.kill(os.getpid(), signal.SIGINT); time.sleep(0.2)\n"
        "        return None\n"
        "sys.meta_path.insert(0, Slow())\n" + _RUN
    )
    ended = subprocess.run(
        [sys.executable, "-c", slow, "evaluate", "--transcript", T, "--note", N],
        cwd=_ROOT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (130, b"noteeval: cancelled.\n")


def test_help_loads_no_model_no_client_and_no_keychain() -> None:
    check = (
        "import sys; from noteeval_desktop.cli import main; main(['--help']);"
        "ours = [f'noteeval_desktop.{name}' for name in ('documents', 'judges', 'report', 'domain.evaluation')];"
        "heavy = ('openai', 'httpcore2', 'llama_cpp', 'numpy', 'keyring', 'pydantic', 'difflib', 'tomllib', *ours);"
        "sys.exit(sum(name in sys.modules for name in heavy))"
    )
    assert subprocess.run([sys.executable, "-c", check], cwd=_ROOT, capture_output=True, check=False).returncode == 0


@posix
def test_ctrl_c_in_a_terminal_leaves_the_child_to_its_parent() -> None:
    assert isolation.run_isolated(os.getpgrp, seconds=20, memory_mb=500) != os.getpgrp()


@posix
def test_ctrl_c_at_a_question_ends_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    class Waiting(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            signal.raise_signal(signal.SIGINT)
            time.sleep(60)
            return b"late"

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Waiting()))
    begin = time.monotonic()
    assert cli.main(["score-response", "--context", "-", "--response", N], _scripted) == 130
    assert time.monotonic() - begin < 30
    assert capsys.readouterr().err == "noteeval: cancelled.\n"


@posix
def test_links_in_a_circle_and_unknown_users_are_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    assert cli.main(["evaluate", "--transcript", str(loop), "--note", N], _scripted) == 2
    assert cli.main([*SESSION, "--json", "~nobody-of-that-name/o.json"], _scripted) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["loop", "o.json"]
    assert writable(loop) == loop


@posix
def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTEEVAL_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    with pytest.raises(InputError, match="Set NOTEEVAL_HOME to a folder of yours"):
        paths.data_folder()


def test_a_name_with_a_line_break_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["evaluate", "--transcript", "a\n\x1b[2Jb.txt", "--note", N], _scripted) == 2
    assert capsys.readouterr().err == (
        "noteeval: a\ufffd\ufffd[2Jb.txt: there is no such file. Check the name and the folder.\n"
    )


OVER = {
    "the context": ["score-response", "--context", "own.json", "--response", N, "--json", "own.json"],
    "the set": ["score-response", "--set", "own.json", "--json", "./own.json"],
    "the note": ["degrade", "--note", "own.json", "--out", "o.md", "--json", "own.json"],
    "the degraded note": ["degrade", "--note", N, "--out", "new.md", "--json", "new.md"],
    "the data": ["benchmark", "composed", "--data", "own.json", "--json", "own.json"],
    "the ratings": ["agreement", "--data", "own.json", "--json", "own.json"],
    "the list": ["batch", "--pairs", "p.csv", "--out-dir", "out", "--aggregate", "p.csv"],
    "a note of the list": ["batch", "--pairs", "p.csv", "--out-dir", "out", "--aggregate", "own.json"],
    "a result of the list": ["batch", "--pairs", "p.csv", "--out-dir", "out", "--aggregate", "out/own.json"],
    "the note of a case": ["batch", "--pairs", "p.csv", "--out-dir", "."],
}


@pytest.mark.parametrize("arguments", OVER.values(), ids=OVER.keys())
def test_no_command_writes_over_what_it_reads(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    own, listed = '{"subjective": "Slept.", "plan": "Meet."}', f"id,transcript,note\nown,{T},own.json\n"
    (tmp_path / "own.json").write_text(own)
    (tmp_path / "p.csv").write_text(listed, "utf-8")
    assert cli.main(arguments, _scripted) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert ((tmp_path / "own.json").read_text(), (tmp_path / "p.csv").read_text("utf-8")) == (own, listed)
    assert not (tmp_path / "new.md").exists()


def test_the_aggregate_goes_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.csv").write_text(f"transcript,note\n{T},{N}\n", "utf-8")
    arguments = ["batch", "--pairs", str(tmp_path / "p.csv"), "--out-dir", str(tmp_path / "out"), "--aggregate", "-"]
    assert cli.main(arguments, _scripted) == 0
    assert [case["status"] for case in json.loads(capsys.readouterr().out)["cases"]] == ["done"]


def test_a_quotation_mark_that_is_never_closed_hides_no_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.csv").write_text(f'transcript,note,clinician\n{T},{N},"Dr. Ü\n{T},{N},Dr. Y\n', "utf-8")
    assert cli.main(["batch", "--pairs", str(tmp_path / "p.csv"), "--out-dir", str(tmp_path / "out")], _scripted) == 2
    assert "p.csv: is not a readable CSV file (unexpected end of data)" in capsys.readouterr().err


@pytest.mark.parametrize("data", ["[]", "{}"])
def test_composed_sessions_that_are_none_are_refused(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none.json").write_text(data)
    assert cli.main(["benchmark", "composed", "--data", str(tmp_path / "none.json")], _scripted) == 2
    assert "none.json: holds no composed sessions." in capsys.readouterr().err


def test_references_without_the_package_that_compares_them_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (tmp_path / "p.csv").write_text(f"transcript,note,reference\n{T},{N},{N}\n", "utf-8")
    arguments = ["batch", "--pairs", str(tmp_path / "p.csv"), "--out-dir", str(tmp_path / "out"), "--aggregate", "-"]
    assert cli.main(arguments, _scripted) == 0
    printed = capsys.readouterr()
    assert printed.err == (
        "noteeval: note: references are not compared: that needs the package rouge-score, in the extra measure.\n"
    )
    assert json.loads(printed.out)["reference"] is None

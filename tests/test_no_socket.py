"""Judging on this computer opens no socket at all, neither in this process nor in the children it starts.

An audit hook sees sockets made from C as well; in a child it is put before everything else that runs there.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from noteeval_desktop import cli, isolation
from tests.gguf_factory import make_brief_model
from tests.let_in import let_in

SESSION = """WEBVTT

00:00:01.000 --> 00:00:04.000
<v Therapist>How was the week?

00:00:05.000 --> 00:00:09.000
<v Client>I slept badly and had two drinks on Friday.
"""
NOTE = "Subjective\nClient slept badly.\n\nPlan\nMeet next week.\n"
_HOOK = """
import sys
def _told(event, arguments):
    if event.startswith("socket.") and event != "socket.gethostname":
        with open({log!r}, "a") as log:
            print(event, file=log)
sys.addaudithook(_told)
"""


@dataclass
class Watch:
    """Socket events of this process while ``on``, and of children in ``log``."""

    log: Path
    on: bool = False
    own: list[str] = field(default_factory=list)

    @property
    def seen(self) -> list[str]:
        return self.own + (self.log.read_text("utf-8").split() if self.log.exists() else [])


@pytest.fixture(scope="module")
def hook() -> Watch:
    watch = Watch(Path())

    def told(event: str, _arguments: tuple[object, ...]) -> None:
        if watch.on and event.startswith("socket."):
            watch.own.append(event)

    sys.addaudithook(told)  # for good, hence once a module
    return watch


@pytest.fixture
def watch(hook: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    hook.log, hook.own = tmp_path / "sockets.log", []
    before = _HOOK.format(log=str(hook.log))
    monkeypatch.setattr(isolation, "_BOOT", f"{before}\n{isolation._BOOT}")
    hook.on = True
    yield hook
    hook.on = False


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    (tmp_path / "session.vtt").write_text(SESSION, "utf-8")
    (tmp_path / "note.txt").write_text(NOTE, "utf-8")
    return ["--transcript", str(tmp_path / "session.vtt"), "--note", str(tmp_path / "note.txt")]


def test_a_socket_in_this_process_would_be_seen(watch: Watch) -> None:
    socket.socket().close()
    assert watch.seen


def test_a_socket_in_a_child_would_be_seen(watch: Watch) -> None:
    code = isolation._BOOT.split("\nimport sys; sys.path[:]")[0] + "\nimport socket; socket.socket().close()"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)
    assert len(watch.seen) == 1


def test_the_built_in_judge_opens_none(watch: Watch, inputs: list[str], encoder_path: Path, tmp_path: Path) -> None:
    outputs = [f"--{kind}={tmp_path / f'out.{kind}'}" for kind in ("json", "csv", "pdf")]
    assert cli.main(["evaluate", *inputs, *outputs]) == 0
    (tmp_path / "pairs.csv").write_text("transcript,note\nsession.vtt,note.txt\n", "utf-8")
    batch = ["--pairs", str(tmp_path / "pairs.csv"), "--out-dir", str(tmp_path / "out"), "--jobs", "2"]
    assert cli.main(["batch", *batch]) == 0
    words = ["--context", inputs[1], "--response", inputs[3]]
    assert cli.main(["score-response", *words]) == 0
    assert cli.main(["models", "list"]) == 0
    assert cli.main(["degrade", "--note", inputs[3], "--out", str(tmp_path / "worse.txt")]) == 0
    assert watch.seen == []


def test_a_local_model_opens_none(watch: Watch, inputs: list[str], encoder_path: Path, tmp_path: Path) -> None:
    model = let_in(make_brief_model(tmp_path / "tiny.gguf"))
    out = tmp_path / "out.json"
    code = cli.main(["evaluate", *inputs, "--judge", "local", "--model", str(model), "--json", str(out)])
    data = json.loads(out.read_text("utf-8"))
    assert data["judge"]["kind"] == "local"
    assert data["usage"]["calls"] > 10
    assert data["usage"]["bytes_sent"] == 0
    assert code in (0, 1)
    assert watch.seen == []

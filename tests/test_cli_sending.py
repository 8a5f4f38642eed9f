"""What a command that sends says, asks and shows before anything leaves the computer."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.commands import provider
from tests.batch_server import Provider, serving
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, Body, serve
from tests.sample_evaluation import SAMPLE, beginning_of_sample

pytestmark = pytest.mark.usefixtures("another_computer")

FENCE = re.compile(rb"[0-9a-f]{12}")
RUSSIAN = "Сегодня я почти не спала и весь день думала о сестре, которая уехала весной."


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def files(tmp_path: Path, lent_encoder: None) -> Path:
    (tmp_path / "short.md").write_text("# Plan\nMeet Tamsin Orbeley again next week.\n", "utf-8")
    session = beginning_of_sample(tmp_path)
    rows = f"id,transcript,note\na,{session},{SAMPLE / 'note.md'}\nb,{session},{tmp_path / 'short.md'}\n"
    (tmp_path / "pairs.csv").write_text(rows, "utf-8")
    (tmp_path / "said.txt").write_text("I told Tamsin Orbeley that I cannot sleep.", "utf-8")
    (tmp_path / "response.txt").write_text("That sounds hard. What kept you awake?", "utf-8")
    pairs = [{"id": str(n), "context": "Tamsin left.", "response": f"Tell me more, {n}."} for n in range(3)]
    (tmp_path / "set.json").write_text(json.dumps(pairs), "utf-8")
    return tmp_path


def commands(files: Path) -> dict[str, list[str]]:
    batch = ["batch", "--pairs", str(files / "pairs.csv"), "--out-dir", str(files / "out")]
    return {
        "evaluate": ["evaluate", "--transcript", str(files / "beginning.vtt"), "--note", str(SAMPLE / "note.md")],
        "batch": batch,
        "provider batch": [*batch, "--provider-batch"],
        "score-response": [
            *("score-response", "--context", str(files / "said.txt"), "--response", str(files / "response.txt")),
        ],
        "score-response --set": ["score-response", "--set", str(files / "set.json")],
    }


COMMANDS = ["evaluate", "batch", "provider batch", "score-response", "score-response --set"]


def sound(body: Body, _number: int) -> Behaviour:
    return Behaviour(content=sound_for_any(as_request(body)))


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Terminal]:
    """Puts the command on a terminal where a person types this; gives what the terminal shows."""

    def on_terminal(answer: str) -> Terminal:
        shown = Terminal()
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        monkeypatch.setattr(sys, "stderr", shown)
        return shown

    return on_terminal


def test_a_judge_that_sends_nothing_loads_no_client(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "noteeval_desktop.judges.llm.remote", None)
    assert cli.main(commands(files)["score-response"]) == 0


@pytest.mark.parametrize("answer", ["\n", "n\n", "", "send\n"])
@pytest.mark.parametrize("name", COMMANDS)
def test_on_a_terminal_nothing_is_sent_before_a_yes(
    name: str, answer: str, files: Path, typed: Callable[[str], Terminal]
) -> None:
    shown = typed(answer)
    with serve(sound) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main([*commands(files)[name], *remote]) == 130
    assert endpoint.requests == []
    said = shown.getvalue()
    assert re.search(r"[1-9]\d* names? and \d+ other identifiers? will be replaced", said)
    assert said.count("[y/N]") == 1
    assert "nothing was sent" in said


@pytest.mark.parametrize("name", ["evaluate", "batch", "score-response", "score-response --set"])
def test_a_yes_sends_and_is_asked_for_once(name: str, files: Path, typed: Callable[[str], Terminal]) -> None:
    shown = typed("y\n")
    with serve(sound) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main([*commands(files)[name], *remote]) == 0
    assert endpoint.requests
    assert shown.getvalue().count("[y/N]") == 1


def test_a_provider_batch_is_asked_for_once(
    files: Path, typed: Callable[[str], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "POLL_SECONDS", 0.01)
    shown = typed("y\n")
    ready = '{"ready": true}'
    with serving(
        Provider(lambda body: ready if "Are you ready?" in json.dumps(body) else sound_for_any(as_request(body)))
    ) as served:
        remote = ["--judge", "remote", "--base-url", served.url, "--model", "m", "--consent"]
        assert cli.main([*commands(files)["provider batch"], *remote]) == 0
    assert shown.getvalue().count("[y/N]") == 1
    assert "Send these 2 cases to" in shown.getvalue()


def test_the_words_that_nobody_knows_are_named_before_the_question(
    files: Path, typed: Callable[[str], Terminal]
) -> None:
    (files / "said.txt").write_text("We talked about Quorvex all day.", "utf-8")
    shown = typed("n\n")
    with serve(sound) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main([*commands(files)["score-response"], *remote]) == 130
    said = shown.getvalue()
    assert said.index("Quorvex") < said.index("[y/N]")


def test_a_benchmark_sends_its_data_only_after_a_yes(files: Path, typed: Callable[[str], Terminal]) -> None:
    rows = [
        "mi_quality,transcript_id,topic,utterance_id,interlocutor,utterance_text",
        "high,1,alcohol,0,therapist,How have you been?",
        "high,1,alcohol,1,client,I drank again.",
        "low,2,alcohol,0,therapist,You must stop.",
        "low,2,alcohol,1,client,Leave me alone.",
    ]
    (files / "pairs.csv").write_text("\n".join(rows), "utf-8")
    shown = typed("n\n")
    with serve(sound) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main(["benchmark", "annomi", "--data", str(files / "pairs.csv"), *remote]) == 130
    assert endpoint.requests == []
    assert "Send what pairs.csv holds" in shown.getvalue()


def test_what_was_judged_before_is_not_asked_about(files: Path, typed: Callable[[str], Terminal]) -> None:
    with serve(sound) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main([*commands(files)["batch"], *remote]) == 0
        shown = typed("")
        assert cli.main([*commands(files)["batch"], *remote, "--resume"]) == 0
    assert "[y/N]" not in shown.getvalue()


@pytest.mark.parametrize("name", ["evaluate", "batch", "score-response", "score-response --set"])
def test_a_preview_is_every_request_that_is_then_sent(name: str, files: Path) -> None:
    shown = files / "shown.jsonl"
    more = ["--likert"] if name == "evaluate" else []

    def answer(body: Body, number: int) -> Behaviour:
        marks = {"completeness": 3, "conciseness": 4, "faithfulness": 5}
        request = as_request(body)
        return Behaviour(content=json.dumps(marks)) if '"conciseness"' in request.question else sound(body, number)

    with serve(answer) as endpoint:
        remote = [*commands(files)[name], *more, "--judge", "remote", "--base-url", endpoint.url, "--model", "m"]
        assert cli.main([*remote, "--preview", str(shown)]) == 0
        assert endpoint.raw == []
        assert cli.main([*remote, "--consent"]) == 0
    lines = shown.read_bytes().splitlines()
    assert sorted(FENCE.sub(b"", line) for line in lines) == sorted(FENCE.sub(b"", body) for body in endpoint.raw)


def test_a_preview_of_a_provider_batch_is_the_file_that_is_uploaded(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = files / "shown.jsonl"
    with serve(sound) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--preview", str(shown)]
        assert cli.main([*commands(files)["provider batch"], *remote]) == 0
    assert endpoint.requests == []
    lines = [json.loads(line) for line in shown.read_bytes().splitlines()]
    assert {line["url"] for line in lines} == {"/v1/chat/completions"}
    assert "Orbeley" not in shown.read_text("utf-8")
    assert "nothing was sent" in capsys.readouterr().err


def test_a_session_that_is_hidden_nearly_whole_is_said_wherever_the_command_runs(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = "\n".join(f"{who}: {RUSSIAN}" for who in ("Therapist", "Client") * 6)
    (files / "russian.txt").write_text(turns, "utf-8")
    with serve(sound) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        session = ["evaluate", "--transcript", str(files / "russian.txt"), "--note", str(SAMPLE / "note.md")]
        cli.main([*session, *remote])
        assert "most words of this case are hidden before sending" in capsys.readouterr().err
        cli.main([*commands(files)["evaluate"], *remote])
        assert "most words" not in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_a_real_terminal_is_asked(files: Path) -> None:
    import pty

    main, other = pty.openpty()
    with serve(sound) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        command = [sys.executable, "-m", "noteeval_desktop.cli", *commands(files)["score-response"], *remote]
        with subprocess.Popen(command, stdin=other, stdout=subprocess.PIPE, stderr=other) as process:
            os.write(main, b"n\n")
            process.communicate(timeout=60)
            said = os.read(main, 10_000)
    os.close(main)
    os.close(other)
    assert process.returncode == 130
    assert b"[y/N]" in said
    assert endpoint.requests == []

"""The commands as another program runs them: the real judge, real processes, real files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from noteeval_desktop import cli, paths
from tests.sample_evaluation import SAMPLE, beginning_of_sample

T, N = str(SAMPLE / "transcript.vtt"), str(SAMPLE / "note.md")
COMMAND = [sys.executable, "-m", "noteeval_desktop.cli"]
MEMBERS = {
    "case": {"transcript_sha256", "note_sha256", "warnings", "note_text", "turns"},
    "judge": {"kind", "model", "rubric", "prompts", "version"},
    "scores": {"completeness", "conciseness", "faithfulness"},
    "usage": {"calls", "input_tokens", "output_tokens", "cached_tokens", "cost", "seconds", "bytes_sent"},
}
ITEM = {"item", "section", "importance", "present", "probability", "sentences", "suggested_turns"}
SENTENCE = {
    "id", "section", "text", "start", "end", "needed", "probability_needed", "items", "verdict",
    "probability_supported", "severity", "rationale", "citations",
}  # fmt: skip


def _noteeval(*arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, timeout=100, check=False)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(beginning_of_sample(tmp_path_factory.mktemp("session")))


@pytest.fixture(scope="module")
def written(session: str, encoder_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("out")
    outputs = [word for kind in ("json", "pdf", "csv") for word in (f"--{kind}", str(folder / f"o.{kind}"))]
    done = _noteeval("evaluate", "--transcript", session, "--note", N, *outputs)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"checklist items covered" in done.stdout
    return folder


@pytest.fixture(scope="module")
def evaluation(written: Path) -> Any:
    return json.loads((written / "o.json").read_text("utf-8"))


def test_a_case_gives_every_file(written: Path) -> None:
    assert sorted(path.name for path in written.iterdir()) == ["o.csv", "o.json", "o.pdf"]
    assert (written / "o.pdf").read_bytes().startswith(b"%PDF")


def test_the_json_fits_its_schema_and_the_contract(evaluation: Any) -> None:
    schema = json.loads((paths.resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(evaluation)
    assert evaluation["schema"] == "noteeval.evaluation/1"
    assert evaluation["complete"] is True
    for member, names in MEMBERS.items():
        assert names <= set(evaluation[member])
    assert all(set(item) >= ITEM for item in evaluation["checklist"])
    assert all(set(sentence) >= SENTENCE for sentence in evaluation["sentences"])
    assert evaluation["judge"]["kind"] == "builtin"
    assert evaluation["usage"]["bytes_sent"] == 0


def test_the_scorecard_verifies_against_its_files(written: Path, session: str, tmp_path: Path) -> None:
    done = _noteeval(
        "verify",
        str(written / "o.pdf"),
        "--transcript",
        session,
        "--note",
        N,
        "--case",
        str(written / "o.json"),
        "--json",
        "-",
    )
    assert (done.returncode, done.stderr) == (0, b"")
    found = json.loads(done.stdout)
    schema = json.loads((paths.resources() / "schema" / "noteeval.verification-1.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(found)
    assert (found["unaltered"], found["matches"]) == (True, True)
    assert {check["state"] for check in found["checks"]} == {"same", "not compared"}
    other = tmp_path / "note.md"
    other.write_text("Subjective: Another note.\nPlan: Next week.\n", "utf-8")
    assert _noteeval("verify", str(written / "o.pdf"), "--note", str(other)).returncode == 1


def test_every_span_quotes_exactly(evaluation: Any) -> None:
    note, turns = evaluation["case"]["note_text"], evaluation["case"]["turns"]
    for sentence in evaluation["sentences"]:
        assert note[sentence["start"] : sentence["end"]] == sentence["text"]
    places = [citation for sentence in evaluation["sentences"] for citation in sentence["citations"]]
    places += evaluation["omissions"]
    assert places
    for place in places:
        assert turns[place["turn"]]["text"][place["start"] : place["end"]] == place["quote"]


def test_every_item_and_every_sentence_is_judged(evaluation: Any) -> None:
    assert len(evaluation["checklist"]) == 26
    assert all(isinstance(item["present"], bool) for item in evaluation["checklist"])
    assert all(isinstance(sentence["needed"], bool) for sentence in evaluation["sentences"])
    assert all(sentence["verdict"] for sentence in evaluation["sentences"])


def test_the_scores_follow_from_the_verdicts(evaluation: Any) -> None:
    items = [item["present"] for item in evaluation["checklist"] if item["section"] != "general"]
    needed = [sentence["needed"] for sentence in evaluation["sentences"]]
    verdicts = [sentence["verdict"] for sentence in evaluation["sentences"]]
    checkable = [verdict for verdict in verdicts if verdict != "observed"]
    scores = evaluation["scores"]
    assert scores["completeness"]["note"] == pytest.approx(sum(items) / 23)
    assert scores["conciseness"]["note"] == pytest.approx(sum(needed) / len(needed))
    assert scores["faithfulness"]["note"] == pytest.approx(checkable.count("supported") / len(checkable))
    assert scores["faithfulness"]["published_definition"] == pytest.approx(verdicts.count("supported") / len(verdicts))


def test_judging_again_says_the_same(
    evaluation: Any, session: str, lent_encoder: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["evaluate", "--transcript", session, "--note", N, "--json", "-"]) == 0
    again = json.loads(capsys.readouterr().out)
    again["usage"] = evaluation["usage"]
    assert again == evaluation


def test_a_response_is_scored_from_standard_input(encoder_path: Path, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("I haven't slept since she left.")
    response = b"That sounds exhausting. Would you tell me about last night?"
    done = _noteeval(
        "score-response", "--context", str(tmp_path / "c.txt"), "--response", "-", "--json", "-", stdin=response
    )
    assert (done.returncode, done.stderr) == (0, b"")
    scored = json.loads(done.stdout)
    assert "turn" not in scored
    assert set(scored["scores"]) == {
        "guidance", "informativeness", "safety", "empathy", "helpfulness", "interpretation",
    }  # fmt: skip
    for evidence in scored["evidence"]:
        assert response.decode()[evidence["start"] : evidence["end"]] == evidence["quote"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "--transcript", "none.vtt", "--note", N],
        ["batch", "--pairs", "none.csv", "--out-dir", "out"],
    ],
)  # fmt: skip
def test_bad_usage_is_one_line_and_exit_2(arguments: list[str]) -> None:
    done = _noteeval(*arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(b"noteeval: ")
    assert done.stdout == b""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl+C cannot be sent to one process there")
def test_an_interrupted_batch_leaves_whole_files_and_goes_on_later(
    lent_encoder: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, note = beginning_of_sample(tmp_path), tmp_path / "note.md"
    note.write_text("# Subjective\nClient sleeps five hours.\n# Plan\nMeet next week.\n", "utf-8")
    rows = "".join(f"c{number},{session},{note}\n" for number in range(12))
    (tmp_path / "pairs.csv").write_text("id,transcript,note\n" + rows, "utf-8-sig")
    out = tmp_path / "out"
    arguments = ["batch", "--pairs", str(tmp_path / "pairs.csv"), "--out-dir", str(out), "--resume"]
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    waited = time.monotonic() + 60
    while not list(out.glob("*.json")) and time.monotonic() < waited:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert {path.suffix for path in out.iterdir()} == {".json", ".jsonl"}
    finished = [path for path in out.glob("*.json") if json.loads(path.read_text("utf-8"))["complete"]]
    assert 1 <= len(finished) < 12
    assert cli.main([*arguments, "--jobs", "1"]) == 0
    assert f"Resumed  {len(finished)}" in capsys.readouterr().out
    assert len(list(out.glob("*.json"))) == 12

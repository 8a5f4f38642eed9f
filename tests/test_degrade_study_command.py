"""`noteeval degrade-study` from the command line: files, resuming, and what cannot be asked for."""

from __future__ import annotations

import argparse
import csv
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from xml.etree import ElementTree

import pytest

from noteeval_desktop import cli
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.errors import JudgeError
from tests.openai_server import Behaviour, Body, serve
from tests.research.test_degrade_study import scripted
from tests.scripted_judge import ScriptedJudge

NOTES = (
    "PLAN\n\nContinue sertraline. He will return in two weeks. He sleeps four hours. His wife worries. He is calm.",
    "PLAN\n\nStart metformin. She will walk daily. She drinks 2 cups. Her mother helps. She denies pain.",
)


class Knowing(ScriptedJudge):
    asked = 0

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        Knowing.asked += 1
        for sentence in case.note.sentences:
            known = any(sentence.text in note for note in NOTES)
            verdict = Verdict.SUPPORTED if known else Verdict.UNSUPPORTED
            yield ClaimVerdict(sentence.id, verdict, probability=0.9 if known else 0.1)


class Failing(ScriptedJudge):
    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        if "metformin" in case.note.text:
            raise JudgeError("The model stopped. Try again.")
        return Knowing().support(case, cancel)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "aci.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["encounter_id", "dialogue", "note"])
        for number, note in enumerate(NOTES):
            writer.writerow([f"D{number}", "[doctor] how are you ?\n[patient] fine — thanks 😀 .", note])
    return path


def study(data: Path, *more: str, judge: type[ScriptedJudge] = Knowing) -> int:
    def make(options: argparse.Namespace, rubric: Rubric, closing: ExitStack) -> ScriptedJudge:
        return judge()

    return cli.main(["degrade-study", "--data", str(data), *more], make)


def test_it_writes_figures_tables_and_charts_and_a_second_run_asks_nothing_and_writes_the_same(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    options = ["--metrics", "none", "--seeds", "2", "--out", str(out), "--json", str(tmp_path / "s.json")]
    assert study(data, *options) == 0
    printed, asked = capsys.readouterr().out, Knowing.asked
    assert "builtin: faithfulness" in printed
    assert "Cost" in printed
    first = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    assert set(first) == {
        *("study.json", "seconds.json", "tables.txt"),
        *("violations.svg", "drops.svg", "distribution.svg", "kinds.svg"),
    }
    for name, content in first.items():
        if name.endswith(".svg"):
            ElementTree.fromstring(content)
    result = json.loads(first["study.json"])
    levels = result["series"]["facts"]["builtin: faithfulness"]
    assert list(levels) == ["1", "2", "3", "4", "5"]
    assert all(level["violations"] == 0 and level["auc"] == 1 for level in levels.values())
    assert (tmp_path / "s.json").read_bytes() == first["study.json"]
    assert not any(NOTES[0][6:30].encode() in path.read_bytes() for path in out.rglob("*.json"))
    assert study(data, *options) == 0
    assert Knowing.asked == asked
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == first


def test_a_run_from_nothing_gives_the_same_figures(data: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert study(data, "--metrics", "none", "--seeds", "1", "--json", str(tmp_path / name)) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_another_seed_or_a_damaged_file_is_measured_anew(data: Path, tmp_path: Path) -> None:
    out = ["--metrics", "none", "--limit", "1", "--out", str(tmp_path / "out")]
    assert study(data, *out, "--seeds", "1") == 0
    (kept,) = (tmp_path / "out" / "notes").iterdir()
    for change in (["--seeds", "2"], ["--seeds", "1"]):
        asked = Knowing.asked
        assert study(data, *out, *change) == 0
        assert Knowing.asked > asked
    kept.write_text("{", "utf-8")
    asked = Knowing.asked
    assert study(data, *out, "--seeds", "1") == 0
    assert Knowing.asked > asked


def test_a_note_on_which_the_judge_fails_is_said_and_stops_nothing(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "s.json"
    assert study(data, "--metrics", "none", "--seeds", "1", "--json", str(target), judge=Failing) == 1
    result = json.loads(target.read_text("utf-8"))
    assert (result["notes"], result["failed"]) == (1, {"D1": "The model stopped. Try again."})
    assert "D1: the judge failed: The model stopped." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--metrics", "ROUGE-9"], "does not know ROUGE-9"),
        (["--judge", "local", "--judge", "remote"], "one language model at a time"),
        (["--judge", "none", "--metrics", "claims"], "Claim-Precision needs a judge"),
        (["--metrics", "BARTScore-like-F"], "needs a local model"),
        (["--seeds", "0"], "not a number from 1"),
        (["--judge", "none", "--metrics", "none"], "nothing to measure"),
    ],
)
def test_what_cannot_be_asked_for_is_said_in_one_line(
    options: list[str], said: str, data: Path, encoder_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert study(data, *options) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_remote_model_makes_the_notes_worse(data: Path, tmp_path: Path, encoder_path: Path) -> None:
    def behave(body: Body, number: int) -> Behaviour:
        return Behaviour(content=scripted(Request("", "", body["messages"][-1]["content"])))

    target = tmp_path / "s.json"
    with serve(behave) as endpoint:
        remote = ["--degrader", "remote", "--base-url", endpoint.url, "--model", "m", "--consent", "--rpm", "9000"]
        options = ["--judge", "builtin", "--metrics", "ROUGE-1-F", "--seeds", "1", "--json", str(target)]
        assert cli.main(["degrade-study", "--data", str(data), *options, *remote]) == 0
    result = json.loads(target.read_text("utf-8"))
    assert result["degrader"].startswith("remote ")
    assert set(result["series"]) == {"facts", "drop"}
    assert all(level["drop"] > 0 for level in result["series"]["facts"]["ROUGE-1-F"].values())


def test_nothing_is_sent_without_consent(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve(lambda body, number: Behaviour()) as endpoint:
        remote = ["--degrader", "remote", "--base-url", endpoint.url, "--model", "m"]
        assert cli.main(["degrade-study", "--data", str(data), "--metrics", "none", *remote]) == 2
    assert endpoint.requests == []
    assert "--consent" in capsys.readouterr().err

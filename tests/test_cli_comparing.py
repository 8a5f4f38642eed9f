"""`noteeval metrics` and `noteeval facts`."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from noteeval_desktop import cli
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.errors import Cancelled, JudgeError
from noteeval_desktop.judges.protocol import Judge
from tests.sample_evaluation import SAMPLE
from tests.scripted_judge import ScriptedJudge

NOTE = "Subjective: He drinks four beers. He is anxious.\nPlan: Next session on Tuesday."
REFERENCE = "Subjective: He drinks four beers. His depression worries him.\nPlan: Next session on Tuesday."


class Denying(ScriptedJudge):
    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        for sentence in case.note.sentences:
            yield ClaimVerdict(sentence.id, Verdict.UNSUPPORTED)


class Failing(ScriptedJudge):
    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        raise JudgeError("The model stopped. Try again.")


def _denying(options: argparse.Namespace, rubric: Rubric, closing: ExitStack) -> Judge:
    return Denying()


def _failing(options: argparse.Namespace, rubric: Rubric, closing: ExitStack) -> Judge:
    return Failing()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "n.txt").write_text(NOTE, "utf-8")
    (tmp_path / "r.txt").write_text(REFERENCE, "utf-8")
    (tmp_path / "t.vtt").write_bytes((SAMPLE / "transcript.vtt").read_bytes())
    rows = "a,t.vtt,n.txt,r.txt\nb,t.vtt,r.txt,r.txt\nc,t.vtt,n.txt,\nd,t.vtt,n.txt,none.txt\n"
    (tmp_path / "pairs.csv").write_text("id,transcript,note,reference\n" + rows, "utf-8")
    (tmp_path / "counts.csv").write_text(
        "note,section,correct,incorrect,hallucinated,omitted,reference\na,plan,1,0,1,1,2\na,subjective,3,1,0,0,3\n",
        "utf-8",
    )
    return tmp_path


def _run(folder: Path, *arguments: str, make: Any = _denying) -> tuple[int, dict[str, Any]]:
    out = folder / "o.json"
    code = cli.main([*arguments, "--json", str(out)], make)
    return code, json.loads(out.read_text("utf-8"))


def _two(folder: Path) -> list[str]:
    return ["--note", str(folder / "n.txt"), "--reference", str(folder / "r.txt")]


def test_metrics_of_a_note_and_why_others_are_missing(
    folder: Path, lent_encoder: None, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result = _run(folder, "metrics", *_two(folder))
    assert code == 0
    assert (result["schema"], result["complete"]) == ("noteeval.metrics/1", True)
    (note,) = result["notes"]
    assert note["id"] == "n"
    assert note["metrics"]["Claim-Precision"] == pytest.approx(2 / 3)
    assert 0 < note["metrics"]["BERTScore-F"] < 1
    assert result["missing"]["MIST-Comb1"].startswith("compares within a set")
    printed = capsys.readouterr()
    assert "ROUGE-Lsum" in printed.out
    assert "not computed: BLEURT: needs the published checkpoint" in printed.err
    assert "beers" not in printed.out + printed.err + (folder / "o.json").read_text("utf-8")


def test_metrics_of_a_list_name_the_rows_that_failed(
    folder: Path, lent_encoder: None, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result = _run(folder, "metrics", "--pairs", str(folder / "pairs.csv"))
    assert code == 2
    assert [note["id"] for note in result["notes"]] == ["a", "b", "c", "d"]
    assert result["notes"][0]["metrics"]["MIST-Comb1"] is not None
    assert result["notes"][2] == {"id": "c", "metrics": None, "problem": result["notes"][2]["problem"]}
    assert "the reference is missing" in result["notes"][2]["problem"]
    assert "none.txt" in capsys.readouterr().err


def _texts(folder: Path, *rows: tuple[str, str, str]) -> Path:
    """A list without transcripts, with the texts in it and a column of its own."""
    lines = [json.dumps({"id": i, "note_text": n, "reference_text": r, "Site": "Süd"}) for i, n, r in rows]
    (folder / "pairs.jsonl").write_text("\n".join(lines), "utf-8")
    return folder / "pairs.jsonl"


TWO = (("a", NOTE, REFERENCE), ("b", "Noncontributory.", "Confusion 😴 and hallucinations."))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_metrics_of_texts_without_a_session_give_a_row_each(
    folder: Path, lent_encoder: None, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--metrics", "ROUGE-1-F,claims", "--jobs", jobs, "--csv", str(folder / "o.csv")]
    code, result = _run(folder, "metrics", "--pairs", str(_texts(folder, *TWO)), *more)
    assert (code, result["complete"], [note["columns"] for note in result["notes"]]) == (0, True, [{"Site": "Süd"}] * 2)
    assert [list(note["metrics"]) for note in result["notes"]] == [["ROUGE-1-F", "Claim-Precision", "Claim-Recall"]] * 2
    rows = list(csv.reader(io.StringIO((folder / "o.csv").read_text("utf-8-sig"))))
    assert rows[0] == ["id", "Site", "ROUGE-1-F", "Claim-Precision", "Claim-Recall", "problem"]
    assert rows[2] == ["b", "Süd", "0.0000", "0.0000", "0.0000", ""]
    assert "ROUGE-1                0.348" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["metrics", "facts"])
def test_a_later_run_asks_only_about_what_is_new(folder: Path, lent_encoder: None, command: str) -> None:
    asked: list[str] = []

    class Counting(Denying):
        def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
            asked.append(case.note.text)
            return super().support(case, cancel)

    def make(options: argparse.Namespace, rubric: Rubric, closing: ExitStack) -> Judge:
        return Counting()

    more = ["--metrics", "claims"] if command == "metrics" else []

    def run(*rows: tuple[str, str, str]) -> dict[str, Any]:
        return _run(folder, command, "--pairs", str(_texts(folder, *rows)), "--resume", *more, make=make)[1]

    first = run(*TWO)
    assert len(asked) >= 4
    asked.clear()
    assert run(*TWO) == first
    assert asked == []
    third = ("c", "Sleeps well.", "He sleeps well, and eats.")
    assert run(*TWO, third)["notes"][:2] == first["notes"]
    assert all("ell" in text for text in asked)
    changed = run(TWO[0], ("b", "Anxious.", TWO[1][2]))
    assert changed["notes"][0] == first["notes"][0]
    assert "Anxious." in asked[-1] + asked[-2]


def test_what_was_found_is_kept_where_it_is_stopped(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    class Stopped(Denying):
        def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
            if "Noncontributory" in case.note.text:
                cancel.set()
                raise Cancelled
            return super().support(case, cancel)

    code, result = _run(folder, "facts", "--pairs", str(_texts(folder, *TWO)), make=lambda *_: Stopped())
    assert (code, result["complete"], [note["id"] for note in result["notes"]]) == (130, False, ["a"])
    assert result["failed"] == {}


def test_a_failed_judge_leaves_the_other_metrics_and_ends_with_1(folder: Path, lent_encoder: None) -> None:
    code, result = _run(folder, "metrics", *_two(folder), make=_failing)
    assert (code, result["complete"]) == (1, False)
    assert result["notes"][0]["problem"] == "The model stopped. Try again."
    assert result["notes"][0]["metrics"]["ROUGE-1-F"] > 0


def test_facts_of_a_note_by_section(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, result = _run(folder, "facts", *_two(folder))
    assert code == 0
    assert result["notes"][0]["facts"]["factual_precision"] == pytest.approx(2 / 3)
    assert result["sections"]["plan"]["omission_rate"] == 0.0
    assert "Hallucination rate" in capsys.readouterr().out


def test_facts_of_a_list_are_pooled_and_averaged(folder: Path) -> None:
    code, result = _run(folder, "facts", "--pairs", str(folder / "pairs.csv"))
    assert code == 2
    assert result["pooled"]["factual_precision"] == pytest.approx(5 / 6)
    assert result["mean"]["factual_precision"] == pytest.approx((2 / 3 + 1) / 2)
    assert set(result["failed"]) == {"c", "d"}


def test_facts_that_people_counted(folder: Path) -> None:
    """The note's own figures are those of its sections together."""
    code, result = _run(folder, "facts", "--annotations", str(folder / "counts.csv"))
    assert (code, result["judge"]) == (0, None)
    assert result["notes"][0]["facts"]["factual_recall"] == pytest.approx(4 / 5)
    assert result["sections"]["plan"]["hallucination_rate"] == 0.5


def test_a_judge_that_failed_is_no_count(folder: Path) -> None:
    code, result = _run(folder, "facts", *_two(folder), make=_failing)
    assert (code, result["notes"], result["complete"]) == (1, [], False)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["metrics", "--note", "n.txt"], "needs a note and a reference"),
        (["metrics", "--note", "n.txt", "--reference", "gone.txt"], "gone.txt"),
        (["metrics", "--note", "n.txt", "--pairs", "pairs.csv"], "--pairs: is used on its own"),
        (["facts", "--annotations", "counts.csv", "--note", "n.txt"], "--annotations: is used on its own"),
        (["metrics", "--pairs", "pairs.csv", "--resume"], "--resume: goes on from the file of --json"),
        (
            ["metrics", "--pairs", "pairs.csv", "--resume", "--json", "counts.csv"],
            "counts.csv: is not a result",
        ),
        (["metrics", "--pairs", "pairs.csv", "--metrics", "ROUGE-9"], "--metrics: does not know ROUGE-9"),
        (["facts", "--annotations", "n.txt"], "n.txt: has no column note"),
        (["facts", "--annotations", "counts.csv", "--json", "counts.csv"], "is already an input"),
        (["benchmark", "annomi", "--data", "n.txt", "--chart", "o.svg"], "--chart: does not go with annomi"),
    ],
)
def test_bad_use_is_one_line_and_2(
    folder: Path,
    arguments: list[str],
    problem: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    assert cli.main(arguments, _denying) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert problem in line


def test_bleurt_is_computed_with_weights_that_the_user_names(
    folder: Path, lent_encoder: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Any] = []

    class Scorer:
        def __init__(self, checkpoint: str) -> None:
            asked.append(checkpoint)

        def score(self, *, references: list[str], candidates: list[str]) -> list[float]:
            asked.append((references, candidates))
            return [0.25]

    checkpoint = folder / "BLEURT-20"
    checkpoint.mkdir()
    assert cli.main(["metrics", *_two(folder), "--bleurt", str(checkpoint)], _denying) == 2
    assert "--bleurt: needs the package bleurt" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "bleurt", ModuleType("bleurt"))
    monkeypatch.setitem(sys.modules, "bleurt.score", SimpleNamespace(BleurtScorer=Scorer))
    code, result = _run(folder, "metrics", *_two(folder), "--bleurt", str(checkpoint))
    assert (code, result["notes"][0]["metrics"]["BLEURT"]) == (0, 0.25)
    assert "BLEURT" not in result["missing"]
    assert asked[0] == str(checkpoint)
    references, candidates = asked[1]
    assert references[0].startswith("He drinks four beers. His depression")
    assert candidates[0].startswith("He drinks four beers. He is anxious.")
    assert cli.main(["metrics", *_two(folder), "--bleurt", str(folder / "none")], _denying) == 2
    assert "names no folder with a checkpoint" in capsys.readouterr().err

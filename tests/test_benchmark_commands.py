"""`noteeval benchmark` over small data written for it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import cli
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.verdicts import Attribute, ClaimVerdict, ResponseVerdict, Verdict
from noteeval_desktop.judges.builtin.risk.ledger import ledger_by_words
from noteeval_desktop.judges.protocol import Exchange
from noteeval_desktop.measures.tn_eval import SOURCES
from tests.scripted_judge import ScriptedJudge

NOTE = {
    "subjective": "Client sleeps badly. He drinks four beers every night. He wants to rest “at last” 😴.",
    "objective": "Tense, spoke fast.",
    "assessment": "Worry keeps him awake. He is able to name 3 triggers.",
    "plan": "Continue sertraline 50 mg. Meet again in two weeks.",
}
COUNTS = {"subjective": 3, "objective": 1, "assessment": 2, "plan": 2}
ITEM = {"subjective": "subjective-symptoms", "objective": "objective-behavior"} | {
    "assessment": "assessment-analysis",
    "plan": "plan-follow-up",
}
TURNS = (
    ("therapist", "How do you sleep?"),
    ("client", "Badly. I lie awake and I drink four beers every night to get some rest."),
    ("therapist", "What sets it off?"),
    ("client", "Work, money and my brother, those are the three triggers that I can name."),
    ("therapist", "Let us keep the sertraline at 50 mg and meet again in two weeks."),
    ("client", "Good, in two weeks then."),
)
LABELLED = """@session x-01
@setting a first visit
@speakers T therapist | C client

# transcript
1 T: How do you sleep these days?
2 C: Badly, three hours, and I drink four beers.

# facts
F1 symptom 2 | sleeps three hours
F2 substance 2 | four beers a night

# note n1 SOAP prose
= Subjective
t 2 | s-symptoms | Client sleeps three hours.
covers F1
"""


class Warm(ScriptedJudge):
    """Scores a response by whether it reflects; calls everything that it knows supported."""

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        known = " ".join(NOTE.values())
        for sentence in case.note.sentences:
            verdict = Verdict.SUPPORTED if sentence.text in known else Verdict.UNSUPPORTED
            yield ClaimVerdict(sentence.id, verdict, 0.9 if verdict is Verdict.SUPPORTED else 0.1)

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        for exchange in exchanges:
            score = 5 if exchange.response.startswith("It sounds") else 2
            yield ResponseVerdict(exchange.turn, tuple((attribute, score) for attribute in Attribute))


@pytest.fixture
def tn_eval(tmp_path: Path) -> Path:
    people: dict[str, dict[str, dict[str, Any]]] = {
        section: {
            "rubric_completeness_raw": {ITEM[section]: 1},
            "rubric_conciseness_raw": {f"sentence_{k + 1}": [ITEM[section]] for k in range(count)},
            "rubric_faithfulness_raw": {f"sentence_{k + 1}": 1 for k in range(count)},
        }
        for section, count in COUNTS.items()
    }
    llm = {
        section: own | {"rubric_conciseness_raw": dict.fromkeys(own["rubric_conciseness_raw"], 1)}
        for section, own in people.items()
    }
    note = {
        "note": NOTE,
        "metrics_human": [people, people],
        "metrics_llama31_70B": llm,
        "metrics_mistral_large_v2": llm,
        "align_score": dict.fromkeys(NOTE, 0.5),
    }
    turns = [{"speaker": role, "time": f"00:00:{second:02}", "text": text} for second, (role, text) in enumerate(TURNS)]
    cases = [{"id": str(n), "transcript": turns, **dict.fromkeys(SOURCES, note)} for n in range(2)]
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases), "utf-8")
    return path


@pytest.fixture
def annomi(tmp_path: Path) -> Path:
    path = tmp_path / "annomi.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["transcript_id", "mi_quality", "interlocutor", "utterance_text"])
        for number, quality in enumerate(("high", "high", "low", "low")):
            writer.writerow([number, quality, "client", "I am so tired of it all."])
            reply = "It sounds heavy." if quality == "high" else "You should stop."
            writer.writerow([number, quality, "therapist", reply])
    return path


def run(name: str, data: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[dict[str, Any], str]:
    out = data.with_suffix(".out.json")
    arguments = ["benchmark", name, "--data", str(data), "--json", str(out), *more]
    assert cli.main(arguments, make_judge=lambda *_: Warm()) == 0
    return json.loads(out.read_text("utf-8")), capsys.readouterr().out


def test_annomi_prints_and_writes_how_well_the_means_separate(annomi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result, table = run("annomi", annomi, capsys)
    assert result["judge"]["kind"] == "scripted"
    assert (result["benchmark"], result["sessions"], result["measures"]["ars"]["auc"]) == ("annomi", 4, 1.0)
    assert "ars: 1.000" in table


def test_degrade_prints_and_writes_what_was_found(tn_eval: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result, table = run("degrade", tn_eval, capsys)
    assert result["false_alarms"] == {"sentences": 48, "share": 0.0}
    assert result["detection"]["number"]["found"] == 1.0
    assert "number" in table
    assert "false alarms" in table


def test_omissions_are_counted_against_what_was_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "01.txt").write_text(LABELLED, "utf-8")
    result, table = run("omissions", tmp_path, capsys)
    assert (result["facts_left_out"], result["found"], result["findings_per_note"]) == (1, 0.0, 0.0)
    assert "Among the first five findings" in table
    (tmp_path / "01.txt").write_text(LABELLED.replace("2 C:", "2 X:"), "utf-8")
    assert cli.main(["benchmark", "omissions", "--data", str(tmp_path)], make_judge=lambda *_: Warm()) == 2
    assert "line 7" in capsys.readouterr().err


IN_DANGER = """@session y-01
@setting a first visit
@speakers T therapist | C client

# transcript
1 T: How are the nights?
2 C: I want to die.
3 T: And the days?
4 C: He hit me again.
5 T: Where do you walk?
6 C: I nearly went to see my dead aunt's grave. I could kill for a coffee.
7 T: And at work?
8 C: I want to kill myself there.

# risk
2 suicide self current | wants to die
4 abuse self current | hit
6 - - figurative | kill for a coffee

# note n1 SOAP prose
= Subjective
t 2 | s-symptoms | Client wants to die.
"""


def test_the_risk_ledger_is_counted_against_the_labelled_turns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "01.txt").write_text(IN_DANGER, "utf-8")
    monkeypatch.setattr(Warm, "risks", lambda self, case, cancel: iter(ledger_by_words(case, cancel)))
    result, table = run("risk", tmp_path, capsys)
    assert (result["turns_in_red"]["of"], result["turns_in_red"]["share"]) == (2, 1.0)
    assert result["stance_right"]["share"] == 1.0
    assert result["false_red_per_session"]["share"] == 1.0  # the eighth turn, which nobody labelled
    # Of the blow alone the note says nothing.
    assert (result["unaddressed_right"]["of"], result["unaddressed_right"]["share"]) == (1, 1.0)
    assert "turns in red" in table


EXCHANGES = """# suicide now plain says=1
T: How are the nights?
C: I want to kill myself.
T: Thank you for telling me.
N: Client reported suicidal ideation.
~: Client reported poor sleep.

# none suicide says=1
T: And the exam?
C: It went well, thank you.
T: Good.
"""


def test_dangers_of_exchanges_are_counted_listed_warned_of_and_ticked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "h01.txt").write_text(EXCHANGES, "utf-8")
    monkeypatch.setattr(Warm, "risks", lambda self, case, cancel: iter(ledger_by_words(case, cancel)))
    result, table = run("risk-exchanges", tmp_path, capsys)
    shares = {name: own["share"] for name, own in result.items() if name != "judge" and isinstance(own, dict)}
    assert shares["present plain warned of"] == shares["meaning right"] == shares["present, ticked by N:"] == 1.0
    assert shares["ticked by ~:"] == shares["look-alikes listed"] == shares["small talk listed"] == 0.0
    assert "look-alikes warned of" in table


def test_a_file_that_is_no_exchanges_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "h01.txt").write_text("# suicide now\nT: Hello\n", "utf-8")
    assert cli.main(["benchmark", "risk-exchanges", "--data", str(tmp_path)]) == 2
    assert "not in the form of exchanges" in capsys.readouterr().err


def test_true_notes_counts_doubts_about_clinicians_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "visits.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["encounter_id", "dialogue", "note"])
        for number in range(2):
            said = "[doctor] How is the knee?\n[patient] It hurts.\nSince May."
            writer.writerow([f"D{number}", said, f"He drinks four beers every night. No fever since day {number}."])
    result, table = run("true-notes", path, capsys)
    assert (result["doubted"]["of"], result["doubted"]["share"]) == (4, 0.5)
    assert result["doubted_by_kind"]["with a negation"]["share"] == 1.0
    assert "doubted" in table


def test_cross_validation_is_refused_where_nothing_is_trained(annomi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["benchmark", "annomi", "--data", str(annomi), "--cross-validate"]) == 2
    assert "--cross-validate" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("package", "name", "options"),
    [
        ("sklearn", "tn-eval", ["--cross-validate"]),
        ("sklearn", "degrade", ["--cross-validate"]),
        ("rouge_score", "mts-dialog", []),
    ],
)
def test_a_package_that_only_measuring_needs_is_named_where_it_is_missing(
    package: str, name: str, options: list[str], tn_eval: Path, encoder_path: Path
) -> None:
    """In a process of its own: here it may have been imported already."""
    arguments = ["benchmark", name, "--data", str(tn_eval), *options]
    without = f"import sys; sys.modules[{package!r}] = None\nfrom noteeval_desktop import cli\n"
    command = [sys.executable, "-c", f"{without}sys.exit(cli.main({arguments!r}))"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=100, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"benchmark {name}: needs the package {package}" in line
    assert "bootstrap.py test" in line


@pytest.mark.parametrize("name", ["annomi", "degrade", "omissions", "tn-eval", "true-notes"])
def test_other_data_is_refused_in_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.txt"
    other.write_text("nothing of this", "utf-8")
    assert cli.main(["benchmark", name, "--data", str(other)], make_judge=lambda *_: Warm()) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_tn_eval_prints_every_judge_with_interval_and_agreement(
    tn_eval: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result, table = run("tn-eval", tn_eval, capsys)
    assert set(result["completeness"]["judges"]) >= {"Llama 3.1 70B", "Mistral Large V2"}
    for word in (
        "Completeness",
        "Conciseness",
        "Faithfulness",
        "95 % interval",
        "AlignScore",
        "one therapist, the other",
    ):
        assert word in table


def test_mts_dialog_prints_and_draws_each_correlation_beside_the_published(
    tmp_path: Path, lent_encoder: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where people counted all of the facts, three quarters and none, recall of words follows them wholly."""
    texts = ["anxiety keeps him awake", "anxiety keeps him", "nothing", "nothing at all"]
    counted = ["1,1,1,0,0", "1,0.75,0.86,0,0.25", "1,0,0,0,1", "1,0,0,0,-1"]
    rows = "".join(f"anxiety keeps him awake,{text}\n" for text in texts)
    data = tmp_path / "summaries.csv"
    data.write_text("Reference Summary,Automatic Summary\n" + rows, "utf-8-sig")
    (tmp_path / "mts_dialog_manual_scores4correlationstudy.csv").write_text(
        "\n".join(["FactualPrecision,FactualRecall,FactualF1,HallucinationRate,OmissionRate", *counted]), "utf-8"
    )
    chart = tmp_path / "o.svg"
    result, printed = run("mts-dialog", data, capsys, "--chart", str(chart))
    cell = result["correlations"]["ROUGE-1-R"]["FactualRecall"]
    assert (cell["r"], cell["published"], cell["n"]) == (pytest.approx(1.0), 0.57, 4)
    assert result["correlations"]["ROUGE-1-R"]["OmissionRate"]["r"] == pytest.approx(-1.0)
    assert result["correlations"]["ROUGE-1-R"]["HallucinationRate"]["r"] is None
    assert result["aggregate"]["ROUGE-1-R"] == {"r": None, "published": pytest.approx(0.41)}
    assert "ROUGE-L-R, as published" in printed
    assert "SBERTScore-R in its place" in printed
    assert "MIST-Comb1" in chart.read_text("utf-8")


def test_tn_eval_metrics_compares_models_notes_with_the_therapist_s(
    tn_eval: Path, lent_encoder: None, capsys: pytest.CaptureFixture[str]
) -> None:
    result, printed = run("tn-eval-metrics", tn_eval, capsys)
    assert (result["benchmark"], result["notes"]) == ("tn-eval-metrics", 4)
    assert set(result["correlations"]["AutoAIS"]) == {"completeness", "conciseness", "faithfulness"}
    assert "Completeness" in printed

"""Worker processes: equal results, a session in one of them, and nothing lost where one is killed."""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from noteeval_desktop import batch, cli
from noteeval_desktop.batch.worker_process import DIED, NOT_STARTED, Recipe
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.judges import making
from tests.batch import scripted_recipe
from tests.sample_evaluation import SAMPLE

NOTE = (SAMPLE / "note.md").read_text("utf-8")
TALK = "Therapist: How was your week?\nClient: I slept {n} hours a night and saw my brother {n} times.\n"

needs_kill = pytest.mark.skipif(os.name == "nt", reason="no process is killed by a signal there")


def listed(folder: Path, notes: dict[str, str], sessions: int = 1) -> batch.Worklist:
    rows = ["id,transcript,note"]
    for number in range(sessions):
        (folder / f"s{number}.txt").write_text(TALK.format(n=number + 3), "utf-8")
    for number, (name, text) in enumerate(notes.items()):
        (folder / f"{name}.md").write_text(text, "utf-8")
        rows.append(f"{name},s{number % sessions}.txt,{name}.md")
    (folder / "pairs.csv").write_text("\n".join(rows), "utf-8")
    (folder / "out").mkdir()
    return batch.Worklist(folder / "pairs.csv")


def run(folder: Path, pairs: batch.Worklist, recipe: Recipe, jobs: int = 1) -> tuple[Counter[str], dict[str, str]]:
    told: dict[str, str] = {}

    def report(outcome: batch.Outcome) -> None:
        assert outcome.pair.id not in told
        told[outcome.pair.id] = f"{outcome.status} {outcome.problem}".strip()

    counts = batch.run_in_processes(pairs, recipe, batch.Plan(folder / "out", jobs=jobs), None, report)
    return counts, told


def files(folder: Path) -> dict[str, dict]:
    read = {path.name: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}
    for evaluation in read.values():
        evaluation["usage"]["seconds"] = None
    return read


def test_the_built_in_judge_says_the_same_in_one_process_and_in_two(lent_encoder: None, tmp_path: Path) -> None:
    notes = {f"n{n}": f"Subjective: Client slept {n} hours and saw her brother.\nPlan: Meet.\n" for n in range(2, 8)}
    pairs = listed(tmp_path, notes, sessions=3)
    for name, more in (("one", ["--jobs", "1"]), ("two", ["--jobs", "2"])):
        arguments = ["batch", "--pairs", str(tmp_path / "pairs.csv"), "--out-dir", str(tmp_path / name), *more]
        assert cli.main(arguments) == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert len(files(tmp_path / "one")) == len(pairs) == 6


def test_the_notes_of_a_session_go_to_one_worker_together(tmp_path: Path) -> None:
    pairs = listed(tmp_path, {f"n{n}": NOTE for n in range(40)}, sessions=2)
    groups = list(pairs.groups())
    assert [len(group) for group in groups] == [16, 4, 16, 4]
    assert pairs.count_groups() == 4
    assert [len({pair.transcript for pair in group}) for group in groups] == [1, 1, 1, 1]
    assert Counter(pair.id for group in groups for pair in group) == Counter(pair.id for pair in pairs)


@needs_kill
def test_a_killed_worker_loses_no_note_and_doubles_none(tmp_path: Path) -> None:
    (marker := tmp_path / "marker").touch()
    notes = {f"n{n}": NOTE for n in range(6)} | {"n3": f"{NOTE}\nKILL ONCE {marker}\n"}
    counts, told = run(tmp_path, listed(tmp_path, notes), scripted_recipe.mortal)
    assert not marker.exists()
    assert counts == {"done": 6}
    assert set(told) == set(notes)
    assert len(files(tmp_path / "out")) == 6


@needs_kill
def test_a_note_that_kills_its_worker_twice_stops_no_other(tmp_path: Path) -> None:
    notes = {f"n{n}": NOTE for n in range(5)} | {"n1": f"{NOTE}\nKILL ALWAYS\n"}
    counts, told = run(tmp_path, listed(tmp_path, notes, sessions=2), scripted_recipe.mortal, jobs=2)
    assert counts == {"done": 4, "incomplete": 1}
    assert told["n1"] == f"incomplete {DIED}"
    assert sorted(files(tmp_path / "out")) == ["n0.json", "n2.json", "n3.json", "n4.json"]


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (scripted_recipe.none_to_be_had, "There is no model. Get one."),
        pytest.param(scripted_recipe.dead_at_once, NOT_STARTED, marks=needs_kill),
    ],
)
def test_without_a_judge_nothing_is_judged_and_the_reason_is_told(recipe: Recipe, said: str, tmp_path: Path) -> None:
    pairs = listed(tmp_path, {f"n{n}": NOTE for n in range(4)}, sessions=4)
    with pytest.raises(JudgeError, match=said[:20]):
        run(tmp_path, pairs, recipe, jobs=2)


def test_a_bad_row_does_not_stop_the_others(tmp_path: Path) -> None:
    pairs = listed(tmp_path, {f"n{n}": NOTE for n in range(3)})
    (tmp_path / "n1.md").unlink()
    counts, told = run(tmp_path, pairs, scripted_recipe.scripted)
    assert counts == {"done": 2, "failed": 1}
    assert told["n1"].startswith("failed n1.md: ")


def test_cancelling_ends_the_rest_and_leaves_what_is_done(tmp_path: Path) -> None:
    pairs, cancel = listed(tmp_path, {f"n{n}": NOTE for n in range(30)}), threading.Event()
    plan = batch.Plan(tmp_path / "out", resume=True)
    counts = batch.run_in_processes(pairs, scripted_recipe.scripted, plan, cancel, lambda outcome: cancel.set())
    assert counts["done"] >= 1
    assert counts["cancelled"] >= 10
    assert counts.total() == 30
    finished = [name for name, found in files(tmp_path / "out").items() if found["complete"]]
    again = batch.run_in_processes(pairs, scripted_recipe.scripted, plan)
    assert again == {"resumed": len(finished), "done": 30 - len(finished)}


def test_no_key_of_the_environment_reaches_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTEEVAL_API_KEY", "secret")
    (tmp_path / "seen").touch()
    pairs = listed(tmp_path, {"n": NOTE})
    counts, _ = run(tmp_path, pairs, partial(scripted_recipe.telling_its_environment, tmp_path / "seen"))
    assert counts == {"done": 1}
    seen = json.loads((tmp_path / "seen").read_text("utf-8"))
    assert "NOTEEVAL_API_KEY" not in seen
    assert seen["OPENBLAS_NUM_THREADS"] == seen["OMP_NUM_THREADS"] == "1"


def test_the_built_in_judge_of_a_worker_has_one_thread(encoder_path: Path) -> None:
    from contextlib import ExitStack

    with ExitStack() as closing:
        judge = making.builtin_judge(load_rubric(), closing, threads=1)
        assert len(judge.embedder._bert._seats) == 1  # type: ignore[attr-defined]

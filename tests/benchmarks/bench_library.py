"""Lists and searches over a large library beside a small one: python -m tests.benchmarks.bench_library [CASES...]."""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.store import writing
from noteeval_desktop.store.cases import now
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseQuery, KeptEvaluation, Labels, ScoreRange, new_id
from noteeval_desktop.store.retention import Rules, due
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.tables import Tables
from noteeval_desktop.ui.library import audit_window, work
from tests.sample_evaluation import sample_evaluation

ROUNDS = 30
QUERIES = {
    "first page": CaseQuery(),
    "sorted by faithfulness": CaseQuery(sort="faithfulness", descending=False),
    "by clinician": CaseQuery(clinician="Clinician 3"),
    "by score": CaseQuery(score=ScoreRange(Dimension.COMPLETENESS, 0, 0.5)),
    "by tag": CaseQuery(tag="tag7"),
    "a rare word": CaseQuery(text="rareword42"),
    "a word in every case": CaseQuery(text="sleep"),
    "two words and a filter": CaseQuery(text="sertraline homew", clinician="Clinician 3"),
}

# As the window asks: the lines, how many fit, and what there is to choose from.
WINDOW = {
    "the window's list": CaseQuery(),
    "the window's search": CaseQuery(text="sleep"),
    "the window's filters": CaseQuery(
        clinician="Clinician 3",
        client="C-123",
        since=date(2022, 1, 1),
        until=date(2024, 1, 1),
        score=ScoreRange(Dimension.COMPLETENESS, 0, 0.9),
    ),
}


def fill(library: Library, cases: int) -> None:
    """Straight through the rows in large transactions: a library that grew over years."""
    evaluation, chance = sample_evaluation(), random.Random(4)
    for start in range(0, cases, 200):
        with library._database.writing() as db:
            for number in range(start, min(start + 200, cases)):
                _fill_one(db, number, evaluation, chance)


def _fill_one(db: Tables, number: int, evaluation: Evaluation, chance: random.Random) -> None:
    day = date(2020, 1, 1) + timedelta(days=chance.randrange(2000))
    labels = Labels(f"Case {number}", f"Clinician {number % 20}", f"C-{number % 500}", day, (f"tag{number % 50}",))
    when = now().isoformat()
    row = writing.insert_case(db, new_id(), labels, CaseStatus.DRAFT, when, when)
    turns = evaluation.case.transcript.turns
    words = f"{turns[0].text} rareword{number}"
    transcript = replace(evaluation.case.transcript, turns=(replace(turns[0], text=words), *turns[1:]))
    writing.set_transcript(db, row, transcript)
    revision = writing.put_revision(db, row, evaluation.case.note, when)
    scores = replace(evaluation.scores, completeness=replace(evaluation.scores.completeness, done=number % 24))
    kept = KeptEvaluation(new_id(), revision, now(), replace(evaluation, scores=scores))
    writing.insert_evaluation(db, row, writing.put_transcript(db, row, transcript), kept)
    writing.refresh(db, row)


def milliseconds(act: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        act()
        times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times)


def measure(cases: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        library, _ = Library.create(Path(folder), "for the benchmark", cost=Cost(64, 1, 1))
        started = time.perf_counter()
        fill(library, cases)
        figures = {"filling, s": time.perf_counter() - started}
        for name, query in QUERIES.items():
            figures[f"{name}, ms"] = milliseconds(lambda query=query: library.cases.find(query))
        for name, query in WINDOW.items():
            figures[f"{name}, ms"] = milliseconds(lambda query=query: work.find(library, query))
        rules = Rules(archive_after_months=12, delete_after_years=7)
        figures["old cases, none due, ms"] = milliseconds(lambda: due(library.cases, rules, now()))
        figures["audit log, ms"] = milliseconds(lambda: audit_window.read(library))
        figures["counting, ms"] = milliseconds(lambda: library.cases.count(QUERIES["a word in every case"]))
        one = library.cases.find()[0].id
        figures["opening, ms"] = milliseconds(lambda: library.cases.open(one))
        figures["saving a draft, ms"] = milliseconds(lambda: library.cases.save_draft(one, "words " * 400))
        evaluation = sample_evaluation()
        figures["saving an evaluation, ms"] = milliseconds(lambda: library.cases.save_evaluation(one, evaluation))
        for name, act in (("checking", library.check), ("backing up", library.back_up)):
            started = time.perf_counter()
            act()
            figures[f"{name}, s"] = time.perf_counter() - started
        started = time.perf_counter()
        library.delete(one)
        figures["deleting for good, s"] = time.perf_counter() - started
        library.lock()
        figures["size, MB"] = (Path(folder) / "library.db").stat().st_size / 1e6
        return figures


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or [100, 10_000]
    columns = [measure(size) for size in sizes]
    print(f"{'cases':28}" + "".join(f"{size:>12,}" for size in sizes))
    for name in columns[0]:
        print(f"{name:28}" + "".join(f"{column[name]:12.2f}" for column in columns))


if __name__ == "__main__":
    main()

"""The number of workers changes no result."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from noteeval_desktop import batch
from noteeval_desktop.documents import parse_note
from noteeval_desktop.documents.sentences import split_line
from tests.sample_evaluation import SAMPLE, sample_case, sample_judge

_PARTS = (
    "Pt. reports sleeping 4.5 hrs. a night since Dr. Lee left.",
    "She said “I can't go on. Not like this!” (crying).",
    "Takes 50 mg. of sertraline at 10 p.m. daily, e.g. with milk.",
    "Denies SI/HI; no plan. No intent...",
    "Affect was flat?! Oriented x3.",
    "Next appt. 3.5.2026, cont. CBT. Incr. walks to 2 mi. a day.",
    "Zoë’s U.S. visa etc. worries her. Her mother (b. 1950) vs. her aunt.",
)


@pytest.fixture(autouse=True)
def eager_threads() -> Iterator[None]:
    """Threads take turns a thousand times as often, so that what they share shows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def note(number: int) -> str:
    dice = random.Random(number)
    lines = (" ".join(dice.sample(_PARTS, 4)) + f" Note {number}, line {line}." for line in range(12))
    return "Subjective:\n" + "\n".join(lines)


def results(folder: Path, jobs: int) -> dict[str, object]:
    split_line.cache_clear()
    pairs = batch.read_pairs(folder / "pairs.csv")
    out = folder / f"out-{jobs}"
    out.mkdir()
    batch.run(pairs, lambda: sample_judge(sample_case()), batch.Plan(out, jobs=jobs))
    read = {path.name: json.loads(path.read_text("utf-8")) for path in out.glob("*.json")}
    for evaluation in read.values():
        evaluation["usage"]["seconds"] = None
    return read


def test_twelve_notes_give_equal_files_with_one_two_and_four_workers(tmp_path: Path) -> None:
    rows = ["transcript,note"]
    for number in range(12):
        (tmp_path / f"n{number}.txt").write_text(note(number), "utf-8")
        rows.append(f"{SAMPLE / 'transcript.vtt'},n{number}.txt")
    (tmp_path / "pairs.csv").write_text("\n".join(rows), "utf-8")
    alone = results(tmp_path, 1)
    assert len(alone) == 12
    assert [name for jobs in (2, 4) for name, found in results(tmp_path, jobs).items() if found != alone[name]] == []


def test_threads_that_read_notes_side_by_side_read_them_as_one_would() -> None:
    """As the window does, whose lanes read notes while the one on the desk is typed."""
    texts = [note(1_000 + number) for number in range(80)]
    split_line.cache_clear()
    alone = [parse_note(text) for text in texts]
    split_line.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(parse_note, texts)) == alone


def test_a_slow_computer_reads_a_note_as_a_quick_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    text = note(2_000)
    split_line.cache_clear()
    quick = parse_note(text)
    split_line.cache_clear()
    ticks = iter(range(0, 10_000_000, 1_000))
    monkeypatch.setattr("time.monotonic", lambda: float(next(ticks)))
    assert parse_note(text) == quick

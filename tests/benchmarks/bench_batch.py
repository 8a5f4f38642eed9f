"""What a batch costs: python -m tests.benchmarks.bench_batch speed|memory|forgetting|sharing (by hand; not a test).

``speed``: the built-in judge over synthetic sessions of the sample's length with three notes each, in one worker
process and in two. Beside the wall's time, which on a busy machine is the neighbours', stands the processor time of
all processes: what two workers could reach at most is twice the first's by the second's.
``memory``: the largest process after 1,000 and 5,000 short notes of short sessions, of the parent and of its workers;
``memory builtin 100 500`` takes other numbers, ``memory scripted`` a judge that only looks up its answers.
``forgetting``: the memory of one process over 700 such notes, where the encoder remembers a fiftieth of what it would
of what it read before (sentences, word pieces, pairs: how many of how many is shown); ``forgetting 0.1 1000`` takes
another share and number. Whatever else would grow with the notes shows once these are full.
``sharing``: 1, 2 and 64 workers that only wait half a second a note, as a graphics processor or a provider would
make them: what handing out notes and taking in results costs by itself, in notes per second and processor time.
"""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import psutil

from noteeval_desktop import batch, documents
from noteeval_desktop.batch.results import Aggregate, aggregate_json, entries
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.case import Case
from noteeval_desktop.engines import embedder, reader
from noteeval_desktop.engines.bert import Remembered
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.judges import making
from noteeval_desktop.report.json_layout import evaluation_to_json
from noteeval_desktop.report.terminal import table
from tests.batch.scripted_recipe import WAITED, scripted, waiting
from tests.sample_evaluation import SAMPLE, sample_case

SESSIONS, NOTES = 4, 3
SHORT = "Therapist: How was week {n}?\nClient: I slept {h} hours a night and argued with my brother {n} times.\n"
SHORT_NOTE = "Subjective: Client slept {h} hours a night.\nPlan: Meet again in week {m}.\n"


def listed(folder: Path, rows: Iterator[tuple[str, str, str]]) -> Path:
    """A list of (session, what was said, note)."""
    lines = ["id,transcript,note"]
    for number, (session, said, note) in enumerate(rows):
        (folder / f"{session}.txt").write_text(said, "utf-8")
        (folder / f"n{number}.md").write_text(note, "utf-8")
        lines.append(f"n{number},{session}.txt,n{number}.md")
    (folder / "pairs.csv").write_text("\n".join(lines), "utf-8")
    return folder / "pairs.csv"


def long_rows() -> Iterator[tuple[str, str, str]]:
    turns, note = sample_case().transcript.turns, (SAMPLE / "note.md").read_text("utf-8")
    for session in range(SESSIONS):
        said = "\n".join(
            f"{t.speaker}: {re.sub(r'(?<=[a-z])(?=[.!?] )', f' in week {session}', t.text)}" for t in turns
        )
        for one in range(NOTES):
            yield f"s{session}", said, f"{note}\nNote {one} of week {session}.\n"


def short_rows(number: int) -> Iterator[tuple[str, str, str]]:
    for one in range(number):
        session = one // NOTES
        said = SHORT.format(n=session, h=session % 9 + 2)
        yield f"s{session}", said, SHORT_NOTE.format(h=one % 9 + 2, m=one)


def measured(work: Callable[[], Counter[str]]) -> tuple[Counter[str], float, float]:
    """What ended how, seconds by the wall, and of all processes' time."""
    began, before = time.perf_counter(), sum(os.times()[:4])
    counts = work()
    return counts, time.perf_counter() - began, sum(os.times()[:4]) - before


def contents(folder: Path) -> dict[str, str]:
    found = {}
    for path in folder.glob("*.json"):
        found[path.name] = re.sub(r'"seconds": [\d.]+,\n  "bytes', '"bytes', path.read_text("utf-8"))
    return found


def speed() -> None:
    rows, times, written = [["Workers", "Notes", "Wall", "Processor", "Notes a second", "A million notes"]], [], []
    with tempfile.TemporaryDirectory() as name:
        pairs = batch.Worklist(listed(Path(name), long_rows()))
        recipe = partial(making.builtin_judge, load_rubric(), threads=1)
        for jobs in (1, 2):
            out = Path(name) / f"out{jobs}"
            out.mkdir()
            plan = batch.Plan(out, jobs=jobs)
            counts, wall, spent = measured(partial(batch.run_in_processes, pairs, recipe, plan))
            assert counts == {"done": len(pairs)}, counts
            times.append((wall, spent))
            written.append(contents(out))
            a_million = f"{wall / len(pairs) / 3.6e3 * 1e6:,.0f} h, {spent / len(pairs) / 3.6e3 * 1e6:,.0f} core hours"
            figures = (f"{wall:.1f} s", f"{spent:.1f} s", f"{len(pairs) / wall:.2f}", a_million)
            rows.append([str(jobs), str(len(pairs)), *figures])
    print(table(rows))
    (wall, spent), (wall2, spent2) = times
    print(f"Two against one: {wall / wall2:.2f} by the wall, {2 * spent / spent2:.2f} by processor time at most.")
    print("Files equal but for their seconds:", written[0] == written[1])


def memory(judge: str, number: int) -> None:
    """In a process of its own for each number."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "out").mkdir()
        pairs = batch.Worklist(listed(folder, short_rows(number)))
        recipe = scripted if judge == "scripted" else partial(making.builtin_judge, load_rubric(), threads=1)
        plan = batch.Plan(folder / "out", jobs=2)
        with batch.Ledger(plan.folder) as ledger:
            counts, _, spent = measured(lambda: batch.run_in_processes(pairs, recipe, plan, report=ledger.add))
        assert counts == {"done": number}, counts
        for _ in aggregate_json(entries([plan.folder]), Aggregate()):
            continue
    largest = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps([f"{number:,}", *(f"{one:.1f} MB" for one in largest), f"{spent:.0f} s"]))


def forgetting(share: float, number: int) -> None:
    for module, bound in (
        (embedder, "_REMEMBERED_VECTORS"),
        (embedder, "_REMEMBERED_TOKENS"),
        (reader, "_REMEMBERED_PAIRS"),
    ):
        setattr(module, bound, int(share * getattr(module, bound)))
    process = psutil.Process()
    with ExitStack() as closing:
        judge = making.builtin_judge(load_rubric(), closing, threads=1)
        for done, (_, said, note) in enumerate(short_rows(number), 1):
            case = Case(documents.parse_transcript(said), documents.parse_note(note))
            evaluation_to_json(final(evaluate(case, judge)).evaluation)
            if done % 50 == 0:
                memories = [one for one in gc.get_objects() if isinstance(one, Remembered)]
                full = [f"{one._total:,} of {one._capacity:,}" for one in memories]
                print(f"{done} notes: {process.memory_info().rss / 1e6:.1f} MB; {', '.join(full)}", flush=True)


def sharing() -> None:
    rows = [["Workers", "Notes", "Wall", "Notes a second", "At most", "Parent a note"]]
    for jobs in (1, 2, 64):
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "out").mkdir()
            pairs = batch.Worklist(listed(Path(name), short_rows(12 * jobs)))
            plan = batch.Plan(Path(name) / "out", jobs=jobs)
            own = time.process_time()
            counts, wall, _ = measured(partial(batch.run_in_processes, pairs, waiting, plan))
            own = time.process_time() - own
            assert counts == {"done": len(pairs)}, counts
            figures = (f"{len(pairs) / wall:.1f}", f"{jobs / WAITED:.0f}", f"{own / len(pairs) * 1e3:.1f} ms")
            rows.append([str(jobs), str(len(pairs)), f"{wall:.1f} s", *figures])
    print(table(rows))


def main() -> None:
    asked, judge, *numbers = (*sys.argv[1:], "builtin") if len(sys.argv) == 2 else sys.argv[1:]
    if asked == "memory" and len(numbers) != 1:
        rows = [["Notes", "Parent", "Largest worker", "Processor"]]
        for number in numbers or ("1000", "5000"):
            command = [sys.executable, "-m", "tests.benchmarks.bench_batch", "memory", judge, number]
            rows.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
        print(table(rows))
    else:
        forget = partial(forgetting, float(judge) if numbers else 0.02, int(numbers[0]) if numbers else 700)
        acts: dict[str, Callable[[], None]] = {"speed": speed, "forgetting": forget, "sharing": sharing}
        acts.get(asked, lambda: memory(judge, int(numbers[0])))()


if __name__ == "__main__":
    main()

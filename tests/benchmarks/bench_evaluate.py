"""How long judging takes and what it needs: python tests/benchmarks/bench_evaluate.py (by hand; not a test).

Ratios are to the time of embedding the session's and the note's sentences, each once, in one batch with the same
encoder; splitting them beforehand and loading the judge do not count. Medians of three. The first two are of processor
time, the third is of the wall's and means little on a busy machine. The sample is dear: a sixth of it is on danger and
read with the questions around it. For 50 minutes, before sentences were read in their passages: 2.3 for the
scores and 2.5 for everything on one thread of BLAS.
"""

from __future__ import annotations

import re
import resource
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pysbd

from noteeval_desktop import documents
from noteeval_desktop.collected import Question
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.evaluate import Memory, evaluate, final
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.platform.heap import keep_heap_compact
from noteeval_desktop.report.terminal import table
from tests.sample_evaluation import sample_case

SESSIONS = (("sample", 0), ("50 minutes", 8_000), ("three hours", 27_000))
REPEATS = 3
EDITS = ("twice", "three times", "five times", "six times", "seven times")


def lengthened(transcript: Transcript, words: int) -> Transcript:
    """The session said over and over until it has ``words``, every sentence in words of its own."""
    turns, total, part = list(transcript.turns), sum(len(turn.text.split()) for turn in transcript.turns), 1
    while total < words:
        for turn in transcript.turns:
            text = re.sub(r"(?<=\w)(?=[.!?](?:\s|$))", f" in week {part}", turn.text)
            turns.append(replace(turn, index=len(turns), text=text, start=len(turns) * 10.0))
            total += len(text.split())
        part += 1
    return replace(transcript, turns=tuple(turns))


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    work()
    return clock() - began


def median_of(work: Callable[[LlamaEmbedder, Judge], object]) -> tuple[float, float]:
    """Processor time and the wall's, in seconds, of work with an encoder that remembers nothing yet."""
    times = []
    for _ in range(REPEATS):
        with closing(LlamaEmbedder(models.encoder_path())) as encoder:
            judge = builtin.load(encoder, load_rubric())
            before = time.process_time()
            wall = seconds(lambda encoder=encoder, judge=judge: work(encoder, judge))
            times.append((time.process_time() - before, wall))
    return statistics.median(own for own, _ in times), statistics.median(wall for _, wall in times)


def sentences(case: Case) -> list[str]:
    """The session's and the note's sentences, each once."""
    split = pysbd.Segmenter(language="en", clean=False).segment
    said = [one.strip() for turn in case.transcript.turns for one in split(turn.text)]
    return list(dict.fromkeys([*said, *(sentence.text for sentence in case.note.sentences)]))


def peak(case: Case) -> float:
    """The most memory that a process takes which judges the case once, its interpreter included, in MB."""
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        return alone.submit(_judge_alone, case).result()


def _judge_alone(case: Case) -> float:
    keep_heap_compact()  # as the app and the command line do
    with closing(LlamaEmbedder(models.encoder_path())) as encoder:
        final(evaluate(case, builtin.load(encoder, load_rubric())))
    status = Path("/proc/self/status")
    if status.is_file():  # on Linux the other figure begins with what the parent held
        return next(int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def measured(name: str, case: Case) -> list[str]:
    loaded = {}

    def load() -> None:
        loaded["judge"] = builtin.load(LlamaEmbedder(models.encoder_path()), load_rubric())

    load_time = seconds(load)
    judge, memory = loaded["judge"], Memory()
    said = sentences(case)
    # Ratios are of this process's own time: on a busy machine the wall's would be the neighbours'.
    embedding, embedding_wall = median_of(lambda encoder, _: encoder.embed(said))
    scores, _ = median_of(
        lambda _, judge: final(evaluate(case, judge, (Question.COVER, Question.NEED, Question.SUPPORT)))
    )
    everything, everything_wall = median_of(lambda _, judge: final(evaluate(case, judge)))
    cold = seconds(lambda: final(evaluate(case, judge, memory=memory)))
    warm = seconds(lambda: final(evaluate(case, judge)))
    edits = []
    for words in EDITS:
        note = documents.parse_note(case.note.text.replace("four times", words))
        edited = replace(case, note=note)
        edits.append(seconds(lambda edited=edited: final(evaluate(edited, judge, memory=memory))))
    edit = statistics.median(edits)
    words_said = sum(len(turn.text.split()) for turn in case.transcript.turns)
    figures = [
        f"{load_time:.2f} s",
        f"{embedding:.2f} s",
        f"{cold:.2f} s",
        f"{scores / embedding:.2f}",
        f"{everything / embedding:.2f}",
        f"{everything_wall / embedding_wall:.2f}",
        f"{warm:.2f} s",
        f"{edit:.3f} s",
        f"1/{cold / edit:.0f}",
    ]
    return [name, f"{words_said:,}", f"{len(case.transcript.turns):,}", *figures, f"{peak(case):.0f} MB"]


def main() -> None:
    case = sample_case()
    rows = [
        [
            "Session",
            "Words",
            "Turns",
            "Load",
            "Embedding",
            "Cold",
            "Scores/embedding",
            "All/embedding",
            "By the wall",
            "Warm",
            "One edit",
            "Edit/cold",
            "Peak of memory",
        ]
    ]
    for name, words in SESSIONS:
        rows.append(measured(name, replace(case, transcript=lengthened(case.transcript, words))))
    print(table(rows))


if __name__ == "__main__":
    main()

"""How long judging takes and what it needs: python tests/benchmarks/bench_evaluate.py (by hand; not a test)."""

from __future__ import annotations

import re
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pysbd

from noteeval_desktop import documents
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.evaluate import NOTE_QUESTIONS, Memory, evaluate, final
from noteeval_desktop.judges import builtin
from noteeval_desktop.report.terminal import table
from tests.sample_evaluation import sample_case

SESSIONS = (("sample", 0), ("50 minutes", 8_000), ("three hours", 27_000))
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


def sentences(case: Case) -> list[str]:
    """The session's and the note's sentences, each once."""
    split = pysbd.Segmenter(language="en", clean=False).segment
    said = [one.strip() for turn in case.transcript.turns for one in split(turn.text)]
    return list(dict.fromkeys([*said, *(sentence.text for sentence in case.note.sentences)]))


def measured(name: str, case: Case) -> list[str]:
    loaded = {}

    def load() -> None:
        loaded["judge"] = builtin.load(LlamaEmbedder(models.encoder_path()), load_rubric())

    load_time = seconds(load)
    judge, memory = loaded["judge"], Memory()
    encoder = LlamaEmbedder(models.encoder_path())
    # Ratios are of this process's own time: on a busy machine the wall's would be the neighbours'.
    embedding = seconds(lambda: encoder.embed(sentences(case)), time.process_time)
    encoder.close()
    fresh = builtin.load(LlamaEmbedder(models.encoder_path()), load_rubric())
    scores = seconds(lambda: final(evaluate(case, fresh, NOTE_QUESTIONS)), time.process_time) / embedding
    before = time.process_time()
    cold = seconds(lambda: final(evaluate(case, judge, memory=memory)))
    ratio = (time.process_time() - before) / embedding
    warm = seconds(lambda: final(evaluate(case, judge)))
    edits = []
    for words in EDITS:
        note = documents.parse_note(case.note.text.replace("four times", words))
        edited = replace(case, note=note)
        edits.append(seconds(lambda edited=edited: final(evaluate(edited, judge, memory=memory))))  # type: ignore[misc]
    edit = statistics.median(edits)
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    words_said = sum(len(turn.text.split()) for turn in case.transcript.turns)
    figures = [
        f"{load_time:.2f} s",
        f"{embedding:.2f} s",
        f"{cold:.2f} s",
        f"{scores:.2f}",
        f"{ratio:.2f}",
        f"{warm:.2f} s",
        f"{edit:.3f} s",
        f"1/{cold / edit:.0f}",
    ]
    return [name, f"{words_said:,}", f"{len(case.transcript.turns):,}", *figures, f"{memory_mb:.0f} MB"]


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
            "Warm",
            "One edit",
            "Edit/cold",
            "Peak so far",
        ]
    ]
    for name, words in SESSIONS:
        rows.append(measured(name, replace(case, transcript=lengthened(case.transcript, words))))
    print(table(rows))


if __name__ == "__main__":
    main()

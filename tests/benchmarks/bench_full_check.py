"""What the full check asks a model, responses aside: `python -m tests.benchmarks.bench_full_check`.

By hand; takes minutes, and with words behind it (`bench_full_check 0 8000`) only sessions of so many (0: as they are).
The built-in judge is real and the model scripted: it agrees to all it is asked. Sessions are the sample, and
sessions of the corpus with their notes, made longer by other sessions' talk; "50 minutes" are 8,000 words. Tokens are a
quarter of the characters. ``read`` is what a model on this computer reads once what questions begin with alike is
shared, ``shared`` how many times less that is than each question's full prompt; ``seconds`` are for a model of 4B on a
laptop (60 tokens a second read, 11 written: Qwen3-4B in Q4_K_M by its size, measured for none). ``longest`` is the
longest question with its answer, which a context of 8,192 has to hold.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from statistics import median

from models.training.clinicians import sessions
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Transcript, Turn
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.evaluate import ABOUT_NOTE, evaluate, final
from noteeval_desktop.judges import making
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever
from noteeval_desktop.paths import resources
from noteeval_desktop.report.terminal import table
from noteeval_desktop.research.labelled import case_of, transcript_of
from tests.sample_evaluation import sample_case
from tests.scripted_local import ScriptedLocal

CHARACTERS_A_TOKEN = 4
LAPTOP = Speed(60.0, 11.0)
WORDS = (0, 4_000, 8_000, 10_000, 27_000)
CASES = 2
# A claim's answer, and a yes or no.
WRITTEN = {True: 60, False: 1}


@dataclass(frozen=True)
class Cost:
    """Tokens: of all prompts in full, read where beginnings are shared, written; and the longest question's."""

    questions: int
    full: float
    read: float
    written: float
    longest: float

    @property
    def seconds(self) -> float:
        return LAPTOP.seconds(self.read, self.written)


def cost(requests: list[Request]) -> Cost:
    """As ``LocalChat`` reads them: grouped by what they share; of two groups what both begin with is read once."""
    groups: dict[tuple[str, str], list[Request]] = {}
    for request in requests:
        groups.setdefault((request.system, request.prefix), []).append(request)
    read, before = 0, ""
    for (system, prefix), own in groups.items():
        shared = system + prefix
        read += len(shared) - _alike(shared, before) + sum(len(request.question) for request in own)
        before = shared
    full = [len(r.system + r.prefix + r.question) for r in requests]
    written = sum(WRITTEN[request.schema is not None] for request in requests)
    longest = max(size / CHARACTERS_A_TOKEN + r.max_tokens for size, r in zip(full, requests, strict=True))
    return Cost(len(requests), sum(full) / CHARACTERS_A_TOKEN, read / CHARACTERS_A_TOKEN, written, longest)


def _alike(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def cases(words: int) -> list[Case]:
    """Of ``CASES`` sessions of the corpus, each by another author where there are as many."""
    known = list(sessions())
    step = max(1, len(known) // CASES)
    made = []
    for place in range(0, step * CASES, step):
        others = [*known[place:], *known[:place]]
        turns: list[Turn] = []
        for session in others:
            if turns and sum(len(turn.text.split()) for turn in turns) >= words:
                break
            turns += [replace(turn, index=len(turns) + n) for n, turn in enumerate(transcript_of(session).turns)]
        made.append(replace(case_of(others[0], others[0].notes[0]), transcript=Transcript(tuple(turns))))
    return made


def main() -> None:
    rows = [["case", "questions", "tokens in full", "read", "shared", "written", "seconds", "longest"]]
    with ExitStack() as closing:
        rubric, embedder = load_rubric(), making.encoder(closing)
        quick = making.builtin_judge(rubric, closing)
        prompts, retriever = load_prompts(resources() / "prompts"), EmbeddingRetriever(embedder)
        lengths = [int(words) for words in sys.argv[1:]] or WORDS
        by_words = [(f"{words:,} words" if words else "corpus", cases(words)) for words in lengths]
        for name, own in [("sample", [sample_case()]), *by_words]:
            costs: list[Cost] = []
            for case in own:
                chat = ScriptedLocal()
                llm = LlmJudge(chat, rubric, prompts, retriever, Manner.PUBLISHED)
                evaluation = final(evaluate(case, FullCheck(quick, llm, {}), ABOUT_NOTE)).evaluation
                assert evaluation.complete, evaluation.problems
                costs.append(cost(chat.requests))
            rows.append(_row(name, costs))
            print(table(rows[-1:]), flush=True)
    print(table(rows))


def _row(name: str, costs: list[Cost]) -> list[str]:
    def middle(of: str) -> float:
        return median(getattr(cost, of) for cost in costs)

    shared = [cost.full / cost.read for cost in costs]
    figures = [f"{middle(of):,.0f}" for of in ("questions", "full", "read")]
    least = f"{median(shared):.1f} (least {min(shared):.1f})"
    longest = f"{max(cost.longest for cost in costs):,.0f}"
    return [name, *figures, least, f"{middle('written'):,.0f}", f"{middle('seconds'):,.0f}", longest]


if __name__ == "__main__":
    sys.exit(main())

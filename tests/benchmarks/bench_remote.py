"""What a remote judge costs: calls, input tokens and wall time a note, grouped against one question a call.

Run by hand: ``python -m tests.benchmarks.bench_remote``. A scripted endpoint on loopback answers each request after
half a second, and once more after 20 ms besides for each token of its answer, 20 at a time; tokens are counted as a
quarter of the characters, the same for both ways of asking. The full check asks it while the built-in judge is at work,
which has read another case before, as in a window that is open. ``share`` is of the time of one question a call.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from itertools import product

from noteeval_desktop import documents
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.evaluate import ABOUT_NOTE, ALL_QUESTIONS, Question, evaluate, final
from noteeval_desktop.judges import making
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts, numbered_turns
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.paths import resources
from tests.factories import make_case
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, Body, serve
from tests.sample_evaluation import sample_rubric

LATENCY, A_TOKEN = 0.5, (0.0, 0.02)
AT_ONCE = 20
PEER = "one question a call, full prompt"
WORDS = (960, 2_300, 9_000)
CHARACTERS_A_TOKEN = 4


def sample(words: int) -> Case:
    """The sample case with its session cut or repeated to about ``words`` words."""
    folder = resources() / "sample"
    transcript = documents.read_transcript(folder / "transcript.vtt")
    note = documents.read_note(folder / "note.md")
    turns, count = [], 0
    while count < words:
        turn = transcript.turns[len(turns) % len(transcript.turns)]
        turns.append(replace(turn, index=len(turns)))
        count += len(turn.text.split())
    return Case(Transcript(tuple(turns)), note)


def run(
    case: Case,
    manner: Manner,
    a_token: float,
    questions: tuple[Question, ...],
    full_prompt: bool = False,
    quick: Judge | None = None,
) -> dict[str, float]:
    """``full_prompt`` puts the whole session before every question, as a naive judge would; ``quick`` makes it a full
    check."""
    rubric = sample_rubric()
    tokens = 0
    lock = threading.Lock()

    def behave(body: Body, number: int) -> Behaviour:
        nonlocal tokens
        size = sum(len(message["content"]) for message in body["messages"]) // CHARACTERS_A_TOKEN
        with lock:
            tokens += size
        content = sound_for_any(as_request(body)) if body.get("response_format") else "Yes"
        return Behaviour(content, delay=LATENCY + a_token * len(content) / CHARACTERS_A_TOKEN)

    with serve(behave) as endpoint:
        chat = RemoteChat(endpoint.url, "scripted", jobs=AT_ONCE)
        prompts = load_prompts(resources() / "prompts")
        judge = LlmJudge(chat, rubric, prompts, EmbeddingRetriever(FakeEmbedder()), manner)
        asked = FullCheck(quick, judge, {}, ahead=True) if quick else judge
        began = time.monotonic()
        evaluation = final(evaluate(case, asked, questions)).evaluation
        seconds = time.monotonic() - began
        chat.close()
    calls = judge.usage().calls
    if full_prompt:
        tokens += calls * len(numbered_turns(case.transcript.turns, case.transcript.callings)) // CHARACTERS_A_TOKEN
    return {"calls": calls, "tokens": tokens, "seconds": seconds, "complete": evaluation.complete}


def main() -> None:
    print(" words a token way of asking                           calls   tokens  seconds  share  complete")
    for words, a_token in product(WORDS, A_TOKEN):
        with ExitStack() as closing:
            quick = making.builtin_judge(load_rubric(), closing)
            final(evaluate(make_case(), quick, ABOUT_NOTE))
            case = sample(words)
            rows = {
                "full check, about the note": run(case, Manner.GROUPED, a_token, ABOUT_NOTE, quick=quick),
                "grouped, about the note": run(case, Manner.GROUPED, a_token, ABOUT_NOTE),
                "grouped, everything": run(case, Manner.GROUPED, a_token, ALL_QUESTIONS),
                PEER: run(case, Manner.PUBLISHED, a_token, ABOUT_NOTE, full_prompt=True),
            }
            for name, row in rows.items():
                share = row["seconds"] / rows[PEER]["seconds"]
                figures = f"{row['calls']:>6} {row['tokens']:>8} {row['seconds']:>8.2f} {share:>6.2f}"
                print(f"{words:>6} {a_token:>7} {name:38} {figures}  {row['complete']}", flush=True)


if __name__ == "__main__":
    main()

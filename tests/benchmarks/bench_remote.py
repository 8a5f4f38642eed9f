"""What a remote judge costs: calls, input tokens and wall time a note, grouped against one question a call.

Run by hand: ``python -m tests.benchmarks.bench_remote``. A scripted endpoint on loopback answers each request after
half a second, and once more after 20 ms besides for each token of its answer, 20 at a time; tokens are counted as a
quarter of the characters, the same for all ways of asking. The full check asks it while the built-in judge is at work,
which has read another case before, as on the command line, and then the same one, as in the window. ``share`` is of the
time of one question a call, one kind of question after the other; the last row puts these, too, all at once.
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
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.evaluate import ABOUT_NOTE, ALL_QUESTIONS, Question, evaluate, final
from noteeval_desktop.judges import builtin, making
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts, numbered_turns
from noteeval_desktop.judges.llm.remote import RemoteJudge
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
PEER_AT_ONCE = "the same, all at once"
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
    embedder: Embedder,
    manner: Manner,
    a_token: float,
    questions: tuple[Question, ...],
    quick: Judge | None = None,
    at_once: bool = True,
) -> dict[str, float]:
    """One question a call has the whole session before it, as a naive judge would; ``quick`` makes it a full check."""
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
        judge = LlmJudge(chat, rubric, prompts, EmbeddingRetriever(embedder), manner, places=AT_ONCE)
        remote = RemoteJudge(judge, chat, None) if at_once else judge
        asked = FullCheck(quick, remote, {}) if quick else remote
        began = time.monotonic()
        evaluation = final(evaluate(case, asked, questions)).evaluation
        seconds = time.monotonic() - began
        chat.close()
    calls = judge.usage().calls
    if manner is Manner.PUBLISHED:
        tokens += calls * len(numbered_turns(case.transcript.turns, case.transcript.callings)) // CHARACTERS_A_TOKEN
    return {"calls": calls, "tokens": tokens, "seconds": seconds, "complete": evaluation.complete}


def main() -> None:
    print(" words a token way of asking                           calls   tokens  seconds  share  complete")
    for words, a_token in product(WORDS, A_TOKEN):
        with ExitStack() as closing:
            embedder, rubric = making.encoder(closing), load_rubric()
            first, second = builtin.load(embedder, rubric), builtin.load(embedder, rubric)
            final(evaluate(make_case(), first, ABOUT_NOTE))
            case = sample(words)
            rows = {
                "full check": run(case, embedder, Manner.GROUPED, a_token, ABOUT_NOTE, quick=first),
                "full check after the quick check": run(
                    case, embedder, Manner.GROUPED, a_token, ABOUT_NOTE, quick=second
                ),
                "grouped, about the note": run(case, embedder, Manner.GROUPED, a_token, ABOUT_NOTE),
                "grouped, everything": run(case, embedder, Manner.GROUPED, a_token, ALL_QUESTIONS),
                PEER: run(case, embedder, Manner.PUBLISHED, a_token, ABOUT_NOTE, at_once=False),
                PEER_AT_ONCE: run(case, embedder, Manner.PUBLISHED, a_token, ABOUT_NOTE),
            }
            for name, row in rows.items():
                share = row["seconds"] / rows[PEER]["seconds"]
                figures = f"{row['calls']:>6} {row['tokens']:>8} {row['seconds']:>8.2f} {share:>6.2f}"
                print(f"{words:>6} {a_token:>7} {name:38} {figures}  {row['complete']}", flush=True)


if __name__ == "__main__":
    main()

"""Requests laid out to be read and answered, and the answers taken in: `python -m tests.recorded --help`.

    python -m tests.recorded lay-out SHEETS          a sheet a case: what is asked and was not answered yet
    python -m tests.recorded take-in CASE ANSWERS    answers, a line each: {"request": 3, "answer": {...}}
    python -m tests.recorded leave-out               how often "consider leaving out" is right

Whoever answers sees a sheet and nothing else. ``take-in`` puts the answers through the judge's own readers and says
what is wrong with them; sound ones go to ``answers/CASE.jsonl``, by the text of their request.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import permutations
from pathlib import Path

from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.documents import parse_note
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.evaluate import ABOUT_NOTE, evaluate, final
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm.cache import NoCache
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever, WholeSession
from noteeval_desktop.judges.reference_scores import claims_given
from noteeval_desktop.paths import resources
from noteeval_desktop.research import mts_dialog
from noteeval_desktop.research.atomic_facts import in_facts
from noteeval_desktop.research.benchmark_recorded import (
    SUMMARIES,
    RecordedChat,
    answers_in,
    key_of,
    model_alone,
    read_recorded,
    text_of,
)
from tests.recorded.leaving_out import LEAVE_OUT, counts, marked_notes, told

HERE = Path(__file__).parent
ENTRANCE = "entrance"


def missing(name: str, answers: dict[str, str], closing: ExitStack) -> tuple[list[Request], list[str]]:
    """What is asked of a case, of the entrance test, of MTS-Dialog's summaries or of what to leave out of notes, and
    has no answer; and what is wrong with the answers."""
    chat, prompts = RecordedChat(answers), load_prompts(resources() / "prompts")
    if name == LEAVE_OUT:
        asked = model_alone(chat, load_rubric(), prompts, WholeSession())
        wrong = list(_asked_to_leave_out(asked))
        return _once(chat.missing), wrong
    if name == SUMMARIES:
        wrong = list(_asked_of_summaries(model_alone(chat, load_rubric(), prompts, WholeSession())))
        return _once(chat.missing), wrong
    if name == ENTRANCE:
        test = making.entrance()
        judge = LlmJudge(chat, test.rubric, prompts, WholeSession(), Manner.GROUPED, NoCache())
        return _all_of_the_test(judge, chat), []
    judge = model_alone(chat, load_rubric(), prompts, EmbeddingRetriever(making.encoder(closing)))
    case = next(one for one in read_recorded(HERE) if one.name == name)
    evaluation = final(evaluate(case.case, judge, ABOUT_NOTE)).evaluation
    return _once(chat.missing), [p for p in evaluation.problems if "no answer was recorded" not in p]


def _asked_of_summaries(judge: LlmJudge) -> Iterator[str]:
    """The facts of each summary beside its reference, and the other way round."""
    for pair in mts_dialog.load(HERE / SUMMARIES).pairs:
        for own, other in permutations(map(parse_note, pair)):
            try:
                claims_given(judge, in_facts(own), other, threading.Event())
            except JudgeError as error:
                if "no answer was recorded" not in str(error):
                    yield str(error)


def _asked_to_leave_out(judge: LlmJudge) -> Iterator[str]:
    for number, note in enumerate(marked_notes(), 1):
        try:
            list(judge.private(note.case, threading.Event()))
        except JudgeError as error:
            if "no answer was recorded" not in str(error):
                yield f"{number}: {error}"


def _all_of_the_test(judge: LlmJudge, chat: RecordedChat) -> list[Request]:
    """The test ends early where a model fails; here every question is to be answered."""
    from noteeval_desktop.judges.llm import entrance

    entrance.GUESSED, entrance.GUESSED_CLAIMS = -1000, -1000
    found = making.entrance().run(judge, threading.Event())
    print(found.said, {name: record for name, record in found.records.items()})
    return _once(chat.missing)


def _once(requests: list[Request]) -> list[Request]:
    return list({key_of(text_of(request)): request for request in requests}.values())


def lay_out(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as closing:
        for name in (*(one.name for one in read_recorded(HERE)), ENTRANCE, SUMMARIES, LEAVE_OUT):
            asked, wrong = missing(name, answers_in(HERE, name), closing)
            print(f"{name}: {len(asked)} requests without an answer", *wrong, sep="\n  ")
            if asked:
                (folder / f"{name}.md").write_text(_sheet(asked), "utf-8")


def _sheet(requests: list[Request]) -> str:
    """What many requests begin with stands once."""
    parts = [f"# What is said before every request\n\n{requests[0].system}\n"]
    shown: dict[str, str] = {}
    for number, request in enumerate(requests, 1):
        beginning = ""
        if request.prefix:
            first = shown.setdefault(request.prefix, f"P{len(shown) + 1}")
            beginning = f"(begins with {first})\n\n"
            if list(shown.values()).count(first) == 1 and f"## {first}" not in "\n".join(parts):
                parts.append(f"## {first}\n\n{request.prefix}\n")
        parts.append(f"## Request {number}\n\n{beginning}{request.question}\n")
    return "\n".join(parts)


def take_in(name: str, file: Path) -> int:
    with ExitStack() as closing:
        answers = answers_in(HERE, name)
        asked, _ = missing(name, answers, closing)
        for line in filter(None, file.read_text("utf-8").splitlines()):
            given = json.loads(line)
            answer = given["answer"]
            text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
            answers[key_of(text_of(asked[given["request"] - 1]))] = text
        left, wrong = missing(name, answers, closing)
        lines = [json.dumps({"key": key, "answer": text}, ensure_ascii=False) for key, text in answers.items()]
        target = HERE / "answers" / f"{name}.jsonl"
        target.parent.mkdir(exist_ok=True)
        target.write_text("\n".join(lines) + "\n", "utf-8")
        print(f"{name}: {len(answers)} answers; {len(left)} requests without one", *wrong, sep="\n  ")
    return 1 if left or wrong else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["lay-out", folder]:
            lay_out(Path(folder))
        case ["take-in", name, file]:
            sys.exit(take_in(name, Path(file)))
        case ["leave-out"]:
            prompts, chat = load_prompts(resources() / "prompts"), RecordedChat(answers_in(HERE, LEAVE_OUT))
            print(told(counts(model_alone(chat, load_rubric(), prompts, WholeSession()))))
        case _:
            print(__doc__)

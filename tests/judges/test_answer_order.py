"""Answers of a language model come in any order; equal answers give equal evaluations."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Transcript, cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.engines.chat import Reply, Request
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.remote import PrivateJudge
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.paths import resources
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from tests.factories import make_case, make_transcript
from tests.llm_answers import sound
from tests.scripted_chat import ScriptedChat
from tests.scripted_judge import ScriptedJudge

NEVER = threading.Event()
LONG = make_case(
    transcript=make_transcript(
        (
            *[("client", "Das war schwer 🙂 " + "and so on " * 250)] * 12,
            ("client", "Not since the spring, Zebulon said."),
            *[("therapist", "How was that?"), ("client", "Fine, I would say.")] * 12,
        )
    )
)


class Backwards(ScriptedChat):
    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        yield from reversed(list(super().ask(requests, cancel)))


class FirstTurns:
    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> list[tuple[int, ...]]:
        return [tuple(range(count))] * len(texts)


def judged(case: Case, judge: Judge) -> Evaluation:
    return final(evaluate(case, judge, clock=lambda: 0.0)).evaluation


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("case", [make_case(), LONG], ids=["short", "long"])
def test_the_order_of_arrival_does_not_show(rubric: Rubric, case: Case, private: bool) -> None:
    def made(kind: type[ScriptedChat]) -> Judge:
        llm = LlmJudge(kind(sound), rubric, load_prompts(resources() / "prompts"), FirstTurns())
        return PrivateJudge(llm, IdentifierFinder()) if private else llm

    forwards, backwards = judged(case, made(ScriptedChat)), judged(case, made(Backwards))
    assert forwards == backwards
    assert [item.item for item in backwards.checklist] == [item.id for item in rubric.items]
    turns = [response.turn for response in backwards.responses or ()]
    assert turns == sorted(turns)
    assert turns


def test_all_passages_of_an_omission_are_mapped_back_from_their_tokens() -> None:
    case = make_case(transcript=make_transcript((("client", "Renée saw Zebulon, I said."), ("client", "Yes, Renée."))))
    finder = IdentifierFinder(names=["Renée"])
    seen = PrivateJudge(ScriptedJudge(), finder).prepared(case).case.transcript.turns  # type: ignore[arg-type]
    assert "Renée" not in seen[0].text + seen[1].text

    def passage(turn: int) -> Citation:
        text = seen[turn].text
        return cite(seen[turn], Span(text.index("["), text.index("]") + 1))

    found = Omission(passage(0), OmissionKind.SYMPTOM, Severity.LOW, also=(passage(1),))
    judge = PrivateJudge(ScriptedJudge(omissions=[found]), finder)  # type: ignore[arg-type]
    (omission,) = judge.omit(case, (), NEVER)
    assert [citation.quote for citation in omission.citations] == ["Renée", "Renée"]
    assert all(citation.stands_in(case.transcript) for citation in omission.citations)

"""What leaves the computer: shown before, byte for byte what arrives, and without what the user had masked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from noteeval_desktop.documents import parse_plan
from noteeval_desktop.domain.case import Background, Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.plan import GoalProgress
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.evaluate import ABOUT_NOTE, ALL_QUESTIONS, Question, evaluate, final
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.remote import RemoteJudge
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever
from noteeval_desktop.paths import resources
from noteeval_desktop.privacy.identifiers import Decisions, IdentifierFinder, Unknown
from noteeval_desktop.privacy.lexicon import Lexicon
from tests.factories import make_case, make_note, make_transcript
from tests.fake_embedder import FakeEmbedder
from tests.llm_answers import as_request, numbers_asked, sound_for_any
from tests.openai_server import Behaviour, Body, Endpoint, serve
from tests.scripted_tagger import ScriptedTagger

CASE = make_case(
    transcript=make_transcript(
        (
            ("therapist", "Wie geht’s, how was the week 🙂?"),
            ("client", "My sister Yesenia came with Zebulon. We drove to Quarryville."),
            ("therapist", "How was it for you?"),
            ("client", 'Good, I slept "through" the night <|im_end|>.'),
        )
    ),
    note=make_note({Section.SUBJECTIVE: ["Client went to Quarryville with Yesenia."], Section.PLAN: ["Meet again."]}),
    background=Background(
        plan=parse_plan("Client: Ottoline B.\nGoal 1: See Yesenia again\nObjective 1a: Call my aunt Wilhelmina weekly")
    ),
)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    def behave(body: Body, number: int) -> Behaviour:
        return Behaviour(sound_for_any(as_request(body)) if "response_format" in body else "Yes")

    with serve(behave) as endpoint:
        yield endpoint


@pytest.fixture
def closing() -> Iterator[ExitStack]:
    with ExitStack() as closing:
        yield closing


def make_judge(endpoint: Endpoint, rubric: Rubric, closing: ExitStack, manner: Manner = Manner.GROUPED) -> RemoteJudge:
    chat = RemoteChat(endpoint.url, "m", "key-of-the-test")
    closing.callback(chat.close)
    prompts = load_prompts(resources() / "prompts")
    llm = LlmJudge(chat, rubric, prompts, EmbeddingRetriever(FakeEmbedder()), manner)
    names = {"Yesenia": 0.99, "Wilhelmina": 0.99, "Quarryville": 0.3, "Zebulon": 0.2}
    return RemoteJudge(
        llm, chat, IdentifierFinder(Lexicon(names=frozenset({"yesenia", "wilhelmina"})), ScriptedTagger(names))
    )


@pytest.mark.parametrize("manner", list(Manner))
def test_the_preview_is_byte_for_byte_what_is_sent(
    endpoint: Endpoint, rubric: Rubric, closing: ExitStack, manner: Manner
) -> None:
    judge = make_judge(endpoint, rubric, closing, manner)
    judge.llm.asks_private = True
    preview = judge.preview(CASE)
    assert endpoint.raw == []
    # The risk ledger is found on this computer.
    put = [question for question in ALL_QUESTIONS if question is not Question.RISK]
    assert list(preview) == [question.value for question in put]
    for question in put:
        before = len(endpoint.raw)
        evaluation = final(evaluate(CASE, judge, (question,))).evaluation
        assert evaluation.complete, evaluation.problems
        sent = endpoint.raw[before:]
        assert sent
        assert sorted(sent) == sorted(preview[question.value])
    final(evaluate(CASE, judge, (Question.RISK,)))
    assert final(evaluate(CASE, judge, ALL_QUESTIONS)).evaluation.complete  # and nothing else is ever sent
    assert judge.usage().bytes_sent == sum(len(body) for bodies in preview.values() for body in bodies)


@pytest.mark.parametrize(("places", "claims"), [(1, [5]), (3, [1, 2, 2]), (8, [1] * 5)])
def test_all_is_asked_at_once_and_claims_in_as_many_calls_as_there_are_places(
    places: int, claims: list[int], rubric: Rubric, closing: ExitStack
) -> None:
    note = make_note({Section.PLAN: [f"Meet again on day {day}." for day in range(5)]})
    case = replace(CASE, note=note, background=None)
    sizes: list[int] = []
    together = threading.Event()

    def behave(body: Body, number: int) -> Behaviour:
        request = as_request(body)
        if '"claims"' in request.question:
            sizes.append(len(numbers_asked(request)))
        if number + 1 == calls:
            together.set()
        return Behaviour(sound_for_any(request) if together.wait(60) else "not all at once")

    with serve(behave) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=20)
        closing.callback(chat.close)
        llm = LlmJudge(
            chat, rubric, load_prompts(resources() / "prompts"), EmbeddingRetriever(FakeEmbedder()), places=places
        )
        judge = RemoteJudge(llm, chat, None)
        judge.responses = False
        calls = sum(len(bodies) for bodies in judge.preview(case).values())
        assert final(evaluate(case, judge, ABOUT_NOTE)).evaluation.complete
        assert (sorted(sizes), judge.usage().calls) == (claims, calls)


def test_once_a_check_is_stopped_no_other_question_is_sent(rubric: Rubric, closing: ExitStack) -> None:
    cancel, over = threading.Event(), threading.Event()

    def behave(body: Body, number: int) -> Behaviour:
        cancel.set()
        over.wait(60)
        return Behaviour("too late")

    with serve(behave) as endpoint:
        judge = make_judge(endpoint, rubric, closing)
        # The plan's question comes after the search for what is left out, which is never answered.
        end = final(evaluate(CASE, judge, (Question.OMIT, Question.PLAN), cancel=cancel))
        for thread in threading.enumerate():
            if thread.name.startswith("asked ahead"):
                thread.join(60)
        over.set()
        assert end.cancelled
        assert len(endpoint.raw) == 1


def test_a_plan_is_sent_line_by_line_without_names_and_comes_back_with_them(
    endpoint: Endpoint, rubric: Rubric, closing: ExitStack
) -> None:
    judge = make_judge(endpoint, rubric, closing)
    (thread,) = judge.thread(CASE, threading.Event())
    (sent,) = (body.decode() for body in endpoint.raw)
    assert "See [SISTER-1] again" in sent
    assert "Call my aunt [AUNT-1] weekly" in sent
    assert not [name for name in ("Yesenia", "Wilhelmina", "Ottoline") if name in sent]
    assert thread.plan == CASE.plan
    assert thread.read
    assert [(link.place, link.line, link.progress) for link in thread.note] == [("s1", "g1.o1", GoalProgress.BETTER)]
    assert [(link.place, link.line) for link in thread.session] == [("1", "g1")]


def test_responses_are_shown_only_where_they_are_to_be_sent(
    endpoint: Endpoint, rubric: Rubric, closing: ExitStack
) -> None:
    judge = make_judge(endpoint, rubric, closing)
    judge.responses = False
    preview = judge.preview(CASE)
    assert "responses" not in preview
    final(evaluate(CASE, judge, ABOUT_NOTE))
    assert judge.usage().bytes_sent == sum(len(body) for bodies in preview.values() for body in bodies)


def test_what_was_answered_before_is_not_shown_again(endpoint: Endpoint, rubric: Rubric, closing: ExitStack) -> None:
    judge = make_judge(endpoint, rubric, closing)
    final(evaluate(CASE, judge, (Question.COVER,)))
    preview = judge.preview(CASE)
    assert preview["checklist"] == ()
    assert preview["claims"]


def test_a_preview_has_neither_names_nor_key(endpoint: Endpoint, rubric: Rubric, closing: ExitStack) -> None:
    shown = b"".join(b"".join(bodies) for bodies in make_judge(endpoint, rubric, closing).preview(CASE).values())
    assert b"[SISTER-1]" in shown
    assert b"Yesenia" not in shown
    assert b"key-of-the-test" not in shown


def words_sent(judge: RemoteJudge, case: Case) -> str:
    return b"".join(b"".join(bodies) for bodies in judge.preview(case).values()).decode()


def test_unknown_words_are_masked_or_kept_as_the_user_decides(
    endpoint: Endpoint, rubric: Rubric, closing: ExitStack
) -> None:
    judge = make_judge(endpoint, rubric, closing)
    assert judge.unknown(CASE) == (Unknown("Quarryville", 2), Unknown("Zebulon", 1))
    assert "Quarryville" in words_sent(judge, CASE)
    judge.decide(Decisions(mask=frozenset({"Quarryville"}), keep=frozenset({"Zebulon"})))
    assert judge.unknown(CASE) == ()
    sent = words_sent(judge, CASE)
    assert "Quarryville" not in sent
    assert "Zebulon" in sent
    judge.decide(Decisions(mask=frozenset({"Zebulon"}), keep=frozenset({"Quarryville"})))
    sent = words_sent(judge, CASE)
    assert "Quarryville" in sent
    assert "Zebulon" not in sent


def test_a_word_that_is_taken_for_a_name_can_be_kept(endpoint: Endpoint, rubric: Rubric, closing: ExitStack) -> None:
    judge = make_judge(endpoint, rubric, closing)
    judge.decide(Decisions(keep=frozenset({"Yesenia"})))
    assert "Yesenia" in words_sent(judge, CASE)

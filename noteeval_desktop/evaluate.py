"""The one pipeline: a case and a judge become a stream of events and then an Evaluation.

The window, the command line and the batch all run this.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from noteeval_desktop.collected import Collected, Judgement
from noteeval_desktop.collected import Question as Question  # callers put questions to ``evaluate``
from noteeval_desktop.documents.item_rules import decided_by_rule
from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.placeholders import UNFINISHED, finished
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.verdicts import Attribute, ClaimVerdict, NeedVerdict, ResponseVerdict
from noteeval_desktop.errors import Cancelled, JudgeError, NoteEvalError, unexpected
from noteeval_desktop.judges.ahead import asked_ahead
from noteeval_desktop.judges.llm.cache import Newest
from noteeval_desktop.judges.protocol import (
    AskedAtOnce,
    Exchange,
    FindsPrivate,
    FollowsPlan,
    HasRubric,
    Judge,
    LooksAgain,
    Stage,
    exchanges_of,
)

ALL_QUESTIONS = tuple(Question)
# Of the note; how the therapist answered is a question about the session, asked where somebody wants to know.
ABOUT_NOTE = tuple(question for question in Question if question is not Question.RESPOND)


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` answers to ``question``; ``total`` is None where it cannot be known beforehand.

    ``seconds_left`` is for everything that is still to be asked, at the pace so far; None before the
    pace is known. ``again``: a second judge is asked, as a language model about what the quick check doubts.
    """

    question: Question
    done: int
    total: int | None
    seconds_left: float | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """One verdict, as soon as it is there."""

    verdict: Judgement


@dataclass(frozen=True, slots=True)
class Answered:
    """All verdicts on ``question`` are there, or there are none."""

    question: Question


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event. After a failure or a cancellation ``evaluation.complete`` is False."""

    evaluation: Evaluation
    cancelled: bool = False


Event = Progress | Judged | Answered | Finished


class Memory(Newest[tuple[Judgement, ...]]):
    """Complete answers to questions, kept by a hash of all that they depend on.

    What a therapist undoes is not judged twice, and an edit to the note leaves the responses alone. Finer
    grain (one sentence, one text) is the judges' own, who know what each verdict rests on.
    """

    def __init__(self, capacity: int = 64) -> None:
        super().__init__(capacity)


@dataclass
class _Pace:
    """How long the answers that are still to come will take, from those that came."""

    totals: dict[Question, int]
    clock: Callable[[], float]
    began: float
    given: int = 0

    def seconds_left(self, question: Question, done: int) -> float | None:
        if not self.given or question not in self.totals:
            return None
        order = list(self.totals)
        coming = sum(self.totals[later] for later in order[order.index(question) + 1 :])
        return (self.clock() - self.began) / self.given * (max(0, self.totals[question] - done) + coming)


def evaluate(
    case: Case,
    judge: Judge,
    questions: tuple[Question, ...] = ALL_QUESTIONS,
    cancel: threading.Event | None = None,
    clock: Callable[[], float] = time.monotonic,
    memory: Memory | None = None,
) -> Iterator[Event]:
    """Judge a case. Yields Progress, Judged and Answered, then exactly one Finished; raises nothing of the judge's.

    Set ``cancel`` to stop; what was judged until then is in the Finished event. ``memory`` spares
    questions that were answered before over the same content by the same judge.
    """
    cancel = cancel or threading.Event()
    began = clock()
    questions = tuple(one for one in questions if _can_be_put(one, case, judge))
    collected, problems = Collected(), list[str]()
    again = _second_look(judge, case, questions, collected, problems, cancel) if isinstance(judge, LooksAgain) else []
    at_once = isinstance(judge, AskedAtOnce) and not isinstance(judge, LooksAgain)
    # What is asked at once knows no answer yet.
    known = Collected() if at_once else collected
    asks = {one.value: partial(_answers, judge, one, case, known, cancel, memory) for one in questions}
    # Danger aside, which is found on this computer.
    ahead = asked_ahead({one: ask for one, ask in asks.items() if at_once and one != Question.RISK})
    asked = [_Asked(one, _expected(case, one), ahead.get(one.value, asks[one.value])) for one in questions]
    stopped = yield from _put(asked, collected, problems, cancel, clock)
    if again and not stopped:
        # A pace of its own: what the first judge answers in a moment says nothing of the second.
        stopped = (yield from _put(again, collected, problems, cancel, clock, again=True)) or cancel.is_set()
    yield Finished(collected.evaluation(case, judge, tuple(problems), clock() - began), cancelled=stopped)


@dataclass(frozen=True)
class _Asked:
    """A question, how many answers it will get where that is known, and how to get them."""

    question: Question
    total: int | None
    answers: Callable[[], Iterator[Judgement]]


def _put(
    asked: Sequence[_Asked],
    collected: Collected,
    problems: list[str],
    cancel: threading.Event,
    clock: Callable[[], float],
    again: bool = False,
) -> Generator[Event, None, bool]:
    """Returns whether it was stopped."""
    pace = _Pace({one.question: one.total for one in asked if one.total is not None}, clock, clock())
    for one in asked:
        question, total, done = one.question, one.total, 0
        yield Progress(question, 0, total, pace.seconds_left(question, 0), again)
        try:
            for verdict in one.answers():
                collected.add(verdict)
                yield Judged(verdict)
                # Counts and what they sum up to come with the responses and are none of them.
                if not isinstance(verdict, MiCounts | Reading):
                    done, pace.given = done + 1, pace.given + 1
                    yield Progress(question, done, total, pace.seconds_left(question, done), again)
                if cancel.is_set():
                    raise Cancelled
            collected.answered(question)
            if again:  # what the first judge could not say, as of a session in another language, the second did
                problems[:] = [one for one in problems if not one.startswith(f"{question.value}: ")]
            yield Answered(question)
        except Cancelled as stop:
            problems.append(str(stop))
            return True
        except NoteEvalError as failure:
            problems.append(f"{question.value}: {failure}")
        # One question that fails takes no other with it.
        except Exception as failure:
            problems.append(f"{question.value}: {unexpected(failure)}")
    return False


def _second_look(
    judge: LooksAgain,
    case: Case,
    questions: Sequence[Question],
    collected: Collected,
    problems: list[str],
    cancel: threading.Event,
) -> list[_Asked]:
    """What a second judge is asked, of the questions that were put; none where that cannot be found out."""
    try:
        # Not above: the first screen is to stand before numpy and llama.cpp are loaded.
        from noteeval_desktop.judges.session_match import not_asked

        asked = finished(case)[0]
        if not_asked(asked):
            questions = [question for question in questions if question is not Question.SUPPORT]
        stages = judge.second_look(asked, questions, cancel)
    except NoteEvalError as failure:
        problems.append(f"second look: {failure}")
        return []
    # The first judge's answers stand without a second look.
    except Exception as failure:
        problems.append(f"second look: {unexpected(failure)}")
        return []

    def answers(stage: Stage) -> Iterator[Judgement]:
        # By now, not as it was when the stages were made: the first judge has answered.
        yield from stage.ask(collected.given(), cancel)

    return [_Asked(Question(stage.question), stage.total, partial(answers, stage)) for stage in stages]


def final(events: Iterator[Event]) -> Finished:
    """Run a stream of events to its end."""
    last = None
    for last in events:  # noqa: B007
        pass
    assert isinstance(last, Finished)
    return last


def score_response(judge: Judge, exchange: Exchange, cancel: threading.Event) -> ResponseVerdict:
    """How a response outside a session scores; where the judge breaks, a verdict without scores that says so.

    Raises JudgeError, Cancelled.
    """
    try:
        verdict = next(iter(judge.respond((exchange,), cancel)), None)
    except NoteEvalError:
        raise
    # Told in the place of its marks: the other responses are still to be asked about.
    except Exception as error:
        return ResponseVerdict(None, tuple((attribute, None) for attribute in Attribute), notices=(unexpected(error),))
    if verdict is None:
        raise JudgeError("it gave no answer.")
    return verdict


def _can_be_put(question: Question, case: Case, judge: Judge) -> bool:
    if question is Question.PLAN:
        return case.plan is not None and bool(case.plan.goals) and isinstance(judge, FollowsPlan)
    return question is not Question.PRIVATE or (isinstance(judge, FindsPrivate) and judge.asks_private)


def _expected(case: Case, question: Question) -> int | None:
    if question in (Question.NEED, Question.SUPPORT):
        return len(case.note.sentences)
    return len(exchanges_of(case.transcript)) if question is Question.RESPOND else None


def _answers(
    judge: Judge,
    question: Question,
    case: Case,
    collected: Collected,
    cancel: threading.Event,
    memory: Memory | None,
) -> Iterator[Judgement]:
    if memory is None:
        yield from _ask(judge, question, case, collected, cancel)
        return
    key = _key(judge, question, case)
    known = memory.get(key)
    if known is not None:
        yield from known
        return
    given = []
    for verdict in _ask(judge, question, case, collected, cancel):
        given.append(verdict)
        yield verdict
    memory.put(key, tuple(given))


def _key(judge: Judge, question: Question, case: Case) -> str:
    asked = [repr(judge.identity), question.value, case.transcript.content_fingerprint]
    if question is not Question.RESPOND:
        asked += (case.note.text, str(case.right_session))
        asked += (f"{sentence.sections}{sentence.span}" for sentence in case.note.sentences)
        asked += (f"{block.sections}{block.body}" for block in case.note.blocks)
    if question is Question.PLAN and case.plan is not None:
        asked.append(case.plan.text)
    return fingerprint(*asked)


def _ask(
    judge: Judge, question: Question, case: Case, collected: Collected, cancel: threading.Event
) -> Iterator[Judgement]:
    asked, unfinished = finished(case)
    match question:
        case Question.RISK:
            yield from judge.risks(asked, cancel)
        case Question.COVER:
            yield from judge.cover(asked, cancel)
            if isinstance(judge, HasRubric):
                yield from decided_by_rule(asked, judge.rubric)
        case Question.NEED:
            yield from judge.need(asked, cancel)
            yield from (NeedVerdict(one.id, None, rationale=UNFINISHED, set_aside=True) for one in unfinished)
        case Question.SUPPORT:
            # Not above: the first screen is to stand before numpy and llama.cpp are loaded.
            from noteeval_desktop.judges.session_match import not_asked

            yield from not_asked(asked) or judge.support(asked, cancel)
            yield from (ClaimVerdict(one.id, None, rationale=UNFINISHED, set_aside=True) for one in unfinished)
        case Question.OMIT:
            yield from judge.omit(asked, tuple(collected.claims.values()), cancel)
        case Question.PLAN:
            assert isinstance(judge, FollowsPlan)
            yield from judge.thread(asked, cancel)
        case Question.PRIVATE:
            assert isinstance(judge, FindsPrivate)
            yield from judge.private(asked, cancel)
        case Question.RESPOND:
            # Not above: the first screen is to stand before numpy and llama.cpp are loaded.
            from noteeval_desktop.judges.exchanges import answered

            yield from answered(judge, case.transcript, cancel)

"""The one pipeline: a case and a judge become a stream of events and then an Evaluation.

The window, the command line and the batch all run this.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    ResponseVerdict,
)
from noteeval_desktop.errors import Cancelled, JudgeError
from noteeval_desktop.judges.protocol import Exchange, Judge

Judgement = ItemVerdict | NeedVerdict | ClaimVerdict | Omission | ResponseVerdict
CONTEXT_TURNS = 4


class Question(StrEnum):
    COVER = "checklist"
    NEED = "sentences"
    SUPPORT = "claims"
    OMIT = "omissions"
    RESPOND = "responses"


NOTE_QUESTIONS = (Question.COVER, Question.NEED, Question.SUPPORT)
ALL_QUESTIONS = tuple(Question)


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` answers to ``question``; ``total`` is None where it cannot be known beforehand."""

    question: Question
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class Judged:
    """One verdict, as soon as it is there."""

    verdict: Judgement


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event. After a failure or a cancellation ``evaluation.complete`` is False."""

    evaluation: Evaluation
    cancelled: bool = False


Event = Progress | Judged | Finished


@dataclass
class _Collected:
    items: list[ItemVerdict] = field(default_factory=list)
    needs: dict[str, NeedVerdict] = field(default_factory=dict)
    claims: dict[str, ClaimVerdict] = field(default_factory=dict)
    omissions: list[Omission] | None = None
    responses: list[ResponseVerdict] | None = None

    def add(self, verdict: Judgement) -> None:
        match verdict:
            case ItemVerdict():
                self.items.append(verdict)
            case NeedVerdict():
                self.needs[verdict.sentence] = verdict
            case ClaimVerdict():
                self.claims[verdict.sentence] = verdict
            case Omission():
                self.omissions = [*(self.omissions or []), verdict]
            case ResponseVerdict():
                self.responses = [*(self.responses or []), verdict]


def evaluate(
    case: Case,
    judge: Judge,
    questions: tuple[Question, ...] = ALL_QUESTIONS,
    cancel: threading.Event | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Event]:
    """Judge a case. Yields Progress and Judged events, then exactly one Finished; raises nothing of the judge's.

    Set ``cancel`` to stop; what was judged until then is in the Finished event.
    """
    cancel = cancel or threading.Event()
    began = clock()
    collected, problems, stopped = _Collected(), [], False
    for question in questions:
        total, done = _expected(case, question), 0
        yield Progress(question, 0, total)
        try:
            for verdict in _ask(judge, question, case, collected, cancel):
                collected.add(verdict)
                done += 1
                yield Judged(verdict)
                yield Progress(question, done, total)
                if cancel.is_set():
                    raise Cancelled
        except Cancelled as stop:
            problems.append(str(stop))
            stopped = True
            break
        except JudgeError as failure:
            problems.append(f"{question.value}: {failure}")
    yield Finished(_evaluation(case, judge, collected, tuple(problems), clock() - began), cancelled=stopped)


def final(events: Iterator[Event]) -> Finished:
    """Run a stream of events to its end."""
    last = None
    for last in events:  # noqa: B007
        pass
    assert isinstance(last, Finished)
    return last


def exchanges_of(transcript: Transcript) -> tuple[Exchange, ...]:
    """Each therapist turn with the turns before it (at most ``CONTEXT_TURNS``), where a client has spoken."""
    turns = transcript.turns
    return tuple(
        Exchange(context=turns[max(0, turn.index - CONTEXT_TURNS) : turn.index], response=turn.text, turn=turn.index)
        for turn in turns
        if turn.role is Role.THERAPIST
        and any(t.role is Role.CLIENT for t in turns[max(0, turn.index - CONTEXT_TURNS) : turn.index])
    )


def _expected(case: Case, question: Question) -> int | None:
    return len(case.note.sentences) if question in (Question.NEED, Question.SUPPORT) else None


def _ask(
    judge: Judge, question: Question, case: Case, collected: _Collected, cancel: threading.Event
) -> Iterator[Judgement]:
    match question:
        case Question.COVER:
            yield from judge.cover(case, cancel)
        case Question.NEED:
            yield from judge.need(case, cancel)
        case Question.SUPPORT:
            yield from judge.support(case, cancel)
        case Question.OMIT:
            yield from judge.omit(case, tuple(collected.claims.values()), cancel)
            collected.omissions = collected.omissions or []
        case Question.RESPOND:
            yield from judge.respond(exchanges_of(case.transcript), cancel)
            collected.responses = collected.responses or []


def _evaluation(
    case: Case, judge: Judge, collected: _Collected, problems: tuple[str, ...], seconds: float
) -> Evaluation:
    sentences = tuple(
        JudgedSentence(sentence, collected.needs.get(sentence.id), collected.claims.get(sentence.id))
        for sentence in case.note.sentences
    )
    return Evaluation(
        case=case,
        judge=judge.identity,
        checklist=tuple(collected.items),
        sentences=sentences,
        scores=score(collected.items, sentences),
        complete=not problems,
        problems=problems,
        omissions=None if collected.omissions is None else tuple(collected.omissions),
        responses=None if collected.responses is None else tuple(collected.responses),
        usage=replace(judge.usage(), seconds=seconds),
    )

"""The one pipeline: a case and a judge become a stream of events and then an Evaluation.

The window, the command line and the batch all run this.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.placeholders import UNFINISHED, finished
from noteeval_desktop.domain.risk import RiskFinding, with_risks, without_wrong
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.verdicts import (
    Attribute,
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    ResponseVerdict,
    Verdict,
)
from noteeval_desktop.errors import Cancelled, JudgeError, NoteEvalError, unexpected
from noteeval_desktop.judges.protocol import (
    Doubted,
    Exchange,
    HasRubric,
    Judge,
    LeavesOut,
    exchanges_of,
)

Judgement = RiskFinding | ItemVerdict | NeedVerdict | ClaimVerdict | Omission | ResponseVerdict | MiCounts | Reading


class Question(StrEnum):
    """In the order of asking: a danger is to be shown at once, also where a slow judge answers the rest."""

    RISK = "risks"
    COVER = "checklist"
    NEED = "sentences"
    SUPPORT = "claims"
    OMIT = "omissions"
    RESPOND = "responses"


NOTE_QUESTIONS = (Question.COVER, Question.NEED, Question.SUPPORT)
ALL_QUESTIONS = tuple(Question)
# Of the note; how the therapist answered is a question about the session, asked where somebody wants to know.
ABOUT_NOTE = tuple(question for question in Question if question is not Question.RESPOND)


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` answers to ``question``; ``total`` is None where it cannot be known beforehand.

    ``seconds_left`` is for everything that is still to be asked, at the pace so far; None before the
    pace is known.
    """

    question: Question
    done: int
    total: int | None
    seconds_left: float | None = None


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
_NOT_REACHED = "The check ended before this item."


class Memory:
    """Complete answers to questions, kept by a hash of all that they depend on; safe to share between threads.

    What a therapist undoes is not judged twice, and an edit to the note leaves the responses alone. Finer
    grain (one sentence, one text) is the judges' own, who know what each verdict rests on.
    """

    def __init__(self, capacity: int = 64) -> None:
        self._capacity, self._lock = capacity, threading.Lock()
        self._answers: OrderedDict[str, tuple[Judgement, ...]] = OrderedDict()

    def get(self, key: str) -> tuple[Judgement, ...] | None:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def put(self, key: str, answers: tuple[Judgement, ...]) -> None:
        with self._lock:
            self._answers[key] = answers
            self._answers.move_to_end(key)
            while len(self._answers) > self._capacity:
                self._answers.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._answers.clear()


@dataclass
class Collected:
    """The verdicts that have come so far."""

    items: list[ItemVerdict] = field(default_factory=list)
    needs: dict[str, NeedVerdict] = field(default_factory=dict)
    claims: dict[str, ClaimVerdict] = field(default_factory=dict)
    omissions: list[Omission] | None = None
    responses: list[ResponseVerdict] | None = None
    risks: list[RiskFinding] | None = None
    behaviours: MiCounts | None = None
    reading: Reading | None = None

    def add(self, verdict: Judgement) -> None:
        match verdict:
            case RiskFinding():
                self.risks = [*(self.risks or []), verdict]
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
            case MiCounts():
                self.behaviours = verdict
            case Reading():
                self.reading = verdict

    def answered(self, question: Question) -> None:
        """From now on an empty list means: asked, and nothing found."""
        if question is Question.RISK:
            self.risks = self.risks or []
        if question is Question.OMIT:
            self.omissions = self.omissions or []
        if question is Question.RESPOND:
            self.responses = self.responses or []

    def evaluation(self, case: Case, judge: Judge, problems: tuple[str, ...], seconds: float) -> Evaluation:
        """What has come so far as an Evaluation; complete where there is no problem and nothing was left unjudged."""
        errors = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
        risks = without_wrong(self.risks or (), {one.sentence for one in self.claims.values() if one.verdict in errors})
        checklist = with_risks(self._all_items(judge), risks)
        problems += tuple(self._unjudged(checklist))
        sentences = tuple(
            JudgedSentence(sentence, self.needs.get(sentence.id), self.claims.get(sentence.id))
            for sentence in case.note.sentences
        )
        return Evaluation(
            case=_with_doubt(case, judge),
            judge=judge.identity,
            checklist=checklist,
            sentences=sentences,
            scores=score(checklist, sentences),
            complete=not problems,
            problems=problems,
            omissions=None if self.omissions is None else tuple(self.omissions),
            responses=None if self.responses is None else tuple(sorted(self.responses, key=_turn_of)),
            usage=replace(judge.usage(), seconds=seconds),
            risks=None if self.risks is None else risks,
            behaviours=self.behaviours,
            reading=self.reading,
            wrong_on_risk=tuple(self._wrong_on_risk(case)),
            unheard=judge.left_out(case.transcript) if isinstance(judge, LeavesOut) else (),
        )

    def _wrong_on_risk(self, case: Case) -> Iterator[str]:
        # Not above: the first screen is to stand before numpy and llama.cpp are loaded.
        from noteeval_desktop.judges.builtin.completeness.general_items import speaks_of_safety

        answering = {sentence for risk in self.risks or () for sentence in risk.addressed_by or ()}
        for sentence in case.note.sentences:
            claim = self.claims.get(sentence.id)
            on_risk = sentence.id in answering or speaks_of_safety(sentence.text)
            if on_risk and claim is not None and claim.verdict is Verdict.CONTRADICTED:
                yield sentence.id

    def _all_items(self, judge: Judge) -> list[ItemVerdict]:
        """In the rubric's order, so that equal answers give equal files whichever came first; once one is answered,
        with those that are not."""
        rubric = judge.rubric_items() if isinstance(judge, HasRubric) and self.items else ()
        unreached = (ItemVerdict(i.id, i.section, i.importance, None, rationale=_NOT_REACHED) for i in rubric)
        return list(({item.item: item for item in unreached} | {item.item: item for item in self.items}).values())

    def _unjudged(self, checklist: Iterable[ItemVerdict]) -> Iterator[str]:
        """For each question with answers that hold no value: how many, and the commonest reason. What the ledger of
        risks has decided in ``checklist`` is judged."""
        answered = {item.item for item in self.items}
        values: dict[Question, list[tuple[object, str]]] = {
            Question.COVER: [(item.present, item.rationale) for item in checklist if item.item in answered],
            Question.NEED: [(need.needed, need.rationale) for need in self.needs.values() if not need.set_aside],
            Question.SUPPORT: [
                (claim.verdict, claim.rationale) for claim in self.claims.values() if not claim.set_aside
            ],
            Question.RESPOND: [
                (None if any(given is None for _, given in verdict.scores) else True, " ".join(verdict.notices))
                for verdict in self.responses or ()
            ],
        }
        for question, answers in values.items():
            reasons = Counter(reason for value, reason in answers if value is None)
            if reasons:
                counted = f"{question.value}: {reasons.total()} of {len(answers)} could not be judged"
                reason = reasons.most_common(1)[0][0].strip()
                yield f"{counted}: {reason}" if reason else f"{counted}."


def _with_doubt(case: Case, judge: Judge) -> Case:
    doubt = judge.doubt if isinstance(judge, Doubted) else ""
    if not doubt or doubt in case.warnings:
        return case
    return replace(case, note=replace(case.note, warnings=(*case.note.warnings, doubt)))


def _turn_of(response: ResponseVerdict) -> int:
    return -1 if response.turn is None else response.turn


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
    """Judge a case. Yields Progress and Judged events, then exactly one Finished; raises nothing of the judge's.

    Set ``cancel`` to stop; what was judged until then is in the Finished event. ``memory`` spares
    questions that were answered before over the same content by the same judge.
    """
    cancel = cancel or threading.Event()
    began = clock()
    expected = {question: _expected(case, question) for question in questions}
    pace = _Pace({question: total for question, total in expected.items() if total is not None}, clock, began)
    collected, problems, stopped = Collected(), [], False
    for question in questions:
        total, done = expected[question], 0
        yield Progress(question, 0, total, pace.seconds_left(question, 0))
        try:
            for verdict in _answers(judge, question, case, collected, cancel, memory):
                collected.add(verdict)
                yield Judged(verdict)
                # Counts and what they sum up to come with the responses and are none of them.
                if not isinstance(verdict, MiCounts | Reading):
                    done, pace.given = done + 1, pace.given + 1
                    yield Progress(question, done, total, pace.seconds_left(question, done))
                if cancel.is_set():
                    raise Cancelled
            collected.answered(question)
        except Cancelled as stop:
            problems.append(str(stop))
            stopped = True
            break
        except NoteEvalError as failure:
            problems.append(f"{question.value}: {failure}")
        # One question that fails takes no other with it.
        except Exception as failure:
            problems.append(f"{question.value}: {unexpected(failure)}")
    yield Finished(collected.evaluation(case, judge, tuple(problems), clock() - began), cancelled=stopped)


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
    except Exception as error:
        return ResponseVerdict(None, tuple((attribute, None) for attribute in Attribute), notices=(unexpected(error),))
    if verdict is None:
        raise JudgeError("it gave no answer.")
    return verdict


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
        asked.append(case.note.text)
        asked += (f"{sentence.sections}{sentence.span}" for sentence in case.note.sentences)
        asked += (f"{block.sections}{block.body}" for block in case.note.blocks)
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
        case Question.NEED:
            yield from judge.need(asked, cancel)
            yield from (NeedVerdict(one.id, None, rationale=UNFINISHED, set_aside=True) for one in unfinished)
        case Question.SUPPORT:
            yield from judge.support(asked, cancel)
            yield from (ClaimVerdict(one.id, None, rationale=UNFINISHED, set_aside=True) for one in unfinished)
        case Question.OMIT:
            yield from judge.omit(asked, tuple(collected.claims.values()), cancel)
        case Question.RESPOND:
            # Not above: the first screen is to stand before numpy and llama.cpp are loaded.
            from noteeval_desktop.judges.builtin.responses.disclosures import answered

            yield from answered(judge, case.transcript, cancel)

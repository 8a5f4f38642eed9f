"""The judge that checks the case on the desk, and one run of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from noteeval_desktop.collected import Collected, on_record
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, JudgeIdentity, Usage
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.remarks import RemarkKind
from noteeval_desktop.errors import Cancelled, JudgeError, unexpected
from noteeval_desktop.evaluate import ALL_QUESTIONS, Answered, Finished, Judged, Memory, Progress, Question, evaluate
from noteeval_desktop.judges.protocol import Exchange, GivesMarks, Judge, Rating
from noteeval_desktop.ui.case import notices
from noteeval_desktop.ui.widgets.jobs import Emit, Lane

PROGRESS_EVERY = 0.08
RESULTS_EVERY = 1.0
# Jobs in which a judge answers, and so may send.
CHECK, SCORE_RESPONSES = "check", "score_responses"

Go = Callable[[], None]


@dataclass(frozen=True, slots=True)
class EngineNews:
    """Seconds that the questions in hand will still take, None where that is not known yet; or a Testing."""

    seconds_left: object


@dataclass(frozen=True, slots=True)
class Testing:
    """The model takes its entrance test: ``done`` of ``total`` questions are answered."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class PairsGate:
    """How responses outside a session come to a judge that needs leave.

    ``ask(exchanges, go, say, parent)`` runs on the GUI thread and calls ``go`` when they may be sent, or says why not;
    ``cleared`` runs in the lane and gives the judge, or raises where these are not what was agreed to.
    """

    ask: Callable[[tuple[Exchange, ...], Go, Callable[[str], object], object], None]
    cleared: Callable[[tuple[Exchange, ...]], Judge]


@dataclass(frozen=True, slots=True)
class Marks:
    """A language model's marks from 1 to 5; ``problem`` says why some are missing."""

    ratings: tuple[Rating, ...]
    problem: str = ""


@runtime_checkable
class _Closable(Protocol):
    def close(self) -> None: ...


@dataclass(eq=False)
class Engaged:
    """A judge in use, loaded with the first case, in the lane that it works in.

    ``load`` is given a function that takes news of the engine. ``live``: quick and local enough to check again
    at every pause in typing. ``marks``: also ask for marks from 1 to 5. ``gate`` runs on the GUI thread and calls its
    argument when a check may begin; ``clear`` runs in the lane and raises where a case may not be judged after all;
    ``admit`` runs before the judge is loaded and raises where it is not to be believed.
    """

    load: Callable[[Callable[[object], None]], Judge]
    lane: Lane = Lane.LOCAL
    live: bool = True
    gate: Callable[[Go], None] = lambda go: go()
    clear: Callable[[Case], None] = lambda case: None
    admit: Callable[[threading.Event, Callable[[object], None]], None] = lambda cancel, tell: None
    marks: bool = False
    pairs: PairsGate | None = None
    _judge: Judge | None = None
    _emit: Emit | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def judge(self, cancel: threading.Event | None = None, emit: Emit | None = None) -> Judge:
        """Loaded, and let in, if it is not yet; ``emit`` takes EngineNews from now on. Raises ModelError, Cancelled."""
        with self._lock:
            self._emit = emit or self._emit
            if self._judge is None:
                self.admit(cancel or threading.Event(), self._tell)
                self._judge = self.load(self._tell)
            return self._judge

    def forget(self) -> None:
        """The judge goes, with all that it remembers, and is loaded again when it is next asked; in its lane."""
        with self._lock:
            judge, self._judge, self._emit = self._judge, None, None
        if isinstance(judge, _Closable):
            judge.close()

    def _tell(self, news: object) -> None:
        """What the engine says about its work goes with the check that it works for."""
        if self._emit is not None:
            self._emit(EngineNews(news))

    def run(
        self,
        case: Case,
        memory: Memory,
        cancel: threading.Event,
        emit: Emit,
        questions: tuple[Question, ...] = ALL_QUESTIONS,
        before: Evaluation | None = None,
    ) -> Finished:
        """Judge ``case``; emits Progress, of a judge that takes its time the Evaluation so far, Marks, and as a text
        what a person should see before they trust the verdicts, empty where there is nothing.

        ``before``: what may have been judged of it already; where that still holds nothing is judged again.
        """
        # A judge keeps the case that it works on, and a lane of several threads may still end the check before.
        while not self._turn.acquire(timeout=0.05):
            if cancel.is_set():
                raise Cancelled
        try:
            if self.live and before is not None and _holds(before, case, self.judge(cancel, emit).identity, questions):
                emit(_warning(case, before))
                remarks, copied = on_record(case)
                goals = tuple(one for one in before.remarks if one.kind is RemarkKind.GOAL)  # rest on the thread
                return Finished(replace(before, case=case, remarks=remarks + goals, copied=copied))
            return self._run(case, memory, cancel, emit, questions)
        finally:
            self._turn.release()

    def _run(
        self, case: Case, memory: Memory, cancel: threading.Event, emit: Emit, questions: tuple[Question, ...]
    ) -> Finished:
        if cancel.is_set():
            raise Cancelled
        self.clear(case)
        judge = self.judge(cancel, emit)
        before = judge.usage()
        # A slow judge keeps its sound answers itself; the memory would keep "not checked" as well.
        kept = memory if self.live else None
        collected, told, shown = Collected(), 0.0, time.monotonic()
        for event in evaluate(case, judge, questions, cancel=cancel, memory=kept):
            now = time.monotonic()
            match event:
                case Finished():
                    if self.marks and not event.cancelled and isinstance(judge, GivesMarks):
                        emit(_marked(judge, case, cancel))
                    # Here, not where it is shown: reading a long session would hold the window up.
                    emit(_warning(case, event.evaluation))
                    return replace(event, evaluation=_alone(event.evaluation, judge.usage(), before))
                # What begins is always told: the first answer of a model may take a minute.
                case Progress() if event.done == 0 or now - told > PROGRESS_EVERY:
                    told = now
                    emit(event)
                case Judged() | Answered() if not self.live:
                    if isinstance(event, Judged):
                        collected.add(event.verdict)
                    else:
                        collected.answered(event.question)
                    if isinstance(event, Answered) or now - shown > RESULTS_EVERY:
                        shown = now
                        emit(collected.evaluation(case, judge, (tr("not finished"),), 0.0))
        raise AssertionError("an evaluation ends with Finished")


def _holds(before: Evaluation, case: Case, judge: JudgeIdentity, questions: tuple[Question, ...]) -> bool:
    """Of the same texts, by the same version of the same judge, and of all that is asked now."""
    same = before.case.transcript == case.transcript and before.case.note == case.note and before.judge == judge
    same = same and before.case.right_session is case.right_session
    same = same and (before.thread.plan if before.thread is not None else None) == case.plan
    return same and before.complete and (Question.RESPOND not in questions or before.responses is not None)


def _warning(case: Case, evaluation: Evaluation) -> str:
    return " ".join(filter(None, (notices.warning(case), notices.unheard(evaluation))))


def _marked(judge: GivesMarks, case: Case, cancel: threading.Event) -> Marks:
    ratings: list[Rating] = []
    try:
        ratings += judge.likert(case, cancel)
    except (JudgeError, Cancelled) as problem:
        return Marks(tuple(ratings), str(problem))
    # What was marked before stays.
    except Exception as failure:
        return Marks(tuple(ratings), unexpected(failure))
    return Marks(tuple(ratings), next((rating.problem for rating in ratings if rating.problem), ""))


def _alone(evaluation: Evaluation, used: Usage, before: Usage) -> Evaluation:
    """With what this check used, marks included, not all that the judge has used."""
    return replace(evaluation, usage=replace(used.since(before), seconds=evaluation.usage.seconds))

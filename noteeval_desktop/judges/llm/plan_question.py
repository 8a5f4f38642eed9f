"""The question to which lines of the treatment plan note and session speak: one request, read strictly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.plan import GoalProgress, PlanLink, Thread, TreatmentPlan
from noteeval_desktop.domain.transcript import Turn, turn_number
from noteeval_desktop.engines.chat import Reply, Request
from noteeval_desktop.judges.llm import schemas
from noteeval_desktop.judges.llm.answers import AnswerError, Number, Strict, TurnIndex, read_answer
from noteeval_desktop.judges.llm.asking import Unit
from noteeval_desktop.judges.llm.prompts import as_data
from noteeval_desktop.judges.llm.questions import Answers, Wording

PLAN = "plan"
_MOST_TURNS, _MOST_LINES = 20, 4


class _SentenceAnswer(Strict):
    n: Number
    lines: list[Number] = Field(max_length=_MOST_LINES)
    progress: Literal["better", "same", "worse", "met", "none"]


class _TurnAnswer(Strict):
    turn: TurnIndex
    lines: list[Number] = Field(max_length=_MOST_LINES)


class _PlanAnswers(Strict):
    sentences: list[_SentenceAnswer]
    turns: list[_TurnAnswer] = Field(max_length=2 * _MOST_TURNS)


def build_plan(wording: Wording, case: Case, turns: Sequence[Turn]) -> Callable[[Sequence[Unit[Case]]], Request]:
    """``turns``: all of the session's, or those that are nearest to the plan."""

    def build(units: Sequence[Unit[Case]]) -> Request:
        assert case.plan is not None
        note = "\n".join(f"{n}. [{s.section}] {as_data(s.text)}" for n, s in enumerate(case.note.sentences, 1))
        return wording.request(
            PLAN,
            wording.session_prefix(case.transcript, turns),
            schemas.plan([turn_number(turn.index) for turn in turns], len(case.note.sentences), len(case.plan.lines)),
            80 + 40 * len(case.note.sentences) + 30 * _MOST_TURNS,
            plan=plan_lines(case.plan),
            note=note or "(empty)",
            most=_MOST_TURNS,
        )

    return build


def plan_lines(plan: TreatmentPlan) -> str:
    """``3. [objective of 1] text``, a line each."""
    numbers = {line.id: number for number, line in enumerate(plan.lines, 1)}
    kinds = (
        "intervention" if not line.goal else "goal" if line.goal == line.id else f"objective of {numbers[line.goal]}"
        for line in plan.lines
    )
    return "\n".join(
        f"{numbers[line.id]}. [{kind}] {as_data(line.text)}" for line, kind in zip(plan.lines, kinds, strict=True)
    )


def read_plan(case: Case) -> Callable[[Reply, Sequence[Unit[Case]]], Answers]:
    """Every number must be one that was shown, or the reply is of no use."""

    def read(reply: Reply, units: Sequence[Unit[Case]]) -> Answers:
        assert case.plan is not None
        answer = read_answer(_PlanAnswers, reply.text, reply.finished)
        own = [*(entry.lines for entry in answer.sentences), *(entry.lines for entry in answer.turns)]
        if any(not 1 <= number <= len(case.plan.lines) for lines in own for number in lines):
            raise AnswerError("a line of the plan does not exist")
        if any(not 1 <= entry.n <= len(case.note.sentences) for entry in answer.sentences):
            raise AnswerError("a sentence number does not exist")
        if any(not 0 <= entry.turn < len(case.transcript.turns) for entry in answer.turns):
            raise AnswerError("a turn does not exist")
        return {units[0].number: answer.model_dump()}, {}

    return read


def thread_of(case: Case, answer: Mapping[str, Any]) -> Thread:
    """In the order of note, session and plan, each link once."""
    assert case.plan is not None
    ids, places = [line.id for line in case.plan.lines], [sentence.id for sentence in case.note.sentences]
    goes = {(e["n"] - 1, number - 1): GoalProgress(e["progress"]) for e in answer["sentences"] for number in e["lines"]}
    heard = sorted({(entry["turn"], number - 1) for entry in answer["turns"] for number in entry["lines"]})
    note = tuple(PlanLink(places[n], ids[m], goes[n, m]) for n, m in sorted(goes))
    return Thread(case.plan, note, tuple(PlanLink(str(turn), ids[m]) for turn, m in heard), read=True)

"""`noteeval evaluate --likert`: marks from 1 to 5 beside the rubric's yes and no."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, Protocol, runtime_checkable

from noteeval_desktop.commands.run import Run
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import Cancelled, InputError, JudgeError, unexpected
from noteeval_desktop.judges.llm.likert import NoteMark, Rating, SectionMarks
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.report.terminal import ProgressBar, table

DIMENSIONS, ACCEPTANCE = tuple(SectionMarks.model_fields), tuple(NoteMark.model_fields)


@runtime_checkable
class Marker(Protocol):
    """A judge that also gives marks."""

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]: ...


def check_marker(judge: Judge) -> None:
    """Before anything is judged. Raises InputError."""
    if not isinstance(judge, Marker):
        raise InputError(
            "--likert",
            tr("needs a judge that gives ratings"),
            tr("Add --judge local or --judge remote with its model."),
        )


def with_marks(run: Run, judge: Judge, case: Case, evaluation: Evaluation) -> tuple[Evaluation, tuple[Rating, ...]]:
    """The marks, and the evaluation with what they cost; what has no mark makes it incomplete. Raises Cancelled."""
    assert isinstance(judge, Marker)
    bar, ratings, problems = ProgressBar(run.err), list[Rating](), list[str]()
    try:
        for rating in judge.likert(case, run.cancel):
            ratings.append(rating)
            bar.show(tr("Ratings"), len(ratings), None)
    except Cancelled as stop:
        problems.append(str(stop))
    except JudgeError as failure:
        problems.append(f"marks: {failure}")
    # The evaluation is written without the marks, and says so.
    except Exception as failure:
        problems.append(f"marks: {unexpected(failure)}")
    bar.clear()
    problems += [
        tr("ratings of {what}: {problem}").format(what=_name(rating), problem=rating.problem)
        for rating in ratings
        if rating.problem
    ]
    marked = replace(
        evaluation,
        problems=(*evaluation.problems, *problems),
        complete=evaluation.complete and not problems,
        usage=replace(judge.usage(), seconds=evaluation.usage.seconds),
    )
    return marked, tuple(sorted(ratings, key=_place))


def likert_to_json(ratings: Sequence[Rating]) -> dict[str, Any]:
    """``sections``: marks from 1 to 5, null where there is none; ``note``: acceptance, and the sections' means."""
    sections = {
        rating.section.value: {name: rating.marks.get(name) for name in DIMENSIONS}
        for rating in ratings
        if rating.section is not None
    }
    whole = next((rating.marks for rating in ratings if rating.section is None), {})
    note: dict[str, float | None] = {name: whole.get(name) for name in ACCEPTANCE}
    for name in DIMENSIONS:
        given = [marks[name] for marks in sections.values() if marks[name] is not None]
        note[name] = fmean(mark for mark in given if mark is not None) if given else None
    return {"note": note, "sections": sections}


def likert_table(ratings: Sequence[Rating]) -> str:
    data = likert_to_json(ratings)
    rows = [[tr("Ratings, 1 to 5"), *(name.capitalize() for name in (*DIMENSIONS, *ACCEPTANCE))]]
    for name, marks in data["sections"].items():
        rows.append([name.capitalize(), *(_figure(marks[dimension]) for dimension in DIMENSIONS)])
    rows.append([tr("Note"), *(_figure(data["note"][name]) for name in (*DIMENSIONS, *ACCEPTANCE))])
    return table(rows)


def _place(rating: Rating) -> int:
    """The note's order, whichever came first; its acceptance at the end."""
    return SOAP.index(rating.section) if rating.section in SOAP else len(SOAP)


def _name(rating: Rating) -> str:
    return tr("the note") if rating.section is None else rating.section.value


def _figure(mark: float | None) -> str:
    return "–" if mark is None else f"{mark:.1f}" if isinstance(mark, float) else str(mark)

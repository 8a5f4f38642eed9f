"""Who agrees with whom: the library's reviews as a tree of figures. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.judge_names import model_name as judge_name
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.phrases import decimal, tr
from noteeval_desktop.domain.review import SCORED, Dimension, Review
from noteeval_desktop.domain.rubric import Rubric, place_of
from noteeval_desktop.measures.rater_tables import ACCEPTANCE, review_agreement
from noteeval_desktop.present.vocabulary import SECTION_NAMES, WHOLE_NOTE
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.work import Rated

FEWEST_FOR_INTERVAL = 5
_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Line:
    """``depth`` 0 to 2. ``count``: judgements that two people or more made, or else a person and a judge.

    ``figures``: equal, kappa and alpha between people, then alpha of each judge with them. ``best`` is the number of
    the judge that agrees most with the people, None where there is nothing to choose.
    """

    depth: int
    name: str
    count: int
    figures: tuple[str, ...]
    best: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """``shared``: how many of the notes two people or more have marked; ``checklists``: by which they were judged."""

    notes: int
    shared: int
    raters: tuple[str, ...]
    judges: tuple[str, ...]
    lines: tuple[Line, ...]
    checklists: tuple[str, ...] = ()


def report(rated: Sequence[Rated], rubric: Rubric, rounds: int = 1000) -> Report:
    """Over every revision that somebody's marks are in for. A rater who did not mark a note is missing there."""
    raters = tuple(sorted({review.rater for one in rated for review in one.reviews}))
    judged = [{_name(evaluation): evaluation for evaluation in one.judged} for one in rated]
    found = review_agreement([(one.note, _each(one, raters)) for one in rated], judged, rounds)
    judges = tuple(found["judges"])
    few = len(rated) < FEWEST_FOR_INTERVAL
    lines: list[Line] = []
    for dimension in Dimension:
        name = words.DIMENSION_NAMES[dimension]
        lines += _topic(name, found["people"], found["judges"], dimension.value, rubric, few)
    for topic in (*(d.value for d in SCORED), ACCEPTANCE):
        name = (
            words.ACCEPTANCE
            if topic == ACCEPTANCE
            else tr("Rating: {dimension}").format(dimension=words.DIMENSION_NAMES[Dimension(topic)])
        )
        lines += _topic(name, found["ratings"], {judge: {} for judge in judges}, topic, rubric, few)
    shared = sum(len(one.reviews) > 1 for one in rated)
    by = sorted({judged.rubric.titled for one in rated for judged in one.judged if judged.rubric})
    return Report(len(rated), shared, raters, judges, tuple(lines), tuple(by))


def _each(one: Rated, raters: Sequence[str]) -> list[Review]:
    own = {review.rater: review for review in one.reviews}
    blank = one.reviews[0]
    empty = replace(blank, items=(), needs=(), claims=(), ratings=(), acceptance=None, comments=(), settled=())
    return [own.get(rater, replace(empty, rater=rater)) for rater in raters]


def _name(evaluation: Evaluation) -> str:
    return judge_name(f"{evaluation.judge.kind} {evaluation.judge.model}")


Table = Mapping[str, Any]


def _topic(name: str, people: Table, judges: Mapping[str, Table], topic: str, rubric: Rubric, few: bool) -> list[Line]:
    part = people.get(topic)
    if part is None:
        return []
    theirs = [judge.get(topic, {}) for judge in judges.values()]
    lines = [_line(0, name, part["all"], [one.get("all") for one in theirs], few)]
    for section in (*SOAP, None):
        key = place_of(section)
        if key not in part["sections"]:
            continue
        own = [one.get("sections", {}).get(key) for one in theirs]
        lines.append(_line(1, SECTION_NAMES[section] if section else WHOLE_NOTE, part["sections"][key], own, few))
        lines += [
            _line(2, item.name, part["items"][item.id], [one.get("items", {}).get(item.id) for one in theirs], few)
            for item in rubric.items
            if item.section is section and item.id in part["items"]
        ]
    return lines


def _line(depth: int, name: str, people: Table, judges: Sequence[Table | None], few: bool) -> Line:
    kappa = people["cohen"] if people["raters"] == 2 else people["fleiss"]
    figures = (_share(people["raw"]["value"]), _figure(kappa["value"]), _alpha(people["alpha"], few))
    alphas = [None if one is None else one["alpha"]["value"] for one in judges]
    known = [alpha for alpha in alphas if alpha is not None]
    best = alphas.index(max(known)) if len(known) > 1 and len(set(known)) > 1 else None
    count = people["things"] or max((one["things"] for one in judges if one is not None), default=0)
    return Line(depth, name, count, (*figures, *(_judge(one, few) for one in judges)), best)


def _judge(one: Table | None, few: bool) -> str:
    return _NOTHING if one is None else _alpha(one["alpha"], few)


def _alpha(alpha: Table, few: bool) -> str:
    if alpha["value"] is None:
        return _NOTHING
    value = _figure(alpha["value"])
    return (
        value
        if few or alpha["low"] is None
        else tr("{value}  ({low} to {high})").format(
            value=value, low=_figure(alpha["low"]), high=_figure(alpha["high"])
        )
    )


def _figure(value: float | None) -> str:
    return _NOTHING if value is None else decimal(value)


def _share(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.0%}".replace("%", "\N{NARROW NO-BREAK SPACE}%")

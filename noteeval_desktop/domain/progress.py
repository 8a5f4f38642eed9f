"""A clinician's notes over time: scores note by note, and which rubric items are missed again and again.

It counts notes, never people: what a judge and a supervisor said stands apart, and no trend is computed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from noteeval_desktop.domain.asked import RISK_PLACE
from noteeval_desktop.domain.evaluation import Evaluation, Scores
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.review import SCORED, Dimension, Review, ReviewKind
from noteeval_desktop.domain.reviewed import scores_of, settled_evaluation, settled_marks
from noteeval_desktop.domain.risk import SAFETY_ITEM
from noteeval_desktop.domain.rubric import Importance, Rubric

Shares = tuple[tuple[Dimension, float | None], ...]


class Source(StrEnum):
    JUDGE = "judge"
    SUPERVISOR = "supervisor"


@dataclass(frozen=True, slots=True)
class Marked:
    """One revision of a case as a judge or a supervisor marked it.

    ``day`` is that of the session or, where it is not known, of saving; ``revision`` counts from 1; ``scores`` are
    shares (0..1); ``items`` are rubric items with whether the note covers them, none that ``who``, the judge or the
    rater, did not mark; ``partly``: where a judge's marks count in a supervisor's share.
    """

    source: Source
    who: str
    case: str
    label: str
    day: date
    saved: datetime
    revision: int
    scores: Shares
    items: tuple[tuple[str, bool], ...]
    partly: frozenset[Dimension] = frozenset()

    def share(self, dimension: Dimension) -> float | None:
        return dict(self.scores).get(dimension)


@dataclass(frozen=True, slots=True)
class Slot:
    """One revision of a note on the chart: what the judge said and what the supervisor did, as far as known.
    ``edited``: since its review, so that only a judge has marked it as it reads now."""

    case: str
    label: str
    day: date
    revision: int
    judge: Marked | None
    supervisor: Marked | None
    edited: bool = False

    def share(self, source: Source, dimension: Dimension) -> float | None:
        marked = self.judge if source is Source.JUDGE else self.supervisor
        return marked.share(dimension) if marked is not None else None

    def partly(self, source: Source, dimension: Dimension) -> bool:
        return source is Source.SUPERVISOR and self.supervisor is not None and dimension in self.supervisor.partly


@dataclass(frozen=True, slots=True)
class Count:
    """``missed`` of ``of`` notes; ``last``: the day of the latest note that lacks the item, None where none does."""

    missed: int
    of: int
    last: date | None


@dataclass(frozen=True, slots=True)
class Miss:
    """A rubric item over all the notes, counted in the latest revision that each source marked."""

    item: str
    name: str
    section: str
    mandatory: bool
    judge: Count
    supervisor: Count


@dataclass(frozen=True, slots=True)
class Progress:
    """``slots`` in the order of the sessions; ``misses`` the most frequent first, without items never missed."""

    slots: tuple[Slot, ...]
    misses: tuple[Miss, ...]

    @property
    def cases(self) -> int:
        return len({slot.case for slot in self.slots})


def supervised(
    review: Review,
    note: Note,
    rubric: Rubric,
    *,
    case: str,
    label: str,
    day: date,
    saved: datetime,
    revision: int,
    judged: Evaluation | None = None,
) -> Marked:
    """A handed-in review as it was settled. What the supervisor was not asked about was accepted as ``judged``; without
    it a dimension with places that nobody marked has no share, as it would compare with no other, and neither has one
    in which the supervisor marked nothing. On safety the note was
    found wanting where a danger was. Raises ValueError for a blind review or a self-review."""
    if review.kind is not ReviewKind.SUPERVISION or review.blind:
        raise ValueError("only a supervisor's review that was handed in has marks to show")
    known, own = {item.id for item in rubric.scored_items}, settled_marks(review)
    marks = {mark.item: mark.present for mark in own.items if mark.item in known}
    partly: frozenset[Dimension] = frozenset()
    left = {dimension for dimension, places in own.open_places(note, rubric) if places}
    found = shares(scores_of(own, note, rubric))
    if left and judged is not None:
        whole = settled_evaluation(judged, review)
        unmarked = {d for d, own_marks in zip(SCORED, (marks, own.needs, own.claims), strict=True) if not own_marks}
        partly, left, found = frozenset(left - unmarked), unmarked, shares(whole.scores)
    scores = tuple((dimension, None if dimension in left else share) for dimension, share in found)
    if risks := [mark.present for mark in own.items if mark.item.startswith(RISK_PLACE)]:
        marks[SAFETY_ITEM] = all(risks)
    items = tuple(marks.items())
    return Marked(Source.SUPERVISOR, review.rater, case, label, day, saved, revision, scores, items, partly)


def shares(scores: Scores) -> Shares:
    return tuple((dimension, getattr(scores, dimension).note) for dimension in SCORED)


def progress(marked: Iterable[Marked], rubric: Rubric) -> Progress:
    """Where one source marked a revision more than once, the last of ``marked`` counts."""
    known = list(marked)
    return Progress(_slots(known), _misses(known, rubric))


def _slots(marked: list[Marked]) -> tuple[Slot, ...]:
    latest = {(one.case, one.revision, one.source): one for one in marked}
    days: dict[tuple[str, int], date] = {}
    first: dict[str, datetime] = {}
    for one in marked:
        place = (one.case, one.revision)
        days[place] = min(one.day, days.get(place, one.day))
        first[one.case] = min(one.saved, first.get(one.case, one.saved))
    slots, reviewed = [], set()
    for case, revision in sorted(days, key=lambda place: (days[place], first[place[0]], place)):
        judge = latest.get((case, revision, Source.JUDGE))
        supervisor = latest.get((case, revision, Source.SUPERVISOR))
        either = judge or supervisor
        assert either is not None
        if supervisor is not None:
            reviewed.add(case)
        edited = supervisor is None and case in reviewed
        slots.append(Slot(case, either.label, days[case, revision], revision, judge, supervisor, edited))
    return tuple(slots)


def _misses(marked: list[Marked], rubric: Rubric) -> tuple[Miss, ...]:
    last = {source: _last_of_each(marked, source) for source in Source}
    found = []
    for item in rubric.items:
        judge, supervisor = (_count(item.id, last[source]) for source in Source)
        if judge.missed or supervisor.missed:
            section = item.section.value.capitalize() if isinstance(item.section, Section) else "General"
            mandatory = item.importance is Importance.MANDATORY
            found.append(Miss(item.id, item.name, section, mandatory, judge, supervisor))
    return tuple(sorted(found, key=lambda miss: (-max(_rate(miss.judge), _rate(miss.supervisor)), not miss.mandatory)))


def _last_of_each(marked: list[Marked], source: Source) -> tuple[Marked, ...]:
    latest: dict[str, Marked] = {}
    for one in marked:
        before = latest.get(one.case)
        if one.source is source and (before is None or one.revision >= before.revision):
            latest[one.case] = one
    return tuple(latest.values())


def _count(item: str, marked: tuple[Marked, ...]) -> Count:
    states = [(dict(one.items)[item], one.day) for one in marked if item in dict(one.items)]
    lacking = [day for present, day in states if not present]
    return Count(len(lacking), len(states), max(lacking, default=None))


def _rate(count: Count) -> float:
    return count.missed / count.of if count.of else 0.0

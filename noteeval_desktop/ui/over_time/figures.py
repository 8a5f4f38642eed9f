"""What each page shows, read from the library and put into words off the GUI thread: no widget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from noteeval_desktop import checklists
from noteeval_desktop.domain.evaluation import model_name
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.phrases import counted, day, decimal, listed, percent, shortened, tr
from noteeval_desktop.domain.progress import Marked, Miss, Progress, Slot, Source, progress, supervised
from noteeval_desktop.domain.review import SCORED, Dimension, Review, ReviewKind
from noteeval_desktop.domain.reviewed import differences, with_settlements
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem, place_of
from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.measures.rater_tables import ACCEPTANCE, review_agreement
from noteeval_desktop.measures.tuning import FEWEST_REVIEWS, Place, Proposal, places_of, propose
from noteeval_desktop.present.thread import ThreadRow, goals_over_time, thread_rows
from noteeval_desktop.present.vocabulary import PLACE_NAMES
from noteeval_desktop.report.charts import Drawing, Label, across, key, trend
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.progress import RevisionMarks
from noteeval_desktop.store.records import CaseQuery
from noteeval_desktop.ui.library.work import decisions_of
from noteeval_desktop.ui.supervision import words, work
from noteeval_desktop.ui.widgets.words import JUDGE

FEWEST_FOR_INTERVAL = 5
WEEKS = 12
_NOTHING = "–"
_LONGEST_GOAL = 60
_NAMES = {
    Dimension.COMPLETENESS: tr("Covered"),
    Dimension.CONCISENESS: tr("Needed"),
    Dimension.FAITHFULNESS: tr("Supported"),
}
_SOURCES = {Source.SUPERVISOR: tr("supervisor"), Source.JUDGE: tr("judge")}
_NOT_CHECKED = tr("No note of this clinician has been checked or reviewed yet.")


@dataclass(frozen=True, slots=True)
class Cell:
    """``hint`` says more, ``spoken`` all of it to a screen reader; ``case`` is what it opens."""

    text: str
    hint: str
    spoken: str
    case: str


@dataclass(frozen=True, slots=True)
class Line:
    """``depth``: 0, or under the last line above that is less deep."""

    cells: tuple[str | Cell, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    headings: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """``tables``: as far as they were read, by what was ``chosen`` of ``choices``, which are values and names."""

    said: str
    tables: Mapping[str, Table]
    choices: tuple[tuple[str, str], ...] = ()
    chosen: str = ""
    progress: Progress = Progress((), ())  # noqa: RUF009
    proposals: tuple[Proposal, ...] = ()


# One clinician


def one_clinician(library: Library, chosen: str, rubric: Rubric) -> Found:
    """An unknown ``chosen`` gives the first. Raises StoreError."""
    known = library.cases.choices("clinician")
    clinician = chosen if chosen in known else next(iter(known), "")
    notes = history(library, clinician, rubric) if clinician else Progress((), ())
    if not known:
        said = tr("No case has a clinician yet. Add one under “Labels…” in the library.")
    elif not notes.slots:
        said = _NOT_CHECKED
    else:
        none = tr(" No checklist item is missing in the latest revisions.")
        said = f"{counted(len(notes.slots), tr('marked revision'))}.{'' if notes.misses else none}"
    headings = (tr("Missing checklist item"), tr("Section"), tr("Supervisor"), JUDGE, tr("Last seen"))
    shown = Table(headings, tuple(map(_missing, notes.misses)))
    return Found(said, {clinician: shown}, tuple((name, name) for name in known), clinician, notes)


def _missing(miss: Miss) -> Line:
    name = tr("{name} (mandatory)").format(name=miss.name) if miss.mandatory else miss.name
    both = (miss.supervisor, miss.judge)
    counts = (tr("{missed} of {of}").format(missed=one.missed, of=one.of) if one.of else _NOTHING for one in both)
    return Line((name, miss.section, *counts, day(max(one.last for one in both if one.last is not None))))


def history(library: Library, clinician: str, rubric: Rubric) -> Progress:
    """Of a clinician's notes, archived ones too. Raises StoreError."""
    queries = [CaseQuery(clinician=clinician, archived=archived) for archived in (False, True)]
    rows = [row for query in queries for row in library.cases.revision_marks(query)]
    # Notes may have been judged by several checklists: each item is named by its own.
    return progress([one for row in rows for one in _marked(row, rubric)], checklists.all_known())


def _marked(row: RevisionMarks, rubric: Rubric) -> Iterator[Marked]:
    day = row.session_date or row.saved.astimezone().date()
    if row.judge:
        yield Marked(Source.JUDGE, row.judge, row.case, row.label, day, row.saved, row.revision, row.scores, row.items)
    for review in row.reviews:
        assert row.note is not None
        yield supervised(
            review,
            row.note,
            (row.judged and row.judged.rubric) or rubric,
            case=row.case,
            label=row.label,
            day=day,
            saved=row.saved,
            revision=row.revision,
            judged=row.judged,
        )


def drawn(slots: Sequence[Slot], width: float, height: float) -> Drawing:
    """A figure for each score, one above the other."""
    legend = key(tuple(_SOURCES.values()), width)
    shapes, top, last = [*legend.shapes], legend.height, list(_NAMES)[-1]
    each = (height - top - 12) / len(_NAMES)
    for dimension, name in _NAMES.items():
        dated = dimension is last
        shapes.append(Label(across(0, width), top + 7, name))
        shapes += trend(slots, dimension, width, each - 6 + 12 * dated, top + 6, dated).shapes
        top += each
    return Drawing(width, height, tuple(shapes))


def said(slot: Slot) -> str:
    """ "12 Mar 2026, Fall 3, revision 2. Supervisor: covered 74 %, …. Judge: …"."""
    label = slot.label or tr("no label")
    parts = [tr("{day}, {label}, revision {number}.").format(day=day(slot.day), label=label, number=slot.revision)]
    for source, name in _SOURCES.items():
        shares = [
            f"{_NAMES[dimension].lower()} {'≈ ' if slot.partly(source, dimension) else ''}{percent(share)}"
            for dimension in SCORED
            if (share := slot.share(source, dimension)) is not None
        ]
        if shares:
            parts.append(f"{name.capitalize()}: {', '.join(shares)}.")
    if slot.edited:
        parts.append(tr("Edited since its review: only the judge has marked the current version."))
    return " ".join(parts)


def described(slots: Sequence[Slot]) -> str:
    """The chart for those who do not see it."""
    if not slots:
        return _NOT_CHECKED
    parts = [
        tr("{revisions}, {first} to {last}.").format(
            revisions=counted(len(slots), tr("marked revision")), first=day(slots[0].day), last=day(slots[-1].day)
        )
    ]
    for source, name in _SOURCES.items():
        for dimension in SCORED:
            values = [share for slot in slots if (share := slot.share(source, dimension)) is not None]
            if values:
                low, high = percent(min(values)), percent(max(values))
                told = tr("{what}, {source}: {low} to {high}.")
                parts.append(told.format(what=_NAMES[dimension], source=name, low=low, high=high))
    return " ".join([*parts, tr("Left and Right go from note to note, Enter opens the case.")])


# The team


def team(library: Library, chosen: str, rubric: Rubric) -> Found:
    """A table for each score and each mandatory item, a line a clinician, over the last ``WEEKS`` weeks that have a
    note. Raises StoreError."""
    histories = {name: history(library, name, rubric).slots for name in library.cases.choices("clinician")}
    slots = {name: latest for name, own in histories.items() if (latest := _latest(own))}
    mondays = sorted({_monday(slot) for own in slots.values() for slot in own})[-WEEKS:]
    headings = ("", *(f"{monday.day} {monday:%b}" for monday in mondays))
    mandatory = [item for item in rubric.scored_items if item.importance is Importance.MANDATORY]
    rows: dict[str, Dimension | RubricItem] = {name: dimension for dimension, name in _NAMES.items()}
    rows |= {item.name: item for item in mandatory}
    tables = {
        name: Table(headings, tuple(_weeks(who, own, mondays, name, row) for who, own in slots.items()))
        for name, row in rows.items()
    }
    nobody = tr(
        "No note with a clinician has been checked or reviewed yet. Add clinicians under “Labels…” in the library."
    )
    some = f"{counted(len(slots), tr('clinician'))}, {counted(len(mondays), tr('week'))}."
    return Found(some if slots else nobody, tables, tuple((name, name) for name in rows) if slots else (), chosen)


def _latest(slots: Sequence[Slot]) -> list[Slot]:
    """The latest revision of each note; of one that was edited since its review, the one that was reviewed."""
    edited = {slot.case: slot.edited for slot in slots}
    kept = {slot.case: slot for slot in slots if not slot.edited}.values()
    return [
        replace(slot, label=tr("{value} (edited since its review)").format(value=slot.label or tr("no label")))
        if edited[slot.case]
        else slot
        for slot in kept
    ]


def _monday(slot: Slot) -> date:
    return slot.day - timedelta(days=slot.day.weekday())


def _weeks(
    clinician: str, slots: Sequence[Slot], mondays: Sequence[date], name: str, row: Dimension | RubricItem
) -> Line:
    """A cell a week: what its notes come to, with the latest of them to open."""
    cells: list[str | Cell] = [clinician]
    for monday in mondays:
        week = [slot for slot in slots if _monday(slot) == monday]
        text = _share(week, row) if isinstance(row, Dimension) else _covered(week, row.id)
        labels = ", ".join(slot.label or tr("no label") for slot in week)
        hint = f"{counted(len(week), 'note')}: {labels}" if text else ""
        spoken = tr("{clinician}, week of {day} {monday:%b}, {row}: {said}").format(
            clinician=clinician,
            day=monday.day,
            monday=monday,
            row=name,
            said=f"{text}, {hint}" if text else tr("no note"),
        )
        cells.append(Cell(text or _NOTHING, hint, spoken, week[-1].case if text else ""))
    return Line(tuple(cells))


def _share(slots: Sequence[Slot], dimension: Dimension) -> str:
    """The mean of the week's notes; ``≈`` where a judge's marks count in one of them."""
    values, judged = [], False
    for slot in slots:
        share = slot.share(Source.SUPERVISOR, dimension)
        judged = judged or slot.partly(Source.SUPERVISOR, dimension)
        if share is None:
            share = slot.share(Source.JUDGE, dimension)
            judged = judged or share is not None
        if share is not None:
            values.append(share)
    return f"{'≈ ' if judged else ''}{percent(sum(values) / len(values))}" if values else ""


def _covered(slots: Sequence[Slot], item: str) -> str:
    both = [(one for one in (slot.supervisor, slot.judge) if one and item in dict(one.items)) for slot in slots]
    marks = [one for sources in both if (one := next(sources, None)) is not None]
    if not marks:
        return ""
    sign = "≈ " if any(one.source is Source.JUDGE for one in marks) else ""
    return tr("{sign}{sum} of {count}").format(
        sign=sign, sum=sum(dict(one.items)[item] for one in marks), count=len(marks)
    )


# A client's treatment plan


def goals(library: Library, chosen: str) -> Found:
    """The goals of a client's plan, a line each, note by note. An unknown ``chosen`` gives the first client. Raises
    StoreError."""
    known = library.cases.choices("client")
    client = chosen if chosen in known else next(iter(known), "")
    notes = sorted(_with_plan(library, client), key=lambda note: note[0]) if client else []
    courses = goals_over_time([rows for *_, rows in notes])
    if not known:
        told = tr("No case has a client yet. Add one under “Labels…” in the library.")
    elif not notes:
        told = tr("No note of this client has been checked with a treatment plan yet.")
    else:
        told = tr("{notes} checked with a treatment plan.").format(notes=counted(len(notes), "note"))
    headings = (tr("Goal"), tr("Not found in the last"), *(day(when) for when, *_ in notes))
    lines = tuple(
        Line(
            (
                Cell(shortened(course.line.text, _LONGEST_GOAL), course.line.text, course.line.text, ""),
                counted(course.untouched, "note") if course.untouched else _NOTHING,
                *(_goal_in(*note[:3], row) for note, row in zip(notes, course.rows, strict=True)),
            )
        )
        for course in courses
    )
    return Found(told, {client: Table(headings, lines)}, tuple((name, name) for name in known), client)


def _with_plan(library: Library, client: str) -> Iterator[tuple[date, str, str, tuple[ThreadRow, ...]]]:
    """Day, label, id and thread of each case that was checked with a plan; none whose marks are still to be hidden."""
    queries = [CaseQuery(client=client, archived=archived) for archived in (False, True)]
    for one in (one for query in queries for one in library.cases.find(query, work.MOST_CASES)):
        opened = library.cases.read(one.id) if one.pending is None else None
        judged = reversed([kept.evaluation for kept in opened.evaluations] if opened else [])
        evaluation = next((each for each in judged if each.thread is not None), None)
        if opened is not None and evaluation is not None:
            own = decisions_of([review for review in opened.reviews if review.kind is ReviewKind.SELF])
            when = one.labels.session_date or one.created.astimezone().date()
            yield when, one.labels.label, one.id, thread_rows(evaluation, own)


def _goal_in(when: date, label: str, case: str, row: ThreadRow | None) -> str | Cell:
    if row is None:
        return ""
    hint = f"{label or tr('no label')}: {row.note}"
    goes = ", ".join(dict.fromkeys(one.progress for one in row.told if one.progress))
    return Cell(f"{row.state.value.sign} {goes}".strip(), hint, f"{day(when)}, {hint}", case)


# Agreement

Part = Mapping[str, Any]


def agreement(library: Library, tag: str, cancelled: Callable[[], bool]) -> Found:
    """Over the cases with ``tag``, empty for all. Raises StoreError, and Cancelled."""
    tags = library.cases.choices("tag")
    rated = work.rated(library, tag, cancelled)
    if cancelled():
        raise Cancelled
    if rated:
        by = sorted({judged.rubric.titled for one in rated for judged in one.judged if judged.rubric})
        named = tr(" Checklist: {names}.").format(names=", ".join(by)) if by else ""
        said, tables = f"{over(rated)}{named}", {tag: agreed(rated, checklists.all_known())}
    else:
        said, tables = tr("Nobody has submitted marks for these cases yet. Finish a review first."), {}
    tagged = ((one, tr("Tagged “{tag}”").format(tag=one)) for one in tags)
    return Found(said, tables, (("", tr("All cases")), *tagged) if tags else (), tag)


def agreed(rated: Sequence[work.Rated], rubric: Rubric, rounds: int = 1000) -> Table:
    """Over every revision that somebody's marks are in for. A rater who did not mark a note is missing there."""
    raters = _raters(rated)
    judged = [{model_name(f"{e.judge.kind} {e.judge.model}"): e for e in one.judged} for one in rated]
    found = review_agreement([(one.note, _each(one, raters)) for one in rated], judged, rounds)
    people, ratings, judges = found["people"], found["ratings"], found["judges"]
    few = len(rated) < FEWEST_FOR_INTERVAL
    rating = tr("Rating: {dimension}")
    topics = [(words.DIMENSION_NAMES[d], people, d.value) for d in Dimension]
    topics += [(rating.format(dimension=words.DIMENSION_NAMES[d]), ratings, d.value) for d in SCORED]
    topics += [(words.ACCEPTANCE, ratings, ACCEPTANCE)]
    lines: list[Line] = []
    for name, of, topic in topics:
        theirs = [judge.get(topic, {}) if of is people else {} for judge in judges.values()]
        lines += _topic(name, of[topic], theirs, rubric, few) if topic in of else ()
    between = (tr("Judgments compared"), tr("Equal"), "κ", tr("α between people"))
    headings = ("", *between, *(tr("α with {judge}").format(judge=judge) for judge in judges))
    return Table(headings, tuple(lines))


def _raters(rated: Sequence[work.Rated]) -> list[str]:
    return sorted({review.rater for one in rated for review in one.reviews})


def _each(one: work.Rated, raters: Sequence[str]) -> list[Review]:
    own = {review.rater: review for review in one.reviews}
    blank = one.reviews[0]
    empty = replace(blank, items=(), needs=(), claims=(), ratings=(), acceptance=None, comments=(), settled=())
    return [own.get(rater, replace(empty, rater=rater)) for rater in raters]


def _topic(name: str, people: Part, judges: Sequence[Part], rubric: Rubric, few: bool) -> Iterator[Line]:
    """A line for all of it, one a section, one an item."""
    yield _agreement(0, name, people["all"], [one.get("all") for one in judges], few)
    for section in (*SOAP, None):
        place = place_of(section)
        if place in people["sections"]:
            own = [one.get("sections", {}).get(place) for one in judges]
            yield _agreement(1, PLACE_NAMES[section], people["sections"][place], own, few)
            for item in rubric.items:
                if item.section is section and item.id in people["items"]:
                    own = [one.get("items", {}).get(item.id) for one in judges]
                    yield _agreement(2, item.name, people["items"][item.id], own, few)


def _agreement(depth: int, name: str, people: Part, judges: Sequence[Part | None], few: bool) -> Line:
    """How many judgements two people or more made, or else a person and a judge; equal, kappa and alpha between people;
    alpha of each judge with them, with a star at the best where there is something to choose."""
    kappa = people["cohen"] if people["raters"] == 2 else people["fleiss"]
    equal = people["raw"]["value"]
    alphas = [None if one is None else one["alpha"]["value"] for one in judges]
    known = [alpha for alpha in alphas if alpha is not None]
    best = max(known) if len(set(known)) > 1 else None
    theirs = [_NOTHING if one is None else _alpha(one["alpha"], few) for one in judges]
    if best is not None:
        theirs[alphas.index(best)] = f"★ {theirs[alphas.index(best)]}"
    count = people["things"] or max((one["things"] for one in judges if one is not None), default=0)
    shared = _NOTHING if equal is None else f"{equal:.0%}".replace("%", "\N{NARROW NO-BREAK SPACE}%")
    return Line((name, str(count), shared, _figure(kappa["value"]), _alpha(people["alpha"], few), *theirs), depth)


def _alpha(alpha: Part, few: bool) -> str:
    value = _figure(alpha["value"])
    if alpha["value"] is None or few or alpha["low"] is None:
        return value
    low, high = _figure(alpha["low"]), _figure(alpha["high"])
    return tr("{value}  ({low} to {high})").format(value=value, low=low, high=high)


def _figure(value: float | None) -> str:
    return _NOTHING if value is None else decimal(value)


def over(rated: Sequence[work.Rated]) -> str:
    """ "12 notes, marked by Kim and Dr. Ünal.", and what that is too little for."""
    raters = _raters(rated)
    said = tr("{notes}, marked by {raters}.").format(
        notes=counted(len(rated), "note"), raters=listed(raters).rstrip(".")
    )
    if len(raters) == 1:
        said += tr(" Between people there is nothing to compare until a second one marks.")
    elif not any(len(one.reviews) > 1 for one in rated):
        said += tr(" No note was marked by two of them, so between people there is nothing to compare yet.")
    return said if len(rated) >= FEWEST_FOR_INTERVAL else said + tr(" Too few for intervals.")


# Judge tuning


def tuning(library: Library, chosen: str, now: Thresholds, cancelled: Callable[[], bool]) -> Found:
    """The built-in judge and every independent review that is settled with it to the last difference. Raises
    StoreError, and Cancelled."""
    reviews, places = 0, list[Place]()
    for one in work.rated(library, "", cancelled):
        evaluation = next((judged for judged in reversed(one.judged) if judged.judge.kind == "builtin"), None)
        for review in one.reviews if evaluation is not None else ():
            if evaluation and all(agreed for _, agreed in with_settlements(review, differences(review, evaluation))):
                reviews += 1
                places += places_of(review, evaluation)
    if cancelled():
        raise Cancelled
    if reviews < FEWEST_REVIEWS:
        few = tr(
            "{reviews} settled so far; once there are {needed}, the judge can be tuned to them. Only first reviews "
            "count, marked blind and with every difference settled."
        )
        return Found(few.format(reviews=counted(reviews, "review"), needed=FEWEST_REVIEWS), {})
    proposals = propose(places)
    said = tr("{reviews} reviews are settled. The judge does as well as it can; nothing is suggested.")
    if any(proposal.threshold is not None for proposal in proposals):
        said = tr("{reviews} reviews are settled. This is what they suggest.")
    headings = (tr("Marks on"), tr("Now"), tr("Suggested"), tr("Would have changed"), tr("On other notes"))
    shown = Table(headings, tuple(_proposal(one, now) for one in proposals))
    return Found(said.format(reviews=reviews), {"": shown}, proposals=proposals)


def _proposal(one: Proposal, now: Thresholds) -> Line:
    name, present = words.DIMENSION_NAMES[one.dimension], _threshold(getattr(now, one.dimension.value))
    if one.threshold is None:
        return Line((name, present, tr("Nothing better"), _NOTHING, _NOTHING))
    changed = tr("{changed} of {places} marks: {better} better, {worse} worse").format(
        changed=f"{one.changed:,}",
        places=f"{one.places:,}",
        better=f"{one.to_person:,}",
        worse=f"{one.changed - one.to_person:,}",
    )
    differ = counted(one.differing, "difference")
    left_out = tr("{differences} become {fewer}").format(differences=differ, fewer=one.held_out)
    return Line((name, present, _threshold(one.threshold), changed, left_out))


def _threshold(value: float | None) -> str:
    return tr("As it came") if value is None else tr("Yes from {percent}").format(percent=percent(value))

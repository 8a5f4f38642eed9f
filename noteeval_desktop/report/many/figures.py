"""The figures over many notes: each a sentence, a table, and the bars of a chart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, quantiles

from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.note_rows import DIMENSIONS, SMALLEST_GROUP, NoteRow, NoteState, aliases, grouped, middle
from noteeval_desktop.domain.phrases import are, counted, percent, sentence, share_of, tr
from noteeval_desktop.domain.risk import danger
from noteeval_desktop.domain.rubric import Rubric, RubricItem
from noteeval_desktop.present.vocabulary import COPIED, SCORES, SECTION_NAMES
from noteeval_desktop.report import charts
from noteeval_desktop.report.charts import Bar, Drawing, Measure

_BINS, _MOST_ROWS, _FEW_MONTHS = 10, 12, 24
Cell = str | int | float | None
NAMES, MEANINGS = zip(*SCORES.values(), strict=True)
_VERDICTS = {"contradicted": tr("Contradicted by the session"), "unsupported": tr("Not in the session")}
_HARMS = {
    Harm.RISK.value: tr("risk"),
    Harm.TREATMENT.value: tr("medication or diagnosis"),
    Harm.PLAN.value: tr("plan"),
    Harm.REST.value: tr("everything else"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """``kind``: columns (a distribution), bars, or intervals about zero. In ``rows`` a float is a share (0..1)."""

    key: str
    title: str
    said: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    bars: tuple[Bar, ...] = ()
    series: tuple[str, ...] = ()
    kind: str = "bars"

    @property
    def reach(self) -> float:
        """How far from zero intervals are drawn: as far as the longest goes, in steps of 5 points."""
        edges = (edge for bar in self.bars for edge in (bar.values[0], bar.low, bar.high) if edge is not None)
        return max(0.05, math.ceil(max(map(abs, edges), default=0) * 20) / 20)

    def drawn(self, width: float, measured: Measure | None = None, most: int | None = None) -> Drawing:
        """In points; ``measured`` as in ``charts.bars``, of which there are at most so many."""
        match self.kind:
            case "columns":
                return charts.columns(self.bars, width)
            case "intervals":
                return charts.intervals(self.bars, self.reach, width, measured)
        return charts.bars(self.bars[:most], self.series, width, measured)


@dataclass(frozen=True, slots=True)
class Overview:
    """``said``: what stands first, sentence by sentence. ``notes``: the rows under the names that may be shown."""

    title: str
    said: tuple[str, ...]
    figures: tuple[Figure, ...]
    notes: tuple[NoteRow, ...] = ()


def shown_as(cell: Cell) -> str:
    if cell is None:
        return "–"
    return percent(cell) if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else cell


def overview(rows: Sequence[NoteRow], rubric: Rubric, *, names: bool = False, unfinished: int = 0) -> Overview:
    """``names``: show notes and clinicians by name. ``unfinished``: notes of the set that have no result."""
    shown = tuple(rows) if names else hidden(rows)
    checked = tuple(row for row in shown if row.checked)
    figures = [*_distributions(checked), *_groups(checked)]
    figures += _missing(checked, rubric)
    figures += [f for f in (_wrong(checked), _risks(checked), _spent(checked)) if f is not None]
    waiting = sum(row.state is NoteState.WAITING for row in shown)
    said = [*_said(checked, unfinished + waiting)]
    if failed := len(shown) - len(checked) - waiting:
        one = tr("{notes} was not checked and is not counted: it is first in the table.")
        several = tr("{notes} were not checked and are not counted: they are first in the table.")
        said.insert(0, are(failed, one, several).format(notes=counted(failed, "note")))
    return Overview(tr("Many notes at a glance"), tuple(said), tuple(figures), shown)


def hidden(rows: Sequence[NoteRow]) -> tuple[NoteRow, ...]:
    """Clinicians and notes by number: a file's name may be a client's."""
    # Not asked for once a note: gettext looks for a catalogue on the disk at each call.
    numbered, who = tr("Note {number}"), aliases([row.clinician for row in rows])
    # What a judge said of a session that it was given; why a file could not be read names it.
    return tuple(
        replace(
            row,
            id=numbered.format(number=row.number or number),
            clinician=who.get(row.clinician, ""),
            problem=row.problem if row.session else "",
        )
        for number, row in enumerate(rows, start=1)
    )


def _said(rows: Sequence[NoteRow], unfinished: int) -> Iterator[str]:
    if not rows:
        yield tr("No note has been checked yet.")
        return
    risky = sum(bool(row.open_risks) for row in rows)
    notes = counted(len(rows), "note")
    if risky:
        said = tr("{count:,} of {notes} {leave} a risk unaddressed.")
        yield said.format(count=risky, notes=notes, leave=are(risky, "leaves", "leave"))
    else:
        yield tr("No unaddressed risk was found in {notes}. A search can miss one.").format(notes=notes)
    known = [f"{MEANINGS[n]} {percent(mean)}" for n, mean in enumerate(_means(rows)) if mean is not None]
    if known:
        yield tr("On average: {means}.").format(means=", ".join(known))
    if unfinished:
        one = tr("{notes} of the set has no result and is not counted.")
        several = tr("{notes} of the set have no result and are not counted.")
        yield are(unfinished, one, several).format(notes=counted(unfinished, "note"))
    partly = sum(not row.complete for row in rows)
    if partly:
        yield tr("{notes} could only be checked in part.").format(notes=counted(partly, "note"))
    known = sorted({row.checklist for row in rows} - {""})
    if len(known) > 1:
        said = tr(
            "They were checked with {count} different checklists ({names}), so what is covered cannot be compared."
        )
        yield said.format(count=len(known), names=", ".join(known))
    elif known:
        yield tr("Checklist: {name}.").format(name=known[0])
    judges = sorted({row.judge for row in rows})
    if len(judges) > 1:
        said = tr("{count} different judges checked these notes; their scores cannot be compared.")
        yield said.format(count=len(judges))


def _distributions(rows: Sequence[NoteRow]) -> Iterator[Figure]:
    for number, name in enumerate(NAMES):
        shares = sorted(share for row in rows if (share := row.shares[number]) is not None)
        if not shares:
            continue
        bins = Counter(min(_BINS - 1, int(share * _BINS + 1e-9)) for share in shares)
        most = max(bins.values())
        edges = [f"{10 * n}–{10 * n + 10} %" for n in range(_BINS)]
        quarters = quantiles(shares, n=4, method="inclusive") if len(shares) > 1 else [shares[0]] * 3
        yield Figure(
            key=DIMENSIONS[number],
            title=f"{name}: {MEANINGS[number]}",
            said=_middle(quarters, len(shares) > 3),
            headings=(tr("Score"), tr("Notes")),
            rows=tuple((edge, bins[n]) for n, edge in enumerate(edges)),
            bars=tuple(Bar(edge, (bins[n] / most,), (str(bins[n]),)) for n, edge in enumerate(edges)),
            kind="columns",
        )


def _middle(quarters: Sequence[float], several: bool) -> str:
    low, median, high = map(percent, quarters)
    if not several:
        return tr("The typical note is at {median}.").format(median=median)
    if low == high:
        return tr("The typical note is at {median}; half of the notes or more are at {median}.").format(median=median)
    said = tr("The typical note is at {median}; half of the notes lie between {low} and {high}.")
    return said.format(median=median, low=low, high=high)


def _groups(rows: tuple[NoteRow, ...]) -> Iterator[Figure]:
    sections = _by_section(rows)
    if sections:
        yield _compared("section", tr("By section"), tr("Mean of all notes."), tr("Section"), sections)
    people = grouped(rows, "clinician")
    if people:
        yield _by_clinician(people)
        yield from _copied(people)
    for key, title, heading in (("month", tr("By month"), tr("Month")), ("source", tr("By note source"), tr("Source"))):
        groups = grouped(rows, key)
        if len(groups) > 1:
            latest = list(groups.items())[-_FEW_MONTHS:] if key == "month" else list(groups.items())
            said = tr(
                "Mean of the notes in each group. Sessions differ too, so a difference need not come from the writer."
            )
            yield _compared(key, title, said, heading, [(n, len(own), _means(own)) for n, own in latest])


_Line = tuple[str, int, tuple[float | None, ...]]


def _by_section(rows: Sequence[NoteRow]) -> list[_Line]:
    lines: list[_Line] = []
    for section in Section:
        own = [row.sections[section.value] for row in rows if row.sections and section.value in row.sections]
        if own:
            means = tuple(_mean([one[n] for one in own]) for n in range(3))
            lines.append((SECTION_NAMES[section], len(own), means))
    return [line for line in lines if any(mean is not None for mean in line[2])]


def _by_clinician(people: Mapping[str, list[NoteRow]]) -> Figure:
    """Who has few notes is not told apart from others who have few."""
    large = {name: own for name, own in people.items() if len(own) >= SMALLEST_GROUP}
    small = [own for name, own in people.items() if name not in large]
    lines: list[_Line] = [(name, len(own), _means(own)) for name, own in large.items()]
    rest = [row for own in small for row in own]
    said = tr("Mean of each clinician's notes. Clients and sessions differ: it describes notes, not people.")
    if small:
        few = tr("Clinicians with fewer than {least} notes are not shown on their own.")
        said += " " + few.format(least=SMALLEST_GROUP)
        if len(small) > 1 and len(rest) >= SMALLEST_GROUP:
            lines.append((tr("{count} others").format(count=len(small)), len(rest), _means(rest)))
    return _compared("clinician", tr("By clinician"), said, tr("Clinician"), lines)


def _copied(people: Mapping[str, list[NoteRow]]) -> Iterator[Figure]:
    """Who has fewer notes that were compared than the smallest group is not shown."""
    compared = {name: [row.copied for row in own if row.copied is not None] for name, own in people.items()}
    lines = [(name, len(own), fmean(own)) for name, own in compared.items() if len(own) >= SMALLEST_GROUP]
    if lines:
        said = tr(
            "Mean share of sentences that are also in the client’s earlier notes. Notes on ongoing treatment often "
            "read alike: this describes notes, not people. Clinicians with fewer than {least} such notes are not shown."
        )
        yield Figure(
            "copied",
            tr("Copied text by clinician"),
            said.format(least=SMALLEST_GROUP),
            (tr("Clinician"), tr("Notes"), COPIED),
            tuple(lines),
            tuple(Bar(f"{name} ({n:,})", (mean,), (percent(mean),)) for name, n, mean in lines),
        )


def _means(rows: Sequence[NoteRow]) -> tuple[float | None, ...]:
    return tuple(middle(tuple(rows), n) for n in range(3))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _compared(key: str, title: str, said: str, heading: str, lines: Sequence[_Line]) -> Figure:
    bars = tuple(Bar(f"{name} ({n:,})", means, tuple(shown_as(mean) for mean in means)) for name, n, means in lines)
    rows = tuple((name, n, *means) for name, n, means in lines)
    return Figure(key, title, said, (heading, tr("Notes"), *NAMES), rows, bars, NAMES)


def _missing(rows: Sequence[NoteRow], rubric: Rubric) -> Iterator[Figure]:
    """Not found is what a judge calls missing, and what it has too little to go on to recognise."""
    judged, missed = Counter(i for row in rows for i in row.judged), Counter(i for row in rows for i in row.missing)
    items = sorted((item for item in rubric.items if missed[item.id]), key=lambda i: -missed[i.id] / judged[i.id])
    for key, title, must in (
        ("missing", tr("Not found most often: mandatory items"), True),
        ("missing-others", tr("Not found most often: other items"), False),
    ):
        own = [item for item in items if (item.importance.value == "mandatory") is must]
        if own:
            shares = [missed[item.id] / judged[item.id] for item in own]
            lines = zip(own, shares, strict=True)
            yield Figure(
                key,
                title,
                tr("{item}: not found in {share} of the notes.").format(item=own[0].name, share=percent(shares[0])),
                (tr("Checklist item"), tr("Section"), tr("Not found"), tr("Checked"), tr("Share")),
                tuple((i.name, _place(i), missed[i.id], judged[i.id], share) for i, share in lines),
                tuple(
                    Bar(
                        i.name if i.section is None else f"{i.name}, {_place(i)}",
                        (share,),
                        (share_of(f"{missed[i.id]:,}", f"{judged[i.id]:,}"),),
                    )
                    for i, share in zip(own[:_MOST_ROWS], shares, strict=False)
                ),
            )


def _place(item: RubricItem) -> str:
    return SECTION_NAMES[item.section] if item.section else tr("Whole note")


def _wrong(rows: Sequence[NoteRow]) -> Figure | None:
    counts, notes = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in rows:
        kinds = [(verdict, harm) for verdict, harm, _ in (one.split(" ") for one in row.wrong)]
        counts.update(kinds)
        notes.update(set(kinds))
    if not counts:
        return None
    order = sorted(counts, key=lambda kind: (list(_VERDICTS).index(kind[0]), list(_HARMS).index(kind[1])))
    most = max(counts.values())
    affected = sum(bool(row.wrong) for row in rows)
    said = tr("{statements} in {notes}. Please check each one: some may be right.")
    return Figure(
        "wrong",
        tr("Statements that the session does not support"),
        said.format(statements=counted(counts.total(), "statement"), notes=counted(affected, "note")),
        (tr("What"), tr("About"), tr("Statements"), tr("Notes")),
        tuple(
            (_VERDICTS[verdict], _HARMS[harm], counts[verdict, harm], notes[verdict, harm]) for verdict, harm in order
        ),
        tuple(Bar(f"{_VERDICTS[v]}: {_HARMS[h]}", (counts[v, h] / most,), (f"{counts[v, h]:,}",)) for v, h in order),
    )


def _risks(rows: Sequence[NoteRow]) -> Figure | None:
    came_up = [row for row in rows if row.risks]
    if not came_up:
        return None
    kinds = Counter(kind for row in rows for kind in dict.fromkeys(row.open_risks))
    open_ = sum(bool(row.open_risks) for row in rows)
    most = max(kinds.values(), default=1)
    names = {kind: sentence(danger(kind)) for kind in kinds}
    said = tr("Risk came up in the sessions of {notes}; {count:,} of them {leave} one unaddressed.")
    return Figure(
        "risk",
        tr("Risk that the note does not address"),
        said.format(notes=counted(len(came_up), "note"), count=open_, leave=are(open_, "leaves", "leave")),
        (tr("Danger"), tr("Notes that do not address it")),
        tuple((names[kind], n) for kind, n in kinds.most_common()),
        tuple(Bar(names[kind], (n / most,), (f"{n:,}",)) for kind, n in kinds.most_common()),
    )


def _spent(rows: Sequence[NoteRow]) -> Figure | None:
    if not rows:
        return None
    tokens, seconds = sum(row.tokens for row in rows), sum(row.seconds for row in rows)
    costs = [row.cost for row in rows if row.cost is not None]
    lines: list[tuple[Cell, ...]] = [
        (tr("Total time"), _time(seconds)),
        (tr("Time per note"), _time(seconds / len(rows))),
    ]
    if tokens:
        lines += [(tr("Total tokens"), tokens), (tr("Tokens per note"), round(tokens / len(rows)))]
    if costs:
        lines += [(tr("Total cost"), f"{sum(costs):,.2f}"), (tr("Cost per note"), f"{sum(costs) / len(costs):,.4f}")]
    said = tr("As the service counted it.") if tokens else tr("Checked on this computer: no tokens, no cost.")
    return Figure("spent", tr("Time and cost"), said, (tr("What"), tr("How much")), tuple(lines))


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    return tr("{minutes:,.0f} min").format(minutes=seconds / 60) if seconds < 7200 else f"{seconds / 3600:,.1f} h"

"""Two sets of notes side by side: of the same sessions as pairs, otherwise only their means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Protocol

from noteeval_desktop.domain.note_rows import NoteRow
from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.report.many.figures import MEANINGS, SCORES, Bar, Cell, Figure, Overview


class Gap(Protocol):
    @property
    def n(self) -> int: ...
    @property
    def a(self) -> float | None: ...
    @property
    def b(self) -> float | None: ...
    @property
    def mean(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


# Made by measures.paired.difference; a report does not compute.
Measure = Callable[[Sequence[float | None], Sequence[float | None]], Gap]
_COUNTS: Mapping[str, Callable[[NoteRow], float]] = {
    "Mandatory items not found": lambda row: float(len(row.mandatory)),
    "Statements not supported": lambda row: float(len(row.wrong)),
    "Risks left open": lambda row: float(len(row.open_risks)),
}


def paired(a: Sequence[NoteRow], b: Sequence[NoteRow]) -> list[tuple[NoteRow, NoteRow]]:
    """By session, where each set has one note of it; otherwise by the notes' ids."""
    for key in (attrgetter("session"), attrgetter("id")):
        first, second = ({key(row): row for row in _single(rows, key)} for rows in (a, b))
        shared = [name for name in first if name and name in second]
        if shared:
            return [(first[name], second[name]) for name in shared]
    return []


def _single(rows: Sequence[NoteRow], key: Callable[[NoteRow], object]) -> list[NoteRow]:
    counts = Counter(key(row) for row in rows)
    return [row for row in rows if counts[key(row)] == 1]


def comparison(a: Sequence[NoteRow], b: Sequence[NoteRow], names: tuple[str, str], measure: Measure) -> Overview:
    """``names``: of the two sets. Differences are second less first."""
    pairs = paired(a, b)
    title = f"{names[0]} and {names[1]}"
    if not pairs:
        none = "The two sets share no session and no note name, so that their notes cannot be compared in pairs."
        return Overview(title, (none,), ())
    gaps: list[tuple[str, Gap, bool]] = []
    for n, name in enumerate(SCORES):
        shares = [x.shares[n] for x, _ in pairs], [y.shares[n] for _, y in pairs]
        gaps.append((f"{name}: {MEANINGS[n]}", measure(*shares), True))
    for name, of in _COUNTS.items():
        gaps.append((f"{name}, a note", measure([of(x) for x, _ in pairs], [of(y) for _, y in pairs]), False))
    left = (len(a) - len(pairs)) + (len(b) - len(pairs))
    said = [f"{counted(len(pairs), 'pair')} of notes of the same session."]
    if left:
        said.append(f"{counted(left, 'note')} without a partner {'is' if left == 1 else 'are'} left out.")
    said.append(_verdict([(name, gap) for name, gap, _ in gaps], names))
    headings = ("What", "Pairs", names[0], names[1], "Difference", "95 % interval")
    return Overview(
        title,
        tuple(said),
        (
            Figure(
                "difference",
                "What differs",
                f"A mark right of the middle: higher in {names[1]}. A line that crosses the middle may be chance.",
                headings,
                tuple(_line(name, gap, share) for name, gap, share in gaps),
                tuple(_bar(name, gap) for name, gap, share in gaps if share and gap.mean is not None),
                kind="intervals",
            ),
        ),
    )


def _verdict(gaps: Sequence[tuple[str, Gap]], names: tuple[str, str]) -> str:
    clear = [
        f"{name.split(':')[0].split(',')[0].lower()} {'higher' if gap.mean > 0 else 'lower'}"
        for name, gap in gaps
        if gap.mean is not None and gap.low is not None and gap.high is not None and gap.low * gap.high > 0
    ]
    return f"In {names[1]}: {', '.join(clear)}. The rest may be chance." if clear else "Every difference may be chance."


def _signed(value: float | None, share: bool) -> str:
    if value is None:
        return "–"
    said = f"{100 * value:+.1f} points" if share else f"{value:+.2f}"
    return said.replace("-", "−")


def _line(name: str, gap: Gap, share: bool) -> tuple[Cell, ...]:
    means = (gap.a, gap.b) if share else tuple("–" if m is None else f"{m:.2f}" for m in (gap.a, gap.b))
    interval = "–" if gap.low is None else f"{_signed(gap.low, share)} to {_signed(gap.high, share)}"
    return (name, gap.n, *means, _signed(gap.mean, share), interval)


def _bar(name: str, gap: Gap) -> Bar:
    return Bar(name, (gap.mean,), (_signed(gap.mean, True),), gap.low, gap.high)

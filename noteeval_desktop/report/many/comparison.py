"""Two sets of notes of the same sessions side by side, as pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Protocol

from noteeval_desktop.domain.note_rows import NoteRow
from noteeval_desktop.domain.phrases import are, counted, inside, interval, tr
from noteeval_desktop.report.charts import Bar
from noteeval_desktop.report.many.figures import MEANINGS, NAMES, Cell, Figure, Overview


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


# Made by measures.agreement.difference; a report does not compute.
Compared = Callable[[Sequence[float | None], Sequence[float | None]], Gap]
_COUNTS: Mapping[str, Callable[[NoteRow], float]] = {
    tr("Mandatory items not found"): lambda row: float(len(row.mandatory)),
    tr("Statements not supported"): lambda row: float(len(row.wrong)),
    tr("Risks not addressed"): lambda row: float(len(row.open_risks)),
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


def comparison(a: Sequence[NoteRow], b: Sequence[NoteRow], names: tuple[str, str], measure: Compared) -> Overview:
    """``names``: of the two sets. Differences are second less first."""
    pairs = paired(a, b)
    title = tr("{first} and {second}").format(first=names[0], second=names[1])
    if not pairs:
        none = tr("The two sets share no session and no note name, so their notes cannot be compared in pairs.")
        return Overview(title, (none,), ())
    gaps: list[tuple[str, Gap, bool]] = []
    clear: list[str] = []
    for n, name in enumerate(NAMES):
        shares = [x.shares[n] for x, _ in pairs], [y.shares[n] for _, y in pairs]
        gap = measure(*shares)
        gaps.append((f"{name}: {MEANINGS[n]}", gap, True))
        clear += _clear(name, gap)
    for name, of in _COUNTS.items():
        gap = measure([of(x) for x, _ in pairs], [of(y) for _, y in pairs])
        gaps.append((tr("{what}, per note").format(what=name), gap, False))
        clear += _clear(name, gap)
    left = (len(a) - len(pairs)) + (len(b) - len(pairs))
    said = [tr("{pairs} of notes on the same session.").format(pairs=counted(len(pairs), "pair"))]
    if left:
        said.append(tr("{notes} without a partner {are} left out.").format(notes=counted(left, "note"), are=are(left)))
    told = (
        tr("In {second}: {changes}. The rest may be due to chance.")
        if clear
        else tr("Each difference may be due to chance.")
    )
    said.append(told.format(second=names[1], changes=", ".join(clear)))
    headings = (tr("What"), tr("Pairs"), names[0], names[1], tr("Difference"), tr("95 % interval"))
    how = tr(
        "A mark to the right of the middle: higher in {second}. A line that crosses the middle may be due to chance."
    )
    return Overview(
        title,
        tuple(said),
        (
            Figure(
                "difference",
                tr("What differs"),
                how.format(second=names[1]),
                headings,
                tuple(_line(name, gap, share) for name, gap, share in gaps),
                tuple(
                    Bar(name, (gap.mean,), (_signed(gap.mean, True),), gap.low, gap.high)
                    for name, gap, share in gaps
                    if share and gap.mean is not None
                ),
                kind="intervals",
            ),
        ),
    )


def _clear(name: str, gap: Gap) -> list[str]:
    """Said where the whole interval lies on one side of zero."""
    if gap.mean is None or gap.low is None or gap.high is None or gap.low * gap.high <= 0:
        return []
    return [f"{inside(name)} {tr('higher') if gap.mean > 0 else tr('lower')}"]


def _signed(value: float | None, share: bool) -> str:
    if value is None:
        return "–"
    said = tr("{value:+z.1f} points").format(value=100 * value) if share else f"{value:+z.2f}"
    return said.replace("-", "−")


def _line(name: str, gap: Gap, share: bool) -> tuple[Cell, ...]:
    means = (gap.a, gap.b) if share else tuple("–" if m is None else f"{m:.2f}" for m in (gap.a, gap.b))
    ends = "–" if gap.low is None else interval(_signed(gap.low, share), _signed(gap.high, share))
    return (name, gap.n, *means, _signed(gap.mean, share), ends)

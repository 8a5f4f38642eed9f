"""What the commands print: a short table, and a progress bar where someone is watching."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TextIO

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.phrases import duration, interval, share_of, tr
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.present.card import Scorecard
from noteeval_desktop.present.thread import ThreadRow, thread_summary
from noteeval_desktop.present.vocabulary import COPIED, KINDS, NOT_CHECKED

_BAR = 24
_WIDEST = 78


def table(rows: Sequence[Sequence[str]]) -> str:
    """Left-aligned columns, two spaces apart; no trailing spaces."""
    widths = [max(len(row[column]) for row in rows if column < len(row)) for column in range(max(map(len, rows)))]
    return "\n".join("  ".join(cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip() for row in rows)


def figure(value: float | None, places: int = 3) -> str:
    return "–" if value is None else f"{value:.{places}f}"


def between(ends: Sequence[float | None] | None, places: int = 3) -> str:
    """Of an interval."""
    return "–" if ends is None else interval(figure(ends[0], places), figure(ends[1], places))


def shares_row(share: Mapping[str, Any]) -> list[str]:
    """What ``measures.agreement.share`` found: of how many, the share, its interval."""
    return [str(share["of"]), figure(share["share"]), between(share["interval"])]


def evaluation_table(card: Scorecard) -> str:
    """Risk, then scores, then how many findings there are of each kind; nothing that the session or the note says."""
    rows = [[s.name, s.said, s.detail] for s in card.statements]
    counts = [(KINDS[kind].heading, len(card.of(kind))) for kind in FindingKind]
    rows += [
        [tr("To fix") if kind == 0 else "", f"{heading}: {count}"]
        for kind, (heading, count) in enumerate((heading, count) for heading, count in counts if count)
    ]
    # Apart from the columns, which a long line would tear.
    incomplete = f"\n{tr('Incomplete')}: {card.incomplete}" if card.incomplete else ""
    copied = f"\n{COPIED}: {card.copied}" if card.copied else ""
    return f"{tr('Risk')}: {card.risk}\n{table(rows)}{copied}{incomplete}"


def thread_table(rows: Sequence[ThreadRow]) -> str:
    """Each line of the treatment plan by its number, without its words, and whether the note speaks to it."""
    return f"{tr('Treatment plan')}: {thread_summary(rows)}\n{table([[row.name, row.note] for row in rows])}"


def response_table(verdict: ResponseVerdict) -> str:
    def figure(value: float | None) -> str:
        return NOT_CHECKED if value is None else f"{value:g}" if isinstance(value, int) else f"{value:.1f}"

    rows = [[attribute.value.capitalize(), figure(value)] for attribute, value in verdict.scores]
    rows += [["CSS", figure(verdict.css)], ["ARS", figure(verdict.ars)], [tr("Gap"), figure(verdict.gap)]]
    if verdict.flags:
        rows.append([tr("Flags"), ", ".join(verdict.flags)])
    return table(rows)


class ProgressBar:
    """One line that rewrites itself; silent where ``stream`` is not a terminal."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._watched, self._last, self._shown = stream.isatty(), float("-inf"), False

    def show(self, what: str, done: int, total: int | None, seconds_left: float | None = None) -> None:
        """At most ten times a second, the last step always."""
        now = self._clock()
        if not self._watched or (now - self._last < 0.1 and done != total):
            return
        self._last, self._shown = now, True
        if total:
            full = round(_BAR * min(1.0, done / total))
            text = f"{what:<10} [{'#' * full}{'.' * (_BAR - full)}] {share_of(done, total)}"
        else:
            text = f"{what:<10} {done}"
        if seconds_left is not None and seconds_left >= 1:
            text += tr(", {time} left").format(time=duration(seconds_left))
        self._stream.write("\r" + text[:_WIDEST].ljust(_WIDEST))
        self._stream.flush()

    def clear(self) -> None:
        if self._shown:
            self._stream.write("\r" + " " * _WIDEST + "\r")
            self._stream.flush()
            self._shown = False

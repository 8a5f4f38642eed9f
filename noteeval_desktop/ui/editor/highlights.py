"""Marks in the note: which sentences, how they look, and their signs in the margin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from noteeval_desktop.domain.findings import ERROR_KINDS, FindingKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.present.vocabulary import KINDS, MARKED, Line
from noteeval_desktop.ui.widgets.theme import colour_of

_Underline = QTextCharFormat.UnderlineStyle
_LINES: dict[Line | None, QTextCharFormat.UnderlineStyle] = {
    "wave": _Underline.WaveUnderline,
    "dashes": _Underline.DashUnderline,
    "dots": _Underline.DotLine,
}


@dataclass(frozen=True, slots=True)
class Highlight:
    """A mark on a stretch of the note; ``key`` is the finding's; ``said`` is one sentence for a tooltip. ``quiet``: the
    judge and people often differ on such. ``words``: it lies within the finding's own mark, which then is not drawn
    (``bare``) and has the sign in the margin."""

    span: Span
    kind: FindingKind
    key: str
    said: str
    quiet: bool = False
    words: bool = False
    bare: bool = False


def highlights_of(
    findings: Iterable[Finding], quiet: Callable[[Finding], bool] = lambda finding: False
) -> tuple[Highlight, ...]:
    """Weaker marks first, so that where two overlap the stronger one is drawn last and seen."""
    marks = []
    for finding in findings:
        if finding.span is not None and finding.kind in MARKED:
            own = Highlight(
                finding.span, finding.kind, finding.key, finding.what, quiet(finding), bare=bool(finding.marks)
            )
            marks += [own, *(replace(own, span=span, words=True, bare=False) for span in finding.marks)]
    return tuple(sorted(marks, key=lambda mark: (-MARKED.index(mark.kind), mark.words, mark.span)))


def mark_colour(kind: FindingKind, quiet: bool = False) -> str:
    """Of its sign, by its name in the theme."""
    return "muted" if quiet else KINDS[kind].tone if kind in MARKED else "accent"


def mark_format(kind: FindingKind, quiet: bool = False) -> QTextCharFormat:
    """A quiet mark keeps its line, and its sign in the margin, in grey."""
    colour = "muted" if quiet else KINDS[kind].tone
    made = QTextCharFormat()
    made.setUnderlineStyle(_LINES[KINDS[kind].line])
    made.setUnderlineColor(colour_of(colour))
    # A breath of colour behind what is to be mended first; the underline and the sign carry the meaning.
    if kind in ERROR_KINDS and not quiet:
        wash = colour_of(colour)
        wash.setAlpha(26)
        made.setBackground(wash)
    if kind is FindingKind.UNNEEDED:
        made.setForeground(colour_of("muted"))
    return made


def uppermost(
    made: Sequence[tuple[Highlight, QTextEdit.ExtraSelection]],
) -> list[tuple[Highlight, QTextEdit.ExtraSelection]]:
    """Those that are drawn; of the marks on the very same stretch only the last, which is the strongest: Qt draws the
    letters once more for each format over them, and drawn twice they look bold."""
    drawn = [(n, own.cursor) for n, (highlight, own) in enumerate(made) if not highlight.bare]
    last = {(cursor.selectionStart(), cursor.selectionEnd()): n for n, cursor in drawn}
    return [made[n] for n in sorted(last.values())]


def ground(behind: str, letters: str = "") -> QTextCharFormat:
    """Colours of the theme: the tint behind the passage that a finding speaks of, the accent of what a search found."""
    look = QTextCharFormat()
    look.setBackground(colour_of(behind))
    if letters:
        look.setForeground(colour_of(letters))
    return look


def tinted(
    mark: QTextEdit.ExtraSelection, looked_at: list[QTextEdit.ExtraSelection], highlight: Highlight
) -> QTextEdit.ExtraSelection:
    """``mark`` with the tint of the passage that is looked at, where it stands in one: the later format wins there."""
    start, end = mark.cursor.selectionStart(), mark.cursor.selectionEnd()
    if not any(own.cursor.selectionStart() < end and start < own.cursor.selectionEnd() for own in looked_at):
        return mark
    look = mark_format(highlight.kind, highlight.quiet)
    look.setBackground(colour_of("tint"))
    return marked(mark.cursor, look)


def marked(passage: QTextCursor, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
    made = QTextEdit.ExtraSelection()
    made.cursor, made.format = passage, look
    return made


def passage(document: QTextDocument, start: int, end: int) -> QTextCursor:
    cursor, last = QTextCursor(document), max(0, document.characterCount() - 1)
    cursor.setPosition(min(start, last))
    cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
    return cursor

"""What a page is made of, whoever draws it: parts in their order, without a measure or a mark of any format.

``draw_pdf`` and ``draw_html`` draw the same page; what only one of them can do is decided there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from noteeval_desktop import __version__
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.report.charts import Drawing
from noteeval_desktop.report.fingerprints import Fingerprints

PROGRAM = " ".join(("NoteEval Desktop", __version__))
GUIDE = tr("a guide for review, not a verdict")


@dataclass(frozen=True, slots=True)
class Run:
    """``tone``: one of those in ``present.vocabulary``; colour is never the only sign."""

    text: str
    tone: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Marked:
    """Of a sentence of the note. ``found``: each kind, what it is called, and the number under which the page tells
    more (None: nowhere). ``comments`` by number; ``ends``: the sentence does not go on in the next line."""

    text: str
    found: tuple[tuple[FindingKind, str, int | None], ...]
    comments: tuple[int, ...] = ()
    ends: bool = True


Text = str | Run | tuple[str | Run | Marked, ...]


def runs(text: Text) -> tuple[Run | Marked, ...]:
    parts = text if isinstance(text, tuple) else (text,)
    return tuple(Run(part) if isinstance(part, str) else part for part in parts)


class Part:
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Title(Part):
    """``facts``: a name, which may be empty, and what is so."""

    text: str
    subtitle: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Heading(Part):
    """``level`` 1 or 2, under the title."""

    text: Text
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph(Part):
    text: Text
    look: Literal["body", "small", "figure"] = "body"


@dataclass(frozen=True, slots=True)
class NoteLine(Part):
    """A line of the note; ``heading`` is what it starts with, or all of it."""

    heading: str
    text: Text


@dataclass(frozen=True, slots=True)
class Banner(Part):
    """Told before all else; ``loud`` where it warns."""

    title: str
    text: str
    loud: bool


@dataclass(frozen=True, slots=True)
class Item:
    """``marker``: a number or a sign, or empty."""

    marker: str
    text: Text
    under: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Items(Part):
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Quote(Part):
    """``where`` it is from, and the words, without quotation marks."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Table(Part):
    """The first cell of a row is its heading; a row of one cell stands over those that follow."""

    head: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart(Part):
    """``draw`` takes a width in points; ``said`` tells the same to whoever cannot see it, and so does a ``table``."""

    draw: Callable[[float], Drawing]
    said: str
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Cards(Part):
    """Side by side, each in a frame; ``title`` for whoever cannot see that."""

    title: str
    cards: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid(Part):
    """Blocks, on paper in two columns, each set where there is room."""

    blocks: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True, slots=True)
class Group(Part):
    """together: not parted by the end of a sheet of paper; sheet: all on one, however much it is, or an empty one
    where the next part begins another; paper and screen: on that alone, as a legend of drawn marks, or a table that is
    wider than a sheet."""

    kind: Literal["together", "sheet", "paper", "screen"]
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Blanks(Part):
    """Lines to write on, in columns; each with its label, which may be empty, and what is filled in already."""

    columns: tuple[tuple[tuple[str, str], ...], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """``title`` and ``subject`` of the file; ``head``: on every sheet but the first; ``prints`` go into the PDF."""

    title: str
    parts: tuple[Part, ...]
    when: datetime = field(default_factory=datetime.now)
    head: str = ""
    subject: str = ""
    prints: Fingerprints | None = None

"""What a page is made of, whoever draws it: parts in their order, without a measure or a mark of any format.

``draw_pdf`` and ``draw_html`` draw the same page; what only one of them can do is decided there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.report.charts import Drawing
from noteeval_desktop.report.fingerprints import Fingerprints


@dataclass(frozen=True, slots=True)
class Run:
    """``tone``: one of those in ``domain.finding_words``; colour is never the only sign."""

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


@dataclass(frozen=True, slots=True)
class Title:
    """``facts``: a name, which may be empty, and what is so."""

    text: str
    subtitle: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """``level`` 1 or 2, under the title."""

    text: Text
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: Text
    look: Literal["body", "small", "figure"] = "body"


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A line of the note; ``heading`` is what it starts with, or all of it."""

    heading: str
    text: Text


@dataclass(frozen=True, slots=True)
class Banner:
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
class Items:
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """``where`` it is from, and the words, without quotation marks."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """The first cell of a row is its heading; a row of one cell stands over those that follow."""

    head: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """``draw`` takes a width in points; ``said`` tells the same to whoever cannot see it, with ``table`` if there is
    one."""

    draw: Callable[[float], Drawing]
    said: str
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    """Side by side, each in a frame; ``title`` for whoever cannot see that."""

    title: str
    cards: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Blocks of two columns where the sheet is fixed, each set where there is room."""

    blocks: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True, slots=True)
class Together:
    """Not parted by the end of a sheet."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """All on one sheet of paper, however much it is; the next part begins another."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Wide:
    """Has no room on paper."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """What follows begins on another sheet."""


@dataclass(frozen=True, slots=True)
class Blanks:
    """Lines to write on, in columns; each with its label, which may be empty, and what is filled in already."""

    columns: tuple[tuple[tuple[str, str], ...], ...]


@dataclass(frozen=True, slots=True)
class Legend:
    """Of the note's marks, where they are drawn; ``numbered`` where they have numbers."""

    numbered: bool


Part = (
    Title
    | Heading
    | Paragraph
    | NoteLine
    | Banner
    | Items
    | Quote
    | Table
    | Chart
    | Cards
    | Grid
    | Together
    | Sheet
    | Wide
    | Break
    | Blanks
    | Legend
)


@dataclass(frozen=True, slots=True)
class Page:
    """``title`` and ``subject`` of the file; ``head``: on every sheet but the first; ``prints`` go into the PDF."""

    title: str
    parts: tuple[Part, ...]
    when: datetime = field(default_factory=datetime.now)
    head: str = ""
    subject: str = ""
    prints: Fingerprints | None = None

"""Text of a DOCX, paragraph by paragraph. Runs in a child process: python-docx meets hostile files here."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.documents.table import talk_columns
from noteeval_desktop.documents.turns import clock
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError

# Which runs nobody sees: hidden, crossed out, in the colour of the page, tiny, squeezed or off the page.
TINY = 6  # half points
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_SWITCHES = ("vanish", "webHidden", "specVanish", "strike", "dstrike")
_OFF = ("0", "false", "off", "none")
_DEEPEST = 12
# What can still be read: of a letter's width, how far from its line (half points), how far into the next (twips).
_NARROWEST, _FARTHEST, _TIGHTEST = 10, 40, -60
_FLATTEST = 40  # twips, of a line or a row
_OUTSIDE, _OUTSIDE_EMU = 10_800, 16_000_000  # twips from a margin, and what a drawing is moved by: no page is so wide
LEAST_CONTRAST = 1.4  # as WCAG counts it; nobody can read below
_WHITE = (255, 255, 255)
_WAYS = (("themeShade", 0), ("themeTint", 255))  # towards black, towards white
# Of Office's own theme, which almost every document has.
_THEME = {
    **dict.fromkeys(("background1", "light1", "lt1", "bg1"), "FFFFFF"),
    **dict.fromkeys(("background2", "light2", "lt2", "bg2"), "EEECE1"),
    **dict.fromkeys(("text1", "dark1", "dk1", "tx1"), "000000"),
}
_HIGHLIGHTS = {
    **{"black": "000000", "white": "FFFFFF", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00"},
    **{"magenta": "FF00FF", "red": "FF0000", "yellow": "FFFF00", "darkBlue": "000080", "darkCyan": "008080"},
    **{"darkGreen": "008000", "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000"},
    **{"darkGray": "808080", "lightGray": "C0C0C0"},
}
_PLACES = {"ind": ("left", "start", "right", "end", "firstLine", "hanging"), "framePr": ("x", "y")}
Colour = tuple[int, int, int]


class Looks:
    """What the styles of a document and a run's own properties say of how it is shown."""

    def __init__(self, styles: Any) -> None:
        """``styles``: the root of styles.xml; None where there is none."""
        found = [] if styles is None else list(styles.iter(f"{W}style"))
        self._styles = {style.get(f"{W}styleId"): style for style in found}
        self._usual = [
            style
            for style in found
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true", "on")
        ][:1]

    def hides(self, run: Any) -> bool:
        """Is the text of this ``w:r`` out of sight?"""
        paragraph = next(run.iterancestors(f"{W}p"), None)
        own = run.find(f"{W}rPr")
        above = None if paragraph is None else paragraph.find(f"{W}pPr")
        # What stands nearest decides.
        said = _stated(own)
        of_paragraph = [*self._styles_of(above, "pStyle"), *self._usual]
        for style in (*self._styles_of(own, "rStyle"), *of_paragraph):
            said = _stated(style.find(f"{W}rPr")) | said
        colour, ground = said.pop("colour", None), said.pop("ground", None)
        if any(said.values()) or _is_off_the_page(run, above):
            return True
        ground = ground or _ground_below(run, [above, *(style.find(f"{W}pPr") for style in of_paragraph)])
        return colour is not None and isinstance(ground, tuple) and contrast(colour, ground) < LEAST_CONTRAST

    def _styles_of(self, properties: Any, kind: str) -> list[Any]:
        """The style that ``properties`` names, and those that it is based on."""
        named = None if properties is None else properties.find(f"{W}{kind}")
        chain: list[Any] = []
        while named is not None and len(chain) < _DEEPEST:
            style = self._styles.get(named.get(f"{W}val"))
            if style is None:
                break
            chain.append(style)
            named = style.find(f"{W}basedOn")
        return chain


def contrast(one: Colour, other: Colour) -> float:
    """1..21, as WCAG counts it."""
    low, high = sorted(luminance(part / 255 for part in colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def luminance(shares: Iterable[float]) -> float:
    """0..1, of red, green and blue from 0 to 1 (WCAG 2)."""
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _stated(properties: Any) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for one in () if properties is None else properties:
        name, value = str(one.tag).removeprefix(W), one.get(f"{W}val")
        number = _number(value)
        if name in _SWITCHES:
            said[name] = value is None or value.lower() not in _OFF
        elif name == "color":
            said["colour"] = _colour(one, value, "theme")
        elif name == "highlight":
            said["ground"] = _hex(_HIGHLIGHTS.get(value or "", ""))
        elif name == "shd":
            said["ground"] = _colour(one, one.get(f"{W}fill"), "themeFill")
        elif number is not None:
            match name:
                case "sz":
                    said["tiny"] = number <= TINY
                case "w":
                    said["narrow"] = number < _NARROWEST
                case "position":
                    said["away"] = abs(number) > _FARTHEST
                case "spacing":
                    said["tight"] = number <= _TIGHTEST
    return said


def _number(value: str | None) -> float | None:
    """Word takes "2.5" and "1%" as well."""
    found = re.match(r"\s*([+-]?\d{1,9}(?:\.\d{1,6})?)", value or "")
    return float(found[1]) if found else None


def _hex(value: str | None) -> Colour | None:
    if not re.fullmatch("[0-9A-Fa-f]{6}", value or ""):
        return None
    red, green, blue = bytes.fromhex(value or "")
    return red, green, blue


def _colour(element: Any, value: str | None, kind: str) -> Colour | None:
    """``kind``: "theme" or "themeFill", as the attributes begin that name a colour of the theme; that one counts."""
    named = element.get(f"{W}{kind if kind == 'themeFill' else 'themeColor'}")
    found = _hex(_THEME.get(named or "", value))
    for way, towards in _WAYS:
        share = element.get(f"{W}{way.replace('theme', kind)}")
        if found is not None and named in _THEME and re.fullmatch("[0-9A-Fa-f]{2}", share or ""):
            part = int(share, 16) / 255
            red, green, blue = (round(towards + (own - towards) * part) for own in found)
            found = red, green, blue
    return found


def _ground_below(run: Any, of_paragraph: list[Any]) -> Colour | str:
    """What the run's paragraph or cell is filled with, white where nothing is; "" where a table's style may fill it."""
    shadings = [shading for one in of_paragraph if one is not None for shading in one.findall(f"{W}shd")]
    for cell in run.iterancestors(f"{W}tc"):
        shadings += cell.findall(f"{W}tcPr/{W}shd")
    for shading in shadings:
        if found := _colour(shading, shading.get(f"{W}fill"), "themeFill"):
            return found
    styled = any(table.find(f"{W}tblPr/{W}tblStyle") is not None for table in run.iterancestors(f"{W}tbl"))
    return "" if styled else _WHITE


def _is_off_the_page(run: Any, above: Any) -> bool:
    """Beside or above the paper, or in a line or row without height."""
    for row in run.iterancestors(f"{W}tr"):
        if any(_is_flat(height, "val", "hRule") for height in row.findall(f"{W}trPr/{W}trHeight")):
            return True
    for anchor in run.iterancestors(f"{_DRAWING}anchor"):
        if any(abs(_number(moved.text) or 0) > _OUTSIDE_EMU for moved in anchor.iter(f"{_DRAWING}posOffset")):
            return True
    for one in () if above is None else above:
        name = str(one.tag).removeprefix(W)
        if name == "spacing" and _is_flat(one, "line", "lineRule"):
            return True
        places = [_number(one.get(f"{W}{key}")) or 0 for key in _PLACES.get(name, ())]
        if any(abs(place) > _OUTSIDE for place in places):
            return True
    return False


def _is_flat(element: Any, size: str, rule: str) -> bool:
    height = _number(element.get(f"{W}{size}"))
    return element.get(f"{W}{rule}") == "exact" and height is not None and height <= _FLATTEST


# Fields of a DOCX in their long form (DATE, REF, MERGEFIELD, FORMTEXT, …): what Word fills in by itself.


class Fields(NamedTuple):
    """``within``: the elements that begin or end inside a field; ``code``: those of its instruction, which no page
    shows."""

    within: Set[Any]
    code: Set[Any]


def fields_of(root: Any) -> Fields:
    """A field goes from one mark to another, through runs and paragraphs, and may hold others."""
    from lxml import etree

    within: set[Any] = set()
    code: set[Any] = set()
    open_fields: list[bool] = []  # whether each has shown its result yet
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start" and element.tag == f"{W}fldChar":
            within.add(element)
            match element.get(f"{W}fldCharType"):
                case "begin":
                    open_fields.append(False)
                case "separate" if open_fields:
                    open_fields[-1] = True
                case "end" if open_fields:
                    open_fields.pop()
        elif open_fields:
            within.add(element)
            if event == "start" and not all(open_fields):
                code.add(element)
    return Fields(within, code)


MOST_BYTES_UNPACKED = 60_000_000
MOST_PARTS = 5_000
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# The older twin of a text box that is there already, and what was moved away and stands elsewhere.
_TWINS = (_FALLBACK, f"{W}moveFrom")
_NOTES = {f"{W}footnoteReference": "footnotes", f"{W}endnoteReference": "endnotes"}


@dataclass
class _Parts:
    """``notes``: the texts of footnotes and endnotes, by kind and number; ``hidden``: was anything left out?"""

    looks: Looks
    fields: Fields
    notes: Mapping[tuple[str, str], str]
    hidden: bool = False


@dataclass(frozen=True)
class Piece:
    """``element`` is the w:t, w:tab, w:br, ... that the text stands in; None where it stands elsewhere: in a footnote,
    or in the name that a table gives to a line."""

    text: str
    element: Any = None


@dataclass(eq=False)
class Line:
    """``paragraph`` is None for a line that a table was made into; ``broken_by`` the break that it begins after."""

    pieces: list[Piece]
    paragraph: Any = None
    broken_by: Any = None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def docx_lines(data: bytes, what: str) -> tuple[list[str], list[str]]:
    """Lines in reading order, tables cell by cell, text boxes, tracked insertions and footnotes included; and warnings.

    A table of talk with a first row that says so comes as ``Name: words``; one with a section in each column comes
    column by column.

    Raises InputError for a damaged, protected or oversized file, or another kind of zip.
    """
    _, lines, hidden = read_docx(data, what)
    return [line.text for line in lines], [
        tr("Hidden text in the document (marked as hidden, white, tiny or crossed out) was left out.")
    ] if hidden else []


def read_docx(data: bytes, what: str) -> tuple[Any, list[Line], bool]:
    """The document, its lines with where each stands, and whether anything in it is hidden; as ``docx_lines``."""
    _check_package(data, what)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        document = docx.Document(io.BytesIO(data))
        parts = _Parts(Looks(related(document.part, "/styles")), fields_of(document.element.body), {})
        parts.notes = _notes(document.part, parts)
        return document, list(_lines(document.element.body, parts)), parts.hidden
    except MemoryError:
        raise
    # python-docx raises bare KeyError, AttributeError and ValueError for broken packages.
    except (OpcError, LxmlError, KeyError, AttributeError, ValueError, OSError, zipfile.BadZipFile, zlib.error):
        raise _damaged(what) from None


def _damaged(what: str) -> InputError:
    remedy = tr("Open it in the program that made it, save it again as DOCX and try again.")
    return InputError(what, tr("the DOCX is damaged"), remedy)


def _check_package(data: bytes, what: str) -> None:
    """Declared sizes first: half a megabyte of DOCX can unpack to 200 MB of text."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            parts = package.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise _damaged(what) from None
    names = {part.filename for part in parts}
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_BYTES_UNPACKED:
        raise InputError(what, tr("it is far too large once unpacked"), tr("Save its text as TXT and use that."))
    if any(part.flag_bits & 1 for part in parts):
        raise InputError(what, tr("it is protected by a password"), tr("Save a copy without the password."))
    if "word/document.xml" not in names:
        _refuse_other_zip(names, what)


def _refuse_other_zip(names: set[str], what: str) -> None:
    if "content.xml" in names:
        said = (tr("it is an OpenDocument file, not a DOCX"), tr("Save it as DOCX or TXT."))
    elif any(name.startswith(("Index/", "index.")) or name.endswith(".iwa") for name in names):
        said = (tr("it is a Pages document, not a DOCX"), tr("Export it as DOCX, PDF or TXT."))
    elif any(name.startswith(("xl/", "ppt/")) for name in names):
        said = (tr("it is a spreadsheet or presentation, not a DOCX"), tr("Save a table as CSV, anything else as TXT."))
    else:
        said = (tr("it is a zip archive, not a DOCX"), tr("Unpack it and choose the document inside."))
    raise InputError(what, *said)


def related(part: Any, kind: str) -> Any:
    """The root of styles.xml, for "/styles", and its like; None where the document has none."""
    from docx.oxml import parse_xml

    for relation in part.rels.values():
        if relation.reltype.endswith(kind) and not relation.is_external:
            return parse_xml(relation.target_part.blob)
    return None


def _notes(part: Any, parts: _Parts) -> dict[tuple[str, str], str]:
    """The texts of footnotes and endnotes, by kind and number."""
    from docx.oxml import parse_xml

    found: dict[tuple[str, str], str] = {}
    for relation in part.rels.values():
        kind = relation.reltype.rsplit("/", 1)[-1]
        if kind in _NOTES.values() and not relation.is_external:
            for note in parse_xml(relation.target_part.blob):
                if note.get(f"{W}type") is None:  # the others are the lines between text and notes
                    found[kind, note.get(f"{W}id", "")] = " ".join(_text(_lines(note, parts)).split())
    return found


def _text(lines: Iterable[Line]) -> str:
    return " ".join(line.text for line in lines)


def _lines(element: Any, parts: _Parts) -> Iterator[Line]:
    """Of all paragraphs within; depth is bounded: lxml refuses trees deeper than 256 levels."""
    for child in element:
        if child.tag == f"{W}tbl":
            yield from _table_lines(child, parts)
        elif child.tag not in (f"{W}pPr", f"{W}rPr", *_TWINS):
            if child.tag == f"{W}p":
                pieces: list[Piece] = []
                _collect(child, pieces, parts)
                yield from _broken(pieces, child)
            yield from _lines(child, parts)


def _broken(pieces: list[Piece], paragraph: Any) -> Iterator[Line]:
    line = Line([], paragraph)
    for piece in pieces:
        first, *others = piece.text.split("\n")
        if not others:
            line.pieces.append(piece)
            continue
        # A break of lines; or a text with one within, of which no part can be told from the others.
        line.pieces.append(Piece(first))
        for other in others:
            yield line
            line = Line([Piece(other)], paragraph, piece.element if piece.text == "\n" else None)
    yield line


def _table_lines(table: Any, parts: _Parts) -> Iterator[Line]:
    rows = [[list(_lines(cell, parts)) for cell in row.iter(f"{W}tc") if _row_of(cell) is row] for row in _rows(table)]
    first = [_text(cell).strip() for cell in rows[0]] if rows else []
    columns = talk_columns(first)
    if columns and all(len(row) == len(first) for row in rows):
        yield from _talk(rows[1:], *columns)
    elif len(rows) > 1 and len(first) > 2 and all(len(find_headings(cell)[1]) == 1 for cell in first):
        yield from (line for column in zip(*rows, strict=False) for cell in column for line in cell)
    else:
        yield from (line for row in rows for cell in row for line in cell)


def _rows(table: Any) -> list[Any]:
    return [row for row in table.iter(f"{W}tr") if next(row.iterancestors(f"{W}tbl")) is table]


def _row_of(cell: Any) -> Any:
    return next(cell.iterancestors(f"{W}tr"))


def _talk(rows: list[list[list[Line]]], speaker: int, words: int, time: int | None) -> Iterator[Line]:
    for row in rows:
        name, said = (_text(row[column]).strip() for column in (speaker, words))
        start = _text(row[time]).strip() if time is not None else ""
        prefix = f"[{start}] " if clock(start) is not None else ""
        yield Line([Piece(f"{prefix}{name.rstrip(':')}: {said}" if name else said)])


def _collect(element: Any, pieces: list[Piece], parts: _Parts) -> None:
    for child in element:
        tag = child.tag
        if tag == f"{W}t" and child in parts.fields.code:
            parts.hidden |= bool((child.text or "").strip())
        elif tag == f"{W}r" and parts.looks.hides(child):
            parts.hidden |= any((text.text or "").strip() for text in child.iter(f"{W}t"))
        elif tag == f"{W}t":
            pieces.append(Piece(child.text or "", child))
        elif tag == f"{W}tab":
            pieces.append(Piece("\t", child))
        elif tag in (f"{W}br", f"{W}cr"):
            pieces.append(Piece("\n", child))
        elif tag == f"{W}noBreakHyphen":
            pieces.append(Piece("-", child))
        elif tag in _NOTES:
            text = parts.notes.get((_NOTES[tag], child.get(f"{W}id", "")))
            pieces.append(Piece(f" ({text})" if text else ""))
        elif tag not in (f"{W}p", f"{W}tbl", f"{W}pPr", f"{W}rPr", *_TWINS):
            _collect(child, pieces, parts)

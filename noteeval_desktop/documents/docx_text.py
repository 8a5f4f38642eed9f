"""Text of a DOCX, paragraph by paragraph. Runs in a child process: python-docx meets hostile files here."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from noteeval_desktop.documents.docx_hidden import Looks
from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.documents.table import talk_columns
from noteeval_desktop.documents.turns import clock
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError

# Fields of a DOCX in their long form (DATE, REF, MERGEFIELD, FORMTEXT, …): what Word fills in by itself.
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


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
        raise InputError(
            what,
            tr("the DOCX is damaged"),
            tr("Open it in the program that made it, save it again as DOCX and try again."),
        ) from None


def _check_package(data: bytes, what: str) -> None:
    """Declared sizes first: half a megabyte of DOCX can unpack to 200 MB of text."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            parts = package.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise InputError(
            what,
            tr("the DOCX is damaged"),
            tr("Open it in the program that made it, save it again as DOCX and try again."),
        ) from None
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

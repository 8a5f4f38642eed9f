"""Text of a DOCX, paragraph by paragraph. Runs in a child process: python-docx meets hostile files here."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from noteeval_desktop.documents.docx_hidden import Looks
from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.documents.table import talk_columns
from noteeval_desktop.documents.turns import clock
from noteeval_desktop.errors import InputError

MOST_BYTES_UNPACKED = 60_000_000
MOST_PARTS = 5_000
_DAMAGED = "Open it in the program that made it, save it again as DOCX and retry."
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# The older twin of a text box that is there already, and what was moved away and stands elsewhere.
_TWINS = (_FALLBACK, f"{_W}moveFrom")
_NOTES = {f"{_W}footnoteReference": "footnotes", f"{_W}endnoteReference": "endnotes"}
HIDDEN = "Text that the document hides (hidden, white, tiny or crossed out) was left out."


@dataclass
class _Parts:
    """``notes``: the texts of footnotes and endnotes, by kind and number; ``hidden``: was anything left out?"""

    looks: Looks
    notes: Mapping[tuple[str, str], str]
    hidden: bool = False


def docx_lines(data: bytes, what: str) -> tuple[list[str], list[str]]:
    """Lines in reading order, tables cell by cell, text boxes, tracked insertions and footnotes included; and warnings.

    A table of talk with a first row that says so comes as ``Name: words``; one with a section in each column comes
    column by column.

    Raises InputError for a damaged, protected or oversized file, or another kind of zip.
    """
    _check_package(data, what)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        document = docx.Document(io.BytesIO(data))
        parts = _Parts(Looks(_styles(document.part)), {})
        parts.notes = _notes(document.part, parts)
        lines = list(_lines(document.element.body, parts))
        return lines, [HIDDEN] if parts.hidden else []
    except MemoryError:
        raise
    # python-docx raises bare KeyError, AttributeError and ValueError for broken packages.
    except (OpcError, LxmlError, KeyError, AttributeError, ValueError, OSError, zipfile.BadZipFile, zlib.error):
        raise InputError(what, "the DOCX is damaged", _DAMAGED) from None


def _check_package(data: bytes, what: str) -> None:
    """Declared sizes first: half a megabyte of DOCX can unpack to 200 MB of text."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            parts = package.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise InputError(what, "the DOCX is damaged or cut off", _DAMAGED) from None
    names = {part.filename for part in parts}
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_BYTES_UNPACKED:
        raise InputError(what, "it unpacks to far more than a document needs", "Save its text as TXT and use that.")
    if any(part.flag_bits & 1 for part in parts):
        raise InputError(what, "it is protected by a password", "Save a copy without the password.")
    if "word/document.xml" not in names:
        _refuse_other_zip(names, what)


def _refuse_other_zip(names: set[str], what: str) -> None:
    if "content.xml" in names:
        kind, remedy = "an OpenDocument file", "Save it as DOCX or TXT."
    elif any(name.startswith(("Index/", "index.")) or name.endswith(".iwa") for name in names):
        kind, remedy = "a Pages document", "Export it as DOCX, PDF or TXT."
    elif any(name.startswith(("xl/", "ppt/")) for name in names):
        kind, remedy = "a spreadsheet or presentation", "Save a table as CSV, anything else as TXT."
    else:
        kind, remedy = "a zip archive", "Unpack it and choose the document inside."
    raise InputError(what, f"it is {kind}, not a DOCX", remedy)


def _styles(part: Any) -> Any:
    """The root of styles.xml; None where the document has none."""
    from docx.oxml import parse_xml

    for relation in part.rels.values():
        if relation.reltype.endswith("/styles") and not relation.is_external:
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
                if note.get(f"{_W}type") is None:  # the others are the lines between text and notes
                    found[kind, note.get(f"{_W}id", "")] = " ".join(" ".join(_lines(note, parts)).split())
    return found


def _lines(element: Any, parts: _Parts) -> Iterator[str]:
    """Of all paragraphs within; depth is bounded: lxml refuses trees deeper than 256 levels."""
    for child in element:
        if child.tag == f"{_W}tbl":
            yield from _table_lines(child, parts)
        elif child.tag not in (f"{_W}pPr", f"{_W}rPr", *_TWINS):
            if child.tag == f"{_W}p":
                pieces: list[str] = []
                _collect(child, pieces, parts)
                yield from "".join(pieces).split("\n")
            yield from _lines(child, parts)


def _table_lines(table: Any, parts: _Parts) -> Iterator[str]:
    rows = [[list(_lines(cell, parts)) for cell in row.iter(f"{_W}tc") if _row_of(cell) is row] for row in _rows(table)]
    first = [" ".join(cell).strip() for cell in rows[0]] if rows else []
    columns = talk_columns(first)
    if columns and all(len(row) == len(first) for row in rows):
        yield from _talk(rows[1:], *columns)
    elif len(rows) > 1 and len(first) > 2 and all(len(find_headings(cell)[1]) == 1 for cell in first):
        yield from (line for column in zip(*rows, strict=False) for cell in column for line in cell)
    else:
        yield from (line for row in rows for cell in row for line in cell)


def _rows(table: Any) -> list[Any]:
    return [row for row in table.iter(f"{_W}tr") if next(row.iterancestors(f"{_W}tbl")) is table]


def _row_of(cell: Any) -> Any:
    return next(cell.iterancestors(f"{_W}tr"))


def _talk(rows: list[list[list[str]]], speaker: int, words: int, time: int | None) -> Iterator[str]:
    for row in rows:
        name, said = (" ".join(row[column]).strip() for column in (speaker, words))
        start = " ".join(row[time]).strip() if time is not None else ""
        prefix = f"[{start}] " if clock(start) is not None else ""
        yield f"{prefix}{name.rstrip(':')}: {said}" if name else said


def _collect(element: Any, pieces: list[str], parts: _Parts) -> None:
    for child in element:
        tag = child.tag
        if tag == f"{_W}r" and parts.looks.hides(child):
            parts.hidden |= any((text.text or "").strip() for text in child.iter(f"{_W}t"))
        elif tag == f"{_W}t":
            pieces.append(child.text or "")
        elif tag == f"{_W}tab":
            pieces.append("\t")
        elif tag in (f"{_W}br", f"{_W}cr"):
            pieces.append("\n")
        elif tag == f"{_W}noBreakHyphen":
            pieces.append("-")
        elif tag in _NOTES:
            text = parts.notes.get((_NOTES[tag], child.get(f"{_W}id", "")))
            pieces.append(f" ({text})" if text else "")
        elif tag not in (f"{_W}p", f"{_W}tbl", f"{_W}pPr", f"{_W}rPr", *_TWINS):
            _collect(child, pieces, parts)

"""Text of a DOCX, paragraph by paragraph. Runs in a child process: python-docx meets hostile files here."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from noteeval_desktop.errors import InputError

MOST_BYTES_UNPACKED = 60_000_000
MOST_PARTS = 5_000
_DAMAGED = "Open it in the program that made it, save it again as DOCX and retry."
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def docx_lines(data: bytes, what: str) -> list[str]:
    """Lines in reading order, tables cell by cell, text boxes and tracked insertions included.

    Raises InputError for a damaged, protected or oversized file, or another kind of zip.
    """
    _check_package(data, what)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        body = docx.Document(io.BytesIO(data)).element.body
        return [line for paragraph in body.iter(f"{_W}p") for line in _lines(paragraph)]
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


def _lines(paragraph: Any) -> Iterator[str]:
    if any(True for _ in paragraph.iterancestors(_FALLBACK)):
        return  # the older twin of a text box that is there already
    pieces: list[str] = []
    _collect(paragraph, pieces)
    text = "".join(pieces)
    yield from text.split("\n")


def _collect(element: Any, pieces: list[str]) -> None:
    """Depth is bounded: lxml refuses trees deeper than 256 levels."""
    for child in element:
        tag = child.tag
        if tag == f"{_W}t":
            pieces.append(child.text or "")
        elif tag == f"{_W}tab":
            pieces.append("\t")
        elif tag in (f"{_W}br", f"{_W}cr"):
            pieces.append("\n")
        elif tag == f"{_W}noBreakHyphen":
            pieces.append("-")
        elif tag not in (f"{_W}p", f"{_W}pPr", f"{_W}rPr", _FALLBACK):
            _collect(child, pieces)

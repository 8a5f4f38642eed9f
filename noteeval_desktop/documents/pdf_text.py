"""Text of a PDF, with its hard line breaks undone. Runs in a child process."""

from __future__ import annotations

import io
import re

from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.errors import InputError

MOST_PAGES = 200
_NEW_LINE = re.compile(r"\s*(?:[-*•·–—▪●◦]|\(?\w{1,3}[.)]\s|[A-Z][\w /&]{0,40}:)")
_PAGE_NUMBER = re.compile(r"\s*(?:page\s*)?\d{1,3}(?:\s*(?:of|/)\s*\d{1,3})?\s*$", re.IGNORECASE)


def pdf_lines(data: bytes, what: str) -> list[str]:
    """Raises InputError for a damaged, protected or overlong file, and for one of pictures only."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(what, "it is protected by a password", "Save a copy without the password.")
        if len(reader.pages) > MOST_PAGES:
            raise InputError(what, f"it has more than {MOST_PAGES} pages", "Save the note's pages alone.")
        pages = [page.extract_text() for page in reader.pages]
    except (InputError, MemoryError):
        raise
    # pypdf raises whatever Python does on a file that is not what it claims.
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, RecursionError):
        raise InputError(what, "the PDF is damaged", "Print it to a new PDF, or save its text as TXT.") from None
    if not "".join(pages).strip():
        raise InputError(
            what, "the PDF holds pictures of text, no text", "Run text recognition (OCR) on it, or paste the note."
        )
    return unwrapped([line for page in pages for line in _without_page_number(page.split("\n"))])


def _without_page_number(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines[:-1] if len(lines) > 1 and _PAGE_NUMBER.match(lines[-1][:40]) else lines


def unwrapped(lines: list[str]) -> list[str]:
    """Join a line that was broken for width with the next one, unless that opens a section or a list item."""
    width = max((len(line) for line in lines), default=0)
    joined: list[str] = []
    for line in (line.strip() for line in lines):
        before = joined[-1] if joined else ""
        last = before.rsplit("\n", 1)[-1]
        full = len(last) > 0.6 * width and last[-1:] not in (".", "!", "?", ":", ";")
        if line and full and not _NEW_LINE.match(line[:60]) and not find_headings(line)[1]:
            joined[-1] = f"{before} {line}"
        else:
            joined.append(line)
    return joined

"""Text of a PDF, with its hard line breaks undone. Runs in a child process."""

from __future__ import annotations

import io
import re
from collections import Counter
from typing import Any

from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.documents.pdf_hidden import Sight
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError

MOST_PAGES = 200
_NEW_LINE = re.compile(r"\s*(?:[-*•·–—▪●◦]|\(?\w{1,3}[.)]\s|[A-Z][\w /&]{0,40}:)")
# How far from a page's ends its running head and foot may stand: they may be drawn in any order.
_EDGE = 3
# "self-" at a line's end keeps its hyphen; "anx-" was divided.
_COMPOUND = re.compile(
    r"\b(?:self|well|co|non|follow|check|long|short|part|full|high|low|post|pre|half|ex|mid|sub|anti|multi|in|on|up|by|"
    r"mother|father|sister|brother|step|[a-z]*\d+|one|two|three|four|five|six|seven|eight|nine|ten|semi|over|under|"
    r"trauma|client|goal|problem|solution|drug|alcohol|age)-$",
    re.IGNORECASE,
)
_PAGE_NUMBER = re.compile(r"\s*(?:page\s*\d{1,3}|(?:page\s*)?\d{1,3}\s*(?:of|/)\s*\d{1,3})\s*$", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"\s*[-–]?\s*\d{1,3}\s*[-–]?\s*$")


def pdf_lines(data: bytes, what: str) -> tuple[list[str], list[str]]:
    """Lines and warnings; what nobody sees on the page is left out, and told.

    Raises InputError for a damaged, protected or overlong file, for one of pictures only, and for a filled-in form,
    whose fields stand apart from the text around them."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(what, tr("it is protected by a password"), tr("Save a copy without the password."))
        if len(reader.pages) > MOST_PAGES:
            too_many = tr("it has more than {most} pages").format(most=MOST_PAGES)
            raise InputError(what, too_many, tr("Save only the note's pages."))
        if any(_is_filled_in(field) for field in (reader.get_fields() or {}).values()):
            raise InputError(
                what,
                tr("it is a form, and its fields cannot be read in order"),
                tr("Print it to a new PDF, which turns the fields into text, or paste the text."),
            )
        seen = [_seen(page) for page in reader.pages]
    except (InputError, MemoryError):
        raise
    # pypdf raises whatever Python does on a file that is not what it claims.
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, RecursionError):
        raise InputError(
            what, tr("the PDF is damaged"), tr("Print it to a new PDF, or save its text as TXT.")
        ) from None
    pages = [page for page, _ in seen]
    told = list(dict.fromkeys(warning for _, warning in seen if warning))
    if not "".join(pages).strip():
        raise InputError(
            what,
            tr("the PDF holds pictures of text, not text"),
            tr("Run text recognition (OCR) on it, or paste the text."),
        )
    return unwrapped(_running_text([page.split("\n") for page in pages])), told


def _seen(page: Any) -> tuple[str, str]:
    """The page's text without what is hidden in it, and what is to be told."""
    left, bottom, right, top = map(float, page.cropbox)
    sight = Sight((left, bottom, right, top))

    def text() -> str:
        return str(page.extract_text(visitor_operand_before=sight.before, visitor_operand_after=sight.after))

    text()
    sight.drop()
    found = text()
    if sight.invisible and not found.strip() and _has_picture(page):
        # A scanned page: its recognised text lies invisible over its picture, and is all that there is.
        sight.drop(keep_invisible=True)
        return text(), tr("This PDF is a scan, and a computer recognised its words. Please compare them with the page.")
    return found, tr(
        "Hidden text in the PDF (white, tiny, invisible, crossed out or off the page) was left out."
    ) if sight.hidden else ""


def _has_picture(page: Any) -> bool:
    objects = (page.get("/Resources") or {}).get("/XObject") or {}
    return any(objects[name].get("/Subtype") == "/Image" for name in objects)


def _is_filled_in(field: Any) -> bool:
    return field.get("/FT") == "/Tx" and bool(str(field.get("/V") or "").strip())


def _running_text(pages: list[list[str]]) -> list[str]:
    """Without page numbers, and from the second page on without what stands at the edge of every page."""
    edges = [_at_edges(page) for page in pages]
    often = Counter(key for page, at in zip(pages, edges, strict=True) for key in {_key(page[i]) for i in at})
    running = {key for key, number in often.items() if len(pages) > 1 and number == len(pages)}

    def apart(line: str, page: int) -> bool:
        """A page number, or what every page has there; the first page keeps it once, and headings stay."""
        return _PAGE_NUMBER.match(line[:40]) is not None or (
            page > 0 and _key(line) in running and not find_headings(line)[1]
        )

    kept: list[str] = []
    for number, (page, at) in enumerate(zip(pages, edges, strict=True)):
        rest = _trimmed([line for index, line in enumerate(page) if index not in at or not apart(line, number)])
        bare = len(rest) > 1 and _BARE_NUMBER.match(rest[-1][:20]) is not None
        kept += _trimmed(rest[:-1]) if bare else rest
    return kept


def _trimmed(lines: list[str]) -> list[str]:
    """Without blank lines at the ends, so that a sentence goes on over a page break."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _at_edges(page: list[str]) -> set[int]:
    filled = [index for index, line in enumerate(page) if line.strip()]
    return {*filled[:_EDGE], *filled[-_EDGE:]}


def _key(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.lower().split()))


def unwrapped(lines: list[str]) -> list[str]:
    """Join a line that was broken for width with the next one, unless that opens a section or a list item."""
    width = max((len(line) for line in lines), default=0)
    joined: list[str] = []
    for line in (line.strip() for line in lines):
        before = joined[-1] if joined else ""
        last = before.rsplit("\n", 1)[-1]
        divided = _is_divided(last, line)
        full = divided or (len(last) > 0.6 * width and last[-1:] not in (".", "!", "?", ":", ";"))
        if line and full and not _NEW_LINE.match(line[:60]) and not find_headings(line)[1]:
            joined[-1] = _joined(before, line)
        else:
            joined.append(line)
    return joined


def _is_divided(before: str, line: str) -> bool:
    return before[-1:] == "-" and before[-2:-1].isalpha() and line[:1].islower()


def _joined(before: str, line: str) -> str:
    if not _is_divided(before, line):
        return f"{before} {line}"
    return before + line if _COMPOUND.search(before[-20:]) else before[:-1] + line

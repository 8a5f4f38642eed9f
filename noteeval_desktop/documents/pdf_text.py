"""Text of a PDF, with its hard line breaks undone. Runs in a child process."""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from noteeval_desktop.documents.docx_text import LEAST_CONTRAST, luminance
from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError

# What a page draws so that nobody sees it: invisible, white, tiny, crossed out, or off the page.
TINY = 3.0  # points
_NARROWEST = 10.0  # % of a letter's width
_TIGHTEST = -0.4  # of the size: letters lie on each other
_THIN, _SHORT = 2.0, 5.0  # points: what is thinner and longer than this is a line
_INVISIBLE = (3, 7)
_SHOWN = (b"Tj", b"TJ", b"'", b'"')
_FILLING = (b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*")
_STROKING = (b"S", b"s", b"B", b"B*", b"b", b"b*")
_DEVICE_SPACES = ("/DeviceGray", "/DeviceRGB", "/DeviceCMYK", "/CalGray", "/CalRGB")
Matrix = Any
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class _State:
    """Of a page's graphics state what decides whether text is seen."""

    light: float | None = 0.0  # luminance of what fills; None: not known
    scale: float = 100.0
    tight: float = 0.0
    space: str = "/DeviceGray"
    mode: int = 0
    size: float = 0.0


class Sight:
    """Follows a page's operators, as pypdf's ``visitor_operand_before`` and ``visitor_operand_after``.

    The first pass learns what is drawn beneath and across the text; after ``drop()`` the next takes out what is not
    seen. ``hidden`` counts what was taken out, ``invisible`` what of it is in an invisible manner, as the layer of
    recognised text of a scanned page is.
    """

    def __init__(self, page: Box) -> None:
        self._page = page
        self._dropping, self._keeping_invisible = False, False
        self._fills: list[tuple[Box, float | None]] = []
        self._lines: list[Box] = []
        self._begin()

    def drop(self, *, keep_invisible: bool = False) -> None:
        self._dropping, self._keeping_invisible = True, keep_invisible
        self._begin()

    def _begin(self) -> None:
        self._state, self._stack, self._forms = _State(), list[_State](), 0
        self._path: list[tuple[bool, Box]] = []
        self._point = (0.0, 0.0)
        self.hidden = self.invisible = 0

    def before(self, operator: bytes, operands: list[Any], cm: Matrix, tm: Matrix) -> None:
        if operator in (b"q", b"Do"):
            self._stack.append(self._state)
            self._forms += operator == b"Do"
        elif operator == b"Q":
            self._pop()
        elif operator in _SHOWN and operands:
            if self._dropping:
                self._show(operator, operands, cm, tm)
        elif all(isinstance(operand, int | float) and math.isfinite(operand) for operand in operands):
            self._numbers(operator, [float(operand) for operand in operands], cm)
        elif operator in (b"cs", b"scn", b"sc"):
            self._state = replace(self._state, light=None, space=str(operands[-1]))
        elif operator == b"Tf" and len(operands) == 2 and isinstance(operands[1], int | float):
            self._state = replace(self._state, size=float(operands[1]))

    def after(self, operator: bytes, _operands: list[Any], _cm: Matrix, _tm: Matrix) -> None:
        if operator == b"Do":
            self._forms -= 1
            self._pop()

    def _pop(self) -> None:
        self._state = self._stack.pop() if self._stack else self._state

    def _numbers(self, operator: bytes, given: list[float], cm: Matrix) -> None:
        if operator in (b"g", b"rg", b"k", b"sc", b"scn"):
            # One number of a space that only the file knows may be white or full of ink.
            known = operator not in (b"sc", b"scn") or len(given) > 1 or self._state.space in _DEVICE_SPACES
            self._state = replace(self._state, light=_luminance(given) if known else None)
        elif operator == b"Tr" and given:
            self._state = replace(self._state, mode=int(given[0]))
        elif operator == b"Tz" and given:
            self._state = replace(self._state, scale=given[0])
        elif operator == b"Tc" and given:
            self._state = replace(self._state, tight=given[0])
        elif operator == b"re" and len(given) == 4:
            x, y, width, height = given
            self._path.append((True, _box(cm, (x, y), (x + width, y + height))))
        elif operator == b"m" and len(given) == 2:
            self._point = (given[0], given[1])
        elif operator == b"l" and len(given) == 2:
            self._path.append((False, _box(cm, self._point, (given[0], given[1]))))
            self._point = (given[0], given[1])
        elif operator in (*_FILLING, *_STROKING, b"n"):
            self._painted(operator)

    def _painted(self, operator: bytes) -> None:
        if not self._dropping and not self._forms:
            white = operator in _FILLING and self._state.light is not None and not _differ(self._state.light, 1.0)
            for rectangle, box in self._path:
                thin = box[3] - box[1] < _THIN and box[2] - box[0] > _SHORT
                if thin and not white and (operator in _FILLING if rectangle else operator in _STROKING):
                    self._lines.append(box)
                elif rectangle and operator in _FILLING:
                    self._fills.append((box, self._state.light))
        self._path = []

    def _show(self, operator: bytes, operands: list[Any], cm: Matrix, tm: Matrix) -> None:
        letters = _letters(operands[-1] if operator != b"TJ" else operands[0])
        if not letters.strip():
            return
        unseen = self._state.mode in _INVISIBLE
        if (unseen and not self._keeping_invisible) or (not unseen and self._out_of_sight(len(letters), cm, tm)):
            self.hidden += 1
            self.invisible += unseen
            if operator == b"TJ":
                operands[0][:] = [one for one in operands[0] if not isinstance(one, str | bytes)]
            else:
                operands[-1] = type(operands[-1])()

    def _out_of_sight(self, letters: int, cm: Matrix, tm: Matrix) -> bool:
        size = abs(self._state.size) * math.sqrt(abs(_area(tm) * _area(cm)))
        squeezed = abs(self._state.scale) < _NARROWEST or (
            letters > 1 and self._state.tight < _TIGHTEST * abs(self._state.size)
        )
        if size <= TINY or squeezed:
            return True
        x, y = _place(cm, *_place(tm, 0.0, 0.0))
        if self._forms:  # a form has its own coordinates
            return self._state.light is not None and not _differ(self._state.light, 1.0)
        left, bottom, right, top = self._page
        if not (left - size <= x <= right and bottom - size <= y <= top):
            return True
        beneath = [light for box, light in self._fills if _holds(box, x + size / 4, y + size / 4)]
        ground = beneath[-1] if beneath else 1.0
        if self._state.light is not None and ground is not None and not _differ(self._state.light, ground):
            return True
        return any(
            0.12 * size < line[1] - y < 0.55 * size and line[0] <= x + size / 4 and line[2] >= x + 0.3 * size * letters
            for line in self._lines
        )


def _letters(shown: Any) -> str:
    parts = shown if isinstance(shown, list) else [shown]
    return "".join(
        part if isinstance(part, str) else part.decode("latin-1") for part in parts if isinstance(part, str | bytes)
    )


def _luminance(colour: list[float]) -> float | None:
    """Of grey, red, green and blue, or cyan, magenta, yellow and black; None for other numbers of inks."""
    shares = [min(1.0, max(0.0, part)) for part in colour]
    if len(shares) == 4:
        shares = [(1 - ink) * (1 - shares[3]) for ink in shares[:3]]
    if len(shares) not in (1, 3):
        return None
    return luminance((shares * 3)[:3])


def _differ(one: float, other: float) -> bool:
    """Whether the eye tells two luminances apart."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05) >= LEAST_CONTRAST


def _area(matrix: Matrix) -> float:
    return float(matrix[0] * matrix[3] - matrix[1] * matrix[2])


def _place(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = (float(number) for number in matrix)
    return a * x + c * y + e, b * x + d * y + f


def _box(cm: Matrix, one: tuple[float, float], other: tuple[float, float]) -> Box:
    (x1, y1), (x2, y2) = _place(cm, *one), _place(cm, *other)
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _holds(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


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
        return text(), tr("This PDF is a scan, and a computer recognized its words. Please compare them with the page.")
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

"""What a page of a PDF draws so that nobody sees it: invisible, white, tiny, crossed out, or off the page."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

TINY = 3.0  # points
_LEAST_CONTRAST = 1.4  # as WCAG counts it; nobody can read below
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
    red, green, blue = ([s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares] * 3)[:3]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _differ(one: float, other: float) -> bool:
    """Whether the eye tells two luminances apart."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05) >= _LEAST_CONTRAST


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

"""Which runs of a DOCX nobody sees: hidden, crossed out, in the colour of the page, tiny, squeezed or off the page."""

from __future__ import annotations

import re
from typing import Any

TINY = 6  # half points
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
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
        found = [] if styles is None else list(styles.iter(f"{_W}style"))
        self._styles = {style.get(f"{_W}styleId"): style for style in found}
        self._usual = [
            style
            for style in found
            if style.get(f"{_W}type") == "paragraph" and style.get(f"{_W}default") in ("1", "true", "on")
        ][:1]

    def hides(self, run: Any) -> bool:
        """Is the text of this ``w:r`` out of sight?"""
        paragraph = next(run.iterancestors(f"{_W}p"), None)
        own = run.find(f"{_W}rPr")
        above = None if paragraph is None else paragraph.find(f"{_W}pPr")
        said: dict[str, Any] = {}
        # What stands nearest decides.
        for properties in (own, *self._chain(own, "rStyle"), *self._chain(above, "pStyle"), *self._default()):
            said = _stated(properties) | said
        colour, ground = said.pop("colour", None), said.pop("ground", None)
        if any(said.values()) or _is_off_the_page(run, above):
            return True
        styles = [style.find(f"{_W}pPr") for style in (*self._styles_of(above, "pStyle"), *self._usual)]
        ground = ground or _ground_below(run, [above, *styles])
        return colour is not None and isinstance(ground, tuple) and contrast(colour, ground) < LEAST_CONTRAST

    def _default(self) -> list[Any]:
        return [style.find(f"{_W}rPr") for style in self._usual]

    def _chain(self, properties: Any, kind: str) -> list[Any]:
        return [style.find(f"{_W}rPr") for style in self._styles_of(properties, kind)]

    def _styles_of(self, properties: Any, kind: str) -> list[Any]:
        """The style that ``properties`` names, and those that it is based on."""
        named = None if properties is None else properties.find(f"{_W}{kind}")
        chain: list[Any] = []
        while named is not None and len(chain) < _DEEPEST:
            style = self._styles.get(named.get(f"{_W}val"))
            if style is None:
                break
            chain.append(style)
            named = style.find(f"{_W}basedOn")
        return chain


def contrast(one: Colour, other: Colour) -> float:
    """1..21, as WCAG counts it."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    shares = [part / 255 for part in colour]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _stated(properties: Any) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for one in () if properties is None else properties:
        name, value = str(one.tag).removeprefix(_W), one.get(f"{_W}val")
        number = _number(value)
        if name in _SWITCHES:
            said[name] = value is None or value.lower() not in _OFF
        elif name == "color":
            said["colour"] = _colour(one, value, "theme")
        elif name == "highlight":
            said["ground"] = _hex(_HIGHLIGHTS.get(value or "", ""))
        elif name == "shd":
            said["ground"] = _colour(one, one.get(f"{_W}fill"), "themeFill")
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
    named = element.get(f"{_W}{kind if kind == 'themeFill' else 'themeColor'}")
    found = _hex(_THEME.get(named or "", value))
    for way, towards in _WAYS:
        share = element.get(f"{_W}{way.replace('theme', kind)}")
        if found is not None and named in _THEME and re.fullmatch("[0-9A-Fa-f]{2}", share or ""):
            part = int(share, 16) / 255
            red, green, blue = (round(towards + (own - towards) * part) for own in found)
            found = red, green, blue
    return found


def _ground_below(run: Any, of_paragraph: list[Any]) -> Colour | str:
    """What the run's paragraph or cell is filled with, white where nothing is; "" where a table's style may fill it."""
    shadings = [shading for one in of_paragraph if one is not None for shading in one.findall(f"{_W}shd")]
    for cell in run.iterancestors(f"{_W}tc"):
        shadings += cell.findall(f"{_W}tcPr/{_W}shd")
    for shading in shadings:
        if found := _colour(shading, shading.get(f"{_W}fill"), "themeFill"):
            return found
    styled = any(table.find(f"{_W}tblPr/{_W}tblStyle") is not None for table in run.iterancestors(f"{_W}tbl"))
    return "" if styled else _WHITE


def _is_off_the_page(run: Any, above: Any) -> bool:
    """Beside or above the paper, or in a line or row without height."""
    for row in run.iterancestors(f"{_W}tr"):
        if any(_is_flat(height, "val", "hRule") for height in row.findall(f"{_W}trPr/{_W}trHeight")):
            return True
    for anchor in run.iterancestors(f"{_DRAWING}anchor"):
        if any(abs(_number(moved.text) or 0) > _OUTSIDE_EMU for moved in anchor.iter(f"{_DRAWING}posOffset")):
            return True
    for one in () if above is None else above:
        name = str(one.tag).removeprefix(_W)
        if name == "spacing" and _is_flat(one, "line", "lineRule"):
            return True
        places = [_number(one.get(f"{_W}{key}")) or 0 for key in _PLACES.get(name, ())]
        if any(abs(place) > _OUTSIDE for place in places):
            return True
    return False


def _is_flat(element: Any, size: str, rule: str) -> bool:
    height = _number(element.get(f"{_W}{size}"))
    return element.get(f"{_W}{rule}") == "exact" and height is not None and height <= _FLATTEST

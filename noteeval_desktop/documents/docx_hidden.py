"""Which runs of a DOCX nobody sees: hidden, crossed out, white on white, or a point high."""

from __future__ import annotations

from typing import Any

TINY = 4  # half points
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SWITCHES = ("vanish", "webHidden", "specVanish", "strike", "dstrike")
_OFF = ("0", "false", "off", "none")
_DEEPEST = 12
_FROM_WHITE = 0xF0


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
        said: dict[str, bool] = {}
        # What stands nearest decides.
        for properties in (own, *self._chain(own, "rStyle"), *self._chain(above, "pStyle"), *self._default()):
            said = _stated(properties) | said
        if said.pop("white", False) and not said.pop("shaded", False) and not _on_a_ground(run, above):
            return True
        said.pop("shaded", None)
        return any(said.values())

    def _default(self) -> list[Any]:
        return [style.find(f"{_W}rPr") for style in self._usual]

    def _chain(self, properties: Any, kind: str) -> list[Any]:
        """The run properties of the style that ``properties`` names, and of those that it is based on."""
        named = None if properties is None else properties.find(f"{_W}{kind}")
        chain: list[Any] = []
        while named is not None and len(chain) < _DEEPEST:
            style = self._styles.get(named.get(f"{_W}val"))
            if style is None:
                break
            chain.append(style.find(f"{_W}rPr"))
            named = style.find(f"{_W}basedOn")
        return chain


def _stated(properties: Any) -> dict[str, bool]:
    said: dict[str, bool] = {}
    for one in () if properties is None else properties:
        name, value = str(one.tag).removeprefix(_W), one.get(f"{_W}val")
        if name in _SWITCHES:
            said[name] = value is None or value.lower() not in _OFF
        elif name == "color":
            said["white"] = _is_white(value)
        elif name == "sz":
            said["tiny"] = value is not None and value.isdecimal() and int(value[:6]) <= TINY
        elif name == "highlight":
            said["shaded"] = value not in (None, "none", "white")
        elif name == "shd":
            said["shaded"] = _has_ground(one)
    return said


def _is_white(color: str | None) -> bool:
    try:
        number = int(color or "", 16)
    except ValueError:
        return False
    return len(color or "") == 6 and all((number >> shift) & 0xFF >= _FROM_WHITE for shift in (0, 8, 16))


def _has_ground(shading: Any) -> bool:
    fill = shading.get(f"{_W}fill")
    return fill not in (None, "auto") and not _is_white(fill)


def _on_a_ground(run: Any, above: Any) -> bool:
    """White words on a coloured paragraph or in a coloured cell are seen; a table's style may colour its cells."""
    shadings = [] if above is None else above.findall(f"{_W}shd")
    for cell in run.iterancestors(f"{_W}tc"):
        shadings += cell.findall(f"{_W}tcPr/{_W}shd")
    styled = any(table.find(f"{_W}tblPr/{_W}tblStyle") is not None for table in run.iterancestors(f"{_W}tbl"))
    return styled or any(map(_has_ground, shadings))

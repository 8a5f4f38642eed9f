"""Cells of tables that other programs open."""

from __future__ import annotations

import re

# What could begin a formula, and what stands between it and the character before.
_SIGN = re.compile(r'(?<![\s";])([\s";]*+)([=+\-@＝＋－＠])')
_BREAKS = frozenset(";\t\r\n")


def guarded(cell: object) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe stands before what could begin one.

    Also within the cell, behind what another program takes for the end of a cell: where a comma is the decimal sign,
    ``;`` is, and the quotation marks around a cell are then none.
    """
    text = "" if cell is None else str(cell)
    made = _SIGN.sub(_apart, text)
    return f"'{made}" if text[:1] in _BREAKS and not made.startswith("'") else made


def _apart(found: re.Match[str]) -> str:
    starts = found.start() == 0 or not _BREAKS.isdisjoint(found[1])
    return f"{found[1]}'{found[2]}" if starts else found[0]

"""Fields of a DOCX in their long form (DATE, REF, MERGEFIELD, FORMTEXT, …): what Word fills in by itself."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


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
        if event == "start" and element.tag == f"{_W}fldChar":
            within.add(element)
            match element.get(f"{_W}fldCharType"):
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

"""The Joint Commission's "do not use" list, where its abbreviations are meant: doses, how often, three drugs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity

SOURCE = tr("The Joint Commission, official “do not use” list of abbreviations, first published in 2004")
# Not of a laboratory's value, as the list says: "12.0 mg/dL".
_UNIT = r"(?:mg|mcg|µg|g|ml|mL|units?|tablets?|tabs?)\b(?!\s?/\s?d?[lL]\b)"
# What, and what the list has for it; "" is for the part that is kept.
_LIST = (
    (re.compile(r"(?<![\w.])\d[\d,]*\s?(?P<said>IU)\b(?!/)"), "international units"),
    (re.compile(r"(?<![\w.,])\d[\d,]*\s?(?P<said>[Uu])\b(?![./\w])"), "units"),
    (re.compile(r"(?<![\w.])(?P<said>QOD|qod|Q\.O\.D\.?|q\.o\.d\.?)(?!\w)"), "every other day"),
    (re.compile(r"(?<![\w.])(?P<said>QD|qd|Q\.D\.?|q\.d\.?)(?!\.?\w)"), "daily"),
    (re.compile(rf"(?<![\w.,])(?P<said>(?P<kept>\d+)\.0)\s?{_UNIT}"), ""),
    (re.compile(rf"(?<![\w.,])(?P<said>(?P<kept>\.\d+))\s?{_UNIT}"), "0"),
    (re.compile(r"\b(?P<said>MSO4|MSO₄)(?!\w)"), "morphine sulfate"),
    (re.compile(r"\b(?P<said>MgSO4|MgSO₄)(?!\w)"), "magnesium sulfate"),
    (re.compile(r"\b(?P<said>MS)(?=\s\d+(?:\.\d+)?\s?mg\b)|\d\s?mg\s(?:of\s)?(?P<other>MS)\b"), "morphine sulfate"),
)


def abbreviations(case: Case) -> Iterator[Remark]:
    text = case.note.text
    for pattern, instead in _LIST:
        for found in pattern.finditer(text):
            groups = found.groupdict()
            which = "said" if groups["said"] else "other"
            yield Remark(
                RemarkKind.ABBREVIATION,
                "do-not-use",
                tr("“{said}” can be misread and is on the “do not use” list.").format(said=found[which]),
                SOURCE,
                Span(*found.span(which)),
                instead + (groups.get("kept") or ""),
                Severity.LOW,
            )

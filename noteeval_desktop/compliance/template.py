"""What a template or a draft left in the note."""

from __future__ import annotations

from collections.abc import Iterator

from noteeval_desktop.documents.note_head import lines_of
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.placeholders import placeholder
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.verdicts import Severity


def unfinished(case: Case) -> Iterator[Remark]:
    """One a sentence, and one a line of what is no sentence."""
    note = case.note
    told = set()
    for line in lines_of(note.text):
        found = placeholder(line.of(note.text))
        while found:
            span = found.shifted(line.start)
            stated = note.sentence_at(span)
            place = stated.span if stated else line
            if place not in told:
                told.add(place)
                yield Remark(
                    RemarkKind.TEMPLATE,
                    "placeholder",
                    tr("Something is still to be filled in here."),
                    span=span,
                    severity=Severity.HIGH,
                )
            rest = placeholder(note.text[span.end : line.end])
            found = rest and rest.shifted(span.end - line.start)

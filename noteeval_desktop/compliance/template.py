"""What a template or a draft left in the note."""

from __future__ import annotations

import re
from collections.abc import Iterator

from noteeval_desktop.documents.note_head import lines_of, signatures
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.placeholders import placeholder
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity

# What a template asks for in brackets; "[PERSON-1]" and "[NAME]" of a text without names are none.
_ASKED = re.compile(r"(?<![\w\]])[\[<{][A-Za-z][a-z][^\]>}\n\"“”]{0,60}[\]>}](?!\()")
_FIELD = re.compile(
    r"\W*(?:the |this |your )?(?:client|patient|pt|therapist|clinician|provider|counselor|session|note"
    r"|diagnos[ie]s|date|time|name|age|credentials?|pronouns?|gender|he/she|she/he|his/her|him/her|start|end|duration|location|modality"
    r"|intervention|goal|objective|symptom|frequency|number|signature|next (?:session|appointment))"
    r"s?(?:['’]s)?(?: (?:full |first |last )?(?:of )?(?!redacted|removed|withheld|unclear)\w+)?\W*$",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"(?<![\w/])(?:he/she|she/he|him/her|her/him|his/her|her/his|s/he|mild/moderate/severe|yes/no|y/n)(?![\w/])",
    re.IGNORECASE,
)
# A language model talks to whoever asked.
_CHAT = re.compile(
    r"\b(?:as an ai\b|as a (?:large )?language model"
    r"|here(?: i|'|’)s (?:a|an|the|your)(?: \w+){0,3} (?:note|summary|draft)\b"
    r"|(?:certainly|sure|of course)[!,] (?:here\b|i(?:['’]ll| can\b))|let me know if you(?:'d|’d| would) like"
    r"|i hope this helps|would you like me to\b|based on the (?:provided )?transcript\b)",
    re.IGNORECASE,
)


def unfinished(case: Case) -> Iterator[Remark]:
    """One a sentence, and one a line of what is no sentence."""
    note = case.note
    signed, told = signatures(note.text), set()  # an empty one has a rule of its own
    for line in lines_of(note.text):
        found = placeholder(line.of(note.text))
        while found:
            span = found.shifted(line.start)
            stated = note.sentence_at(span)
            place = stated.span if stated else line
            if place not in told and line not in signed:
                told.add(place)
                says = tr("Something is still to be filled in here.")
                yield _remark("placeholder", says, span, Severity.HIGH)
            rest = placeholder(note.text[span.end : line.end])
            found = rest and rest.shifted(span.end - line.start)


def left_over(case: Case) -> Iterator[Remark]:
    """What a template or a language model wrote to whoever was to finish the note."""
    text = case.note.text
    for found in _ASKED.finditer(text):
        if _FIELD.match(found.group()[1:-1]) and placeholder(found.group()) is None:
            says = tr("Template text is still here.")
            yield _remark("template", says, Span(*found.span()), Severity.HIGH)
    for found in _EITHER.finditer(text):
        says = tr("A choice still has to be made here.")
        yield _remark("template-choice", says, Span(*found.span()), Severity.LOW)
    for found in _CHAT.finditer(text):
        says = tr("This reads like a language model’s answer, not like the note.")
        yield _remark("template-chat", says, Span(*found.span()), Severity.MEDIUM)


def _remark(rule: str, says: str, span: Span, severity: Severity) -> Remark:
    return Remark(RemarkKind.TEMPLATE, rule, says, span=span, severity=severity)

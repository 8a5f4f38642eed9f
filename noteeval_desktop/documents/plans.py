"""Text of a treatment plan → TreatmentPlan: goals, their objectives, and interventions, however they are laid out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.documents.json_text import looks_like_json
from noteeval_desktop.documents.note_head import is_head, lines_of
from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.documents.transcripts import looks_like_note, looks_like_transcript
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import PlanLine, TreatmentPlan
from noteeval_desktop.domain.text import Span, normalise
from noteeval_desktop.errors import InputError

MOST_PLAN_CHARACTERS = 40_000


class _Kind(Enum):
    GOAL = auto()
    OBJECTIVE = auto()
    INTERVENTION = auto()
    PROBLEM = auto()
    OTHER = auto()


_NUMBER = (
    r"(?:\s*(?:\#|no\.?\s?)?\s?(?:\d+(?:[.\-]\d+)*\s?[a-z]?|[A-Z](?:[.\-]?\d)?|[ivx]{1,4}|one|two|three|four|five))?"
)
_NAMES = {
    _Kind.OBJECTIVE: r"(?:measurable\s)?(?:short[- ]?term(?:\s(?:goals?|objectives?))?|stgs?|objectives?|objs?"
    r"|sub-?goals?|o(?=\d))",
    _Kind.GOAL: r"(?:(?:long[- ]?term|overall|treatment|therapy|client|shared|family|couple|our|main|group)"
    r"(?:['’]s)?\s)*(?:goals?(?:\sareas?)?|ltgs?|aims?|targets?|phases?|g(?=\d)|what\swe\s(?:work|aim)\s(?:for|at|towards?))",
    _Kind.PROBLEM: r"(?:(?:presenting|identified|target|treatment)\s)*(?:problems?|prob|needs?|issues?|concerns?|dx)"
    r"(?:\sareas?)?",
    _Kind.INTERVENTION: r"(?:(?:therapeutic|clinical|planned|treatment|therapist|clinician|counsell?or|main)"
    r"(?:['’]s)?\s)*(?:interventions?|methods?|strateg(?:y|ies)|techniques?|approach(?:es)?|modalit(?:y|ies)|tools?|(?:int|interv)s?\.?|iv|tx|modes?|how|means(?:\sof\s\w+)?"
    r"|(?:what\swe|how\swe|what\sI|what\sthe\s\w+)(?:['’]ll|\swill)?\s\w+|ways?\sof\sworking|action\ssteps|i(?=\d))",
    _Kind.OTHER: r"(?:strengths?|barriers?|review(?:ed|s)?|re-?evaluation|target\sdates?|dates?|due|by\swhen|baseline"
    r"|measures?d?|measure(?:ment)?|progress|status|frequency|duration|discharge(?:\scriteria|\splan)?|diagnos[ie]s|signatures?|signed"
    r"|crisis(?:\splan)?|safety(?:\splan)?|responsible|referrals?|medications?|notes?|supports?|schedule|format|sessions?"
    r"|history|background|reason\sfor\sreferral|consent|plan\s(?:date|period|agreed|reviewed)|agreed|prepared|next\sreview)",
}
# "1. Goal: …", "a) Objective: …".
_OR_ORDINAL = r"|[(]?(?:\d{1,2}|[a-z])[.)]\s+"
_ORDINAL_ALONE = re.compile(r"\s*[(]?(?:\d{1,2}|[A-Za-z])[.)]")
_LABELS = tuple(
    (
        kind,
        re.compile(
            rf"[#*_>\s]*(?:[-•·–—▪●◦]\s*{'' if kind is _Kind.OTHER else _OR_ORDINAL})?{name}{_NUMBER}"
            r"(?:\s*\([^()\n]{0,60}\))?[*_]*"
            rf"\s*(?:[:：][*_]*|[.)](?=\s)|\s[-–—](?=\s)|(?<=\d)(?=\s+[A-Z])|$)\s*",
            re.IGNORECASE,
        ),
    )
    for kind, name in _NAMES.items()
)
# "1.", "(2)", "3)" stand for goals, "1a.", "1.2", "b)" for objectives.
_ORDINAL = re.compile(r"\s*[(]?(?P<number>\d{1,2}|[IVX]{1,4}|[A-Z])[.):]\s+")
_SUB_ORDINAL = re.compile(
    r"\s*[(]?(?:(?:\d{1,2}|[IVX]{1,4})[.\-](?:\d{1,2}|[a-z]\b)|\d{1,2}\s?[a-z](?=[.):\s])|[A-Z]\d(?=[.):])|[a-z](?=[.):])|[ivx]{1,4}(?=[.):]))"
    r"[.):]?\s+(?=\S{2})"
)
_BULLET = re.compile(r"\s*(?:[-*•·–—▪●◦>.]|->|→)\s+")
_INLINE = re.compile(
    rf"(?<=[.;,\]])\s+(?=(?:{_NAMES[_Kind.OBJECTIVE]}|{_NAMES[_Kind.INTERVENTION]}){_NUMBER}\s*[:：])"
    r"|\t+|\s\|\s|(?<=^)\|\s|\s\|$",
    re.IGNORECASE,
)
# "Our side of it: a; b; c" behind the goals is what will be done for them.
_SOME_LIST = re.compile(r"\s*[A-Za-z][^:;.\n]{1,40}[:：]\s*(?=[^\n]*;|\(?[1Aa]\))")
_MEMBER = re.compile(r"\s*(?:\(?(?:\d{1,2}|[A-Za-z])[.)]|\d{1,2}(?=\s))\s*")
_PARTS = (
    re.compile(r";|\s/\s"),
    re.compile(r"[.,;]?\s(?=\(?(?:\d{1,2}|[A-Z])\)\s)|[.,]\s(?=\d\s)"),
    re.compile(r"(?<=[a-z)])\.\s+(?=[A-Z])"),
    re.compile(r","),
)
# Of a plan in prose: what is hoped for, and what is offered.
_HOPED = re.compile(
    r"\b(?:hopes?|wants?|wishes|wish|would\slike|aims?|longs?)\b|\b(?:is|are)\sto\s|\bgoals?\s(?:is|are|will)\b"
    r"|^(?:First|Second|Third|Fourth)\b",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"\b(?:I|we)\s(?:(?:shall|will|plan\sto)\s)?(?:offer|use|work)\b|^(?:methods?|interventions?|our\sside|treatment)\b|\bby\smeans\sof\b",
    re.IGNORECASE,
)
_LONG_ENOUGH_TO_WRAP = 55
_MOST_WORDS_IN_A_LIST = 9


@dataclass
class _Open:
    """A line of the plan as it grows."""

    kind: _Kind
    start: int
    end: int


class _Reader:
    """Goes through the lines; ``section`` is what a heading of its own has announced."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[_Open] = []
        self.labelled: set[_Kind] = set()  # by a word of the line's own
        self.section: _Kind | None = None
        self.columns: tuple[_Kind | None, ...] = ()
        self.outer = 0  # how far the first bullet of a list of goals is set in
        self.listed = False  # the goals are such a list

    def read(self) -> list[_Open]:
        for stands in lines_of(self.text):
            line, start = stands.of(self.text), stands.start
            cells = _cells(line)
            kinds = tuple(_heading(cell.of(line)) for cell in cells)
            if len(cells) > 1 and all(kinds):
                self.columns = kinds
            elif len(cells) == len(self.columns) > 1:
                for kind, cell in zip(self.columns, cells, strict=True):
                    self._labelled(kind or _Kind.OTHER, cell.shifted(start))
            else:
                for cell in cells:
                    self._line(cell.shifted(start))
        return self.found

    def _line(self, own: Span) -> None:
        body = own.of(self.text)
        for kind, label in _LABELS:
            if (named := label.match(body)) and named.end():
                self.labelled.add(kind)
                if named.end() < len(body.rstrip()):
                    self._labelled(kind, Span(own.start + named.end(), own.end))
                    if kind is _Kind.OTHER:
                        self.section = self.section if self.found else kind
                else:
                    self.section = kind
                    self.outer = -1
                return
        if self.found and (some := _SOME_LIST.match(body)):
            self._labelled(_Kind.INTERVENTION, Span(own.start + some.end(), own.end))
        elif not is_head(body):
            self._unlabelled(body, own)

    def _labelled(self, kind: _Kind, own: Span) -> None:
        """Of what stands behind a label, several where they are a list."""
        if kind is not _Kind.OTHER:
            self._add(kind, *(_listed(self.text, own) if kind is _Kind.INTERVENTION else [own]))
            self.section, self.outer = kind if kind is _Kind.INTERVENTION else None, -1

    def _unlabelled(self, body: str, own: Span) -> None:
        indent = len(body) - len(body.lstrip())
        sub, ordinal, bullet = _SUB_ORDINAL.match(body), _ORDINAL.match(body), _BULLET.match(body)
        marked = sub or ordinal or bullet
        if self.section is _Kind.OTHER and not ordinal:
            return
        if marked is None:
            if self._goes_on(body, own.start):
                self.found[-1].end = own.start + len(body.rstrip())
            elif self.section is _Kind.GOAL:
                self.outer, self.listed = -2, False
                self._add(_Kind.GOAL, own)
            elif self.section is _Kind.INTERVENTION:
                self._labelled(_Kind.INTERVENTION, own)
            elif self.section not in (None, _Kind.OTHER):
                self._of_section(own, indent)
            return
        rest = Span(own.start + marked.end(), own.end)
        if self.section in (_Kind.INTERVENTION, _Kind.OBJECTIVE):
            self._of_section(rest, indent)
        elif sub is not None:
            self._add(_Kind.OBJECTIVE, rest)
        elif ordinal is not None and indent <= max(self.outer, 0) + 1:
            self.outer = max(self.outer, indent)
            self._add(_Kind.GOAL, rest)
        else:
            self._of_section(rest, indent)

    def _of_section(self, own: Span, indent: int) -> None:
        kind = self.section
        if kind in (None, _Kind.GOAL, _Kind.PROBLEM, _Kind.OTHER):
            # In a list of goals what is set in further than the first one is an objective, as under a named goal.
            first = not any(one.kind is _Kind.GOAL for one in self.found)
            self.listed = self.listed or first
            if first or ((self.listed or kind is _Kind.GOAL) and (self.outer == -1 or indent <= self.outer)):
                self.outer, kind = indent, _Kind.GOAL
            else:
                kind = _Kind.OBJECTIVE
        assert kind is not None
        self._add(kind, *(_parted(self.text, own, _PARTS[0]) if kind is _Kind.INTERVENTION else [own]))

    def _goes_on(self, body: str, start: int) -> bool:
        """A wrapped line: the one before is long, or this one begins small."""
        if not self.found or self.text.count("\n", self.found[-1].end, start) > 1:
            return False
        before = self.text[self.found[-1].start : self.found[-1].end]
        long = len(before.split("\n")[-1]) >= _LONG_ENOUGH_TO_WRAP and before.rstrip()[-1:] not in ".:;!?"
        return long or body.lstrip()[:1].islower()

    def _add(self, kind: _Kind, *spans: Span) -> None:
        for span in spans:
            said = span.of(self.text)
            start = span.start + len(said) - len(said.lstrip(" *_\t"))
            end = span.end - len(said) + len(said.rstrip(" *_\t|"))
            if any(letter.isalnum() for letter in self.text[start:end]):
                self.found.append(_Open(kind, start, end))


def _heading(cell: str) -> _Kind | None:
    """The kind that a cell names, which holds nothing else."""
    for kind, label in _LABELS:
        if (named := label.match(cell)) and named.end() >= len(cell.rstrip()):
            return kind
    return None


def _cells(line: str) -> list[Span]:
    """A line's parts: a table's cells, or labels behind one another."""
    ends = [(found.start(), found.end()) for found in _INLINE.finditer(line)]
    # "a. Objective: …" is one part.
    ends = ends[1:] if ends and _ORDINAL_ALONE.fullmatch(line, 0, ends[0][0]) else ends
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(line)]
    return [Span(a, b) for a, b in zip(starts, stops, strict=True) if line[a:b].strip()] or [Span(0, len(line))]


def _listed(text: str, own: Span) -> list[Span]:
    """The members of "exposure; sleep diary", "(1) exposure, (2) sleep diary" or "exposure, sleep diary, tapping"."""
    for number, mark in enumerate(_PARTS):
        members = _parted(text, own, mark)
        short = all(len(one.of(text).split()) <= _MOST_WORDS_IN_A_LIST for one in members)
        if len(members) > 1 and (number < 3 or (len(members) > 2 and short)):
            return members
    return [own]


def _parted(text: str, own: Span, mark: re.Pattern[str]) -> list[Span]:
    """What stands in brackets is not parted; the members' numbers are left out."""
    cuts = [
        found
        for found in mark.finditer(text, own.start, own.end)
        if text.count("(", own.start, found.start()) <= text.count(")", own.start, found.start())
    ]
    starts, ends = [own.start, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), own.end]
    spans = []
    for begin, stop in zip(starts, ends, strict=True):
        numbered = _MEMBER.match(text, begin, stop) if cuts else None
        spans.append(Span(numbered.end() if numbered else begin, stop))
    return [one for one in spans if one.of(text).strip(" .")]


def _in_prose(text: str) -> list[_Open]:
    """A sentence that says what is hoped for is a goal, what follows in its paragraph are its objectives."""
    found: list[_Open] = []
    for paragraph in lines_of(text):
        goal = False
        for sentence in split_line(paragraph.of(text)):
            own = sentence.shifted(paragraph.start)
            said, hoped = own.of(text), _HOPED.search(own.of(text))
            if _OFFERED.search(said):
                found += (_Open(_Kind.INTERVENTION, one.start, one.end) for one in _listed(text, own))
            elif goal or hoped:
                found.append(_Open(_Kind.GOAL if hoped else _Kind.OBJECTIVE, own.start, own.end))
                goal = True
    return found


def parse_plan(text: str, name: str = "") -> TreatmentPlan:
    """Read a plan as typed or pasted. Offsets point into ``TreatmentPlan.text``, which is ``normalise(text)``. Problems
    are the goals where none is named, and so are objectives. ``name`` is what an error is about.

    Raises InputError where there is no goal in it, or far too much, and for a session or a note.
    """
    text = normalise(text.encode("utf-8", "replace").decode("utf-8"))
    what = name or tr("The treatment plan")
    if len(text) > MOST_PLAN_CHARACTERS:
        keep = tr("Keep its goals, objectives and interventions, and try again.")
        raise InputError(what, tr("it is too long for a treatment plan"), keep)
    reader = _Reader(text)
    found = reader.read()
    spoken = _Kind.OBJECTIVE not in reader.labelled and looks_like_transcript(text)
    named = not reader.labelled.isdisjoint({_Kind.GOAL, _Kind.PROBLEM})
    if not named and (spoken or looks_like_json(text) or _is_note(text)):
        said = tr("this looks like a session or a note, not a treatment plan")
        raise InputError(what, said, tr("Choose the plan, or type its goals in."))
    if not {one.kind for one in found} - {_Kind.INTERVENTION}:
        found = _in_prose(text)
    kinds = {one.kind for one in found}
    top = next((kind for kind in (_Kind.GOAL, _Kind.PROBLEM, _Kind.OBJECTIVE) if kind in kinds), None)
    if top is None:
        begin = tr("Begin each goal on a line of its own with “Goal 1:”, or type them in.")
        raise InputError(what, tr("no goals were found in it"), begin)
    return TreatmentPlan(text, tuple(_numbered(text, found, top)))


def _is_note(text: str) -> bool:
    """A plan may have interventions and objectives under a heading; what was said and how it was judged is a note's."""
    sections = {section for heading in find_headings(text)[1] for section in heading.sections}
    return looks_like_note(text) and not sections.isdisjoint({Section.SUBJECTIVE, Section.ASSESSMENT})


def _numbered(text: str, found: list[_Open], top: _Kind) -> Iterator[PlanLine]:
    goals = objectives = interventions = 0
    last: list[PlanLine] = []
    for one in found:
        span = Span(one.start, one.end)
        said = " ".join(span.of(text).split())
        if one.kind is top:
            goals, objectives = goals + 1, 0
            yield PlanLine(f"g{goals}", said, span)
        elif one.kind is _Kind.OBJECTIVE and goals:
            objectives += 1
            yield PlanLine(f"g{goals}.o{objectives}", said, span)
        elif one.kind is _Kind.INTERVENTION:
            interventions += 1
            last.append(PlanLine(f"i{interventions}", said, span))
    yield from last

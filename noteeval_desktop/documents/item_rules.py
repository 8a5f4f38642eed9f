"""Checklist items that need no judge: a field, a time, a code, a score or a signature stands in the note, or does not.

Each rule looks at the whole text, head and signature included, which no judge is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.documents.note_head import ANY_DAY, is_head, is_signature, lines_of
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric, RubricItem
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import ItemVerdict

_CLOCK = r"(?i:\b(?:[01]?\d|2[0-3])(?::[0-5]\d\b|(?:[:.][0-5]\d)?\s?[ap]\.?m\b))"
_MINUTES = r"\b\d{1,3}\s?-?(?:min(?:ute)?s?|hours?|hrs?)\b"
_CREDENTIAL = (
    r"\b(?:LCSW(?:-\w)?|LICSW|LMSW|LSW|MSW|A?MFT|LMFT|LPCC?|LCPC|LMHC|LPC-?\w?|APCC|Psy\.?D|Ph\.?D|PMHNP|M\.?D|R\.?N"
    r"|NCC|CADC|LCADC|BCBA)\b|(?i:\blic(?:ense|\.)?\s?(?:no\.?|number|#)\s?\w+)"
)
_PLACE = (
    r"(?i:\b(?:location|place\sof\sservice|pos|setting)[*_]*\s*[:#]\s*\S.*|\b(?:in[\s-]person|telehealth|tele-?therapy"
    r"|telemedicine|by\s(?:video|phone|telephone)|video\s(?:session|visit|call)|home\svisit|at\s(?:the\s)?(?:office|clinic)"
    r"|(?:office|clinic|school|hospital|residence)[\s-]based)\b)"
)
_SCALE = (
    r"(?i:\b(?:PHQ|GAD|PCL|BDI|BAI|AUDIT|DAST|HAM-?[AD]|MADRS|Y-?BOCS|ORS|SRS|OQ|CORE|EPDS|GAF|WHODAS|CGI|C-?SSRS|ISI"
    r"|DASS|ACE|PSS|WSAS|SUDS?)(?:[\s-]?\d{1,2}\b)?(?:[\s:=(]|of|score|total|was|is|at|a){1,24}\d{1,3}\b"
    r"|(?<![\d/])(?:(?:\d|10)\s?(?:/|out\sof)\s?10|\d{1,2}\s?(?:/|out\sof)\s?(?:100|27|21))\b(?!/\d))"
)


# Or no sentence at all: "3 November 2026", "Jane Roe LMFT".
_ON_SESSION = re.compile(
    r"\b(?:(?:session|appointment|visit|psychotherapy|telehealth|tele-?therapy|telemedicine|in[\s-]person)\b|lic(?:ense|\.)"
    r"|(?:started|began|ended)\sat\b|(?:seen|met)\s(?:from|for|on|at|by)\b)|^\S+(?:\s\S+){0,3}(?<![.!?])$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """``looks_for``: in a sentence. ``named``: what an item is called that it decides; ``found``: what the note has
    then, so many ``times``; ``of_session``: in a field, a signature or a sentence on the session itself, since "She
    wakes at 3:00 am" tells no start."""

    looks_for: str
    named: str
    found: str
    times: int = 1
    of_session: bool = False


# The first whose words an item's name has is offered for it.
RULES = {
    "times": Rule(
        tr("a start and a stop time"),
        r"(?:start|begin).*(?:stop|end)|time in.*(?:time )?out",
        _CLOCK,
        2,
        of_session=True,
    ),
    "start": Rule(
        tr("a clock time"), r"\b(?:start|stop|end|begin\w*) time\b|\btime (?:in|out)\b", _CLOCK, of_session=True
    ),
    "duration": Rule(
        tr("the length of the session"),
        r"\bduration\b|\blength of\b|\bminutes\b",
        rf"(?i:{_MINUTES}|{_CLOCK}\D+{_CLOCK})",
        of_session=True,
    ),
    "credential": Rule(tr("a credential or license"), r"\bcredentials?\b|\blicen[sc]e\b", _CREDENTIAL, of_session=True),
    "signature": Rule(tr("a signature line"), r"\bsignature\b|\bsigned\b", ""),
    "icd": Rule(
        tr("an ICD-10 code"), r"\bicd\b|\bdiagnos[ie]s code\b|\bdiagnostic code\b", r"\b[FZ]\d\d(?:\.\d{1,4})?\b"
    ),
    "cpt": Rule(
        tr("a procedure code"),
        r"\b(?:cpt|procedure|billing|service) code\b",
        r"\b(?:9(?:0[78]|6\d|8\d|9\d)\d\d|[GH]\d{4})\b",
    ),
    "score": Rule(
        tr("a score of a rating scale"), r"\b(?:scale|rating|outcome) (?:score|measure)\b|\bscores?\b", _SCALE
    ),
    "place": Rule(
        tr("where the session took place"),
        r"\bplace of service\b|\blocation\b|\btelehealth or in[ -]person\b",
        _PLACE,
        of_session=True,
    ),
    "date": Rule(
        tr("a date"),
        r"\bdate of (?:service|session)\b|^(?:session |service )?date$",
        rf"(?i:{ANY_DAY.pattern})",
        of_session=True,
    ),
    # No name is its own: an item is looked for under its name, as in "Referral source: Dr Reyes".
    "field": Rule(tr("a line that begins with its name and a colon"), r"(?!)", ""),
}


def rule_for(name: str) -> str:
    """The rule that decides an item of this name; empty for none."""
    return next((rule for rule, known in RULES.items() if re.search(known.named, name, re.IGNORECASE)), "")


def decided_by_rule(case: Case, rubric: Rubric) -> Iterator[ItemVerdict]:
    """One a checklist item that a rule decides and that applies to the note."""
    for item in rubric.items:
        if item.rule and item.applies_to(case):
            yield _verdict(item, case.note)


def _verdict(item: RubricItem, note: Note) -> ItemVerdict:
    rule = RULES[item.rule]
    found = [place for place in _found(item, note.text) if not rule.of_session or _of_session(place, note)]
    present = len(found) >= rule.times
    carrying = [one.id for one in note.sentences if any(one.span.meets(place) for place in found)]
    said = tr("A rule found {it} in the note.") if present else tr("A rule looked for {it} and did not find it.")
    return ItemVerdict(
        item.id,
        item.section,
        item.importance,
        present,
        sentences=tuple(carrying) if present else (),
        rationale=said.format(it=rule.looks_for),
    )


def _found(item: RubricItem, text: str) -> list[Span]:
    if item.rule == "signature":
        return [line for line in lines_of(text) if is_signature(line.of(text).strip())]
    pattern = RULES[item.rule].found
    if item.rule == "field":
        words = r"\s+".join(map(re.escape, item.name.rstrip(" :").split()))
        pattern = rf"(?im:^[ \t#*_•-]*{words}[*_]*[ \t]*[:：#][*_]*[ \t]*\S.*$)"
    return [Span(*one.span()) for one in re.finditer(pattern, text)]


def _of_session(place: Span, note: Note) -> bool:
    stated = note.sentence_at(place)
    said = stated.text.strip() if stated is not None else ""
    return not said or is_head(said) or is_signature(said) or bool(_ON_SESSION.search(said))

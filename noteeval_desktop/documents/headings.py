"""Section headings of progress notes, in any of the formats of ``domain.note_formats``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from noteeval_desktop.domain.note import FORMATS, NoteFormat, Section
from noteeval_desktop.domain.text import Span

_S, _O, _A, _P = Section.SUBJECTIVE, Section.OBJECTIVE, Section.ASSESSMENT, Section.PLAN


@dataclass(frozen=True, slots=True)
class Heading:
    """``span`` covers the heading with its markup and its colon or dash; ``sections`` is what stands under it."""

    span: Span
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    span: Span
    kind: str
    letter: bool
    bullet: bool


# Of SOAP's sections in other words; the last four do not settle the format, as the sections' own names do.
_OF_SOAP = {
    "subjective+objective": (_S, _O),
    "assessment+plan": (_A, _P),
    "reported": (_S,),
    "observed": (_O,),
    "impression": (_A,),
    "next": (_P,),
}
_OTHER_NAMES = frozenset(_OF_SOAP) - {"subjective+objective", "assessment+plan"}
_ALSO_CALLED = {
    "subjective": ("subj",),
    "objective": ("obj",),
    "assessment": ("asmt", "assmt"),
    "subjective+objective": ("subjective/objective", "s/o"),
    "assessment+plan": ("assessment/plan", "a/p"),
    "behavior": ("behaviour", "behaviors", "behaviours"),
    "intervention": ("interventions",),
    "response": ("responses",),
    "goals": ("goal",),
    "problem": ("problems",),
    "reported": (
        *("client report", "patient report", "self-report", "client statements", "client's statements", "hpi"),
        *("presenting problem", "presenting problems", "presenting concern", "presenting concerns"),
    ),
    "observed": ("observations", "clinician observations", "mental status", "mse"),
    "impression": ("impressions", "formulation"),
    "next": ("next steps", "recommendation", "recommendations"),
}
_WORDS = {word: kind for kind, words in _ALSO_CALLED.items() for word in words}
# What the formats call their places, and the letters that stand for these.
_PLACES = {name.lower() for form in FORMATS for name, _ in form.places}
_OWN = "|".join(map(re.escape, sorted({*_PLACES, *(word for name in _PLACES for word in _ALSO_CALLED.get(name, ()))})))
_LETTERS = "".join(sorted({name[0] for name in _PLACES}))
_JOIN = r"[ ]{0,2}(?:&|/|\+|and)[ ]{0,2}"
_NOUN = r"(?:[ ](?:data|findings|report|information|section|notes?|observations?|summary|of care|exam|examination))?"
_ALSO = rf"(?:{_JOIN}(?:formulation|diagnos[ei]s|impressions?|interventions?|recommendations?|next[ ]steps))?"
_NAME = (
    rf"(?P<word>subjective(?:{_JOIN}objective)?|assessments?{_JOIN}plan|a[ ]?[/&][ ]?p|s[ ]?[/&][ ]?o"
    r"|(?:client|patient)[ ]report|self-report|(?:clinical[ ])?observations|(?:clinical[ ])?impressions?"
    r"|client(?:['\u2019]s)?[ ]statements|presenting[ ](?:problem|concern)s?|hpi|clinician[ ]observations"
    r"|mental[ ]status|mse"
    r"|recommendations?|(?:clinical[ ]|case[ ])?formulation|diagnostic[ ]impressions?"
    rf"|next[ ]steps|{_OWN}|[{_LETTERS}]"
    rf"|(?:clinical[ ])?assessments?|(?:treatment[ ]|tx[ ])?plan){_NOUN}{_ALSO}"
)
_BOLD = r"\*{1,3}|_{1,3}|\["
_HEADING = re.compile(
    rf"[ \t]{{0,12}}(?P<start>(?P<bullet>[-*•][ ]{{1,3}})?(?P<hash>\#{{1,6}}[ ]?)?(?P<bold>{_BOLD})?"
    rf"(?:(?:\d{{1,2}}|[IVX]{{1,4}})[.)][ ]{{1,3}})?(?P<bold2>{_BOLD})?"
    rf"(?P<name>{_NAME})(?![^\W_])(?:[ ]?\([^()\n]{{1,40}}\))?(?P<close>[ ]?(?:\*{{1,3}}|_{{1,3}}|\]))?"
    r"(?:(?P<colon>[ ]{0,2}[:：](?(bold)[ ]?[*_\]]{0,3})(?(bold2)[ ]?[*_\]]{0,3}))"
    r"|(?P<dash>[ ]{0,2}[-–—]{1,2}(?=[ \t]|$))|(?P<line>[ \t]{0,20}\#{0,6}[ \t]{0,20}$))?)",
    # ASCII: otherwise the Turkish dotted İ would pass for an I.
    re.IGNORECASE | re.ASCII,
)
_KIND_OF = re.compile(r"^(?:clinical|treatment|tx|case|diagnostic) ")
_UNDERLINE = re.compile(r"[ ]{0,3}(?:={3,}|-{3,})[ ]{0,9}$")
_LONGEST = 120
# Where a heading may stand in a note that came out as one paragraph.
_SENTENCE_START = re.compile(r"^|(?<=[.!?;])[ \t]+", re.MULTILINE)
_MOST_OF_A_PARAGRAPH = 20_000


def find_headings(text: str) -> tuple[str, tuple[Heading, ...]]:
    """The note's format ("SOAP", "DAP", "BIRP", ...) and its headings in order.

    A heading is a whole word at the start of a line, closed by a colon, a dash, markup or the line's
    end; in a note of one paragraph also at the start of a sentence, closed by a colon. Words that are
    headings in one format only ("Goals:", "Response:") count where the note has that format, since SOAP
    notes use them as labels inside a section.
    """
    candidates: list[_Candidate] = []
    position = 0
    for line in text.split("\n"):
        candidate = _candidate(line, position)
        if candidate:
            candidates.append(candidate)
        elif candidates and candidates[-1].span.end == position - 1 and _UNDERLINE.match(line[:_LONGEST]):
            span = Span(candidates[-1].span.start, position + len(line.rstrip()))
            candidates[-1] = replace(candidates[-1], span=span)
        position += len(line) + 1
    if not all(candidate.bullet for candidate in candidates):
        # A bullet "- Objective: sleep" under a heading is a goal; where all headings are bullets, it is one.
        candidates = [candidate for candidate in candidates if not candidate.bullet]
    best = _best(candidates)
    if len({candidate.kind for candidate in candidates}) < 2:
        within = _within_paragraphs(text)
        if _in_order(_best(within), within):
            best, candidates = _best(within), within
    return best.name, _resolved(best, candidates)


def _best(candidates: list[_Candidate]) -> NoteFormat:
    return max(FORMATS, key=lambda form: _fit(form, candidates))


def _within_paragraphs(text: str) -> list[_Candidate]:
    if len(text) > _MOST_OF_A_PARAGRAPH:
        return []
    starts = [match.end() for match in _SENTENCE_START.finditer(text)]
    found = [_candidate(text[start : start + _LONGEST].split("\n", 1)[0], start) for start in starts]
    return [one for one in found if one is not None and text[one.span.end - 1] in ":：*_]"]


def _kinds(form: NoteFormat) -> dict[str, tuple[Section, ...]]:
    kinds = {name.lower(): sections for name, sections in form.places}
    if "subjective" in kinds:
        return _OF_SOAP | kinds
    return kinds | ({"assessment+plan": (_A, _P)} if "plan" in kinds else {})


def _in_order(form: NoteFormat, candidates: list[_Candidate]) -> bool:
    """Three sections or more, each once, as the format has them: "Plan:" in the midst of a text is no section yet."""
    places = [name.lower() for name, _ in form.places]
    kinds = ["assessment" if kind == "assessment+plan" else kind for kind in (_kind(form, one) for one in candidates)]
    # Labels within a section ("Goals:" in SOAP) stand anywhere.
    order = [places.index(kind) for kind in kinds if kind in places]
    return len(order) > 2 and order == sorted(set(order))


def _fit(form: NoteFormat, candidates: list[_Candidate]) -> tuple[bool, int, bool]:
    """Whether "Subjective" settles it; how many kinds of heading fit; whether the note starts as the format does."""
    kinds = [_kind(form, candidate) for candidate in _counting(form, candidates)]
    places = [name.lower() for name, _ in form.places]
    if form.whole and [kind for kind in kinds if kind in places] != places:
        return False, 0, False
    fitting = len(set(kinds) - {""})
    settled = any(candidate.kind in ("subjective", "subjective+objective") for candidate in candidates)
    return settled and "subjective" in places, fitting, fitting > 2 and kinds[0] == places[0]


def _counting(form: NoteFormat, candidates: list[_Candidate]) -> list[_Candidate]:
    """Without the single letters where the note spells headings out: "P: 72" among vital signs is no plan."""
    words = [candidate for candidate in candidates if not candidate.letter]
    kinds = {_kind(form, word) for word in words} - {""}
    return words if len(kinds - _OTHER_NAMES) > 1 or len(kinds) > 2 else candidates


def _candidate(line: str, position: int) -> _Candidate | None:
    match = _HEADING.match(line[:_LONGEST])
    if match is None or (match["line"] is not None and len(line) > _LONGEST):
        return None
    enclosed = bool((match["bold"] or match["bold2"]) and match["close"])
    if match["colon"] is None:
        capital = match["name"][0].isupper() or bool(match["hash"]) or enclosed
        if match["line"] is None and not enclosed and not (match["dash"] and capital):
            return None
        if match["line"] is not None and len(match["name"]) == 1 and not capital:
            return None
    name = _KIND_OF.sub("", re.sub(rf"{_JOIN}", "/", match["word"].lower()))
    letter = len(name) == 1
    begin = position + match.start("start")
    span = Span(begin, begin + len(match["start"].rstrip()))
    spelled = name.replace("assessments", "assessment").replace("\u2019", "'")
    kind = name.upper() if letter else _WORDS.get(spelled, spelled)
    return _Candidate(span, kind, letter, match["bullet"] is not None)


def _kind(form: NoteFormat, candidate: _Candidate, *, first: bool = True) -> str:
    """What ``candidate`` is in ``form``; "" for nothing. A letter that two places share is the first one's where it
    stands ``first`` of all headings."""
    if candidate.letter:
        named = [name.lower() for name, _ in form.places if name[0] == candidate.kind]
        return named[0 if first else -1] if named else ""
    return candidate.kind if candidate.kind in _kinds(form) else ""


def _resolved(form: NoteFormat, candidates: list[_Candidate]) -> tuple[Heading, ...]:
    headings: list[Heading] = []
    for candidate in _counting(form, candidates):
        if kind := _kind(form, candidate, first=not headings):
            headings.append(Heading(candidate.span, _kinds(form)[kind]))
    return tuple(headings)

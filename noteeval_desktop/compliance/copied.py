"""Text that a note shares with the client's earlier notes: copied whole, nearly so, or but for one fact.

What is the same by nature is left out: headings and fields (no sentences), short stock phrases, consent and
appointments, denials of risk, and what the practice has called its template.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate, pairwise, takewhile

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from noteeval_desktop.domain.case import Background, Case, EarlierNote
from noteeval_desktop.domain.note import Note, Section, Sentence
from noteeval_desktop.domain.numbers import NAMES, ONES, TENS
from noteeval_desktop.domain.phrases import long_day, shortened, tr
from noteeval_desktop.domain.remarks import CopiedShare, Remark, RemarkKind
from noteeval_desktop.domain.silencing import template
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import Severity

# Words below which a sentence is a stock phrase ("Denies SI/HI."), and above which it says more than what is the same
# by nature.
LEAST_WORDS, _MOST_BY_NATURE = 6, 25
# Of 100, by rapidfuzz.fuzz.ratio over plain text; chosen with tests/benchmarks/bench_copied.py.
NEAR, LOOKED_AT = 84.0, 72.0
_LENGTHS = 0.72
_FACT_WORDS = 3
_QUOTED = 200

_BY_NATURE = re.compile(
    r"\b(?:informed consent|consent(?:s|ed)? (?:to|for)|telehealth|telemedicine|video (?:platform|session|visit)|hipaa|"
    r"confidential\w*|mandated report\w*|"
    r"release of information|emergency contact|crisis (?:line|plan|resources)|988|911|"
    r"(?:next|follow[- ]?up) (?:session|appointment|visit)|(?:return|rtc) (?:to|in)\b|scheduled? (?:for|to meet)|"
    r"signed electronically|electronically signed|session (?:was|lasted|began|ended)|minutes? face[- ]to[- ]face)\b"
    r"|\b(?:den(?:y|ies|ied)|no (?:current|active|evidence of|reported)?)\b[^.;]{0,40}"
    r"\b(?:s\.?i\b|h\.?i\b|suicid|homicid|self[- ]?harm|harm to (?:self|others))",
    re.IGNORECASE,
)
# Deleted from bytes: str.translate took fifty times as long.
_SIGNS = bytes(code for code in range(1, 128) if not chr(code).isalnum())
# In UTF-8: dashes, quotation marks, the bullet and the ellipsis.
_OTHER_SIGNS = re.compile(b"\xe2\x80[\x90-\x95\x98-\x9f\xa2\xa6]")
_TOKEN = re.compile(r"\w+(?:[./:'’-]\w+)*%?")
_NUMBERS = rf"(?:(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(ONES)}))?|{'|'.join(NAMES)})"
_DATES = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?"
    r"|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_STAGES = r"(?:pre-?)?contemplation|preparation|action|maintenance"
_FACT = re.compile(rf".*\d.*|{_NUMBERS}|once|twice|half|{_DATES}|{_STAGES}", re.IGNORECASE)
_SCALE = r"(?:phq|gad|bdi|bai|pcl|c-?ssrs|audit|dast|ham-?[da]|madrs|y-?bocs|oq|epds|isi|asrs|whodas)"
_SCALES = re.compile(rf"\b{_SCALE}(?:[- ]?(?:\d{{1,2}}|two|five|seven|nine|ii|iv))?\b", re.IGNORECASE)
_DOSE = re.compile(
    r"\b(?!(?:in|de)creas|rais|lower|reduc|titrat|current|taking|dosage|tablet|prescri|continu|start|another)([a-z]{6,})"
    r"(?: (?:at|to|of))? \d{1,4}(?:\.\d+)? ?(?:mg|mcg)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^.?!;\n]+(?:\.\d[^.?!;\n]*)*")
# One answer of a scale is not its score.
_ONE_ANSWER = re.compile(r"\b(?:questions?|items?)\b", re.IGNORECASE)
# "9 out of 27", "over the last two weeks", "12 last time", "down from 12" and "up by 3" are no score of today.
_NUMBER = re.compile(
    rf"(?<![\w./-])(?<!out of )(?<!from )(?<!was )(?<!by )(?<!up )(?<!down )(\d{{1,4}}(?:\.\d+)?|{_NUMBERS})(?![\w-])"
    r"(?!,? (?:last|before|previous|weeks?|days?|months?|years?|times?|hours?|minutes?)\b)",
    re.IGNORECASE,
)


class Likeness(StrEnum):
    EQUAL = "equal"
    NEAR = "near"
    ONE_FACT = "one fact"


@dataclass(frozen=True, slots=True)
class Copy:
    """A sentence and what of the earlier notes is like it: ``before``, in the note at ``place`` of ``earlier`` (0 the
    latest); ``in_a_row``: how many notes, from there on back, hold it word for word. ``changed``: the fact that
    differs, as it is now and as it was."""

    sentence: Sentence
    likeness: Likeness
    place: int
    before: str
    in_a_row: int = 1
    changed: tuple[str, str] | None = None


def plain(texts: Sequence[str]) -> list[bytes]:
    """As they are compared: small letters and figures, without signs and spaces, in UTF-8."""
    whole = "\0".join(texts).encode().lower().translate(None, _SIGNS)
    return _OTHER_SIGNS.sub(b"", whole).split(b"\0")[: len(texts)]


class EarlierSentences:
    """The sentences of earlier notes, latest first: found by their plain text, or by its length and then by likeness.
    Of 10,000 notes in a second (tests/benchmarks/bench_copied.py)."""

    def __init__(self, earlier: Sequence[EarlierNote]) -> None:
        self._texts = [sentence.text for one in earlier for sentence in one.note.sentences]
        self._keys = plain(self._texts)
        self._ends = list(accumulate(len(one.note.sentences) for one in earlier))
        self._first = dict(zip(reversed(self._keys), reversed(range(len(self._keys))), strict=True))
        self._by_length = sorted(self._first, key=len)
        self._lengths = list(map(len, self._by_length))

    def like(self, sentence: Sentence, key: bytes) -> Copy | None:
        """``key``: the sentence as ``plain`` gives it. None where no earlier one is like it."""
        if key in self._first:
            copy = self._copy(sentence, Likeness.EQUAL, key)
            ends = self._ends[copy.place :]
            held = takewhile(lambda bounds: key in self._keys[slice(*bounds)], pairwise(ends))
            return replace(copy, in_a_row=1 + sum(1 for _ in held))
        shortest = bisect_left(self._lengths, len(key) * _LENGTHS)
        choices = self._by_length[shortest : bisect_right(self._lengths, len(key) / _LENGTHS)]
        near: Copy | None = None
        for found, ratio, _ in process.extract(key, choices, scorer=fuzz.ratio, limit=5, score_cutoff=LOOKED_AT):
            changed = _one_fact(sentence.text, self._texts[self._first[found]])
            if changed:
                return replace(self._copy(sentence, Likeness.ONE_FACT, found), changed=changed)
            if near is None and ratio >= NEAR:
                near = self._copy(sentence, Likeness.NEAR, found)
        return near

    def _copy(self, sentence: Sentence, likeness: Likeness, key: bytes) -> Copy:
        index = self._first[key]
        return Copy(sentence, likeness, bisect_right(self._ends, index), self._texts[index])


def _one_fact(now: str, before: str) -> tuple[str, str] | None:
    """The number, date or name that alone differs."""
    new, old = _TOKEN.findall(now), _TOKEN.findall(before)
    folded = [[token.casefold() for token in tokens] for tokens in (old, new)]
    changes = [one for one in Levenshtein.opcodes(*folded) if one.tag != "equal"]
    if not changes:
        return None
    begin, end = changes[0], changes[-1]
    was, is_ = old[begin.src_start : end.src_end], new[begin.dest_start : end.dest_end]
    if not 1 <= len(was) <= _FACT_WORDS or not 1 <= len(is_) <= _FACT_WORDS:
        return None
    named = begin.dest_start > 0 and all(token[:1].isupper() for token in (*was, *is_))
    facts = any(map(_FACT.fullmatch, was)) and any(map(_FACT.fullmatch, is_))
    return (" ".join(is_), " ".join(was)) if facts or named else None


def copies(note: Note, known: EarlierSentences, templates: tuple[str, ...] = ()) -> tuple[Copy, ...]:
    """What of ``note`` stands in earlier notes. ``templates``: sentences that are the practice's own, as
    ``silencing.template`` calls them."""
    keys = plain([sentence.text for sentence in note.sentences])
    found = (
        known.like(sentence, key)
        for sentence, key in zip(note.sentences, keys, strict=True)
        if counts(sentence.text) and template(sentence.text) not in templates
    )
    return tuple(copy for copy in found if copy is not None)


def copied_from(sentence: Sentence, earlier: Sequence[EarlierNote]) -> tuple[EarlierNote, Span] | None:
    """The latest note that holds it, or what is like it, and where; None where none does."""
    copy = EarlierSentences(earlier).like(sentence, plain([sentence.text])[0])
    if copy is None:
        return None
    note = earlier[copy.place]
    return note, next(one.span for one in note.note.sentences if one.text == copy.before)


def counts(text: str) -> bool:
    """Whether a sentence says something of its own, so that it is not the same by nature."""
    words = len(_TOKEN.findall(text))
    return words >= LEAST_WORDS and (words > _MOST_BY_NATURE or not _BY_NATURE.search(text))


def share(note: Note, found: Sequence[Copy], notes: int) -> CopiedShare:
    """The share of the note's sentences, and of each section's, that is copied; ``notes``: compared with how many."""
    copied = {copy.sentence.id for copy in found}

    def of(sentences: Sequence[Sentence]) -> float:
        return sum(one.id in copied for one in sentences) / len(sentences) if sentences else 0.0

    sections = tuple((section, of(own)) for section in Section if (own := note.sentences_in(section)))
    return CopiedShare(of(note.sentences), sections, notes)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A fact of a sentence that an earlier note holds as well, of which the session says otherwise."""

    copy: Copy
    fact: str
    said: str
    turn: int


def unchanged(note: Note, known: EarlierSentences, transcript: Transcript) -> Iterator[Unchanged]:
    """Scores of scales and doses that stand as in the latest notes, while the session names one other figure for them.
    Also in sentences that are too short to count as copied."""
    for sentence, key in zip(note.sentences, plain([one.text for one in note.sentences]), strict=True):
        names = [found[0] for found in _SCALES.finditer(sentence.text)]
        names += [found[1] for found in _DOSE.finditer(sentence.text)]
        copy = known.like(sentence, key) if names else None
        if copy is None or copy.likeness is not Likeness.EQUAL:
            continue
        for name in dict.fromkeys(names):
            # A note tells in the past tense what is so; in a session "was" is of an earlier day.
            written = _figures(sentence.text.replace(" was ", " is "), name)
            said = {figure: turn.index for turn in transcript.turns for figure in _figures(turn.text, name)}
            if len(written) == 1 and len(said) == 1 and written != said.keys():
                (figure,), ((now, turn),) = written, said.items()
                yield Unchanged(copy, f"{name} {figure:g}", f"{now:g}", turn)


def _figures(text: str, name: str) -> set[float]:
    """What each clause that names it says of it, where that is one number: "PHQ-9 is nine", "9 on the PHQ-9"."""
    found, called = set(), re.compile(rf"\b{_loosely(name)}\b", re.IGNORECASE)
    for clause in _CLAUSE.findall(text):
        if _ONE_ANSWER.search(clause):
            continue
        for named in called.finditer(clause):
            after = _SCALES.split(clause[named.end() :])[0]
            numbers = list(_NUMBER.finditer(after)) or list(_NUMBER.finditer(clause, 0, named.start()))[-1:]
            if len(values := {_value(number[1]) for number in numbers}) == 1:
                found |= values
    return found


def _loosely(name: str) -> str:
    """As it may be said: "PHQ-9", "PHQ 9", "PHQ nine"."""
    scale = re.match(_SCALE, name, re.IGNORECASE)
    return rf"{re.escape(scale[0])}(?:[- ]?(?:\d{{1,2}}|two|five|seven|nine))?" if scale else re.escape(name)


def _value(said: str) -> float:
    said = said.casefold()
    return float(said) if said[0].isdigit() else sum((NAMES | TENS)[word] for word in said.replace("-", " ").split())


def copied_text(case: Case) -> tuple[tuple[Remark, ...], CopiedShare | None]:
    """What is remarked of ``case`` beside its client's earlier notes, and how much is copied; None without any."""
    background = case.background
    if background is None or not background.earlier:
        return (), None
    known = EarlierSentences(background.earlier)
    found = copies(case.note, known, background.templates)
    told = unchanged(case.note, known, case.transcript)
    remarks = [_session_differs(one, background, case.transcript) for one in told]
    remarks += [_remark(copy, background) for copy in found]
    return tuple(remarks), share(case.note, found, len(background.earlier))


def _session_differs(one: Unchanged, background: Background, transcript: Transcript) -> Remark:
    says = tr("{fact}, {as_before}; the session says {said}.")
    turn = transcript.turns[one.turn]
    return Remark(
        RemarkKind.COPIED,
        "copied-unchanged",
        says.format(fact=one.fact, as_before=_as_before(one.copy, background), said=one.said),
        quote=tr("Session: “{words}”").format(words=shortened(turn.text, _QUOTED)),
        span=one.copy.sentence.span,
        severity=Severity.HIGH,
    )


def _remark(copy: Copy, background: Background) -> Remark:
    now, before = copy.changed or ("", "")
    says = {
        Likeness.EQUAL: tr("The same, word for word, {as_before}."),
        Likeness.NEAR: tr("Nearly the same {as_before}."),
        Likeness.ONE_FACT: tr("The same {as_before}, except for one thing: “{now}” was “{before}”."),
    }[copy.likeness]
    return Remark(
        RemarkKind.COPIED,
        f"copied-{copy.likeness.name.lower().replace('_', '-')}",
        says.format(as_before=_as_before(copy, background), now=now, before=before),
        span=copy.sentence.span,
        severity=Severity.MEDIUM if copy.likeness is Likeness.EQUAL else Severity.LOW,
        quote=_quoted(copy, background),
    )


def _as_before(copy: Copy, background: Background) -> str:
    if copy.place == 0 and copy.in_a_row > 1:
        return tr("as in the last {count} notes").format(count=copy.in_a_row)
    when = background.earlier[copy.place].day
    return tr("as on {day}").format(day=long_day(when)) if when else tr("as in an earlier note")


def _quoted(copy: Copy, background: Background) -> str:
    one = background.earlier[copy.place]
    about = ", ".join(filter(None, (one.label, long_day(one.day) if one.day else "")))
    said = tr("Earlier note ({about}): “{words}”") if about else tr("Earlier note: “{words}”")
    return said.format(about=about, words=shortened(copy.before, _QUOTED))

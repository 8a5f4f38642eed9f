"""What does not belong in a progress note: words that judge, and what is for notes of one's own.

Found by words, which leave a client's own alone; the second also by a language model where it is asked.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.remarks import Private, PrivateSentence, Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity
from noteeval_desktop.guarded_json import from_json

PSYCHOTHERAPY_NOTES = tr("HIPAA Privacy Rule, 45 CFR 164.501, definition of psychotherapy notes")
_SAYS = {
    Private.PROCESS: tr("This is for the therapist’s own notes. Consider leaving it out of the record."),
    Private.OWN_FEELINGS: tr(
        "This is about the therapist’s own feelings. Consider leaving it out, or keeping it in notes of your own."
    ),
    Private.OTHER_PEOPLE: tr(
        "This says more about someone else than the client’s care may need. Consider leaving it out."
    ),
    Private.GOSSIP: tr("This reads like hearsay with no bearing on the client’s care. Consider leaving it out."),
}
_QUOTED = re.compile(r"“[^”]*”?|\"[^\"]*\"?|(?<!\w)‘[^’]*(?:’\w[^’]*)*’?|(?<!\w)'[^'\n]*(?:'\w[^'\n]*)*'(?!\w)")
# Then it is the client's word, or another's, though nothing is quoted.
_TOLD = re.compile(
    r"\b(?:says?|said|saying|calls?|called|calling|tells?|told|states?|stated|thinks?|thought|believes?|believed|feels?"
    r"|felt|describes?|described|sees? \w+self|identif\w+|worr\w+|fears?|feared|afraid|accus\w+|labell?ed|reports?"
    r"|reported|whether|wonders?|wondered)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Listed:
    """Words that a note is better without. ``own``: as a client's own words they are left alone, quoted or not."""

    kind: RemarkKind
    rule: str
    words: re.Pattern[str]
    says: str
    source: str
    instead: str = ""
    own: bool = False


_FEELING = (
    r"(?:frustrat\w+|irritat\w+|annoy\w+|bored|tired|drawn|attracted|protective|sad|angry|anxious|helpless|overwhelmed"
    r"|uneasy|uncomfortable|moved|disgusted|hopeless|stuck|worried|tense|impatient|touched|resentful|guilty"
    r"|intimidated|scared)"
)
_OWN_FEELINGS = (
    r"(?<![\w'’])(?:I|(?:[Tt]his |[Tt]he )?(?:[Ww]riter|[Tt]herapist|[Cc]linician|[Cc]ounsell?or|[Pp]rovider))"
    r"\s(?:(?:also|really|\w+ly)\s)?(?:felt|feels?|was|am|became|found (?:myself|herself|himself|themselves)"
    r"|noticed (?:feeling|being))\s(?:(?:a|bit|little|very|quite|so|somewhat|rather|\w+ly)\s){0,2}"
    rf"{_FEELING}\b"
)
_PROCESS = (
    r"\bcounter-?transference\w*|\bmy (?:hunch|gut feeling|gut|fantasy|private hypothesis|own reaction)\b"
    r"|\b(?:bring|take|discuss|raise)\w* (?:this |it |the case )?(?:in|to|with) (?:my )?(?:supervision|supervisor)\b"
    r"|\bnote to self\b|\bprocess notes?:"
)
_FULL_NAME = (
    r"\b(?:husband|wife|partner|boyfriend|girlfriend|fianc[eé]e?|ex|mother|father|mom|dad|sister|brother|son"
    r"|daughter|friend|boss|supervisor|manager|coworker|colleague|neighbou?r|roommate|cousin|aunt|uncle)\s"
    r"(?!Dr|Mr|Ms)[A-Z][a-z]+\s[A-Z][a-z]{2,}\b"
)
_NAMED = tr("Someone else’s full name is here. Consider leaving it out: how they are related to the client is enough.")
_LEAVE_OUT = tuple(
    _Listed(RemarkKind.PROCESS, rule, re.compile(words), says, PSYCHOTHERAPY_NOTES)
    for rule, words, says in (
        (Private.OWN_FEELINGS, _OWN_FEELINGS, _SAYS[Private.OWN_FEELINGS]),
        (Private.PROCESS, rf"(?i:{_PROCESS})", _SAYS[Private.PROCESS]),
        ("third-person", _FULL_NAME, _NAMED),
    )
)


@functools.cache
def _stigmatising(file: Path) -> tuple[_Listed, ...]:
    """The list that ships: words (a pattern), their source, and either what may stand instead or what to do."""
    data = from_json(file.read_text("utf-8"))
    says = tr("“{words}” can read as a judgment. {advice}")
    return tuple(
        _Listed(
            RemarkKind.WORDING,
            "wording",
            re.compile(rf"(?<![\w-])(?:{one['words']})(?![\w-])", re.IGNORECASE),
            says.format(words="{words}", advice=one["advice"]).rstrip(),
            data["sources"][one["source"]],
            one["instead"],
            own=not one["instead"],
        )
        for one in data["words"]
    )


def wording(case: Case) -> Iterator[Remark]:
    note = case.note
    for one in (*_stigmatising(paths.resources() / "lexicons" / "wording.json"), *_LEAVE_OUT):
        for found in one.words.finditer(note.text):
            span = Span(*found.span())
            stated = note.sentence_at(span)
            before = stated.text[: span.start - stated.span.start] if stated else ""
            told = one.own and _TOLD.search(before)
            if stated is None or told or _in_quotes(stated.text, len(before)):
                continue
            says = one.says.format(words=found.group())
            yield Remark(one.kind, one.rule, says, one.source, span, one.instead, Severity.LOW)


def _in_quotes(text: str, position: int) -> bool:
    return any(found.start() <= position < found.end() for found in _QUOTED.finditer(text))


def on_private(note: Note, found: Iterable[PrivateSentence], told: Iterable[Remark]) -> Iterator[Remark]:
    """What a language model would leave out, of sentences on which no rule has ``told`` the like."""
    spans = [one.span for one in told if one.kind is RemarkKind.PROCESS and one.span]
    sentences = {sentence.id: sentence.span for sentence in note.sentences}
    source = tr(
        "{source}; found by the language model. On 36 made-up notes a large model found all 39 such sentences and "
        "marked no other; smaller models were not tried."
    )
    for one in found:
        span = sentences[one.sentence]
        if not any(span.start <= other.start < span.end for other in spans):
            says = _SAYS[one.why]
            yield Remark(
                RemarkKind.PROCESS,
                f"asked-{one.why}",
                says,
                source.format(source=PSYCHOTHERAPY_NOTES),
                span,
                severity=Severity.LOW,
            )

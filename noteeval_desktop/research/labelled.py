"""A labelled session as its author wrote it (the form is in GUIDE.md), read into plain values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.domain.note import Note as DomainNote
from noteeval_desktop.domain.note import Sentence as DomainSentence
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.domain.transcript import Turn as DomainTurn

ROLES = ("therapist", "client", "other")
KINDS = (
    "opposite", "number", "date", "dose", "drug", "doer", "side", "certainty", "plan", "risk", "time", "cause",
    "feeling", "scope", "invented",
)  # fmt: skip
FACT_KINDS = (
    "risk", "symptom", "medication", "substance", "history", "goal", "homework", "intervention", "plan", "scale",
)  # fmt: skip
RISK_KINDS = (*RiskKind, "-")
WHOSE = ("self", "other", "child", "elder", "partner", "-")
STANCES = ("current", "past", "denied", "asked", "other", "hypothetical", "figurative")
FORMATS = ("SOAP", "DAP", "BIRP", "GIRP", "PIE", "free")
STYLES = ("prose", "shorthand")
ITEMS = {
    "s-chief": "subjective-chief-complaint",
    "s-symptoms": "subjective-symptoms",
    "s-history": "subjective-history",
    "s-goals": "subjective-goals",
    "s-homework": "subjective-homework",
    "s-quotes": "subjective-quotes",
    "o-behavior": "objective-behavior",
    "o-mental": "objective-mental-status",
    "o-tools": "objective-assessment-tools",
    "o-activities": "objective-therapy-activities",
    "o-interventions": "objective-interventions",
    "a-diagnosis": "assessment-diagnosis",
    "a-triggers": "assessment-triggers",
    "a-progress": "assessment-progress",
    "a-analysis": "assessment-analysis",
    "a-response": "assessment-response",
    "a-overall": "assessment-overall-progress",
    "a-goals": "assessment-goals",
    "a-stages": "assessment-stages",
    "p-interventions": "plan-interventions",
    "p-followup": "plan-follow-up",
    "p-adjust": "plan-adjustment",
    "p-homework": "plan-homework",
    "g-safety": "general-safety",
    "g-culture": "general-culture",
    "g-professional": "general-professionalism",
}
"""Codes of the corpus to the rubric's item ids."""


class CorpusError(ValueError):
    """A file is not in the form; the message holds the line's number and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Turn:
    number: int
    role: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    id: str
    kind: str
    turns: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RiskTurn:
    """A turn where danger is spoken of, or (``stance`` figurative) one that only sounds like it."""

    turn: int
    kind: str
    whose: str
    stance: str
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """``label`` is true, false or observed. ``twin`` is the same sentence with the other truth, "" if there is none.

    ``kind`` is that of the false one of the two ("" where neither is false). ``items`` are rubric item ids; empty for
    a sentence that a careful clinician would strike out.
    """

    section: str
    label: str
    kind: str
    turns: tuple[int, ...]
    items: tuple[str, ...]
    text: str
    twin: str


@dataclass(frozen=True, slots=True)
class Note:
    id: str
    format: str
    style: str
    sentences: tuple[Sentence, ...]
    covers: tuple[str, ...]
    arguable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelledSession:
    """Turns are numbered from 1, as their author counted them."""

    id: str
    setting: str
    turns: tuple[Turn, ...]
    facts: tuple[Fact, ...]
    risk: tuple[RiskTurn, ...]
    notes: tuple[Note, ...]

    @property
    def author(self) -> str:
        return self.id.rsplit("-", 1)[0]


def parse_session(text: str) -> LabelledSession:
    """Read a session file's text. Raises CorpusError with the first line that is not in the form."""
    head, speakers = {"@session": "", "@setting": ""}, dict[str, tuple[str, str]]()
    turns, facts, risk, notes = list[Turn](), list[Fact](), list[RiskTurn](), list[Note]()
    place, section = "head", ""
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        try:
            if line.startswith("#"):
                place, *words = line[1:].split()
                if place == "note":
                    section, (name, form, style) = "", words
                    notes.append(Note(name, _one_of(form, FORMATS), _one_of(style, STYLES), (), (), ()))
                elif place not in ("transcript", "facts", "risk"):
                    raise CorpusError(f"unknown part #{place}")
            elif line and place == "head":
                name, _, rest = line.partition(" ")
                if name == "@speakers":
                    speakers |= map(_speaker, rest.split("|"))
                elif name in head:
                    head[name] = rest.strip()
                else:
                    raise CorpusError(f"unknown head {name}")
            elif line and place == "transcript":
                turns.append(_turn(speakers, line))
            elif line and place == "facts":
                facts.append(_fact(line))
            elif line and place == "risk":
                risk.append(_risk(line))
            elif line.startswith("="):
                section = line.lstrip("= ").strip()
            elif line:
                notes[-1] = _with_line(notes[-1], section, line)
        except (CorpusError, IndexError, ValueError) as error:
            raise CorpusError(f"line {number}: {error} | {line[:80]}") from error
    return LabelledSession(head["@session"], head["@setting"], tuple(turns), tuple(facts), tuple(risk), tuple(notes))


def read_sessions(folder: Path) -> Iterator[LabelledSession]:
    """Every session below ``folder``, by author and number. Raises CorpusError, with the file's name."""
    for path in sorted(folder.rglob("*.txt")):
        try:
            yield parse_session(path.read_text(encoding="utf-8"))
        except CorpusError as error:
            raise CorpusError(f"{path.parent.name}/{path.name}, {error}") from error


def _speaker(text: str) -> tuple[str, tuple[str, str]]:
    letter, role, *called = text.split(maxsplit=2)
    return letter, (_one_of(role, ROLES), called[0].strip() if called else role.title())


def _turn(speakers: Mapping[str, tuple[str, str]], line: str) -> Turn:
    match = re.match(r"(\d+) (\w+): (.+)$", line)
    if not match:
        raise CorpusError("a turn is NUMBER LETTER: text")
    if match[2] not in speakers:
        raise CorpusError(f"speaker {match[2]} is not in @speakers")
    return Turn(int(match[1]), *speakers[match[2]], match[3].strip())


def _fact(line: str) -> Fact:
    head, _, text = line.partition("|")
    id_, kind, turns = head.split()
    return Fact(id_, _one_of(kind, FACT_KINDS), _turns(turns), text.strip())


def _risk(line: str) -> RiskTurn:
    head, _, text = line.partition("|")
    turn, kind, whose, stance = head.split()
    return RiskTurn(int(turn), _one_of(kind, RISK_KINDS), _one_of(whose, WHOSE), _one_of(stance, STANCES), text.strip())


def _with_line(note: Note, section: str, line: str) -> Note:
    if line.startswith("covers"):
        return replace(note, covers=tuple(line.split()[1:]))
    if line.startswith("arguable"):
        return replace(note, arguable=_items(line.removeprefix("arguable")))
    return replace(note, sentences=(*note.sentences, _sentence(section, line)))


def _sentence(section: str, line: str) -> Sentence:
    head, codes, body = (part.strip() for part in line.split("|", 2))
    label, *rest = head.split()
    text, _, twin = (part.strip() for part in body.partition("~~"))
    kind = ""
    turns: tuple[int, ...] = ()
    if label == "t":
        turns = _turns(rest[0])
        if twin:
            kind, _, twin = (part.strip() for part in twin.partition(":"))
            _one_of(kind, KINDS)
    elif label == "f":
        kind = _one_of(rest[0], KINDS)
        turns = _turns(rest[1]) if len(rest) > 1 else ()
        if not twin:
            raise CorpusError("a false sentence has its true twin behind ~~")
    elif label != "o":
        raise CorpusError("a sentence begins with t, f or o")
    return Sentence(
        section, {"t": "true", "f": "false", "o": "observed"}[label], kind, turns, _items(codes), text, twin
    )


def _items(codes: str) -> tuple[str, ...]:
    return tuple(
        ITEMS[_one_of(code, tuple(ITEMS))] for code in re.split(r"[ ,]+", codes.strip()) if code and code != "-"
    )


def _turns(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)


def _one_of(word: str, allowed: tuple[str, ...]) -> str:
    if word not in allowed:
        raise CorpusError(f"{word!r} is none of {', '.join(allowed)}")
    return word


def transcript_of(session: LabelledSession) -> Transcript:
    """Turns count from 0 there."""
    return Transcript(
        tuple(DomainTurn(number, turn.speaker, Role(turn.role), turn.text) for number, turn in enumerate(session.turns))
    )


def case_of(session: LabelledSession, note: Note) -> Case:
    """The session with the note, a sentence a line; its i-th sentence is ``s{i + 1}``."""
    sentences, start = [], 0
    for number, one in enumerate(note.sentences, 1):
        span = Span(start, start + len(one.text))
        sentences.append(DomainSentence(f"s{number}", sections_of(note.format, one.section), span, one.text))
        start = span.end + 1
    text = "\n".join(one.text for one in note.sentences)
    return Case(transcript_of(session), DomainNote(text, (), tuple(sentences)))


_HEADINGS = {
    "data": (Section.SUBJECTIVE, Section.OBJECTIVE), "behavior": (Section.SUBJECTIVE, Section.OBJECTIVE),
    "behaviour": (Section.SUBJECTIVE, Section.OBJECTIVE), "problem": (Section.SUBJECTIVE,),
    "goal": (Section.ASSESSMENT,), "intervention": (Section.OBJECTIVE,), "response": (Section.ASSESSMENT,),
    "evaluation": (Section.ASSESSMENT,), "situation": (Section.SUBJECTIVE,),
}  # fmt: skip


def sections_of(note_format: str, heading: str) -> tuple[Section, ...]:
    """What a heading of a labelled note stands for; UNASSIGNED under one that no format has."""
    first = re.sub(r"[^a-z ]", " ", heading.lower()).split()
    for word in first:
        word = word.removesuffix("s") if word not in ("s",) else word
        if word in _HEADINGS:
            return _HEADINGS[word]
        for section in SOAP:
            if word == section.value or (len(word) == 1 and note_format == "SOAP" and word == section.value[0]):
                return (section,)
    return (Section.UNASSIGNED,)

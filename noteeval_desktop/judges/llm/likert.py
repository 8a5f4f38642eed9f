"""Marks from 1 to 5, as an option beside the rubric's yes and no: they are easier to ask for and agree less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.rubric import RubricItem
from noteeval_desktop.domain.transcript import Transcript, Turn
from noteeval_desktop.engines.chat import Reply, Request
from noteeval_desktop.judges.llm import schemas
from noteeval_desktop.judges.llm.answers import Score, Strict, read_answer
from noteeval_desktop.judges.llm.asking import Answered, Unit
from noteeval_desktop.judges.llm.prompts import as_data
from noteeval_desktop.judges.llm.questions import Answers, NotePart, Wording, item_line, item_text
from noteeval_desktop.judges.protocol import Rating as Rating

_TOKENS = 60


class SectionMarks(Strict):
    completeness: Score
    conciseness: Score
    faithfulness: Score


class NoteMark(Strict):
    acceptance: Score


@dataclass(frozen=True, slots=True)
class Part:
    """What is marked: a part of the note, or with ``of`` None all of its sentences."""

    of: NotePart | None
    sentences: Sequence[Sentence]
    items: Sequence[RubricItem] = ()


def build_likert(
    wording: Wording, transcript: Transcript, turns: Sequence[Turn], units: Sequence[Unit[Part]]
) -> Request:
    part, prefix = units[0].subject, wording.session_prefix(transcript, turns)
    if part.of is None:
        note = "\n".join(f"[{s.section}] {as_data(s.text)}" for s in part.sentences)
        return wording.request("likert_note", prefix, schemas.marks("acceptance"), _TOKENS, note=note)
    return wording.request(
        "likert",
        prefix,
        schemas.marks("completeness", "conciseness", "faithfulness"),
        _TOKENS,
        part=part.of.name,
        apart=" or matter of another section" if part.of.apart else "",
        sentences="\n".join(as_data(s.text) for s in part.sentences),
        items="\n".join(item_line(number, item) for number, item in enumerate(part.items, 1)),
    )


def read_likert(reply: Reply, units: Sequence[Unit[Part]]) -> Answers:
    kind: type[BaseModel] = NoteMark if units[0].subject.of is None else SectionMarks
    return {units[0].number: read_answer(kind, reply.text, reply.finished).model_dump()}, {}


def rated(answered: Answered[Part]) -> Iterator[Rating]:
    """One a section: those that the note writes together have the same marks."""
    part = answered.unit.subject.of
    for section in part.sections if part else (None,):
        yield Rating(section, answered.answer or {}, answered.problem)


def key_of(case: Case, part: Part) -> str:
    """All that the marks of ``part`` rest on."""
    items = "\n".join(map(item_text, part.items))
    text = "\n".join(f"{sentence.section} {sentence.text}" for sentence in part.sentences)
    name = part.of.name if part.of else None
    return f"{case.transcript.content_fingerprint}\n{name}\n{items}\n{text}"

"""How often is "consider leaving out" right? By the quick check's words and by a language model's recorded answers, on
made-up notes in which their authors marked what a careful clinician would keep out of the record."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.compliance.wording import wording
from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import share_of
from noteeval_desktop.domain.remarks import Private, RemarkKind
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.judges.protocol import FindsPrivate
from noteeval_desktop.measures.responses import wilson
from noteeval_desktop.report.terminal import between, table

LEAVE_OUT = "leave_out"
Counts = Mapping[str, tuple[int, int]]
_FIGURES = {
    "found": "found",
    Private.PROCESS: "  what goes on between therapist and client",
    Private.OWN_FEELINGS: "  the therapist's own feelings",
    Private.OTHER_PEOPLE: "  other people",
    Private.GOSSIP: "  hearsay",
    "kind": "of those, the kind right",
    "wrong": "other sentences marked",
    "look_alikes": "  of those, look-alikes",
}


@dataclass(frozen=True, slots=True)
class MarkedNote:
    """``out``: why, by the id of each sentence that does not belong in the record; ``look_alikes``: of some that do."""

    case: Case
    out: dict[str, Private]
    look_alikes: frozenset[str]


def marked_notes() -> Iterator[MarkedNote]:
    """Of both authors. Raises ValueError where a marked sentence is not one of the note's."""
    for path in sorted((Path(__file__).parent / LEAVE_OUT).glob("*.json")):
        for own in json.loads(path.read_text("utf-8")):
            note = parse_note(own["note"])
            out = {_id(one["sentence"], note): Private(one["why"]) for one in own["leave_out"]}
            yield MarkedNote(Case(Transcript(()), note), out, frozenset(_id(text, note) for text in own["look_alikes"]))


def _id(text: str, note: Note) -> str:
    (found,) = (one.id for one in note.sentences if text in one.text)
    return found


def counts(judge: FindsPrivate) -> dict[str, Counts]:
    """For ``words`` and ``model``, of each figure how many, of how many: sentences found, of each kind and of all; of
    those found, the kind right; of all other sentences, and of the look-alikes, those wrongly marked."""
    hits: dict[str, dict[str, list[bool]]] = {way: {name: [] for name in _FIGURES} for way in ("words", "model")}
    for one in marked_notes():
        model = {found.sentence: str(found.why) for found in judge.private(one.case, threading.Event())}
        for way, marked in (("words", dict(_by_words(one.case))), ("model", model)):
            for name, hit in _figures(one, marked):
                hits[way][name].append(hit)
    return {way: {name: (sum(own), len(own)) for name, own in figures.items()} for way, figures in hits.items()}


def _by_words(case: Case) -> Iterator[tuple[str, str]]:
    for remark in wording(case):
        stated = case.note.sentence_at(remark.span) if remark.span else None
        if remark.kind is RemarkKind.PROCESS and stated is not None:
            yield stated.id, Private.OTHER_PEOPLE if remark.rule == "third-person" else remark.rule


def _figures(one: MarkedNote, marked: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    for sentence in one.case.note.sentences:
        why, said = one.out.get(sentence.id), marked.get(sentence.id)
        if why is not None:
            yield from ((name, said is not None) for name in ("found", why))
            if said is not None:
                yield "kind", said == why
        else:
            yield "wrong", said is not None
            if sentence.id in one.look_alikes:
                yield "look_alikes", said is not None


def told(found: Mapping[str, Counts]) -> str:
    """With Wilson's 95 % intervals."""
    rows = [["consider leaving out", "the words", "95 %", "the model", "95 %"]]
    for name, said in _FIGURES.items():
        own = [figures[name] for figures in found.values()]
        rows.append([said, *(cell for one in own for cell in (share_of(*one), between(wilson(*one), 2)))])
    return table(rows)

"""How often is "consider leaving out" right? By the quick check's words and by a language model, on made-up notes in
which their authors marked what a careful clinician would keep out of the record."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop.compliance.wording import wording
from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.phrases import share_of, tr
from noteeval_desktop.domain.remarks import Private, RemarkKind
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.protocol import FindsPrivate
from noteeval_desktop.measures.agreement import ratio
from noteeval_desktop.measures.responses import wilson
from noteeval_desktop.report.terminal import between, table

LEAVE_OUT = "leave_out"


@dataclass(frozen=True, slots=True)
class MarkedNote:
    """``out``: why, by the id of each sentence that does not belong in the record; ``look_alikes``: of some that do."""

    id: str
    case: Case
    out: dict[str, Private]
    look_alikes: frozenset[str]


def read_marked_notes(folder: Path) -> list[MarkedNote]:
    """Of every JSON list in ``folder``, an author's each: ``{"id", "note", "leave_out": [{"sentence", "why"}],
    "look_alikes": [sentence]}``. Raises InputError."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            for own in from_json(path.read_bytes()):
                note = parse_note(own["note"])
                out = {_id(one["sentence"], note.sentences): Private(one["why"]) for one in own["leave_out"]}
                alike = frozenset(_id(text, note.sentences) for text in own["look_alikes"])
                found.append(MarkedNote(own["id"], Case(Transcript(()), note), out, alike))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(path.name, "is no list of marked notes", "See tests/recorded/leave_out.") from error
    return found


def _id(text: str, sentences: Sequence[Sentence]) -> str:
    """Raises ValueError where not exactly one sentence has the text."""
    (found,) = (one.id for one in sentences if text in one.text)
    return found


def run_leave_out(notes: Sequence[MarkedNote], judge: FindsPrivate, cancel: threading.Event) -> dict[str, Any]:
    """``{"words" | "model": {figure: {"yes", "of", "share", "interval"}}}`` with Wilson's 95 % intervals: sentences
    found, of each kind and of all; of those found, those of the right kind; of all other sentences, and of the
    look-alikes, those wrongly marked. Raises JudgeError, Cancelled."""
    told = {way: {name: list[bool]() for name in _FIGURES} for way in _WAYS}
    for one in notes:
        model = {found.sentence: str(found.why) for found in judge.private(one.case, cancel)}
        for way, marked in zip(_WAYS, (dict(_by_words(one.case)), model), strict=True):
            for name, hit in _counted(one, marked):
                told[way][name].append(hit)
    return {
        way: {
            name: {"yes": sum(own), "of": len(own), "share": ratio(sum(own), len(own))}
            | {"interval": wilson(sum(own), len(own))}
            for name, own in figures.items()
        }
        for way, figures in told.items()
    }


def _by_words(case: Case) -> Iterator[tuple[str, str]]:
    for remark in wording(case):
        stated = case.note.sentence_at(remark.span) if remark.span else None
        if remark.kind is RemarkKind.PROCESS and stated is not None:
            yield stated.id, Private.OTHER_PEOPLE if remark.rule == "third-person" else remark.rule


def _counted(one: MarkedNote, marked: dict[str, str]) -> Iterator[tuple[str, bool]]:
    for sentence in one.case.note.sentences:
        why, said = one.out.get(sentence.id), marked.get(sentence.id)
        if why is None:
            yield "wrong", said is not None
            if sentence.id in one.look_alikes:
                yield "look_alikes", said is not None
        else:
            yield "found", said is not None
            yield why, said is not None
            if said is not None:
                yield "kind", said == why


_WAYS = {"words": tr("The quick check’s words"), "model": tr("The model")}
_FIGURES = {
    "found": tr("Found"),
    Private.PROCESS: tr("  what goes on between therapist and client"),
    Private.OWN_FEELINGS: tr("  the therapist’s own feelings"),
    Private.OTHER_PEOPLE: tr("  other people"),
    Private.GOSSIP: tr("  hearsay"),
    "kind": tr("Of those, the kind right"),
    "wrong": tr("Other sentences marked"),
    "look_alikes": tr("  of those, look-alikes"),
}


def leave_out_text(result: dict[str, Any]) -> str:
    rows = [[tr("Consider leaving out"), *(cell for name in _WAYS.values() for cell in (name, tr("95 % interval")))]]
    for name, said in _FIGURES.items():
        own = [result[way][name] for way in _WAYS]
        rows.append([said, *(c for one in own for c in (share_of(one["yes"], one["of"]), between(one["interval"], 2)))])
    return table(rows)

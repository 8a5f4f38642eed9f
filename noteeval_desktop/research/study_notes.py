"""The notes of the degradation study, and how they are made worse by rules.

After SySDEM (Nizar et al.): five levels, 5 % more of a note's facts at each, every level holding the one before. A fact
is a sentence here, and each level changes at least one more.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from noteeval_desktop.documents import parse_note, parse_transcript
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.tn_eval import LabelledNote
from noteeval_desktop.research.changes import ChangeKind
from noteeval_desktop.research.degrade import Change, degrade, without
from noteeval_desktop.research.published import TABLES, files, has_columns, load_notes, primock57, shown, tables

LEVELS, STEP = 5, 0.05
FACTS, ROW = "facts", "row "
# Of any fact; the others say more, say less, or say it elsewhere.
ALTERED = (
    *(ChangeKind.NUMBER, ChangeKind.NEGATION, ChangeKind.PERSON, ChangeKind.TERM),
    *(ChangeKind.DRUG, ChangeKind.RISK, ChangeKind.PLAN),
)
KINDS = (
    *(kind for kind in ALTERED if kind is not ChangeKind.TERM),
    *(ChangeKind.FACT, ChangeKind.DROP, ChangeKind.PADDING, ChangeKind.ORDER),
)
# An LLM's note stands in for the reference: a note of the same session in somebody else's words.
_REFERENCE = "llm_llama31_70B"
_VISITS, _SECTIONS = ("dialogue", "note"), ("dialogue", "section_text")
_REMEDY = tr(
    "Give TN-Eval's files (JSON), a table with the columns dialogue and note (ACI-Bench) or dialogue and section_text "
    "(MTS-Dialog), or PriMock57's folder."
)


@dataclass(frozen=True, slots=True)
class StudyNote:
    """``reference``: what metrics compare with. ``rows``: rubric item → the sentences that serve it, of items that two
    people call present; ``rubric``: whether the checklist is one for such notes. ``true``: sentences known to be.
    """

    name: str
    case: Case
    reference: Note
    rubric: bool
    true: frozenset[str]
    rows: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Version:
    """``series``: ``facts`` (any of ``ALTERED``), a kind of change, or ``row`` and an item whose sentences are gone.
    ``wrong`` facts differ from the intact note; ``changes`` says which, where rules made them."""

    series: str
    level: int
    seed: int
    note: Note
    wrong: int
    changes: tuple[Change, ...] = ()


def load_study(*paths: Path) -> tuple[StudyNote, ...]:
    """TN-Eval's therapists' notes, each with Llama's of the same session as its reference; or ACI-Bench's, PriMock57's
    or MTS-Dialog's notes, each its own reference, so that metrics begin at their best. Raises InputError.
    """
    visits = [_visit(one.name, one.transcript, one.note) for one in primock57(paths)]
    if visits:
        return tuple(visits)
    there = files(paths, TABLES)
    fit = [columns for columns in (_VISITS, _SECTIONS) if any(has_columns(path, columns) for path in there)]
    if not fit and files(paths, (".json",)):  # ACI-Bench has JSON beside its tables
        notes = load_notes(*paths)
        references = {note.conversation: note.case.note for note in notes if note.source == _REFERENCE}
        return tuple(_tn_eval(note, references[note.conversation]) for note in notes if note.source == "human")
    columns = fit[0] if fit else _VISITS
    found: dict[str, StudyNote] = {}
    for number, row in enumerate(tables(paths, columns, _REMEDY, known=("encounter_id",)), 1):
        dialogue, note = (row[column] for column in columns)
        if not (note.strip() and dialogue.strip()):
            problem = tr("has a row without a note or a dialogue (row {row})").format(row=number)
            raise InputError(shown(paths), problem, _REMEDY)
        name = row.get("encounter_id") or f"note-{number:03d}"
        # ACI-Bench has its visits once more, as other systems wrote them down.
        if name not in found:
            found[name] = _visit(name, parse_transcript(dialogue), parse_note(note))
    if not found:
        raise InputError(shown(paths), tr("holds no notes"), _REMEDY)
    return tuple(found.values())


def _visit(name: str, transcript: Transcript, note: Note) -> StudyNote:
    known = frozenset(sentence.id for sentence in note.sentences)
    return StudyNote(name, Case(transcript, note), note, False, known)


def _tn_eval(note: LabelledNote, reference: Note) -> StudyNote:
    present = [item for item, labels in note.present.items() if all(labels)]
    serving = {
        item: frozenset(own.sentence.id for own in note.sentences if any(item in given for given in own.items))
        for item in present
    }
    true = frozenset(own.sentence.id for own in note.sentences if all(own.faithful))
    rows = {item: sentences for item, sentences in serving.items() if sentences}
    return StudyNote(note.conversation, note.case, reference, True, true, rows)


def by_rules(
    note: StudyNote, seeds: int, cancel: threading.Event | None = None
) -> tuple[StudyNote, tuple[Version, ...]]:
    """The note as it is, and its versions: each kind of change by itself, and all that alter a fact together.

    A level that finds nothing more to change is left out, and so is a row with which the whole note would go.
    """
    made = [
        version
        for series, kinds in {FACTS: ALTERED, **{kind.value: (kind,) for kind in KINDS}}.items()
        for seed in range(seeds)
        for version in _levels(note.case.note, series, kinds, seed)
    ]
    whole = len(note.case.note.sentences)
    rows = {item: gone for item, gone in note.rows.items() if len(gone) < whole}
    made += [Version(ROW + item, 1, 0, without(note.case.note, gone), len(gone)) for item, gone in rows.items()]
    return note, tuple(made)


def wanted(level: int, facts: int) -> int:
    """How many of so many facts are wrong at a level."""
    return max(level, round(level * STEP * facts))


def _levels(note: Note, series: str, kinds: tuple[ChangeKind, ...], seed: int) -> list[Version]:
    found: list[Version] = []
    for level in range(1, LEVELS + 1):
        degraded = degrade(note, seed, wanted(level, len(note.sentences)), kinds)
        if len(degraded.changes) > (len(found[-1].changes) if found else 0):
            found.append(Version(series, level, seed, degraded.note, len(degraded.changes), degraded.changes))
    return found

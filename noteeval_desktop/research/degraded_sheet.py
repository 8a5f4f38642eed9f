"""Are degraded notes really worse? A sheet of pairs for people to check, and what they say.

After SySDEM (Nizar et al., 4.1): ten pairs of a candidate and its first degradation, beside the reference, with three
questions. Candidates of one's own (4: a paraphrase of the reference) take the place of the notes themselves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from noteeval_desktop.documents import parse_note
from noteeval_desktop.documents.rows import records
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.responses import wilson
from noteeval_desktop.report.files import csv_text, write_csv
from noteeval_desktop.research.study_notes import FACTS, StudyNote, Version

PAIRS = 10
QUESTIONS = {
    "degraded_has_an_error": tr("The degraded note has at least one fact that is wrong"),
    "candidate_has_fewer_errors": tr("The candidate has fewer wrong facts than the degraded note"),
    "candidate_lacks_more": tr("The candidate lacks facts that the degraded note has"),
}
COLUMNS = ("note", "reference", "candidate", "degraded", *QUESTIONS)
_YES, _NO = ("yes", "y", "1", "true"), ("no", "n", "0", "false")


def with_candidates(notes: Sequence[StudyNote], path: Path) -> tuple[StudyNote, ...]:
    """The notes that the table (columns note, candidate) has a candidate for, which is degraded in place of the note;
    the note stays the reference. Raises InputError."""
    remedy = tr("Give a table with the columns note (as the data call it) and candidate.")
    texts = {row["note"].strip(): row["candidate"] for row in records(path, ("note", "candidate"), remedy=remedy)}
    known = {note.name for note in notes}
    strange = [name for name in texts if name not in known]
    if strange or not texts:
        problem = tr("names a note that the data lack ({name})").format(name=strange[0]) if strange else tr("is empty")
        raise InputError(path.name, problem, remedy)
    return tuple(_with_candidate(note, texts[note.name]) for note in notes if note.name in texts)


def _with_candidate(note: StudyNote, text: str) -> StudyNote:
    candidate = parse_note(text)
    true = frozenset(sentence.id for sentence in candidate.sentences)
    return replace(note, case=Case(note.case.transcript, candidate), true=true, rows={})


def write_sheet(
    path: Path,
    notes: Sequence[StudyNote],
    degraded: Callable[[StudyNote], tuple[StudyNote, Sequence[Version]]],
) -> int:
    """Ten pairs drawn by chance (the same each time), with a column for each answer; how many there are."""
    rows = []
    for note in random.Random(0).sample(list(notes), min(PAIRS, len(notes))):
        intact, versions = degraded(note)
        first = next((one for one in versions if one.series == FACTS), None)
        if first is not None:
            texts = (note.reference.text, intact.case.note.text, first.note.text)
            rows.append([note.name, *texts, *[""] * len(QUESTIONS)])
    write_csv(path, csv_text([COLUMNS, *rows]))
    return len(rows)


def read_sheet(path: Path) -> dict[str, Any]:
    """``{question: {"yes", "of", "share", "interval"}}`` of a filled-in sheet (Wilson's 95 % interval); pairs without
    an answer are left out. Raises InputError, which names the row."""
    answers: dict[str, list[bool]] = {question: [] for question in QUESTIONS}
    for line, row in enumerate(records(path, ("note", *QUESTIONS)), 2):
        for question, given in answers.items():
            said = row[question].strip().lower()
            if said not in (*_YES, *_NO, ""):
                problem = tr("line {line}: {question} is neither yes nor no").format(line=line, question=question)
                raise InputError(path.name, problem, tr("Answer yes or no, or leave it empty."))
            given += [said in _YES] if said else []
    if not any(answers.values()):
        raise InputError(path.name, tr("holds no answers"), tr("Fill in yes or no, and save it as CSV."))
    return {
        question: {"yes": sum(own), "of": len(own), "share": sum(own) / len(own) if own else None}
        | {"interval": wilson(sum(own), len(own))}
        for question, own in answers.items()
    }

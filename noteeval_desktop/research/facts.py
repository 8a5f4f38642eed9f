"""Facts of a note against those of a reference: what is right, wrong, made up, left out, as people counted it in a
table or as a judge tells it, for whom each sentence that makes a claim is a fact.

Definitions: Ben Abacha et al. (ACL Findings 2023), 3.1, 3.3 and equation 7.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.documents.rows import records
from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import verdicts_given
from noteeval_desktop.measures.agreement import ratio

COUNTS = ("correct", "incorrect", "hallucinated", "omitted", "reference")
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class FactCounts:
    """System facts are ``correct`` + ``incorrect`` + ``hallucinated``; ``omitted`` of the ``reference`` facts are left
    out. ``found`` is the number of reference facts that the note has, where they were looked for one by one; a table
    of people's counts has one number of correct facts for both sides.

    Rates are 0..1, None where there is nothing to divide by; recall is above 1 where people counted correct facts that
    the reference lacks. They say nothing of how grave a fact is, and what
    neither text mentions is no fact.
    """

    correct: int
    incorrect: int
    hallucinated: int
    omitted: int
    reference: int
    found: int | None = None

    @property
    def system(self) -> int:
        return self.correct + self.incorrect + self.hallucinated

    @property
    def precision(self) -> float | None:
        """Correct facts / system facts."""
        return ratio(self.correct, self.system)

    @property
    def recall(self) -> float | None:
        """Correct facts / reference facts."""
        return ratio(self.correct if self.found is None else self.found, self.reference)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall."""
        p, r = self.precision, self.recall
        if p is None or r is None:
            return None
        return 2 * p * r / (p + r) if p + r else 0.0

    @property
    def hallucination_rate(self) -> float | None:
        """Hallucinated facts / system facts."""
        return ratio(self.hallucinated, self.system)

    @property
    def omission_rate(self) -> float | None:
        """Omitted facts / reference facts."""
        return ratio(self.omitted, self.reference)

    @property
    def aggregate(self) -> float | None:
        """(2F - H - O) / 4 with F1, hallucination and omission rate: -0.5..0.5, 0.5 for a note without an error."""
        return aggregate_score(self.f1, self.hallucination_rate, self.omission_rate)

    def as_json(self) -> dict[str, float | int | None]:
        return {
            **{name: getattr(self, name) for name in COUNTS},
            "system": self.system,
            "factual_precision": self.precision,
            "factual_recall": self.recall,
            "factual_f1": self.f1,
            "hallucination_rate": self.hallucination_rate,
            "omission_rate": self.omission_rate,
            "aggregate": self.aggregate,
        }


def aggregate_score(f: float | None, h: float | None, o: float | None) -> float | None:
    """(2F - H - O) / 4, of rates or, as in the paper's tables, of a metric's correlations with them."""
    return None if f is None or h is None or o is None else (2 * f - h - o) / 4


def pooled(counts: Iterable[FactCounts]) -> FactCounts:
    """All facts together: a long note counts for more than a short one."""
    many = list(counts)
    totals = {name: sum(getattr(one, name) for one in many) for name in COUNTS}
    looked_for = [one.found for one in many]
    return FactCounts(**totals, found=None if None in looked_for or not many else sum(n for n in looked_for if n))


def means(counts: Sequence[FactCounts]) -> dict[str, float | None]:
    """The mean of each rate over the notes that have it: each note counts the same."""
    rows = [one.as_json() for one in counts]
    names = [name for name in rows[0] if name not in (*COUNTS, "system")] if rows else []
    known = {name: [value for row in rows if (value := row[name]) is not None] for name in names}
    return {name: ratio(sum(values), len(values)) for name, values in known.items()}


@dataclass(frozen=True, slots=True)
class CountedPart:
    """A row of an annotation table: of which note, of which section of it ("" for the whole note)."""

    note: str
    section: str
    counts: FactCounts


def read_annotations(path: Path) -> tuple[CountedPart, ...]:
    """A table with the columns note, correct, incorrect, hallucinated, omitted, reference, and optionally section.

    Raises InputError, which names the row.
    """
    rows = tuple(
        _part(path.name, n, cells) for n, cells in enumerate(records(path, ("note", *COUNTS), ("section",)), 2)
    )
    if not rows:
        raise InputError(path.name, tr("holds no counts"), tr("Add a line for each note."))
    return rows


def _part(file: str, line: int, cells: Mapping[str, str]) -> CountedPart:
    counts = {}
    for name in COUNTS:
        cell = cells[name].strip()
        if not (cell.isascii() and cell.isdecimal() and int(cell) <= _MOST):
            raise InputError(file, f"line {line}: {name} is not a whole number", "Count facts as 0, 1, 2, …")
        counts[name] = int(cell)
    if counts["omitted"] > counts["reference"]:
        raise InputError(file, f"line {line}: more facts are omitted than the reference has", "Check the counts.")
    return CountedPart(cells["note"].strip(), cells.get("section", "").strip().lower(), FactCounts(**counts))


def count_facts(
    judge: Judge, note: Note, reference: Note, session: Transcript | None, cancel: threading.Event
) -> tuple[FactCounts, dict[Section, FactCounts]]:
    """Of the whole note, and of each SOAP section that the note or the reference has.

    A fact of the note is correct where the reference, or the session where there is one, supports it; incorrect where
    what was asked last contradicts it; else hallucinated. A fact of the reference is omitted where the whole note does
    not support it. A sentence under two headings counts in both sections, once in the whole. With sentences for facts a
    long one that is wrong in one word is wrong as a whole. Raises JudgeError, Cancelled.
    """
    own = dict(verdicts_given(judge, note, reference, cancel))
    if session is not None:
        heard = verdicts_given(judge, note, session, cancel)
        own |= {name: verdict for name, verdict in heard.items() if own.get(name) is not Verdict.SUPPORTED}
    theirs = verdicts_given(judge, reference, note, cancel)
    sections = {
        section: _counted(_of(own, note, section), _of(theirs, reference, section))
        for section in (*SOAP, Section.UNASSIGNED)
        if _of(own, note, section) or _of(theirs, reference, section)
    }
    return _counted(own, theirs), sections


def _of(verdicts: Mapping[str, Verdict], note: Note, section: Section) -> dict[str, Verdict]:
    return {s.id: verdicts[s.id] for s in note.sentences_in(section) if s.id in verdicts}


def _counted(own: Mapping[str, Verdict], theirs: Mapping[str, Verdict]) -> FactCounts:
    correct = sum(verdict is Verdict.SUPPORTED for verdict in own.values())
    incorrect = sum(verdict is Verdict.CONTRADICTED for verdict in own.values())
    found = sum(verdict is Verdict.SUPPORTED for verdict in theirs.values())
    return FactCounts(
        correct=correct,
        incorrect=incorrect,
        hallucinated=len(own) - correct - incorrect,
        omitted=len(theirs) - found,
        reference=len(theirs),
        found=found,
    )

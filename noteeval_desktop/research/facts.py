"""Facts of a note against those of a reference: what is right, wrong, made up, left out, as people counted it in a
table or as a judge tells it of each atomic fact.

Definitions: Ben Abacha et al. (ACL Findings 2023), 3.1, 3.3 and equation 7.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Any

from noteeval_desktop.documents.rows import records
from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import claims_given
from noteeval_desktop.measures.agreement import Thing, known_means, pearson, rating_figures, ratio
from noteeval_desktop.research.atomic_facts import WordsCompared, in_facts

COUNTS = ("correct", "incorrect", "hallucinated", "omitted", "reference")
RATE_NAMES = {
    "factual_precision": tr("Factual precision"),
    "factual_recall": tr("Factual recall"),
    "factual_f1": tr("Factual F1"),
    "hallucination_rate": tr("Hallucination rate"),
    "omission_rate": tr("Omission rate"),
    "aggregate": tr("Aggregate"),
}
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
    counted = (*COUNTS, "system")
    return known_means([{name: own for name, own in one.as_json().items() if name not in counted} for one in counts])


@dataclass(frozen=True, slots=True)
class CountedPart:
    """A row of an annotation table: of which note, of which section of it ("" for the whole note), by whom ("" where it
    is not told)."""

    note: str
    section: str
    counts: FactCounts
    rater: str = ""


def read_annotations(path: Path) -> tuple[CountedPart, ...]:
    """A table with the columns note, correct, incorrect, hallucinated, omitted, reference, and optionally section
    and rater.

    Raises InputError, which names the row.
    """
    told = records(path, ("note", *COUNTS), ("section", "rater"))
    rows = tuple(_part(path.name, n, cells) for n, cells in enumerate(told, 2))
    if not rows:
        raise InputError(path.name, tr("holds no counts"), tr("Add a line for each note."))
    return rows


def counts_in(file: str, line: int, row: Mapping[str, str], columns: Iterable[str]) -> dict[str, int]:
    """Whole numbers of a table's row, by column. Raises InputError."""
    found = {}
    for name in columns:
        cell = row[name].strip()
        if not (cell.isascii() and cell.isdecimal() and int(cell) <= _MOST):
            problem = tr("line {line}: {name} is not a whole number").format(line=line, name=name)
            raise InputError(file, problem, tr("Count as 0, 1, 2, …"))
        found[name] = int(cell)
    return found


def _part(file: str, line: int, cells: Mapping[str, str]) -> CountedPart:
    counts = counts_in(file, line, cells, COUNTS)
    if counts["omitted"] > counts["reference"]:
        raise InputError(file, f"line {line}: more facts are omitted than the reference has", "Check the counts.")
    section, rater = cells.get("section", "").strip().lower(), cells.get("rater", "").strip()
    return CountedPart(cells["note"].strip(), section, FactCounts(**counts), rater)


def rater_agreement(parts: Sequence[CountedPart]) -> dict[str, dict[str, float | None]]:
    """Of each count, averaged over all pairs of raters: Cohen's kappa, F1 where as many, at most one and at most two
    facts apart count as the same, and Pearson's r; None where undefined. Empty for fewer than two raters.

    Source: Ben Abacha et al., tables 7 and 8.
    """
    raters = list(dict.fromkeys(part.rater for part in parts))
    by_place: dict[tuple[str, str], dict[str, FactCounts]] = {}
    for part in parts:
        by_place.setdefault((part.note, part.section), {})[part.rater] = part.counts
    found: dict[str, dict[str, float | None]] = {}
    for name in COUNTS if len(raters) > 1 else ():
        table = [[getattr(own[r], name) if r in own else None for r in raters] for own in by_place.values()]
        things = [Thing(note, tuple(row)) for (note, _), row in zip(by_place, table, strict=True)]
        by_tolerance = [rating_figures(things, off, rounds=0) for off in range(3)]
        known = [
            [(row[a], row[b]) for row in table if row[a] is not None and row[b] is not None]
            for a, b in combinations(range(len(raters)), 2)
        ]
        rs = [r for both in known if both and not isnan(r := pearson(*zip(*both, strict=True)))]
        found[name] = {
            "kappa": by_tolerance[0]["cohen"].value,
            **{f"f1_{off}": figures["f1"].value for off, figures in enumerate(by_tolerance)},
            "pearson": fmean(rs) if rs else None,
        }
    return found


class FactState(StrEnum):
    CORRECT = "correct"
    INCORRECT = "incorrect"
    HALLUCINATED = "hallucinated"
    FOUND = "found"
    OMITTED = "omitted"


@dataclass(frozen=True, slots=True)
class ToldFact:
    """A fact of the note (correct, incorrect, hallucinated) or of the reference (found, omitted), the ``sections`` it
    stands in, and the words of the other text that it rests on or differs from, "" where there are none."""

    text: str
    state: FactState
    sections: tuple[Section, ...]
    evidence: str

    def as_json(self) -> dict[str, Any]:
        return {"fact": self.text, "state": self.state.value, "evidence": self.evidence or None}


def told_facts(
    judge: Judge,
    note: Note,
    reference: Note,
    session: Transcript | None,
    compared: WordsCompared,
    cancel: threading.Event,
) -> tuple[ToldFact, ...]:
    """The atomic facts of the note, then those of the reference.

    A fact of the note is correct where the reference, or the session where there is one, supports it; incorrect where
    the reference, or what was asked last, contradicts it; else hallucinated. A fact of the reference is omitted where
    the whole note does not support it.

    The built-in judge, which hardly ever says "contradicted" and passes many a statement turned round, is helped by
    ``compared``: a fact is contradicted where what is nearest to it has another number of the same thing, or denies
    what it says. Raises JudgeError, Cancelled.
    """
    own, theirs = in_facts(note), in_facts(reference)
    found = _answers(judge, own, reference, compared, cancel)
    if session is not None:
        heard = _answers(judge, own, session, compared, cancel)
        held = {name for name, (verdict, _) in found.items() if verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED)}
        found |= {name: answer for name, answer in heard.items() if name not in held}
    kept = _answers(judge, theirs, note, compared, cancel)
    named: dict[Verdict | None, FactState] = {
        Verdict.SUPPORTED: FactState.CORRECT,
        Verdict.CONTRADICTED: FactState.INCORRECT,
    }
    return (
        *_told(own, found, named, FactState.HALLUCINATED),
        *_told(theirs, kept, {Verdict.SUPPORTED: FactState.FOUND}, FactState.OMITTED),
    )


def _told(
    facts: Note,
    answers: Mapping[str, tuple[Verdict | None, str]],
    named: Mapping[Verdict | None, FactState],
    otherwise: FactState,
) -> Iterator[ToldFact]:
    for fact in facts.sentences:
        if fact.id in answers:
            verdict, evidence = answers[fact.id]
            yield ToldFact(fact.text, named.get(verdict, otherwise), fact.sections, evidence)


def _answers(
    judge: Judge, facts: Note, given: Note | Transcript, compared: WordsCompared, cancel: threading.Event
) -> dict[str, tuple[Verdict | None, str]]:
    """The verdict on each fact, and the words that it rests on."""
    others = [sentence.text for sentence in given.sentences] if isinstance(given, Note) else []
    texts = {sentence.id: sentence.text for sentence in facts.sentences}
    answers: dict[str, tuple[Verdict | None, str]] = {}
    for name, claim in claims_given(judge, facts, given, cancel).items():
        verdict, evidence = claim.verdict, " ".join(dict.fromkeys(citation.quote for citation in claim.citations))
        if judge.identity.kind == "builtin":
            if verdict is Verdict.SUPPORTED and not evidence:
                verdict = Verdict.UNSUPPORTED
            if (place := compared.otherwise(texts[name], others)) is not None:
                verdict, evidence = Verdict.CONTRADICTED, others[place]
        answers[name] = (verdict, evidence)
    return answers


def counted_facts(facts: Sequence[ToldFact]) -> tuple[FactCounts, dict[Section, FactCounts]]:
    """Of the whole note, and of each SOAP section that the note or the reference has. A fact under two headings counts
    in both sections, once in the whole."""
    sections = {
        section: _counted(own)
        for section in (*SOAP, Section.UNASSIGNED)
        if (own := [fact for fact in facts if section in fact.sections])
    }
    return _counted(facts), sections


def _counted(facts: Iterable[ToldFact]) -> FactCounts:
    states = Counter(fact.state for fact in facts)
    return FactCounts(
        correct=states[FactState.CORRECT],
        incorrect=states[FactState.INCORRECT],
        hallucinated=states[FactState.HALLUCINATED],
        omitted=states[FactState.OMITTED],
        reference=states[FactState.OMITTED] + states[FactState.FOUND],
        found=states[FactState.FOUND],
    )

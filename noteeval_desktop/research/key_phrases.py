"""Errors that people marked phrase by phrase, as rates by length and as a note's quality.

Source: Ben Abacha et al. (ACL Findings 2023), 3.3 (counts by words), equation 2 and table 9 (quality).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.documents.rows import records
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.agreement import known_means, ratio
from noteeval_desktop.research.facts import counts_in

COLUMNS = ("note", "hallucinated", "omitted", "words", "reference_words")
# Normalised so that one critical error takes all of a sentence; style counts as spelling does.
WEIGHTS = {"critical": 1.0, "non_critical": 1 / 3, "spelling": 1 / 12}
GRADED = (*WEIGHTS, "sentences", "reference_sentences")
RATES = ("hallucination_count", "omission_count", "quality")


@dataclass(frozen=True, slots=True)
class MarkedNote:
    """What was counted in a note, by column; what its table lacks is missing."""

    note: str
    section: str
    counts: Mapping[str, int]

    def rates(self) -> dict[str, float | None]:
        """Hallucinated phrases a word of the note, omitted ones a word of the reference (from 0), and quality: 1 less
        the weighted errors over the sentences of the longer text (1 for none, below 0 for more than one critical error
        a sentence). None where there is nothing to divide by, or nothing was counted."""
        own = self.counts
        quality = None
        if all(name in own for name in GRADED):
            errors = sum(weight * own[name] for name, weight in WEIGHTS.items())
            share = ratio(errors, max(own["sentences"], own["reference_sentences"]))
            quality = None if share is None else 1 - share
        counts = ratio(own["hallucinated"], own["words"]), ratio(own["omitted"], own["reference_words"])
        return dict(zip(RATES, (*counts, quality), strict=True))


def read_marked(path: Path) -> tuple[MarkedNote, ...]:
    """A table with ``COLUMNS``, and optionally section and all of ``GRADED``. Raises InputError, naming the row."""
    found = tuple(_marked(path.name, n, row) for n, row in enumerate(records(path, COLUMNS, ("section", *GRADED)), 2))
    if not found:
        raise InputError(path.name, tr("holds no counts"), tr("Add a line for each note."))
    return found


def _marked(file: str, line: int, row: Mapping[str, str]) -> MarkedNote:
    columns = (*COLUMNS[1:], *(name for name in GRADED if row.get(name, "").strip()))
    counts = counts_in(file, line, row, columns)
    return MarkedNote(row["note"].strip(), row.get("section", "").strip().lower(), counts)


def mean_rates(notes: Sequence[MarkedNote]) -> dict[str, float | None]:
    """Each over the notes that have it."""
    return known_means([note.rates() for note in notes])


def by_section(notes: Sequence[MarkedNote]) -> Iterator[tuple[str, dict[str, float | None]]]:
    """The means of each section that the table names."""
    for section in dict.fromkeys(note.section for note in notes if note.section):
        yield section, mean_rates([note for note in notes if note.section == section])

"""What labelled sessions teach the note heads: which items a sentence serves, and what could be struck out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.corpus.reading import LabelledSession, read_sessions
from models.training.corpus.reading import Note as WrittenNote
from models.training.datasets import sections_of
from models.training.fits import Floats, logistic, scaler
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.benchmark_notes import LabelledSet
from noteeval_desktop.judges.builtin import note_lexicon
from noteeval_desktop.judges.builtin.completeness import features, heads, reading
from noteeval_desktop.judges.builtin.completeness.features import NoteRows, SectionSummaries
from noteeval_desktop.judges.builtin.completeness.heads import NoteHeads
from noteeval_desktop.judges.builtin.linear import Linear, logit

# 0.3 to 10 were tried on five authors and differed by less than the authors do.
RIDGE = 3.0
FOLDS = 5
# One clinical sentence in six, of authors not trained on, is allowed to be called unneeded.
DOUBTED = 0.17
_WORDING_C = 0.02
# How sharply one reader gives way to the other: the therapists' r on need is .76 alone, .61 with 1 and .67 with 3.
_STEEPNESS = 3.0


@dataclass(frozen=True)
class ClinicianNote:
    """``serves`` (rows, items), ``needed`` and ``counts`` (rows,), ``present`` (items,), 0.5 where arguable.

    ``counts`` is 0 for a row in a section of which the sentence serves nothing, while it does of its other one.
    """

    author: str
    rows: NoteRows
    summaries: SectionSummaries
    serves: Floats
    needed: Floats
    counts: Floats
    present: Floats


def as_note(written: WrittenNote) -> Note:
    """The note as the app would read it."""
    text, sentences = "", []
    for number, one in enumerate(written.sentences, 1):
        span = Span(len(text), len(text) + len(one.text))
        text += one.text + "\n"
        sentences.append(Sentence(f"s{number}", sections_of(written.format, one.section), span, one.text))
    return Note(text, (), tuple(sentences), written.format)


def labelled_set(session: LabelledSession, written: WrittenNote) -> LabelledSet:
    """The note as the benchmarks ``need`` and ``checklist`` ask for it."""
    medication = {turn for fact in session.facts if fact.kind == "medication" for turn in fact.turns}
    return LabelledSet(
        session.author,
        as_note(written),
        tuple(frozenset(one.items) for one in written.sentences),
        tuple(
            frozenset({written.style, *({"medication"} if medication & set(one.turns) else ())})
            for one in written.sentences
        ),
        frozenset(written.arguable),
    )


def labelled_sets(folder: Path) -> list[LabelledSet]:
    return [labelled_set(session, note) for session in read_sessions(folder) for note in session.notes]


def make(
    sessions: Iterable[LabelledSession],
    items: Sequence[str],
    item_section: NDArray[np.intp],
    sections: Linear,
    embedder: Embedder,
) -> tuple[ClinicianNote, ...]:
    """``sections`` tells where a sentence under no heading belongs."""
    return tuple(
        _laid_out(session.author, note, items, item_section, sections, embedder)
        for session in sessions
        for note in session.notes
    )


def _laid_out(
    author: str,
    written: WrittenNote,
    items: Sequence[str],
    item_section: NDArray[np.intp],
    sections: Linear,
    embedder: Embedder,
) -> ClinicianNote:
    texts = [note_lexicon.expand(one.text) for one in written.sentences]
    vectors = embedder.embed(texts)
    values = sections.values(vectors.astype(float))
    log_sections = values - np.logaddexp.reduce(values, axis=1, keepdims=True)
    sentence, section = reading.assigned(as_note(written), log_sections)
    rows = features.note_rows(texts, vectors, sentence, section)
    labels = np.array([[float(item in one.items) for item in items] for one in written.sentences])
    serves = labels[sentence] * (item_section[None, :] == section[:, None])
    own = serves.max(axis=1)
    anywhere = np.zeros(len(texts))
    np.maximum.at(anywhere, sentence, own)
    needed = np.array([float(bool(one.items)) for one in written.sentences])[sentence]
    elsewhere = (needed > 0) & (own == 0) & (anywhere[sentence] > 0)
    arguable = np.array([item in written.arguable for item in items])
    present = np.where(arguable, 0.5, labels.max(axis=0))
    return ClinicianNote(author, rows, features.summarise(rows), serves, needed, np.where(elsewhere, 0.0, 1.0), present)


def fit(base: NoteHeads, notes: Sequence[ClinicianNote], therapists: Sequence[NoteRows]) -> NoteHeads:
    """``base`` with the clinicians' heads, calibrated on predictions for authors that these did not see."""
    fitted = _uncalibrated(base, notes)
    need_out, scores_out = _held_out(base, notes)
    needed, counts = (np.concatenate([getattr(note, name) for note in notes]) for name in ("needed", "counts"))
    slope, bias = logistic(need_out[:, None], needed, counts, 10.0)
    need = slope[0] * need_out + bias
    shift = float(logit(np.array(base.need_bands.threshold)) - np.quantile(_best(notes, need), DOUBTED))
    inputs = [
        heads.present_inputs(scores, base.present_logit(note.rows, note.summaries, base.serving(note.rows)))
        for note, scores in zip(notes, scores_out, strict=True)
    ]
    present = _present(base, np.stack(inputs), np.stack([note.present for note in notes]))
    wording, wording_head = _wording([note.rows for note in notes], therapists)
    return replace(
        fitted,
        clinician_need=Linear(
            (fitted.clinician_need.weights * slope[0]).astype(np.float32),
            (fitted.clinician_need.bias * slope[0] + bias + shift).astype(np.float32),
        ),
        clinician_present=present,
        wording=wording,
        wording_head=wording_head,
    )


def _uncalibrated(base: NoteHeads, notes: Sequence[ClinicianNote]) -> NoteHeads:
    plain = scaler(np.concatenate([heads.raw_inputs(base.note_prototypes, note.rows) for note in notes]))
    fitted = replace(base, clinician_plain=plain)
    inputs = np.concatenate([fitted.clinician_inputs(note.rows) for note in notes])
    serves = np.concatenate([note.serves for note in notes])
    needed, counts = (np.concatenate([getattr(note, name) for note in notes]) for name in ("needed", "counts"))
    section = np.concatenate([note.rows.section for note in notes])
    weights, bias = np.zeros((len(base.items), inputs.shape[1])), np.zeros(len(base.items))
    for number in sorted(set(section.tolist())):
        own, items = section == number, np.flatnonzero(base.item_section == number)
        weights[items], bias[items] = _ridge(inputs[own], serves[own][:, items], np.ones(int(own.sum())))
    need_weights, need_bias = _ridge(inputs, needed[:, None], counts)
    return replace(
        fitted,
        clinician_items=Linear(weights.astype(np.float32), bias.astype(np.float32)),
        clinician_need=Linear(need_weights.astype(np.float32), need_bias.astype(np.float32)),
    )


def _ridge(inputs: Floats, targets: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Least squares with a penalty: (targets, features) and (targets,)."""
    total = weights.sum()
    centre, middle = weights @ inputs / total, weights @ targets / total
    apart = inputs - centre
    weighed = apart * weights[:, None]
    found = np.linalg.solve(weighed.T @ apart + RIDGE * np.eye(inputs.shape[1]), weighed.T @ (targets - middle))
    return found.T, middle - centre @ found


def author_folds(notes: Sequence[ClinicianNote], count: int) -> Iterator[tuple[list[int], list[int]]]:
    """(training, held-out) indices; an author's notes stay together."""
    authors = sorted({note.author for note in notes})
    for number in range(min(count, len(authors))):
        out = set(authors[number::count])
        yield (
            [index for index, note in enumerate(notes) if note.author not in out],
            [index for index, note in enumerate(notes) if note.author in out],
        )


def _held_out(base: NoteHeads, notes: Sequence[ClinicianNote]) -> tuple[Floats, list[Floats]]:
    need: list[Floats] = [np.zeros(0)] * len(notes)
    scores: list[Floats] = [np.zeros(0)] * len(notes)
    for inside, outside in author_folds(notes, FOLDS):
        fitted = _uncalibrated(base, [notes[index] for index in inside])
        for index in outside:
            rows = notes[index].rows
            need[index] = fitted.clinician_need.values(fitted.clinician_inputs(rows))[:, 0]
            scores[index] = fitted.clinician_scores(rows)
    return np.concatenate(need), scores


def _best(notes: Sequence[ClinicianNote], need: Floats) -> Floats:
    """Each clinical sentence's best row."""
    ends = np.cumsum([len(note.needed) for note in notes])[:-1]
    found: list[Floats] = []
    for note, own in zip(notes, np.split(need, ends), strict=True):
        best = np.full(note.rows.sentence.max() + 1, -np.inf)
        np.maximum.at(best, note.rows.sentence[note.needed > 0], own[note.needed > 0])
        found.append(best[np.isfinite(best)])
    return np.concatenate(found)


def _present(base: NoteHeads, inputs: Floats, present: Floats) -> Linear:
    """One line for all items and a bias each, moved so that the judge's limit serves both errors equally."""
    count = len(base.items)
    design = np.hstack([inputs.reshape(-1, inputs.shape[2]), np.tile(np.eye(count), (len(present), 1))])
    weights, bias = logistic(design, present.ravel(), np.ones(present.size), 0.3)
    values, answers = design @ weights + bias, present.ravel()
    limits = np.quantile(values, np.linspace(0.02, 0.98, 97))
    wrong = [(values[answers == 1] < at).mean() + (values[answers == 0] >= at).mean() for at in limits]
    shift = float(logit(np.array(base.item_bands.threshold)) - limits[int(np.argmin(wrong))])
    lines = np.tile(weights[: inputs.shape[2]], (count, 1))
    return Linear(lines.astype(np.float32), (weights[inputs.shape[2] :] + bias + shift).astype(np.float32))


def _wording(clinicians: Sequence[NoteRows], therapists: Sequence[NoteRows]) -> tuple[heads.Scaler, Linear]:
    """How a note's wording tells the two kinds of notes apart; both kinds weigh the same."""
    values = np.stack([heads.worded(rows) for rows in (*clinicians, *therapists)])
    answers = np.repeat([1.0, 0.0], [len(clinicians), len(therapists)])
    shares = np.where(answers > 0, len(answers) / len(clinicians), len(answers) / len(therapists)) / 2
    scale = scaler(values)
    weights, bias = logistic(scale(values), answers, shares, _WORDING_C)
    weights, bias = weights * _STEEPNESS, bias * _STEEPNESS
    return scale, Linear(weights[None].astype(np.float32), np.array([bias], dtype=np.float32))

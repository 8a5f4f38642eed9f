"""What labelled sessions teach the note heads: which items a sentence serves, and what could be struck out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training import datasets
from models.training.fits import Floats, logistic, scaler
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.completeness import checklist, features, heads, reading
from noteeval_desktop.judges.builtin.completeness.features import NoteRows
from noteeval_desktop.judges.builtin.completeness.heads import NoteHeads
from noteeval_desktop.judges.builtin.learned import Linear, Scaler, logit
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.text import note_lexicon
from noteeval_desktop.judges.builtin.text.words import claim_lexicon
from noteeval_desktop.research.benchmark_notes import LabelledSet
from noteeval_desktop.research.labelled import LabelledSession, read_sessions, sections_of, transcript_of
from noteeval_desktop.research.labelled import Note as WrittenNote

HELD_OUT = frozenset({"a09", "a11", "a21", "a23"})
"""Authors whose notes only measure these heads."""
# Least squares' penalties; 1 to 30 were tried over authors held out and differed by less than .02 of AUC.
NEED_RIDGE, ITEM_RIDGE, TURN_RIDGE = 10.0, 3.0, 30.0
FOLDS = 5
# So many clinical sentences, of authors not trained on, are allowed to be called unneeded, and so many items that a
# note lacks to be called present.
STRUCK_OUT, MADE_UP = 0.17, 0.08
# Where the two kinds of notes part, in log-odds, and how sharply. From 0.5 on no therapist's note of TN-Eval is taken
# for a labelled session's (of conversations and authors held out), from 2 on some labelled ones are taken for theirs.
_WORDING_C, _PARTING, _STEEPNESS = 0.5, 1.5, 2.0


@dataclass(frozen=True)
class ClinicianNote:
    """``serves`` (rows, items), ``needed`` and ``counts`` (rows,), ``present`` (items,), 0.5 where arguable.

    ``counts`` is 0 for a row in a section of which the sentence serves nothing, while it does of its other one.
    """

    author: str
    rows: NoteRows
    serves: Floats
    needed: Floats
    counts: Floats
    present: Floats


def sessions() -> list[LabelledSession]:
    """Those that the heads learn from."""
    return [session for session in read_sessions(datasets.CORPUS) if session.author not in HELD_OUT]


def as_note(written: WrittenNote) -> Note:
    """The note as the app would read it."""
    text, sentences = "", []
    for number, one in enumerate(written.sentences, 1):
        span = Span(len(text), len(text) + len(one.text))
        text += one.text + "\n"
        sentences.append(Sentence(f"s{number}", sections_of(written.format, one.section), span, one.text))
    return Note(text, (), tuple(sentences), written.format)


def labelled_sets(folder: Path) -> list[LabelledSet]:
    """The notes of the sessions below ``folder`` as the benchmarks ``need`` and ``checklist`` ask for them."""
    return [_labelled_set(session, note) for session in read_sessions(folder) for note in session.notes]


def _labelled_set(session: LabelledSession, written: WrittenNote) -> LabelledSet:
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


def laid_out(
    author: str,
    written: WrittenNote,
    items: Sequence[str],
    item_section: NDArray[np.intp],
    sections: Linear,
    embedder: Embedder,
) -> ClinicianNote:
    """``sections`` tells where a sentence under no heading belongs."""
    texts = [note_lexicon.expand(one.text) for one in written.sentences]
    vectors = embedder.embed(texts)
    values = sections.values(vectors.astype(float))
    log_sections = values - np.logaddexp.reduce(values, axis=1, keepdims=True)
    sentence, section = reading.assigned(as_note(written), log_sections)
    labels = np.array([[float(item in one.items) for item in items] for one in written.sentences])
    serves = labels[sentence] * (item_section[None, :] == section[:, None])
    own, anywhere = serves.max(axis=1), np.zeros(len(texts))
    np.maximum.at(anywhere, sentence, own)
    needed = np.array([float(bool(one.items)) for one in written.sentences])[sentence]
    elsewhere = (needed > 0) & (own == 0) & (anywhere[sentence] > 0)
    arguable = np.array([item in written.arguable for item in items])
    return ClinicianNote(
        author,
        features.note_rows(texts, vectors, sentence, section),
        serves,
        needed,
        np.where(elsewhere, 0.0, 1.0),
        np.where(arguable, 0.5, labels.max(axis=0)),
    )


def turn_head(learned_from: Sequence[LabelledSession], items: Sequence[str], embedder: Embedder) -> Linear:
    """Which passages of a session an item's sentences rest on: least squares on ``passage_inputs``."""
    lexicon = claim_lexicon()
    inputs, targets = [], []
    for session in learned_from:
        index = index_session(transcript_of(session), embedder, lexicon)
        served = np.zeros((len(session.turns), len(items)))
        told = (one for note in session.notes for one in note.sentences if one.label == "true")
        for one in told:
            for item in set(one.items) & set(items):
                served[[turn - 1 for turn in one.turns], items.index(item)] = 1
        inputs.append(checklist.passage_inputs(index))
        targets.append(served[[passage.turn for passage in index.passages]])
    rows = np.vstack(inputs)
    return _ridge(rows, np.vstack(targets), np.ones(len(rows)), TURN_RIDGE)


def fit(base: NoteHeads, notes: Sequence[ClinicianNote], therapists: Sequence[NoteRows]) -> NoteHeads:
    """``base`` with the clinicians' heads, calibrated on predictions for authors that these did not see; ``therapists``
    are the notes that ``base`` learned from. Both answers' limits are those of ``base``."""
    fitted = _uncalibrated(base, notes)
    need_out, best_out = _held_out(base, notes)
    needed, counts = (np.concatenate([getattr(note, name) for note in notes]) for name in ("needed", "counts"))
    slope, bias = logistic(need_out[:, None], needed, counts, 10.0)
    need = slope[0] * need_out + bias
    bias += float(logit(np.array(base.need_bands.threshold)) - np.quantile(_best(notes, need), STRUCK_OUT))
    wording, wording_head = _wording([note.rows for note in notes], therapists)
    return replace(
        fitted,
        clinician_need=Linear(
            (fitted.clinician_need.weights * slope[0]).astype(np.float32),
            (fitted.clinician_need.bias * slope[0] + bias).astype(np.float32),
        ),
        clinician_present=_present(base, best_out, np.stack([note.present for note in notes])),
        wording=wording,
        wording_head=wording_head,
    )


def _uncalibrated(base: NoteHeads, notes: Sequence[ClinicianNote]) -> NoteHeads:
    plain = scaler(np.concatenate([heads.raw_inputs(base.note_prototypes, note.rows) for note in notes]))
    fitted = replace(base, clinician_plain=plain)
    inputs = np.concatenate([fitted.clinician_inputs(note.rows) for note in notes])
    serves, needed, counts = (
        np.concatenate([getattr(note, name) for note in notes]) for name in ("serves", "needed", "counts")
    )
    section = np.concatenate([note.rows.section for note in notes])
    weights, bias = np.zeros((len(base.items), inputs.shape[1]), np.float32), np.zeros(len(base.items), np.float32)
    for number in sorted(set(section.tolist())):
        own, items = section == number, np.flatnonzero(base.item_section == number)
        head = _ridge(inputs[own], serves[own][:, items], np.ones(int(own.sum())), ITEM_RIDGE)
        weights[items], bias[items] = head.weights, head.bias
    need = _ridge(inputs, needed[:, None], counts, NEED_RIDGE)
    return replace(fitted, clinician_items=Linear(weights, bias), clinician_need=need)


def _ridge(inputs: Floats, targets: Floats, weights: Floats, penalty: float) -> Linear:
    """Weighted least squares, a head a target."""
    total = weights.sum()
    centre, middle = weights @ inputs / total, weights @ targets / total
    apart = inputs - centre
    weighed = apart * weights[:, None]
    found = np.linalg.solve(weighed.T @ apart + penalty * np.eye(inputs.shape[1]), weighed.T @ (targets - middle))
    return Linear(found.T.astype(np.float32), (middle - centre @ found).astype(np.float32))


def author_folds(notes: Sequence[ClinicianNote]) -> Iterator[tuple[list[int], list[int]]]:
    """(training, held-out) indices; an author's notes stay together."""
    authors = sorted({note.author for note in notes})
    for number in range(min(FOLDS, len(authors))):
        out = set(authors[number::FOLDS])
        yield (
            [index for index, note in enumerate(notes) if note.author not in out],
            [index for index, note in enumerate(notes) if note.author in out],
        )


def _held_out(base: NoteHeads, notes: Sequence[ClinicianNote]) -> tuple[Floats, Floats]:
    need: list[Floats] = [np.zeros(0)] * len(notes)
    best = np.zeros((len(notes), len(base.items)))
    for inside, outside in author_folds(notes):
        fitted = _uncalibrated(base, [notes[index] for index in inside])
        for index in outside:
            rows = notes[index].rows
            need[index] = fitted.clinician_need.values(fitted.clinician_inputs(rows))[:, 0]
            best[index] = heads.best_sentence(fitted.clinician_serving(rows))
    return np.concatenate(need), best


def _best(notes: Sequence[ClinicianNote], need: Floats) -> Floats:
    """Each clinical sentence's best row."""
    ends = np.cumsum([len(note.needed) for note in notes])[:-1]
    found: list[Floats] = []
    for note, own in zip(notes, np.split(need, ends), strict=True):
        best = np.full(note.rows.sentence.max() + 1, -np.inf)
        np.maximum.at(best, note.rows.sentence[note.needed > 0], own[note.needed > 0])
        found.append(best[np.isfinite(best)])
    return np.concatenate(found)


def _present(base: NoteHeads, best: Floats, present: Floats) -> NDArray[np.float32]:
    """One slope for all items, then a bias each, moved so that ``MADE_UP`` of what is lacking lies above the limit."""
    design = np.hstack([best.reshape(-1, 1), np.tile(np.eye(len(base.items)), (len(best), 1))])
    weights, bias = logistic(design, present.ravel(), np.ones(present.size), 0.3)
    lacking = (design @ weights + bias)[present.ravel() == 0]
    shift = float(logit(np.array(base.item_bands.threshold)) - np.quantile(lacking, 1 - MADE_UP))
    return np.append(weights[0], weights[1:] + bias + shift).astype(np.float32)


def _wording(clinicians: Sequence[NoteRows], therapists: Sequence[NoteRows]) -> tuple[Scaler, Linear]:
    """How a note's wording tells the two kinds of notes apart; both kinds weigh the same."""
    values = np.stack([heads.worded(rows) for rows in (*clinicians, *therapists)])
    answers = np.repeat([1.0, 0.0], [len(clinicians), len(therapists)])
    shares = np.where(answers > 0, len(answers) / len(clinicians), len(answers) / len(therapists)) / 2
    scale = scaler(values)
    weights, bias = logistic(scale(values), answers, shares, _WORDING_C)
    return scale, Linear(
        (weights * _STEEPNESS)[None].astype(np.float32),
        np.array([(bias - _PARTING) * _STEEPNESS], dtype=np.float32),
    )

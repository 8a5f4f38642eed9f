"""Training of the faithfulness heads, and their cross-validation by conversation."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.scores import expected_faithfulness
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.claim_reader import ReadNote, read_note, sure_of
from noteeval_desktop.judges.builtin.features_raised import LENGTH
from noteeval_desktop.judges.builtin.fitting import fit_calibration, fit_forest, fit_line
from noteeval_desktop.judges.builtin.forest import Forest
from noteeval_desktop.judges.builtin.line import Line
from noteeval_desktop.judges.builtin.note_lexicon import expand
from noteeval_desktop.judges.builtin.note_words import NoteWords, count_words
from noteeval_desktop.judges.builtin.observed import observation_in
from noteeval_desktop.judges.builtin.plain_wording import plain_wording
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.support import Supporter
from noteeval_desktop.judges.builtin.support_heads import (
    KINDS,
    Calibration,
    SupportHeads,
    calibrated,
    change_inputs,
    decide,
    places,
    topic_inputs,
)
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon
from noteeval_desktop.measures.changes import ChangeKind
from noteeval_desktop.measures.degrade import degrade
from noteeval_desktop.measures.second_hand import reworded
from noteeval_desktop.measures.tn_eval import Answer, JudgedNote, LabelledNote

Floats = NDArray[np.float64]
FOLDS, INNER_FOLDS = 7, 5
TREES, CHANGE_TREES = 150, 60
# (kind, seeds): numbers and negations have fewer places or more ways, so they are drawn more often.
_DRAWS = (
    (ChangeKind.NUMBER, (1, 2, 3)),
    (ChangeKind.NEGATION, (1, 2)),
    (ChangeKind.PERSON, (1,)),
    (ChangeKind.TERM, (1,)),
    (ChangeKind.FACT, (1,)),
)
_CHANGES = 5
_SECOND_HAND = 1
_JOINED = 4
# Of the sessions as they are, the share that is taken for no longer than usual.
_USUAL = 0.9
# Trees hear which of several readings of a number fits; lines carry over to wordings that training did not see.
_BY_FOREST = (ChangeKind.NUMBER, ChangeKind.NEGATION, ChangeKind.TERM, ChangeKind.FACT)
_BY_LINE = {ChangeKind.NEGATION: 0.3, ChangeKind.PERSON: 0.3, ChangeKind.TERM: 0.3, ChangeKind.FACT: 0.1}
# As log-odds, the forest's mean itself.
_AS_IT_IS: Calibration = (1.0, 1.0, 0.0)
# Scores are rounded when they are kept.
_ROUNDING = 5e-4
# The share of each kind of our generator's changes that is to be found. Swapped persons most: our own are the easiest
# to tell, and of those that others would make two thirds are found at this limit. Made-up facts, because each that
# passes lifts the score, and few true claims look so.
_TO_FIND = {
    ChangeKind.NUMBER: 0.87,
    ChangeKind.NEGATION: 0.78,
    ChangeKind.PERSON: 0.92,
    ChangeKind.TERM: 0.80,
    ChangeKind.FACT: 0.94,
}


@dataclass(frozen=True)
class Rows:
    """Sentences as numbers, as they stand and in plain wording, (n, features) each; what each observes; and of which
    kinds of change a rule is sure, (n, kinds)."""

    alone: Floats
    topic: Floats
    observations: NDArray[np.object_]
    sure: NDArray[np.bool_]

    def pick(self, chosen: NDArray[Any]) -> Rows:
        return Rows(self.alone[chosen], self.topic[chosen], self.observations[chosen], self.sure[chosen])


@dataclass(frozen=True)
class Examples:
    """``labels`` (n, therapists); ``conversation``, ``note`` (n,); and what changed sentences have of it.

    ``long`` (n, features) are the sentences in plain wording against sessions to which others were joined.

    ``changed_own`` (m,): the change is our generator's, by which limits are chosen, and not in other words.
    Sentences were read by ``words_without`` their own conversation; new ones are to be read by ``words``.
    """

    names: tuple[str, ...]
    words: NoteWords
    words_without: Mapping[str, NoteWords]
    rows: Rows
    long: Floats
    labels: Floats
    conversation: NDArray[np.str_]
    note: NDArray[np.intp]
    changed: Rows
    changed_conversation: NDArray[np.str_]
    changed_kind: NDArray[np.object_]
    changed_own: NDArray[np.bool_]

    @property
    def conversations(self) -> list[str]:
        return sorted(set(self.conversation.tolist()))


def make(notes: Sequence[LabelledNote], embedder: Embedder, lexicon: ClaimLexicon) -> Examples:
    """Read every note, and every note with changes, against its session. Takes minutes.

    One thread for linear algebra: with several, the last digits depend on how many there are, and with them the heads.
    """
    with threadpool_limits(1):
        return _made(notes, embedder, lexicon)


def _made(notes: Sequence[LabelledNote], embedder: Embedder, lexicon: ClaimLexicon) -> Examples:
    words, words_without = _words(notes, embedder, lexicon)
    parts: list[Rows] = []
    long: list[Floats] = []
    made: list[Rows] = []
    origin: list[tuple[str, ChangeKind, bool]] = []
    names: tuple[str, ...] = ()
    session, current = None, None
    for note in notes:
        if session is None or current != note.conversation:
            session, current = index_session(note.case.transcript, embedder, lexicon), note.conversation
            joined = index_session(_joined(current, notes), embedder, lexicon)
        known = words_without[note.conversation]
        read = read_note(note.case.note.sentences, session, embedder, lexicon, known)
        names = read.names
        parts.append(_rows(read))
        long.append(read_note(note.case.note.sentences, joined, embedder, lexicon, known).topic)
        for kind, own, sentences in _changed(note.case.note):
            if sentences:
                made.append(_rows(read_note(sentences, session, embedder, lexicon, known)))
                origin += [(note.conversation, kind, own)] * len(sentences)
    return Examples(
        names=names,
        words=words,
        words_without=words_without,
        rows=_stacked(parts),
        long=np.vstack([part for part in long if len(part)]),
        labels=np.array([labelled.faithful for note in notes for labelled in note.sentences], dtype=float),
        conversation=np.repeat([note.conversation for note in notes], [len(note.sentences) for note in notes]),
        note=np.repeat(np.arange(len(notes)), [len(note.sentences) for note in notes]),
        changed=_stacked(made),
        changed_conversation=np.array([conversation for conversation, _, _ in origin]),
        changed_kind=np.array([kind for _, kind, _ in origin], dtype=object),
        changed_own=np.array([own for _, _, own in origin]),
    )


def _joined(conversation: str, notes: Sequence[LabelledNote]) -> Transcript:
    """A conversation with ``_JOINED`` others behind it, as long as sessions are that last an hour."""
    sessions = {note.conversation: note.case.transcript.turns for note in notes}
    others = sorted(set(sessions) - {conversation})
    random.Random(conversation).shuffle(others)
    turns = [turn for name in (conversation, *others[:_JOINED]) for turn in sessions[name]]
    return Transcript(tuple(replace(turn, index=index) for index, turn in enumerate(turns)))


def _words(
    notes: Sequence[LabelledNote], embedder: Embedder, lexicon: ClaimLexicon
) -> tuple[NoteWords, dict[str, NoteWords]]:
    """Of all conversations' notes, and by conversation of all others'."""
    pieces: dict[str, set[str]] = {}
    for note in notes:
        texts = [expand(plain_wording(sentence.text, lexicon)) for sentence in note.case.note.sentences]
        held = pieces.setdefault(note.conversation, set())
        held.update(name for names, _ in embedder.token_embeddings(texts) for name in names)
    others = {name: [held for other, held in pieces.items() if other != name] for name in pieces}
    count = len(pieces)
    return count_words(pieces.values(), count), {name: count_words(held, count) for name, held in others.items()}


def _changed(note: Note) -> Iterator[tuple[ChangeKind, bool, list[Sentence]]]:
    """A kind of change, whether it is our generator's, and the sentences changed so."""
    for kind, seed in [(kind, seed) for kind, seeds in _DRAWS for seed in seeds]:
        worse = degrade(note, seed, 1 if kind is ChangeKind.FACT else _CHANGES, [kind])
        ids = {change.sentence for change in worse.changes}
        yield kind, True, [sentence for sentence in worse.note.sentences if sentence.id in ids]
    if note.sentences:
        for index, kind, text in reworded([sentence.text for sentence in note.sentences], note.text, _SECOND_HAND):
            yield kind, False, [replace(note.sentences[index], text=text)]


def _rows(read: ReadNote) -> Rows:
    observations = np.array([observation_in(reading.claim.text) for reading in read.readings], dtype=object)
    return Rows(read.alone, read.topic, observations, sure_of(read.readings, KINDS))


def _stacked(parts: Sequence[Rows]) -> Rows:
    kept = [part for part in parts if len(part.alone)]
    return Rows(
        np.vstack([part.alone for part in kept]),
        np.vstack([part.topic for part in kept]),
        np.concatenate([part.observations for part in kept]),
        np.vstack([part.sure for part in kept]),
    )


@dataclass(frozen=True)
class Answers:
    """``probability`` (n,); ``changes`` (n, kinds); ``verdicts`` (n,) of ``Verdict``."""

    probability: Floats
    changes: Floats
    verdicts: NDArray[np.object_]

    @property
    def errors(self) -> NDArray[np.bool_]:
        return np.asarray(self.verdicts == Verdict.UNSUPPORTED)

    @property
    def supported(self) -> NDArray[np.bool_]:
        return np.asarray(self.verdicts == Verdict.SUPPORTED)


def answers(heads: SupportHeads, rows: Rows) -> Answers:
    """As the judge would, but for what the whole note decides (a danger that it denies)."""
    changes = heads.changes(rows.alone, rows.topic)
    altered = heads.altered(changes) | rows.sure
    probability = heads.faithful(rows.topic, altered)
    verdicts = [
        decide(chance, _marked(marks), observation)
        for chance, marks, observation in zip(probability.tolist(), altered, rows.observations, strict=True)
    ]
    return Answers(probability, changes, np.array(verdicts, dtype=object))


def fit(data: Examples, conversations: Sequence[str], seed: int = 0) -> SupportHeads:
    """Heads from these conversations, calibrated and with limits chosen by answers held out within them.

    One thread for linear algebra, as in ``make``.
    """
    with threadpool_limits(1):
        return _fitted(data, conversations, seed)


def _fitted(data: Examples, conversations: Sequence[str], seed: int) -> SupportHeads:
    raw, changed_raw = np.zeros(len(data.conversation)), np.zeros(len(data.changed_kind))
    changes = np.zeros((len(data.changed_kind), len(KINDS)))
    for inside, outside in folds(conversations, INNER_FOLDS, seed + 1):
        heads = _fit(data, inside, seed)
        own, at = np.isin(data.conversation, outside), np.isin(data.changed_conversation, outside)
        changed = data.changed.pick(at)
        raw[own] = heads.leaning(data.rows.topic[own])
        changed_raw[at] = heads.leaning(changed.topic)
        changes[at] = heads.changes(changed.alone, changed.topic)
    inside_all = np.isin(data.conversation, conversations)
    calibration = fit_calibration(raw[inside_all], data.labels[inside_all].mean(axis=1))
    probability = calibrated(changed_raw, calibration)
    own = np.isin(data.changed_conversation, conversations) & data.changed_own
    limits = {
        kind: _limit(kind, probability[at], changes[at, number], data.changed.pick(at))
        for number, kind in enumerate(KINDS)
        if (at := own & (data.changed_kind == kind)).any()
    }
    fitted = _fit(data, conversations, seed)
    return replace(fitted, calibration=calibration, limits=dict.fromkeys(KINDS, 1.0) | limits)


def _limit(kind: ChangeKind, probability: Floats, scores: Floats, rows: Rows) -> float:
    """The highest score from which on as many of these changed sentences are called errors as are to be found."""
    known = list(zip(probability.tolist(), map(_marked, rows.sure), rows.observations, strict=True))
    found = np.array([decide(*sentence) is Verdict.UNSUPPORTED for sentence in known], dtype=bool)
    could = np.array(
        [decide(chance, [*marks, kind], seen) is Verdict.UNSUPPORTED for chance, marks, seen in known], dtype=bool
    )
    gained = scores[could & ~found]
    needed = math.ceil(_TO_FIND[kind] * len(known)) - int(found.sum())
    if not len(gained) or needed <= 0:
        return 1.0
    lowest = float(np.sort(gained)[::-1][min(needed, len(gained)) - 1])
    return round(lowest - _ROUNDING, 4)


def _marked(marks: NDArray[np.bool_]) -> list[ChangeKind]:
    return [kind for kind, is_so in zip(KINDS, marks, strict=True) if is_so]


def _fit(data: Examples, conversations: Sequence[str], seed: int) -> SupportHeads:
    """Heads as the forests leave them: neither calibrated nor with limits that anything reaches."""
    own, theirs = np.isin(data.conversation, conversations), np.isin(data.changed_conversation, conversations)
    rows, changed, kinds = data.rows.pick(own), data.changed.pick(theirs), data.changed_kind[theirs]
    inputs, changed_inputs = (change_inputs(data.names, part.alone, part.topic) for part in (rows, changed))
    fits, changed_fits = (places(data.names, part.alone) for part in (rows, changed))
    forests: dict[ChangeKind, Forest] = {}
    lines: dict[ChangeKind, Line] = {}
    for number, kind in enumerate(KINDS):
        kept, worse = inputs[fits[:, number]], changed_inputs[changed_fits[:, number] & (kinds == kind)]
        shown = np.vstack([kept, worse])
        target = np.r_[np.zeros(len(kept)), np.ones(len(worse))]
        weights = np.r_[np.ones(len(kept)), np.full(len(worse), len(kept) / max(1, len(worse)))]
        if kind in _BY_FOREST:
            forests[kind] = fit_forest(shown, target, weights, seed, CHANGE_TREES)
        if kind in _BY_LINE:
            lines[kind] = fit_line(shown, target, weights, _BY_LINE[kind])
    shares = data.labels[own].mean(axis=1)
    return SupportHeads(
        names=data.names,
        words=data.words,
        faithful_forest=fit_forest(topic_inputs(data.names, rows.topic), shares, None, seed, TREES),
        long_forest=fit_forest(topic_inputs(data.names, data.long[own]), shares, None, seed, TREES),
        lengths=_lengths(data),
        change_forests=forests,
        change_lines=lines,
        calibration=_AS_IT_IS,
        limits=dict.fromkeys(KINDS, 2.0),
    )


def _lengths(data: Examples) -> tuple[float, float]:
    """Passages of a session that is longer than usual, and of one that is as long as those with others joined."""
    column = data.names.index(LENGTH)
    usual = np.quantile(data.rows.topic[:, column], _USUAL)
    long = np.median(data.long[:, column])
    return round(float(np.expm1(usual))), round(float(np.expm1(long)))


def folds(conversations: Sequence[str], count: int, seed: int) -> list[tuple[list[str], list[str]]]:
    """(inside, outside) lists of conversations, shuffled by ``seed``."""
    order = np.random.default_rng(seed).permutation(sorted(set(conversations)))
    return [([c for i, c in enumerate(order) if i % count != k], list(order[k::count])) for k in range(count)]


def held_out_heads(
    data: Examples, seed: int = 0, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, SupportHeads]:
    """By conversation: heads that never saw it, limits included."""
    found: dict[str, SupportHeads] = {}
    for number, (inside, outside) in enumerate(folds(list(data.conversation), FOLDS, seed)):
        heads = fit(data, inside, seed)
        found |= {name: replace(heads, words=data.words_without[name]) for name in outside}
        progress(number + 1, FOLDS)
    return found


class HeldOutJudge:
    """Judges claims with heads that have not seen their conversation; the last session read is kept."""

    def __init__(self, embedder: Embedder, lexicon: ClaimLexicon, heads: SupportHeads) -> None:
        self._embedder, self._lexicon = embedder, lexicon
        self._supporter = Supporter(embedder, lexicon, heads)
        self._session: tuple[str, SessionIndex] | None = None

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        """One verdict a sentence, in order. Raises Cancelled, ModelError."""
        name = case.transcript.content_fingerprint
        if self._session is None or self._session[0] != name:
            self._session = (name, index_session(case.transcript, self._embedder, self._lexicon, cancel))
        return self._supporter(case, self._session[1], cancel)


def held_out_judges(notes: Sequence[LabelledNote], embedder: Embedder, seed: int = 0) -> Callable[[int], HeldOutJudge]:
    """For each note, by its place, a judge with heads that never saw its conversation. Takes minutes."""
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    heads = held_out_heads(make(notes, embedder, lexicon), seed)
    judges = {name: HeldOutJudge(embedder, lexicon, own) for name, own in heads.items()}
    return lambda number: judges[notes[number].conversation]


def cross_validated(
    data: Examples, seed: int = 0, progress: Callable[[int, int], None] = lambda done, total: None
) -> tuple[JudgedNote, ...]:
    """Every note's answers, in the order of its sentences, and its score, by heads that never saw its conversation.

    Yes is what the judge would call supported: what only the room shows counts as no, as the published definition has
    it.
    """
    heads = held_out_heads(data, seed, progress)
    judged: list[JudgedNote] = []
    for note in np.unique(data.note):
        at = data.note == note
        found = answers(heads[data.conversation[at][0]], data.rows.pick(at))
        chances = found.probability.tolist()
        claims = [ClaimVerdict("", v, probability=p) for v, p in zip(found.verdicts, chances, strict=True)]
        judged.append(
            JudgedNote(
                faithful=tuple(Answer(p, bool(yes)) for p, yes in zip(chances, found.supported, strict=True)),
                faithfulness=expected_faithfulness(claims),
            )
        )
    return tuple(judged)

"""What the faithfulness heads learn from: labelled notes, the same with changes, and notes composed for it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.claim_reader import ReadNote, borne_out, read_note, sure_of
from noteeval_desktop.judges.builtin.note_lexicon import expand
from noteeval_desktop.judges.builtin.note_words import NoteWords, count_words
from noteeval_desktop.judges.builtin.observed import observation_in
from noteeval_desktop.judges.builtin.plain_wording import plain_wording
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.support_heads import KINDS
from noteeval_desktop.judges.builtin.words import ClaimLexicon
from noteeval_desktop.measures.changes import ChangeKind
from noteeval_desktop.measures.composed import CHANGE_OF, ComposedClaim, ComposedSession, Truth, load_composed
from noteeval_desktop.measures.degrade import degrade
from noteeval_desktop.measures.second_hand import reworded
from noteeval_desktop.measures.tn_eval import LabelledNote

Floats = NDArray[np.float64]
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


@dataclass(frozen=True)
class Rows:
    """Sentences as numbers, as they stand and in plain wording, (n, features) each; what each observes; and which
    kinds of change a rule is sure of, and which it rules out, (n, kinds) each."""

    alone: Floats
    topic: Floats
    observations: NDArray[np.object_]
    sure: NDArray[np.bool_]
    borne_out: NDArray[np.bool_]

    def pick(self, chosen: NDArray[Any]) -> Rows:
        return Rows(*(values[chosen] for values in vars(self).values()))


@dataclass(frozen=True)
class Examples:
    """``labels`` (n, therapists); ``conversation``, ``note`` (n,); and what changed sentences have of it.

    ``long`` (n, features) are the sentences in plain wording against sessions to which others were joined.

    ``changed_own`` (m,): the change is our generator's, by which limits are chosen, and not in other words. ``told``
    are claims of composed sessions, ``told_kind`` (k,) the kind of their error, None of true ones.
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
    told: Rows
    told_conversation: NDArray[np.str_]
    told_kind: NDArray[np.object_]

    @property
    def conversations(self) -> list[str]:
        """Of the labelled notes, and the composed sessions."""
        return sorted({*self.conversation.tolist(), *self.told_conversation.tolist()})


def composed_sessions() -> tuple[ComposedSession, ...]:
    """Those of ``resources/composed`` to learn from. Raises InputError."""
    return load_composed(paths.resources() / "composed" / "training.json")


def make(
    notes: Sequence[LabelledNote], composed: Sequence[ComposedSession], embedder: Embedder, lexicon: ClaimLexicon
) -> Examples:
    """Read every note, every note with changes, and every composed one, against its session. Takes minutes.

    One thread for linear algebra: with several, the last digits depend on how many there are, and with them the heads.
    """
    with threadpool_limits(1):
        return _made(notes, composed, embedder, lexicon)


def _made(
    notes: Sequence[LabelledNote], composed: Sequence[ComposedSession], embedder: Embedder, lexicon: ClaimLexicon
) -> Examples:
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
    told = [_told(one, embedder, lexicon, words) for one in composed]
    errors = [CHANGE_OF[claim.error] if claim.error else None for one in composed for claim in _checkable(one)]
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
        told=_stacked(told) if told else parts[0].pick(np.zeros(0, dtype=int)),
        told_conversation=np.array([one.name for one in composed for _ in _checkable(one)], dtype=str),
        told_kind=np.array(errors, dtype=object),
    )


def _checkable(session: ComposedSession) -> list[ComposedClaim]:
    return [claim for claim in session.claims if claim.truth is not Truth.OBSERVED]


def _told(session: ComposedSession, embedder: Embedder, lexicon: ClaimLexicon, words: NoteWords) -> Rows:
    index = index_session(session.case.transcript, embedder, lexicon)
    return _rows(read_note([claim.sentence for claim in _checkable(session)], index, embedder, lexicon, words))


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
    return Rows(read.alone, read.topic, observations, sure_of(read.readings, KINDS), borne_out(read.readings, KINDS))


def _stacked(parts: Sequence[Rows]) -> Rows:
    kept = [part for part in parts if len(part.alone)]
    return Rows(
        np.vstack([part.alone for part in kept]),
        np.vstack([part.topic for part in kept]),
        np.concatenate([part.observations for part in kept]),
        np.vstack([part.sure for part in kept]),
        np.vstack([part.borne_out for part in kept]),
    )

"""What tells a passage that is missing from a note: what the session makes of it, and what the note says of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import fsum

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.note import SOAP, Section, Sentence
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.domain.verdicts import OmissionKind
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

Floats = NDArray[np.float32]
_SHORT_ANSWER_STEMS = 6
# What the head was trained to tell apart; a language model knows more kinds.
KINDS = tuple(OmissionKind)[: tuple(OmissionKind).index(OmissionKind.SCALE) + 1]
_BESIDE_KINDS = 11
SURFACE_FEATURES = _BESIDE_KINDS + len(KINDS) - 1


@cache
def _kind_patterns() -> tuple[re.Pattern[str], ...]:
    """Words of each kind; risk has a lexicon of its own."""
    return tuple(re.compile("|".join(patterns)) for patterns in paths.lexicon("omissions.json").values())


@dataclass(frozen=True)
class Units:
    """One row a passage of the session: ``vectors`` (n, dim) of unit length, an answer's joined with its question's;
    ``surface`` (n, SURFACE_FEATURES); ``answers`` whether it is a short answer to the question just before it."""

    session: SessionIndex
    vectors: Floats
    surface: Floats
    answers: tuple[bool, ...]

    @property
    def features(self) -> Floats:
        return np.hstack([self.vectors, self.surface])


def read_units(session: SessionIndex) -> Units:
    passages, vectors = session.passages, np.array(session.vectors)
    rows, short = [], []
    for number, passage in enumerate(passages):
        asked = number > 0 and passages[number - 1].role is Role.THERAPIST and "?" in passages[number - 1].text
        answers = passage.role is not Role.THERAPIST and asked and len(passage.stems) <= _SHORT_ANSWER_STEMS
        words = passage.text
        if answers:
            words = passages[number - 1].text + " " + words
            vectors[number] = _joined(session, number)
        short.append(answers)
        folded = words.lower().replace("’", "'")
        rows.append([*_surface(session, number, asked), *(bool(kind.search(folded)) for kind in _kind_patterns())])
    surface = np.array(rows, dtype=np.float32).reshape(len(passages), SURFACE_FEATURES)
    return Units(session, vectors, surface, tuple(short))


def _joined(session: SessionIndex, number: int) -> Floats:
    pair = slice(number - 1, number + 1)
    weights = np.sqrt([len(passage.words) + 1 for passage in session.passages[pair]])
    joined = (session.vectors[pair] * weights[:, None]).sum(axis=0)
    return np.asarray(joined / np.linalg.norm(joined), dtype=np.float32)


def _surface(session: SessionIndex, number: int, asked: bool) -> Sequence[float]:
    passage, place = session.passages[number], number / len(session.passages)
    therapist = passage.role is Role.THERAPIST
    length, stems = np.log1p(len(passage.words)), np.log1p(len(passage.stems))
    return (
        therapist, length, stems, "?" in passage.text, asked, place, bool(passage.quantities), len(passage.stems) <= 1,
        therapist * stems, place > 0.85, place < 0.1,
    )  # fmt: skip


Flags = NDArray[np.bool_]
_SAME_WORD = 0.6
_RETURNED_TO = 0.5
_MOST_RETURNS = 6
_ECHO = 3
_WORDS_SAID = 0.8
_FEWEST_STEMS = 2
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Talk:
    """A session's passages beside each other; all arrays are (passages, ...), none (passages, passages)."""

    units: Units

    def alike(self, number: int) -> Floats:
        """(passages,) cosines of one passage with each, 0 with itself."""
        cosines = self.units.vectors @ self.units.vectors[number]
        cosines[number] = 0.0
        return np.asarray(cosines, dtype=np.float32)

    def _rows(self) -> Iterator[tuple[int, Floats]]:
        """Where some rows of all cosines begin, and these (rows, passages), 0 on the diagonal; all rows at once take
        a gigabyte for 5,000 turns."""
        vectors = self.units.vectors
        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            cosines = np.asarray(vectors[start : start + _ROWS_AT_ONCE] @ vectors.T, dtype=np.float32)
            own = np.arange(len(cosines))
            cosines[own, start + own] = 0.0
            yield start, cosines

    @cached_property
    def turns(self) -> NDArray[np.int64]:
        return np.array([passage.turn for passage in self.units.session.passages], dtype=np.int64)

    @cached_property
    def questions(self) -> Flags:
        """(passages,) The therapist's questions that the client answers next."""
        passages = self.units.session.passages
        asked = [
            own.role is Role.THERAPIST and own.text.rstrip().endswith("?") and following.role is not Role.THERAPIST
            for own, following in itertools.pairwise(passages)
        ]
        return np.array([*asked, False][: len(passages)], dtype=bool)

    def related(self, number: int) -> Floats:
        """(passages,): cosine with one passage, and a little for standing in neighbouring turns."""
        apart = np.abs(self.turns - self.turns[number])
        return np.asarray(self.alike(number) + 0.25 * (apart == 1) + 0.15 * (apart == 2), dtype=np.float32)

    def around(self, values: Floats) -> Floats:
        """(passages, values): what a passage's neighbours in the session and in meaning have on average."""
        found = [np.empty((0, values.shape[1]), dtype=np.float32)]
        for start, alike in self._rows():
            apart = np.abs(self.turns[start : start + len(alike), None] - self.turns[None, :])
            weights = np.where(apart <= 2, 1 / (1 + apart), 0) + np.clip(alike - 0.3, 0, None)
            own = np.arange(len(alike))
            weights[own, start + own] = 0.0
            weights = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-6)
            found.append(np.asarray(weights.astype(np.float32) @ values, dtype=np.float32))
        return np.concatenate(found)

    @cached_property
    def rarity(self) -> dict[str, float]:
        session = self.units.session
        count = len(session.passages)
        return {stem: float(np.log1p(count / (1 + len(held)))) for stem, held in session.by_stem.items()}

    @cached_property
    def features(self) -> Floats:
        """Surface, how much else is like it, how often its words return, whether the other speaker takes it up, how
        near it is to what the session is about, how much its words tell, the session's length."""
        passages, count = self.units.session.passages, len(self.units.session.passages)
        held = {stem: len(found) for stem, found in self.units.session.by_stem.items()}
        returns = [np.mean([min(held[s], _MOST_RETURNS) for s in p.stems]) if p.stems else 0.0 for p in passages]
        closest, later, echoes = [np.empty((0, 2), dtype=np.float32)], list[int](), list[float]()
        for start, alike in self._rows():
            ordered = -np.sort(-alike, axis=1)
            closest.append(np.column_stack([ordered[:, :1].sum(axis=1), ordered[:, :5].mean(axis=1)]))
            for number, row in enumerate(alike, start):
                later.append(min(int((row[number + 1 :] >= _RETURNED_TO).sum()), _MOST_RETURNS))
                echoes.append(self._echo(number, row))
        middle = self.units.vectors.mean(axis=0)
        central = self.units.vectors @ (middle / max(float(np.linalg.norm(middle)), 1e-6))
        telling = [sum(self.rarity[stem] for stem in passage.stems) for passage in passages]
        columns = [returns, later, echoes, central, telling, [np.log1p(count)] * count]
        own = np.array(columns, dtype=np.float32).T
        return np.column_stack([self.units.surface, np.concatenate(closest), own]).astype(np.float32)

    def _echo(self, number: int, alike: Floats) -> float:
        passages = self.units.session.passages
        near = range(number + 1, min(number + 1 + _ECHO, len(passages)))
        others = (float(alike[other]) for other in near if passages[other].role is not passages[number].role)
        return max(others, default=0.0)


@dataclass(frozen=True)
class Said:
    """How far each sentence of a note says each passage: ``whole`` is (passages, sentences) cosines, ``windows`` the
    same for passages with their neighbours, ``words`` (word pieces of the session, sentences) the closest word."""

    talk: Talk
    whole: Floats
    windows: Floats
    words: Floats
    stems: tuple[frozenset[str], ...]
    sections: tuple[Section, ...]

    def features(self, kept: Flags) -> Floats:
        """(passages, 16) for the note of the sentences that are ``kept``; zeros where none is."""
        count, columns = len(self.whole), np.flatnonzero(kept)
        if not len(columns) or not count:
            return np.zeros((count, 12 + len(SOAP)), dtype=np.float32)
        whole = self.whole[:, columns]
        ordered = -np.sort(-whole, axis=1)
        ordered = np.pad(ordered, ((0, 0), (0, max(0, 3 - ordered.shape[1]))), mode="edge")
        nearest = np.bincount(whole.argmax(axis=0), minlength=count).clip(0, 3)
        ranks = whole.argsort(axis=0).argsort(axis=0).max(axis=1) / max(count - 1, 1)
        meaning = (ordered[:, 0], ordered[:, 1], ordered[:, :3].mean(axis=1), self.windows[:, columns].max(axis=1))
        rows = (*meaning, *self._by_words(columns), *self._by_stems(columns), nearest, ranks)
        return np.column_stack([*rows, *self._by_section(columns)]).astype(np.float32)

    def _by_words(self, columns: NDArray[np.int64]) -> tuple[NDArray[np.float64], ...]:
        """How close the passage's words come to the note's on average, how many are there, and in one sentence."""
        owner, count = self.talk.units.session.owner, len(self.whole)
        pieces = np.bincount(owner, minlength=count).clip(1)
        words = self.words[:, columns]
        closest = words.max(axis=1)
        single = [np.bincount(owner, words[:, number], count) for number in range(words.shape[1])]
        mean, share = np.bincount(owner, closest, count), np.bincount(owner, closest >= _SAME_WORD, count)
        return mean / pieces, share / pieces, np.max(single, axis=0) / pieces

    def _by_stems(self, columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """(3, passages): what share of its words, weighted by rarity, the note and one sentence hold; what is left."""
        rarity, own = self.talk.rarity, [self.stems[number] for number in columns]
        anywhere = frozenset().union(*own)
        rows = []
        for passage in self.talk.units.session.passages:
            total = fsum(rarity[stem] for stem in passage.stems)
            held = fsum(rarity[stem] for stem in passage.stems & anywhere)
            one = max(fsum(rarity[stem] for stem in passage.stems & stems) for stems in own)
            rows.append((held / max(total, 1e-6), one / max(total, 1e-6), total - held))
        return np.array(rows, dtype=np.float64).T

    def _by_section(self, columns: NDArray[np.int64]) -> list[Floats]:
        found = []
        for section in SOAP:
            own = [number for number in columns if self.sections[number] is section]
            found.append(self.whole[:, own].max(axis=1) if own else np.zeros(len(self.whole), dtype=np.float32))
        return found

    def unreportable(self, kept: Flags) -> Flags:
        """(passages,): says next to nothing, or one sentence holds nearly all its words, numbers included."""
        units = self.talk.units
        sentences = [stems for stems, own in zip(self.stems, kept, strict=True) if own]
        held = [passage.stems for passage in units.session.passages]
        few = np.array([len(stems) < _FEWEST_STEMS for stems in held], dtype=bool)
        told = np.array([_in_one_of(stems, sentences) for stems in held], dtype=bool)
        return np.asarray((few & ~units.surface[:, _BESIDE_KINDS:].any(axis=1)) | told, dtype=bool)


def read_said(talk: Talk, sentences: Sequence[Sentence], embedder: Embedder, lexicon: ClaimLexicon) -> Said:
    """Every sentence of a note against every passage. Raises ModelError."""
    session, texts = talk.units.session, [sentence.text for sentence in sentences]
    tokens = [vectors for _, vectors in embedder.token_embeddings(texts)]
    vectors = embedder.embed(texts)
    # Turned round in memory, the greatest of a few in each of many rows is found three times as fast.
    words = [
        np.ascontiguousarray((session.pieces @ own.T).T).max(axis=0)
        if len(own)
        else np.zeros(len(session.pieces), dtype=np.float32)
        for own in tokens
    ]
    return Said(
        talk,
        talk.units.vectors @ vectors.T,
        session.windows @ vectors.T,
        np.array(words, dtype=np.float32).reshape(len(texts), len(session.pieces)).T,
        tuple(frozenset(lexicon.content_stems(text)) for text in texts),
        tuple(sentence.section for sentence in sentences),
    )


def joined(talk: Talk, note: Floats, worth: Floats, likeness: Floats) -> Floats:
    """(passages, features) for the ranking head: ``note`` is what ``Said.features`` gives, ``worth`` log-odds that
    therapists would want the passage in a note, ``likeness`` how near it is to what notes say."""
    closest, words, left = note[:, 0], note[:, 4], note[:, 9]
    places = [_places(values) for values in (worth, closest, words)]
    bends = (closest**2, np.maximum(closest - 0.5, 0), np.maximum(0.35 - closest, 0), closest * worth)
    near = talk.around(np.column_stack([worth, closest, words, left]))
    columns = (*bends, *(note[:, 3:6] ** 2).T, *places, places[0] * (1 - places[1]), *near.T, likeness)
    return np.column_stack([worth, talk.features, note, *columns]).astype(np.float32)


def _places(values: Floats) -> Floats:
    """From 0 for the lowest to nearly 1 for the highest."""
    return np.asarray(values.argsort().argsort() / max(len(values), 1), dtype=np.float32)


def _in_one_of(stems: frozenset[str], sentences: Sequence[frozenset[str]]) -> bool:
    return len(stems) >= 3 and any(len(stems & own) >= _WORDS_SAID * len(stems) for own in sentences)

"""A session prepared once for checking any number of claims against it."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.text.polarity import Answer, answer_of, negated
from noteeval_desktop.judges.builtin.text.quantities import Quantity, quantities
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, Word, patterns

Floats = NDArray[np.float32]
_WORDS = patterns("speech_cues.json")
_PASSAGE_WORDS = 42
_TOKEN = re.compile(r"\S+")
# Someone's mum or dad tells of a child: "Ellie's mum", "at her mum's".
_PARENT_OF = re.compile(r"\b(?:(her|his)|[A-Z][a-z]+['’]s) (?:mum|mom|mother|dad|father)\b")
_CHILDREN = {"her": ("daughter",), "his": ("son",), None: ("daughter", "son")}
_SENTENCE_END = re.compile(r"[.!?…][\"”’)]*$")


@dataclass(frozen=True)
class Passage:
    """A turn, or a piece of a long one; ``negated`` are the indices of words that stand under a negation."""

    turn: int
    role: Role
    span: Span
    text: str
    words: tuple[Word, ...]
    quantities: tuple[Quantity, ...]
    negated: frozenset[int]
    answer: Answer | None

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words if word.content)


@dataclass(frozen=True)
class SessionIndex:
    """``vectors`` is (passages, dim), of unit length; ``windows`` the same for each passage with its neighbours.

    ``pieces`` is (word pieces of all passages, dim), of unit length, ``owner`` their passages.
    """

    passages: tuple[Passage, ...]
    vectors: Floats
    windows: Floats
    pieces: Floats
    owner: NDArray[np.int64]
    holding: Mapping[str, int]

    @cached_property
    def by_stem(self) -> dict[str, tuple[int, ...]]:
        """Passages that hold a stem."""
        found: dict[str, list[int]] = {}
        for index, passage in enumerate(self.passages):
            for stem in passage.stems:
                found.setdefault(stem, []).append(index)
        return {stem: tuple(indices) for stem, indices in found.items()}

    @cached_property
    def folded(self) -> frozenset[str]:
        """Every word that was said."""
        return frozenset(word.folded for passage in self.passages for word in passage.words)

    @cached_property
    def word_pairs(self) -> frozenset[tuple[str, str]]:
        """Every two words that were said one behind the other."""
        return frozenset(
            (one.folded, other.folded) for passage in self.passages for one, other in pairwise(passage.words)
        )

    @cached_property
    def children(self) -> frozenset[str]:
        """Relations that the client tells of only by naming the child's parent."""
        told = [
            found[1] for p in self.passages if p.role is not Role.THERAPIST for found in _PARENT_OF.finditer(p.text)
        ]
        return frozenset(name for whose in told for name in (*_CHILDREN[whose], "child"))

    @cached_property
    def clients(self) -> NDArray[np.bool_]:
        return np.array([passage.role is not Role.THERAPIST for passage in self.passages], dtype=bool)

    @cached_property
    def offers(self) -> NDArray[np.bool_]:
        """(passages,) Where the therapist proposes something."""
        return np.array([bool(_WORDS["offer"].search(p.text)) for p in self.passages], dtype=bool) & ~self.clients

    @cached_property
    def commitments(self) -> NDArray[np.bool_]:
        """(passages,) Where the client means to do something."""
        return np.array([bool(_WORDS["commitment"].search(p.text)) for p in self.passages], dtype=bool) & self.clients

    @cached_property
    def spoken(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The passages that have word pieces, and where those of each begin."""
        return np.unique(self.owner, return_index=True)

    def nearest(self, pieces: Floats) -> Floats:
        """(pieces, passages that are ``spoken``): the cosine of each to the closest piece of each passage."""
        return np.maximum.reduceat(pieces @ self.pieces.T, self.spoken[1], axis=1)


def index_session(
    transcript: Transcript, embedder: Embedder, lexicon: ClaimLexicon, cancel: threading.Event | None = None
) -> SessionIndex:
    """Cut the turns into passages and embed each once. An empty transcript gives an empty index."""
    passages = tuple(passage for turn in transcript.turns for passage in _passages(turn, lexicon))
    texts = [passage.text for passage in passages]
    # Before the sentence vectors: the embedder makes both in one pass and remembers the second.
    tokens = embedder.token_embeddings(texts, cancel)
    vectors = embedder.embed(texts, cancel)
    pieces = [piece for _, piece in tokens]
    return SessionIndex(
        passages=passages,
        vectors=vectors,
        windows=_windows(passages, vectors),
        pieces=np.concatenate(pieces) if pieces else vectors,
        owner=np.repeat(np.arange(len(pieces)), [len(piece) for piece in pieces]),
        holding=Counter(name for names, _ in tokens for name in set(names)),
    )


def _passages(turn: Turn, lexicon: ClaimLexicon) -> list[Passage]:
    found = []
    for span in passage_spans(turn.text):
        text = span.of(turn.text)
        words = lexicon.words(text)
        found.append(
            Passage(turn.index, turn.role, span, text, words, quantities(text, words), negated(words), answer_of(words))
        )
    return found


def passage_spans(text: str) -> list[Span]:
    """Sentences joined up to ``_PASSAGE_WORDS``; a longer sentence is cut between words."""
    pieces: list[Span] = []
    words: list[re.Match[str]] = []
    whole = 0  # how many of the words make whole sentences
    for word in _TOKEN.finditer(text):
        words.append(word)
        if len(words) > _PASSAGE_WORDS:
            cut = whole or _PASSAGE_WORDS
            pieces.append(Span(words[0].start(), words[cut - 1].end()))
            words, whole = words[cut:], 0
        if _SENTENCE_END.search(word.group()):
            whole = len(words)
    if words:
        pieces.append(Span(words[0].start(), words[-1].end()))
    return pieces


def _windows(passages: Sequence[Passage], vectors: Floats) -> Floats:
    """Each passage with the one before and after, weighted by length: as good here as embedding the windows anew."""
    if not passages:
        return vectors
    weights = np.sqrt(np.array([len(passage.words) + 1 for passage in passages], dtype=np.float32))[:, None]
    padded = np.pad(vectors * weights, ((1, 1), (0, 0)))
    summed = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray(summed / np.maximum(np.linalg.norm(summed, axis=1, keepdims=True), 1e-9), dtype=np.float32)

"""A session as the risk head reads it: vectors of turns and sentences, explicit words, and how things are said."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.engines.bert import DIMENSIONS
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.risk.lexicon import RiskLexicon, risk_lexicon, straightened
from noteeval_desktop.judges.builtin.session_index import passage_spans
from noteeval_desktop.judges.builtin.text.in_context import sentence_spans, vectors_of

Floats = NDArray[np.float32]
KINDS = tuple(RiskKind)
_ROLES = (Role.THERAPIST, Role.CLIENT, Role.OTHER)
# What the turns before and after a turn count for beside its own words.
_BEFORE, _AFTER, _MARK = 0.6, 0.4, 0.3


@dataclass(frozen=True)
class Said:
    """The sentences of a session: where each stands, its ``words`` put right, and the phrases of danger in it by kind;
    ``known`` is (sentences, kinds), ``harmless`` (sentences,) where a phrase only sounds like danger."""

    owner: NDArray[np.int64]
    spans: tuple[Span, ...]
    words: tuple[str, ...]
    known: Floats
    harmless: Floats


def read_words(turns: Sequence[Turn], lexicon: RiskLexicon) -> Said:
    spellings: dict[str, str] = {}
    spans = [sentence_spans(turn.text) for turn in turns]
    flat = [(turn.text, span) for turn, own in zip(turns, spans, strict=True) for span in own]
    words = tuple(lexicon.folded(span.of(text), spellings) for text, span in flat)
    known = np.zeros((len(words), len(KINDS)), dtype=np.float32)
    for number, one in enumerate(words):
        own = dict(lexicon.matches(one))
        if RiskKind.HARM_TO_OTHERS in own and _inside(own[RiskKind.HARM_TO_OTHERS], own.get(RiskKind.ABUSE)):
            del own[RiskKind.HARM_TO_OTHERS]
        for kind in own:
            known[number, KINDS.index(kind)] = 1
    return Said(
        owner=np.repeat(np.arange(len(turns)), [len(own) for own in spans]),
        spans=tuple(span for _, span in flat),
        words=words,
        known=known,
        harmless=np.array([bool(lexicon.benign.search(one)) for one in words], dtype=np.float32),
    )


def _inside(blow: re.Match[str], abuse: re.Match[str] | None) -> bool:
    """ "He hit her" is abuse, and its "hit her" no harm that the client means to do."""
    return abuse is not None and abuse.start() < blow.start() < abuse.end()


@dataclass(frozen=True)
class Talk:
    """``sentences`` (sentences, dim) and ``turns`` (turns, dim) are vectors of unit length, ``cues`` (turns, cues) and
    ``surface`` (turns, 7) 0 or 1 but for length and place."""

    said: Said
    sentences: Floats
    turns: Floats
    cues: Floats
    surface: Floats

    @property
    def count(self) -> int:
        return len(self.turns)

    @cached_property
    def context(self) -> Floats:
        """(turns, 3 dim + 2): a turn with those before and after it."""
        before, after = shifted(self.turns, -1), shifted(self.turns, 1)
        marks = _MARK * self.surface[:, [0, 4]]
        return np.hstack([self.turns, _BEFORE * before, _AFTER * after, marks]).astype(np.float32)

    @cached_property
    def known(self) -> Floats:
        """(turns, kinds)"""
        return highest(self.said.known, self.said.owner, self.count)

    @cached_property
    def harmless(self) -> Floats:
        """(turns, 1)"""
        return highest(self.said.harmless[:, None], self.said.owner, self.count)


def read_talk(turns: Sequence[Turn], said: Said, embedder: Embedder, cancel: threading.Event | None = None) -> Talk:
    """Raises Cancelled, ModelError."""
    pieces = [(turn.index, span.of(turn.text)) for turn in turns for span in passage_spans(turn.text)]
    texts = [text for _, text in pieces]
    # In this order the passages are read once: their vectors come with those of their word pieces.
    embedder.token_embeddings(texts, cancel)
    vectors = embedder.embed(texts, cancel)
    weights = np.sqrt([len(text.split()) + 1 for text in texts]).astype(np.float32)[:, None]
    summed = np.zeros((len(turns), DIMENSIONS), dtype=np.float32)
    np.add.at(summed, [index for index, _ in pieces], vectors * weights)
    sentences = vectors_of([turn.text for turn in turns], embedder, cancel)
    own = [sentences[turn.text] for turn in turns]
    return talk_of(turns, said, np.concatenate(own) if own else summed, summed, risk_lexicon())


def talk_of(turns: Sequence[Turn], said: Said, sentences: Floats, summed: Floats, lexicon: RiskLexicon) -> Talk:
    """``summed`` (turns, dim) are the turns' vectors, of any length."""
    folded = [straightened(turn.text) for turn in turns]
    cues = [[bool(cue.search(text)) for cue in lexicon.cues.values()] for text in folded]
    last = max(1, len(turns) - 1)
    surface = [
        (
            *(turn.role is role for role in _ROLES),
            np.log1p(len(text.split())),
            "?" in text,
            text.endswith("?"),
            place / last,
        )
        for place, (turn, text) in enumerate(zip(turns, folded, strict=True))
    ]
    return Talk(
        said,
        sentences,
        np.asarray(summed / np.maximum(np.linalg.norm(summed, axis=1, keepdims=True), 1e-9), dtype=np.float32),
        np.array(cues, dtype=np.float32).reshape(len(turns), len(lexicon.cues)),
        np.array(surface, dtype=np.float32).reshape(len(turns), 7),
    )


def highest(values: Floats, owner: NDArray[np.int64], count: int, least: float = 0.0) -> Floats:
    """(count, ...): the highest of each turn's sentences, ``least`` where it has none."""
    found = np.full((count, *values.shape[1:]), -np.inf, dtype=np.float32)
    np.maximum.at(found, owner, values.astype(np.float32))
    return np.where(np.isinf(found), np.float32(least), found)


def shifted(rows: Floats, by: int) -> Floats:
    """Row ``i + by`` at place ``i``, zeros beyond the ends."""
    found = np.zeros_like(rows)
    if by < 0:
        found[-by:] = rows[:by]
    else:
        found[: len(rows) - by] = rows[by:]
    return found

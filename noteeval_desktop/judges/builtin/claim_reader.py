"""A note's sentences against a session, as everything the faithfulness heads and verdicts need."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.alignment import read_claim
from noteeval_desktop.judges.builtin.counted import counted_too
from noteeval_desktop.judges.builtin.danger_claims import endangered, vouched_for
from noteeval_desktop.judges.builtin.features_claim import (
    ClaimVectors,
    Reading,
    feature_rows,
    read_against,
)
from noteeval_desktop.judges.builtin.findings import CLASHES, Checks, Finding
from noteeval_desktop.judges.builtin.misplaced import misplaced
from noteeval_desktop.judges.builtin.note_lexicon import NAMES, counts, expand
from noteeval_desktop.judges.builtin.note_words import NoteWords
from noteeval_desktop.judges.builtin.opposed import denied_too, opposed
from noteeval_desktop.judges.builtin.plain_wording import plain_wording
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon
from noteeval_desktop.measures.changes import ChangeKind, negate

Floats = NDArray[np.float64]
Rule = Callable[[Reading, ClaimVectors, SessionIndex, ClaimLexicon], list[Finding]]
# What is looked for in sentences as they stand, beside what the heads are told.
_RULES: tuple[Rule, ...] = (opposed, misplaced, endangered)


@dataclass(frozen=True)
class ReadNote:
    """``alone`` is (sentences, features), of the sentences as they stand; ``topic`` the same of their plain wording."""

    readings: Sequence[Reading]
    names: tuple[str, ...]
    alone: Floats
    topic: Floats


def read_note(
    sentences: Sequence[Sentence],
    session: SessionIndex,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    words: NoteWords,
    cancel: threading.Event | None = None,
) -> ReadNote:
    """Raises Cancelled and what the embedder raises."""
    plain = [replace(sentence, text=plain_wording(sentence.text, lexicon)) for sentence in sentences]
    differ = [i for i, (own, other) in enumerate(zip(sentences, plain, strict=True)) if own.text != other.text]
    count = len(sentences)
    readings, own, names, rows = _read(
        [*sentences, *(plain[i] for i in differ)], session, embedder, lexicon, words, cancel
    )
    topic = rows[:count].copy()
    topic[differ] = rows[count:]
    checked = [
        replace(reading, checks=_looked_into(reading, vectors, session, lexicon))
        for reading, vectors in zip(readings[:count], own, strict=False)
    ]
    return ReadNote(checked, names, rows[:count], topic)


def sure_of(readings: Sequence[Reading], kinds: Sequence[ChangeKind]) -> NDArray[np.bool_]:
    """(readings, kinds): of which kinds of change a rule is sure."""
    return _marked([reading.checks.sure_of for reading in readings], kinds)


def borne_out(readings: Sequence[Reading], kinds: Sequence[ChangeKind]) -> NDArray[np.bool_]:
    """(readings, kinds): which kinds of change a rule rules out."""
    return _marked([reading.checks.borne_out for reading in readings], kinds)


def _marked(found: Sequence[frozenset[ChangeKind]], kinds: Sequence[ChangeKind]) -> NDArray[np.bool_]:
    return np.array([[kind in own for kind in kinds] for own in found], dtype=bool).reshape(len(found), len(kinds))


def _looked_into(reading: Reading, vectors: ClaimVectors, session: SessionIndex, lexicon: ClaimLexicon) -> Checks:
    vouched = vouched_for(reading.claim.text, session)
    findings = [
        finding
        for rule in _RULES
        for finding in rule(reading, vectors, session, lexicon)
        if finding.clash not in CLASHES[ChangeKind.NEGATION]
        or not any(finding.noted.start < own.end and own.start < finding.noted.end for own in vouched)
    ]
    checks = reading.checks.beside(findings)
    kinds = set()
    if reading.claim.negations and _denied_just_so(reading, vectors, session, vouched):
        kinds.add(ChangeKind.NEGATION)
    if ChangeKind.NUMBER not in checks.sure_of and counted_too(reading, session, lexicon):
        kinds.add(ChangeKind.NUMBER)
    return replace(checks, borne_out=frozenset(kinds))


def _denied_just_so(reading: Reading, vectors: ClaimVectors, session: SessionIndex, vouched: Sequence[Span]) -> bool:
    """Whether the client denies all that the claim denies: dangers in the clauses ``vouched`` for, or anything else.

    A clause vouches for one denial: "denies suicidal thoughts and does not smoke" is one.
    """
    denials = [reading.claim.words[place].span for place in reading.claim.negations]
    within = [[own for own in vouched if own.start <= one.start and one.end <= own.end] for one in denials]
    of_danger = all(within) and len({own for owns in within for own in owns}) == len(denials)
    return of_danger or denied_too(reading, vectors, session) is not None


def _read(
    sentences: Sequence[Sentence],
    session: SessionIndex,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    words: NoteWords,
    cancel: threading.Event | None,
) -> tuple[list[Reading], list[ClaimVectors], tuple[str, ...], Floats]:
    claims = [read_claim(sentence, lexicon) for sentence in sentences]
    texts = [expand(claim.text) for claim in claims]
    tokens = embedder.token_embeddings(texts, cancel)
    vectors = embedder.embed(texts, cancel)
    opposites = embedder.embed([_opposite(text) for text in texts], cancel)
    clauses = embedder.embed([expand(clause) for claim in claims for clause in claim.clauses], cancel)
    ends = np.cumsum([len(claim.clauses) for claim in claims])
    own = [
        ClaimVectors(
            vectors[i], opposites[i], clauses[end - len(claim.clauses) : end], *tokens[i], session.nearest(tokens[i][1])
        )
        for i, (claim, end) in enumerate(zip(claims, ends, strict=True))
    ]
    readings = read_against(claims, vectors, session, lexicon)
    names, rows = feature_rows(readings, own, session, words)
    wording = np.array([counts(text) for text in texts]).reshape(len(texts), len(NAMES))
    names = (*names, *(f"says_{name}" for name in NAMES))
    return readings, own, names, np.hstack([rows, wording])


def _opposite(text: str) -> str:
    edit = negate(text)
    return edit.applied(text) if edit else text

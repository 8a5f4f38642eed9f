"""Trains the risk head: ``train`` makes resources/heads/risk.npz again.

Positives are the corpus' risk turns and phrasings written for this (risk_sentences.json, risk_phrases/); every other
turn of the corpus is a negative, its figurative look-alikes twice. The second step learns from what the first says of
sessions it has not seen, the limits from what both say of authors they have not seen.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import LogisticRegression

from models.training.corpus.reading import LabelledSession, RiskTurn, read_sessions
from models.training.datasets import transcript_of
from models.training.forests import as_forest
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.risk.answers import kinds_named, passage, rows
from noteeval_desktop.judges.builtin.risk.head import (
    STANCES,
    First,
    Leanings,
    Reading,
    RiskHead,
    Straight,
    arrays,
    leanings,
)
from noteeval_desktop.judges.builtin.risk.ledger import entries
from noteeval_desktop.judges.builtin.risk.talk import KINDS, Talk, read_talk

Floats = NDArray[np.float64]
HERE = Path(__file__).parent
STANCE_OF = {"other": Stance.OTHER_PERSON}
TREES = 100
FOLDS = 3
# Chosen on what is said of authors not trained on: at most one false red entry a session.
POSSIBLE, SURE = 0.25, 0.45
ANSWERING = 0.4


@dataclass(frozen=True)
class Phrasings:
    """(n, dim) vectors of sentences, their kind (-1: no danger) and weight."""

    vectors: NDArray[np.float32]
    kinds: NDArray[np.int64]
    weights: Floats


@dataclass(frozen=True)
class Lesson:
    """A session with its talk and, turn by turn, what is said of danger in it; ``lookalike`` (turns,) 0 or 1."""

    author: str
    talk: Talk
    risks: tuple[tuple[RiskTurn, ...], ...]
    lookalike: Floats

    @property
    def danger(self) -> Floats:
        return np.array([float(bool(own)) for own in self.risks])


def lesson(session: LabelledSession, talk: Talk) -> Lesson:
    risks: list[list[RiskTurn]] = [[] for _ in session.turns]
    lookalike = np.zeros(len(session.turns))
    for risk in session.risk:
        if risk.stance == "figurative":
            lookalike[risk.turn - 1] = 1
        else:
            risks[risk.turn - 1].append(risk)
    return Lesson(session.author, talk, tuple(map(tuple, risks)), lookalike)


def phrasings(embedder: Embedder) -> Phrasings:
    data = json.loads((HERE / "risk_sentences.json").read_text(encoding="utf-8"))
    said = [(text, KINDS.index(RiskKind(kind)), 1.0) for kind, texts in data["danger"].items() for text in texts]
    said += [(text, -1, 1.0) for text in data["contrast"]] + [(text, -1, 0.5) for text in data["everyday"]]
    for path in sorted((HERE / "risk_phrases").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                kind = row.get("kind", "")
                if not kind or kind in set(RiskKind):
                    said.append((row["text"], KINDS.index(RiskKind(kind)) if kind else -1, 1.0))
    texts, kinds, weights = zip(*said, strict=True)
    return Phrasings(embedder.embed(list(texts)), np.array(kinds), np.array(weights))


def _logistic(
    rows: NDArray[np.float32], target: Sequence[int] | Floats, weights: Floats, strength: float, classes: int
) -> Straight:
    """For two classes (classes=1) the log-odds of the second; a class that is not taught is never chosen."""
    line = LogisticRegression(C=strength, max_iter=80, tol=1e-3).fit(rows, np.asarray(target), sample_weight=weights)
    if classes == 1:
        return Straight(line.coef_.astype(np.float32), line.intercept_.astype(np.float32))
    full = np.zeros((classes, rows.shape[1]), dtype=np.float32)
    bias = np.full(classes, -9.0, dtype=np.float32)
    full[line.classes_], bias[line.classes_] = line.coef_, line.intercept_
    return Straight(full, bias)


def _stance(risk: RiskTurn) -> int:
    return STANCES.index(STANCE_OF.get(risk.stance) or Stance(risk.stance))


def first_step(lessons: Sequence[Lesson], phrases: Phrasings) -> First:
    sentences, target, weights = [phrases.vectors], [phrases.kinds >= 0], [phrases.weights]
    for one in lessons:
        owner = one.talk.said.owner
        sentences.append(one.talk.sentences)
        target.append(one.danger[owner] > 0)
        weights.append(np.where(one.lookalike[owner] > 0, 2.0, 0.5))
    context = np.vstack([one.talk.context for one in lessons])
    danger = np.concatenate([one.danger for one in lessons])
    likes = np.concatenate([one.lookalike for one in lessons])
    told = [(one, place, risk) for one in lessons for place, own in enumerate(one.risks) for risk in own]
    rows = np.array([one.talk.context[place] for one, place, _ in told])
    cued = np.array([np.r_[one.talk.context[place], one.talk.cues[place]] for one, place, _ in told])
    dangerous = phrases.kinds >= 0
    alone = np.zeros((int(dangerous.sum()), context.shape[1]), dtype=np.float32)
    alone[:, : phrases.vectors.shape[1]] = phrases.vectors[dangerous]
    kinds = np.array([KINDS.index(RiskKind(risk.kind)) for _, _, risk in told])
    return First(
        _logistic(np.vstack(sentences), np.concatenate(target).astype(int), np.concatenate(weights), 3.0, 1),
        _logistic(context, danger.astype(int), 1 + likes, 1.0, 1),
        _logistic(
            np.vstack([rows, alone]),
            np.r_[kinds, phrases.kinds[dangerous]],
            np.r_[np.ones(len(told)), np.full(len(alone), 0.5)],
            3.0,
            len(KINDS),
        ),
        _logistic(cued, np.array([_stance(risk) for _, _, risk in told]), np.ones(len(told)), 1.0, len(STANCES)),
    )


def unseen_leanings(lessons: Sequence[Lesson], phrases: Phrasings) -> list[Leanings]:
    """Of each lesson by a first step that has not learnt from it."""
    fold = np.random.default_rng(0).permutation(len(lessons)) % FOLDS
    found: dict[int, Leanings] = {}
    for number in range(FOLDS):
        first = first_step([one for one, own in zip(lessons, fold, strict=True) if own != number], phrases)
        found |= {place: leanings(lessons[place].talk, first) for place in np.flatnonzero(fold == number).tolist()}
    return [found[place] for place in range(len(lessons))]


def fit(lessons: Sequence[Lesson], phrases: Phrasings, fingerprint: str) -> RiskHead:
    leans = unseen_leanings(lessons, phrases)
    danger = np.concatenate([one.danger for one in lessons])
    likes = np.concatenate([one.lookalike for one in lessons])
    trees = ExtraTreesRegressor(TREES, min_samples_leaf=3, max_features=0.3, random_state=0, n_jobs=1)
    trees.fit(np.vstack([lean.danger for lean in leans]), danger, sample_weight=1 + likes)
    told = [
        (lean, place, risk)
        for one, lean in zip(lessons, leans, strict=True)
        for place, own in enumerate(one.risks)
        for risk in own
    ]
    weights = np.ones(len(told))
    kinds = np.array([KINDS.index(RiskKind(risk.kind)) for _, _, risk in told])
    kind_rows = np.array([lean.kind[place] for lean, place, _ in told])
    stance_rows = np.array([lean.stance[place] for lean, place, _ in told])
    return RiskHead(
        first_step(lessons, phrases),
        as_forest(trees),
        _logistic(kind_rows, kinds, weights, 0.03, len(KINDS)),
        _logistic(stance_rows, np.array([_stance(risk) for _, _, risk in told]), weights, 0.1, len(STANCES)),
        POSSIBLE,
        SURE,
        fingerprint,
    )


def held_out(lessons: Sequence[Lesson], phrases: Phrasings) -> list[tuple[RiskHead, Reading]]:
    """For each lesson a head that has learnt nothing from its author, and what it says."""
    found: dict[int, tuple[RiskHead, Reading]] = {}
    for author in sorted({one.author for one in lessons}):
        head = fit([one for one in lessons if one.author != author], phrases, "")
        found |= {place: (head, head.read(one.talk)) for place, one in enumerate(lessons) if one.author == author}
    return [found[place] for place in range(len(lessons))]


@dataclass(frozen=True)
class Answers:
    """Of one session's findings beside one of its notes: ``rows`` (findings, sentences, features), ``speaks``
    (findings, sentences) whether a true sentence rests on its turns or on others of the same danger; ``real``
    (findings,) whether danger was spoken of there, ``answered`` whether the note addresses it."""

    author: str
    rows: Floats
    speaks: NDArray[np.bool_]
    real: NDArray[np.bool_]
    answered: NDArray[np.bool_]


def answers(
    session: LabelledSession, one: Lesson, head: RiskHead, reading: Reading, embedder: Embedder
) -> list[Answers]:
    transcript = transcript_of(session)
    findings = list(entries(transcript.turns, one.talk.said, reading, POSSIBLE, SURE))
    findings = [finding for finding in findings if finding.certain]
    if not findings:
        return []
    said = embedder.embed([passage(finding, transcript) for finding in findings])
    found = []
    for note in session.notes:
        texts = [sentence.text for sentence in note.sentences]
        values = rows(findings, said, embedder.embed(texts), kinds_named(texts), head)
        near = [_of_the_same(finding.turns, one) for finding in findings]
        true = [{turn - 1 for turn in s.turns} if s.label == "true" else set() for s in note.sentences]
        speaks = np.array([[bool(own & turns) for turns in true] for own in near])
        covered = {turn - 1 for fact in session.facts if fact.id in note.covers for turn in fact.turns}
        real = np.array([any(one.risks[turn] for turn in finding.turns) for finding in findings])
        held = np.array([any(one.risks[turn] and turn in covered for turn in own) for own in near])
        found.append(Answers(session.author, values, speaks, real, held | speaks.any(axis=1)))
    return found


def _of_the_same(turns: Sequence[int], one: Lesson) -> set[int]:
    """The turns, their neighbours, and all turns of the session that speak of the same danger."""
    kinds = {risk.kind for turn in turns for risk in one.risks[turn]}
    same = {place for place, own in enumerate(one.risks) if any(risk.kind in kinds for risk in own)}
    return {turn + by for turn in turns for by in (-1, 0, 1) if 0 <= turn + by < len(one.risks)} | same


def fit_answers(own: Sequence[Answers]) -> Straight:
    inputs = np.vstack([one.rows.reshape(-1, one.rows.shape[-1]) for one in own])
    target = np.concatenate([one.speaks.ravel() for one in own])
    middle, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    line = LogisticRegression(C=0.3, max_iter=500).fit((inputs - middle) / spread, target)
    weights = line.coef_ / spread
    return Straight(weights.astype(np.float32), (line.intercept_ - weights @ middle).astype(np.float32))


def held_out_answers(own: Sequence[Answers]) -> list[Floats]:
    """(findings, sentences) probabilities by heads that have not seen the author."""
    lines = {name: fit_answers([one for one in own if one.author != name]) for name in {one.author for one in own}}
    return [
        1
        / (
            1 + np.exp(-lines[one.author].odds(one.rows.reshape(-1, one.rows.shape[-1]).astype(np.float32))[:, 0])
        ).reshape(one.rows.shape[:-1])
        for one in own
    ]


def train(folder: Path, embedder: Embedder, target: Path) -> None:
    """Write the head over the labelled sessions below ``folder``; what addresses a finding is learnt from what heads
    say that had not seen its author."""
    sessions = list(read_sessions(folder))
    lessons = [lesson(session, read_talk(transcript_of(session), embedder)) for session in sessions]
    write(sessions, lessons, phrasings(embedder), embedder, target)


def write(
    sessions: Sequence[LabelledSession],
    lessons: Sequence[Lesson],
    phrases: Phrasings,
    embedder: Embedder,
    target: Path,
) -> None:
    own = [
        part
        for session, one, (head, reading) in zip(sessions, lessons, held_out(lessons, phrases), strict=True)
        for part in answers(session, one, head, reading, embedder)
    ]
    head = replace(fit(lessons, phrases, embedder.fingerprint), answer=fit_answers(own), answering=ANSWERING)
    np.savez_compressed(target, **arrays(head))

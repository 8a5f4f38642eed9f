"""Trains the risk head: ``python -m models.training.risk train`` makes resources/heads/risk.npz again, ``measure``
prints what heads say of authors that they have not seen.

Positives are the corpus' risk turns and phrasings written for this (risk_sentences.json, risk_phrases/); every other
turn of the corpus is a negative, its figurative look-alikes twice. The second step learns from what the first says of
sessions it has not seen, the limits from what both say of authors they have not seen.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from models.training.datasets import CORPUS
from models.training.forests import as_forest
from models.training.saving import save_risk_head
from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.risk.head import (
    STANCES,
    First,
    Leanings,
    RiskHead,
    Straight,
    leanings,
)
from noteeval_desktop.judges.builtin.risk.ledger import by_words, with_stretches
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.risk.note import addressing_sentences
from noteeval_desktop.judges.builtin.risk.talk import KINDS, Talk, read_talk, read_words
from noteeval_desktop.research.benchmark_risk import run_risk
from noteeval_desktop.research.labelled import LabelledSession, RiskTurn, read_sessions, transcript_of

Floats = NDArray[np.float64]
HERE = Path(__file__).parent
STANCE_OF = {"other": Stance.OTHER_PERSON}
TREES = 60
FOLDS = 3
# Authors are left out in so many groups.
UNSEEN = 6
# Chosen on what is said of authors not trained on: at most one false red entry a session.
POSSIBLE, SURE = 0.15, 0.4


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


def lesson(session: LabelledSession, embedder: Embedder) -> Lesson:
    turns = transcript_of(session).turns
    talk = read_talk(turns, read_words(turns, risk_lexicon()), embedder)
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
    line = LogisticRegression(C=strength, max_iter=200, tol=1e-3).fit(rows, np.asarray(target), sample_weight=weights)
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
    trees = ExtraTreesRegressor(TREES, min_samples_leaf=8, max_features=0.3, random_state=0, n_jobs=1)
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


@dataclass
class UnseenLedger:
    """The ledger of each session by a head that has not learned from its author; a Judge as far as risk goes."""

    sessions: Sequence[LabelledSession]
    embedder: Embedder

    def __post_init__(self) -> None:
        lessons = {session.id: lesson(session, self.embedder) for session in self.sessions}
        authors, phrases = sorted({one.author for one in lessons.values()}), phrasings(self.embedder)
        self._found: dict[Transcript, list[RiskFinding]] = {}
        for group in (authors[start::UNSEEN] for start in range(UNSEEN)):
            head = fit([one for one in lessons.values() if one.author not in group], phrases, "")
            for session in self.sessions:
                if session.author in group:
                    transcript, talk = transcript_of(session), lessons[session.id].talk
                    worded = by_words(transcript.turns, talk.said)
                    self._found[transcript] = with_stretches(
                        transcript.turns, talk, head.read(talk), worded, head.possible, head.sure
                    )

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        yield from addressing_sentences(self._found[case.transcript], case.transcript, case.note, self.embedder, cancel)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="risk", description=__doc__)
    parser.add_argument("what", choices=["train", "measure"])
    asked = parser.parse_args(arguments)
    with closing(LlamaEmbedder(models.encoder_path())) as embedder, threadpool_limits(1):
        sessions = list(read_sessions(CORPUS))
        if asked.what == "measure":
            print(json.dumps(run_risk(sessions, UnseenLedger(sessions, embedder)), indent=1))
            return
        lessons = [lesson(session, embedder) for session in sessions]
        head = fit(lessons, phrasings(embedder), embedder.fingerprint)
    save_risk_head(head, paths.resources() / "heads" / "risk.npz")


if __name__ == "__main__":
    main(sys.argv[1:])

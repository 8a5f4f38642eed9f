"""Trains the risk head: ``python -m models.training.risk train`` makes resources/heads/risk.npz again, ``measure``
prints what heads say of sessions and exchanges by authors that they have not seen.

Positives are the risk turns of the corpus and of the open exchanges, and phrasings written for this
(risk_sentences.json, risk_phrases/); negatives every other turn of a session and of a look-alike. In an exchange on
danger only the turn that says it counts: whether the others do nobody said.
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
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from models.training.datasets import CORPUS
from models.training.exchanges.reading import Exchange, read_all
from models.training.saving import save_risk_head
from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.risk.head import (
    PLACES,
    STANCES,
    Limits,
    RiskHead,
    Rows,
    Straight,
    alone,
    rows_of,
)
from noteeval_desktop.judges.builtin.risk.ledger import by_words, with_stretches
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.risk.note import addressing_sentences
from noteeval_desktop.judges.builtin.risk.talk import KINDS, Talk, read_talk, read_words
from noteeval_desktop.research.benchmark_risk import run_risk
from noteeval_desktop.research.benchmark_risk_exchanges import BEFORE, amid_small_talk, run_risk_exchanges
from noteeval_desktop.research.labelled import LabelledSession, read_sessions, transcript_of

Floats = NDArray[np.float64]
HERE = Path(__file__).parent
STANCE_OF = {"other": Stance.OTHER_PERSON, "now": Stance.CURRENT}
# Authors are left out in so many groups.
UNSEEN = 4
# Chosen on what is said of authors not trained on.
LIMITS = Limits(possible=0.25, listed=0.4, sure=0.7)
# What a turn counts for in training: of a session, of an exchange, of phrasings; what only sounds like danger twice.
_OF_SESSION, _OF_EXCHANGE, _OF_PHRASE = 0.5, 3.0, 0.5
_STRENGTH = 1.0


@dataclass(frozen=True)
class Phrasings:
    """(n, dim) vectors of ``texts`` (folded), their kind (-1: no danger)."""

    texts: tuple[str, ...]
    vectors: NDArray[np.float32]
    kinds: NDArray[np.int64]


@dataclass(frozen=True)
class Lesson:
    """A transcript with its talk and, turn by turn, the (kind, stance) of the danger spoken of; ``weights`` (turns,) is
    what it counts for, 0 where nobody said."""

    author: str
    transcript: Transcript
    talk: Talk
    risks: tuple[tuple[tuple[int, int], ...], ...]
    weights: Floats


def _talk(transcript: Transcript, embedder: Embedder) -> Talk:
    return read_talk(transcript.turns, read_words(transcript.turns, risk_lexicon()), embedder)


def _told(kind: str, stance: str) -> tuple[int, int]:
    return KINDS.index(RiskKind(kind)), STANCES.index(STANCE_OF.get(stance) or Stance(stance))


def lesson(session: LabelledSession, embedder: Embedder) -> Lesson:
    risks: list[list[tuple[int, int]]] = [[] for _ in session.turns]
    weights = np.full(len(session.turns), _OF_SESSION)
    for risk in session.risk:
        if risk.stance == "figurative":
            weights[risk.turn - 1] = 2 * _OF_SESSION
        else:
            risks[risk.turn - 1].append(_told(risk.kind, risk.stance))
    transcript = transcript_of(session)
    return Lesson(session.author, transcript, _talk(transcript, embedder), tuple(map(tuple, risks)), weights)


def exchange_lesson(one: Exchange, embedder: Embedder) -> Lesson:
    transcript = amid_small_talk(one)
    risks: list[tuple[tuple[int, int], ...]] = [() for _ in transcript.turns]
    weights = np.zeros(len(transcript.turns))
    if one.look_alike:
        weights[BEFORE : BEFORE + len(one.turns)] = _OF_EXCHANGE
        weights[BEFORE + one.says] *= 2
    else:
        risks[BEFORE + one.says] = (_told(one.kind, one.meaning),)
        weights[BEFORE + one.says] = _OF_EXCHANGE
    return Lesson(one.author, transcript, _talk(transcript, embedder), tuple(risks), weights)


def phrasings(embedder: Embedder) -> Phrasings:
    data = json.loads((HERE / "risk_sentences.json").read_text(encoding="utf-8"))
    said = [(text, KINDS.index(RiskKind(kind))) for kind, texts in data["danger"].items() for text in texts]
    said += [(text, -1) for text in (*data["contrast"], *data["everyday"])]
    for path in sorted((HERE / "risk_phrases").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                kind = row.get("kind", "")
                if not kind or kind in set(RiskKind):
                    said.append((row["text"], KINDS.index(RiskKind(kind)) if kind else -1))
    texts, kinds = zip(*said, strict=True)
    folded = tuple(risk_lexicon().folded(text, {}) for text in texts)
    return Phrasings(folded, embedder.embed(list(texts)), np.array(kinds))


def _matrix(rows: Rows) -> sparse.csr_matrix:
    ends = np.cumsum([0, *(len(own) for own in rows.places)])
    values = np.repeat(rows.counts, np.diff(ends))
    words = sparse.csr_matrix((values, np.concatenate(rows.places), ends), shape=(len(rows.places), PLACES))
    return sparse.hstack([sparse.csr_matrix(rows.dense), words]).tocsr()


def _logistic(rows: sparse.csr_matrix, target: NDArray[np.int64], weights: Floats, classes: int) -> Straight:
    """For two classes (classes=1) the log-odds of the second; a class that is not taught is never chosen."""
    line = LogisticRegression(C=_STRENGTH, max_iter=200, tol=1e-3).fit(rows, target, sample_weight=weights)
    full = np.zeros((classes, rows.shape[1]), dtype=np.float32)
    bias = np.full(classes, -9.0, dtype=np.float32)
    taught = [0] if classes == 1 else line.classes_
    full[taught], bias[taught] = line.coef_, line.intercept_
    return Straight(full[:, :-PLACES], full[:, -PLACES:], bias)


def fit(lessons: Sequence[Lesson], phrases: Phrasings, fingerprint: str) -> RiskHead:
    read = sparse.vstack([_matrix(rows_of(one.talk)) for one in lessons]).tocsr()
    inputs = read.shape[1] - PLACES
    phrased = _matrix(alone(phrases.vectors, phrases.texts, inputs))
    weights = np.concatenate([one.weights for one in lessons])
    risks = [own for one in lessons for own in one.risks]
    target = np.array([int(bool(own)) for own in risks])
    counts = weights > 0
    places, kinds, stances = (
        np.array([(place, *one)[part] for place, own in enumerate(risks) for one in own]) for part in range(3)
    )
    dangerous = phrases.kinds >= 0
    return RiskHead(
        _logistic(
            sparse.vstack([read[counts], phrased]).tocsr(),
            np.r_[target[counts], dangerous.astype(int)],
            np.r_[weights[counts], np.full(len(dangerous), _OF_PHRASE)],
            1,
        ),
        _logistic(
            sparse.vstack([read[places], phrased[dangerous]]).tocsr(),
            np.r_[kinds, phrases.kinds[dangerous]],
            np.r_[weights[places], np.full(int(dangerous.sum()), _OF_PHRASE)],
            len(KINDS),
        ),
        _logistic(read[places], stances, weights[places], len(STANCES)),
        LIMITS,
        fingerprint,
    )


@dataclass
class UnseenLedger:
    """The ledger of each transcript by a head that has not learned from its author; a Judge as far as risk goes."""

    lessons: Sequence[Lesson]
    embedder: Embedder

    def __post_init__(self) -> None:
        authors, phrases = sorted({one.author for one in self.lessons}), phrasings(self.embedder)
        self._found: dict[Transcript, list[RiskFinding]] = {}
        for group in (authors[start::UNSEEN] for start in range(UNSEEN)):
            head = fit([one for one in self.lessons if one.author not in group], phrases, "")
            for one in self.lessons:
                if one.author in group:
                    turns = one.transcript.turns
                    worded = by_words(turns, one.talk.said)
                    self._found[one.transcript] = with_stretches(
                        turns, one.talk, head.read(one.talk), worded, head.limits
                    )

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        yield from addressing_sentences(self._found[case.transcript], case.transcript, case.note, self.embedder, cancel)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="risk", description=__doc__)
    parser.add_argument("what", choices=["train", "measure"])
    asked = parser.parse_args(arguments)
    with closing(LlamaEmbedder(models.encoder_path())) as embedder, threadpool_limits(1):
        sessions, exchanges = list(read_sessions(CORPUS)), read_all()
        lessons = [lesson(one, embedder) for one in sessions] + [exchange_lesson(one, embedder) for one in exchanges]
        if asked.what == "measure":
            judge = UnseenLedger(lessons, embedder)
            print(json.dumps([run_risk(sessions, judge), run_risk_exchanges(exchanges, judge)], indent=1))
            return
        head = fit(lessons, phrasings(embedder), embedder.fingerprint)
    save_risk_head(head, paths.resources() / "heads" / "risk.npz")


if __name__ == "__main__":
    main(sys.argv[1:])

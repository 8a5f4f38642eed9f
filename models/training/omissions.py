"""Makes what ranks omissions, resources/heads/omissions.npz, anew.

    python -m models.training.omissions train
    python -m models.training.omissions measure   (a head that learned from all authors but four, on those)

A passage is worth a note's while where a fact that no careful clinician would leave out rests on it; it is what a note
lacks where that fact is not among those that the note covers. The ranking sees each session's worth as heads that have
not seen the session give it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from models.training.datasets import CORPUS
from models.training.forests import as_forest
from models.training.saving import save_omission_head
from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.verdicts import Omission, OmissionKind
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.omissions.features import Said, Talk, joined, read_said, read_units
from noteeval_desktop.judges.builtin.omissions.omissions import KINDS, OmissionHead, Worth, find_omissions, topics
from noteeval_desktop.judges.builtin.risk.local_reading import LocalReading
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.text.words import claim_lexicon
from noteeval_desktop.research.benchmark_omissions import omissions_text, run_omissions
from noteeval_desktop.research.labelled import LabelledSession, case_of, read_sessions, transcript_of

Floats = NDArray[np.float32]
HELD_OUT = frozenset({"a09", "a11", "a21", "a23"})
"""Authors who only measure; what ships has learned from them too."""
_WORTH_STRENGTH = 0.03
_KIND_STRENGTH = 1.0
_CENTRES = 48
_FOLDS = 4
TREES = 150
# A note of the corpus leaves out two to five facts; the list holds five entries at most.
FINDINGS = 4.6
_HALVINGS = 20


@dataclass(frozen=True)
class Lesson:
    """A session; for each of its notes what it says of the passages, and (passages,) which of them it lacks.

    ``worth`` (passages,) are the passages of facts, ``kinds`` (passages,) the fact's kind, -1 without one, and
    ``sentences`` (n, dim) vectors of what its notes say and need."""

    author: str
    talk: Talk
    worth: Floats
    kinds: NDArray[np.int64]
    notes: tuple[tuple[Said, Floats], ...]
    sentences: Floats


def lesson(session: LabelledSession, embedder: Embedder) -> Lesson:
    lexicon = claim_lexicon()
    talk = Talk(read_units(index_session(transcript_of(session), embedder, lexicon)))
    places = {fact.id: np.isin(talk.turns, [turn - 1 for turn in fact.turns]) for fact in session.facts}
    kinds = np.full(len(talk.turns), -1, dtype=np.int64)
    for fact in reversed(session.facts):
        kinds[places[fact.id]] = KINDS.index(OmissionKind(fact.kind))
    notes = []
    for note in session.notes:
        sentences = case_of(session, note).note.sentences
        nothing = np.zeros(len(talk.turns), dtype=bool)
        lacking = np.any([nothing, *(own for name, own in places.items() if name not in note.covers)], axis=0)
        covered = np.any([nothing, *(own for name, own in places.items() if name in note.covers)], axis=0)
        notes.append((read_said(talk, sentences, embedder, lexicon), (lacking & ~covered).astype(np.float32)))
    needed = [one.text for note in session.notes for one in note.sentences if one.items]
    return Lesson(session.author, talk, (kinds >= 0).astype(np.float32), kinds, tuple(notes), embedder.embed(needed))


def _worth(own: Sequence[Lesson]) -> Worth:
    inputs = np.vstack([each.talk.units.features for each in own])
    model = LogisticRegression(C=_WORTH_STRENGTH, max_iter=200).fit(
        inputs, np.concatenate([each.worth for each in own])
    )
    sentences = np.vstack([each.sentences for each in own])
    found = KMeans(min(_CENTRES, len(sentences)), n_init=1, max_iter=30, random_state=0).fit(sentences).cluster_centers_
    kinds = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return Worth(model.coef_[0].astype(np.float32), float(model.intercept_[0]), kinds.astype(np.float32))


def _inputs(said: Said, worth: Worth) -> Floats:
    units = said.talk.units
    kept = np.ones(len(said.stems), dtype=bool)
    return joined(said.talk, said.features(kept), worth.of(units), worth.likeness(units))


def _folds(own: Sequence[Lesson]) -> Iterator[tuple[list[Lesson], list[Lesson]]]:
    """All lessons but those of some authors, and theirs."""
    authors = sorted({each.author for each in own})
    for fold in range(min(_FOLDS, len(authors))):
        unseen = authors[fold::_FOLDS]
        yield [each for each in own if each.author not in unseen], [each for each in own if each.author in unseen]


def fit(own: Sequence[Lesson], fingerprint: str) -> OmissionHead:
    """Without a threshold."""
    rows, target = [], []
    for others, unseen in _folds(own):
        worth = _worth(others)
        for each in unseen:
            for said, lacking in each.notes:
                rows.append(_inputs(said, worth))
                target.append(lacking)
    trees = ExtraTreesRegressor(TREES, min_samples_leaf=10, max_features=0.3, random_state=0, n_jobs=1)
    trees.fit(np.vstack(rows), np.concatenate(target))
    told = np.concatenate([each.kinds for each in own])
    features = np.vstack([each.talk.units.features for each in own])[told >= 0]
    line = LogisticRegression(C=_KIND_STRENGTH, max_iter=1000).fit(features, told[told >= 0])
    weights = np.zeros((len(KINDS), features.shape[1]), dtype=np.float32)
    bias = np.full(len(KINDS), -9.0, dtype=np.float32)
    weights[line.classes_], bias[line.classes_] = line.coef_, line.intercept_
    return OmissionHead(_worth(own), as_forest(trees), weights, bias, 0.0, fingerprint)


def threshold_of(scored: Sequence[tuple[Floats, Talk]]) -> float:
    """The score from which a note has ``FINDINGS`` findings on average, by bisection."""
    finite = np.concatenate([scores[np.isfinite(scores)] for scores, _ in scored])
    low, high = float(finite.min()), float(finite.max())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        findings = np.mean([len(topics(scores, talk, middle)) for scores, talk in scored])
        low, high = (middle, high) if findings > FINDINGS else (low, middle)
    return high


def train(lessons: Sequence[Lesson], fingerprint: str) -> OmissionHead:
    """The head over all lessons; its threshold comes from heads that had not seen the author."""
    scored = []
    for others, unseen in _folds(lessons):
        head = fit(others, fingerprint)
        for said, _ in (note for one in unseen for note in one.notes):
            scored.append((head.scores(said, np.ones(len(said.stems), dtype=bool)), said.talk))
    return replace(fit(lessons, fingerprint), threshold=threshold_of(scored))


def _measured(sessions: Sequence[LabelledSession], embedder: Embedder, head: OmissionHead) -> str:
    lexicon, reading = claim_lexicon(), LocalReading(embedder)

    def omit(case: Case) -> Iterator[Omission]:
        index = index_session(case.transcript, embedder, lexicon)
        return find_omissions(case, embedder, index, lexicon, None, head, reading)

    return omissions_text(run_omissions(sessions, omit))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="omissions", description=__doc__)
    parser.add_argument("what", choices=["train", "measure"])
    asked = parser.parse_args(arguments)
    sessions = list(read_sessions(CORPUS))
    with closing(LlamaEmbedder(models.encoder_path())) as embedder, threadpool_limits(1):
        taught = [one for one in sessions if asked.what == "train" or one.author not in HELD_OUT]
        head = train([lesson(one, embedder) for one in taught], embedder.fingerprint)
        if asked.what == "train":
            save_omission_head(head, paths.resources() / "heads" / "omissions.npz")
        else:
            unseen = [one for one in sessions if one.author in HELD_OUT]
            print(_measured(unseen, embedder, head))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

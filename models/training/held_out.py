"""Cross-validation on TN-Eval: every conversation's claims judged by a decision that never saw it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import groupby
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from models.training import datasets
from models.training.authors import OF_DECISION
from models.training.datasets import Claim, ClaimSet
from models.training.support import Examples, examples_of, fitted, joined
from noteeval_desktop import __version__
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.scores import expected_faithfulness
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.risk.local_reading import LocalReading
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.support.decision import Decision
from noteeval_desktop.judges.builtin.support.supporter import Supporter
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, claim_lexicon
from noteeval_desktop.measures.tn_eval import Answer, JudgedNote, LabelledNote
from noteeval_desktop.report.files import replacing

FOLDS = 7
Progress = Callable[[int, int], None]


def decisions(
    notes: Sequence[LabelledNote],
    embedder: Embedder,
    seed: int = 0,
    progress: Progress | None = None,
    keep: Path | None = None,
) -> dict[str, Decision]:
    """By conversation: a decision that learned from the other folds' notes, and from composed and corpus sessions.

    Calibration and limits are learned inside each fold. Takes half an hour on two cores, most of it for the evidence,
    which a later call finds again in the folder ``keep``.
    """
    lexicon = claim_lexicon()
    sources: dict[str, Sequence[ClaimSet]] = {
        "tn-eval": [_claims_of(note) for note in notes],
        "training": list(datasets.composed("training")),
        "twins": list(datasets.composed("twins")),
        "corpus": [own for author in OF_DECISION for own in datasets.corpus(datasets.CORPUS / author)],
    }
    with threadpool_limits(1):
        names, examples = evidence(sources, embedder, lexicon, progress, keep)
        return by_fold(names, examples, embedder, seed, progress)


def evidence(
    sources: Mapping[str, Sequence[ClaimSet]],
    embedder: Embedder,
    lexicon: ClaimLexicon,
    progress: Progress | None = None,
    keep: Path | None = None,
) -> tuple[tuple[str, ...], dict[str, Examples]]:
    """What ``examples_of`` gives of each source, session by session. In the folder ``keep`` each session's numbers stay
    for a later call of the same version with the same encoder and claims. ``progress`` hears of the others only: its
    time left is not that of what was kept. Raises InputError where the folder cannot be written."""
    parts = [
        (name, list(own))
        for name, sets in sources.items()
        for _, own in groupby((one for one in sets if one.labelled.claims and one.transcript.turns), _session)
    ]
    names, found = np.empty(0, dtype=str), dict[str, list[Examples]]()
    for number, (name, own) in enumerate(parts, 1):
        key = fingerprint(__version__, embedder.fingerprint, embedder.reader_fingerprint, name, *map(repr, own))
        file = None if keep is None else keep / f"{key}.npz"
        if file is not None and file.is_file():
            with np.load(file) as kept:
                names, made = kept["names"], Examples(*(kept[one.name] for one in fields(Examples)))
        else:
            columns, made = examples_of(own, name, embedder, lexicon)
            names = np.array(columns)
            if file is not None:
                with replacing(file) as temporary, temporary.open("wb") as out:
                    np.savez(out, names=names, **vars(made))
            if progress:
                progress(number, len(parts))
        found.setdefault(name, []).append(made)
    return tuple(map(str, names)), {name: joined(own) for name, own in found.items()}


def _session(one: ClaimSet) -> Transcript:
    return one.transcript


def by_fold(
    names: tuple[str, ...],
    examples: dict[str, Examples],
    embedder: Embedder,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, Decision]:
    labelled = examples["tn-eval"]
    others = [own for name, own in examples.items() if name != "tn-eval"]
    conversations = np.random.default_rng(seed).permutation(np.unique(labelled.group))
    found: dict[str, Decision] = {}
    for number in range(FOLDS):
        outside = conversations[number::FOLDS]
        inside = labelled.pick(~np.isin(labelled.group, outside))
        decision, _ = fitted(joined([inside, *others]), names, embedder.reader_fingerprint, seed)
        found |= dict.fromkeys(map(str, outside), decision)
        if progress:
            progress(number + 1, FOLDS)
    return found


def _claims_of(note: LabelledNote) -> ClaimSet:
    claims = tuple(
        Claim(one.sentence.text, one.sentence.sections, sum(one.faithful) / len(one.faithful)) for one in note.sentences
    )
    return ClaimSet("tn-eval", note.conversation, note.conversation, note.case.transcript, claims)


class HeldOutJudge:
    """Judges claims with a decision that has not seen their conversation; the last session read is kept."""

    def __init__(self, embedder: Embedder, lexicon: ClaimLexicon, decision: Decision) -> None:
        self._embedder, self._lexicon = embedder, lexicon
        self._supporter = Supporter(embedder, lexicon, decision, LocalReading(embedder))
        self._session: tuple[Transcript, SessionIndex] | None = None

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        """One verdict a sentence, in order. Raises Cancelled, ModelError."""
        if self._session is None or self._session[0] != case.transcript:
            self._session = (case.transcript, index_session(case.transcript, self._embedder, self._lexicon, cancel))
        return self._supporter(case, self._session[1], cancel)


def judges(
    notes: Sequence[LabelledNote],
    embedder: Embedder,
    seed: int = 0,
    progress: Progress | None = None,
    keep: Path | None = None,
) -> Callable[[int], HeldOutJudge]:
    """For each note, by its place, a judge whose decision never saw its conversation."""
    lexicon = claim_lexicon()
    learned = decisions(notes, embedder, seed, progress, keep)
    made = {name: HeldOutJudge(embedder, lexicon, own) for name, own in learned.items()}
    return lambda number: made[notes[number].conversation]


def cross_validated(
    notes: Sequence[LabelledNote],
    embedder: Embedder,
    seed: int = 0,
    progress: Progress | None = None,
    keep: Path | None = None,
) -> tuple[JudgedNote, ...]:
    """Every note's answers, in the order of its sentences, and its score.

    Yes is what the judge calls supported: what only the room shows counts as no, as the published definition has it.
    """
    lexicon = claim_lexicon()
    held_out = decisions(notes, embedder, seed, progress, keep)
    judged: list[JudgedNote] = []
    for note in notes:
        judge = HeldOutJudge(embedder, lexicon, held_out[note.conversation])
        claims = list(judge.support(note.case, threading.Event()))
        given = {claim.sentence: claim for claim in claims}
        own = [given[one.sentence.id] for one in note.sentences]
        judged.append(
            JudgedNote(
                faithful=tuple(Answer(one.probability or 0.0, one.verdict is Verdict.SUPPORTED) for one in own),
                faithfulness=expected_faithfulness([one for one in own if one.verdict is not None]),
            )
        )
        if progress:
            progress(len(judged), len(notes))
    return tuple(judged)

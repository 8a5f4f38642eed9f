"""Trains the decision on claims: two forests over evidence, calibrated by held-out groups.

Sources: therapists' labels on TN-Eval notes (shares of two), composed and corpus sessions (true, or false in a known
way), clinicians' notes (true by design). A source's claims together weigh what ``WEIGHTS`` says, and false ones among
composed and corpus claims what makes one in ``ODDS`` + 1 false, since real notes are mostly true.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import LogisticRegression

from models.training.datasets import ClaimSet
from models.training.forests import as_forest
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.risk.local_reading import LocalReading
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.support.decision import LIMIT, Calibrated, Decision
from noteeval_desktop.judges.builtin.support.evidence import gather, rows
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

Floats = NDArray[np.float64]
TREES = 150
FOLDS = 7
ODDS = 4.0
WEIGHTS = {"tn-eval": 2.0, "corpus": 1.0, "training": 0.3, "twins": 0.3, "mts": 0.1, "aci": 0.15}
# So many true claims of strangers' sessions may be doubted, at most; each one costs a clinician a look.
DOUBTED = 0.08
# Of what is called sure so much may be false. 0.05 is 8 in 100 on strangers' sessions, where one claim in five is.
SURE_AND_FALSE = 0.04
# How far from one half to sure a sentence passes with low confidence.
UNSURE = 0.4


@dataclass(frozen=True)
class Examples:
    """(n, ...) arrays; ``target`` is 0..1, ``otherwise`` 1 where the session says otherwise, nan where nobody knows."""

    rows: Floats
    target: Floats
    otherwise: Floats
    source: NDArray[np.str_]
    group: NDArray[np.str_]

    def pick(self, which: NDArray[np.bool_]) -> Examples:
        return Examples(*(values[which] for values in vars(self).values()))


def joined(parts: Sequence[Examples]) -> Examples:
    return Examples(*(np.concatenate(own) for own in zip(*(vars(part).values() for part in parts), strict=True)))


def balanced(target: Floats, source: NDArray[np.str_], odds: float = ODDS) -> Floats:
    """(n,) weights as the module says; a source's sum is its weight times 1,000."""
    weights = np.ones(len(target))
    for name in np.unique(source):
        own = source == name
        if name != "tn-eval":
            true, false = own & (target >= 0.5), own & (target < 0.5)
            if true.any() and false.any():
                weights[false] = true.sum() / odds / false.sum()
        weights[own] *= 1000 * WEIGHTS[str(name)] / weights[own].sum()
    return weights


def fit(rows: Floats, target: Floats, weights: Floats, seed: int = 0) -> Calibrated:
    """Uncalibrated: slope 1, offset 0."""
    model = ExtraTreesRegressor(TREES, min_samples_leaf=4, max_features=0.3, random_state=seed, n_jobs=1)
    model.fit(rows.astype(np.float32), target, sample_weight=weights)
    return Calibrated(as_forest(model), 1.0, 0.0)


def held_out(examples: Examples, target: Floats, folds: int = FOLDS, seed: int = 0) -> Floats:
    """(n,) leanings by forests that never saw the example's group."""
    known = ~np.isnan(target)
    found = np.full(len(target), np.nan)
    groups = np.random.default_rng(seed).permutation(np.unique(examples.group))
    for number in range(folds):
        outside = np.isin(examples.group, groups[number::folds])
        inside = ~outside & known
        weights = balanced(target[inside], examples.source[inside])
        found[outside] = fit(examples.rows[inside], target[inside], weights, seed).leaning(examples.rows[outside])
    return found


def calibrated(leaning: Floats, target: Floats, weights: Floats) -> tuple[float, float]:
    """Slope and offset of a logistic over held-out leanings."""
    known = ~np.isnan(target) & ~np.isnan(leaning)
    lean, goal, own = leaning[known], target[known], weights[known]
    line = LogisticRegression(C=1e6).fit(
        np.r_[lean, lean][:, None], np.r_[np.ones(len(lean)), np.zeros(len(lean))], np.r_[own * goal, own * (1 - goal)]
    )
    return float(line.coef_[0, 0]), float(line.intercept_[0])


def cautious(slope: float, true: Floats, share: float = DOUBTED) -> float:
    """The offset with which a ``share`` of the ``true`` claims' leanings falls below one half.

    The corpus has one false claim for every true one and a note one in many, so that its own offset says little of
    how often a clinician would be asked about a sentence that is right.
    """
    return -slope * float(np.quantile(true, share))


def examples_of(
    sets: Iterable[ClaimSet], source: str, embedder: Embedder, lexicon: ClaimLexicon
) -> tuple[tuple[str, ...], Examples]:
    """Names, and the evidence on every claim that somebody labelled; what only the room shows is left out."""
    names: tuple[str, ...] = ()
    parts: list[Examples] = []
    dangers = LocalReading(embedder)
    last: tuple[Transcript, SessionIndex] | None = None
    for own in (one.labelled for one in sets):
        if not own.claims or not own.transcript.turns:
            continue
        if last is None or last[0] != own.transcript:
            last = (own.transcript, index_session(own.transcript, embedder, lexicon))
        note = own.note
        ledger = list(dangers(Case(own.transcript, note, own.name), threading.Event()))
        names, table = rows(gather(note.sentences, last[1], embedder, lexicon, ledger))
        otherwise = [np.nan if claim.contradicted is None else float(claim.contradicted) for claim in own.claims]
        parts.append(
            Examples(
                table,
                np.array([claim.target for claim in own.claims], dtype=float),
                np.array(otherwise),
                np.array([source] * len(own.claims)),
                np.array([own.group] * len(own.claims)),
            )
        )
    return names, joined(parts)


def fitted(
    examples: Examples, names: tuple[str, ...], encoder: str, seed: int = 0
) -> tuple[Decision, dict[str, object]]:
    """A decision, calibrated on leanings held out by group, and what it was learned from."""
    weights = balanced(examples.target, examples.source)
    leaning = held_out(examples, examples.target, seed=seed)
    slope, _ = calibrated(leaning, examples.target, weights)
    offset = cautious(slope, leaning[(examples.source == "corpus") & (examples.target == 1.0)])
    known = ~np.isnan(examples.otherwise)
    other = replace_target(examples, known)
    other_weights = balanced(1 - other.target, other.source)
    other_leaning = held_out(other, other.target, seed=seed)
    other_slope, other_offset = calibrated(other_leaning, other.target, other_weights)
    borne = replace(fit(examples.rows, examples.target, weights, seed), slope=slope, offset=offset)
    said = replace(fit(other.rows, other.target, other_weights, seed), slope=other_slope, offset=other_offset)
    chance = 1 / (1 + np.exp(-(slope * leaning + offset)))
    against = np.full(len(chance), np.nan)
    against[known] = 1 / (1 + np.exp(-(other_slope * other_leaning + other_offset)))
    sure = _least(chance, examples.target < 0.5, weights, SURE_AND_FALSE, lowest=0.75)
    doubted = known & (chance < LIMIT)
    otherwise = _least(np.where(doubted, against, -1.0), examples.otherwise != 1.0, weights * doubted, 0.15, lowest=0.2)
    facts = {
        "claims": {str(name): int((examples.source == name).sum()) for name in np.unique(examples.source)},
        "groups": len(np.unique(examples.group)),
    }
    return Decision(names, borne, said, otherwise, sure, LIMIT + UNSURE * (sure - LIMIT), encoder), facts


def replace_target(examples: Examples, known: NDArray[np.bool_]) -> Examples:
    """Those of which it is known whether the session says otherwise, with that as their target."""
    picked = examples.pick(known)
    return Examples(picked.rows, picked.otherwise, picked.otherwise, picked.source, picked.group)


def _least(chance: Floats, wrong: NDArray[np.bool_], weights: Floats, most: float, lowest: float) -> float:
    """The lowest limit, ``lowest`` at least, above which a share ``most`` of the weight is wrong; 1 where none is."""
    for limit in np.arange(lowest, 0.996, 0.005):
        above = chance >= limit
        total = weights[above].sum()
        if total > 0 and (weights * wrong)[above].sum() <= most * total:
            return round(float(limit), 3)
    return 1.0

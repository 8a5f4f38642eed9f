"""To which goal of a treatment plan might a sentence of the note speak? Nearness in meaning and words, beside the
plan's other lines and the sentence's neighbours, under a small head.

Trained by ``python -m models.training plans`` on plans and notes by two hands. On the other's notes three of five
links to a goal are right, and two of five are found: so it asks, and settles nothing. Interventions (two of
five right) and how it goes with a goal (.53, as were it never said) are for a model, and so is the session.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import fsum

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.plan import PlanLink, Thread, TreatmentPlan
from noteeval_desktop.engines.embedder import Embedder, TokenVectors
from noteeval_desktop.judges.builtin.learned import Linear, Scaler, arrays
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

Floats = NDArray[np.float64]
_SHARPNESS = 12.0
_DONE = re.compile(
    r"\b(?:we|I|therapist|clinician|writer|reviewed|explored|practi[cs]ed|discussed|introduced|taught|modell?ed"
    r"|processed|asked|invited|worked|guided|used|completed|psychoeducation|role[- ]?play|session)\b"
)
_COMING = re.compile(r"\s*(?:next|we will|continue|plan)", re.IGNORECASE)


@dataclass(frozen=True)
class PlanHead:
    """``speaks``: over a sentence's vector, whether it speaks to any line; ``links`` over scaled ``features`` and that.
    ``threshold``: the probability from which a link is asked about."""

    speaks: Linear
    scaler: Scaler
    links: Linear
    threshold: float
    fingerprint: str

    def probabilities(self, features: Floats, vectors: Floats) -> Floats:
        """(sentences, lines)."""
        count, lines, _ = features.shape
        joined = with_speaks(features, self.speaks.values(vectors)[:, 0])
        return self.links.probabilities(self.scaler(joined.reshape(count * lines, -1)), 0).reshape(count, lines)


@cache
def plan_head() -> PlanHead:
    """The head that ships with the program. Raises ModelError."""
    data = arrays(paths.resources() / "heads" / "plans.npz")
    speaks, links = (Linear(data[f"{name}.weights"], data[f"{name}.bias"]) for name in ("speaks", "links"))
    scaler = Scaler(data["scaler.mean"], data["scaler.scale"])
    return PlanHead(speaks, scaler, links, float(data["threshold"]), str(data["fingerprint"]))


def with_speaks(features: Floats, speaks: Floats) -> Floats:
    """(sentences, lines, features + 1)."""
    return np.concatenate([features, np.repeat(speaks[:, None, None], features.shape[1], axis=1)], axis=2)


def features_of(
    texts: Sequence[str],
    sections: Sequence[Section],
    plan: TreatmentPlan,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    cancel: threading.Event | None = None,
) -> tuple[Floats, Floats]:
    """(sentences, lines, features) and (sentences, dim), the sentences' vectors."""
    lines, goals = plan.lines, {goal.id: goal.text for goal in plan.goals}
    if not texts:
        return np.zeros((0, len(lines), 0)), np.zeros((0, 0))
    # An objective is read behind its goal, which says what it is about.
    full = [f"{goals[line.goal]} {line.text}" if line.id not in goals and line.goal else line.text for line in lines]
    bare = [line.text for line in lines]
    pieces = embedder.token_embeddings([*texts, *bare], cancel)
    vectors = embedder.embed([*texts, *bare, *full], cancel).astype(float)
    own, alone, near = np.split(vectors, [len(texts), len(texts) + len(lines)])
    likeness = own @ near.T
    words = [set(lexicon.content_stems(text)) for text in (*texts, *bare, *full)]
    size = len(texts), len(lines)
    rare = _rarity(words[: sum(size)])

    def each(of: Callable[[int, int], float | tuple[float, ...]]) -> Floats:
        """Of each sentence and line, by their places among all texts, the last of a line behind its goal."""
        values = [[of(n, len(texts) + m) for m in range(len(lines))] for n in range(len(texts))]
        return np.array(values, float).reshape(*size, -1)

    shared = each(lambda n, m: _shared(words[n], words[m], rare))[..., 0]
    best = each(lambda n, m: max((rare.get(one, 0.0) for one in words[n] & words[m + len(lines)]), default=0.0))[..., 0]
    by_piece = each(lambda n, m: _by_piece(pieces[n], pieces[m]))
    of_goal = np.array([line.goal for line in lines])
    family = (of_goal[:, None] == of_goal[None, :]) & ((of_goal != "")[:, None] | np.eye(len(lines), dtype=bool))
    same_kind = (of_goal != "")[:, None] == (of_goal != "")[None, :]
    others = _greatest(likeness, same_kind & ~np.eye(len(lines), dtype=bool))
    kin = _greatest(likeness, family)
    blank = np.zeros((1, len(lines)))
    before, after = np.vstack([blank, likeness])[:-1], np.vstack([likeness, blank])[1:]
    in_note = np.sort(likeness, axis=0)[-2:].mean(axis=0) if len(texts) else np.zeros(len(lines))
    sharp = np.exp(_SHARPNESS * likeness)
    rank = (-likeness).argsort(axis=1).argsort(axis=1)
    pairwise = [
        *(own @ alone.T, likeness, shared, best, likeness - others, kin, kin - others, before, after),
        np.broadcast_to(in_note, likeness.shape),
        np.log(sharp / np.maximum(sharp.sum(axis=1, keepdims=True), 1e-9)),
        np.log(sharp / np.maximum(sharp.sum(axis=0, keepdims=True), 1e-9)),
        *((rank == 0).astype(float), (rank < 3).astype(float)),
    ]
    kinds = np.array(
        [[line.id in goals, line.goal != "" and line.id not in goals, not line.goal] for line in lines], float
    )
    said = np.array(
        [
            [*(own is one for one in Section), bool(_DONE.search(t)), len(t.split()) / 20, bool(_COMING.match(t))]
            for t, own in zip(texts, sections, strict=True)
        ],
        float,
    ).reshape(len(texts), len(Section) + 3)
    doing = said[:, None, len(Section), None] * kinds[None, :, 2, None]
    return (
        np.concatenate(
            [
                *(np.stack(pairwise, axis=2), by_piece),
                np.broadcast_to(kinds[None], (*size, kinds.shape[1])),
                np.broadcast_to(said[:, None], (*size, said.shape[1])),
                *(doing, (likeness * kinds[:, 2])[..., None], (shared * kinds[:, 2])[..., None]),
            ],
            axis=2,
        ),
        own,
    )


def _rarity(texts: Sequence[set[str]]) -> dict[str, float]:
    """How seldom a stem is, in the note and the plan together, 0..1."""
    counts: dict[str, int] = {}
    for stems in texts:
        for stem in stems:
            counts[stem] = counts.get(stem, 0) + 1
    return {stem: 1 - np.log(count) / np.log(len(texts) + 2) for stem, count in counts.items()}


def _shared(said: set[str], line: set[str], rare: dict[str, float]) -> float:
    return fsum(rare[stem] for stem in said & line) / max(1e-6, fsum(rare[stem] for stem in line))


def _by_piece(sentence: TokenVectors, line: TokenVectors) -> tuple[float, ...]:
    """How near each word of one comes to any of the other: the mean, and of the three nearest; both ways."""
    found: list[float] = []
    for (names, own), (_, other) in ((line, sentence), (sentence, line)):
        kept = [n for n, name in enumerate(names) if len(name.strip("#")) > 2]
        nearest = (own[kept] @ other.T).max(axis=1) if kept and len(other) else np.zeros(1)
        found += [float(nearest.mean()), float(np.sort(nearest)[-3:].mean())]
    return tuple(found)


def _greatest(values: Floats, among: NDArray[np.bool_]) -> Floats:
    """(rows, lines): the greatest of a row's values over the lines that are ``among`` a line's; 0 of none."""
    return np.asarray(
        np.stack(
            [values[:, own].max(axis=1) if own.any() else np.zeros(len(values)) for own in among],
            axis=1,
        )
    )


def find_thread(
    case: Case,
    plan: TreatmentPlan,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    cancel: threading.Event | None = None,
) -> Thread:
    """What the note's sentences might speak to, of each goal its nearest line; nothing is certain."""
    head, sentences, lines = plan_head(), case.note.sentences, plan.lines
    if not sentences:
        return Thread(plan)
    texts, sections = [one.text for one in sentences], [one.section for one in sentences]
    chances = head.probabilities(*features_of(texts, sections, plan, embedder, lexicon, cancel))
    families = [[n for n, other in enumerate(lines) if other.goal == goal.id] for goal in plan.goals]
    return Thread(
        plan,
        tuple(
            PlanLink(sentence.id, lines[best].id, probability=round(float(own[best]), 4))
            for sentence, own in zip(sentences, chances, strict=True)
            for family in families
            for best in (max(family, key=own.__getitem__),)
            if own[best] >= head.threshold
        ),
    )

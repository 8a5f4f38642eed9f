"""To which line of a treatment plan might a sentence speak, and how does it go there? Nearness in meaning and words,
beside the plan's other lines and the sentence's neighbours, under small heads.

Trained by ``python -m models.training plans`` on plans and notes by two hands, measured on the other's
(``noteeval benchmark plans``). Half of what it finds is right, so that it asks and settles nothing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.plan import GoalProgress, PlanLink, Thread, TreatmentPlan
from noteeval_desktop.engines.embedder import Embedder, TokenVectors
from noteeval_desktop.judges.builtin.files import arrays
from noteeval_desktop.judges.builtin.linear import Linear, Scaler, sigmoid
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

Floats = NDArray[np.float64]
PROGRESS = (GoalProgress.NONE, GoalProgress.BETTER, GoalProgress.SAME, GoalProgress.WORSE, GoalProgress.MET)
_SHARPNESS = 12.0
_DONE = re.compile(
    r"\b(?:we|I|therapist|clinician|writer|reviewed|explored|practi[cs]ed|discussed|introduced|taught|modell?ed"
    r"|processed|asked|invited|worked|guided|used|completed|psychoeducation|role[- ]?play|session)\b"
)
_COMING = re.compile(r"\s*(?:next|we will|continue|plan)", re.IGNORECASE)
_COURSE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:better|improv\w*|less|fewer|more often|reduc\w*|decreas\w*|progress|able to|managed|first time|easier"
        r"|calmer|down (?:to|from)|fell|falls|without)\b",
        r"\b(?:worse|again|more anxious|increas\w*|relaps\w*|slipp\w*|missed|up (?:to|from)|rose|escalat\w*|lapse)\b",
        r"\b(?:still|as before|unchanged|same|no change|remains?|continues? to|not yet|stuck|keeps)\b",
        r"\b(?:met|achieved|reached|goal|every|complete[dr]?|all (?:of|seven|five)|none since|no longer|weeks? without)\b",
        r"\b(?:not|no|never|nothing|cannot|could not|did not|n't)\b",
        r"\d",
        r"\b(?:will|plan|next|agreed|homework|until)\b",
    )
)


@dataclass(frozen=True)
class PlanHead:
    """``speaks``: over a sentence's vector, whether it speaks to any line; ``links`` over scaled ``features`` and that;
    ``progress`` (PROGRESS, inputs) over ``course``. ``threshold``: the probability from which a link is asked about."""

    speaks: Linear
    scaler: Scaler
    links: Linear
    progress: Linear
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
    speaks, links, progress = (
        Linear(data[f"{name}.weights"], data[f"{name}.bias"]) for name in ("speaks", "links", "progress")
    )
    scaler = Scaler(data["scaler.mean"], data["scaler.scale"])
    return PlanHead(speaks, scaler, links, progress, float(data["threshold"]), str(data["fingerprint"]))


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
    # An objective is read behind its goal, which says what it is about.
    full = [f"{goals[line.goal]} {line.text}" if line.id not in goals and line.goal else line.text for line in lines]
    bare = [line.text for line in lines]
    pieces = embedder.token_embeddings([*texts, *bare], cancel)
    vectors = embedder.embed([*texts, *bare, *full], cancel).astype(float)
    own, alone, near = np.split(vectors, [len(texts), len(texts) + len(lines)])
    likeness = own @ near.T
    words = [set(lexicon.content_stems(text)) for text in (*texts, *bare, *full)]
    rare = _rarity(words[: len(texts) + len(lines)])
    shared = np.array(
        [[_shared(words[n], words[len(texts) + m], rare) for m in range(len(lines))] for n in range(len(texts))]
    ).reshape(len(texts), len(lines))
    best = np.array(
        [
            [
                max((rare.get(stem, 0.0) for stem in words[n] & words[len(texts) + len(lines) + m]), default=0.0)
                for m in range(len(lines))
            ]
            for n in range(len(texts))
        ]
    ).reshape(len(texts), len(lines))
    by_piece = np.array(
        [[_by_piece(pieces[n], pieces[len(texts) + m]) for m in range(len(lines))] for n in range(len(texts))]
    ).reshape(len(texts), len(lines), 4)
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
    kinds = np.array([[line.id in goals, line.goal != "" and line.id not in goals, not line.goal] for line in lines], float)
    said = np.array(
        [
            [*(float(section is one) for one in Section), bool(_DONE.search(text)), len(text.split()) / 20]
            + [bool(_COMING.match(text))]
            for text, section in zip(texts, sections, strict=True)
        ],
        float,
    ).reshape(len(texts), len(Section) + 3)
    size = (len(texts), len(lines))
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
    return sum(rare[stem] for stem in said & line) / max(1e-6, sum(rare[stem] for stem in line))


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


def course(texts: Sequence[str], vectors: Floats) -> Floats:
    """(sentences, inputs) of the head that says how it goes with a goal."""
    flags = [[float(bool(pattern.search(text))) for pattern in _COURSE] for text in texts]
    return np.hstack([vectors, np.array(flags, float).reshape(len(texts), len(_COURSE))])


def find_thread(
    case: Case,
    plan: TreatmentPlan,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    cancel: threading.Event | None = None,
) -> Thread:
    """What the note's sentences and the session's turns might speak to; nothing of it is certain."""
    head = plan_head()
    sentences = case.note.sentences
    note = _links(
        [one.id for one in sentences],
        *([one.text for one in sentences], [one.section for one in sentences]),
        *(plan, head, embedder, lexicon, cancel),
    )
    turns = case.transcript.turns
    session = _links(
        [str(turn.index) for turn in turns],
        *([turn.text for turn in turns], [Section.UNASSIGNED] * len(turns)),
        *(plan, head, embedder, lexicon, cancel),
    )
    return Thread(plan, note, session)


def _links(
    places: Sequence[str],
    texts: Sequence[str],
    sections: Sequence[Section],
    plan: TreatmentPlan,
    head: PlanHead,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    cancel: threading.Event | None,
) -> tuple[PlanLink, ...]:
    features, vectors = features_of(texts, sections, plan, embedder, lexicon, cancel)
    chances = head.probabilities(features, vectors)
    goes = sigmoid(head.progress.values(course(texts, vectors))).argmax(axis=1)
    return tuple(
        PlanLink(places[n], plan.lines[m].id, PROGRESS[goes[n]], round(float(chances[n, m]), 4))
        for n, m in zip(*np.nonzero(chances >= head.threshold), strict=True)
    )

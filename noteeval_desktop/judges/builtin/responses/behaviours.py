"""Motivational-interviewing counts: what a therapist's turn does, by small heads over its vector and its surface.

Behaviours and labels: AnnoMI (Wu et al., 2022, 2023). Trained by ``train_mi``.
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
from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.learned import arrays

Floats = NDArray[np.float32]


_SURFACE = tuple(map(re.compile, paths.lexicon("behaviours.json")["surface"]))


def surface(texts: Sequence[str]) -> Floats:
    """(n, surface features): 0/1 for each pattern, and the length in words, its root, and whether it breaks off."""
    rows = []
    for text in texts:
        folded = text.lower().replace("’", "'")
        words = len(folded.split())
        flags = [float(bool(pattern.search(folded))) for pattern in _SURFACE]
        rows.append([*flags, min(words, 80) / 40, min(words, 100) ** 0.5 / 5, float(folded.rstrip().endswith("-"))])
    return np.array(rows, dtype=np.float32).reshape(len(texts), len(_SURFACE) + 3)


def features(texts: Sequence[str], embedder: Embedder, cancel: threading.Event | None = None) -> Floats:
    """(n, dim + surface features)."""
    return np.hstack([embedder.embed(texts, cancel), surface(texts)])


@dataclass(frozen=True)
class BehaviourHeads:
    """``weights`` (behaviours, features), ``bias`` and ``thresholds`` (behaviours), in the order of Behaviour."""

    weights: Floats
    bias: Floats
    thresholds: Floats
    fingerprint: str

    def probabilities(self, texts: Sequence[str], embedder: Embedder, cancel: threading.Event | None = None) -> Floats:
        """(n, behaviours) in 0..1."""
        logits = features(texts, embedder, cancel) @ self.weights.T + self.bias
        return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


@cache
def behaviour_heads() -> BehaviourHeads:
    """The heads that ship with the program. Raises ModelError."""
    data = arrays(paths.resources() / "heads" / "mi.npz")
    return BehaviourHeads(data["weights"], data["bias"], data["thresholds"], str(data["fingerprint"]))


def count_behaviours(transcript: Transcript, embedder: Embedder, cancel: threading.Event | None = None) -> MiCounts:
    """Counts for a session. Raises Cancelled."""
    heads = behaviour_heads()
    spoken = [turn for turn in transcript.turns if turn.role is Role.THERAPIST and turn.text.strip()]
    table = heads.probabilities([turn.text for turn in spoken], embedder, cancel)
    done = [_behaviours(row, heads.thresholds) for row in table]
    words = {role: sum(len(t.text.split()) for t in transcript.turns if t.role is role) for role in Role}
    total = sum(words.values())
    return MiCounts(
        counts=tuple((behaviour, sum(behaviour in own for own in done)) for behaviour in Behaviour),
        talk_share=words[Role.THERAPIST] / total if total else None,
        turns=tuple((turn.index, own) for turn, own in zip(spoken, done, strict=True)),
    )


def _behaviours(row: Floats, thresholds: Floats) -> tuple[Behaviour, ...]:
    """At most one kind of question and one kind of reflection a turn: the one further above its threshold."""
    over = dict(zip(Behaviour, (row - thresholds).tolist(), strict=True))
    pairs = (
        (Behaviour.OPEN_QUESTION, Behaviour.CLOSED_QUESTION),
        (Behaviour.SIMPLE_REFLECTION, Behaviour.COMPLEX_REFLECTION),
        (Behaviour.INPUT,),
    )
    best = (max(pair, key=over.__getitem__) for pair in pairs)
    return tuple(behaviour for behaviour in best if over[behaviour] >= 0)

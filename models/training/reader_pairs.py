"""What the reader is taught: windows of talk beside claims, from the short windows and from the labelled sessions."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.training.datasets import ClaimSet, windows
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.support.evidence import best_windows, window_scores, window_text
from noteeval_desktop.judges.builtin.text.note_lexicon import expand
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

ENTAILED, NEUTRAL, CONTRADICTED = range(3)
_LABELS = {"true": ENTAILED, "unsaid": NEUTRAL, "contradicted": CONTRADICTED}
_SPEAKERS = {"client": "Client", "therapist": "Therapist", "other": "Other"}
# Windows near a claim that do not decide it: nobody read them one by one.
_UNDECIDED_WEIGHT = 0.4
_UNDECIDED = 2


def _number(*parts: object) -> int:
    return zlib.crc32("/".join(map(str, parts)).encode()) or 1


@dataclass(frozen=True, slots=True)
class TaughtPair:
    premise: str
    claim: str
    label: int
    twin: int
    weight: float
    group: str


def of_windows(folder: Path) -> Iterator[TaughtPair]:
    """Every claim of the short windows; the twins of one window share a number."""
    for author, number, turns, claims in windows(folder):
        premise = " ".join(f"{_SPEAKERS[role]}: {text}" for role, text in turns)
        for claim in claims:
            twin = _number(author, number, claim["twin"])
            yield TaughtPair(premise, expand(claim["text"]), _LABELS[claim["label"]], twin, 1.0, author)


def of_sessions(
    sets: Sequence[ClaimSet], embedder: Embedder, lexicon: ClaimLexicon, seed: int = 0
) -> Iterator[TaughtPair]:
    """Each claim beside the windows that decide it, and beside others that come near and do not."""
    rng = random.Random(seed)
    last: tuple[object, SessionIndex] | None = None
    for own in sets:
        if last is None or last[0] != own.transcript:
            last = (own.transcript, index_session(own.transcript, embedder, lexicon))
        session = last[1]
        texts = [expand(claim.text) for claim in own.claims]
        for claim, text, vector in zip(own.claims, texts, embedder.embed(texts), strict=True):
            if claim.target is None:
                continue
            scores, _ = window_scores(vector, lexicon.content_stems(text), session)
            deciding = [i for i, passage in enumerate(session.passages) if passage.turn in claim.turns]
            near = best_windows(scores, 8)
            chosen = sorted(deciding, key=lambda i: -scores[i])[:2]
            for place in chosen:
                around = tuple(range(max(0, place - 1), min(len(scores), place + 2)))
                twin = _number(claim.twin, place) if claim.twin else 0
                label = ENTAILED if claim.target == 1.0 else CONTRADICTED if claim.contradicted else NEUTRAL
                # A statement that rests on several places is only in part in each.
                weight = 1.0 if len(claim.turns) < 3 else 0.6
                yield TaughtPair(window_text(around, session), text, label, twin, weight, own.group)
            others = [one for one in near if not set(one.passages) & set(deciding)]
            for one in rng.sample(others, min(_UNDECIDED if chosen else 3, len(others))):
                yield TaughtPair(window_text(one.passages, session), text, NEUTRAL, 0, _UNDECIDED_WEIGHT, own.group)

"""What of a claim is its own, and whether it was raised where such claims come from: offers, agreements, feelings.

A plan is faithful when it was raised towards the end; a feeling, when the client named it and not the therapist alone;
and what every note says ("explore coping strategies") needs more than a near topic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.judges.builtin.note_words import NoteWords
from noteeval_desktop.judges.builtin.session_index import SessionIndex

Floats = NDArray[np.float32]
# How long the session is, log(1 + passages): not for the heads, but for how they are put together.
LENGTH = "passages"
_LATE = 0.67
_MOST_SPECIFIC = 3
# The match of a feeling that nobody could have named.
_NO_MATCH = 0.5
# How a therapist offers something, as a pattern's alternatives.
OFFERS = (
    r"next (?:time|week|session|month)|follow[- ]?up|appointment|homework|try|would you be willing|let's|"
    r"how about|come back|see you|schedule|plan|goal|refer|call|meet"
)
_OFFER = re.compile(
    rf"\b(?:{OFFERS}|what if|we can|we could|we'?ll|i'?d like|suggest|recommend|you could|you might|option)\b",
    re.IGNORECASE,
)
_COMMITMENT = re.compile(
    r"\b(?:i'?ll|i will|i'?m going to|i could|i can|i want to|i'?d like to|i need to|i plan|i might|i should|"
    r"i'?m gonna|i think i|willing|ready)\b",
    re.IGNORECASE,
)
_NAMED = """
    anxious anxiety stress stressed sad sadness angry anger upset frustrated frustration guilt guilty shame worried
    worry concern concerned scared fear afraid happy depressed depression overwhelmed embarrassed lonely isolated
    isolation annoyed resistant defensive hopeful motivated hopeless nervous irritated engaged ambivalent ambivalence
    conflicted distress distressed calm tired exhausted"""
_FEELINGS = frozenset(_NAMED.split())


class Raised:
    """A session read for where its offers, its last third and its client's turns stand."""

    def __init__(self, session: SessionIndex, words: NoteWords) -> None:
        count = len(session.passages)
        late = np.arange(count) >= _LATE * count
        offers = np.array([bool(_OFFER.search(p.text)) for p in session.passages], dtype=bool) & ~session.clients
        commits = np.array([bool(_COMMITMENT.search(p.text)) for p in session.passages], dtype=bool) & session.clients
        self._session, self._words = session, words
        self._pieces_of = {"piece_offer": offers, "piece_late": late}
        self._all = {
            LENGTH: float(np.log1p(count)),
            "late_offers": float(offers[late].mean()) if late.any() else 0.0,
            "late_commitments": float(commits[late].sum() / max(1, int((session.clients & late).sum()))),
        }

    def features(self, names: Sequence[str], near: Floats, weights: Floats) -> dict[str, float]:
        """``near`` is ``SessionIndex.nearest`` of the claim's word pieces, ``weights`` one a piece."""
        rarity = self._words.rarity(names)
        own = {
            "specific": float(rarity.mean()) if len(names) else 0.0,
            "specific_top": float(np.sort(rarity)[-_MOST_SPECIFIC:].mean()) if len(names) else 0.0,
        }
        return own | self._restricted(near, weights) | self._felt(names, near) | self._all

    def _restricted(self, near: Floats, weights: Floats) -> dict[str, float]:
        found = {}
        for name, passages in self._pieces_of.items():
            there = passages[self._session.spoken[0]]
            usable = bool(there.any()) and bool(len(weights))
            found[name] = float(weights @ near[:, there].max(axis=1) / weights.sum()) if usable else 0.0
        return found

    def _felt(self, names: Sequence[str], near: Floats) -> dict[str, float]:
        felt = [index for index, name in enumerate(names) if name.lower() in _FEELINGS]
        heard = near[felt]
        client = heard[:, self._session.clients[self._session.spoken[0]]]
        return {
            "feelings": float(len(felt)),
            "feeling_client": float(client.max()) if client.size else _NO_MATCH,
            "feeling_any": float(heard.max()) if heard.size else _NO_MATCH,
        }

"""How much of its own a sentence says: word pieces that notes of many conversations share tell nothing of this one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Rarer pieces are not told apart, so that a table of a few hundred is enough and no note can be read from it.
_FEWEST = 4
_RARE = 1
_FLOOR = 0.02


@dataclass(frozen=True)
class NoteWords:
    """``holding``: in the notes of how many of ``conversations`` a word piece stands; pieces in fewer than four are
    left out.
    """

    holding: Mapping[str, int]
    conversations: int

    def rarity(self, pieces: Sequence[str]) -> Floats:
        """(pieces,): near 0 for what every conversation's notes say, up to the logarithm of half their number."""
        held = np.array([self.holding.get(piece, _RARE) for piece in pieces], dtype=float)
        return np.asarray(np.log((self.conversations + 1) / (1 + held)) + _FLOOR)


def count_words(notes: Iterable[Iterable[str]], conversations: int) -> NoteWords:
    """``notes`` has the word pieces of one conversation's notes each; ``conversations`` is how many they stand for."""
    counts = Counter(piece for pieces in notes for piece in set(pieces))
    return NoteWords({piece: n for piece, n in sorted(counts.items()) if n >= _FEWEST}, conversations)

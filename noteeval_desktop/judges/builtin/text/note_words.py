"""How much of its own a sentence says: word pieces that notes of many conversations share tell nothing of this one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths

Floats = NDArray[np.float64]
# Rarer pieces are not told apart, so that a table of a few hundred is enough and no note can be read from it.
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


@cache
def shared_words() -> NoteWords:
    """Those that ship (``resources/lexicons/note_words.json``)."""
    data = json.loads((paths.resources() / "lexicons" / "note_words.json").read_text(encoding="utf-8"))
    return NoteWords(data["holding"], data["conversations"])

"""Word patterns that tell what a sentence of a note does: reports, observes, plans, interprets, intervenes.

Ours, written for this product (``resources/lexicons/note_patterns.json``); each is counted per sentence. The heads are
trained on these counts: a change here needs a new training run (the heads remember ``FINGERPRINT`` and refuse another).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from noteeval_desktop import paths
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.judges.builtin.text.shorthand import written_out

_WORDS = paths.lexicon("note_patterns.json")
# Capitals matter where the lower-case word is another word (hi, si, mi).
_EXPANSIONS = tuple(
    (re.compile(pattern, 0 if pattern[2:-2].isupper() or pattern.startswith(r"\bTh") else re.I), words)
    for pattern, words in _WORDS["abbreviations"]
)
_PATTERNS: Mapping[str, str] = _WORDS["patterns"]
NAMES = tuple(_PATTERNS)
_COMPILED = tuple(re.compile(pattern, re.I) for pattern in _PATTERNS.values())
_MOST = 3
FINGERPRINT = fingerprint(*NAMES, *_PATTERNS.values(), *(a + b for a, b in _WORDS["abbreviations"]))


def expand(text: str) -> str:
    """Write clinical abbreviations out (``Pt denies SI/HI`` becomes words that the encoder knows).

    The fingerprint leaves ``shorthand`` aside: of the 1,301 sentences that the heads learnt from it changes few.
    """
    text = written_out(text)
    for pattern, words in _EXPANSIONS:
        text = pattern.sub(words, text)
    return text


def counts(text: str) -> tuple[float, ...]:
    """How often each pattern of ``NAMES`` occurs in an expanded sentence, three at most."""
    return tuple(
        float(min(sum(1 for _ in zip(pattern.finditer(text), range(_MOST), strict=False)), _MOST))
        for pattern in _COMPILED
    )

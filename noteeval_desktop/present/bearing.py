"""Which of a claim's passages bear on it: those that share a number, or a word that tells something, with it."""

from __future__ import annotations

import re

from noteeval_desktop import paths
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# As long as what inflections leave alone; "sleeping" and "sleeps" are one.
_STEM = 5
_LEAST = 4
_EMPTY = frozenset(paths.lexicon("empty_words.json"))


def bearing(claim: ClaimVerdict, text: str) -> tuple[Citation, ...]:
    """The citations of ``claim``, which stands in the note as ``text``, without those that say nothing of it. What
    contradicts it is its evidence whatever its words."""
    if claim.verdict not in (Verdict.SUPPORTED, Verdict.UNSUPPORTED):
        return claim.citations
    told = _stems(text)
    return tuple(citation for citation in claim.citations if told & _stems(citation.quote))


def _stems(text: str) -> frozenset[str]:
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(text))
    return frozenset(word[:_STEM] for word in words if (len(word) >= _LEAST or word.isdigit()) and word not in _EMPTY)

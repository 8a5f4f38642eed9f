"""Which quoted passages bear on a claim: those that share a word that tells something, or a number, with it."""

from __future__ import annotations

import re

from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# As long as what inflections leave alone; "sleeping" and "sleeps" are one.
_STEM = 5
_LEAST = 4
_EMPTY = frozenset(
    {"that", "this", "with", "have", "been", "they", "them", "their", "there", "what", "when", "will", "would", "could"}
    | {"should", "about", "from", "just", "like", "really", "client", "therapist", "patient", "report", "reports"}
    | {"reported", "states", "stated", "says", "said", "session", "during", "also", "because", "than", "then", "some"}
    | {
        "very",
        "more",
        "into",
        "your",
        "want",
        "does",
        "doing",
        "don't",
        "it's",
        "think",
        "know",
        "feel",
        "feels",
        "felt",
    }
    | {"going", "good", "well", "yeah", "okay", "right", "much", "make", "made"}
)


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

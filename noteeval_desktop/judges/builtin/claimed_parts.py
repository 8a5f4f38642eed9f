"""How much of each part of a claim the session holds: a made-up clause may hang on a true one."""

from __future__ import annotations

import re

from noteeval_desktop.judges.builtin.alignment import Alignment, Claim
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

_PART = re.compile(
    r"[;:,]\s+|\s+(?:and|but|because|although|though|while|which|so that|due to|after|when|since|with|as|in order to|"
    r"by|despite|for|until|before)\s+"
)
_PART_WORDS = 2


def claimed_parts(claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon) -> dict[str, float]:
    """Of the part that fares worst, the weight of words that nobody said, or nobody near, as shares of the part's, and
    how many were not said; and of the claim the longest run of words that were not said, and their share."""
    weights = dict(alignment.weights)
    near = {stem for index in alignment.nearby for stem in session.passages[index].stems}
    unsaid = unsaid_near = most = 0.0
    for part in _PART.split(claim.text):
        stems = lexicon.content_stems(part)
        if len(stems) < _PART_WORDS:
            continue
        total = sum(weights.get(stem, 1.0) for stem in stems) or 1.0
        missing = [stem for stem in stems if stem not in session.by_stem]
        unsaid = max(unsaid, sum(weights.get(stem, 1.0) for stem in missing) / total)
        unsaid_near = max(unsaid_near, sum(weights.get(stem, 1.0) for stem in stems if stem not in near) / total)
        most = max(most, float(len(missing)))
    lone = [stem for stem in claim.stems if stem not in session.by_stem]
    return {
        "part_unsaid": unsaid,
        "part_unsaid_near": unsaid_near,
        "part_unsaid_words": most,
        "unsaid_run": _longest_run(claim, session),
        "unsaid_share": len(lone) / max(1, len(claim.stems)),
    }


def _longest_run(claim: Claim, session: SessionIndex) -> float:
    run = longest = 0
    for word in claim.words:
        if word.content:
            run = 0 if word.stem in session.by_stem else run + 1
            longest = max(longest, run)
    return float(longest)

"""Do the client's own passages that say what a claim says, say yes and no where it does?"""

from __future__ import annotations

import numpy as np

from noteeval_desktop.judges.builtin.alignment import RECALL_WEIGHT, Alignment, Claim
from noteeval_desktop.judges.builtin.polarity import Answer
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

_PASSAGES = 3


def claimed_polarity(
    claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon
) -> dict[str, float]:
    """Of the client's three nearest passages, the weight of words (as shares of the claim's) that both negate, that the
    claim alone negates, and that the passage alone negates; and the share of these passages that negate anything."""
    weights = dict(alignment.weights)
    no = {word.stem for i, word in enumerate(claim.words) if i in claim.negated and word.content}
    yes = {word.stem for i, word in enumerate(claim.words) if i not in claim.negated and word.content} - no
    score = np.maximum(alignment.similarity, 0.9 * alignment.window) + RECALL_WEIGHT * alignment.recall
    nearest = [int(i) for i in np.argsort(-score, kind="stable") if session.clients[i]][:_PASSAGES]
    both, own, theirs, first = 0.0, 0.0, 0.0, 0.0
    for place, index in enumerate(nearest):
        denied, said = _sides(index, session)
        both += _weight(no & denied, weights)
        mine, other = _weight(no & (said - denied), weights), _weight(yes & (denied - said), weights)
        own, theirs = own + mine, theirs + other
        first = first if place else mine + other
    total = sum(weights.values()) or 1.0
    negating = [bool(session.passages[i].negated) or session.passages[i].answer is Answer.NO for i in nearest]
    return {
        "polarity_same": both / total,
        "polarity_other": (own + theirs) / total,
        "polarity_first": first / total,
        "polarity_said": own / total,
        "polarity_denied": theirs / total,
        "client_says_no": sum(negating) / len(negating) if negating else 0.0,
    }


def _sides(index: int, session: SessionIndex) -> tuple[set[str], set[str]]:
    """Stems that a passage denies and stems that it says; with its answer, those of the question."""
    passage = session.passages[index]
    denied = {word.stem for i, word in enumerate(passage.words) if i in passage.negated and word.content}
    said = {word.stem for i, word in enumerate(passage.words) if i not in passage.negated and word.content}
    asked = session.passages[index - 1] if index else None
    if asked is not None and asked.role is not passage.role:
        if passage.answer is Answer.NO:
            denied |= asked.stems
        elif passage.answer is Answer.YES:
            said |= asked.stems
    return denied, said


def _weight(stems: set[str], weights: dict[str, float]) -> float:
    return sum(weights.get(stem, 0.0) for stem in stems)

"""Of whom a claim tells, and whether the session tells it of them.

A note that makes its client's drinking the mother's, or has the therapist feel anxious, keeps every other word. What
gives it away is its grammar (somebody else's at the beginning, "the client discussed options with the client") and the
passages that say the same: they name nobody else and speak in the first person.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.judges.builtin.alignment import RECALL_WEIGHT, Alignment, Claim
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

Floats = NDArray[np.float32]
# People whom the lexicon's relations do not hold: nobody of whom no word was said belongs into a note.
_OTHERS = frozenset(
    (
        "nephew", "nephews", "niece", "nieces", "stepfather", "stepmother", "stepson", "stepdaughter", "stepsister",
        "stepbrother", "landlord", "tenant", "nurse", "pharmacist", "receptionist", "lawyer", "judge", "sister-in-law",
        "brother-in-law", "grandparent", "grandparents", "grandson", "granddaughter", "godmother", "classmate", "twin",
        "officer", "physician",
    )
)  # fmt: skip
_PERSON = (
    r"(?:(?:step|grand|god)?(?:mother|father|son|daughter|sister|brother)s?(?:-in-law)?|mom|mum|dad|wife|husband|"
    r"(?:ex-)?(?:wife|husband|partner|boyfriend|girlfriend)|spouse|(?:ex-)?partners?|girlfriend|boyfriend|cousins?|"
    r"aunt(?:ie)?s?|uncles?|nephews?|nieces?|grand(?:ma|pa|parents?)|parents?|child(?:ren)?|kids?|bab(?:y|ies)|"
    r"siblings?|friends?|boss|supervisor|manager|co-?workers?|colleagues?|(?:room|flat|class)mates?|neighbou?rs?|"
    r"landlord|tenant|teachers?|family|doctor|physician|nurse|lawyer)"
)
_THERAPIST = r"(?:the |this )?(?:therapist|clinician|counsell?or|writer|provider|practitioner)"
_CLIENT = r"(?:the )?(?:client|patient|pt|cl)"
_OPENS = r"(?:^|\b(?:that|and|because|but|while|which)\s|,\s)"
_LIVES = (
    r"(?:(?:report|state|express|mention|describe|rate|appear|want|agree|acknowledge|drink|smoke|like|enjoy|live|work|"
    r"share|seem|know|believe|recogniz|identifi)(?:e?s|e?d)|felt|feels|uses|has|had|is|was|are|were|may|den(?:ies|ied)|"
    r"will (?:try|aim|consider|reduce|start|continue|attend|set|stop|quit|return|be scheduled))\b"
)
_TREATS = (
    r"(?:(?:discuss|provid|explor|utiliz|us|encourag|assign|educat|validat|review|explain|assess|offer|ask|inquir|"
    r"reflect|normaliz|suggest|recommend|facilitat|challeng|support|introduc|help|proceed)ed|taught|worked with|"
    r"will (?:follow up with|assess|provide|work with (?:the )?client|help|assist|support|review|monitor|refer|"
    r"encourage))\b"
)
_OF_THEIRS = (
    r"(?:mood|affect|drinking|smoking|reports?|speech|desire|concerns?|goals?|motivation|willingness|body|behaviou?r|"
    r"anxiety|health|current|own|feelings)\b"
)
_WORDINGS = {
    "therapist_named": rf"\b{_THERAPIST}\b",
    "therapist_subject": rf"{_OPENS}{_THERAPIST}\b(?!['’]s)",
    "therapist_lives": rf"\b{_THERAPIST} (?:also |often |currently |then )?{_LIVES}|\b{_THERAPIST}['’]s {_OF_THEIRS}",
    "client_named": rf"\b{_CLIENT}\b",
    "client_subject": rf"{_OPENS}{_CLIENT}\b(?!['’]s)",
    "client_treats": rf"\b{_CLIENT} (?:also |then )?{_TREATS}",
    "client_helped": rf"\b{_CLIENT}\b(?!['’]s)(?:(?!\b(?:that|who|because|when|and)\b|[,.;]).)*?"
    r"\b(?:support|help\w*|with|to|from|for|encourag\w+|challeng\w+|assist\w*|educat\w+|refer|allow\w*|engag\w+|this|"
    rf"inform\w*|guid\w+) {_CLIENT}\b",
    "relative_owned": rf"\b{_CLIENT}['’]s {_PERSON}\b",
    "relative_theirs": rf"\b(?:his|her|their) {_PERSON}\b(?!['’])",
    "relative_owns": rf"\b{_PERSON}['’]s\b",
    "relative_first": rf"^(?:{_CLIENT}['’]s |his |her |their |an? ){_PERSON}\b(?!['’])",
    "relative_lives": rf"\b{_PERSON} (?:also |often )?{_LIVES}",
    "relative_of": rf"\b{_PERSON} of {_CLIENT}\b",
}  # fmt: skip
_WORDING = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _WORDINGS.items()}
_FIRST_PERSON = frozenset(("i", "my", "me", "i'm", "i've", "i'd", "i'll", "myself", "mine", "we", "our"))
_THIRD_PERSON = frozenset(
    ("he", "she", "they", "his", "her", "their", "him", "them", "he's", "she's", "they're")
)  # fmt: skip
# How a session tells of somebody whom it never calls by the name that a note has for them.
_UNNAMED = {
    "coworker": re.compile(r"\bpeople (?:\w+ )?(?:(?:I|you) work with|at work)\b", re.IGNORECASE),
    "roommate": re.compile(
        r"\b(?:out of|into) (?:my|your) (?:house|home|place|apartment)\b|\b(?:liv|stay)\w* with (?:me|you)\b",
        re.IGNORECASE,
    ),
}
_NEAREST = 3
_NOBODY = -0.2


def claimed_persons(
    claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon
) -> dict[str, float]:
    """Counts of wordings; how much further off than the nearest passage those are that name the claim's persons; and
    how far the client's nearest passages speak of themselves or of others, as shares of words."""
    found = {name: float(len(pattern.findall(claim.text))) for name, pattern in _WORDING.items()}
    score = np.maximum(alignment.similarity, 0.9 * alignment.window) + RECALL_WEIGHT * alignment.recall
    related = [lexicon.relations[word.folded] for word in claim.words if word.folded in lexicon.relations]
    gaps = [best_of(score) - best_of(score, _naming(name, session, lexicon)) for name in related]
    strangers = [w for w in claim.words if w.folded in _OTHERS and w.folded not in session.folded]
    clients = session.clients
    near = [i for i in alignment.nearest if clients[i]][:_NEAREST] or list(alignment.nearest[:1])
    third = _THIRD_PERSON | frozenset(lexicon.relations)
    return found | {
        "relative_gap": max(gaps, default=0.0),
        "relative_gap_mean": sum(gaps) / len(gaps) if gaps else 0.0,
        "strangers": float(len(strangers)),
        "first_person": _share(near, session, _FIRST_PERSON),
        "third_person": _share(near, session, third),
        "client_side": best_of(alignment.similarity, np.flatnonzero(clients).tolist())
        - best_of(alignment.similarity, np.flatnonzero(~clients).tolist()),
        "therapist_twice": float(found["therapist_named"] > 1),
    }


def best_of(score: Floats, passages: list[int] | None = None) -> float:
    """The highest score of these passages, or of all; a little below nought where there are none."""
    picked = score if passages is None else score[passages]
    return float(picked.max()) if picked.size else _NOBODY


def _naming(name: str, session: SessionIndex, lexicon: ClaimLexicon) -> list[int]:
    """Passages that name this relation, or one that implies it."""
    ways = {name} | lexicon.implied.get(name, frozenset())
    words = [word for word in session.folded if lexicon.relations.get(word) in ways]
    stems = {lexicon.stem(word) for word in words}
    return sorted({index for stem in stems for index in session.by_stem.get(stem, ())} | set(unnamed(name, session)))


def unnamed(name: str, session: SessionIndex) -> list[int]:
    """Passages that tell of somebody in this relation by other words: "people at work", "out of my house"."""
    pattern = _UNNAMED.get(name)
    return [i for i, passage in enumerate(session.passages) if pattern.search(passage.text)] if pattern else []


def _share(passages: list[int], session: SessionIndex, words: frozenset[str]) -> float:
    shares = [
        sum(word.folded in words for word in session.passages[index].words) / (1 + len(session.passages[index].words))
        for index in passages
    ]
    return sum(shares) / len(shares) if shares else 0.0

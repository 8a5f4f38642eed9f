"""A claim that has somebody do what the session, speaking of the same, tells of somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.alignment import Claim
from noteeval_desktop.judges.builtin.features_claim import ClaimVectors
from noteeval_desktop.judges.builtin.findings import Clash, Finding
from noteeval_desktop.judges.builtin.misplaced_anchor import ALIKE, UNLIKE, Anchor
from noteeval_desktop.judges.builtin.misplaced_doers import (
    KIN,
    Clause,
    Who,
    clauses,
    tells_little,
)
from noteeval_desktop.judges.builtin.misplaced_heard import Heard, Hearing
from noteeval_desktop.judges.builtin.misplaced_names import are_two
from noteeval_desktop.judges.builtin.polarity import Answer
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.word_vectors import word_vectors
from noteeval_desktop.judges.builtin.words import ClaimLexicon

Floats = NDArray[np.float32]
_LOOKED_AT = 6
# What a clause must share of the claim's, and by how much less those may that have the claim's own doer.
_ENOUGH = 0.55
_BEHIND = 0.25
_ALL = 1e-6
_UNHEARD = 0.25
_PLAINLY = 0.8
_TWO = 2
_CLOSE_BY = 0.45


@dataclass(frozen=True)
class _Told:
    """A clause of the session with its doer made out, and how much of the claim's clause it tells, 0 to 1."""

    passage: int
    clause: Clause
    score: float


def wrong_doers(
    claim: Claim, own: ClaimVectors, told: Anchor, session: SessionIndex, lexicon: ClaimLexicon
) -> list[Finding]:
    """A finding for each relative who is not there, and for each clause that the session tells of another.

    None is sure: in sessions that nobody read while this was written, it met as many true claims as false ones. They
    are reasons for what the head for persons condemns.
    """
    hearing = session.once(Hearing, lambda: Hearing(session, lexicon))
    scores = told.scores(without=[name for name, doer in hearing.names.items() if doer.who is Who.CLIENT])
    findings = _strangers(claim, scores, session, lexicon)
    noted = [
        clause
        for clause in clauses(claim.text, claim.words, None, lexicon, hearing.names)
        if clause.doer.who in (Who.CLIENT, Who.OTHER)
        and clause.content
        and not clause.negated
        and not tells_little(claim.words, clause)
    ]
    # An index without the names of its pieces has no vectors of single words.
    if not noted or len(session.names) != len(session.pieces):
        return findings
    heard = hearing.heard(sorted(int(index) for index in np.argsort(-scores, kind="stable")[:_LOOKED_AT]))
    vectors = word_vectors(claim.text, claim.words, own.names, own.pieces)
    rarity = np.array([_rarity(word.stem, session) for word in claim.words], dtype=np.float32)
    for clause in noted:
        found = _elsewhere(clause, vectors, rarity, heard, session)
        if found is not None:
            span = claim.words[clause.doer.place].span
            findings.append(Finding(Clash.PERSON, span, found.passage, _said(found, session)))
    return findings


def _strangers(claim: Claim, scores: Floats, session: SessionIndex, lexicon: ClaimLexicon) -> list[Finding]:
    """Relatives of whom the session never speaks, where it names another in what comes closest to the claim."""
    said = {lexicon.relations[word] for word in session.folded if word in lexicon.relations} | session.children
    best = int(np.argmax(scores))
    told = {lexicon.relations.get(word.folded): word for word in claim.words}
    near = [word for word in session.passages[best].words if word.folded in lexicon.relations]
    others = [word for word in near if lexicon.relations[word.folded] in KIN - set(told)]
    # "Both her daughters", said by a mother's daughter, are the client and a sister.
    if scores[best] < _CLOSE_BY or not others or set(told) & said & KIN:
        return []
    return [
        Finding(Clash.PERSON, word.span, best, others[0].span)
        for name, word in told.items()
        if name in KIN
        and not name.startswith("grand")
        and not ({name} | lexicon.implied.get(name, frozenset()) | _implying(name, lexicon)) & said
    ]


def _implying(name: str, lexicon: ClaimLexicon) -> frozenset[str]:
    return frozenset(other for other, ways in lexicon.implied.items() if name in ways and other != "family")


def _rarity(stem: str, session: SessionIndex) -> float:
    count = len(session.passages)
    return float(np.log((count + 1) / (1 + len(session.by_stem.get(stem, ())))) + 0.1)


def _elsewhere(
    clause: Clause, vectors: Floats, rarity: Floats, heard: Sequence[Heard], session: SessionIndex
) -> _Told | None:
    places = list(clause.content)
    shares = np.array([_shares(vectors[places], one) for one in heard])
    heard_of = shares.max(axis=0)
    weights = rarity[places] * (_UNHEARD + (1.0 - _UNHEARD) * heard_of)
    if int((heard_of >= _PLAINLY).sum()) < min(len(places), _TWO) and (len(places) > _TWO or heard_of.max() < _PLAINLY):
        return None
    told = [
        _Told(one.passage, one.clause, float(weights @ share / max(float(weights.sum()), _ALL)))
        for one, share in zip(heard, shares, strict=True)
        if not _leaves_open(one, session)
    ]
    others = [one for one in told if are_two(clause.doer, one.clause.doer) and not one.clause.negated]
    if not others:
        return None
    best = max(others, key=lambda one: one.score)
    alike = [one for one in told if not are_two(clause.doer, one.clause.doer) and not one.clause.negated]
    own = max((one.score for one in alike), default=0.0)
    return best if best.score >= _ENOUGH and own <= best.score - _BEHIND else None


def _leaves_open(one: Heard, session: SessionIndex) -> bool:
    """A question tells nothing unless it is answered, and not with no."""
    if not one.clause.asked:
        return False
    follows = one.passage + 1
    return follows >= len(session.passages) or session.passages[follows].answer in (Answer.NO, None)


def _shares(vectors: Floats, one: Heard) -> Floats:
    """How far each word is said by a clause, or by what a clause as "my dad did" leaves unsaid."""
    own = _best(vectors, one.vectors)
    return np.maximum(own, 0.9 * _best(vectors, one.before)) if one.clause.elliptic else own


def _best(vectors: Floats, others: Floats) -> Floats:
    if not len(others):
        return np.zeros(len(vectors), dtype=np.float32)
    near = (vectors @ others.T).max(axis=1)
    return np.asarray(np.clip((near - UNLIKE) / (ALIKE - UNLIKE), 0.0, 1.0), dtype=np.float32)


def _said(found: _Told, session: SessionIndex) -> Span | None:
    words = session.passages[found.passage].words
    place = found.clause.doer.place
    if place < found.clause.first or place >= found.clause.last:
        return None
    return words[place].span

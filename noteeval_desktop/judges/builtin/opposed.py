"""What a note states and the client denied, or the note denies and the client stated.

Clause by clause: of each clause of the claim and each thing that the client said near it, the words that tell what it
speaks of are paired, by themselves or by their vectors; where both speak of the same, one of them says that it is so,
and the other that it is not, and nothing else that was said bears the claim out as well, the claim is turned round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from noteeval_desktop.judges.builtin.alignment import Claim
from noteeval_desktop.judges.builtin.features_claim import ClaimVectors, Reading
from noteeval_desktop.judges.builtin.findings import Clash, Finding
from noteeval_desktop.judges.builtin.paired import (
    Pair,
    clauses_of,
    comparable,
    coverage,
    meant_alike,
    paired,
    same_person,
    then_or_now,
    told_near,
)
from noteeval_desktop.judges.builtin.said import Said
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

# "Mood “a two”", "Sleep: 5h", "Energy 3/10": a heading states nothing that "I'm not in a mood" could deny.
_HEADING = re.compile(r"[A-Z]\w+\s*(?:[:=~–—-]\s*)?[\"“‘'~<>]?(?:a |an |about )?(?:\d|[\"“:=])")
_OPEN = re.compile(
    r"\b(?:deferr\w+|postpon\w+|on hold|delayed|tabled|pending|undecided|noncommittal|considering|not yet|held off"
    r"|absence (?!of\b)|if\b)",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"(?<![\w/])(?:d/t|b/c|2/2|s/t)(?![\w/])|\b(?:due|secondary|owing) to\b|\bbecause of\b", re.IGNORECASE
)
_BEHIND = 12  # characters in which a clause's last word may end
_NARROW = 0.65  # share of what the denying side denies that the other speaks of
_ENDED = 0.75  # the same where the note says that something is over
_BROAD = 0.45  # share of what the affirming side affirms that the other speaks of
_BARE = 0.6  # share of the claim that is covered where all that it goes on was said before
_PLAINLY = 0.8
_WIDE = 0.35  # the same where a plain "no" is told of at length


def opposed(reading: Reading, vectors: ClaimVectors, session: SessionIndex, lexicon: ClaimLexicon) -> list[Finding]:
    """At most one finding: the first clause of the claim that is denied, or that denies what was said."""
    clauses = [
        clause
        for clause in clauses_of(reading, vectors, session)
        if clause.sign and not _left_open(clause, reading.claim.text)
    ]
    if not clauses or not session.names:
        return []
    told, text = told_near(reading, session), reading.claim.text
    beside = [(clause, _pairs(clause, told)) for clause in clauses]
    agreed = {_place(pair) for clause, pairs in beside for pair in pairs if _denies_too(pair, clause)}
    for clause, pairs in beside:
        refuting = _refuting(
            clause, [pair for pair in pairs if pair.sign >= 0 or _place(pair) not in agreed], session, text
        )
        if refuting is not None:
            return [_finding(clause, refuting, reading.claim)]
    return []


def _left_open(clause: Said, text: str) -> bool:
    """ "Letter deferred" denies no more than it states, an absence at something is no denial of it, and "not done d/t
    wife sick" denies no sickness."""
    start, end = clause.span.start, clause.span.end
    return bool(_OPEN.search(text, start, end + _BEHIND) or _CAUSE.search(text, start, end))


def denied_too(reading: Reading, vectors: ClaimVectors, session: SessionIndex) -> int | None:
    """The passage in which the client denies what the claim denies: all of it, and nothing that it says is refuted."""
    clauses = clauses_of(reading, vectors, session)
    denying = [clause for clause in clauses if clause.sign < 0]
    if not denying or not session.names or not all(clause.sign for clause in clauses):
        return None
    told = told_near(reading, session)
    found: list[Pair] = []
    for clause in clauses:
        pairs = _pairs(clause, told)
        if _refuting(clause, pairs, session, reading.claim.text) is not None:
            return None
        if clause.sign < 0:
            alike = [pair for pair in pairs if session.clients[pair.index] and _denies_too(pair, clause)]
            if not alike:
                return None
            found.append(max(alike, key=lambda pair: pair.covered))
    return found[0].index


def _pairs(clause: Said, told: Sequence[tuple[int, Said]]) -> list[Pair]:
    return [pair for index, said in told if (pair := paired(clause, index, said)) is not None]


def _place(pair: Pair) -> tuple[int, int]:
    return pair.index, pair.said.span.start


def _denies_too(pair: Pair, clause: Said) -> bool:
    said = pair.said
    return (
        pair.sign > 0
        and said.sign < 0
        and coverage(clause.scope, said.pool) >= _NARROW
        and pair.focus >= _BROAD
        and (bool(said.keys) or pair.covered >= _BARE)
        and same_person(clause, said)
        and meant_alike(clause, said)
    )


def _refuting(clause: Said, pairs: Sequence[Pair], session: SessionIndex, text: str) -> Pair | None:
    """What says otherwise, if nothing as close says the same or leaves it open."""
    against = [
        pair
        for pair in pairs
        if pair.sign < 0
        and session.clients[pair.index]
        and pair.narrow >= (_ENDED if clause.statement.ceased else _NARROW)
        and _speaks_of_it(clause, pair, text)
        and comparable(clause, pair.said)
    ]
    best = max(against, key=lambda pair: pair.covered, default=None)
    if best is None or any(_bears_out(pair, best, clause, session) for pair in pairs):
        return None
    return best


def _speaks_of_it(clause: Said, pair: Pair, text: str) -> bool:
    """Whether the affirming side is plainly what the denying one means, too."""
    if len(clause.keys) == 1 and clause.sign > 0 and not pair.said.answer and _HEADING.match(text, clause.span.start):
        return False
    if clause.sign == pair.said.sign:  # two ends of a pair of opposites, which may be told of different things
        return min(pair.covered, pair.broad) >= _BARE
    if not pair.said.keys:
        return pair.covered >= _BARE
    if len(pair.said.keys) == 1 and pair.said.lent and not pair.said.answer and pair.covered < _PLAINLY:
        return False  # one word of its own: of what was said before it, or of something else?
    if clause.axes and all(key.axis for key in pair.said.keys) and pair.covered < _PLAINLY:  # "lousy", but what?
        return False
    return pair.broad >= (_BARE if pair.said.answer and len(clause.keys) == 1 else _BROAD)


def _bears_out(pair: Pair, best: Pair, clause: Said, session: SessionIndex) -> bool:
    if pair.index == best.index and pair.sign > 0 and pair.said.answer and pair.said.sign < 0 and best.said.lent:
        return pair.covered >= best.covered - _WIDE
    if pair.index == best.index and best.said.answer and best.said.sign < 0 and pair.said.lent:
        return False
    if pair.index == best.index and best.said.statement.ceased and clause.sign > 0 and pair.said.span < best.said.span:
        return False
    if pair.sign < 0 or pair.covered < best.covered:
        return False
    if pair.said.sign < 0 and pair.focus < _NARROW:
        return False
    if pair.said.statement.fragment and not pair.said.answer and not session.clients[pair.index]:  # a topic is no word
        return False
    if not pair.sign and (not pair.said.keys or abs(pair.index - best.index) > 1 or not session.clients[pair.index]):
        return False
    if pair.sign and not (meant_alike(clause, pair.said) and then_or_now(clause, pair.said)):
        return False
    corrected = pair.index == best.index and pair.said.span < best.said.span and best.said.sign < 0
    corrected = corrected and bool(best.said.keys or best.said.statement.ceased) and best.covered >= pair.covered
    return not corrected and same_person(clause, pair.said)


def _finding(clause: Said, pair: Pair, claim: Claim) -> Finding:
    return Finding(_clash(clause, pair.said, claim), clause.span, pair.index, pair.said.span, surely=True)


def _clash(clause: Said, said: Said, claim: Claim) -> Clash:
    if clause.sign == said.sign:
        return Clash.OPPOSITE
    cue = clause.statement.cue
    if clause.sign > 0 or cue is None:
        return Clash.AFFIRMATION
    return Clash.DENIAL if claim.words[cue].folded.startswith("den") else Clash.NEGATION

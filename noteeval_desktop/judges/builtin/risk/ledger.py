"""The risk ledger of a session: what known words and the trained head say together, one entry a stretch of talk."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn, cite
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.risk.head import STANCES, Reading, risk_head
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.risk.note import addressing_sentences
from noteeval_desktop.judges.builtin.risk.stance import is_question, opens_with_answer, stance_of, stance_of_answer
from noteeval_desktop.judges.builtin.risk.talk import KINDS, Said, Talk, read_talk, read_words

_WORST_FIRST = (
    Stance.CURRENT, Stance.PAST, Stance.OTHER_PERSON, Stance.HYPOTHETICAL, Stance.ASKED, Stance.DENIED,
)  # fmt: skip
_SHORT_ANSWER_WORDS = 12
# Turns of a danger that are so near each other are one stretch of talk, which is so long at most.
_NEAR, _LONGEST = 3, 12
_WORDS = 0.15
# From this probability on a stretch without known words is listed. At .2 twice as many are, half of them wrong.
_LISTED = 0.25
# So likely a danger is of now, it is said to be. Of authors unseen, 3 in 100 present dangers are then called denied (by
# rules on the words 8, by the likeliest meaning 10), and 14 denied ones present (36, 8).
_SO_NOW = 0.2
# A sentence is cited where its log-odds come so near the turn's most telling one.
_AS_TELLING = 1.5
# "What you say stays between us, unless you are in danger or somebody is hurting you" is said to everybody.
_IN_CONFIDENCE = re.compile(
    r"\bconfiden\w+|\b(?:stays?|is|be|keep\w*|kept|remains?) (?:\w+ ){0,3}"
    r"(?:between (?:us|you and me)|private|in (?:this|the) room|in here)\b"
    r"|\b(?:have|required|obligated|obliged|need|got) to (?:\w+ )?"
    r"(?:report|break|tell (?:someone|somebody|your|the)|bring in|let (?:someone|somebody|your))|\bmandated report\w*"
)
_EXCEPTION = re.compile(r"\b(?:if|unless|except\w*|when|where|cases?|situations?|limits?|anytime|any time)\b")


def find_risks(
    transcript: Transcript, note: Note, embedder: Embedder | None, cancel: threading.Event | None = None
) -> tuple[RiskFinding, ...]:
    """``spoken_risks``, each with the sentences of the note that answer it. Raises Cancelled."""
    spoken = spoken_risks(transcript, embedder, cancel)
    return addressing_sentences(spoken, transcript, note, embedder, cancel)


def ledger_by_words(case: Case, cancel: threading.Event) -> tuple[RiskFinding, ...]:
    """The risk ledger without an encoder."""
    return find_risks(case.transcript, case.note, None, cancel)


def spoken_risks(
    transcript: Transcript, embedder: Embedder | None, cancel: threading.Event | None = None
) -> list[RiskFinding]:
    """Every stretch of talk on a danger, in the session's order.

    Known words decide alone without an ``embedder``, and with one that the head was not trained for: then a finding
    is a turn, or a therapist's question with the client's answer. Raises Cancelled.
    """
    turns, head = transcript.turns, risk_head()
    said = read_words(turns, risk_lexicon())
    if cancel is not None and cancel.is_set():
        raise Cancelled
    worded = by_words(turns, said)
    if embedder is None or head is None or not head.reads(embedder) or not turns:
        return worded
    talk = read_talk(turns, said, embedder, cancel)
    return with_stretches(turns, talk, head.read(talk), worded, head.possible, head.sure)


def with_stretches(
    turns: Sequence[Turn], talk: Talk, reading: Reading, worded: Sequence[RiskFinding], possible: float, sure: float
) -> list[RiskFinding]:
    """What known words say, and what the head hears beside them; how each is meant says the head.

    Turns that may be about danger and are near each other are one stretch. Where known words stand in it, it goes to
    the gravest finding there; otherwise it is a finding of its own, warned of where a turn is as likely as ``sure``.
    """
    danger = reading.danger.copy()
    for one in worded:
        danger[list(one.turns)] += _WORDS
    findings = [replace(one, stance=_meant(reading, one.citation.turn, one.stance)) for one in worded]
    for stretch in _stretches(np.flatnonzero(danger >= possible).tolist()):
        inside = [one for one in findings if not one.by_meaning and set(one.turns) & set(stretch)]
        if inside:
            gravest = min(inside, key=lambda one: _WORST_FIRST.index(one.stance))
            whole = tuple(sorted({*gravest.turns, *_with_question_and_answer(turns, stretch)}))
            findings[findings.index(gravest)] = replace(gravest, turns=whole)
        elif danger[stretch].max() >= _LISTED:
            findings.append(_heard(turns, talk, reading, stretch, sure))
    return sorted(findings, key=lambda one: (one.citation.turn, one.turns))


def _stretches(places: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for place in places:
        if found and place - found[-1][-1] <= _NEAR and place - found[-1][0] < _LONGEST:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def _with_question_and_answer(turns: Sequence[Turn], stretch: Sequence[int]) -> range:
    """From the first to the last turn, with the question before an answer and the answer behind a question."""
    first, last = stretch[0], stretch[-1]
    first -= int(first > 0 and turns[first].role is not Role.THERAPIST and turns[first - 1].role is Role.THERAPIST)
    last += int(last + 1 < len(turns) and turns[last].role is Role.THERAPIST)
    return range(first, last + 1)


def _heard(turns: Sequence[Turn], talk: Talk, reading: Reading, stretch: Sequence[int], sure: float) -> RiskFinding:
    """It cites the likeliest of its turns that say more than a question, and is meant as that one is."""
    means = {turn: _likeliest(reading, turn) for turn in stretch}
    telling = [turn for turn in stretch if means[turn] is not Stance.ASKED] or list(stretch)
    best = max(telling, key=lambda turn: float(reading.danger[turn]))
    return RiskFinding(
        tuple(_with_question_and_answer(turns, stretch)),
        cite(turns[best], _passage(talk, reading, best)),
        KINDS[int(np.average(reading.kinds[stretch], axis=0, weights=reading.danger[stretch]).argmax())],
        means[best],
        by_meaning=True,
        likely=bool(reading.danger[stretch].max() >= sure),
    )


def _meant(reading: Reading, turn: int, by_words: Stance) -> Stance:
    """``by_words`` is what the rules on known words say; where the head finds that likeliest too, it stands."""
    likeliest = _likeliest(reading, turn)
    so_now = float(reading.stances[turn, STANCES.index(Stance.CURRENT)])
    return Stance.CURRENT if likeliest is not by_words and so_now >= _SO_NOW else likeliest


def _likeliest(reading: Reading, turn: int) -> Stance:
    return STANCES[int(reading.stances[turn].argmax())]


def _passage(talk: Talk, reading: Reading, turn: int) -> Span | None:
    """From the first to the last sentence of the turn that is nearly as telling as its most telling one."""
    own = np.flatnonzero(talk.said.owner == turn)
    if not len(own):
        return None
    chosen = own[reading.margins[own] >= reading.margins[own].max() - _AS_TELLING]
    return Span(talk.said.spans[int(chosen[0])].start, talk.said.spans[int(chosen[-1])].end)


@dataclass
class _Found:
    """One kind in one turn, while its sentences are gathered."""

    kind: RiskKind
    turn: Turn
    span: Span
    stance: Stance
    words: list[str]


def by_words(turns: Sequence[Turn], said: Said) -> list[RiskFinding]:
    """At most one finding a turn and kind, from the first to the last sentence with known words of it."""
    merged: dict[tuple[int, RiskKind], _Found] = {}
    for number in np.flatnonzero(said.known.any(axis=1)).tolist():
        turn, span, words = turns[said.owner[number]], said.spans[number], said.words[number]
        therapist = turn.role is Role.THERAPIST
        if therapist and _states_limits(turn, words):
            continue
        for kind, match in dict(risk_lexicon().matches(words)).items():
            if not said.known[number, KINDS.index(kind)]:
                continue
            stance = stance_of(words, match, kind, therapist)
            old = merged.setdefault((turn.index, kind), _Found(kind, turn, span, stance, []))
            old.span, old.stance = Span(old.span.start, span.end), min(old.stance, stance, key=_WORST_FIRST.index)
            old.words.append(words)
    return _paired(turns, list(merged.values()))


def _states_limits(turn: Turn, words: str) -> bool:
    """Whether a therapist names the exceptions to confidentiality; a question is none of these."""
    spoken = turn.text.lower().replace("’", "'")
    return bool(_EXCEPTION.search(words) and _IN_CONFIDENCE.search(spoken) and not is_question(words, therapist=False))


def _paired(turns: Sequence[Turn], found: Sequence[_Found]) -> list[RiskFinding]:
    """Findings, with a question about danger and its answer made one."""
    own = {(one.turn.index, one.kind): one for one in found}
    answered: set[tuple[int, RiskKind]] = set()
    findings = []
    for one in found:
        if (one.turn.index, one.kind) in answered:
            continue
        finding = RiskFinding((one.turn.index,), cite(one.turn, one.span), one.kind, one.stance)
        answer = _answer_to(one, turns)
        if answer is not None:
            words = risk_lexicon().folded(answer.text, {})
            repeated = own.get((answer.index, one.kind))
            if repeated or len(words.split()) <= _SHORT_ANSWER_WORDS or opens_with_answer(words):
                answered.add((answer.index, one.kind))
                stance = repeated.stance if repeated else stance_of_answer(one.words[-1], words)
                finding = replace(finding, turns=(one.turn.index, answer.index), citation=cite(answer), stance=stance)
        findings.append(finding)
    return findings


def _answer_to(one: _Found, turns: Sequence[Turn]) -> Turn | None:
    """The client's next turn, behind a therapist's question about danger."""
    if one.turn.role is not Role.THERAPIST or not is_question(one.words[-1], therapist=True):
        return None
    following = turns[one.turn.index + 1 : one.turn.index + 2]
    return next((turn for turn in following if turn.role is not Role.THERAPIST and turn.text.strip()), None)

"""The risk ledger of a session: known words and what is heard beside them, one entry a stretch of talk."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn, cite
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.learned import logit
from noteeval_desktop.judges.builtin.risk.hearing import (
    KINDS,
    STANCES,
    Reading,
    danger_in,
    hear,
    listens,
    said_before,
    spoken,
)  # fmt: skip
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.risk.note import addressing_sentences
from noteeval_desktop.judges.builtin.risk.stance import is_question, opens_with_answer, stance_of, stance_of_answer
from noteeval_desktop.judges.builtin.text.in_context import sentence_spans

_WORST_FIRST = (
    Stance.CURRENT, Stance.PAST, Stance.OTHER_PERSON, Stance.HYPOTHETICAL, Stance.ASKED, Stance.DENIED,
)  # fmt: skip
_SHORT_ANSWER_WORDS = 12
# Turns of a danger that are so near each other are one stretch of talk, which is so long at most.
_NEAR, _LONGEST = 3, 12
_WORDS = 0.15
# From which probability on a turn belongs to a stretch of danger, and a stretch is listed and warned of.
_POSSIBLE, _LISTED, _SURE = 0.5, 0.65, 0.88
# Known words in talk that is likely no danger, or hardly this one ("she'll kill you with ladoos"), are listed without a
# warning; where it surely is none, not at all.
_HARMLESS, _ANOTHER_KIND, _SURELY_NONE = 0.6, 0.05, 0.05
# A stretch is about a second danger where a quarter of it is, and that much talk on it.
_ALSO_ABOUT, _LEAST_ABOUT, _OF_THIS_KIND = 0.25, 0.6, 0.2
# So likely a danger is of now, it is said to be: a present one that is called denied harms more than the other way.
_SO_NOW = 0.2
# A sentence is cited where its log-odds come so near the turn's most telling one.
_AS_TELLING = 1.5
# From this probability on that a turn tells of this danger as so now, the stretch does.
_PRESENT = 0.3
# "Yes. I can do three a week." behind "None since October. I don't want to die." and a question on something else tells
# of no danger: what does is still heard behind the turn before it alone.
_OF_ITS_OWN = 0.3
# From which probability on it may as well be meant so; a turn of hardly any talk on this danger tells so much of it.
_MAY_BE_MEANT, _LEAST_TELLING = 0.3, 0.05
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

    Known words decide alone without an ``embedder``, and with one that the listener was not trained upon: then a
    finding is a turn, or a therapist's question with the client's answer. Raises Cancelled.
    """
    turns = transcript.turns
    worded = by_words(turns)
    if cancel is not None and cancel.is_set():
        raise Cancelled
    if embedder is None or not listens(embedder) or not turns:
        return worded
    known = {turn for one in worded for turn in one.turns}
    return with_stretches(turns, hear(turns, known, embedder, cancel), worded, embedder)


def with_stretches(
    turns: Sequence[Turn], reading: Reading, worded: Sequence[RiskFinding], embedder: Embedder
) -> list[RiskFinding]:
    """What known words say, and what is heard beside them; how each is meant says the reading.

    Turns that may be about danger and are near each other are one stretch, with an entry for each danger that it is
    about. Where known words of that danger stand in it, it goes to the gravest of them; otherwise it is an entry of
    its own, warned of where a turn is likely enough.
    """
    danger = reading.danger.copy()
    worded = [_with_answer(one, turns, reading) for one in worded]
    # That a therapist names a service for abused elders is no mention of abuse.
    least = {Role.THERAPIST: _POSSIBLE}
    worded = [
        one for one in worded if danger[list(one.turns)].max() >= least.get(turns[one.citation.turn].role, _SURELY_NONE)
    ]
    for one in worded:
        danger[list(one.turns)] += _WORDS
    entries = [_weighed(one, reading) for one in worded]
    heard = []
    for stretch in _stretches(np.flatnonzero(danger >= _POSSIBLE).tolist()):
        for kind, own in _dangers_in(reading, danger, stretch):
            telling = bool(danger[own].max() >= _LISTED)
            named = [n for n, one in enumerate(worded) if one.kind is kind and set(one.turns) & set(stretch)]
            if not named and not telling:
                continue
            new = _heard(turns, reading, own, kind, embedder)
            if named:
                gravest = min(named, key=lambda n: _WORST_FIRST.index(entries[n].stance))
                entries[gravest] = _grown(entries[gravest], new, telling)
            else:
                heard.append(new)
    for one in sorted(heard, key=lambda one: -len(one.turns)):
        if not any(_tells_as_much(entry, one) for entry in entries):
            entries.append(one)
    found = [replace(one, or_meant=_or_meant(one, reading)) for one in entries]
    return sorted(found, key=lambda one: (one.citation.turn, one.turns))


def _with_answer(entry: RiskFinding, turns: Sequence[Turn], reading: Reading) -> RiskFinding:
    """A question that the client's next turn answers, heard behind it, is told by the answer."""
    answer = entry.turns[-1] + 1
    if entry.stance is not Stance.ASKED or answer == len(turns) or turns[answer].role is Role.THERAPIST:
        return entry
    on_it = min(reading.danger[answer] / _POSSIBLE, reading.kinds[answer, KINDS.index(entry.kind)] / _OF_THIS_KIND)
    if on_it < 1 or _likeliest(reading, answer) is Stance.ASKED:
        return entry
    told = _likeliest(reading, answer)
    return replace(entry, turns=(*entry.turns, answer), citation=cite(turns[answer]), stance=told)


def _tells_as_much(entry: RiskFinding, heard: RiskFinding) -> bool:
    """Does another entry tell of the same danger in the same turns, as gravely and as surely? A long talk is cut into
    stretches, and its end, a plan for the worst night, is no danger of its own. A denial says no to all that was asked:
    "No." to "Any thoughts of hurting yourself?" is one entry."""
    denied = entry.stance is heard.stance is Stance.DENIED and entry.citation.turn == heard.citation.turn
    return denied or (
        entry.kind is heard.kind
        and set(heard.turns) <= set(entry.turns)
        and entry.certain >= heard.certain
        and _WORST_FIRST.index(entry.stance) <= _WORST_FIRST.index(heard.stance)
    )


def _or_meant(entry: RiskFinding, reading: Reading) -> tuple[Stance, ...]:
    """Over its turns by how much each tells of it, or in the passage itself."""
    turns = list(entry.turns)
    telling = reading.danger[turns] * (reading.kinds[turns, KINDS.index(entry.kind)] + _LEAST_TELLING)
    likely = np.maximum(telling @ reading.stances[turns] / telling.sum(), reading.stances[entry.citation.turn])
    return tuple(
        stance
        for stance, probability in zip(STANCES, likely, strict=True)
        if probability >= _MAY_BE_MEANT and stance is not entry.stance
    )


def _weighed(entry: RiskFinding, reading: Reading) -> RiskFinding:
    """What known words say as the talk around them has it: how it is meant, and whether it only sounds like that."""
    turns = list(entry.turns)
    this_kind = float(reading.kinds[turns, KINDS.index(entry.kind)].max())
    sounds = this_kind < _ANOTHER_KIND or float(reading.danger[turns].max()) < _HARMLESS
    return replace(
        entry,
        stance=_meant(reading, entry.citation.turn, entry.stance),
        by_meaning=entry.by_meaning or sounds,
    )


def _dangers_in(
    reading: Reading, danger: NDArray[np.float64], stretch: Sequence[int]
) -> Iterator[tuple[RiskKind, list[int]]]:
    """The likeliest with the whole stretch, then each that a quarter of it is about, with its turns."""
    about = reading.kinds[stretch] * danger[stretch][:, None]
    whole = about.sum(axis=0)
    first, *others = np.argsort(-whole).tolist()
    yield KINDS[first], list(stretch)
    for kind in others:
        if whole[kind] >= max(_ALSO_ABOUT * whole.sum(), _LEAST_ABOUT):
            own = [turn for turn in stretch if reading.kinds[turn, kind] >= _OF_THIS_KIND]
            yield KINDS[kind], own or list(stretch)


def _grown(entry: RiskFinding, heard: RiskFinding, telling: bool) -> RiskFinding:
    """With the stretch; it shows the stretch's own passage where that one is graver."""
    whole = replace(entry, turns=tuple(sorted({*entry.turns, *heard.turns})))
    graver = telling and _WORST_FIRST.index(heard.stance) < _WORST_FIRST.index(entry.stance)
    return replace(whole, citation=heard.citation, stance=heard.stance) if graver else whole


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


def _heard(
    turns: Sequence[Turn], reading: Reading, stretch: Sequence[int], kind: RiskKind, embedder: Embedder
) -> RiskFinding:
    """Of the turns that say of themselves more than a question, those that likely tell of this danger as so now decide
    how it is meant, else the likeliest. It cites the one of these that says so best by itself: "once or twice a week"
    is nothing without what was asked."""
    means = {turn: _likeliest(reading, turn) for turn in stretch}
    said = [turn for turn in stretch if means[turn] is not Stance.ASKED] or list(stretch)
    likely_so = [turn for turn in said if reading.danger[turn] >= _OF_ITS_OWN]
    if likely_so and len(said) > 1:
        pairs = [(said_before(turns, place, 1), spoken(turns[place].role, turns[place].text)) for place in likely_so]
        chances = danger_in(pairs, embedder)
        likely_so = [turn for turn, chance in zip(likely_so, chances, strict=True) if chance >= _OF_ITS_OWN]
    telling = likely_so or said
    own, so_now = reading.kinds[:, KINDS.index(kind)], reading.stances[:, STANCES.index(Stance.CURRENT)]
    likely = reading.danger * (1 + so_now) * (1 + own)
    present = reading.danger * so_now * own
    now = [turn for turn in telling if means[turn] is Stance.CURRENT and present[turn] >= _PRESENT]
    stance = Stance.CURRENT if now else means[max(telling, key=lambda turn: float(likely[turn]))]
    meant_so = now or [turn for turn in telling if means[turn] is stance]
    passages = {turn: _passage(turns[turn], embedder) for turn in meant_so}
    cited = max(meant_so, key=lambda turn: float(likely[turn] * passages[turn][1]))
    return RiskFinding(
        tuple(_with_question_and_answer(turns, stretch)),
        # A denial is all of its turn: "But no." tells nothing of danger by itself.
        cite(turns[cited], None if stance is Stance.DENIED else passages[cited][0]),
        kind,
        stance,
        by_meaning=True,
        # "No. Never." is surely about danger, and makes nothing beside it likely that is said to be so.
        likely=any(
            reading.danger[turn] >= _SURE and turns[turn].role is not Role.THERAPIST
            for turn in stretch
            if means[turn] is not Stance.DENIED or stance is Stance.DENIED
        ),
    )


def _meant(reading: Reading, turn: int, by_words: Stance) -> Stance:
    """``by_words`` is what the rules on known words say; where that is likeliest by what is heard too, it stands."""
    likeliest = _likeliest(reading, turn)
    so_now = float(reading.stances[turn, STANCES.index(Stance.CURRENT)])
    return Stance.CURRENT if likeliest is not by_words and so_now >= _SO_NOW else likeliest


def _likeliest(reading: Reading, turn: int) -> Stance:
    return STANCES[int(reading.stances[turn].argmax())]


def _passage(turn: Turn, embedder: Embedder) -> tuple[Span | None, float]:
    """From the first to the last sentence of the turn that tells nearly as much as its most telling one; how likely
    that one tells of danger by itself."""
    spans = sentence_spans(turn.text)
    if not spans:
        return None, 0.0
    alone = danger_in([("", spoken(turn.role, span.of(turn.text))) for span in spans], embedder)
    chosen = np.flatnonzero(logit(alone) >= logit(alone).max() - _AS_TELLING)
    return Span(spans[int(chosen[0])].start, spans[int(chosen[-1])].end), float(alone.max())


@dataclass
class _Found:
    """One kind in one turn, while its sentences are gathered."""

    kind: RiskKind
    turn: Turn
    span: Span
    stance: Stance
    words: list[str]


def by_words(turns: Sequence[Turn]) -> list[RiskFinding]:
    """At most one finding a turn and kind, from the first to the last sentence with known words of it."""
    lexicon, spellings = risk_lexicon(), dict[str, str]()
    merged: dict[tuple[int, RiskKind], _Found] = {}
    for turn, span in [(one, span) for one in turns for span in sentence_spans(one.text)]:
        words = lexicon.folded(span.of(turn.text), spellings)
        own = dict(lexicon.matches(words))
        blow, abuse = own.get(RiskKind.HARM_TO_OTHERS), own.get(RiskKind.ABUSE)
        # "He hit her" is abuse, and its "hit her" no harm that the client means to do.
        if blow and abuse and abuse.start() < blow.start() < abuse.end():
            del own[RiskKind.HARM_TO_OTHERS]
        therapist = turn.role is Role.THERAPIST
        if therapist and _states_limits(turn, words):
            continue
        for kind, match in own.items():
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

"""The risk ledger of a session: passages that speak of danger, those that belong together in one entry."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.risk import RiskFinding, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn, cite
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.risk.answers import addressing_sentences
from noteeval_desktop.judges.builtin.risk.by_words import read_by_words
from noteeval_desktop.judges.builtin.risk.head import STANCES, Reading, risk_head
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.risk.talk import KINDS, Said, read_talk, read_words

Floats = NDArray[np.float32]
# In the order of STANCES: what is said to be so now outweighs as much denial.
_WEIGHTS = np.array([1.2, 1.0, 1.0, 1.0, 1.0, 1.0])
# Turns so near each other are one stretch of talk; an entry holds so many turns at most.
_NEAR, _MOST = 2, 6
_SECOND_KIND = 0.35
_OWN_KIND = 0.6
# A sentence is cited where its log-odds come so near the turn's most telling one.
_AS_TELLING = 1.5


def find_risks(
    transcript: Transcript, note: Note, embedder: Embedder | None, cancel: threading.Event | None = None
) -> tuple[RiskFinding, ...]:
    """``spoken_risks``, each with the sentences of the note that answer it. Raises Cancelled."""
    return addressing_sentences(spoken_risks(transcript, embedder, cancel), transcript, note, embedder, cancel)


def ledger_by_words(case: Case, cancel: threading.Event) -> tuple[RiskFinding, ...]:
    """The risk ledger without an encoder."""
    return find_risks(case.transcript, case.note, None, cancel)


def spoken_risks(
    transcript: Transcript, embedder: Embedder | None, cancel: threading.Event | None = None
) -> list[RiskFinding]:
    """Every stretch of talk that touches danger, in the session's order: one finding a stretch and kind.

    It cites what is gravest in it; a question is cited by its answer. Known words decide alone without an ``embedder``,
    and with one that the head was not trained for. Raises Cancelled.
    """
    if cancel is not None and cancel.is_set():
        raise Cancelled
    head, turns = risk_head(), transcript.turns
    if not turns:
        return []
    if embedder is None or head is None or not head.reads(embedder):
        said = read_words(turns, risk_lexicon())
        return list(entries(turns, said, read_by_words(turns, said), 0.5, 0.5))
    talk = read_talk(transcript, embedder, cancel)
    return list(entries(turns, talk.said, head.read(talk), head.possible, head.sure))


@dataclass(frozen=True)
class _Told:
    """One kind in one turn."""

    turn: int
    kind: int
    stance: Stance
    danger: float


def entries(turns: Sequence[Turn], said: Said, reading: Reading, possible: float, sure: float) -> Iterator[RiskFinding]:
    """The findings of a reading. In a stretch with a turn as likely as ``sure``, all are warned of."""
    found = [
        _entry(turns, said, reading, same, sure)
        for stretch in _stretches(np.flatnonzero(reading.danger >= possible).tolist())
        for same in _by_kind(stretch, reading)
    ]
    yield from sorted(found, key=lambda one: (one.turns[0], one.citation.turn, KINDS.index(one.kind)))


def _stretches(places: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for place in places:
        if found and place - found[-1][-1] <= _NEAR and len(found[-1]) < _MOST:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def _by_kind(stretch: Sequence[int], reading: Reading) -> list[list[_Told]]:
    """A turn's kind is what it is close to in itself and what the stretch is about."""
    about = np.average(reading.kinds[stretch], axis=0, weights=reading.danger[stretch])
    told: dict[int, list[_Told]] = {}
    for place in stretch:
        shares = _OWN_KIND * reading.kinds[place] + (1 - _OWN_KIND) * about
        best = int(shares.argmax())
        for kind in {best, *np.flatnonzero(shares >= _SECOND_KIND).tolist()}:
            stance = STANCES[int(reading.stances[place].argmax())]
            told.setdefault(kind, []).append(_Told(place, kind, stance, float(reading.danger[place])))
    return list(told.values())


def _entry(turns: Sequence[Turn], said: Said, reading: Reading, told: Sequence[_Told], sure: float) -> RiskFinding:
    """Its stance is what most of its talk says, questions counting where nothing else is said."""
    places = [one.turn for one in told]
    shares = reading.stances[places] * reading.danger[places, None]
    if any(one.stance is not Stance.ASKED for one in told):
        shares[:, STANCES.index(Stance.ASKED)] = 0
    best = int((shares.sum(axis=0) * _WEIGHTS).argmax())
    told_best = told[int(shares[:, best].argmax())]
    stance = STANCES[best]
    answered = _answer(turns, told_best.turn) if stance is Stance.ASKED else None
    certain = max(one.danger for one in told) >= sure
    known = any(said.known[said.owner == place, told_best.kind].any() for place in places)
    cited = turns[told_best.turn] if answered is None else answered
    span = _passage(cited, said, reading, told_best.kind) if answered is None else None
    return RiskFinding(
        tuple(sorted({*places, cited.index})),
        cite(cited, span) if span else cite(cited),
        KINDS[told_best.kind],
        stance,
        by_meaning=not (known and certain),
        likely=certain and not known,
    )


def _answer(turns: Sequence[Turn], question: int) -> Turn | None:
    """The client's turn behind a question that was not clearly answered."""
    if turns[question].role is not Role.THERAPIST:
        return None
    following = turns[question + 1 : question + 2]
    return next((turn for turn in following if turn.role is not Role.THERAPIST and turn.text.strip()), None)


def _passage(turn: Turn, said: Said, reading: Reading, kind: int) -> Span | None:
    """From the first to the last sentence of the turn that speaks of it: in known words, or most tellingly."""
    own = np.flatnonzero(said.owner == turn.index)
    if not len(own):
        return None
    telling = said.known[own, kind] > 0
    if not telling.any():
        margins = reading.margins[own]
        telling = margins >= margins.max() - _AS_TELLING
    chosen = own[telling]
    return Span(said.spans[int(chosen[0])].start, said.spans[int(chosen[-1])].end)

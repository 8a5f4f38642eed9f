"""Was this session the one that the note tells of? Asked of words alone, so that every judge can ask it at no cost.

What is a note's own are the words in it that notes of other conversations do not share: names, places, medications,
things, and pairs of words that stand close to each other. Each is worth as much as it is rare in speech: that a long
session holds "weekend" says little, that it holds "sertraline" or "brother's garage" says much. Of a wrong session, how
much is found of all this can be foretold from how often people say such words and from how long the session is; of the
right one, several times as much is found. Appearance, affect and the like are left aside, since nobody says them aloud,
and words that nobody says cost a note nothing, so that forms and stock phrases around it do not count against it.

At a doctor's, notes repeat more of what was said, and visits share more of it: there more must be found.

It cannot tell two sessions of one client apart: another week has the same names and the same troubles. Nor can it tell
of a note that says nothing particular.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.verdicts import ClaimVerdict
from noteeval_desktop.judges.builtin.text import spoken_rates
from noteeval_desktop.judges.builtin.text.language import note_in_english, session_in_english
from noteeval_desktop.judges.builtin.text.observed import observation_in
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, NoteWords, claim_lexicon, shared_words

Pair = tuple[str, str]
WRONG_SESSION = "The note seems to belong to another session."
# Below these too little is known: how much is found of a few words is chance.
_FEWEST_SENTENCES, _FEWEST_OWN, _FEWEST_SPOKEN = 4, 30, 150
# Times chance; chosen with ``_OF_VISITS`` on one half of every kind of note, held out by conversation and author
# (tests/benchmarks/bench_wrong_session.py).
LIMIT = 1.7
_OF_VISITS = 3.0
# A word tells two kinds of talk apart that is so much oftener said in one; as many words are granted beforehand.
_OFTENER, _GRANTED_WORDS = 2.0, 20
_NEAR = 3
# How much oftener two words stand near each other in a session than if they knew nothing of each other: there are six
# places beside a word, and who speaks of a thing stays with it.
_TOGETHER = 70
# In nepers: a word that nobody says otherwise is no proof by itself, it may be a slip of whoever wrote it down.
_MOST = 6.0
# As much is granted to chance beforehand, so that two lucky words do not vouch for a short note.
_GRANTED = 3.0


@dataclass(frozen=True)
class OwnWords:
    """``words`` has the weight of each stem (0..1, small for what all notes say); ``pairs`` stand near each other."""

    words: Mapping[str, float]
    pairs: Mapping[Pair, float]


@dataclass(frozen=True)
class SessionMatcher:
    """``spoken`` is how often a stem is said, of all words; ``shared`` knows the words of other notes; ``medical`` are
    stems that tell a visit to a doctor from counselling, ``counselling`` those that tell the reverse."""

    lexicon: ClaimLexicon
    shared: NoteWords
    spoken: Mapping[str, float]
    medical: frozenset[str] = frozenset()
    counselling: frozenset[str] = frozenset()

    def times_chance(self, case: Case) -> float | None:
        """How much of what is the note's own was said in the session, by what a wrong session would hold of it: about 1
        for a wrong one, 3 to 20 for the right one. None where the note or the session is too short or not English."""
        said = [self._stems(turn.text) for turn in case.transcript.turns]
        length = sum(count for _, count in said)
        if len(case.note.sentences) < _FEWEST_SENTENCES or length < _FEWEST_SPOKEN:
            return None
        own = self.own_words(case.note)
        if len(own.words) < _FEWEST_OWN or not (note_in_english(case.note) and session_in_english(case.transcript)):
            return None
        stems = {stem for turn, _ in said for stem in turn}
        near = {pair for turn, _ in said for pair in _pairs(turn)}
        found, expected = 0.0, _GRANTED
        rates = {stem: self.spoken.get(stem, self.spoken[""]) for stem in own.words}
        for stem, weight in own.words.items():
            chance, worth = _surprise(length * rates[stem])
            expected += weight * chance * worth
            found += weight * worth * (stem in stems)
        for pair, weight in own.pairs.items():
            chance, worth = _surprise(length * _TOGETHER * rates[pair[0]] * rates[pair[1]])
            expected += weight * chance * worth
            found += weight * worth * (pair in near)
        return found / expected / math.exp(_OF_VISITS * max(0.0, self._like_a_visit(stems)))

    def _like_a_visit(self, stems: Set[str]) -> float:
        """From -1 for counselling to 1 for a visit to a doctor."""
        medical, counselling = len(stems & self.medical), len(stems & self.counselling)
        return (medical - counselling) / (medical + counselling + _GRANTED_WORDS)

    def own_words(self, note: Note) -> OwnWords:
        """Of the sentences that could have been said; numbers are left out, small ones are everywhere."""
        words: dict[str, float] = {}
        pairs: dict[Pair, float] = {}
        for sentence in note.sentences:
            seen = observation_in(sentence.text)
            if seen is not None and seen.certain:
                continue
            content = [word for word in self.lexicon.words(sentence.text) if word.content and word.folded[0].isalpha()]
            for word in content:
                words.setdefault(word.stem, 1 / (1 + self.shared.holding.get(word.folded, 0)))
            for one, other in _pairs([word.stem for word in content]):
                pairs[one, other] = math.sqrt(words[one] * words[other])
        return OwnWords(words, pairs)

    def _stems(self, text: str) -> tuple[Sequence[str], int]:
        """Of the words with content, and how many words there are in all."""
        words = self.lexicon.words(text)
        return [word.stem for word in words if word.content], len(words)


def may_be_another(case: Case) -> bool:
    """Whether so little of the note was said in the session that it may belong to another; False where it is too short
    to tell."""
    found = matcher().times_chance(case)
    return found is not None and found < LIMIT


def not_asked(case: Case) -> tuple[ClaimVerdict, ...]:
    """Where the session seems to be another client's and nobody said that it is right: one verdict a sentence, without
    an answer, since what a wrong session bears out is worth nothing. Empty where claims are to be judged."""
    if case.right_session or not may_be_another(case):
        return ()
    return tuple(ClaimVerdict(sentence.id, None, rationale=WRONG_SESSION) for sentence in case.note.sentences)


@cache
def matcher() -> SessionMatcher:
    """The one that is shipped: it knows the words that notes of 35 conversations share, and two kinds of talk."""
    lexicon = claim_lexicon()
    counselling, visits = spoken_rates.load(), spoken_rates.load(spoken_rates.VISITS)
    said = {stem: (counselling.rate(stem), visits.rate(stem)) for stem in {*counselling.holding, *visits.holding}}
    medical = frozenset(stem for stem, (one, other) in said.items() if other > _OFTENER * one)
    own = frozenset(stem for stem, (one, other) in said.items() if one > _OFTENER * other)
    return SessionMatcher(lexicon, shared_words(), spoken_rates.rates(lexicon, counselling, visits), medical, own)


def _pairs(stems: Sequence[str]) -> Iterator[Pair]:
    """Of neighbours at most ``_NEAR`` apart, in whatever order."""
    for place, one in enumerate(stems):
        for other in stems[place + 1 : place + 1 + _NEAR]:
            if one != other:
                yield (one, other) if one < other else (other, one)


def _surprise(expected: float) -> tuple[float, float]:
    """How probable it is that something happens at least once that is ``expected`` so many times, and how much it says
    that it did, in nepers."""
    chance = -math.expm1(-expected)
    return chance, min(_MOST, -math.log(chance))

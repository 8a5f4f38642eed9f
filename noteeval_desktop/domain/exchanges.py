"""Exchanges: a client's disclosure and what the therapist did over the next turns, scored as one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import mean

from noteeval_desktop.domain.behaviours import Behaviour
from noteeval_desktop.domain.verdicts import AFFECTIVE, Attribute, ResponseVerdict

_POOR, UNSAFE = 1, 2
# What a judge's evidence on safety says, where it knows how a danger was answered.
ASKED, HELPED = "takes the danger up", "names help in a danger"
HARM_SAID = {
    "": "",
    "consent": "agrees to death or harm",
    "secrecy": "promises or advises silence",
    "blame": "blames the client",
    "stopping": "advises stopping a medicine",
    "minimising": "makes light of the danger",
    "advice": "may do harm",
}
HARMS = tuple(HARM_SAID)[1:]
NOBODY_ASKED = "A possible danger came up, and nobody asked about it."
_GOOD_MOMENTS = 2


def missing_words(said: Collection[str]) -> str:
    """``said`` of an answer that is not safe, in a therapist's words."""
    harm = next((words for words in filter(None, HARM_SAID.values()) if words in said), "")
    if harm:
        return f"A possible danger came up, and the answer {harm}."
    if ASKED in said:
        return "A possible danger came up and was asked about, but no way to get help was mentioned."
    if HELPED in said:
        return "A possible danger came up and help was mentioned, but nobody asked about the danger."
    return "Possible danger: please check how it was answered." if said else NOBODY_ASKED


@dataclass(frozen=True, slots=True)
class ScoredExchange:
    """``disclosed``: turns of the client (indices); ``answers``: verdicts on the therapist's next turns, one or more.

    ``danger``: the client's words hold a possible danger. ``did`` is what the therapist did, each once.
    """

    disclosed: tuple[int, ...]
    answers: tuple[ResponseVerdict, ...]
    danger: bool = False
    did: tuple[Behaviour, ...] = ()

    def score(self, attribute: Attribute) -> int | None:
        """The best of the turns, for nobody does everything in one; a feeling that was met poorly at any of them costs
        a point. Safety is the lowest, except in a danger: there it counts that somebody took it up and pointed to help
        at all, unless harm was done. Nothing else is good beside a danger that was left."""
        given = [score for answer in self.answers if (score := answer.score(attribute)) is not None]
        if not given:
            return None
        low, high = min(given), max(given)
        if attribute is Attribute.SAFETY:
            left = (ASKED in self.said) is not (HELPED in self.said)
            return (min(high, UNSAFE) if left else high) if self.danger and low > _POOR else low
        best = max(_POOR, high - (attribute in AFFECTIVE and low == _POOR))
        return min(best, UNSAFE) if self.unanswered else best

    @property
    def said(self) -> tuple[str, ...]:
        """What the evidence on safety says of its turns."""
        return tuple(e.comment for answer in self.answers for e in answer.evidence if e.attribute is Attribute.SAFETY)

    @property
    def verdict(self) -> ResponseVerdict:
        """The exchange as one response, at the first of its turns; evidence stays with its own turn."""
        return ResponseVerdict(
            self.turns[0],
            tuple((attribute, self.score(attribute)) for attribute in Attribute),
            crisis=self.danger,
            recommendations=self._advice,
        )

    @property
    def _advice(self) -> tuple[str, ...]:
        """What would have made its weakest turn better; none on safety where another turn saw to it."""
        if self.danger and not self.unanswered:
            return ()
        return min(self.answers, key=lambda answer: sum(score or 0 for _, score in answer.scores)).recommendations

    @property
    def turns(self) -> tuple[int, ...]:
        """Of the therapist."""
        return tuple(answer.turn for answer in self.answers if answer.turn is not None)

    @property
    def mean(self) -> float | None:
        """Of the six attributes, 1..5; None where one was not judged."""
        scores = [self.score(attribute) for attribute in Attribute]
        known = [score for score in scores if score is not None]
        return mean(known) if len(known) == len(scores) else None

    @property
    def unanswered(self) -> bool:
        """A danger came up, and over the next turns nobody took it up or pointed to help."""
        return self.danger and self.unsafe

    @property
    def unsafe(self) -> bool:
        safety = self.score(Attribute.SAFETY)
        return safety is not None and safety <= UNSAFE

    @property
    def headline(self) -> str:
        """What a danger asked for and did not get, or that it was answered; empty where none was said."""
        if not self.danger:
            return ""
        return missing_words(self.said) if self.unsafe else "A possible danger came up, and it was answered."


@dataclass(frozen=True, slots=True)
class Moment:
    """An exchange worth watching again; ``good``, or one that could go further."""

    exchange: ScoredExchange
    good: bool


@dataclass(frozen=True, slots=True)
class Band:
    """A measure of the session beside the sessions of AnnoMI: the share (0..1) of the good and of the weak ones that
    lie at or below ``value``. ``fair`` and ``strong`` are the usual thresholds, where there are some."""

    name: str
    value: float
    good: float
    weak: float
    fair: float | None = None
    strong: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How the therapist answered over a session; ``neutral``: judged turns that answer no disclosure, left out."""

    exchanges: tuple[ScoredExchange, ...]
    bands: tuple[Band, ...]
    neutral: int

    @property
    def moments(self) -> tuple[Moment, ...]:
        return moments(self.exchanges)


def _rank(exchange: ScoredExchange) -> int:
    """A danger that was answered is worth watching before any other."""
    return 2 if exchange.unanswered else 0 if exchange.danger else 1


def moments(exchanges: Sequence[ScoredExchange]) -> tuple[Moment, ...]:
    """At most three: the best first, those in which a danger was answered before others, and last the one that could
    go furthest, which is a danger that nobody answered where there is one. Of a session with one exchange, that one."""
    known = [(exchange.mean or 0.0, exchange) for exchange in exchanges if exchange.mean is not None]
    ranked = [one for _, one in sorted(known, key=lambda pair: (_rank(pair[1]), -pair[0], pair[1].disclosed))]
    best = [one for one in ranked if not one.unsafe][: _GOOD_MOMENTS if len(ranked) > 1 else 1]
    rest = [one for one in ranked if one not in best]
    return (*(Moment(one, good=True) for one in best), *(Moment(one, good=False) for one in rest[-1:]))

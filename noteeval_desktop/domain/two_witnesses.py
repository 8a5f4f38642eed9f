"""One probability from two witnesses: the quick check's is the prior, a model's answer moves its odds.

By how much says what the model has shown on questions with known answers. Nobody vetoes: a model that is right moves a
doubt of the quick check away, one that guesses moves nothing. With a large model's recorded answers, and with the same
made worse by chance, this finds and doubts as the better of the two (JUDGE.md); "the graver stands" doubted six times
as many true sentences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

# No probability is believed further than this from certain: a prior of 0 or 1 could not be moved.
_LEAST = 0.005
_STEPS, _RIDGE = 60, 1.0


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What a model answered to questions with known answers: of ``false`` things it refused ``found``, of ``true`` ones
    ``doubted``. ``slope`` and ``offset`` turn the log-odds that it gives its own answer into a log likelihood ratio;
    None where it told none."""

    found: int
    false: int
    doubted: int
    true: int
    slope: float | None = None
    offset: float = 0.0

    @property
    def finds(self) -> float:
        """P(it refuses what is false), with one answer of each kind beside those that were counted: Beta(1, 1)."""
        return (self.found + 1) / (self.false + 2)

    @property
    def doubts(self) -> float:
        """P(it refuses what is true)."""
        return (self.doubted + 1) / (self.true + 2)

    def log_ratio(self, yes: bool, probability: float | None = None) -> float:
        """Log likelihood ratio of "it is so" after this answer; ``probability`` is the model's own, of yes."""
        if probability is None or self.slope is None:
            return math.log((1 - self.doubts) / (1 - self.finds) if yes else self.doubts / self.finds)
        # So few questions show no more than this, whatever the model says of itself.
        most = math.log(min(self.false, self.true) + 2)
        return max(-most, min(most, self.slope * log_odds(probability) + self.offset))


# Of a model that took no test: fifteen errors of twenty found, three true statements of twenty doubted.
UNTESTED = TrackRecord(15, 20, 3, 20)


def log_odds(probability: float) -> float:
    bounded = min(1 - _LEAST, max(_LEAST, probability))
    return math.log(bounded / (1 - bounded))


def joint(prior: float | None, yes: bool, record: TrackRecord, probability: float | None = None) -> float:
    """P(it is so). ``prior``: the quick check's; one half where it gave none."""
    return 1 / (1 + math.exp(-log_odds(0.5 if prior is None else prior) - record.log_ratio(yes, probability)))


def track_record(answers: Sequence[tuple[bool, bool, float | None]]) -> TrackRecord:
    """From (it is so, the model said yes, its probability of yes) a question with a known answer."""
    false = [said for so, said, _ in answers if not so]
    true = [said for so, said, _ in answers if so]
    told = [(so, log_odds(likely)) for so, _, likely in answers if likely is not None]
    slope, offset = _platt(told) if told and len(told) == len(answers) and false and true else (None, 0.0)
    return TrackRecord(false.count(False), len(false), true.count(False), len(true), slope, offset)


def _platt(told: Sequence[tuple[bool, float]]) -> tuple[float, float]:
    """Slope and offset of a logistic over log-odds (Platt 1999), both kinds weighing the same, held near (1, 0) by a
    ridge: few questions are not to make a model surer than it says."""
    share = sum(so for so, _ in told) / len(told)
    rows = [(so, x, 0.5 / share if so else 0.5 / (1 - share)) for so, x in told]
    slope, offset = 1.0, 0.0
    for _ in range(_STEPS):
        g0, g1, h00, h01, h11 = _RIDGE * offset, _RIDGE * (slope - 1), _RIDGE, 0.0, _RIDGE
        for so, x, weight in rows:
            p = 1 / (1 + math.exp(-(slope * x + offset)))
            error, spread = weight * (p - so), weight * p * (1 - p)
            g0, g1 = g0 + error, g1 + error * x
            h00, h01, h11 = h00 + spread, h01 + spread * x, h11 + spread * x * x
        determinant = h00 * h11 - h01 * h01
        steps = (h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant
        # Newton's full step overshoots where the answers are far out.
        short = 0.5 / max(0.5, *map(abs, steps))
        offset, slope = offset - short * steps[0], slope - short * steps[1]
    return max(0.0, slope), offset

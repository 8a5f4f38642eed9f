"""What is missing gathered by subject: one finding for the passages that belong together."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.judges.builtin.omissions.features import Talk

Floats = NDArray[np.float32]
MOST = 5
PASSAGES = 3
_SAME_TOPIC = 0.6
_RELATED = 0.35
_AS_SURELY = 2.0
_FEWEST_STEMS = 4
_LEAVE = re.compile(
    r"\b(?:is|would) (?:it|that) (?:be )?(?:ok|okay|all right|alright|helpful|useful)\b|\b(?:can|could|may) (?:i|we) |"
    r"\bwould you mind\b|\bdo you mind\b",
    re.IGNORECASE,
)


_GREETING = re.compile(
    r"(?:(?:so|okay|well|oh),? )?(?:hi|hello|hey|welcome|good (?:morning|afternoon|evening)|come (?:on )?in|"
    r"thanks? (?:you )?for (?:coming|getting on|being here)|(?:good|nice) to see you)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Topic:
    """``lead`` is the passage that says it: where a question is most surely missing, an answer that says something.
    ``others`` go with it, in the session's order; ``score`` is the log-odds of what is most surely missing."""

    lead: int
    others: tuple[int, ...]
    score: float

    @property
    def passages(self) -> tuple[int, ...]:
        return (self.lead, *self.others)


def topics(scores: Floats, talk: Talk, threshold: float, most: int = MOST) -> list[Topic]:
    """From the highest score down to ``threshold``, none close in meaning to a lead before it. ``scores`` is
    (passages,), minus infinity for what is not to be shown."""
    open_, used = np.where(_tells(talk), scores, -np.inf).astype(np.float64), set[int]()
    found: list[Topic] = []
    while len(found) < most and len(open_):
        lead = int(open_.argmax())
        if not np.isfinite(open_[lead]) or open_[lead] < threshold:
            break
        score, others = float(open_[lead]), _companions(lead, open_, talk, used)
        own = {lead, *others}
        if talk.questions[lead] and lead + 1 in own and _answers(talk, lead + 1):
            lead += 1
        found.append(Topic(lead, tuple(sorted(own - {lead})), score))
        used |= own
        open_[list(own)] = -np.inf
        open_[talk.alike(lead) >= _SAME_TOPIC] = -np.inf
    return found


def _companions(lead: int, scores: NDArray[np.float64], talk: Talk, used: Set[int]) -> tuple[int, ...]:
    """A question's answer or a short answer's question, then what is nearly as surely missing and related."""
    half = _other_half(lead, talk)
    picked = [] if half is None or half in used else [half]
    related = talk.related(lead)
    for other in np.argsort(-(scores + related), kind="stable").tolist():
        if len(picked) == PASSAGES - 1:
            break
        if not _enough(talk, other):
            continue
        if other not in (lead, *picked) and related[other] >= _RELATED and scores[other] >= scores[lead] - _AS_SURELY:
            picked.append(other)
    return tuple(sorted(picked))


def _tells(talk: Talk) -> NDArray[np.bool_]:
    """(passages,) Worth reading by itself: four words that carry content, a figure, or an answer beside its question.
    What is shorter is mostly greeting, thanks and half-sentences. A therapist's greeting tells nothing, nor do a
    question for leave to speak and the yes to it."""
    units, passages = talk.units, talk.units.session.passages
    leave = [bool(_LEAVE.search(passage.text)) for passage in passages]
    found = []
    for number, passage in enumerate(passages):
        answering = units.answers[number] and bool(passage.stems) and not leave[number - 1]
        greets = passage.role is Role.THERAPIST and bool(_GREETING.match(passage.text))
        polite = (talk.questions[number] and leave[number]) or greets
        found.append((_enough(talk, number) and not polite) or answering)
    return np.array(found, dtype=bool)


def _enough(talk: Talk, number: int) -> bool:
    passage = talk.units.session.passages[number]
    return len(passage.stems) >= _FEWEST_STEMS or bool(passage.quantities)


def _other_half(number: int, talk: Talk) -> int | None:
    if talk.units.answers[number]:
        return number - 1
    return number + 1 if talk.questions[number] else None


def _answers(talk: Talk, number: int) -> bool:
    """More than a yes."""
    passage = talk.units.session.passages[number]
    return len(passage.stems) > 1 or bool(passage.quantities)

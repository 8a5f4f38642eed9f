"""Claims that only someone in the room can make: appearance, affect, speech, eye contact, orientation."""

from __future__ import annotations

from dataclasses import dataclass

from noteeval_desktop.judges.builtin.text.words import patterns

_WORDS = patterns("observations.json")


@dataclass(frozen=True, slots=True)
class Observation:
    """``words`` is what in the claim only the eye or ear can know; ``stock``: a phrase used of everybody."""

    words: str
    stock: bool
    certain: bool


def observation_in(text: str) -> Observation | None:
    """The first wording of an observation in ``text``, if there is one."""
    stock = _WORDS["stock"].search(text)
    if stock:
        return Observation(stock.group(), True, True)
    strong = _WORDS["strong"].search(text) or _WORDS["plain_manner"].search(text)
    if strong:
        return Observation(strong.group(), False, True)
    seems = _WORDS["looks"].search(text)
    return Observation(seems.group(), False, False) if seems else None

"""Sentences made to say something else in other words than ``changes`` uses, for training alone.

A head that learns what a changed sentence looks like from one generator learns that generator's handwriting: heads
trained on ``changes`` alone found a quarter of the negations that were put in other words. So each kind of change is
made here in many ways, each given its turn. Nothing here is measured by ``degrade``.

Opposites ("increased" for "decreased") and negations taken out are left out: nothing in a wording gives those away, and
heads that were trained on them found fewer of the others.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from noteeval_desktop.measures.changes import ChangeKind
from noteeval_desktop.measures.second_hand_facts import FACT_WAYS
from noteeval_desktop.measures.second_hand_negations import NEGATION_WAYS
from noteeval_desktop.measures.second_hand_numbers import NUMBER_WAYS
from noteeval_desktop.measures.second_hand_persons import PERSON_WAYS
from noteeval_desktop.measures.wording import Way

WAYS: Mapping[ChangeKind, Mapping[str, Way]] = {
    ChangeKind.NEGATION: NEGATION_WAYS,
    ChangeKind.PERSON: PERSON_WAYS,
    ChangeKind.NUMBER: NUMBER_WAYS,
    ChangeKind.FACT: FACT_WAYS,
}
_MOST = {ChangeKind.NEGATION: 14, ChangeKind.PERSON: 10, ChangeKind.NUMBER: 9, ChangeKind.FACT: 3}


def reworded(texts: Sequence[str], note: str, seed: int) -> list[tuple[int, ChangeKind, str]]:
    """(index into ``texts``, kind, the sentence that says something else): some of each kind, the same for a seed."""
    return [(index, kind, text) for index, kind, _, text in reworded_ways(texts, note, seed)]


def reworded_ways(texts: Sequence[str], note: str, seed: int) -> list[tuple[int, ChangeKind, str, str]]:
    """As ``reworded``, with the name of the way before the text. Ways take turns until a kind has enough."""
    rng = random.Random(f"{seed}|{note}")
    found: list[tuple[int, ChangeKind, str, str]] = []
    for kind, ways in WAYS.items():
        order = rng.sample(sorted(ways), k=len(ways))
        left = {way: rng.sample(range(len(texts)), k=len(texts)) for way in order}
        made: dict[str, tuple[int, ChangeKind, str, str]] = {}
        while any(left.values()) and len(made) < _MOST[kind]:
            for way in order:
                change = _next(ways[way], left[way], texts, rng, note)
                if change is not None and len(made) < _MOST[kind]:
                    made.setdefault(change[1], (change[0], kind, way, change[1]))
        found += made.values()
    return found


def _next(way: Way, left: list[int], texts: Sequence[str], rng: random.Random, note: str) -> tuple[int, str] | None:
    """The next sentence that has a place for the change, and what it becomes; those before it are used up."""
    while left:
        index = left.pop()
        text = way(texts[index], rng, note)
        if text is not None and text != texts[index]:
            return index, text
    return None

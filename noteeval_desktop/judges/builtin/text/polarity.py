"""What is said to be, and what is said not to be: negations, denials, and the answers to yes/no questions."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from noteeval_desktop.judges.builtin.text.words import Word, word_lists

_WORDS = word_lists("polarity.json")
_REACH = 6
_ANSWER_WORDS = 12


class Answer(StrEnum):
    """How a passage opens when it answers a yes/no question."""

    YES = "yes"
    NO = "no"
    PARTLY = "partly"


def strong_negations(words: Sequence[Word]) -> tuple[int, ...]:
    """Indices of the words that negate, the weak ones aside."""
    return tuple(
        index
        for index, word in enumerate(words)
        if (word.folded in _WORDS["cues"] or word.folded.endswith("n't"))
        and word.folded not in _WORDS["weak"]
        and not _only(words, index)
    )


def _only(words: Sequence[Word], index: int) -> bool:
    """ "Not only", "no longer than", "whether or not" and "not sure" of a claim negate nothing that it reports."""
    follows = words[index + 1].folded if index + 1 < len(words) else ""
    before = words[index - 1].folded if index else ""
    return (words[index].folded == "not" and follows == "only") or (follows == "just") or before == "or"


def negated(words: Sequence[Word]) -> frozenset[int]:
    """Indices of the words that stand behind a negation, up to the clause's end."""
    found: set[int] = set()
    for index in strong_negations(words):
        for place in range(index + 1, min(index + 1 + _REACH, len(words))):
            if words[place].folded in _WORDS["breaks"]:
                break
            found.add(place)
    return frozenset(found)


def answer_of(words: Sequence[Word]) -> Answer | None:
    """Yes, no or partly, from a passage's first words; None where it does not open with an answer."""
    opening = [word.folded for word in words[:3]]
    if not opening:
        return None
    short = len(words) <= _ANSWER_WORDS
    if opening[0] in _WORDS["no"] or opening[:2] in (["not", "really"], ["not", "anymore"]):
        return Answer.NO
    if opening[0] in _WORDS["partly"] or (short and any(word in _WORDS["partly"] for word in opening)):
        return Answer.PARTLY
    if opening[0] in _WORDS["yes"] or opening[:2] in (["of", "course"], ["i", "do"], ["i", "am"], ["i", "have"]):
        return Answer.YES
    if short and any(word.endswith("n't") for word in opening):
        return Answer.NO
    return None

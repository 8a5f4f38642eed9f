"""A note's sentences as atomic facts, and whether two texts tell of one thing otherwise; by rules, without a model.

SySDEM (Nizar et al., figure 6) has a language model split a text into "the smallest independent atomic facts"; here
sentences are cut at semicolons, at "but", and between the members of a list, each of which gets the list's beginning
("denies fever, chills" is two denials). What a relative clause says stays with its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.text.polarity import negated
from noteeval_desktop.judges.builtin.text.quantities import Quantity, alike, quantities
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, claim_lexicon

_JOINT = re.compile(r"\s*;\s+|,?\s+(?:but|while|whereas)\s+|,\s+(?:and|or)\s+|,\s+|\s+(?:and|or)\s+", re.IGNORECASE)
# What a list's members share: up to and with its last word of these.
_OPENING = re.compile(
    r".*?\b(?:denies|denied|reports?|reported|endorse[sd]?|complain(?:s|ed) of|history of|(?:posi|nega)tive for|"
    r"includ(?:es?|ing)|significant for|remarkable for|allergic to|tak(?:es|ing)|with|without|no|has|had)\b",
    re.IGNORECASE | re.DOTALL,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|did|will|would|can|could|should|may|denies|denied|reports?|reported|"
    r"state[sd]?|takes|took|feels?|felt|says|said|lives|work(?:s|ed)|drinks|smokes|noted|began|started|stopped|"
    r"underwent|present(?:s|ed)|complain(?:s|ed)|endorse[sd]?|recommended|continues?|wants?|needs?|appears?|seems?|"
    r"tried|quit|use[sd]?|sees|saw|went|goes|came|comes|moved|gets|got)\b",
    re.IGNORECASE,
)
_NOT_ALONE = re.compile(r"(?:which|who|whom|whose|that|because|since|as|when|where|of|by|in|on|at|for|from|to)\b", re.I)
_MONTH = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d+$")
_SHARED = 0.5


def atomic_facts(sentence: str) -> tuple[str, ...]:
    """The facts that a sentence tells, in order; at least one for a sentence with words."""
    facts: list[str] = []
    opening = ""
    for part in _parts(sentence.strip().rstrip(".")):
        told = bool(_VERB.search(part))
        if facts and (_NOT_ALONE.match(part) or (not told and not opening and _VERB.search(facts[-1]))):
            facts[-1] += f", {part}"  # "Rome, Italy"
        elif facts and not told:
            facts.append(f"{opening}{part}")
        else:
            facts.append(part)
            found = _OPENING.match(part)
            opening = f"{found.group()} " if found else ""
    return tuple(facts)


def _parts(text: str) -> Iterator[str]:
    start = 0
    for joint in _JOINT.finditer(text):
        before, after = text[start : joint.start()], text[joint.end() :]
        inside = text.count("(", 0, joint.start()) > text.count(")", 0, joint.start())
        of_a_number = before[-1:].isdigit() and after[:1].isdigit()
        if before.strip() and after.strip() and not inside and not of_a_number and not _MONTH.search(before):
            yield before.strip()
            start = joint.end()
    yield text[start:].strip()


def in_facts(note: Note) -> Note:
    """The same sections, with one sentence a fact; facts count from 1 within their sentence (``s3.2``)."""
    text, sentences = "", []
    for sentence in note.sentences:
        stop = "." if sentence.text.rstrip().endswith(".") else ""
        for number, fact in enumerate((f"{own}{stop}" for own in atomic_facts(sentence.text)), 1):
            place = Span(len(text), len(text) + len(fact))
            sentences.append(Sentence(f"{sentence.id}.{number}", sentence.sections, place, fact))
            text += f"{fact}\n"
    return Note(text, (), tuple(sentences))


@dataclass(frozen=True)
class WordsCompared:
    """``lexicon``: which words carry content, and which are one word."""

    lexicon: ClaimLexicon

    def otherwise(self, fact: str, others: Sequence[str]) -> int | None:
        """Which of ``others`` tells of what the fact tells of with another number, or the other way round; None where
        none does, or where what is nearest says it as it is."""
        near = [
            (share, not self._differs(fact, other), n)
            for n, other in enumerate(others)
            if (share := self._shared(fact, other)) >= _SHARED
        ]
        _, same, place = max(near, default=(0.0, True, 0))
        return None if same else place

    def _shared(self, fact: str, other: str) -> float:
        own, theirs = (
            {stem for stem in self.lexicon.content_stems(text) if not stem.isdigit()}
            | {one.unit for one in self._quantities(text) if one.unit}
            for text in (fact, other)
        )
        return len(own & theirs) / len(own) if own else 0.0

    def _differs(self, fact: str, other: str) -> bool:
        return self._other_number(fact, other) or self._turned_round(fact, other)

    def _other_number(self, fact: str, other: str) -> bool:
        own, theirs = (self._quantities(text) for text in (fact, other))
        return any(
            any(amount.unit == said.unit for said in theirs) and not any(alike(amount, said) for said in theirs)
            for amount in own
        )

    def _quantities(self, text: str) -> list[Quantity]:
        return [one for one in quantities(text, self.lexicon.words(text)) if one.value is not None]

    def _turned_round(self, fact: str, other: str) -> bool:
        """What both speak of is denied in one of them, and in no word of the other."""
        denied, told = [], []
        for text in (fact, other):
            words = self.lexicon.words(text)
            under = negated(words)
            denied.append({word.stem for n, word in enumerate(words) if word.content and n in under})
            told.append({word.stem for word in words if word.content})
        return bool(denied[0] & told[1]) != bool(denied[1] & told[0])


def words_compared() -> WordsCompared:
    """With the lexicon that ships."""
    return WordsCompared(claim_lexicon())

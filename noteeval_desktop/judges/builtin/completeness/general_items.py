"""The rubric's general items, by word rules: nobody has labelled them, so they carry no probability."""

from __future__ import annotations

import re
from dataclasses import dataclass

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.rubric import RubricItem
from noteeval_desktop.domain.verdicts import ItemVerdict
from noteeval_desktop.judges.builtin.text.words import patterns

_WORDS = patterns("general_items.json")
_QUOTATION = re.compile(r"\"[^\"]*\"|“[^”]*”")


@dataclass(frozen=True)
class _Rule:
    """``found`` and ``missing``: what is said where ``words`` stand in the note, and where they do not. ``present``:
    whether the item is there by them, or without them; those in quotations then do not count."""

    words: re.Pattern[str]
    found: str
    missing: str
    present: bool = True


_RULES = {
    "general-safety": _Rule(
        _WORDS["safety"],
        "The note addresses safety.",
        "The note says nothing about suicide, self-harm or harm to others.",
    ),
    "general-culture": _Rule(
        _WORDS["culture"],
        "The note mentions culture, faith, identity or values.",
        "The note does not mention culture, faith, identity or values.",
    ),
    "general-professionalism": _Rule(
        _WORDS["unprofessional"],
        "Slang or judgmental words appear outside a quotation.",
        "No slang or judgmental words were found.",
        present=False,
    ),
}
KNOWN = frozenset(_RULES)


def verdict(item: RubricItem, note: Note) -> ItemVerdict:
    """Raises KeyError for a general item that is not ``KNOWN``."""
    rule = _RULES[item.id]
    found = tuple(
        sentence.id
        for sentence in note.sentences
        if rule.words.search(sentence.text if rule.present else _QUOTATION.sub(" ", sentence.text))
    )
    said = rule.found if found else rule.missing
    return ItemVerdict(item.id, None, item.importance, bool(found) is rule.present, sentences=found, rationale=said)


def speaks_of_safety(text: str) -> bool:
    """Does a sentence say something about suicide, self-harm, harm to others or abuse, or deny it?"""
    return bool(_WORDS["safety"].search(text))


def serves_any(text: str) -> bool:
    """Do the words of any general item stand in a sentence?"""
    return any(rule.words.search(text) for rule in _RULES.values())

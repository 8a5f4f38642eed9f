"""Is a text English? Conservative: a telegraphic note ("Denies SI.") has no function words and is still English."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    _WORD.findall(
        "the and of to is was with for that her his she he they their has have had not but this are were been from "
        "client patient reports states session will be an it at by about who which when"
    )
)
# Frequent words of the languages that share the Latin script, without those that are English words too.
_OTHER = frozenset(
    _WORD.findall(
        "el los las una unos que por para con del se su sus esta muy pero como le les des est dans pour qui sur avec "
        "pas une aux ses elle il sont der das und ist nicht ein eine mit den dem auf sich auch zu wird hat von il di "
        "che della gli nel sono non ha o os uma não em ao dos het een van niet zijn och att är som det inte på og ikke "
        "jest nie się na że ve bir bu için ile ja ei että ar az egy és hogy"
    )
)
_MOSTLY = 0.3
_FEW = 3


def is_english(text: str) -> bool:
    """False when a third of the letters are not Latin, or frequent words of other languages outnumber English ones.

    A text too short to tell counts as English.
    """
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if letters and foreign > _MOSTLY * len(letters):
        return False
    words = _WORD.findall(text.lower())
    other = sum(word in _OTHER for word in words)
    return other < _FEW or other <= 2 * sum(word in _ENGLISH for word in words)

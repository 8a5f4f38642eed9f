"""Putting other words into a sentence: what the ways of changing it share."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

# The sentence, a random generator, the whole note: the changed sentence, or None where it offers no place.
Way = Callable[[str, random.Random, str], str | None]

MANY_RELATIVES = (
    "friends", "parents", "children", "coworkers", "siblings", "cousins", "neighbors", "roommates", "colleagues",
    "teachers", "brothers", "sisters", "sons", "daughters", "grandparents",
)  # fmt: skip
RELATIVES = (
    "mother", "father", "wife", "husband", "partner", "girlfriend", "boyfriend", "sister", "brother", "son",
    "daughter", "boss", "roommate", "neighbor", "cousin", "aunt", "uncle", "grandmother", "grandfather", "teacher",
    "friend", "coworker", "stepfather", "stepmother", "ex-wife", "ex-husband", "landlord", "colleague", "nephew",
    "niece",
)  # fmt: skip


def put(text: str, match: re.Match[str], new: str, group: int | str = 0) -> str:
    """``new`` in place of what matched, with a capital where that had one."""
    start, end = match.span(group)
    shown = new[:1].upper() + new[1:] if text[start : start + 1].isupper() else new
    return text[:start] + shown + text[end:]


def replaced(
    text: str, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str], rng: random.Random
) -> str | None:
    """One of the places that match, put in other words; None where nothing matches."""
    matches = list(pattern.finditer(text))
    if not matches:
        return None
    match = rng.choice(matches)
    return put(text, match, new(match))


def relative(rng: random.Random, note: str, like: str = "") -> str:
    """Somebody the note does not name, several where ``like`` is several."""
    several = like in MANY_RELATIVES or like in ("kids", "family")
    pool = MANY_RELATIVES if several else RELATIVES
    return rng.choice([name for name in pool if name != like and name not in note.lower()] or list(pool))

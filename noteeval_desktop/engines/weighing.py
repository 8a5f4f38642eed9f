"""How likely a model finds each value that a field of its answer may have, from the tokens in whose place it stands."""

from __future__ import annotations

import bisect
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noteeval_desktop.engines.chat import AROUND_A_WORD, Words


@dataclass(frozen=True, slots=True)
class Odds:
    """``shares``: of each value among them all, together 1; ``mass``: of all of them among whatever the model might
    have written there. Without any mass there are no shares."""

    shares: Mapping[str, float]
    mass: float


def value_follows(text: str, field: str) -> bool:
    """Whether the next token of an answer that so far is ``text`` begins the field's value, or leads to it."""
    return re.search(rf"{_key(field)}$", text) is not None


def weighed(words: Words, field: str, values: Sequence[str]) -> list[Odds | None]:
    """Of each time that an answer has the field, in order; None where the engine tells nothing.

    A token counts for the value that it begins, or that it is longer than; one that begins two of them for none.
    """
    starts = [0, *itertools.accumulate(len(word) for word, _ in words)]
    text = "".join(word for word, _ in words)
    thought = text.rfind("</think>") + 1
    found = []
    for match in re.finditer(_key(field), text):
        place = match.end()
        if thought <= place < len(text):
            at = bisect.bisect_right(starts, place) - 1
            found.append(_odds(words[at][1], text[starts[at] : place], values))
    return found


def _key(field: str) -> str:
    """Within a text of JSON a quotation mark has a backslash before it, so that no text can look like the field."""
    return rf'(?<!\\)"{re.escape(field)}"\s*:\s*"?'


def _odds(likeliest: Sequence[tuple[str, float]], lead: str, values: Sequence[str]) -> Odds | None:
    """``lead``: what the token holds before the value."""
    if not likeliest:
        return None
    found = dict.fromkeys(values, 0.0)
    for form, log in likeliest:
        rest = form[len(lead) :].strip().strip(AROUND_A_WORD).lower() if form.startswith(lead) else ""
        own = [value for value in values if rest and (value.startswith(rest) or rest.startswith(value))]
        if len(own) == 1:
            found[own[0]] += math.exp(min(log, 0.0))
    mass = sum(found.values())
    return Odds({value: share / mass for value, share in found.items()} if mass > 0 else {}, min(1.0, mass))

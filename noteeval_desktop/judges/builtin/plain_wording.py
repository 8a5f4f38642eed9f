"""A claim with its numbers masked and its negations taken out: what it speaks of, whatever it says about it.

Whether a session speaks of something at all, and whether it says the same about it, are two questions. The encoder
hardly hears a "not" or a "four", so a head that sees them moves at random when they change; the first question is
therefore put in this wording, and the second is left to the rules and the head that looks for changes.
"""

from __future__ import annotations

import re

from noteeval_desktop.judges.builtin.quantities import quantities
from noteeval_desktop.judges.builtin.words import ClaimLexicon
from noteeval_desktop.measures.changes import BARE_FORMS

_ANY_NUMBER = "several"
_CAUSES = (
    (r"\bdenies\b", "reports"),
    (r"\bdenied\b", "reported"),
    (r"\bcannot\b", "can"),
    (r"\bcan['’]t\b", "can"),
    (r"\bnever\b", "often"),
    (r"\bno longer\b", "still"),
    (r"\bun(able|willing) to\b", r"\1 to"),
    (r"\b(is|are|was|were|will|would|can|could|should|has|have|had)(?: not|n['’]t)\b", r"\1"),
)
_PLAIN = tuple((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _CAUSES)
_DID_NOT = re.compile(r"\b(does|do|did)(?: not|n['’]t) (\w+)", re.IGNORECASE)


def plain_wording(text: str, lexicon: ClaimLexicon) -> str:
    """``text`` as an affirmative sentence in which every amount reads the same."""
    for pattern, put in _PLAIN:
        text = pattern.sub(put, text)
    text = _DID_NOT.sub(lambda match: BARE_FORMS[match[1].lower()].get(match[2].lower(), match[2]), text)
    for quantity in reversed(quantities(text, lexicon.words(text))):
        text = text[: quantity.span.start] + _ANY_NUMBER + text[quantity.span.end :]
    return text

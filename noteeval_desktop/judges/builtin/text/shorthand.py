"""Clinical shorthand written out: "RTC 2 wks., Lexapro 10 mg qhs prn" in words that the encoder knows
(``resources/lexicons/shorthand.json``).

Where lower-case letters make another word ("bid", "wed", "mon"), capitals or what stands beside them decide.
"""

from __future__ import annotations

import re

from noteeval_desktop import paths

_WORDS = paths.lexicon("shorthand.json")
# Capitals alone tell those of "as_written" from words; "RTC" is followed by when.
_PATTERNS = (
    *((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _WORDS["any_case"]),
    *((re.compile(pattern), put) for pattern, put in _WORDS["as_written"]),
    *((re.compile(rf"\b{short}\b\.?(?! [a-z]+ed\b)"), day) for short, day in _WORDS["days"].items()),
    *((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _WORDS["last"]),
)
# What nearly every shorthand has in it: most sentences need no pattern tried.
_HINT = re.compile(
    r"/|\d ?x\b|[↑↓]|\b(?:[A-Z]{2,4}s?|wk\w*|mos?|yrs?|hrs|mins|appts?|cont\w*|prn|q\w{1,5}|bid|tid|sess|rx\w*|fh?x"
    r"|psychoed|grp|anx|approx|mtgs?|decr|incr|etoh|mj|thc|husb|dtr|dep|hw|bf|gf|bi-?wkly|[bt]\.i\.d|q\.\w|fu|po|p\.o"
    rf"|y\.?o|[FM]|{'|'.join(_WORDS['days'])})\b",
    re.IGNORECASE,
)


def written_out(text: str) -> str:
    """``text`` with its shorthand in words; spans of the result are its own."""
    if not _HINT.search(text):
        return text
    ends = text.rstrip().endswith(".")
    for pattern, put in _PATTERNS:
        text = pattern.sub(put, text)
    return f"{text.rstrip()}." if ends and not text.rstrip().endswith(".") else text

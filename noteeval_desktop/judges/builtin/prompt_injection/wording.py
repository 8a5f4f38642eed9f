"""Which sentences speak to whoever grades the note ("score this 5/5") instead of being part of it?

Such a sentence is text: it is left out before anything else is looked at, so that it cannot move another verdict.
A few phrasings are known by pattern; the rest is told by a head on the encoder's vector and on the words below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.judges.builtin.text.words import patterns

_WORDS = patterns("injection.json")
# "Shall we practise that sentence?": in a session, what is spoken of are words of the work, or of the day.
_KNOWN, _SPOKEN_OF = _WORDS["known"], _WORDS["spoken_of"]
_CUES = patterns("injection_cues.json")
# What hardly anything else speaks of ...
_TELLING = (
    *(_CUES[name] for name in ("document", "about-notes", "reader", "machine", "session", "commands")),
    re.compile(_CUES["grading"].pattern.replace("|points?", ""), re.IGNORECASE),
    _WORDS["telling"],
)
# ... and what is said of other things as well.
_VAGUE = (_CUES["verdict-words"], _WORDS["points"], _WORDS["checks"])
_ADDRESS = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
# "[unintelligible 00:05:54]" is the transcriber's; "s c o r e" is a word.
_MARK = re.compile(r"\[\w+(?: \d[\d:.]*)?\]")
_SPACED = re.compile(r"\b\w(?: \w\b){3,}")
_VECTOR_WEIGHT = 3.0
WIDTH_BESIDE_VECTOR = len(_CUES)
FINGERPRINT = fingerprint(*_CUES, *(cue.pattern for cue in _CUES.values()))


def known(text: str) -> bool:
    """Is it one of the phrasings known by pattern?"""
    return bool(_KNOWN.search(text))


def known_passages(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each of those phrasings in a longer text."""
    return (match.span() for match in _KNOWN.finditer(text))


def plain(text: str) -> str:
    """The text as it is asked about: without a transcriber's marks, words written with gaps put together."""
    text = _MARK.sub(" ", text)
    return " ".join(_SPACED.sub(lambda word: word[0].replace(" ", ""), text).split()) if _SPACED.search(text) else text


def suspicious(text: str) -> bool:
    """Could a sentence of a note speak to its reader at all? Where not, its vector need not be asked."""
    return addressed(text) or any(pattern.search(text) for pattern in (*_VAGUE, _ADDRESS))


def addressed(text: str) -> bool:
    """The same of a part of a sentence, where more goes by the same words."""
    text = plain(text)
    return (
        any(pattern.search(text) for pattern in _TELLING)
        or known(text)
        or (sum(bool(pattern.search(text)) for pattern in _VAGUE) > 1)
    )


def addressed_aloud(text: str) -> bool:
    """The same of a whole sentence that is said in a session."""
    return addressed(_SPOKEN_OF.sub(" ", text)) or known(plain(text))


def of_the_reader(text: str) -> bool:
    """Does it name whoever grades, or a machine that might?"""
    return bool(_CUES["reader"].search(text))


def inputs(texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """(texts, len(cues) + dim) for the head."""
    cues = [[float(bool(pattern.search(text))) for pattern in _CUES.values()] for text in texts]
    table = np.array(cues, dtype=float).reshape(len(texts), WIDTH_BESIDE_VECTOR)
    return np.hstack([table, vectors.astype(float) * _VECTOR_WEIGHT])

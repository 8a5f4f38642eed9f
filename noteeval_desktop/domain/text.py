"""Text as every other part sees it: normalised once, addressed by code-point offsets."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

LINE_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile("[\u00a0\u2007\u202f]")
# Zero-width joiner and non-joiner stay: emoji and several scripts need them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
# Half of a surrogate pair, as some transcribers write it, has no UTF-8 and could go into no file.
HALF_PAIRS = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points, ``text[start:end]``."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def shifted(self, by: int) -> Span:
        return Span(self.start + by, self.end + by)

    def contains(self, position: int) -> bool:
        return self.start <= position < self.end

    def meets(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


def normalise(text: str) -> str:
    """One form of a text: NFC, ``\\n`` line ends, plain spaces, no hidden characters, no half of a surrogate pair.

    Idempotent. Offsets everywhere in the program point into the result.
    """
    text = LINE_BREAKS.sub("\n", text)
    text = HALF_PAIRS.sub("\ufffd", _SPACES.sub(" ", text))
    return unicodedata.normalize("NFC", _HIDDEN.sub("", text))


def hidden_characters(text: str) -> int:
    """How many invisible characters ``normalise`` takes out of ``text`` (a leading byte-order mark aside)."""
    return len(_HIDDEN.findall(text.removeprefix("\ufeff")))


def fingerprint(*parts: str) -> str:
    """SHA-256, in hex, of the parts; ``fingerprint(text)`` is that of the text's UTF-8 bytes."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

"""Words looked up in a dictionary: two neighbouring letters that changed places ("cleint") are put right before a note
is judged, and a text of which few words are found is not English.

Only that one slip is mended: it keeps every place in the text, and it can hardly turn one word into another. With any
one letter changed, "Abilify" would become "ability" and "Paxil" "pail".
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

_ANY_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_WORD = re.compile(r"(?<![\w'\u2019-])[A-Za-z]{4,}(?![\w'\u2019-])")

_ENTRY = re.compile(r'"([^"\\]+)": ?(\d+)')

_SHORT = 4
# How often a word must stand in the dictionary's sources. The rare ones hold slips of their own ("tarns"), and short
# unknown words are abbreviations as a rule ("prev", "eval"): only "that", "with", "from" and their like are mended.
_RARE, _COMMON = 200, 500_000


def put_right(text: str) -> str:
    """The sentence with each unknown word that two exchanged letters make a known one. Names, which begin with a
    capital inside a sentence, and words in capitals stay as they are.
    """
    return _WORD.sub(lambda word: _mended(word.group(), first=not text[: word.start()].strip()), text)


def unknown_words(text: str) -> tuple[int, int]:
    """How many words of four letters and more are in no English dictionary, out of how many.

    Abbreviations in capitals do not count, exchanged letters are put right first. A genitive counts as its noun.
    """
    plain = put_right(text.lower() if text.isupper() else text)
    counted = [word for word in _ANY_WORD.findall(plain) if len(word) > 3 and not word.isupper()]
    words = _dictionary()
    stems = ((word := one.lower().replace("\u2019", "'"), word.split("'")[0]) for one in counted)
    return sum(whole not in words and stem not in words for whole, stem in stems), len(counted)


def spoken_words() -> Iterable[tuple[str, int]]:
    """Every word of the dictionary and how often it stands in its sources: subtitles, that is, what people say."""
    return _dictionary().items()


def _mended(word: str, first: bool) -> str:
    low = word.lower()
    if word[1:] != low[1:] or (word[0] != low[0] and not first):
        return word
    return _known(low) if word == low else _known(low).capitalize()


@cache
def _dictionary() -> dict[str, int]:
    """pyspellchecker's English words and how often each was said, as its SpellChecker() has them.

    Read piece by piece: SpellChecker decodes and counts them in a few calls that let no other thread run, which
    stops the window for a quarter of a second while the first note is judged.
    """
    packed = resources.files("spellchecker").joinpath("resources", "en.json.gz").read_bytes()
    text = gzip.decompress(packed).decode("utf-8")
    return {entry[1]: int(entry[2]) for entry in _ENTRY.finditer(text)}


def _known(word: str) -> str:
    """The likeliest known word, the word itself where it is known or where none is likely."""
    words = _dictionary()
    if word in words:
        return word
    exchanged = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    best = max(exchanged, key=lambda other: words.get(other, 0))
    return best if words.get(best, 0) >= (_COMMON if len(word) == _SHORT else _RARE) else word

"""Is a text English? Conservative: a telegraphic note ("Denies SI.") has no function words and is still English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.judges.builtin.text.spelling import unknown_words
from noteeval_desktop.judges.builtin.text.words import word_lists

_WORD = re.compile(r"[^\W\d_]+")
_WORDS = word_lists("languages.json")
# "van der Berg", "de los Santos": part of a name.
_PARTICLES = re.compile(
    r"\b(?:(?:van|von|vom|zu|und|der|den|de|del|della|di|da|dos|du|la|las|le|los|el|y|al)\s+)+(?=[A-ZÀ-ÖØ-Þ])"
)
# "I've", "Four's": their ends are words of other languages.
_CONTRACTED = re.compile(r"(?<=[a-z])['’](?:ve|re|ll|s|t|d|m)\b", re.IGNORECASE)
_QUOTATION = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»")
_ACCENTED = re.compile(r"\b[^\W\d_]*[à-öø-ÿąćęłńśźżğışčřžőű][^\W\d_]*")
_MOSTLY = 0.3
_FEW = 3
# Share of unknown words and least number of words. English clinical notes reach 0.05, their misspelt copies 0.2; short
# notes in 22 languages have 0.71 and more. A line that only lists medicines has none that a dictionary knows.
_UNKNOWN_TEXT, _WORDS_OF_TEXT = 0.6, 6
_UNKNOWN_SENTENCE, _WORDS_OF_SENTENCE = 0.75, 4
# Dishes or people may have names that no dictionary knows, but what holds so many frequent English words is English.
_OF_ENGLISH = 0.25
# Characters of a long session that are looked up: enough to tell, and an edit of the note asks again.
_SAMPLE = 5000
_LISTS = re.compile(r"[,/;:\d]")


def is_english(text: str) -> bool:
    """False when a third of the letters are not Latin, most words are in no English dictionary, or frequent words of
    other languages outnumber English ones.

    A text too short to tell counts as English.
    """
    if _foreign_script(text) or _mostly_unknown(text[:_SAMPLE], _UNKNOWN_TEXT, _WORDS_OF_TEXT):
        return False
    words = _WORD.findall(text.lower())
    other = sum(word in _WORDS["other"] for word in words)
    return other < _FEW or other <= 2 * sum(word in _WORDS["english"] for word in words)


def note_in_english(note: Note) -> bool:
    return is_english(" ".join(sentence.text for sentence in note.sentences))


def session_in_english(transcript: Transcript) -> bool:
    return is_english(" ".join(turn.text for turn in transcript.turns))


def is_foreign_sentence(text: str) -> bool:
    """Is one sentence of an English note in another language? Names, quotations and single borrowed words do not."""
    if _foreign_script(text):
        return True
    text = _CONTRACTED.sub("", text)
    outside = _QUOTATION.sub(" ", text)
    plain = _PARTICLES.sub("", outside if len(_WORD.findall(outside)) > 1 else text)
    if not _LISTS.search(plain.rstrip()) and _mostly_unknown(plain, _UNKNOWN_SENTENCE, _WORDS_OF_SENTENCE):
        return True
    words = _WORD.findall(plain.lower())
    # Accented words that are no names are as telling as frequent ones; a first word may be either.
    accented = [word for word in _ACCENTED.findall(plain) if word[0].islower() or plain.startswith(word)]
    telling = {word.lower() for word in accented} - _WORDS["borrowed"] | (_WORDS["other"] & set(words))
    return len(telling) > 1 and len(telling) > sum(word in _WORDS["english"] for word in words)


def foreign_sentences(sections: Iterable[Sequence[str]]) -> Iterator[bool]:
    """Of each sentence of each section: is it in another language, by itself or in a section that is?"""
    for section in sections:
        whole = not is_english(" ".join(section))
        yield from (is_foreign_sentence(one) or (whole and not _plainly_english(one)) for one in section)


def _plainly_english(text: str) -> bool:
    """Are at least half of its words in an English dictionary?"""
    unknown, words = unknown_words(text)
    return 2 * unknown < words


def _mostly_unknown(text: str, share: float, least: int) -> bool:
    unknown, counted = unknown_words(text)
    if counted < least or unknown <= share * counted:
        return False
    words = _WORD.findall(text.lower())
    return sum(word in _WORDS["english"] for word in words) < _OF_ENGLISH * len(words)


def _foreign_script(text: str) -> bool:
    if text.isascii():
        return False
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return foreign > _MOSTLY * len(letters)

"""Names by their words: what a list of names has, and what stands with a capital for no reason of English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.text import Span
from noteeval_desktop.privacy.lexicon import Lexicon, plain
from noteeval_desktop.privacy.masking import Identifier, IdentifierKind

# Letters, and marks that Python counts to no word, of every script but Latin and its accents.
_FOREIGN = (
    "\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2dff\u3041-\ud7ff\uf900-\ufdff\ufe70-\ufeff\uff66-\uffdc"
    "\U00010000-\U0001efff\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"(?:[\w\u0300-\u036f]|[{_FOREIGN}])+(?:['’](?:[\w\u0300-\u036f]|[{_FOREIGN}])+)*")
_OTHER_SCRIPT = re.compile(rf"[{_FOREIGN}]")
_SENTENCE_START = re.compile(r"(?:^|[.!?…][\"'”’)\]]*\s+|[\n•*:–—-]\s*|[\"“(\[]\s*)$")
_CONTRACTED = ("'ll", "'d", "'ve", "'re", "'s", "'m", "'t", "'em", "'all")
_PARTICLES = frozenset([
    "st", "saint", "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "al", "el",
    "ten", "ter", "bin", "ibn", "bint", "abu",
])  # fmt: skip
# Before a word with a capital that is also an ordinary word: "from Target", "moved to Reading".
_PLACE_CUES = frozenset(["at", "from", "near", "in"])
_GOING = frozenset([
    "go", "goes", "went", "going", "move", "moved", "moving", "drove", "drive", "flew", "fly", "sent", "back",
    "work", "works", "worked", "working",
])  # fmt: skip
_MOVING = frozenset(["move", "moves", "moved", "moving", "fly", "flies", "flew", "flying", "emigrated", "deported"])
_SAYS = frozenset([
    "said", "says", "told", "tells", "asked", "asks", "left", "called", "calls", "thinks", "wants", "came", "goes",
    "died", "hates", "and", "reports", "denies", "was", "never",
])  # fmt: skip
_PREFIXES = (
    "non", "un", "re", "over", "under", "self", "psycho", "anti", "pre", "post", "mis", "co", "sub", "hyper",
    "hypo", "bio", "neuro", "tele",
)  # fmt: skip
_SUFFIXES = ("s", "es", "ed", "d", "y", "ing", "ly", "ness", "er", "al", "ally", "ity", "ive", "ization", "ical")
_SURE = 3  # letters from which on a small word of the list is a name


@dataclass(frozen=True, slots=True)
class Word:
    """One word without its possessive ending; ``first`` of a sentence; ``gap``: what stands before it."""

    span: Span
    text: str
    plain: str
    gap: str
    first: bool

    @property
    def capital(self) -> bool:
        return any(letter.isupper() for letter in self.text)

    @property
    def shouted(self) -> bool:
        """All in capitals, but for the s of "GPs"."""
        return len(self.text) > 1 and self.text.removesuffix("s").isupper()


@dataclass(frozen=True, slots=True)
class Named:
    """``guess``: nothing but its capital speaks for a name."""

    identifier: Identifier
    guess: bool


def words_of(text: str) -> tuple[Word, ...]:
    found, end = [], 0
    for match in _WORD.finditer(text):
        start, said = match.start(), match.group()
        said = said[:-2] if said[-2:] in ("'s", "’s") else said
        gap = text[end:start]
        inside = gap == "-" and end > 0
        first = not inside and _SENTENCE_START.search(text[max(0, start - 4) : start]) is not None
        found.append(Word(Span(start, start + len(said)), said, plain(said), gap, first))
        end = match.end()
    return tuple(found)


class Phrases:
    """Names and places of one or more words, found in time that does not depend on how many there are."""

    def __init__(self, phrases: Iterable[str], lexicon: Lexicon) -> None:
        self._by_first: dict[str, set[tuple[str, ...]]] = {}
        self._lexicon = lexicon
        for phrase in phrases:
            key = tuple(_key(word) for word in words_of(phrase))
            if key and sum(map(len, key)) > 1 and any(letter.isalpha() for part in key for letter in part):
                self._by_first.setdefault(key[0], set()).add(key)

    def find(self, words: Sequence[Word]) -> Iterator[Span]:
        """The longest at each word. One whose words are all English as well has to stand with a capital."""
        for number, word in enumerate(words):
            for key in sorted(self._by_first.get(_key(word), ()), key=len, reverse=True):
                there = words[number : number + len(key)]
                if tuple(map(_key, there)) != key or any(len(later.gap) > 2 for later in there[1:]):
                    continue
                if any(later.capital for later in there) or not all(
                    self._lexicon.common(later.plain) for later in there
                ):
                    yield Span(word.span.start, there[-1].span.end)
                    break


def _key(word: Word) -> str:
    return word.plain.replace("'", "")


def named(text: str, words: Sequence[Word], lexicon: Lexicon, keep: frozenset[str]) -> Iterator[Named]:
    """What is a name, or may be one, by its words alone; ``keep``: words, in the form of ``plain``, that are none."""
    if not lexicon.times:
        return
    judged = [None if word.plain in keep else _judged(words, n, lexicon) for n, word in enumerate(words)]
    _spread(words, judged, lexicon, keep)
    number = 0
    while number < len(words):
        kind = judged[number]
        last = number
        if kind is not None:
            while (
                last + 1 < len(words) and judged[last + 1] is not None and _one_name(words[last], words[last + 1], kind)
            ):
                last += 1
            span = Span(words[number].span.start, words[last].span.end)
            guess = not any(word.plain in lexicon.names for word in words[number : last + 1])
            yield Named(Identifier(kind, span, span.of(text)), guess)
        number = last + 1


def _one_name(word: Word, after: Word, kind: IdentifierKind) -> bool:
    """Given name and surname are two names, so that each is known again alone; "van der Berg" and employers are one."""
    together = kind is IdentifierKind.ORGANISATION or word.plain in _PARTICLES
    return after.gap == "-" or (after.gap in (" ", ". ") and together)


def _judged(words: Sequence[Word], number: int, lexicon: Lexicon) -> IdentifierKind | None:
    word = words[number]
    said = word.plain
    if _OTHER_SCRIPT.search(word.text):
        return None if len(said) == 1 or said[0] in "μω" else IdentifierKind.PERSON
    following = words[number + 1] if number + 1 < len(words) else None
    one = said if said.endswith("ss") else said.removesuffix("s")  # "Moss" are no months
    if {said, one} & lexicon.capitals or not said.replace("'", "").isalpha():
        return None
    if following is not None and following.gap == "-" and following.plain.startswith(said) and following.plain != said:
        return None  # "wha-what": somebody stammers
    if said in lexicon.names and (word.capital or len(said) >= _SURE):
        return IdentifierKind.PERSON
    if not word.capital or _contracted(said, lexicon):
        return None
    if word.shouted:
        return _of_shouted(words, number, lexicon)
    if (len(said) > 2 and not _english(said, lexicon)) or (_accented(word.text) and not word.first):
        return IdentifierKind.PLACE if _where(words, number) else IdentifierKind.PERSON
    if word.first:
        tells = following is not None and (following.plain in _SAYS or _surname(following, lexicon))
        return IdentifierKind.PERSON if said in lexicon.given_words and tells else None
    if not lexicon.common(said):
        return IdentifierKind.PERSON
    title = following is not None and following.gap == " " and following.capital and lexicon.common(following.plain)
    if said in lexicon.given_words and not title:
        return IdentifierKind.PERSON
    if len(said) > 1 and _placed(words, number):
        return IdentifierKind.ORGANISATION
    # Inside a sentence English has no capital but in titles, which in notes are clinical.
    return IdentifierKind.PERSON if len(said) > 2 and said not in lexicon.terms else None


def _surname(word: Word, lexicon: Lexicon) -> bool:
    """May it follow a given name, as "Berg" does?"""
    return word.gap == " " and word.capital and not word.shouted and word.plain not in lexicon.capitals | lexicon.terms


def _of_shouted(words: Sequence[Word], number: int, lexicon: Lexicon) -> IdentifierKind | None:
    """Of letters that are all capitals: an abbreviation, unless everything around is in capitals too."""
    word, around = words[number], words[max(0, number - 1) : number + 2]
    if sum(other.shouted for other in around) > 1:
        return None if len(word.text) < 4 or _english(word.plain, lexicon) else IdentifierKind.PERSON
    return IdentifierKind.ORGANISATION if not lexicon.common(word.plain) and _placed(words, number) else None


def _placed(words: Sequence[Word], number: int) -> bool:
    """Behind "at", "from" and their like."""
    before = [word.plain for word in words[max(0, number - 2) : number]]
    if not before or words[number].gap not in (" ", " the "):
        return False
    return before[-1] in _PLACE_CUES or (before[-1] in ("to", "for", "by") and before[0] in _GOING)


def _where(words: Sequence[Word], number: int) -> bool:
    """Behind what a place follows and a person hardly ever: "in Tromsø", "moved to Galicia"."""
    before = [word.plain for word in words[max(0, number - 2) : number]]
    if not before or words[number].gap not in (" ", " the "):
        return False
    return before[-1] in ("in", "near") or (before[-1] == "to" and before[0] in _MOVING)


def _english(said: str, lexicon: Lexicon) -> bool:
    """Known as it stands, or made of a known word."""
    if lexicon.known(said):
        return True
    stems = [said.removesuffix(ending) for ending in _SUFFIXES if said.endswith(ending)]
    stems += [said.removeprefix(begin) for begin in _PREFIXES if said.startswith(begin)]
    return any(len(stem) > 3 and (stem in lexicon.capitals or lexicon.times.get(stem, 0) > 100) for stem in stems)


def _accented(word: str) -> bool:
    """With more than the é of "café"."""
    return any(letter not in "éÉ" and plain(letter) != letter.casefold() for letter in word.replace("’", "'"))


def _contracted(said: str, lexicon: Lexicon) -> bool:
    return said.endswith(_CONTRACTED) and lexicon.common(said.split("'")[0])


def _spread(words: Sequence[Word], judged: list[IdentifierKind | None], lexicon: Lexicon, keep: frozenset[str]) -> None:
    """To what belongs to a name: capitals beside it inside a sentence, and "van der" before it."""

    def joins(word: Word) -> bool:
        return (
            word.capital
            and not word.shouted
            and not word.first
            and not _contracted(word.plain, lexicon)
            and word.plain not in lexicon.capitals | keep
        )

    for number in range(1, len(words)):
        if (
            judged[number] is None
            and judged[number - 1] is not None
            and words[number].gap == " "
            and joins(words[number])
        ):
            judged[number] = judged[number - 1]
    for number in range(len(words) - 2, -1, -1):
        word, after = words[number], words[number + 1]
        particle = word.plain in _PARTICLES and (after.capital or after.plain in _PARTICLES)
        # "The" before a name is no part of it, and would be taken for one wherever it stands.
        belongs = (joins(word) and after.gap != ". " and not lexicon.everyday(word.plain)) or particle
        if belongs and judged[number] is None and judged[number + 1] is not None and after.gap in (" ", "-", ". "):
            judged[number] = judged[number + 1]

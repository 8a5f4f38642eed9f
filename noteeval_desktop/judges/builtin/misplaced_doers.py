"""Who does what in a text: clauses, each with its doer, as far as grammar gives them away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.judges.builtin.polarity import strong_negations
from noteeval_desktop.judges.builtin.words import ClaimLexicon, Word


class Who(StrEnum):
    CLIENT = "client"
    THERAPIST = "therapist"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Doer:
    """``named`` are relations or a name, one of which it goes by; empty where only a pronoun tells of it."""

    who: Who
    gender: str = ""
    named: frozenset[str] = frozenset()
    place: int = -1


@dataclass(frozen=True)
class Clause:
    """Words from ``first`` to before ``last``; ``content`` those that tell something beside the doer. ``elliptic``:
    what was done stands before, as in "my dad did, once"."""

    first: int
    last: int
    doer: Doer
    content: tuple[int, ...]
    negated: bool
    asked: bool
    elliptic: bool = False


# How a name is told from a relation.
CALLED = "called "
NOBODY = Doer(Who.UNKNOWN)
_GENDERS: Mapping[str, str] = {
    "mother": "f", "wife": "f", "girlfriend": "f", "sister": "f", "daughter": "f", "aunt": "f", "grandmother": "f",
    "niece": "f", "father": "m", "husband": "m", "boyfriend": "m", "brother": "m", "son": "m", "uncle": "m",
    "grandfather": "m", "nephew": "m",
}  # fmt: skip
CLOSE_KIN = frozenset(
    (
        "mother",
        "father",
        "wife",
        "husband",
        "girlfriend",
        "boyfriend",
        "partner",
        "sister",
        "brother",
        "son",
        "daughter",
    )
)
KIN = frozenset(_GENDERS) | {"partner", "cousin"}
_PRONOUNS: Mapping[str, str] = {"he": "m", "she": "f"}
_BREAKS = frozenset(
    (
        "and", "but", "so", "because", "when", "while", "if", "that", "who", "which", "then", "or", "until", "after",
        "before", "though", "although", "since", "unless", "whenever", "where",
    )
)  # fmt: skip
_CARRIES = frozenset({"and", "then", "but", "or", "so"})
_BEFORE_OBJECTS = frozenset(
    (
        "with", "to", "for", "from", "at", "of", "by", "about", "like", "on", "than", "between", "without", "in",
        "toward", "towards", "against", "near", "as", "w",
    )
)  # fmt: skip
_THINGS = frozenset(
    (
        "it", "this", "that", "these", "those", "there", "they", "we", "someone", "somebody", "nobody", "everyone",
        "everybody", "people", "who", "which", "what", "one", "both", "each",
    )
)  # fmt: skip
_POSSESSIVES = frozenset({"my", "your", "his", "her", "their", "our", "the", "a", "an", "this", "that"})
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "doctor"})
_THE_CLIENT = frozenset({"client", "patient", "pt", "cl", "ct"})
_THE_THERAPIST = frozenset({"therapist", "clinician", "counselor", "counsellor", "writer", "provider"})
_I = frozenset({"i", "i'm", "i've", "i'd", "i'll"})
_YOU = frozenset({"you", "you're", "you've", "you'd", "you'll"})
_REPORTS = re.compile(
    r"(?:report|state|say|said|mention|describe|express|acknowledg|admit|note|share|indicat|explain|add|disclos|"
    r"recall|endors|complain|confirm|claim|reveal|think|thought|believ|feel|felt|see|saw|identif)\w*$"
)
_PASSIVE = re.compile(
    r"\b(?:is|was|were|are|been|being|be|gets?|got) (?:\w+ly |often |always |usually |also |once |not )*"
    r"(?:\w+ed|\w+en|hit|hurt|told|left|made|sent|kept|held|put|brought|taught|found|met|thrown|shown|known|"
    r"said|paid|sold|lent|bit|cut|shot)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\bby (?:(?:the )?(?:client|patient|pt)['’]s |his |her |their |an? |the |my |your )?(\w+)", re.IGNORECASE
)
_CLITIC = re.compile(r"['’](?:s|d|ll|ve|re|m)$")


def gender_of(relation: str) -> str:
    return _GENDERS.get(relation, "")


def clauses(
    text: str, words: Sequence[Word], role: Role | None, lexicon: ClaimLexicon, names: Mapping[str, Doer]
) -> list[Clause]:
    """``role`` is the speaker's; None for a note, whose client is told of by "client", "he" and "she". ``names`` are
    whom the session calls by name."""
    found: list[Clause] = []
    carried = NOBODY
    negations = {place for place in strong_negations(words) if words[place].folded != "without"}
    for first, last in _cut(text, words):
        doer = _doer(text, words, first, last, role, lexicon, names)
        if _is_unclear(text, words, first, last, role, lexicon, doer):
            doer = NOBODY
        joined = words[first].folded in _CARRIES or (first and words[first - 1].folded in _CARRIES)
        if doer is None:
            doer = carried if joined else NOBODY
        if doer is not None and first and words[first - 1].folded in _QUOTES and _paused(text, words, first):
            doer = _quoted(words, doer, carried)
        if words[first].folded == "who" and first and words[first - 1].folded == "one":
            doer = carried
        carried = doer
        content = _content(words, first, last, doer)
        asked = _asked(text, words, last)
        negated = bool(negations & set(range(first, last)))
        clause = Clause(first, last, doer, content, negated, asked, _is_elliptic(text, words, first, last, doer))
        if found and role is not None and _is_aside(text, words, clause):
            found[-1] = replace(found[-1], last=last, content=(*found[-1].content, *content))
        else:
            found.append(clause)
    return found


def _is_unclear(
    text: str, words: Sequence[Word], first: int, last: int, role: Role | None, lexicon: ClaimLexicon, doer: Doer | None
) -> bool:
    """Whether somebody lets another do it, or a note's "she" may be either of two."""
    if _CAUSES.search(text, words[first].span.start, words[last - 1].span.end):
        return True
    pronoun = role is None and doer is not None and doer.gender and not doer.named
    return bool(pronoun) and doer is not None and _another(text, words, doer.place, lexicon)


def _content(words: Sequence[Word], first: int, last: int, doer: Doer) -> tuple[int, ...]:
    return tuple(
        place
        for place in range(first, last)
        if words[place].content
        and place != doer.place
        and words[place].folded not in _PEOPLE
        and not words[place].folded[0].isdigit()
    )


_PEOPLE = _THE_CLIENT | _THE_THERAPIST | _I | _YOU | frozenset(_PRONOUNS)


# "He said, I need twenty minutes."
_QUOTES = frozenset(("said", "says", "goes", "went", "thought", "thinks", "asked", "asks", "told", "me", "like"))


def _paused(text: str, words: Sequence[Word], place: int) -> bool:
    gap = text[words[place - 1].span.end : words[place].span.start]
    return any(mark in gap for mark in ',:"“‘')


def _quoted(words: Sequence[Word], doer: Doer, speaker: Doer) -> Doer:
    """In another's words "I" is the other, and "you" whoever was spoken to."""
    if speaker.who is not Who.OTHER or doer.place < 0:
        return doer
    folded = words[doer.place].folded
    if folded in _I:
        return replace(speaker, place=doer.place)
    return NOBODY if folded in _YOU else doer


def _is_elliptic(text: str, words: Sequence[Word], first: int, last: int, doer: Doer) -> bool:
    """ "My dad did", "I do", "My mother." leave what was done to what was said before."""
    if doer.who is Who.UNKNOWN or not first <= doer.place < last:
        return False
    behind = [words[place].folded for place in range(doer.place + 1, last)]
    if not behind:
        alone = all(word.folded in _POSSESSIVES for word in words[first : doer.place])
        related = any(not name.startswith(CALLED) for name in doer.named)
        return alone and related and text[words[last - 1].span.end :][:1] in (".", "!", "?", ",", "")
    return behind[0] in _STANDS_FOR and all(word in _ADVERBS for word in behind[1:])


_STANDS_FOR = frozenset(("did", "does", "do", "has", "had", "was", "is", "will", "can", "would", "could", "have"))
_ADVERBS = frozenset(("too", "once", "twice", "also", "though", "always", "still", "sometimes", "as", "well", "now"))


def _is_aside(text: str, words: Sequence[Word], clause: Clause) -> bool:
    """A word or two behind a comma belong to what stands before: "my dad did, once"."""
    gap = text[words[clause.first - 1].span.end : words[clause.first].span.start]
    small = clause.last - clause.first <= _ASIDE and words[clause.first].folded not in _BREAKS
    return small and gap.strip() == "," and clause.doer is NOBODY and not clause.negated


_ASIDE = 2


def _another(text: str, words: Sequence[Word], place: int, lexicon: ClaimLexicon) -> bool:
    """Whether a note's "she" may be somebody whom the sentence has named before."""
    return any(
        word.folded in lexicon.relations or (place_of > 0 and word.span.of(text)[0].isupper())
        for place_of, word in enumerate(words[:place])
    )


# Who lets, makes or helps another do something does not do it.
_CAUSES = re.compile(
    r"\b(?:let|lets|letting|ma[dk]es?|making|help(?:s|ed|ing)?|allow(?:s|ed)?|want(?:s|ed)?|support(?:s|ed)?|"
    r"g[eo]ts?|tells?|told|ask(?:s|ed)?|encourag(?:es|ed)|remind(?:s|ed)?|expect(?:s|ed)?|keeps?|kept|ha[ds]|"
    r"teach(?:es)?|taught) "
    r"(?:me|you|him|her|them|us) (?:to )?(?!about\b|in\b|at\b|on\b|for\b|that\b|last\b|a\b|the\b|it\b|so\b)[a-z]",
    re.IGNORECASE,
)


def _cut(text: str, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    first = 0
    for place in range(1, len(words) + 1):
        ends = place == len(words)
        gap = "" if ends else text[words[place - 1].span.end : words[place].span.start]
        title = gap.strip() == "." and words[place - 1].folded in _TITLES
        if ends or (re.search(r"[.,;:?!…—–]", gap) and not title) or words[place].folded in _BREAKS:
            yield first, place
            first = place


def _asked(text: str, words: Sequence[Word], last: int) -> bool:
    end = re.search(r"[.?!]", text[words[last - 1].span.end :])
    return bool(end) and end is not None and end.group() == "?"


def _doer(
    text: str,
    words: Sequence[Word],
    first: int,
    last: int,
    role: Role | None,
    lexicon: ClaimLexicon,
    names: Mapping[str, Doer],
) -> Doer | None:
    """The first person of a clause who is no object; None where it names nobody."""
    passive = _PASSIVE.search(text, words[first].span.start, words[last - 1].span.end)
    if passive:
        by = _BY.search(text, passive.end(), words[last - 1].span.end)
        found = next((place for place in range(first, last) if by and words[place].span.start == by.start(1)), None)
        return NOBODY if found is None else _person(text, words, found, role, lexicon, names) or NOBODY
    for place in range(first, last):
        person = _person(text, words, place, role, lexicon, names)
        if person is None:
            continue
        head = place
        while head > first and words[head - 1].folded in _POSSESSIVES | _THE_CLIENT | _TITLES:
            head -= 1
        before = words[head - 1].folded if head > first else ""
        if before in _BEFORE_OBJECTS:
            continue
        whence = _WHENCE | _INVERTED if role is not None else _WHENCE
        ahead = {words[other].folded for other in range(first, head) if words[other].content}
        if ahead - _AUXILIARY - _BREAKS and not any(words[other].folded in whence for other in range(first, head)):
            return None if person.who is not Who.UNKNOWN else NOBODY
        return person
    return None


# "Last week my brother called": what may stand before a doer.
_WHENCE = frozenset(
    (
        "last", "this", "next", "then", "yesterday", "today", "tomorrow", "once", "sometimes", "usually", "now",
        "later", "actually", "honestly", "maybe", "well", "yeah", "okay",
    )
)  # fmt: skip
_INVERTED = frozenset(("does", "do", "did", "has", "have", "is", "was", "will", "would", "could", "can", "should"))
_AUXILIARY = frozenset(
    (
        "yeah",
        "yes",
        "no",
        "okay",
        "well",
        "oh",
        "um",
        "uh",
        "like",
        "know",
        "mean",
        "actually",
        "really",
        "still",
        "even",
    )
)


def _person(
    text: str,
    words: Sequence[Word],
    place: int,
    role: Role | None,
    lexicon: ClaimLexicon,
    names: Mapping[str, Doer],
) -> Doer | None:
    """Whom a word names, if it names somebody who can do something."""
    word = words[place]
    shown = word.span.of(text).lower().replace("’", "'")
    folded = (
        _CLITIC.sub("", shown) if shown.split("'")[0] in {*_PRONOUNS, "i", "you", "they", "we", "it"} else word.folded
    )
    if folded in _THINGS:
        return Doer(Who.UNKNOWN, place=place)
    if folded == "i":
        return Doer(Who.THERAPIST if role is Role.THERAPIST else Who.CLIENT, place=place)
    if folded == "you":
        return Doer(Who.CLIENT, place=place) if role is Role.THERAPIST else Doer(Who.UNKNOWN, place=place)
    if folded in _PRONOUNS:
        return Doer(Who.CLIENT if role is None else Who.OTHER, _PRONOUNS[folded], place=place)
    owns = shown.endswith("'s") and not _is_verb_after(words, place)
    if role is None and folded in _THE_CLIENT:
        return None if owns else Doer(Who.CLIENT, place=place)
    if role is None and folded in _THE_THERAPIST:
        return None if owns else Doer(Who.THERAPIST, place=place)
    if word.folded in names and word.span.of(text)[0].isupper():
        return Doer(Who.UNKNOWN, place=place) if owns else replace(names[word.folded], place=place)
    relation = lexicon.relations.get(word.folded)
    if relation is not None and relation != "family":
        ways = frozenset({relation}) | lexicon.implied.get(relation, frozenset())
        return Doer(Who.UNKNOWN, place=place) if owns else Doer(Who.OTHER, gender_of(relation), ways, place)
    return None


def _is_verb_after(words: Sequence[Word], place: int) -> bool:
    """Of "my brother's fine": no noun that could be owned follows. Only words that cannot be one are sure."""
    follows = words[place + 1].folded if place + 1 < len(words) else ""
    return follows in _AFTER_IS or follows.endswith("ing")


_AFTER_IS = frozenset(
    (
        "a",
        "an",
        "the",
        "not",
        "fine",
        "okay",
        "been",
        "got",
        "always",
        "never",
        "in",
        "at",
        "with",
        "on",
        "so",
        "really",
    )
)


def resolved(clause: Clause, earlier: Sequence[Doer]) -> Clause:
    """He and she are the last of their gender who was named; ``earlier`` runs from the latest back."""
    doer = clause.doer
    if doer.who is not Who.OTHER or doer.named or not doer.gender:
        return clause
    for other in earlier:
        if other.named and other.gender in ("", doer.gender):
            return replace(clause, doer=replace(doer, named=other.named))
    return clause


def tells_little(words: Sequence[Word], clause: Clause) -> bool:
    """Whether a clause only reports, or names one thing that is not done: "while her mother was at work"."""
    if all(_REPORTS.match(words[place].folded) for place in clause.content):
        return True
    between = {word.folded for word in words[clause.doer.place + 1 : clause.content[0]]}
    return len(clause.content) == 1 and bool(between & (_BEFORE_OBJECTS | _POSSESSIVES | _BREAKS))

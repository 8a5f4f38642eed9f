"""What is stated in a text, clause by clause: of what, and whether it is said to be so or not to be so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.judges.builtin import opposed_words as lists
from noteeval_desktop.judges.builtin import opposites
from noteeval_desktop.judges.builtin.turning import MEANT, ceases, kept, lapsed, pair, turns, unclear
from noteeval_desktop.judges.builtin.words import Word

_HARD = re.compile(r"[.!?;…—–]|--|- ")
_END = re.compile(r"[.!?…]")
_TITLES = frozenset(("dr", "doctor", "mr", "mrs", "ms", "st"))
_AHEAD = 4
_EARLY = 2
_ANYONE = frozenset(("people", "everyone", "everybody"))
_REPORTS = frozenset(
    (
        "reports", "reported", "states", "stated", "denies", "denied", "says", "said", "expresses", "expressed",
        "describes", "described", "mentions", "mentioned", "notes", "noted", "acknowledges", "acknowledged", "agrees",
        "agreed", "declines", "declined", "refuses", "refused", "endorses", "endorsed", "wants", "wanted", "feels",
        "plans", "planned", "shared", "shares", "identifies", "identified", "attends", "attended",
    )
)  # fmt: skip
_TELLING = frozenset(("told", "informed", "telling", "informing"))
_BE = frozenset(("i'm", "is", "are", "am", "we're", "he's", "she's", "they're", "it's", "im"))
_MODAL = frozenset(("would", "could", "can", "will", "might", "may", "should"))
_ADDRESSED = frozenset(("client", "patient", "you", "you're", "you've", "you'd", "you'll"))
_CLITICS = frozenset(("it's", "that's", "she's", "he's", "there's", "what's", "who's", "here's", "i'm"))
_VERBAL = _CLITICS | lists.SELF | lists.OTHERS | lists.THINGS | lists.AUX | _REPORTS | {"you", "you're", "you've"}

# Behind a pronoun, these leave it an object.
_BEHIND_OBJECT = lists.LIGHT | lists.PREPOSITIONS | lists.TIMES
_PAST = lists.PAST_AUX | lists.PAST_FORMS
_YES_OR_NO = lists.YES | lists.NO
_FINITE = (
    lists.SELF | lists.OTHERS | lists.AUX | lists.PAST_FORMS | _CLITICS | {"it", "there", "you", "you're", "you've"}
)


class Subject(StrEnum):
    SELF = "self"
    THIRD = "third"
    KIN = "kin"
    OPEN = "open"


class Tense(StrEnum):
    PAST = "past"
    PRESENT = "present"
    OPEN = "open"


@dataclass(frozen=True)
class Statement:
    """Indices are of the text's words. ``sign``: 1 so, -1 not so, 0 neither plainly.

    ``keys`` are the words that tell what it speaks of; ``scope`` those of them that ``cue`` turns. ``axes`` are the
    ends of pairs of opposites that it names; ``stances`` how it is meant: wanted, planned, liked, not merely done.
    """

    first: int
    last: int
    sign: int
    cue: int | None
    keys: tuple[int, ...]
    scope: tuple[int, ...]
    axes: tuple[tuple[str, int, int], ...]
    stances: frozenset[str]
    subject: Subject
    tense: Tense
    ceased: bool
    tried: bool
    former: bool
    never: bool
    perfect: bool
    progressive: bool
    anaphoric: bool
    fragment: bool
    someone: bool
    modal: bool
    asked: bool
    broken: bool
    counted: bool
    times: frozenset[str]
    other: bool
    lapsed: bool
    kept: bool

    @property
    def bare(self) -> bool:
        return not self.keys and not self.axes


def statements(text: str, words: Sequence[Word]) -> tuple[Statement, ...]:
    """Each clause of ``text``, whose words are ``words``."""
    return tuple(_statement(text, words, first, last) for first, last in _clauses(text, words))


def _clauses(text: str, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    first = 0
    for place in range(1, len(words) + 1):
        if place == len(words) or _breaks(text, words, first, place):
            if place > first:
                yield first, place
            first = place


def _breaks(text: str, words: Sequence[Word], first: int, place: int) -> bool:
    gap = text[words[place - 1].span.end : words[place].span.start]
    if _HARD.search(gap) and words[place - 1].folded not in _TITLES:
        return True
    word = words[place].folded
    if word in lists.SPLITS:
        return True
    if "," in gap:
        return (
            _verbal(words[place : place + _AHEAD])
            or word in ("not", "no", "never")
            or all(other.folded in _YES_OR_NO for other in words[first:place])
        )
    if word == "that" and place - first > 1 and _of_knowing(words, first, place):
        return True
    if word == "as" and words[place + 1 :][:1] and words[place + 1].folded in lists.COMPARED:
        return False
    return word in lists.JOINS and _verbal(words[place + 1 : place + 3])


def _verbal(words: Sequence[Word]) -> bool:
    return any(word.folded in _VERBAL for word in words)


def _of_knowing(words: Sequence[Word], first: int, place: int) -> bool:
    """ "Has let his sister know that ...": what was told is another thing."""
    return lists.STANCES.get(words[place - 1].folded, "") == "know" or words[place - 2].folded in _TELLING


def _statement(text: str, words: Sequence[Word], first: int, last: int) -> Statement:
    here = [_heard(text, word) for word in words[first:last]]
    cues = [place for place in range(len(here)) if turns(here, place)]
    keys, axes = [], []
    for place, word in enumerate(here):
        if _points_back(here, place):
            continue
        if place not in cues and word in opposites.AXES and not _by_the_way(here, place):
            axes.append((*opposites.AXES[word], first + place))
        elif place not in cues and (_is_key(here, place, words[first + place]) or _is_pronoun(here, place)):
            keys.append(first + place)
    cue = first + cues[0] if cues else None
    named = sorted([*keys, *(place for _, _, place in axes)])
    behind = tuple(key for key in named if cue is not None and key > cue)
    found = set(here)
    return Statement(
        first=first, last=last,
        sign=0 if unclear(here, cues) or _aimless(here, cues, behind) else (-1) ** len(cues), cue=cue, keys=tuple(keys),
        scope=behind or tuple(named), axes=tuple(axes), stances=_stances(here), subject=_subject(here, cues),
        tense=_tense(here),
        ceased=len(cues) % 2 > 0 and any(ceases(here, place) for place in cues), lapsed=lapsed(here, cues),
        kept=kept(here, cues), other=bool(found & lists.HE_OR_SHE), tried=bool(found & lists.TRIED),
        former=bool(found & lists.PAST_ONLY), never="never" in found,
        perfect=bool(found & lists.PERFECT), progressive=_progressive(here), anaphoric=bool(found & lists.ANAPHORA),
        fragment=not found & _FINITE,
        someone=any(_is_object(here, place) for place in range(len(here))), modal=bool(found & _MODAL),
        asked=_asked(text, words, last),
        broken=text[words[last - 1].span.end :].lstrip().startswith(("-", "—", "–")),
        counted=any(word in lists.NUMBER_WORDS or word.isdigit() for word in here),
        times=frozenset(found) & lists.TIMES,
    )  # fmt: skip


def _points_back(here: Sequence[str], place: int) -> bool:
    """ "Than at the last visit" tells when, not what."""
    return here[place] in lists.MEETINGS and place > 0 and here[place - 1] in ("last", "previous", "prior", "next")


def _aimless(here: Sequence[str], cues: Sequence[int], behind: Sequence[int]) -> bool:
    """ "Without intending to": what it turns is not named."""
    return not behind and any(here[place] == "without" for place in cues)


def _by_the_way(here: Sequence[str], place: int) -> bool:
    """ "Well, ..." and "as well" tell nothing of how well."""
    if here[place].startswith("ke") and not pair(here, place)[1].endswith("ing"):  # "keep a diary"
        return here[place] in opposites.GOING
    if here[place] in opposites.GOING:  # to carry on is only said of what is meant; else it is plainly what is so
        return not any(other in MEANT for other in here[:place])
    if here[place] in ("okay", "ok"):
        return place == 0 or here[place - 1] in ("oh", "um", "well", "and", "so", "yeah", "yes", "but")
    return here[place] == "well" and (place == 0 or here[place - 1] in ("as", "and", "so", "but"))


def _is_pronoun(here: Sequence[str], place: int) -> bool:
    """ "Around her": a circumstance of its own, where "told her" only takes up who was meant."""
    return _is_object(here, place) and place > 0 and here[place - 1] in lists.PREPOSITIONS


def _is_object(here: Sequence[str], place: int) -> bool:
    """ "Her", but not "her mother"."""
    return here[place] in lists.PRONOUNS and (place + 1 == len(here) or here[place + 1] in _BEHIND_OBJECT)


def _progressive(here: Sequence[str]) -> bool:
    """ "I'm not selling it" is what one will not do."""
    return any(
        here[place] == "not" and here[place + 1].endswith("ing") and (not place or here[place - 1] in _BE)
        for place in range(len(here) - 1)
    )


def _heard(text: str, word: Word) -> str:
    """A word with its clitic, which a folded one has lost: "that's"."""
    shown = word.span.of(text).lower().replace("\u2019", "'")
    parts = shown.split("-")
    if len(parts) > 1 and all(parts[-1].startswith(part) for part in parts):  # a stammer: "not-not", "I-I'm"
        return parts[-1]
    if shown in _CLITICS or shown in ("client's", "patient's"):
        return shown
    return "hello" if word.span.of(text) in ("Hi", "hi") else word.folded


def _is_key(here: Sequence[str], place: int, word: Word) -> bool:
    folded = here[place]
    if folded in lists.LIGHT or folded in lists.STANCES or folded in lists.NOT or folded in lists.TIMES:
        return False
    if folded in ("plan", "plans") and pair(here, place)[1] == "to":
        return False
    if folded in lists.CEASED or folded in lists.REFUSED:
        return folded in opposites.LEMMAS
    if folded[0].isdigit() or folded.startswith("$") or "'" in folded:
        return False
    if "-" in folded and folded.split("-")[0] == folded.split("-")[-1]:  # "and-and": a stammer
        return False
    return word.content or folded in opposites.LEMMAS


def _stances(here: Sequence[str]) -> frozenset[str]:
    """The outermost: who is ready to agree is ready."""
    outermost = next(filter(None, (_stance(here, place) for place in range(len(here)))), "")
    return frozenset({outermost} if outermost else ())


def _stance(here: Sequence[str], place: int) -> str:
    word, before = here[place], here[place - 1] if place else ""
    if pair(here, place) in lists.REFUSED_PAIRS:
        return "will"
    if word in ("like", "love") and before in ("would", "i'd", "he'd", "she'd", "you'd"):
        return "want"
    if word == "like":
        means = before in lists.SELF | lists.OTHERS | {
            "not",
            "really",
            "never",
            "also",
            "do",
            "does",
            "did",
        } or before.endswith("n't")
        return "like" if means else ""
    if word in ("going", "plan", "plans", "intent"):
        return "will" if pair(here, place)[1] == "to" else ""
    if word == "know" and before == "you":
        return ""
    return "will" if word.endswith("'ll") else lists.STANCES.get(word, "")


def _subject(here: Sequence[str], cues: Sequence[int]) -> Subject:
    """Who a clause tells of: the last who is named before it is turned, or the first at all."""
    if "that" in here[1:_AHEAD] and set(here[: here.index("that")]) & _REPORTS:  # "Client reports that her son ..."
        start = here.index("that") + 1
        told = _subject(here[start:], [place - start for place in cues if place >= start])
        return told if told is not Subject.THIRD else Subject.SELF
    verb = next((place for place, word in enumerate(here) if word in lists.AUX), len(here))
    named = [
        (place, subject)
        for place, word in enumerate(here)
        if (subject := _subject_of(word)) is not None
        and (place < verb or subject is not Subject.KIN)
        and (place < _EARLY or word not in _ANYONE)
        and not (word in ("client", "patient") and place and here[place - 1] in lists.PREPOSITIONS)
    ]
    before = [subject for place, subject in named if cues and place < cues[0]]
    if before or named:
        return before[-1] if before else named[0][1]
    return Subject.SELF if "me" in here or "myself" in here else Subject.OPEN


def _subject_of(word: str) -> Subject | None:
    if word in lists.SELF or word in _ADDRESSED:
        return Subject.SELF
    if word in lists.OTHERS:
        return Subject.THIRD
    if word in lists.KIN:
        return Subject.KIN
    return Subject.OPEN if word in lists.THINGS else None


def _tense(here: Sequence[str]) -> Tense:
    found = set(here)
    if found & lists.PAST_ONLY:
        return Tense.PAST
    if _perfect(here):
        return Tense.OPEN
    if found & lists.PAST_AUX:
        return Tense.PAST
    if found & lists.PRESENT or any(word.endswith(("'s", "'m", "'re", "'ve")) for word in here):
        return Tense.PRESENT
    if found & _PAST or any(word.endswith("ed") and len(word) > 4 for word in here):
        return Tense.PAST
    return Tense.OPEN


def _perfect(here: Sequence[str]) -> bool:
    """ "Has (not) returned", "have told": of then and of now."""
    return any(
        word in lists.PERFECT and any(_participle(other) for other in here[place + 1 : place + 4])
        for place, word in enumerate(here)
    )


def _participle(word: str) -> bool:
    return word in lists.PAST_FORMS or word in lists.PARTICIPLES or (word.endswith("ed") and len(word) > 3)


def _asked(text: str, words: Sequence[Word], last: int) -> bool:
    """Whether the sentence that holds a clause ends with a question mark."""
    for place in range(last - 1, len(words)):
        until = words[place + 1].span.start if place + 1 < len(words) else len(text)
        gap = text[words[place].span.end : until]
        if _END.search(gap) and words[place].folded not in _TITLES:
            return "?" in gap
    return False

"""What a passage of a session says, statement by statement, with what its question and its "it" stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin import opposed_words as lists
from noteeval_desktop.judges.builtin import opposites
from noteeval_desktop.judges.builtin.session_index import Passage, SessionIndex
from noteeval_desktop.judges.builtin.statements import Statement, Subject, Tense
from noteeval_desktop.judges.builtin.words import Word

Floats = NDArray[np.float32]
_FILLERS = frozenset(("um", "uh", "oh", "god", "well", "hmm", "honestly", "actually", "i", "mean", "so", "and", "me"))
_AFTER_NO = frozenset(
    (
        "not", "nothing", "never", "none", "i", "he", "she", "it", "they", "we", "i've", "i'm", "that", "way", "chance",
    )
)  # fmt: skip
_PLAINLY_NOT = frozenset(("yet", "at", "since", "anymore", "any", "once", "one"))
_HEDGED = frozenset(
    (
        "but", "except", "sometimes", "maybe", "although", "mean", "once", "occasionally", "probably", "guess",
        "depends",
    )
)  # fmt: skip
_OFFERS = frozenset(("would", "could", "can", "shall", "will", "let's", "willing", "should"))
SOMEONE = "someone"
# Said of suicide in so many words; "hurting yourself" may be less.
_SUICIDE = re.compile(
    r"\b(?:end\w* it all|(?:end|tak)\w* (?:your|my|his|her|their) (?:own )?li(?:fe|ves)|better off dead|suicid\w*"
    r"|kill\w* (?:your|my|him|her|them)sel\w+|(?:want\w*|wish\w*|like) to (?:die|be dead)"
    r"|want\w* to (?:be alive|live))\b",
    re.IGNORECASE,
)
DEADLY = "suicid"
_WELCOME = frozenset(("fine", "works", "great", "perfect", "lovely", "happy", "glad", "deal", "suits"))
_NAMED = frozenset(("alcoholic", "addict"))
_SUBORDINATE = frozenset(("since", "when", "while", "if", "unless", "until", "after", "before"))
_CHATTER = frozenset(("mean", "know", "guess", "think", "say", "said", "see"))
_TAKEN_UP = frozenset(("it", "them", "that", "one", "those"))
_VERBS = frozenset(("going", "doing", "taking", "using", "keep", "still"))
_WILLED = frozenset({"will"})
_WISHES = frozenset({"want", "like", "will", "ready", "interest", "need"})
_PLAIN_YES = frozenset(("yes", "yeah", "yep", "definitely", "absolutely"))
_OF_AMOUNT = frozenset({"how", "when"})
_ANSWER_WORDS = 14
_PARTS = 4
_OPENING = 4
_PLAIN = 2


@dataclass(frozen=True, eq=False)
class Key:
    """A word that tells what is spoken of; ``axis`` where it is an end of a pair of opposites."""

    lemma: str
    stem: str
    vector: Floats
    kin: bool
    axis: str


@dataclass(frozen=True)
class Said:
    """One statement: ``keys`` its own, ``lent`` those of what came before that it takes up, ``scope`` what it turns."""

    statement: Statement
    sign: int
    keys: tuple[Key, ...]
    lent: tuple[Key, ...]
    scope: tuple[Key, ...]
    stances: frozenset[str]
    subject: Subject
    tense: Tense
    span: Span
    answer: bool = False

    @property
    def pool(self) -> tuple[Key, ...]:
        return self.keys + self.lent

    @property
    def axes(self) -> dict[str, int]:
        return {axis: sign for axis, sign, _ in self.statement.axes}


def said_of(
    statement: Statement, text: str, words: Sequence[Word], vectors: Floats, lent: tuple[Key, ...] = ()
) -> Said:
    axes = {place: axis for axis, _, place in statement.axes}
    deadly = [Span(*found.span()) for found in _SUICIDE.finditer(text)]

    def keys(places: Sequence[int]) -> tuple[Key, ...]:
        found = (_key(text, words[place], vectors[place], axes.get(place, "")) for place in places)
        return tuple(
            replace(key, lemma=DEADLY, stem=DEADLY)
            if any(span.contains(words[place].span.start) for span in deadly)
            else key
            for place, key in zip(places, found, strict=True)
        )

    ends = [statement.first if statement.cue is None else statement.cue, *statement.scope]
    span = Span(words[min(ends)].span.start, words[max(ends)].span.end)
    own = keys(sorted((*statement.keys, *axes)))
    return Said(
        statement, statement.sign, own, lent, keys(statement.scope) or lent, statement.stances, statement.subject,
        statement.tense, span,
    )  # fmt: skip


def _key(text: str, word: Word, vector: Floats, axis: str) -> Key:
    if word.folded in lists.PRONOUNS:
        return Key(SOMEONE, SOMEONE, vector, True, axis)
    shown = word.span.of(text).lower()
    if shown in _NAMED:  # who drinks is no alcoholic for that
        return Key(shown, shown, vector, True, axis)
    person = word.folded in lists.KIN or _is_name(text, word)
    return Key(opposites.LEMMAS.get(word.folded, word.stem), word.stem, vector, person, axis)


def _is_name(text: str, word: Word) -> bool:
    """A capital, and not only at a sentence's start. Names have no loose paraphrase."""
    before = text[: word.span.start].rstrip()
    return word.span.of(text).istitle() and bool(before) and before[-1] not in '.!?"“”'


def said_in(index: int, session: SessionIndex) -> list[Said]:
    """What the passage at ``index`` states, in order; an answer stands for the question that it answers."""
    passage, vectors = session.passages[index], session.word_vectors[index]
    asked = _question(index, session)
    topic: tuple[Key, ...] = asked.keys if asked else ()
    lent: tuple[Key, ...] = ()
    found = _answered(asked, index, session) if asked else []
    stances: frozenset[str] = asked.stances if asked else frozenset()
    for statement in passage.statements:
        aside = passage.words[statement.first].folded in _SUBORDINATE
        if aside or (statement.bare and not _elliptical(statement, passage.words)):
            continue
        replies = asked is not None and asked.statement.asked and all(said.answer for said in found)
        takes_up = replies or statement.anaphoric or statement.fragment or not statement.keys
        taken = (*lent, *(key for key in topic if key not in lent)) if takes_up else ()
        someone = (Key(SOMEONE, SOMEONE, vectors[statement.first], True, ""),) if statement.someone else ()
        said = said_of(statement, passage.text, passage.words, vectors, taken + someone)
        if statement.fragment and not statement.former and said.tense is Tense.PAST:  # "Relieved" is no past
            said = replace(said, tense=Tense.OPEN)
        if statement.fragment or not said.keys:
            said = replace(said, stances=said.stances | stances)
        if statement.bare and statement.modal and not said.sign:
            said = replace(said, sign=-1 if statement.cue is not None else 1, stances=said.stances | {"will"})
        found.append(said)
        if said.keys:
            lent = said.keys + (said.lent if len(said.keys) < 2 or statement.fragment else ())
            stances = said.stances
    return found


def _elliptical(statement: Statement, words: Sequence[Word]) -> bool:
    """ "I did", "I forgot", "that's gone", "not yet": nothing named, and yet something said."""
    if statement.broken or (statement.fragment and (statement.counted or statement.times)):
        return False
    here = {words[place].folded for place in range(statement.first, statement.last)}
    if words[statement.first].folded in lists.SPLITS - {"but"}:
        return False
    if statement.cue is not None:
        return not here <= lists.NO
    if statement.fragment or here & _CHATTER:
        return bool(statement.stances)
    told = lists.AUX | lists.PAST_FORMS | _VERBS | (_TAKEN_UP if here & (lists.SELF | lists.OTHERS) else frozenset())
    return bool(statement.stances or here & told)


def _question(index: int, session: SessionIndex) -> Said | None:
    """The last sentence that the other speaker put before a passage, as what was asked."""
    before = index - 1
    if before < 0 or session.passages[before].role is session.passages[index].role:
        return None
    passage = session.passages[before]
    asked = [one for one in passage.statements if one.asked] or list(passage.statements[-_PARTS:])
    if not asked:
        return None
    if any(one.anaphoric for one in asked) and sum(len(one.keys) for one in asked) < _PLAIN:  # "Could you keep one?"
        asked = list(passage.statements[max(0, passage.statements.index(asked[0]) - 2) :])
    parts = [said_of(one, passage.text, passage.words, session.word_vectors[before]) for one in asked[-_PARTS:]]
    last = next((part for part in reversed(parts) if part.keys), parts[-1])
    offers = any(_offers(one, passage.words) for one in asked)
    keys = tuple(key for part in parts for key in part.keys)
    stances = _WILLED if offers else last.stances
    return replace(last, keys=keys, scope=keys, stances=stances, sign=_sign_of([part.sign for part in parts]))


def _offers(asked: Statement, words: Sequence[Word]) -> bool:
    """ "Would you ...", "I could ...", not "how would you ..."."""
    opening = [word.folded for word in words[asked.first : min(asked.first + _OPENING, asked.last)]]
    if opening[:2] in (["what", "about"], ["how", "about"]):
        return True
    return bool(set(opening) & _OFFERS) and opening[0] not in lists.QUESTION_WORDS | lists.SPLITS


def _sign_of(signs: Sequence[int]) -> int:
    """Of a question; 0 where it asks whether one thing is so and another is not."""
    return 1 if min(signs) >= 0 else -1 if len(signs) == 1 or max(signs) <= 0 else 0


def _answered(asked: Said, index: int, session: SessionIndex) -> list[Said]:
    """A question with its answer, as a statement; "yes" and "no" to "you don't?" both may bear it out."""
    passage, question = session.passages[index], session.passages[index - 1]
    offered = asked.stances >= _WILLED
    if not (offered or asked.statement.asked):
        return []
    answer = _answer(passage, offered, _opening_of(question))
    if answer is None and offered:
        answer = _taken_or_left(asked, index, session)
    if answer is None:
        return []
    first = passage.statements[0]
    sign = -1 if asked.sign < 0 and answer and not _of_omission(asked, question) else answer * asked.sign
    span = Span(passage.words[first.first].span.start, passage.words[first.last - 1].span.end)
    return [replace(asked, sign=sign, span=span, answer=True)]


def _of_omission(asked: Said, question: Passage) -> bool:
    """ "Did you miss any?", where "no" is plainly that none was missed."""
    cue = asked.statement.cue
    return cue is not None and question.words[cue].folded in lists.OMITTED


def _opening_of(question: Passage) -> str:
    """The word that the last thing asked begins with; "what about" opens a question for yes or no."""
    asked = [one for one in question.statements if one.asked] or question.statements
    place = asked[-1].first
    opening = question.words[place].folded
    follows = question.words[place + 1].folded if place + 1 < len(question.words) else ""
    return "" if follows == "about" else opening


def _answer(passage: Passage, offered: bool, opening: str) -> int | None:
    """1 yes, -1 no, 0 neither plainly; None where a passage does not answer."""
    words = passage.words
    place = 0
    while place < len(words) and words[place].folded in _FILLERS:
        place += 1
    if place == len(words):
        return None
    if (opening not in lists.QUESTION_WORDS or opening in _OF_AMOUNT) and _amount(passage):
        return 1
    if opening in lists.QUESTION_WORDS:
        return None
    word, follows = words[place].folded, words[place + 1] if place + 1 < len(words) else None
    gap = passage.text[words[place].span.end : follows.span.start if follows else len(passage.text)]
    said = [other.folded for other in _opening(passage, place)]
    hedged = bool(set(said) & _HEDGED) or any(
        pair[0] == "not" and pair[1] in lists.DEGREE for pair in pairwise(said[1:])
    )
    if word in lists.NO and (follows is None or gap.strip() or follows.folded in _AFTER_NO):
        return 0 if hedged else -1
    if (
        word == "not"
        and follows is not None
        and (follows.folded in _PLAINLY_NOT or (offered and follows.folded == "really"))
    ):
        return -1
    if word in lists.YES and (follows is None or gap.strip()):
        return 0 if hedged else 1
    return None if hedged else _last_word(passage, place)


def _last_word(passage: Passage, place: int) -> int | None:
    """ "In my bag, yes.\""""
    for at in range(place + 1, min(place + _ANSWER_WORDS, len(passage.words))):
        word, before = passage.words[at], passage.words[at - 1]
        follows = passage.words[at + 1].span.start if at + 1 < len(passage.words) else len(passage.text)
        if any(mark in passage.text[word.span.end : follows] for mark in ".!?") or at + 1 == len(passage.words):
            alone = "," in passage.text[before.span.end : word.span.start]
            return 1 if alone and word.folded in _PLAIN_YES else -1 if alone and word.folded in lists.NO else None
    return None


def _amount(reply: Passage) -> bool:
    """ "Every Tuesday", "twice", "just at weekends": how often it is says that it is."""
    first = reply.statements[0] if reply.statements else None
    if first is None or not first.fragment or first.sign <= 0 or first.asked:
        return False
    words = {word.folded for word in reply.words[first.first : first.last]}
    return first.counted or bool(first.times) or bool(words & lists.AMOUNTS)


def _taken_or_left(asked: Said, index: int, session: SessionIndex) -> int | None:
    """ "Tuesday is fine"; "I don't want pills", after a medicine was offered."""
    passage, vectors = session.passages[index], session.word_vectors[index]
    opening = [word.folded for word in _opening(passage, 0)]
    if any(pair in lists.NO_THANKS for pair in pairwise(opening)):
        return -1
    if set(opening) & _WELCOME and all(one.sign > 0 for one in passage.statements[:1]):
        return 1
    for statement in passage.statements[:2]:
        said = said_of(statement, passage.text, passage.words, vectors)
        if said.sign < 0 and said.stances & _WISHES and all(_among(key, asked.keys) for key in said.scope):
            return -1
    return None


def _among(key: Key, keys: Sequence[Key]) -> bool:
    return any(key.stem == other.stem or key.lemma == other.lemma for other in keys)


def _opening(passage: Passage, place: int) -> Sequence[Word]:
    """The answer's own sentence, and the start of the next."""
    words = passage.words[place : place + _ANSWER_WORDS]
    stops = [
        at + 1
        for at in range(len(words) - 1)
        if any(mark in passage.text[words[at].span.end : words[at + 1].span.start] for mark in ".!?")
    ]
    return words[: stops[0] + 2] if stops else words

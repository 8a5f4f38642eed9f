"""What the client said of each danger: that it is, was, is not or never was, and where.

A therapist's question lends its danger to the answer; "And now?" asks after what was spoken of last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.judges.builtin import danger_time as time
from noteeval_desktop.judges.builtin.danger_blows import blows_asked, blows_told
from noteeval_desktop.judges.builtin.danger_means import kept, locked
from noteeval_desktop.judges.builtin.danger_time import When
from noteeval_desktop.judges.builtin.danger_turns import Heard, HeardTurn, Topic, turns_of
from noteeval_desktop.judges.builtin.danger_words import SENTENCE, Danger, Voice, named
from noteeval_desktop.judges.builtin.session_index import SessionIndex

_CLAUSE = re.compile(
    r",? but |, (?:and )?(?=(?:i|he|she|they|it|so|because)\b)|\bbecause\b|\band (?=i\b)", re.IGNORECASE
)
_FOLLOWS_UP = re.compile(
    r"\b(?:now|lately|recently|since|these days|today|this (?:week|month)|nothing|anything|still)\b", re.IGNORECASE
)
_TRIED = re.compile(r"\b(?:tried|done anything|act(?:ed)? on)\b", re.IGNORECASE)
_DID_NOTHING = re.compile(
    r"\b(?:never|didn't|haven't) (?:(?:ever|actually) )?(?:did|do|done|tried|try|acted|act)(?: on| to do)? ?(?:anything"
    r"|it|that|them)?(?=[.,;!]|$)|\bnot tried\b",
    re.IGNORECASE,
)
_WOULD_NOT = re.compile(
    r"\bi (?:wouldn't|couldn't|won't|would never|could never|'m not going to) (?:ever |actually )?(?:do|act on"
    r"|go through with)\b ?(?:it|that|anything)\b",
    re.IGNORECASE,
)
_THOUGHTS = frozenset({Danger.SUICIDE, Danger.DEATH_WISH, Danger.HARM_THOUGHT, Danger.PLAN})
_OTHERS = re.compile(
    r"\b(?:he|she|they|(?:my|his|her|our|a|the) (?:\w+ )?(?:brother|sister|mother|father|mum|mom|dad|son|daughter|wife"
    r"|husband|partner|boyfriend|girlfriend|friend|cousin|uncle|aunt|ex|roommate|neighbou?r|colleague|buddy|nephew"
    r"|niece|grand\w+|guy|man|woman|patient|boss))\b",
    re.IGNORECASE,
)
_ME = re.compile(r"\b(?:i|i'm|i've|i'd|me)\b", re.IGNORECASE)
_YOU = re.compile(r"\byou(?:'ve|'re|'d|r)?\b", re.IGNORECASE)
_AFRAID = re.compile(
    r"\b(?:not|isn't|aren't|don't feel|n't feel|un)[- ]?(?:\w+ )?safe|threatened|fears?\b", re.IGNORECASE
)
_SAFE = re.compile(r"\bsafe\b", re.IGNORECASE)
_OF_THEN = re.compile(
    r"\b(?:you(?:'d| had)|told me|when we (?:began|started|met)|back (?:in|then)|did you)\b", re.IGNORECASE
)
_ON_WHAT_WAS_SAID = re.compile(
    r"\b(?:that|it|this|those|them|now|lately|recently|since|these days|today|either|you ever|so|yourself)\b",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:since|used to|that was|gone)\b", re.IGNORECASE)
_SENTENCES_ASKED = 3
_AFRAID_ASKED = re.compile(r"\b(?:unsafe|afraid|scared|frightened)\b", re.IGNORECASE)
_I_DROVE = re.compile(r"\bi(?:'ve| have| had)? (?:drove|driven|was driving|did drive)\b", re.IGNORECASE)
_GOES_BACK_WITHIN = 90
_WORDS_OF_A_FOLLOW_UP = 9
_BACK = 3


def heard(session: SessionIndex) -> tuple[Heard, ...]:
    """In the session's order, but for what is kept at home: that comes last."""
    return session.once("dangers heard", lambda: tuple(heard_in(turns_of(session.passages))))


def heard_in(turns: list[HeardTurn]) -> Iterator[Heard]:
    topic: frozenset[Topic] = frozenset()
    question, at = "", -_BACK - 1
    for number, turn in enumerate(turns):
        if turn.role is Role.THERAPIST:
            asked = _asked(turn.text, topic if number - at <= _BACK else frozenset())
            question = turn.text if asked else ""
            if asked:
                topic, at = asked, number
            continue
        spoken_of = topic if number - at <= _BACK else frozenset[Topic]()
        told = [one for one in _told(turn) if one.topic is not Danger.PLAN or spoken_of & _THOUGHTS]
        if question:
            told = _with_answer(told, list(_answer(turn, topic, question)))
        yield from told
        if spoken_of & (_THOUGHTS | {Danger.ATTEMPT, Danger.SELF_HARM}):
            yield from _undone(turn, spoken_of <= {Danger.HARM_THOUGHT, Danger.SELF_HARM})
        own = frozenset(one.topic for one in told if isinstance(one.topic, Danger))
        if own and not (question and own <= topic):
            topic, at = (topic | own if question else own), number
        question = ""
    yield from kept(turns)
    yield from locked(turns)


def _asked(text: str, before: frozenset[Topic]) -> frozenset[Topic]:
    """What a therapist's turn asks of; a question that names nothing goes on with what was spoken of ``before``."""
    last = [one.strip() for one in SENTENCE.findall(text) if one.strip()][-_SENTENCES_ASKED:]
    last = [one for one in last if not _of_another(one) or _YOU.search(one)]
    questions = " ".join(one for one in last if one.endswith("?"))
    asked = _topics_in(questions)
    if not asked and (not questions or _ON_WHAT_WAS_SAID.search(questions)):
        asked = _topics_in(" ".join(last))
    if Danger.COMMANDS in asked:
        asked = frozenset({Danger.COMMANDS})
    if before & _THOUGHTS and _TRIED.search(text) and not asked & _THOUGHTS:
        asked |= {Danger.ATTEMPT}
    if Danger.ATTEMPT in asked:
        asked -= _THOUGHTS
    if Danger.PLAN in asked and not asked & (_THOUGHTS - {Danger.PLAN}) and not before & (_THOUGHTS | {Danger.ATTEMPT}):
        asked -= {Danger.PLAN}
    if Danger.INTENT in asked and not (asked | before) & _THOUGHTS and "thoughts" not in text.lower():
        asked -= {Danger.INTENT}
    if asked & {Danger.PLAN, Danger.INTENT}:
        asked -= {Danger.SUICIDE, Danger.DEATH_WISH, Danger.HARM_THOUGHT} if _named_plan(text) else frozenset()
    if not asked and before and len(text.split()) <= _WORDS_OF_A_FOLLOW_UP and _FOLLOWS_UP.search(text):
        return before
    return asked


def _of_another(text: str) -> bool:
    """Whether it names somebody else and, in the same line, the client no more."""
    for line in text.split("\n"):
        own = max((found.start() for found in _ME.finditer(line)), default=-1)
        if any(found.end() > own for found in _OTHERS.finditer(line)):
            return True
    return False


def _topics_in(question: str) -> frozenset[Topic]:
    return frozenset(danger for danger, _ in named(question, Voice.THERAPIST)) | blows_asked(question)


def _named_plan(text: str) -> bool:
    """ "Any thought of how you would end your life?" asks of the way alone."""
    return not re.search(r"\b(?:thoughts|ideation)\b", text, re.IGNORECASE)


def _answer(turn: HeardTurn, asked: frozenset[Topic], question: str) -> Iterator[Heard]:
    text, (index, span) = turn.text, turn.start
    says_no, says_yes = time.SAYS_NO.search(text), time.SAYS_YES.search(text)
    ended = time.ENDED.search(text)
    ever = bool(time.EVER_ASKED.search(question)) or bool(time.NEVER.search(" ".join(text.split()[:10])))
    is_question = "?" in question or bool(re.search(r"\bask\b", question, re.IGNORECASE))
    for topic in sorted(asked, key=str):
        turned = topic is Danger.UNSAFE and not _AFRAID_ASKED.search(question)
        no, yes = (says_yes, says_no) if turned else (says_no, says_yes)
        if ended and not turned:
            yield Heard(topic, False, When.NOW, index, span)
            if not (no and ever) or _WAS.search(ended.group()):
                yield Heard(topic, True, When.PAST, index, span, faint=not _WAS.search(ended.group()))
        elif topic is Danger.DRUNK_DRIVING and _I_DROVE.search(text) and not time.NEGATED.search(text):
            yield Heard(topic, True, When.NOW, index, span)
        elif no and is_question:
            back = time.TAKEN_BACK.search(text[no.end() : no.end() + _GOES_BACK_WITHIN])
            if not back or time.SAYS_NO_AGAIN.search(text):
                yield Heard(topic, False, When.EVER if ever else When.NOW, index, span)
        elif yes and is_question:
            past = ever or _OF_THEN.search(question) or time.when_said(text) is When.PAST
            yield Heard(topic, True, When.PAST if past else When.NOW, index, span, faint=len(asked) > 1)


def _told(turn: HeardTurn) -> Iterator[Heard]:
    """What the client says by name, sentence by sentence and clause by clause."""
    told: list[Heard] = []
    before: frozenset[Topic] = frozenset()
    for index, begin, sentence in turn.sentences():
        span = Span(begin, begin + len(sentence))
        if sentence.rstrip("\"' ").endswith("?"):
            continue
        own = list(_told_in(sentence, index, span))
        topics = frozenset(one.topic for one in own)
        if not topics and before and time.ENDED.search(sentence):  # "I used a blade. I haven't done it since August."
            told = [replace(one, when=When.PAST) if one.is_so and one.topic in before else one for one in told]
            told += [Heard(topic, False, When.NOW, index, span) for topic in sorted(before, key=str)]
        told += own
        before = topics or before
    yield from told


def _told_in(sentence: str, index: int, span: Span) -> Iterator[Heard]:
    for clause in _CLAUSE.split(sentence):
        for danger, found in named(clause, Voice.CLIENT):
            before = clause[: found.start()]
            if danger is not Danger.UNSAFE and _of_another(before):
                continue
            denied = bool(time.NEGATED.search(before))
            if danger is Danger.UNSAFE:
                denied = bool(_SAFE.search(found.group())) and not _AFRAID.search(clause)
            yield from _one(danger, denied, clause, sentence, index, span)
        for blow, found, plain in blows_told(clause):
            denied = bool(time.NEGATED.search(clause[: found.start()]))
            faint = not denied and not plain
            yield from (
                replace(one, faint=faint or one.faint) for one in _one(blow, denied, clause, sentence, index, span)
            )


def _one(topic: Topic, denied: bool, clause: str, sentence: str, index: int, span: Span) -> Iterator[Heard]:
    if denied:
        since = time.ENDED.search(sentence)
        never = time.NEVER.search(clause) and not since
        yield Heard(topic, False, When.EVER if never else When.NOW, index, span)
        if since:
            yield Heard(topic, True, When.PAST, index, span, faint=True)
        return
    if time.ENDED.search(sentence):
        yield Heard(topic, True, When.PAST, index, span)
        yield Heard(topic, False, When.NOW, index, span)
        return
    supposed = topic is not Danger.DEATH_WISH and bool(time.SUPPOSED.search(clause))
    yield Heard(topic, True, time.when_said(sentence), index, span, faint=supposed, loose=time.is_loose(sentence))


def _with_answer(told: list[Heard], answers: list[Heard]) -> list[Heard]:
    """What a sentence says of a danger by name goes before what a yes or no would mean."""
    said = {(one.topic, one.is_so, one.when is When.PAST) for one in told if not one.faint}
    kept_answers = []
    for one in answers:
        against = (one.topic, not one.is_so, False) in said or (
            one.when is When.EVER and (one.topic, True, True) in said
        )
        if not against:
            kept_answers.append(one)
        elif not one.is_so and one.when is When.EVER and (one.topic, True, False) not in said:
            kept_answers.append(replace(one, when=When.NOW))
    return told + kept_answers


def _undone(turn: HeardTurn, of_harm: bool) -> list[Heard]:
    """ "I never did anything", "I wouldn't do that": no attempt (``of_harm``: no self-harm), no intent."""
    undone = (_DID_NOTHING, Danger.SELF_HARM, When.NOW) if of_harm else (_DID_NOTHING, Danger.ATTEMPT, When.EVER)
    kinds = (undone, (_WOULD_NOT, Danger.INTENT, When.NOW))
    return [
        Heard(danger, False, when, index, Span(begin, begin + len(sentence)))
        for index, begin, sentence in turn.sentences()
        for pattern, danger, when in kinds
        if pattern.search(sentence)
    ]

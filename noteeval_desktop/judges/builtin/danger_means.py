"""Whether a gun, pills put by or a rope are within the client's reach: who keeps them, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.judges.builtin.danger_time import NEGATED, SAYS_NO, SUPPOSED, When
from noteeval_desktop.judges.builtin.danger_turns import Heard, HeardTurn
from noteeval_desktop.judges.builtin.danger_words import Danger

KIN = (
    r"(?:brother|sister|mother|father|mum|mom|dad|son|daughter|wife|husband|partner|boyfriend|girlfriend|friend|cousin"
    r"|uncle|aunt|ex|roommate|neighbou?r|buddy|nephew|in-laws|parents|grand\w+|mate|pal)"
)
GUN = re.compile(
    r"\b(?:(?:hand|shot)?guns?|rifles?|pistols?|firearms?|revolvers?|glock|shotty|weapons?)\b(?!\s+(?:safety"
    r"|violence|went off))",
    re.IGNORECASE,
)
_STORE = re.compile(
    r"\b(?:stash\w*|stockpil\w*|hoard\w*|count(?:ed|ing) (?:them |the \w+ |my \w+ )?out|(?:put|putting|set"
    r"|setting) (?:\w+ ){0,4}(?:aside|by)|saving (?:up|them|my|pills)|saved (?:up|them|my)|jar of|left over|leftover"
    r"|extra \w+|rope|noose|blades?|razors?)\b",
    re.IGNORECASE,
)
_THINGS = re.compile(
    r"\b(?:pills?|tablets?|capsules?|meds|medications?|painkillers?|opioids?|oxy\w*|xanax|insulin|paracetamol|tylenol|"
    r"rope|noose|razors?|blades?)\b",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\bsold\b|\bgot rid\b|\bgetting rid\b|\b(?:gave|given|handed|turned|took|taken|moved|brought|dropped|threw|thrown"
    r"|tossed)\b(?=[^.]{0,40}\b(?:to|over|in|off|away|out|my|him|her|back)\b)|\bflushed\b|\bsurrendered\b|\bpawned\b"
    r"|\bdestroyed\b"
    rf"|\b(?:at|with|to) (?:my|his|her|our) (?:\w+ ){{0,2}}?{KIN}(?:'s)?\b|\blocked (?:up )?at\b"
    r"|\b(?:he|she|they)(?:'s|'ve| has| have)? (?:still )?(?:got|has|have|keeps?) (?:it|them)\b|\b(?:police|pharmacy"
    r"|sheriff|range|storage)\b|\bnever (?:owned|had|kept)\b|\bout of the (?:house|home)\b",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:don't|do not|didn't|haven't|never) (?:own|have|keep|kept|got|had) (?:any|one|a|guns?|them)\b|\bno (?:guns?"
    r"|firearms?|weapons?|rifles?)\b|\b(?:nothing|none|not (?:any|one)|isn't|aren't)\b[^.]{0,12}\b(?:at"
    r"|in)\b[^.]{0,12}\b(?:place|house|home|flat|apartment)",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"\b(?:in|inside|under|behind|by|on) (?:the|my|our|a) (?:\w+ ){0,2}?(?:closet|garage|house|attic|basement|cellar"
    r"|truck|car|glovebox|nightstand|drawer|bedroom|bed|shed|safe|hall|cabinet|cupboard|loft|wardrobe|home|flat"
    r"|apartment|mattress|seat|office|shelf|dresser|sock drawer|flour|bathroom|kitchen|box|barn|study|den|trunk|rack)\b"
    r"|\bat home\b"
    rf"|\bi(?:'ve| have)? (?:still )?(?:have|keep|own|got|bought|kept)\b|\b(?:my|our) (?:\w+ )?{KIN}(?:'s"
    r"| has)? (?:got|has|keeps|owns) an?\b|\bmy own (?:\w+ )?(?:gun|pistol|rifle|shotgun)|\bthere(?:'s| is| are) (?:an?"
    r"|two|three|some|my)\b",
    re.IGNORECASE,
)
_SHUT = re.compile(
    r"\b(?:don't|haven't|do not|not|didn't) (?:have|got|know) (?:the|a) (?:code|key|combination|combo)\b|\b(?:he|she"
    r"|[A-Z]\w+|my \w+)(?:'s| has| is)? (?:got|has|the only one with|keeps?|holds?) the (?:code|key|combination)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?|\b(?:any|do you|is there|are there)\b", re.IGNORECASE)
_YES = re.compile(r"^(?:yes|yeah|yep|yup|one|two|three|four|a few|mm-?hm+|uh-?huh|i do|there is)\b", re.IGNORECASE)
_FOREIGN = re.compile(
    r"\b(?:deployed|deployment|army|war|tour|police|robber|mugger|shooter|range|toy|nerf|water) ?\b", re.IGNORECASE
)
_TO_COME = re.compile(r"\b(?:can|could|would|will|should|might|going to)\b|'ll\b|'d\b", re.IGNORECASE)
KEPT_LOCKED = re.compile(
    r"\b(?:pills?|tablets?|meds|medications?|strips|methadone|buprenorphine|bup|opioids?|insulin"
    r"|painkillers?)\b",
    re.IGNORECASE,
)
UNLOCKED = re.compile(
    r"\bunlocked\b|\bunsecured\b|\bno lock\b|\b(?:not|isn't|aren't|never|n't) (?:\w+ )?(?:locked|secured)\b|\b(?:anyone"
    r"|anybody|he|she|they|kids?) (?:can|could) (?:reach|get (?:at|to|into))\b|\bwithout a lock\b|\block(?:'s"
    r"| is) broken",
    re.IGNORECASE,
)
LOCKED_UP = re.compile(
    r"\b(?:locked|lock ?box(?:es)?|padlock(?:ed)?|trigger lock|cable lock|secured)\b|\bin (?:a|the|his|her|my"
    r"|our) (?:gun )?safe\b",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(r"rope|noose|blades?|razors?", re.IGNORECASE)
_HOLDS = re.compile(r"\bstill (?:got|have) (?:them|it|those)\b", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|them|those)\b", re.IGNORECASE)
_ON = 2


def kept(turns: Sequence[HeardTurn]) -> Iterator[Heard]:
    """A gun, and what was put by, as there or gone; a lock to which the client has no key."""
    for topic, thing in ((Danger.GUN, GUN), (Danger.STASH, None)):
        last = -_ON - 1
        for number, turn in enumerate(turns):
            before = " ".join(one.text for one in turns[max(0, number - _ON) : number + 1])
            named = bool(thing.search(turn.text)) if thing else _stored(turn, before)
            if named:
                last = number
            if turn.role is not Role.THERAPIST and number - last <= _ON:
                asked = turns[number - 1].text if number and turns[number - 1].role is Role.THERAPIST else ""
                yield from _of_turn(topic, turn, named, asked, thing)


def _stored(turn: HeardTurn, before: str) -> bool:
    """Whether a turn tells of things put by, or still held, that were named ``before`` or in it."""
    return bool(_STORE.search(turn.text) or _HOLDS.search(turn.text)) and bool(_THINGS.search(before))


def _stores(text: str) -> bool:
    return bool(_STORE.search(text)) and bool(_THINGS.search(text))


def _of_turn(topic: Danger, turn: HeardTurn, named: bool, asked: str, thing: re.Pattern[str] | None) -> Iterator[Heard]:
    asks = bool(_ASKS.search(asked)) and (bool(thing.search(asked)) if thing else _stores(asked))
    index, start = turn.start
    gone = False
    if asks and SAYS_NO.search(turn.text):
        gone = True
        yield Heard(topic, False, When.NOW, index, start)
    for place, begin, sentence in turn.sentences():
        span = Span(begin, begin + len(sentence))
        if _SHUT.search(sentence):
            yield Heard(Danger.LOCK, False, When.NOW, place, span)
        is_of_it = (named or asks) and not _TO_COME.search(sentence)
        if (is_of_it and _NONE.search(sentence)) or (_GONE.search(sentence) and (is_of_it or _goes_on(sentence))):
            gone = True
            yield Heard(topic, False, When.NOW, place, span)
        elif _there(topic, sentence, named, asks, thing):
            yield Heard(topic, True, When.NOW, place, span, faint=gone)
    if asks and not gone and _YES.search(turn.text):
        yield Heard(topic, True, When.NOW, index, start)


def locked(turns: Sequence[HeardTurn]) -> Iterator[Heard]:
    """Whether a gun or medication is locked away."""
    last = -_ON - 1
    for number, turn in enumerate(turns):
        if GUN.search(turn.text) or KEPT_LOCKED.search(turn.text):
            last = number
        if turn.role is Role.THERAPIST or number - last > _ON - 1:
            continue
        for place, begin, sentence in turn.sentences():
            if _TO_COME.search(sentence) or sentence.rstrip().endswith("?"):
                continue
            open_ = bool(UNLOCKED.search(sentence))
            if open_ or LOCKED_UP.search(sentence):
                yield Heard(Danger.LOCKED, not open_, When.NOW, place, Span(begin, begin + len(sentence)))


def _goes_on(sentence: str) -> bool:
    return bool(_IT.search(sentence)) and not _TO_COME.search(sentence)


def _there(topic: Danger, sentence: str, named: bool, asks: bool, thing: re.Pattern[str] | None) -> bool:
    here = bool(_HERE.search(sentence)) and not SUPPOSED.search(sentence) and not _FOREIGN.search(sentence)
    of_it = bool(thing.search(sentence)) if thing else bool(_STORE.search(sentence) or _THINGS.search(sentence))
    if topic is Danger.STASH:
        of_it = of_it or bool(_HOLDS.search(sentence))
        here = (
            here
            or bool(_HOLDS.search(sentence))
            or any(not _OF_ITSELF.fullmatch(found.group()) for found in _STORE.finditer(sentence))
        )
    return here and (of_it or asks) and (named or asks) and not NEGATED.search(sentence)

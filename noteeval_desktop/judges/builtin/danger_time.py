"""Whether words tell of now or of the past, say no or yes, and go back on it."""

from __future__ import annotations

import re
from enum import StrEnum


class When(StrEnum):
    """Of what is said to be: now, or in the past. Of what is said not to be: now, or ever."""

    NOW = "now"
    PAST = "past"
    EVER = "ever"


_NUMBER = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|twenty|thirty|forty|fifty|a|an|\d+|\w+ty[- ]\w+)"
)
_MONTH = (
    r"(?:january|february|march|april|june|july|august|september|october|november|december|may|19\d\d|20\d\d|winter"
    r"|spring|summer|autumn|the fall)"
)
PAST = re.compile(
    r"\bused to\b|\bwhen i was (?!drunk|high|drinking|using|out|angry|upset)|\b(?:years?|months?) (?:ago|back|before)\b"
    rf"|\bas an? (?:child|kid|teen\w*|boy|girl)\b|\bback (?:in|then|when)\b|\bonce\b|\blast (?:year|{_MONTH})\b"
    rf"|\bin (?:the )?(?:early )?{_MONTH}\b|\bin (?:high school|college|school|my (?:\w+ )?(?:teens|twenties|thirties"
    r"|youth|childhood))\b|\bat (?:the time|school|uni|college)\b|\bgrowing up\b|\bin the (?:first|early) \w+"
    r"|\bat (?:first|the (?:start|beginning))\b|\bearly on\b|\bat nineteen|\ba long time\b",
    re.IGNORECASE,
)
RECENT = re.compile(
    r"\b(?:again|now|today|tonight|yesterday|lately|recently|still|this (?:week|month|morning)|last (?:night|week\w*"
    r"|month)|(?:these|most|some) (?:days|nights|mornings)|every (?:\w+ )?(?:day|night|week)s?|(?:mon|tues|wednes|thurs"
    r"|fri|satur|sun)days?|currently|at the moment)\b",
    re.IGNORECASE,
)
# "Not now", "nothing since", "that was in college", "it's gone": over, and so it once was.
ENDED = re.compile(
    r"\bnot (?:now|any ?more|currently|these days|lately|recently|right now|at the moment|this time)\b|\b(?:not|nothing"
    r"|none|never|\w+n't)\b[^.?!]{0,45}\bsince\b|\b(?:it|that|they|this)(?:'s|'ve| is| are| has| have) (?:all )?(?:gone"
    r"|over|finished|stopped|passed)\b|(?:^|[.!?] )that was (?:just |only )?(?:then|when|in|back|before|last|years)"
    r"|\b(?:not|never|\w+n't)\b[^.?!]{0,40}\b(?:in|for) (?:a (?:good |long )?(?:while|time)|ages|months|years|weeks)\b"
    r"|\bnot come back\b|\b(?:he|she|they|i|i've|he's|she's) (?:quit|stopped) (?:that|it|doing)|\bi used to\b"
    r"|\bthey used to\b|\b(?:not|\w+n't) (?:have|get|had|feel|think) (?:that|it|them|those|like that|about (?:it"
    r"|that)) (?:now|any ?more)|\bnot for (?:over |more than |about |a good )?(?:an? |\w+ )?(?:years?|months?|while"
    r"|weeks?|ages)|\bin the (?:winter|spring|summer|autumn|fall)\. i don't\b",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:no|not|never|none|nor|neither|nobody|nothing|without|no one|denie[sd]|hardly)\b|n't\b", re.IGNORECASE
)
NEVER = re.compile(r"\b(?:never|not ever|not once|not then either|ever)\b", re.IGNORECASE)
EVER_ASKED = re.compile(
    r"\b(?:ever|in the past|at any time|any time|even years ago|history|before|so far|growing up)\b", re.IGNORECASE
)
_OPENING = r"^(?:(?:um+|uh+|er|well|oh|god|gosh|honestly|jesus|christ|lord|look|i mean|mm)[,.]? )*"
SAYS_NO = re.compile(
    rf"^[^?!]{{0,60}}\b(?:but|this time|now)(?: the answer is)? no\b|^[^?!]{{0,40}}\b(?:nothing like that"
    r"|none of (?:that|it))\b"
    rf"|{_OPENING}(?:no\b(?! (?:one|wonder|doubt|idea|problem))|nope\b|nah\b|never\b|none\b|absolutely not"
    r"|of course not|not (?:at all|once|any|like|one|ever|that|tried|really ever)\b|nothing\b|zeros?\b|i (?:don't"
    r"|haven't|didn't|would never|wouldn't|do not)\b)",
    re.IGNORECASE,
)
SAYS_YES = re.compile(
    rf"{_OPENING}(?:(?:it|they|he|she|that) (?:did|has|have|does)[.,]|i've (?:thought|pictured|imagined|considered)\b"
    rf"|(?:two|three|four|five|six|a few|several|a couple of|many) times\b|[^.,?!]{{1,25}}, (?:yes|yeah)\b"
    rf"|(?:[^.?!]{{1,30}}[.?!] )?\w+ing, once[.,]|(?:it's|we're"
    r"|we are|i'm|i am|totally|completely|very|perfectly) (?:\w+ )?safe\b|yes\b|yeah\b|yep\b|yup\b|sometimes\b|often\b"
    r"|most (?:days|nights)|every (?:day|night)|all the time|a (?:few|couple of) times|mm-?hmm?|uh-?huh|i (?:do|have|am"
    r"|did)[.,]|once\b|twice\b|it is[.,]|they do[.,]|completely\b)",
    re.IGNORECASE,
)
# "No. Well, sometimes": no denial to rely on.
TAKEN_BACK = re.compile(
    r"\b(?:sometimes|well,|except|not really|maybe|a little|a bit|now and then|though|apart from|unless|only when"
    r"|i guess|i suppose|once or twice|kind of|sort of|to be honest|actually|okay,? (?:yes|yeah))\b"
    r"|\bbut (?:i(?!'m (?:okay|fine|not|good)| (?:don't|never|wouldn't|didn't|know|get|couldn't))|there|it|some|last|on"
    r"|when|then|yes|yeah)\b",
    re.IGNORECASE,
)
SUPPOSED = re.compile(r"\b(?:if|would|could|might|what if|like when|scared|afraid|worr\w+|as if)\b", re.IGNORECASE)


_LOOSELY = re.compile(
    r"\bi (?:\w+ly )?(?:took|tried|thought|wanted|swallowed|cut|had|was|felt|sat|stood|hit|pushed|slapped|drove"
    r"|went|wished)\b",
    re.IGNORECASE,
)


SAYS_NO_AGAIN = re.compile(r"\bbut,? (?:honestly,? |just |definitely )?no\b", re.IGNORECASE)


def is_loose(sentence: str) -> bool:
    """Told in the past tense without a time: it may have been yesterday or in another life."""
    return bool(_LOOSELY.search(sentence)) and not RECENT.search(sentence)


def when_said(sentence: str) -> When:
    """Of what a sentence affirms."""
    return When.PAST if PAST.search(sentence) and not RECENT.search(sentence) else When.NOW

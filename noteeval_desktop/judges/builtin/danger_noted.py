"""What a note says of each danger: that it is, was, is not or never was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.danger_blows import blows_noted
from noteeval_desktop.judges.builtin.danger_means import GUN, KEPT_LOCKED, KIN, LOCKED_UP, UNLOCKED
from noteeval_desktop.judges.builtin.danger_turns import Blow, Topic
from noteeval_desktop.judges.builtin.danger_words import Danger, Voice, named, straight


class Tense(StrEnum):
    NOW = "now"
    PAST = "past"
    OPEN = "open"


@dataclass(frozen=True)
class Noted:
    """``topics``: it is said of one of these; ``who``: the other person, as the note calls them; ``clause``: all of it;
    ``in_reach``: it speaks of access, not of where a thing is.

    Of a denial, ``tense`` PAST means that it denies any history.
    """

    topics: frozenset[Topic]
    is_so: bool
    tense: Tense
    span: Span
    who: str = ""
    in_reach: bool = False
    clause: Span = field(default_factory=lambda: Span(0, 0))


_CLAUSE = re.compile(
    r"[;.]|,? \b(?:but|however|although|though|whereas)\b|\bwhile (?=(?:he|she|client|pt|they|the|his|her)\b)"
    r"|, (?:and )?(?=(?:he|she|client|pt|patient|they|denie[sd]|denying|reports?|endors\w+|states|admits|with|excluding"
    r"|has|had|who)\b)|, who\b| who lost\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\b(?:no|not|never|rule[sd] out|ruling out|exclud(?:es|ed|ing)|denie[sd]|deny|denying|without|nor|neither"
    r"|absence of|negative for|at no time|lacks?|free of|none of)\b|n't\b",
    re.IGNORECASE,
)
# What ends the reach of a "no": "denies intent at the time of the cutting".
_REACH_ENDS = re.compile(
    r"\b(?:at the time|when|during|despite|after|because|due to|context|behind|act(?:ing)? on|acted on|until|since"
    r"|as well as|other than|except|apart from|besides|only|just|solely)\b|\b(?:and|but) (?:has|is|was|reports"
    r"|endorses)\b",
    re.IGNORECASE,
)
# "has not come up again since": over.
_OVER = re.compile(
    r"^(?! but)[^.;]{0,60}\b(?:(?:has|have|had) (?:not|never) (?:come|returned|recurred|been)|(?:(?:has"
    r"|have) (?:since )?)?(?:resolved|subsided|ceased|stopped|passed|remitted)|no longer|(?:is|are) (?:gone|absent)"
    r"|absent since)\b",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(
    r"^[\w/ ]{0,20}[:=-]? ?\b(?:denied|none|negative|absent|neg|(?:was|were|is|are) (?:denied|ruled out"
    r"|excluded))\b",
    re.IGNORECASE,
)
# What is planned, feared, asked or taught is not said to be.
_NOT_SAID = re.compile(
    r"\b(?:will|would|to be|plan(?:s|ned)? to|plan (?:was|is) (?:made|drawn|to)|goals?|if|in case|should|agree[sd]?"
    r"|discuss\w*|assess\w*|screen\w*|monitor\w*|explor\w*|educat\w*|asked|inquir\w*|safety plan\w*|prevent\w*"
    r"|risk (?:of|for|factors?)|crisis|recommend\w*|review\w*|worr(?:y|ies|ied)|concern\w*|afraid|whether|counsel\w*"
    r"|address\w*|hotline|trigger\w*|reduc\w*|wonders?|unless|avoid\w*|recogni[sz]\w*|nightmares?|dreams?|dreamt"
    r"|therapist|clinician|history taking|warning)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    rf"\b(?:{KIN}|family|grandfather|grandmother|spouse|wife's|husband's|child(?:ren)?|classmate|veterans?|peers?)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:history|hx|past|prior|previous\w*|lifetime|ever|ago|formerly|in (?:19|20)\d\d|last (?:year|spring|summer"
    r"|fall|autumn|winter)|at (?:age )?\d+|at the age|age \d+|as an? (?:child|teen\w*|adolescent)|used to|in (?:january"
    r"|february|march|april|may|june|july|august|september|october|november|december)|once|attempted|tried"
    r"|had (?:thoughts|been)|having had|at (?:her|his|their) (?:worst|lowest)|adolescen\w+|childhood|teen\w*|college"
    r"|earlier)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:current(?:ly)?|now|still|ongoing|at present|presently|today|remains?|active(?:ly)?|continu\w+|recent(?:ly)?"
    r"|this (?:week|month)|lately|at this time|again|nowadays|brought back|return(?:ed|ing)|resumed|lingers?|persists?"
    r"|come (?:up|back)|continued|come to (?:him|her|them))\b",
    re.IGNORECASE,
)
_LATELY = re.compile(
    r"\b(?:in|over|for|within|during) the (?:past|last) (?:\w+ )?(?:days?|weeks?|months?)\b", re.IGNORECASE
)
# "Had gone a month without", "none for 53 days": of a time of which nothing else may have been asked.
_A_WHILE = re.compile(
    r"\b(?:before|until|prior to|gone|free of|for (?:about |over |nearly )?(?:an? |\w+ )(?:days?|weeks?|months?|years?)"
    r"|in (?:over |about |nearly )?(?:an? |\w+ )(?:days?|weeks?|months?|years?))\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:endorses?|reports? (?:thoughts|passive|active|suicid|being)|feels?|has|have|keeps?|hears?|is|are|voices"
    r"|expresses|describes|experiences|wishes|sees no|present|positive)\b",
    re.IGNORECASE,
)
_HAD = re.compile(r"\b(?:had|was|were|did|disclosed having|experienced)\b", re.IGNORECASE)
_ANY_HISTORY = re.compile(
    r"\b(?:never|history|hx|ever|past|prior|previous|lifetime|at no time|no (?:suicide )?attempts?|(?:have"
    r"|has) been no|no (?:episodes|incidents)|at any time)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\bsince\b", re.IGNORECASE)
_KEEPS = re.compile(
    r"\b(?:keeps?|has|have|owns?|possess\w*|there (?:is|are)|remains?|stor(?:es|ed)|still|access|retains?|kept|located"
    r"|available)\b",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\b(?:removed|sold|given|gave|surrendered|transferred|disposed|discarded|thrown|gone|out of|away|locked|secured"
    r"|turned in|handed|flushed"
    rf"|offsite|off-site|returned|moved|elsewhere|no longer|{KIN}(?:'s)?)\b",
    re.IGNORECASE,
)
_TAKEN_AWAY = re.compile(
    r"\b(?:removed|sold|given away|surrendered|disposed of|thrown (?:out|away)|turned in|flushed|handed (?:over"
    r"|in)|no longer)\b",
    re.IGNORECASE,
)
_PUT_BY = re.compile(
    r"\b(?:stockpil\w*|stash\w*|hoard\w*|counted out|set aside|saved up|saving|access[^.]{0,200}\b(?:pills|tablets"
    r"|medications?|rope)|(?:handed (?:in|over)|flushed|thrown out|disposed of|given up) (?:\w+ ){0,4}(?:pills|tablets"
    r"|rope|blades?|razors?)\b|(?:leftover|left-over|surplus|unused|remaining|spare) (?:\w+ ){0,2}(?:pills|tablets|meds"
    r"|medications?|painkillers|opioids|oxy\w*|strips)|(?:pills|tablets|rope|noose|blades?"
    r"|razors?)\b[^.]{0,200}\b(?:possession|at home|in the (?:home|house|garage)|removed|discarded|disposed|thrown"
    r"|flushed))\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:not|never|n't) (?:yet )?(?:parted with|got(?:ten)? rid of|given|handed|moved|sold|removed|surrendered"
    r"|disposed of|given (?:up|away)|thrown out|turned in)\b",
    re.IGNORECASE,
)
_HAS_NONE = re.compile(
    r"\b(?:no|without|denie[sd]|deny|denying|lacks?|never (?:owned|had|kept|stockpiled|saved)|(?:not"
    r"|n't) (?:\w+ )?(?:an?|any|have|own|keep|possess|store|access|stockpil\w+|hoard\w*|saving))\b[^.;]{0,50}$",
    re.IGNORECASE,
)
_AT_ANOTHERS = re.compile(
    r"\b(?:at|with|in|to) (?!(?:pt|patient|client|cl)'s)(?:(?:his|her|their|the|a|an) )?(?:\w+ )?\w+'s\b", re.IGNORECASE
)
_AWAY_FROM_HOME = re.compile(rf"\b(?:{KIN}|fa|mo|bro|sis|police|pharmacy|clinic|off-?site)(?:'s)?\b", re.IGNORECASE)
_THEN = re.compile(
    r"\b(?:at the time|had been|in the past|previously|formerly|used to|once (?:had|kept"
    r"|owned))\b",
    re.IGNORECASE,
)
_HAS_KEY = re.compile(r"\b(?:has|have|knows?|holds?|keeps?) the (?:code|key|combination)", re.IGNORECASE)
_CHILD_SAFE = re.compile(
    r"\bno (?:current |acute |immediate )?(?:child (?:safety|protection|welfare|abuse|protective)|concerns? (?:about"
    r"|for|regarding) (?:the )?(?:child\w*|kids|son|daughter)\S* (?:safety|welfare))|\bden(?:ies"
    r"|ied) (?:any )?(?:rough handling|harming|hitting|physical discipline|physical punishment)\b[^.;]{0,20}\b(?:infant"
    r"|baby|child\w*|kids|son|daughter)",
    re.IGNORECASE,
)
_GATE = re.compile(
    r"suicid|\bSI\b|\bHI\b|\bSA\b|\bOD\b|self|cut|burn|scratch|kill|die|dying|death|dead|wak|life|point (?:in|of) going"
    r"|attempt|overdos|narcan|naloxone|gun|rifle|pistol|firearm|revolver|weapon|stockpil|stash|hoard|pills|tablets|rope"
    r"|noose|aside|counted out|plan\b|inten|better|alone|unattended|unsupervised|lock|secured|possession|tired of"
    r"|forever|anymore|left-?over|surplus|unused|own\b|afraid|scared|frightened|harm|hurt|homicid|safe|threat|fear"
    r"|violen|physical|hit|struck|strik|slap|punch|kick|chok|strangl|shov|push|grab|beat|smack|spank|shak|shook"
    r"|thr[eo]w|assault|attack|abus|seizure|withdrawal|\bdts?\b|driv|drove|wheel|voices?|command|code\b|\bkey\b|alive"
    r"|hang|drown|follow|hands? on|ipv|\bdv\b|images?|thought|walk|jump|drows|asleep",
    re.IGNORECASE,
)


def dangers_noted(text: str) -> Iterator[Noted]:
    """Of a sentence of a note."""
    if not _GATE.search(text):
        return
    text, start = straight(text), 0
    for end in [*(found.start() for found in _CLAUSE.finditer(text)), len(text)]:
        if end > start:
            yield from (replace(noted, clause=Span(start, end)) for noted in _of_clause(text[start:end], start))
            start = end


def _of_clause(clause: str, at: int) -> Iterator[Noted]:
    for danger, found in named(clause, Voice.NOTE):
        before, behind = clause[: found.start()], clause[found.end() :]
        if _NOT_SAID.search(before) or (_OTHERS.search(before) and danger is not Danger.UNSAFE):
            continue
        denies = _denies(before, behind)
        if danger is Danger.UNSAFE:
            denies = bool(denies) == bool(
                re.search(r"unsafe|threat|intimid|afraid|fears", found.group(), re.IGNORECASE)
            )
        noted = _noted(frozenset({danger}), denies, clause, found, at) if denies is not None else None
        if noted is not None:
            yield noted
    for blows, found, who in blows_noted(clause):
        denies = _denies(clause[: found.start()], clause[found.end() :])
        if denies is not None and not _NOT_SAID.search(clause[: found.start()]):
            noted = _noted(blows, denies, clause, found, at, who)
            if noted is not None:
                yield noted
    child = _CHILD_SAFE.search(clause)
    if child:
        struck = frozenset[Topic]({Blow("any", "child")})
        yield Noted(struck, False, Tense.NOW, Span(at + child.start(), at + child.end()))
    yield from _kept(clause, at)


def _denies(before: str, behind: str) -> bool | None:
    """None: a "no" stands before it that may not reach it."""
    if _DENIED_BEHIND.search(behind):
        return True
    if _OVER.search(behind):
        return None
    cues = list(_NO.finditer(before))
    if not cues:
        return False
    return None if _REACH_ENDS.search(before[cues[-1].end() :]) else True


def _noted(
    topics: frozenset[Topic], denies: bool, clause: str, found: re.Match[str], at: int, who: str = ""
) -> Noted | None:
    span = Span(at + found.start(), at + found.end())
    if denies and _A_WHILE.search(clause):
        return None
    if denies:
        ever = bool(_ANY_HISTORY.search(clause)) and not _SINCE.search(clause) and not _NOW.search(clause)
        return Noted(topics, False, Tense.PAST if ever else Tense.NOW, span, who)
    if _NOW.search(clause) or _LATELY.search(clause):
        tense = Tense.NOW
    elif _PAST.search(clause):
        tense = Tense.PAST
    else:
        tense = Tense.NOW if _PRESENT.search(clause) and not _HAD.search(clause) else Tense.OPEN
    return Noted(topics, True, tense, span, who)


def _kept(clause: str, at: int) -> Iterator[Noted]:
    gun = GUN.search(clause)
    key = _HAS_KEY.search(clause)
    if key and _OTHERS.search(clause[: key.start()]):
        return
    if key and not _NO.search(clause):
        yield Noted(frozenset({Danger.LOCK}), True, Tense.NOW, Span(at + key.start(), at + key.end()))
        return
    of_means = gun or KEPT_LOCKED.search(clause)
    lock = UNLOCKED.search(clause) or LOCKED_UP.search(clause)
    if of_means and lock and not _NOT_SAID.search(clause) and not _AWAY_FROM_HOME.search(clause):
        span = Span(at + lock.start(), at + lock.end())
        yield Noted(frozenset({Danger.LOCKED}), not UNLOCKED.search(clause), Tense.NOW, span)
    for topic, found in ((Danger.GUN, gun), (Danger.STASH, _PUT_BY.search(clause))):
        if found is None or _NOT_SAID.search(clause):
            continue
        span = Span(at + found.start(), at + found.end())
        no = _NO.search(clause[: found.end()])
        if _AT_ANOTHERS.search(clause) or _THEN.search(clause):
            continue
        if _NOT_YET.search(clause):
            yield Noted(frozenset({topic}), True, Tense.NOW, span)
        elif _TAKEN_AWAY.search(clause) and not no:
            yield Noted(frozenset({topic}), False, Tense.NOW, span)
        elif no:
            has_none = _HAS_NONE.search(clause[: found.end()])
            if has_none and not _REACH_ENDS.search(has_none.group()) and not _AWAY.search(clause[: found.end()]):
                in_reach = "access" in clause.lower()
                yield Noted(frozenset({topic}), False, Tense.NOW, span, in_reach=in_reach)
        elif (_KEEPS.search(clause) or topic is Danger.STASH) and not _AWAY.search(clause):
            yield Noted(frozenset({topic}), True, Tense.NOW, span)

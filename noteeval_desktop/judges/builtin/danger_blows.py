"""Who strikes whom: in the words of a client, of a question and of a note."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from noteeval_desktop.judges.builtin.danger_turns import Blow

CLIENT, CHILD, OTHER, ANY = "client", "child", "other", "any"
_CHILD_WORD = (
    r"(?:kids?|child(?:ren)?|sons?|daughters?|bab(?:y|ies)|infant|toddler|boys?|girls?|stepson|stepdaughter|grand(?:son"
    r"|daughter|child(?:ren)?)|grandkids|little one)"
)
_KIN = (
    r"(?:(?:mother|father|sister|brother)-in-law|mother|father|mum|mom|dad|brother|sister|husband|wife|partner"
    r"|boyfriend|girlfriend|spouse|fianc[eé]e?|ex(?:-\w+)?|uncle|aunt|stepfather|stepmother|stepdad|friend|roommate"
    r"|neighbou?r|boss|cousin|man|guy|parents?)"
)
_STRIKE = (
    r"(?:hit(?:s|ting)?|str(?:uck|ikes?|iking)|slap(?:s|ped|ping)?|punch(?:es|ed|ing)?|kick(?:s|ed|ing)?|chok(?:e[sd]?"
    r"|ing)|strangl(?:e[sd]?|ing)|shov(?:e[sd]?|ing)|push(?:es|ed|ing)?|grab(?:s|bed|bing)?|beat(?:s|en|ing)?|smack(?:s"
    r"|ed|ing)?|spank(?:s|ed|ing)?|sh(?:ook|aken|aking|akes?)|(?:threw|throw(?:s|n|ing)?) (?:an? |the |his |her "
    r"|my )?(?:\w+ ){1,2}?at|(?:laid|lay|lays|laying|put|puts|putting|raised|raise) (?:a |his |her |my "
    r"|their )?(?:hands?|finger) (?:on|to|against)|raised (?:his|her|a|my) hand|(?:take|takes|took|taken|taking) (?:a"
    r"|the|his|her) (?:belt|strap|stick) to|belted|assault(?:s|ed|ing)?|attack(?:s|ed|ing)?)"
)
_GENTLER = r"|hurt(?:s|ing)?|touch(?:es|ed)?|been (?:violent|physical)|is violent|gets? (?:violent|physical)"
_FIGURE = (
    r"(?! (?:me|him|her|it|us|them) (?:that|how|like|hard when|to|up about)| the (?:gym|road|wall|brakes?"
    r"|bottle|ball|rumble)| a wall)"
)
_SAID = re.compile(rf"\b(?:{_STRIKE}{_GENTLER})\b{_FIGURE}", re.IGNORECASE)
_PLAIN = re.compile(rf"\b{_STRIKE}\b{_FIGURE}", re.IGNORECASE)
_SAID_DOER = re.compile(
    r"\b(?P<client>i(?:'ve|'d|'m)?)\b|\b(?P<any>nobody(?:'s)?|no one|neither|we)\b|\b(?P<other>he|she|they|he's|she's"
    r"|they've"
    rf"|(?:my|his|her|the|our|a) (?:\w+ ){{0,2}}?{_KIN})\b",
    re.IGNORECASE,
)
_SAID_VICTIM = re.compile(
    r"(?: (?:on|at|to|towards?|with|against))?(?: (?:(?P<client>me|us|my (?:arm|face|throat|neck|hair|head))"
    r"|(?P<child>(?:my|the|our|his|her"
    rf"|your) (?:\w+ ){{0,2}}?{_CHILD_WORD})|(?P<other>him|her|them|(?:my|his|our) (?:\w+ )?{_KIN})|(?P<any>it|nobody"
    r"|anybody|anyone|each other)))\b",
    re.IGNORECASE,
)
_A_THING = re.compile(r" (?:the|an?|my|his|her|our|their|some|up|down|out) \w", re.IGNORECASE)
_ASKED = (
    (
        Blow(OTHER, CLIENT),
        re.compile(
            rf"\b(?:has|have|did|does|is|was)\b[^.?!]{{0,30}}\b(?:hits?|hurts?|{_STRIKE}|violent"
            rf"|physical)\b[^.?!]{{0,15}}"
            r"\b(?:you\b|with you|towards? you)|\bput (?:his|her|their) hands on you|\b(?:does|is|has|did) (?:he|she|it"
            r"|that|\w+) (?:ever |been |get |got |turn |ever been |ever get |ever got )*(?:violent|physical)"
            r"|\banybody hurt you|\bany (?:pushing|hitting|shoving|grabbing|violence)"
            rf"|\b(?:he|she|they)(?:'d| had| was| were)? (?:been )?{_STRIKE} you\b",
            re.IGNORECASE,
        ),
    ),
    (
        Blow(OTHER, CHILD),
        re.compile(
            rf"\b(?:has|have|did|does) (?:he|she|they|your \w+|anyone|anybody)\b[^.?!]{{0,12}}\b(?:hit|hurt"
            rf"|{_STRIKE})\b[^.?!]{{0,12}}\b{_CHILD_WORD}\b",
            re.IGNORECASE,
        ),
    ),
    (
        Blow(CLIENT, ANY),
        re.compile(r"\bhave you (?:ever )?(?:hit|pushed|hurt|slapped|struck) (?-i:[A-Z])\w+", re.IGNORECASE),
    ),
    (
        Blow(CLIENT, CHILD),
        re.compile(
            rf"\byou\b[^.?!]{{0,30}}\b(?:hit|hurt|hurting|hitting|smack\w*|sp[ae]nk\w*|shak\w+|shook|harm\w*"
            r"|slapp?\w*|hands? on)\b"
            rf"[^.?!]{{0,20}}\b(?:{_CHILD_WORD}|them)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Blow(CLIENT, OTHER),
        re.compile(
            r"\b(?:does|is|has|did) (?:it|that|things|anything|any of it) (?:ever |been |get |got |turn |ever get "
            r"|ever got )*(?:violent|physical)|\bany (?:pushing|hitting|shoving|grabbing|violence)"
            r"|\bhave you (?:ever )?(?:hit|pushed|hurt|slapped"
            rf"|been violent|been physical|laid)\b(?![^.?!]{{0,20}}\b(?:yourself|{_CHILD_WORD}))",
            re.IGNORECASE,
        ),
    ),
)
_NOTED_PERSON = re.compile(
    rf"\b(?P<child>(?:the |her |his |their |\w+'s )?(?:\w+ ){{0,1}}?{_CHILD_WORD}(?!-))\b|\b(?P<other>{_KIN})\b"
    r"|(?<![.] )(?<!^)(?-i:\b(?P<name>(?!Client|Pt|Patient|He|She|They|During|When|After|Cl|The|No|In)[A-Z][a-z]+)\b)"
    r"|\b(?P<client>client|pt|patient|cl)\b|\b(?P<pronoun>s?he|they|her|him|them)\b",
    re.IGNORECASE,
)
_NOTED = re.compile(
    rf"\b(?:{_STRIKE}|(?:been |is |was |became |becomes )?(?:physically )?(?:violent|abusive)|(?:physical"
    r"|domestic|partner)? ?(?:violence|fights?|fighting|aggression|altercations?)|ipv|dv)\b(?! (?:the (?:gym|road|wall"
    r"|rumble|books?)|a wall))",
    re.IGNORECASE,
)
_NOT_OF_ITSELF = re.compile(r"fight(?:s|ing)?|altercations?|aggression|abusive", re.IGNORECASE)
_NOUN = re.compile(r"(?:violence|fights?|fighting|aggression|altercations?|ipv|dv|violent|abusive)$", re.IGNORECASE)
_BY = re.compile(r" (?:\w+ )?by\b", re.IGNORECASE)
_GERUND = re.compile(r"\w+ing", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:being|been|was|were|is|got|gets) (?:\w+ly )?$", re.IGNORECASE)
# Each is read with all that stands around it: of a clause with more, which nobody says or writes, the rest is left.
_MOST = 30


def blows_told(clause: str) -> Iterator[tuple[Blow, re.Match[str], bool]]:
    """In a clause of the client's: who strikes whom, the words, and whether they plainly tell of a blow."""
    for found in islice(_SAID.finditer(clause), _MOST):
        doers = list(_SAID_DOER.finditer(clause, 0, found.start()))
        victim = _SAID_VICTIM.match(clause, found.end())
        if not doers or (victim is None and _A_THING.match(clause, found.end())):
            continue
        whom = _group(victim) if victim else ANY
        yield Blow(_group(doers[-1]), whom), found, bool(_PLAIN.match(found.group())) and whom != ANY


def blows_asked(question: str) -> frozenset[Blow]:
    return frozenset(blow for blow, pattern in _ASKED if pattern.search(question))


def blows_noted(clause: str) -> Iterator[tuple[frozenset[Blow], re.Match[str], str]]:
    """In a clause of a note: what it may mean, the words, and the relation or name of the other person, if given."""
    for found in islice(_NOTED.finditer(clause), _MOST):
        if _NOT_OF_ITSELF.fullmatch(found.group().strip()):
            continue
        before = list(_NOTED_PERSON.finditer(clause[: found.start()]))
        behind = list(_NOTED_PERSON.finditer(clause[found.end() :]))
        blows = _noted(found.group(), clause[: found.start()], before, clause[found.end() :], behind)
        persons = [one for one in (*before, *behind) if one.lastgroup in ("other", "name")]
        if blows and len(persons) <= 1:
            yield blows, found, persons[0].group() if persons else ""


def _noted(
    words: str, start: str, before: list[re.Match[str]], end: str, behind: list[re.Match[str]]
) -> frozenset[Blow]:
    subject = _person(before[-1]) if before else CLIENT
    by = _BY.match(end)
    if before and before[-1].lastgroup == "pronoun" and any(_person(one) == OTHER for one in before[:-1]):
        return frozenset()
    if _NOUN.search(words.strip()):
        if "violent" in words.lower() or "abusive" in words.lower():
            if subject is OTHER:
                return frozenset({Blow(OTHER, CHILD if behind and behind[0].lastgroup == "child" else CLIENT)})
            return frozenset({Blow(CLIENT, OTHER)}) if subject is CLIENT else frozenset()
        if subject is OTHER or any(one.lastgroup == "child" for one in (*before, *behind)):
            return frozenset()
        if by and behind and _person(behind[0]) is OTHER:
            return frozenset({Blow(OTHER, CLIENT)})
        return frozenset({Blow(OTHER, CLIENT), Blow(CLIENT, OTHER)})
    if by and behind and not before and _GERUND.fullmatch(words):
        return frozenset({Blow(OTHER, CLIENT)}) if _person(behind[0]) is OTHER else frozenset()
    if _PASSIVE.search(start):
        if not by or subject is not CLIENT or not behind or _person(behind[0]) is not OTHER:
            return frozenset()
        return frozenset({Blow(OTHER, CLIENT)})
    whom = behind[0] if behind and behind[0].start() <= 12 else None
    if subject is CHILD or whom is None:
        return frozenset()
    if whom.lastgroup == "child":
        return frozenset({Blow(subject, CHILD)})
    if whom.lastgroup in ("pronoun", "client"):
        return frozenset({Blow(subject, CLIENT if subject is OTHER else OTHER)})
    return frozenset({Blow(CLIENT, OTHER)}) if subject is CLIENT else frozenset()


def _person(found: re.Match[str]) -> str:
    return {"child": CHILD, "other": OTHER, "name": OTHER, "client": CLIENT, "pronoun": CLIENT}[str(found.lastgroup)]


def _group(found: re.Match[str]) -> str:
    return str(found.lastgroup)

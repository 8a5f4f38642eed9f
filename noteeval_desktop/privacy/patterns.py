"""Identifiers that have a form: numbers, dates, addresses, e-mail, handles.

Every repeat is bounded, or ends where the next begins: hostile text is searched in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from noteeval_desktop.domain.procedures import PROCEDURE
from noteeval_desktop.domain.text import Span
from noteeval_desktop.privacy.lexicon import Lexicon, plain
from noteeval_desktop.privacy.masking import Identifier
from noteeval_desktop.privacy.masking import IdentifierKind as Kind

UPPER = "".join(
    chr(code) for code in (*range(0x41, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x1F00)) if chr(code).isupper()
)
NAME = rf"[{UPPER}][\w'’-]{{1,40}}"

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ORDINAL = (
    r"(?:(?:twenty[- ]|thirty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh"
    r"|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_BY_DAY = r"on|until|till|by|due|(?:scheduled|booked|set|planned|appointment|session|here|back) for|date (?:is|was)"
_BEHIND_DAY = (
    rf"(?:(?:and|or)(?! (?:the )?{_ORDINAL} \w)|to|at|around|if|because|but|so|for|with|when|we|i|he|she|they|it"
    r"|in the (?:morning|afternoon|evening))"
)
_UNIT = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_TEEN = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
# "nineteen eighty-four", "twenty eleven", "two thousand and three"
_SPOKEN_YEAR = (
    rf"(?:nineteen[- ](?:oh[- ]{_UNIT}|{_TEEN}|{_TENS}(?:[- ]{_UNIT})?)"
    rf"|twenty[- ](?:oh[- ]{_UNIT}|{_TEEN}|twenty(?:[- ]{_UNIT})?)|two thousand(?: and)? (?:{_TEEN}|{_UNIT}))"
)
# "Once in Nov. 6 y/o son" is two sentences.
_NO_COUNT = (
    r"(?![./]\d| ?(?:%|(?:y/?o|yrs?|years?|months?|mos?|wks?|weeks?|days?|hrs?|hours?|mins?|mg|mcg|times)\b|x\b))"
)
_YEAR = rf"(?:,? (?:\d{{4}}|{_SPOKEN_YEAR}))?"
# Of the Hebrew, Islamic and Persian calendars; none that is a word or a name besides.
_OTHER_MONTH = (
    r"(?:Nisan|Iyar|Sivan|Tammuz|Elul|Tishrei|Cheshvan|Kislev|Tevet|Shevat|Adar|Muharram|Shaban|Ramadan|Shawwal"
    r"|Farvardin|Ordibehesht|Khordad|Mordad|Shahrivar|Mehr|Bahman|Esfand)"
)
# Names in them name nobody.
SAINTS = r"(?:St\.? John['’]?s[- ][Ww]ort|Ash Wednesday|Good Friday|(?:Labou?r|Memorial|Mother['’]?s|Father['’]?s) Day)"
HOLIDAY = r"(?:Christmas(?: Eve| Day)?|New Year(?:['’]?s(?: Eve| Day)?)?|Thanksgiving|Easter(?: Sunday)?|Halloween)"
# "3/10" and "1/2" are marks and doses oftener than days, unless one of these stands before them.
_ON = (
    r"(?:on|since|until|till|til|by|before|after|dated?|DOB|due|seen|appointment|visit|f/u|rtc|next|week of)[:, ]{1,2}"
)
# Days, drinks and scores are told in parts of at most ten, and of 21, 27 and 30 behind the name of a scale.
_SCALE = r"(?<!PHQ-9 )(?<!GAD-7 )(?<!PHQ )(?<!GAD )(?<!MMSE )(?<!MoCA )(?<!score )(?<!scored )(?<!of )(?<!was )"

_DIGIT = r"(?:zero|oh|nought|one|two|three|four|five|six|seven|eight|nine|(?:double|triple) (?:oh|zero|[a-z]{3,5}))"
_HOUSE = (
    rf"(?:\d{{1,5}}[A-Za-z]?|{_UNIT} (?:hundred|thousand)(?: and)?(?: {_TENS})?(?: {_TEEN}| {_UNIT})?"
    rf"|{_TENS}[- ]{_UNIT}|{_TEEN})"
)
_STREET = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Way|Terrace|Square|Sq|Highway"
    r"|Hwy|Parkway|Pkwy|Close|Crescent|Circle|Hill|Gardens|Grove|Row|Mews|Alley|Trail|Turnpike|Pike)"
)
# Of the kinds of street, those that are no other word.
_STREET_ONLY = r"(?:street|avenue|ave|road|lane|drive|boulevard|blvd|terrace|parkway|pkwy|crescent|highway)"
_FLAT = r"(?i:flat|apt\.?|apartment|unit|suite|room|#)"
_DOMAIN = r"(?:com|net|org|edu|gov|co|io|uk|ca|au|de|fr|me|info)"
_DOT, _AT = r"(?:dot|\[dot\]|\(dot\))", r"(?:at|\[at\]|\(at\))"
_NETWORK = (
    r"(?:instagram|insta|snapchat|snap|discord|tik ?tok|twitter|reddit|kik|telegram|facebook|tumblr|twitch|venmo"
    r"|cash ?app|whatsapp|steam|user ?name|handle|gamer ?tag|screen name)"
)

# The group ``it`` is what identifies, where that is not the whole; ``rare`` too, where it is no English word.
_FORMS: tuple[tuple[Kind, *tuple[str, ...]], ...] = (
    (
        Kind.EMAIL,
        r"(?<![\w.+-])[\w.+-]{1,64} ?@ ?[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}",
        r"(?i)(?<![\w.+-])(?:[\w.+-]{1,64} (?:dot|underscore|dash|hyphen|plus) ){0,4}[\w.+-]{1,64}"
        rf" {_AT} [\w-]{{2,63}}(?: {_DOT} [\w-]{{2,20}}){{0,2}} {_DOT} {_DOMAIN}\b",
    ),
    (
        Kind.WEB,
        r"(?i)\b(?:https?://|www\.)[^\s<>\"')\]]{1,300}",
        r"(?i)\b(?:[\w-]{1,63}\.){1,3}[a-z]{2,10}/[^\s<>\"')\]]{1,300}",
        r"(?i)\b(?:[\w-]{1,63}\.){1,3}(?:com|net|org|edu|gov|blog|info)\b",
        r"(?<![\w@])@[A-Za-z_][\w.]{2,30}\b",
        # Without @: with an underscore, with digits behind letters, or behind the network's name.
        r"(?<![\w.@/])[A-Za-z][A-Za-z0-9.]{0,30}_\w[\w.]{0,30}\b",
        r"(?i)(?<![\w.@/-])(?!covid)[a-z]{4,24}\d{2,6}(?:#\d{2,6})?\b",
        rf"(?i)\b{_NETWORK}(?: name| account| there)?(?: is|:|,? (?:i'm|i am|she's|he's))? "
        rf"(?P<rare>[a-z][\w.#]{{3,30}})\b",
        r"\b(?:\d{1,3}\.){3}\d{1,3}\b",
    ),
    (
        Kind.NUMBER,
        r"\b\d{3}(?P<sep>[- ])\d{2}(?P=sep)\d{4}\b",
        r"\b(?:\d{4}[ -]){3}\d{1,7}\b|\b[A-Z]{2} ?\d{3}(?: \d{3}){2,4}(?: ?[A-Z]{2})?\b",
        r"\b[Nn]umber(?: is| was)?[,:]? (?P<it>(?:[A-Z]{1,3}[ -]?)?\d(?:[ -]?\d){3,14})\b",
        r"\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b",
        r"\b[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b",
    ),
    (
        Kind.PHONE,
        r"(?<![\w-])(?:\+\d{1,3}[ .-]?|1[ .-])?(?:\(\d{2,5}\)|\d{3})[ .-]?\d{3,4}[ .-]\d{4}(?!\w)",
        # With the 0 of long-distance calls, in groups of any length: 0171 555 0199, 01 23 45 67 89.
        r"(?<![\w.-])(?=\(?0(?:[ ()./-]{0,2}\d){8,12}(?![ ./-]?\d))\(?0[\d ()./-]{8,20}\d(?!\w)",
        r"(?i)\b(?:phone|cell|mobile|tel|fax|number|call|text|reach|dial)\b[^.\n\d]{0,30}(?P<it>\d{3}[- ]\d{4})(?!\w)",
        r"\+\d[\d ().-]{7,16}\d",
    ),
    (
        Kind.NUMBER,
        # Five digits spoken one by one, unless somebody counts.
        r"(?i)(?<![\w-])(?!(?:one,? two,? three|ten,? nine|nine,? eight|five,? four,? three,? two|zero,? one,? two)\b)"
        rf"{_DIGIT}(?:[, -]{{1,2}}{_DIGIT}){{4,20}}\b",
        r"(?i)\b(?:MRN|SSN|social(?: security)?|NHS|DEA|NPI|ID|member|inmate|booking|badge|policy|record|chart"
        r"|account|case"
        r"|licen[cs]e|passport|plate|confirmation|claim|invoice|docket)"
        r"(?: (?:number|no\.?|id))?(?: is)?[:# ]{1,3}(?P<it>(?:[A-Z]{0,6}[-\d]|[A-Z]\d)[\w-]{2,20}"
        r"(?: \d{2,6}\b){0,5})",
        r"(?i)\b(?:passport|license|licence|member id|policy)(?: number| no\.?)?[:# ]{1,2}(?=[A-Z]{0,8}\d)"
        r"(?P<it>\w{5,14})\b",
        r"(?i)\b(?:last (?:four|4|3|three)|ending|ends)\b(?: digits?)?(?: of)?(?: my| the| her| his)?"
        r"(?: \w{3,9})?(?: in| with| is"
        r"| are)? (?P<it>\d{3,5})\b",
        r"\b(?:(?:license|licence|number)? ?plates?|tag(?: number)?|registration|reg)(?: number| no\.?)?"
        r"(?: is| was|:)? "
        r"(?=[A-Z]{0,4}[ -]?(?:[A-Z]{1,3} ?)?\d)(?P<it>[A-Z\d]{1,7}(?:[ -][A-Z\d]{1,5}){0,2})\b",
        r"(?i)\b(?:MRN|SSN)\d[\w-]{3,20}",
        r"\b\d{7,}\b",
        # Numbers of charts, plates, passports and vehicles: letters and at least four digits, in one piece or several.
        r"\b(?=[A-Z]{0,17}\d)(?=\d{0,17}[A-Z])(?=(?:[A-Z]{0,17}\d){4})[A-Z\d]{6,20}\b|\b[A-Za-z]\d{6,9}\b",
        rf"\b(?!{PROCEDURE}-)(?=[\d/-]{{0,12}}[A-Z])(?=(?:[A-Z/-]{{0,8}}\d){{4}})[A-Z\d]{{1,6}}(?:[-/][A-Z\d]{{1,8}}){{1,3}}\b"
        rf"|\b[A-Z]{{1,4}} (?!{PROCEDURE}\b)\d{{5,9}}\b"
        r"|\b[A-Z]{2}\d{2} [A-Z]{3}\b|\b[A-Z]\d\d [A-Z]{1,3}\d{1,3}\b"
        r"|\b(?:[A-Z]{2} )?\d{3,4}-[A-Z]{2,3}\b|\b[A-Z]{3}-\d{3,4}\b",
    ),
    (
        Kind.PHONE,
        r"(?<![\w.-])(?:\d{3}/)?\d{3}-\d{4}(?![\w-])(?! ?(?:mg|k?cal|steps))",
    ),
    (
        Kind.ADDRESS,
        # A ZIP code alone, and no code of what was done.
        rf"(?i)(?<![\w.,$£€-])(?!{PROCEDURE}\b)\d{{5}}(?:-\d{{4}})?"
        r"(?![\w,-]|\.\d| ?(?:mg|iu|units|steps|dollars|k?cal)\b)",
        r"\d{1,3}°[^\n;]{1,14}[NS],? \d{1,3}°[^\n;]{1,14}[EW]\b|-?\b\d{1,3}\.\d{3,9}, ?-?\d{1,3}\.\d{3,9}\b",
    ),
    (
        Kind.DATE,
        r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}(?P<sep>[-/.•])\d{1,2}(?P=sep)(?:\d{4}|\d{2})\b"
        r"|\b(?:0?[1-9]|1[0-2])/(?:19|20)\d{2}\b",
        rf"(?i)\b{_ON}(?P<it>\d{{1,2}}/(?:[12]?\d|3[01]))\b(?!/|[ ]?(?:mg|hours|tablets?|pills?|of))",
        rf"(?<![\w./]){_SCALE}(?:(?:0?[1-9]|1[0-2])/(?:1[1-9]|2\d|3[01])|(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2]))"
        r"\b(?<!24/7)(?!/| ?(?:mg|hours))",
        rf"(?i)\b(?:{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?{_YEAR}\b{_NO_COUNT}"
        rf"|{_ORDINAL} of {_MONTH}{_YEAR}\b|(?!may\b){_MONTH} (?:the )?{_ORDINAL}{_YEAR}\b"
        rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}{_YEAR}\b"
        rf"|{_MONTH},? \d{{4}}\b)",
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_OTHER_MONTH}|{_OTHER_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)"
        rf"(?:,? \d{{3,4}})?\b",
        rf"(?i)\b(?:first|second|third|last) week(?:end)? (?:of|in) {_MONTH}{_YEAR}\b",
        rf"(?i)\b\d{{1,2}}[-./]?{_MONTH}[-./]?(?:\d{{4}}|\d{{2}})\b|\b\d{{1,2}}\.[ivx]{{1,4}}\.\d{{4}}\b",
        # "On the ninth", with nothing that it would count: the ninth grade and the second time are no days.
        rf"(?i)\b(?:{_BY_DAY}|{_WEEKDAY},?) (?P<it>the (?:{_ORDINAL}|\d{{1,2}}(?:st|nd|rd|th)))"
        rf"(?=[ ]?(?:[.,;:?!)\]\n]|$)| {_BEHIND_DAY}\b)",
        rf"(?i)\b{HOLIDAY}(?: of|,)? \d{{4}}\b|\b(?:born|since|in|back in|of|by) (?P<it>{_SPOKEN_YEAR})\b",
    ),
    (
        Kind.AGE,
        r"(?i)\b(?:9\d|1[0-2]\d)(?=[ -]years?[ -]old|[ -]?y[./]?o\b)"
        rf"|\b(?:ninety(?:[- ]{_UNIT})?|(?:a|one) hundred(?: and {_UNIT})?)(?=[ -]years?[ -]old)"
        rf"|(?:(?<=\bage )|(?<=\baged )|(?<=\bturned )|(?<=\bturning )|(?<=\blived to be ))"
        rf"(?:(?:9\d|1[0-2]\d)\b(?! ?%)|ninety(?:[- ]{_UNIT})?\b)"
        rf"|(?:(?<=\bis )|(?<=\bwas )|(?<=['’]s )|(?<=\bat ))(?:ninety[- ]{_UNIT}|a hundred and {_UNIT})\b"
        r"(?! (?:percent|minutes|days|miles|pounds|dollars|degrees|kilos))",
    ),
    (
        Kind.ADDRESS,
        rf"\b(?:{_FLAT} [\w/]{{1,6}},? )?\d{{1,5}}[A-Za-z]? (?:[{UPPER}][\w'’.-]{{0,30}} ){{1,4}}{_STREET}\b\.?"
        rf"(?:,? {_FLAT} ?\w{{1,6}})?",
        rf"(?i)\b{_HOUSE} (?:[a-z][\w'’.-]{{0,30}} ){{1,3}}?{_STREET_ONLY}\b(?:,? {_FLAT} ?(?:number )?\w{{1,6}})?",
        rf"\b(?:[{UPPER}][\w'’-]{{1,30}} ){{1,3}}(?:Street|Avenue|Road|Lane|Drive|Boulevard|Terrace"
        rf"|Crescent|Close|Ave|Rd|Blvd|Ln|Hwy|Pkwy)\b",
        rf"\b\d{{1,5}},? (?:Rue|Calle|Via|Avenida|Avenue|Rua|Piazza|Plaza)(?: (?:de|del|della|la|du"
        rf"|des)){{0,2}} {NAME}",
        rf"\b(?:Rue|Calle|Via|Avenida|Rua|Piazza)(?: (?:de|del|della|la|du|des)){{0,2}} {NAME},? \d{{1,5}}\b",
        r"(?i)\b\w{3,30}(?:stra(?:ß|ss)e|straat|gasse|gatan|vej|veien|allee|platz|laan) \d{1,4}[a-z]?\b",
        rf"(?i)\b{_FLAT} (?:number )?\d{{1,4}}(?:/\d{{1,2}})? ?[a-z]?\b(?! ?(?:mg|minutes|hours|days|%))",
        r"(?i)\b(?:car|cab|bus|truck|locker) (?P<it>\d{3,5})\b(?! ?(?:miles|km|times|dollars))",
        r"(?i)\b(?:route|interstate|highway|hwy|junction|milepost|mile marker) \d{1,4}\b",
        r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b",
        r"(?i)\bP\.? ?O\.? ?Box \d{1,6}\b",
        r"(?i)\b(?:zip|post(?:al)?)(?:[ -]?codes?)?(?: there| here)?(?: is|'s|:)? (?P<it>\d{4,5}(?:-\d{4})?)\b",
    ),
)
PATTERNS = tuple((kind, re.compile(pattern)) for kind, *patterns in _FORMS for pattern in patterns)


def by_pattern(text: str, lexicon: Lexicon) -> Iterator[Identifier]:
    """What in ``text`` has the form of an identifier, in no order; spans may overlap."""
    for kind, pattern in PATTERNS:
        group = next(iter(pattern.groupindex.keys() & {"it", "rare"}), "")
        for match in pattern.finditer(text):
            said = match[group] if group else ""
            if group == "rare" and said and lexicon.common(plain(said)):
                continue
            own = group if said else 0
            yield Identifier(kind, Span(*match.span(own)), match[own])

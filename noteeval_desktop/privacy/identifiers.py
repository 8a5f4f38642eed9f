"""Finds what may identify a person in clinical English. Rules alone never find everything: the review of
unknown capitalised words and the preview stand behind them, and no claim of Safe Harbor is made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.domain.text import Span
from noteeval_desktop.privacy.masking import Identifier, IdentifierKind, without_accents

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ORDINAL = (
    r"(?:(?:twenty[- ]|thirty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh"
    r"|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)
# "3/10" and "1/2" are marks and doses oftener than days, unless one of these stands before them.
_ON = r"(?:on|since|until|till|by|before|after|dated?|DOB|due|seen|appointment|visit|week of)[:, ]{1,2}"
_MARK_OR_DOSE = r"(?:\d{1,2}/(?:5|10)|1/[234]|[23]/[34]|24/7)\b"
_NAME = r"[A-Z][\w'’-]+"
_RELATION = (
    r"(?:mother|father|mom|mum|dad|sister|brother|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?"
    r"|ex|aunt|uncle|cousin|niece|nephew|friend|boss|coworker|co-worker|colleague|neighbou?r|teacher|roommate"
    r"|grandmother|grandfather|grandma|grandpa|stepmother|stepfather|dog|cat|named|called)"
)
_KIN = (
    r"mother|father|mom|mum|dad|parents|sister|brother|son|daughter|kids?|children|wife|husband|partner|girlfriend"
    r"|boyfriend|aunt|uncle|cousin|family|school|teacher|team|funeral|birthday|house|place"
)
_NOT_OWNERS = (
    r"(?:It|That|This|He|She|There|Here|What|Who|Where|When|How|Let|Today|Tonight|Tomorrow|Yesterday|Everyone"
    r"|Everybody|Someone|Somebody|Anyone|Nobody|One|Other|Mother|Father|Her|His|Now|Next|Last)"
)
_ORGANISATION = (
    r"(?:Hospital|Clinic|University|College|School|Academy|Church|Mosque|Synagogue|Temple|Center|Centre|Institute"
    r"|Inc|LLC|Ltd|Corporation|Corp|Company|Bank|Pharmacy|Prison|Shelter|Foundation|Department)"
)

_PATTERNS: tuple[tuple[IdentifierKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, flags))
    for kind, pattern, flags in (
        (IdentifierKind.EMAIL, r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+", 0),
        (IdentifierKind.WEB, r"\b(?:https?://|www\.)[^\s<>\"')\]]{1,300}", re.I),
        (IdentifierKind.WEB, r"\b(?:[\w-]{1,63}\.){1,3}[a-z]{2,10}/[^\s<>\"')\]]{1,300}", re.I),
        (IdentifierKind.WEB, r"\b(?:[\w-]{1,63}\.){1,3}(?:com|net|org|edu|gov)\b", re.I),
        (IdentifierKind.EMAIL, r"\b[\w.+-]{2,64} at [\w-]{2,63} dot (?:com|net|org|edu|gov|co|io|uk|ca|au|de)\b", re.I),
        (IdentifierKind.WEB, r"(?<![\w@])@[A-Za-z_]\w{2,30}", 0),
        (IdentifierKind.WEB, r"\b(?:\d{1,3}\.){3}\d{1,3}\b", 0),
        (IdentifierKind.NUMBER, r"\b\d{3}(?P<sep>[- ])\d{2}(?P=sep)\d{4}\b", 0),
        (IdentifierKind.NUMBER, r"\b(?:\d{4}[ -]){3}\d{1,7}\b", 0),
        (IdentifierKind.NUMBER, r"\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b", 0),
        (IdentifierKind.NUMBER, r"\b[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b", 0),
        (
            IdentifierKind.PHONE,
            r"(?<![\w-])(?:\+\d{1,3}[ .-]?|1[ .-])?(?:\(\d{2,5}\)|\d{3})[ .-]?\d{3,4}[ .-]\d{4}(?!\w)",
            0,
        ),
        # With the 0 of long-distance calls, in groups of any length: 0171 555 0199, 01 23 45 67 89.
        (
            IdentifierKind.PHONE,
            r"(?<![\w.-])(?=\(?0(?:[ ()./-]{0,2}\d){8,12}(?![ ./-]?\d))\(?0[\d ()./-]{8,20}\d(?!\w)",
            0,
        ),
        (
            IdentifierKind.PHONE,
            r"\b(?:phone|cell|mobile|tel|fax|number|call|text|reach|dial)\b[^.\n\d]{0,30}(\d{3}[- ]\d{4})(?!\w)",
            re.I,
        ),
        (IdentifierKind.PHONE, r"\+\d[\d ().-]{7,16}\d", 0),
        (
            IdentifierKind.NUMBER,
            r"\b(?:MRN|SSN|NHS|DEA|NPI|ID|member|policy|record|chart|account|case|licen[cs]e|passport|plate)"
            r"(?: (?:number|no\.?|id))?[:# ]{1,3}[A-Z]{0,4}[-\d][\w-]{2,20}(?: \d{2,6}\b){0,5}",
            re.I,
        ),
        (IdentifierKind.NUMBER, r"\b(?:MRN|SSN)\d[\w-]{3,20}", re.I),
        (IdentifierKind.NUMBER, r"\b\d{7,}\b", 0),
        (
            IdentifierKind.DATE,
            r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}(?P<sep>[-/.])\d{1,2}(?P=sep)(?:\d{4}|\d{2})\b"
            r"|\b(?:0?[1-9]|1[0-2])/(?:19|20)\d{2}\b",
            0,
        ),
        (IdentifierKind.DATE, rf"\b{_ON}(\d{{1,2}}/\d{{1,2}})\b(?!/|[ ]?(?:mg|hours|tablets?|pills?|of))", re.I),
        (
            IdentifierKind.DATE,
            rf"\b(?!{_MARK_OR_DOSE})"
            r"(?:(?:0?[1-9]|1[0-2])/(?:[12]?\d|3[01])|(?:[12]?\d|3[01])/(?:0?[1-9]|1[0-2]))\b(?!/| ?(?:mg|hours))",
            0,
        ),
        (
            IdentifierKind.DATE,
            rf"\b{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
            rf"|\b{_ORDINAL} of {_MONTH}\b|\b(?!may\b){_MONTH} (?:the )?{_ORDINAL}\b"
            rf"|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}(?:,? \d{{4}})?\b"
            rf"|\b{_MONTH},? \d{{4}}\b",
            re.I,
        ),
        (
            IdentifierKind.AGE,
            r"\b(?:9\d|1[0-2]\d)(?=[ -]years?[ -]old|[ -]?y[./]?o\b)"
            r"|(?<=\bage )(?:9\d|1[0-2]\d)\b|(?<=\baged )(?:9\d|1[0-2]\d)\b",
            re.I,
        ),
        (
            IdentifierKind.ADDRESS,
            r"\b(?:(?:Flat|Apt|Apartment|Unit|Suite) \w{1,5},? )?\d{1,5}[A-Za-z]? "
            r"(?:[A-Z][\w'’.-]+ ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd"
            r"|Court|Ct|Place|Pl|Way|Terrace|Square|Sq|Highway|Hwy)\b\.?"
            r"(?:,? (?:Apt|Apartment|Unit|Suite|#) ?\w{1,6})?",
            0,
        ),
        (
            IdentifierKind.ADDRESS,
            r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b",
            0,
        ),
        (
            IdentifierKind.ADDRESS,
            r"\bP\.? ?O\.? ?Box \d{1,6}\b|\b(?:zip|post(?:al)?)[ -]?codes?(?: is|:)? \d{4,5}\b",
            re.I,
        ),
        (IdentifierKind.ADDRESS, r"\bzip:? \d{5}\b", re.I),
        (IdentifierKind.ORGANISATION, rf"\b(?:(?:St\.|{_NAME}|of|the|and|&) ){{0,4}}{_NAME} {_ORGANISATION}\b", 0),
        (IdentifierKind.ORGANISATION, rf"\b(?:University|College|Church|Bank) of (?:the )?{_NAME}(?: {_NAME})?", 0),
        (
            IdentifierKind.PERSON,
            r"\b(?:Dr|Doctor|Mr|Mrs|Ms|Miss|Mx|Prof|Professor|Rev|Reverend|Sr|Father|Sister|Nurse|Officer|Judge)\.? "
            rf"({_NAME}(?: {_NAME})?)",
            0,
        ),
        (
            IdentifierKind.PERSON,
            rf"\b(?i:my name is|name'?s|i am called|call me|this is|known as"
            rf"|(?:client|patient|name|therapist|clinician|provider|counsell?or):) ({_NAME}(?: {_NAME}){{0,2}})",
            0,
        ),
        (IdentifierKind.PERSON, rf"\b(?!{_NOT_OWNERS}['’])([A-Z][\w-]+)['’]s (?:{_KIN})\b", 0),
        (IdentifierKind.PERSON, rf"\b(?i:{_RELATION})(?:'s name is| is named| is called|,)? ({_NAME}(?: {_NAME})?)", 0),
    )
)

# Capitalised in the middle of a sentence for reasons of their own.
_ORDINARY = frozenset(
    """
    I I'm I'd I'll I've Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March
    April May June July August September October November December English Spanish French Christmas
    Easter Thanksgiving Halloween Ramadan Hanukkah Client Clients Patient Pt Cl Therapist Counselor
    Subjective Objective Assessment Plan Data Response Intervention Behavior Goal SOAP DAP BIRP CBT DBT
    ACT EMDR MI MBCT IFS ERP PTSD ADHD OCD GAD MDD BPD DSM ICD SI HI AVH MSE WNL NKDA PHQ PHQ-9 GAD-7
    AUDIT AUDIT-C BDI ORS SRS PCL-5 C-SSRS AA NA SSRI SNRI MAOI HIV AIDS ER ICU GP PCP TV OK God Zoloft
    Prozac Lexapro Celexa Paxil Wellbutrin Xanax Ativan Klonopin Valium Adderall Ritalin Lithium
    Seroquel Abilify Zyprexa Lamictal Trazodone Ambien Suboxone Naltrexone Antabuse Tylenol Advil
    Facebook Instagram Google Zoom Netflix YouTube TikTok Uber Covid COVID COVID-19 Mom Mum Dad Grandma
    Grandpa Mother Father Dr Doctor Mr Mrs Ms
    """.split()  # noqa: SIM905
)
_CAPITALISED = re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*\w(?![\w'’-])")
_SENTENCE_START = re.compile(r"(?:^|[.!?…][\"'”’)\]]*\s+|[\n•*:–—-]\s*|[\"“(\[]\s*)$")


@dataclass(frozen=True, slots=True)
class Unknown:
    """A capitalised word that no rule knows, with how often it stands in the case: for the user to decide."""

    word: str
    count: int


@dataclass(frozen=True, slots=True)
class Decisions:
    """What the user decided about words: ``mask`` stand for a person, ``keep`` identify nobody, whatever rules say."""

    mask: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()


class IdentifierFinder:
    """Rules plus the names that this case itself tells."""

    def __init__(self, places: Iterable[str], names: Iterable[str] = (), keep: Iterable[str] = ()) -> None:
        """``names``: speaker labels, the case label, words that the user marked; ``keep``: words that stay."""
        self._place_pattern = _words_pattern(places)
        self._names = frozenset(names)
        self._keep = frozenset(keep)
        parts = {part for name in self._names for part in re.findall(r"[^\W\d_][\w'’-]+", name) if part[0].isupper()}
        names_and_parts = (self._names | parts) - _ROLE_WORDS
        self._name_pattern = _words_pattern(form for name in names_and_parts for form in _spellings(name))

    def with_names(self, names: Iterable[str]) -> IdentifierFinder:
        """A finder that also knows ``names``."""
        finder = IdentifierFinder((), self._names | set(names), self._keep)
        finder._place_pattern = self._place_pattern
        return finder

    def with_decisions(self, decisions: Decisions) -> IdentifierFinder:
        """A finder that also masks and keeps what was decided; a later decision about a word overrules an earlier."""
        finder = IdentifierFinder(
            (), (self._names - decisions.keep) | decisions.mask, (self._keep - decisions.mask) | decisions.keep
        )
        finder._place_pattern = self._place_pattern
        return finder

    def learn(self, texts: Sequence[str]) -> IdentifierFinder:
        """A finder that also knows every name that the rules find in ``texts``, wherever it stands."""
        return self.with_names({i.text for text in texts for i in self.find(text) if i.kind is IdentifierKind.PERSON})

    def find(self, text: str) -> tuple[Identifier, ...]:
        """Everything in ``text`` that may identify; spans may overlap."""
        found = [*self._by_rule(text)]
        found += [
            Identifier(IdentifierKind.PERSON, Span(*m.span()), m.group()) for m in self._name_pattern.finditer(text)
        ]
        found += [
            Identifier(IdentifierKind.PLACE, Span(*m.span()), m.group()) for m in self._place_pattern.finditer(text)
        ]
        kept = (i for i in found if i.text not in self._keep)
        return tuple(sorted(kept, key=lambda i: (i.span.start, -i.span.end)))

    @staticmethod
    def _by_rule(text: str) -> Iterator[Identifier]:
        for kind, pattern in _PATTERNS:
            for match in pattern.finditer(text):
                group = 1 if pattern.groups and "sep" not in pattern.groupindex else 0
                words = match.group(group)
                if kind is IdentifierKind.PERSON and words.split()[0] in _ORDINARY:
                    continue
                yield Identifier(kind, Span(*match.span(group)), words)

    def unknown(self, texts: Sequence[str]) -> tuple[Unknown, ...]:
        """Capitalised words inside sentences that no rule explains and that the case never writes small."""
        whole = "\n".join(texts)
        small = set(re.findall(r"(?<![\w'’-])[a-z][\w'’-]*", whole))
        counts: Counter[str] = Counter()
        for text in texts:
            known = self.find(text)
            for match in _CAPITALISED.finditer(text):
                word = match.group().removesuffix("'s").removesuffix("’s")
                if word in _ORDINARY or word in self._keep or word.lower() in small:
                    continue
                if any(identifier.span.contains(match.start()) for identifier in known):
                    continue
                if _SENTENCE_START.search(text[max(0, match.start() - 4) : match.start()]):
                    continue
                counts[word] += 1
        return tuple(Unknown(word, count) for word, count in counts.most_common())


_ROLE_WORDS = frozenset(
    {"Therapist", "Client", "Patient", "Counselor", "Counsellor", "Interviewer", "Speaker", "Unknown"}
    | {"Clinician", "Provider", "Doctor", "Other"}
)


def _spellings(name: str) -> frozenset[str]:
    """Without accents ("Joaquin"), in capitals, with either apostrophe."""
    forms = {name, without_accents(name)}
    forms |= {form.upper() for form in forms if len(form) > 2}
    return frozenset(form.replace(one, other) for form in forms for one, other in (("'", "’"), ("’", "'"), ("", "")))


def _words_pattern(words: Iterable[str]) -> re.Pattern[str]:
    usable = sorted({word.strip() for word in words if len(word.strip()) > 1}, key=len, reverse=True)
    if not usable:
        return re.compile(r"(?!)")
    return re.compile(r"(?<!\w)(?:" + "|".join(re.escape(word) for word in usable) + r")(?!\w)")


def load_places(path: Path) -> tuple[str, ...]:
    """Read one place a line; ``#`` begins a comment."""
    lines = (line.strip() for line in path.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))

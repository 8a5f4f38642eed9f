"""Single changes that make a sentence of a note say something else: the edits behind ``degrade``.

Each function takes a sentence and a random generator and returns an ``Edit`` or None where the
sentence offers no place for it. After the corruption step of SySDEM (Nizar et al.), with rules in
place of a language model, so that a seed reproduces a note exactly and nothing is sent anywhere.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.domain.text import Span


class ChangeKind(StrEnum):
    NUMBER = "number"
    NEGATION = "negation"
    PERSON = "person"
    TERM = "term"
    FACT = "fact"
    DROP = "drop"
    DRUG = "drug"
    RISK = "risk"
    PLAN = "plan"
    PADDING = "padding"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Edit:
    """``span`` of the sentence's text, which read ``before``, is to read ``after``."""

    span: Span
    before: str
    after: str

    def applied(self, text: str) -> str:
        return text[: self.span.start] + self.after + text[self.span.end :]


Editor = Callable[[str, random.Random, str], Edit | None]

_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_VALUES = {word: value for value, word in enumerate(_WORDS, 2)} | {"fifteen": 15, "twenty": 20, "thirty": 30}
_FREQUENCIES = ("daily", "weekly", "monthly", "twice", "once")
# Not the digits of a code such as F12.20, an ordinal, or the bare upper end of "out of 10".
_NUMBER = re.compile(
    r"(?<![\w.$/-])(?P<digits>\d{1,4})(?![\w.]*\d)(?!\d|st\b|nd\b|rd\b|th\b|\))"
    r"|\b(?P<word>" + "|".join(_VALUES) + r")\b|\b(?P<frequency>" + "|".join(_FREQUENCIES) + r")\b",
    re.IGNORECASE,
)
_SCALE_END = re.compile(r"(?:out of|scale of (?:\w+)(?: to|-|–)?|/)\s*$", re.IGNORECASE)
_RATED = re.compile(r"\bout of (?:10|ten)\b|\bscale\b", re.IGNORECASE)
_SCALE_TOP = 10


def change_number(text: str, rng: random.Random, note: str) -> Edit | None:
    """One number or frequency becomes another that the sentence does not hold."""
    places = [
        match for match in _NUMBER.finditer(text) if not _SCALE_END.search(text[: match.start()]) and match.group()
    ]
    if not places:
        return None
    match = rng.choice(places)
    return Edit(Span(*match.span()), match.group(), like(match.group(), _other_number(match, text, rng)))


def _other_number(match: re.Match[str], text: str, rng: random.Random) -> str:
    here = text.lower()
    if match["frequency"]:
        return rng.choice([word for word in _FREQUENCIES if word not in here])
    value = int(match["digits"]) if match["digits"] else _VALUES[match["word"].lower()]
    candidates = [value + 2, value + 3, value * 2, value * 3, *([value - 2] if value > 3 else [])]
    if value <= _SCALE_TOP and _RATED.search(text):
        candidates = [rate for rate in range(1, _SCALE_TOP) if abs(rate - value) > 1]
    if match["word"]:
        words = [word for word, number in _VALUES.items() if number in candidates and word not in here]
        return rng.choice(words or [word for word in _WORDS if word not in here])
    return rng.choice([str(number) for number in candidates if not re.search(rf"\b{number}\b", here)])


_THIRD_PERSON = {
    "reports": "report", "states": "state", "wants": "want", "feels": "feel", "expresses": "express",
    "acknowledges": "acknowledge", "recognizes": "recognize", "enjoys": "enjoy", "likes": "like",
    "drinks": "drink", "smokes": "smoke", "uses": "use", "has": "have", "appears": "appear", "seems": "seem",
    "believes": "believe", "understands": "understand", "demonstrates": "demonstrate", "shows": "show",
    "plans": "plan", "lives": "live", "works": "work", "struggles": "struggle", "admits": "admit",
    "identifies": "identify", "mentions": "mention", "notes": "note", "describes": "describe",
    "thinks": "think", "knows": "know", "finds": "find", "agrees": "agree", "exhibits": "exhibit",
}  # fmt: skip
_PAST = {
    "reported": "report", "stated": "state", "wanted": "want", "felt": "feel", "expressed": "express",
    "acknowledged": "acknowledge", "agreed": "agree", "shared": "share", "mentioned": "mention",
    "appeared": "appear", "identified": "identify", "discussed": "discuss", "used": "use", "had": "have",
    "demonstrated": "demonstrate", "showed": "show", "described": "describe", "noted": "note",
    "recognized": "recognize", "provided": "provide", "explored": "explore", "seemed": "seem",
}  # fmt: skip
# After "has": "has not begun", where "has a job" becomes "does not have a job".
_PARTICIPLES = (
    "been|become|begun|bought|broken|brought|built|caught|chosen|come|cut|done|drawn|driven|drunk|eaten|fallen|felt|"
    "forgotten|fought|found|given|gone|got|gotten|grown|heard|held|kept|known|led|left|lost|made|met|paid|put|quit|"
    "risen|run|said|seen|sent|set|shown|slept|spent|spoken|stuck|sought|taken|taught|thought|told|understood|withdrawn|"
    "worn|written"
)
# The first that matches wins: what is negated is affirmed before anything new is negated.
_NEGATIONS: tuple[tuple[str, str], ...] = (
    (r"\bdenies\b", "reports"),
    (r"\bdenied\b", "reported"),
    (r"\b(is|are|was|were|will|would|can|could|should|has|have) not\b", r"\1"),
    (r"\b(is|are|was|were|would|could|should|has|have)n['’]t\b", r"\1"),
    (r"\b(does|do|did) not\b", r"\1"),
    (r"\b(does|do|did)n['’]t\b", r"\1"),
    (r"\bcannot\b", "can"),
    (r"\bnever\b", "often"),
    (r"\bunable to\b", "able to"),
    (r"\bunwilling to\b", "willing to"),
    (r"\bable to\b", "unable to"),
    (r"\bwilling to\b", "unwilling to"),
    (r"\bno longer\b", "still"),
    (r"\b(is|are|was|were|will|would|can|could|should)\b(?! not)", r"\1 not"),
    (rf"\b(has|have|had)\b(?= (?:\w+ly )?(?:\w+ed|{_PARTICIPLES})\b)", r"\1 not"),
)
_REPORTS = re.compile(r"(?<=[a-z] )(reports|reported) (?=[a-z])(?!that\b|to\b|on\b|of\b|level)")


def negate(text: str) -> Edit | None:
    """A negation taken out, or put in: the sentence says the opposite."""
    for pattern, replacement in _NEGATIONS:
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            return Edit(Span(*match.span()), match.group(), like(match.group(), match.expand(replacement)))
    match = _REPORTS.search(text)
    if match:
        word = match[1]
        return Edit(Span(*match.span(1)), word, "denies" if word == "reports" else "denied")
    for table, auxiliary in ((_THIRD_PERSON, "does not"), (_PAST, "did not")):
        match = re.search(
            rf"(?:(?<=lient )|(?<=atient )|(?<=[Hh]e )|(?<=hey )|(?<=also )|(?<=pist ))({'|'.join(table)})\b", text
        )
        if match:
            return Edit(Span(*match.span()), match.group(), f"{auxiliary} {table[match.group()]}")
    return None


_RELATIONS: tuple[tuple[str, ...], ...] = (
    ("wife", "husband", "partner", "girlfriend", "boyfriend", "spouse"),
    ("mother", "father", "mom", "dad"),
    ("sister", "brother"),
    ("son", "daughter"),
    ("boss", "roommate", "neighbor", "cousin", "aunt", "uncle", "grandmother", "grandfather"),
)
_PET_NAMES = ("mom", "dad", "spouse")
_PLURALS = ("friends", "parents", "children", "coworkers", "siblings", "cousins", "neighbors", "kids", "roommates")
_ONE = tuple(word for group in _RELATIONS for word in group)
_PERSON = re.compile(r"\b(" + "|".join((*_ONE, *_PLURALS)) + r")\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"^(?:The )?(?:Client|Patient|Pt|Cl)(?P<possessive>['’]s)?(?= [a-z])(?! (?:will|with|to|and|is not)\b)",
    re.IGNORECASE,
)


def swap_person(text: str, rng: random.Random, note: str) -> Edit | None:
    """A relation becomes another one; failing that, what the client says or does becomes a relative's."""
    known = {word.lower() for word in _PERSON.findall(note)}
    match = _PERSON.search(text)
    if match:
        word = match.group().lower()
        pool = _PLURALS if word in _PLURALS else _others(word)
        choices = [other for other in pool if other not in known]
        return Edit(Span(*match.span()), match.group(), like(match.group(), rng.choice(choices))) if choices else None
    subject = _SUBJECT.match(text)
    choices = [word for word in ("mother", "brother", "sister", "father", "cousin") if word not in known]
    if not subject or not choices:
        return None
    possessive = subject["possessive"] or ""
    owner = subject.group().removesuffix(possessive) if possessive else subject.group()
    return Edit(Span(*subject.span()), subject.group(), f"{owner}'s {rng.choice(choices)}{possessive}")


def _others(word: str) -> list[str]:
    """Relations of another kind, under a name of their own: a wife becomes neither a spouse nor somebody's mom."""
    return [other for group in _RELATIONS if word not in group for other in group if other not in _PET_NAMES]


_TERMS: tuple[tuple[str, ...], ...] = (
    ("sertraline", "lithium", "Xanax", "Prozac", "Zoloft", "Wellbutrin", "Adderall", "quetiapine", "buspirone"),
    ("Nicorette", "nicotine gum", "nicotine patch", "Antabuse", "naltrexone", "methadone"),
    (
        "depression", "anxiety", "PTSD", "bipolar disorder", "ADHD", "OCD", "schizophrenia", "panic disorder",
        "insomnia", "anorexia",
    ),
    ("diabetes", "high blood pressure", "hypertension", "asthma", "epilepsy", "migraine", "heart disease", "cancer"),
    (
        "alcohol", "marijuana", "cannabis", "cocaine", "heroin", "methamphetamine", "tobacco", "cigarettes", "wine",
        "beer", "coffee", "caffeine",
    ),
    ("drinking", "smoking", "gambling", "shoplifting", "vaping", "self-harm"),
)  # fmt: skip
_TERM = re.compile(
    r"\b(" + "|".join(re.escape(t) for group in _TERMS for t in sorted(group, key=len, reverse=True)) + r")\b",
    re.IGNORECASE,
)


def swap_term(text: str, rng: random.Random, note: str) -> Edit | None:
    """A medication, diagnosis, illness, substance or habit becomes another of its kind that the note does not name."""
    match = _TERM.search(text)
    if not match:
        return None
    group = next(group for group in _TERMS if match.group().lower() in {term.lower() for term in group})
    choices = [term for term in group if term.lower() not in note.lower()]
    return Edit(Span(*match.span()), match.group(), like(match.group(), rng.choice(choices))) if choices else None


FACTS = (
    "Client was hospitalized for pneumonia last winter.",
    "Client reports a recent car accident with a concussion.",
    "Client has been prescribed lithium by a psychiatrist.",
    "Client reports hearing voices at night.",
    "Client is preparing for a custody hearing next month.",
    "Client attempted suicide by overdose two years ago.",
    "Client's sister recently died of breast cancer.",
    "Client served two tours in the military.",
    "Client reports panic attacks when driving on bridges.",
    "Client recently adopted a dog from a shelter.",
    "Client has been fasting for religious reasons.",
    "Client reports losing twelve pounds since starting the new medication.",
    "Client is training for a marathon in October.",
    "Client was diagnosed with bipolar disorder at age nineteen.",
    "Client reports that the landlord served an eviction notice.",
    "Client spends most evenings caring for a grandfather with dementia.",
    "Client started a second job at a bakery.",
    "Client reports nightmares about a house fire in childhood.",
    "Client disclosed cutting both forearms on Sunday.",
    "Client failed the bar exam for the third time.",
)

# A group's drugs, each by all its names: one in place of another name of its own would be no error.
_DRUGS: tuple[tuple[str, ...], ...] = (
    (
        "sertraline/Zoloft", "fluoxetine/Prozac", "escitalopram/Lexapro", "citalopram/Celexa", "paroxetine/Paxil",
        "venlafaxine/Effexor", "duloxetine/Cymbalta", "bupropion/Wellbutrin", "mirtazapine/Remeron", "trazodone",
    ),
    ("lithium", "lamotrigine/Lamictal", "quetiapine/Seroquel", "olanzapine/Zyprexa", "aripiprazole/Abilify"),
    ("alprazolam/Xanax", "lorazepam/Ativan", "clonazepam/Klonopin", "diazepam/Valium", "buspirone/Buspar"),
    ("nicotine gum/Nicorette", "nicotine patch", "disulfiram/Antabuse", "naltrexone", "methadone", "varenicline"),
    ("amphetamine/Adderall", "methylphenidate/Ritalin", "lisdexamfetamine/Vyvanse", "atomoxetine/Strattera"),
    (
        "ibuprofen/Motrin/Advil", "naproxen/Aleve", "acetaminophen/Tylenol", "aspirin", "meloxicam/Mobic",
        "tramadol/Ultram", "oxycodone/Percocet", "hydrocodone/Lortab", "gabapentin/Neurontin",
        "cyclobenzaprine/Flexeril",
    ),
    (
        "lisinopril", "losartan/Cozaar", "amlodipine/Norvasc", "metoprolol", "carvedilol", "hydrochlorothiazide",
        "furosemide/Lasix", "bumetanide/Bumex", "torsemide",
    ),
    ("metformin/Glucophage", "insulin", "glipizide", "Jardiance", "Ozempic", "Farxiga", "Trulicity"),
    ("atorvastatin/Lipitor", "simvastatin/Zocor", "rosuvastatin/Crestor", "pravastatin"),
    ("amoxicillin", "doxycycline", "azithromycin", "cephalexin", "ciprofloxacin", "Bactrim", "clindamycin"),
    ("omeprazole/Prilosec", "pantoprazole/Protonix", "famotidine/Pepcid", "esomeprazole/Nexium"),
    ("albuterol", "montelukast/Singulair", "fluticasone/Flonase", "prednisone", "loratadine/Claritin", "Zyrtec"),
    ("levothyroxine/Synthroid", "warfarin/Coumadin", "apixaban/Eliquis", "rivaroxaban/Xarelto", "clopidogrel/Plavix"),
)  # fmt: skip
_NAMES = {name.lower(): (group, drug) for group in _DRUGS for drug in group for name in drug.split("/")}
_DRUG = re.compile(r"\b(" + "|".join(re.escape(name) for name in _NAMES) + r")\b", re.IGNORECASE)


def swap_drug(text: str, rng: random.Random, note: str) -> Edit | None:
    """A drug becomes another of its group that the note does not name."""
    match = _DRUG.search(text)
    if not match:
        return None
    group, own = _NAMES[match.group().lower()]
    said = note.lower()
    others = [drug for drug in group if drug != own and not any(name.lower() in said for name in drug.split("/"))]
    if not others:
        return None
    return Edit(Span(*match.span()), match.group(), like(match.group(), rng.choice(others).split("/")[0]))


_RISK = re.compile(
    r"suicid|\bSI\b|\bHI\b|self[- ]harm|homicid|\bharm(?:ing)?\b|kill (?:him|her|them)sel|overdos|\babus|violen|"
    r"\bweapon|\bgun\b|safety|\brisk|relaps|blackout|drunk|driv(?:e|ing) (?:while|after|under)|withdrawal",
    re.IGNORECASE,
)


def change_risk(text: str, rng: random.Random, note: str) -> Edit | None:
    """A sentence about danger says the opposite."""
    return negate(text) if _RISK.search(text) else None


# The first that matches wins; "will" and "to" last, since most plans have one.
_PLANS: tuple[tuple[str, str], ...] = (
    (r"\b(dis)?continue\b", "continue/discontinue"),
    (r"\bincrease\b", "decrease"),
    (r"\b(?:decrease|reduce)\b", "increase"),
    (r"\bstart\b", "stop"),
    (r"\b(?:stop|quit)\b", "keep up"),
    (r"\bagreed to\b", "declined to"),
    (r"\bplans to\b", "does not plan to"),
    (r"\b(?:recommended|advised|encouraged)\b", "advised against"),
    (r"\b(?:recommend|advise|encourage)\b", "advise against"),
    (r"\bin one week\b|\bnext week\b|\bin 1 week\b", "in three months"),
    (r"\bin (?:two|three|four|\d) (?:weeks|months)\b", "next year"),
    (r"\bweekly\b", "once a year"),
    (r"\brefer(?:red)? to\b", "hold off on a referral to"),
    (r"\bfollow[- ]up\b", "no follow-up"),
    (r"\b(?<!not )(will|should)\b(?! not)", r"\1 not"),
)
_PLANNING = re.compile(
    r"\b(?:will|should|plan|recommend|(?:dis)?continue|follow|next|refer|advis|schedul|start|agreed)", re.I
)


def change_plan(text: str, rng: random.Random, note: str) -> Edit | None:
    """What is to be done becomes its opposite, or is to be done at another time."""
    if not _PLANNING.search(text):
        return None
    for pattern, replacement in _PLANS:
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            after = match.expand(replacement)
            if replacement == "continue/discontinue":
                after = "continue" if match[1] else "discontinue"
            return Edit(Span(*match.span()), match.group(), like(match.group(), after))
    return None


PADDING = (
    "This note documents the session that took place.",
    "The session was held as planned.",
    "The conversation went back and forth between the two people present.",
    "A number of things were talked about in the course of the meeting.",
    "The meeting began with a greeting and ended with a goodbye.",
    "The time that was available was used for talking.",
    "Further details can be found elsewhere in the record.",
    "The above is a summary of what was said.",
    "Notes were taken while the conversation was going on.",
    "The room was available for the whole of the meeting.",
    "The meeting followed the usual course of such meetings.",
    "It is noted that the information above has been noted.",
    "The weather was mentioned at the beginning.",
    "Questions were asked and answers were given.",
    "The documentation was completed after the meeting.",
    "The next paragraph continues with further information.",
    "There was some small talk before the meeting started.",
    "The appointment had been made in advance.",
    "All of this was discussed in the order in which it came up.",
    "The writer has nothing to add to this point.",
)

EDITORS: dict[ChangeKind, Editor] = {
    ChangeKind.NUMBER: change_number,
    ChangeKind.NEGATION: lambda text, rng, note: negate(text),
    ChangeKind.PERSON: swap_person,
    ChangeKind.TERM: swap_term,
    ChangeKind.DRUG: swap_drug,
    ChangeKind.RISK: change_risk,
    ChangeKind.PLAN: change_plan,
}


def like(before: str, after: str) -> str:
    """``after`` with a capital where ``before`` has one at its beginning."""
    return after[:1].upper() + after[1:] if before[:1].isupper() else after

"""Changes of what a reader acts on (drugs, risk, the plan), and sentences that say nothing: more edits for ``degrade``.

As in ``changes``: each takes a sentence, a random generator and the note, and gives an ``Edit`` or None.
"""

from __future__ import annotations

import random
import re

from noteeval_desktop.domain.text import Span
from noteeval_desktop.research.changes import Edit, like, negate

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

"""The rubric's general items, by word rules: nobody has labelled them, so they carry no probability."""

from __future__ import annotations

import re
from dataclasses import dataclass

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.rubric import RubricItem
from noteeval_desktop.domain.verdicts import ItemVerdict

_SAFETY = re.compile(
    # Capitals matter where the lower-case word is another word.
    r"\bSI\b|\bHI\b|\bS\.I\.|(?i:\bsi/hi\b|\bsuicid\w*|\bhomicid\w*|\bself[- ]?(?:harm|injur)\w*|\bNSSI\b"
    r"|\bsafety (?:plan|concern|risk|assess)\w*|\brisk assess\w*|\b(?:C-?SSRS|Columbia)\b"
    r"|\b(?:harm|danger|threat) to (?:self|others|himself|herself|themselves)\b"
    r"|\b(?:kill|hurt|harm)(?:ing)? (?:him|her|them|one)sel(?:f|ves)\b|\bcrisis (?:plan|line|resources?)\b"
    r"|\bend(?:ing)? (?:his|her|their) life\b|\bdomestic violence\b|\b(?:child|elder|physical|sexual) abuse\b"
    r"|\bmandated report\w*|\bsafe at home\b|\b(?:wish\w*|want\w*|thoughts? (?:of|about))"
    r" (?:to die|to be dead|death|dying)"
    r"|\b(?:death|dying) (?:wish\w*|thoughts?|ideation)\b|\b(?:passive|active) (?:SI|ideation|death)\b"
    r"|\b(?:IPV|intimate partner)\b|\bphysical (?:aggression|violence)\b"
    r"|\b(?:no|access to|denies) (?:firearms?|guns?|weapons?)\b|\bmeans (?:restriction|safety)\b|\blethal means\b"
    r"|\brisk (?:screen|level)\w*|\b(?:acute|imminent) risk\b|\binfanticid\w*"
    r"|\bbetter off dead\b|\b(?:not|n't) want(?:ing)? to (?:live|be alive|wake up)\b|\boverdos\w*|\bduty to warn\b)"
)
_CULTURE = re.compile(
    r"\bcultur\w+|\bethnic\w*|\brac(?:e|ial|ism)\b|\breligio\w*|\bfaith\b|\bspiritual\w*|\bchurch\b|\bmosque\b"
    r"|\btemple\b|\bpray\w*|\bimmigra\w*|\brefugee\w*|\bacculturat\w*|\bheritage\b|\btradition\w*|\binterpreter\b"
    r"|\b(?:native|first|preferred) language\b|\bpronouns\b|\bgender identity\b|\bidentity\b"
    r"|\b(?:LGBT\w*|transgender|non-?binary|lesbian|gay|bisexual|queer)\b|\b(?:personal|family|core) values\b",
    re.IGNORECASE,
)
_UNPROFESSIONAL = re.compile(
    r"\b(?:crazy|nuts|psycho|lunatic|loser|stupid|dumb|idiot\w*|moron\w*|lazy|whin(?:e[sd]?|y|ing)|pathetic|annoying"
    r"|creepy|weirdo|drama queen|attention[- ]seeking|manipulative|junkie|crackhead|druggie|wino|stoner|pothead"
    r"|frequent flyer|gonna|wanna|kinda|sorta|ain't|freak(?:ed|ing)? out|pissed(?: off)?|bullshit|crap\w*|shit\w*"
    r"|fuck\w*|hot mess|bitch\w*|jerk|screwed up)\b",
    re.IGNORECASE,
)
_QUOTATION = re.compile(r"\"[^\"]*\"|“[^”]*”")


@dataclass(frozen=True)
class _Rule:
    """``found`` and ``missing``: what is said where ``words`` stand in the note, and where they do not. ``present``:
    whether the item is there by them, or without them; those in quotations then do not count."""

    words: re.Pattern[str]
    found: str
    missing: str
    present: bool = True


_RULES = {
    "general-safety": _Rule(
        _SAFETY, "The note addresses safety.", "The note says nothing about suicide, self-harm or harm to others."
    ),
    "general-culture": _Rule(
        _CULTURE,
        "The note mentions culture, faith, identity or values.",
        "The note does not mention culture, faith, identity or values.",
    ),
    "general-professionalism": _Rule(
        _UNPROFESSIONAL,
        "Slang or judgmental words appear outside a quotation.",
        "No slang or judgmental words were found.",
        present=False,
    ),
}
KNOWN = frozenset(_RULES)


def verdict(item: RubricItem, note: Note) -> ItemVerdict:
    """Raises KeyError for a general item that is not ``KNOWN``."""
    rule = _RULES[item.id]
    found = tuple(
        sentence.id
        for sentence in note.sentences
        if rule.words.search(sentence.text if rule.present else _QUOTATION.sub(" ", sentence.text))
    )
    said = rule.found if found else rule.missing
    return ItemVerdict(item.id, None, item.importance, bool(found) is rule.present, sentences=found, rationale=said)


def speaks_of_safety(text: str) -> bool:
    """Does a sentence say something about suicide, self-harm, harm to others or abuse, or deny it?"""
    return bool(_SAFETY.search(text))

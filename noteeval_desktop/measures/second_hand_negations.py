"""Ways to negate a sentence: at auxiliaries, verbs, infinitives and nouns, by reporting verbs and frames."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from noteeval_desktop.measures.wording import Way, put, replaced

_IRREGULAR = {
    "felt": "feel", "thought": "think", "drank": "drink", "understood": "understand", "had": "have", "knew": "know",
    "found": "find", "said": "say", "saw": "see", "took": "take", "began": "begin", "has": "have",
}  # fmt: skip
_NO_VERBS = frozenset(
    (
        "is", "was", "his", "this", "its", "as", "less", "does", "always", "sometimes", "besides", "perhaps", "yes",
        "thus", "years", "days", "weeks", "months", "need", "indeed", "based", "related", "focused", "interested",
        "motivated", "concerned", "determined", "stressed", "worried", "relaxed", "engaged", "tired",
    )
)  # fmt: skip
_VERB = re.compile(
    r"\b(?:[Cc]lient|[Pp]atient|[Hh]e|[Ss]he|[Ww]ho|[Ii]t|[Tt]hey|[Tt]herapist|[Cc]linician|session|and|[A-Z][a-z]+)"
    r"(?: (?:also|then|currently|often|generally|now|really|[a-z]+ly))? "
    r"(?P<verb>[a-z]+(?:s|ed)|felt|had|drank|knew|took|thought|began|said|saw|understood)\b(?! by\b)"
)
# Regular verbs of notes whose bare form ends in an e, without it.
_SILENT_E = frozenset(
    (
        "acknowledg", "agre", "believ", "caus", "challeng", "chang", "complet", "continu", "decid", "demonstrat",
        "describ", "determin", "educat", "encourag", "engag", "experienc", "explor", "facilitat", "hop", "improv",
        "indicat", "introduc", "involv", "lik", "liv", "manag", "not", "participat", "prepar", "provid", "rat",
        "realiz", "receiv", "recogniz", "reduc", "relat", "shar", "smok", "stat", "struggl", "us", "utiliz", "validat",
    )
)  # fmt: skip
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|will|would|can|could|should|may|might|has been|have been|had been)\b"
    r"(?! not\b| no\b| never\b|n['’]t)",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(
    r"\b(?:is|are|was|were|would|could|should|(?:has|have|had)(?= been))\b(?! not\b| no\b| never\b|n['’]t)",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"(?<!\bthe )(?<!\ba )(?<!\bhis )(?<!\bher )(?<!\btheir )(?<!'s )"
    r"\b(?:report|state|mention|express|acknowledg|describ|admit|indicat|shar|recogniz|not)(?:e?s|e?d|ted)\b",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\bto (?=(?:quit|stop|reduce|change|lose|continue|try|make|improve|discuss|explore|cut|go|get|find|take|help|"
    r"start|develop|manage|address|support|learn|attend|follow|monitor|provide|talk|work on|have|keep|use|drink|smoke|"
    r"see|set|seek|move|meet|return|consider|involve|achieve|cope|share|engage)\b)"
)
_WISH = re.compile(
    r"\b(?:wants|would like|wishes|intends|plans|hopes|agrees|wanted|agreed|planned|is willing|is ready|is open|"
    r"is motivated)(?= to\b)"
)
_THING = re.compile(
    r"\b(?P<verb>has|have|had|shows|showed|expresses|expressed|reports|reported|experiences|experienced|feels|sees|"
    r"having|demonstrates|demonstrated|exhibited|given|is|was)"
    r"(?: (?:an?|some|several|many|increased|significant|strong|good))? "
    r"(?=(?!(?:not|no|that|to|been|able|any|it|in|on|at|by|for|also|more|less|be|going|being|very|[a-z]+ed|[a-z]+ing)\b)"
    r"[a-z]{3,})"
)
_WITH = re.compile(r"\bwith\b(?! (?:regard|respect|the client|client)\b)", re.IGNORECASE)
_OWN = re.compile(
    r"\b(?P<whose>his|her|their|client's|the) (?P<what>desire|motivation|interest|readiness|willingness|concerns?|"
    r"support|confidence|ability|plan|progress|commitment|understanding|awareness|need|wish|worry|insight|history|"
    r"use)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"(?:The |Client|Patient|He |She |They )")


def bare(verb: str) -> str:
    """The bare form of a third person or a past form, regular ones by rule: "wants" and "wanted" give "want"."""
    word = verb.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith(("ied", "ies")):
        return word[:-3] + "y"
    if word.endswith("ed"):
        stem = word[:-2]
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "sl":
            return stem[:-1]
        return stem + "e" if stem in _SILENT_E else stem
    return word[:-2] if re.search(r"(?:ss|sh|ch|x|zz)es$", word) else word[:-1]


def _at_auxiliary(text: str, rng: random.Random, note: str) -> str | None:
    cue = rng.choice(("not", "not", "never", "no longer", "hardly"))
    return replaced(text, _AUXILIARY, lambda match: f"{match[0]} {cue}", rng)


def _contracted(text: str, rng: random.Random, note: str) -> str | None:
    return replaced(text, _CONTRACTED, lambda match: f"{match[0]}n't", rng)


def _at_verb(present: Sequence[str], past: Sequence[str]) -> Way:
    """``{v}`` stands for the verb as it is, ``{b}`` for its bare form."""

    def way(text: str, rng: random.Random, note: str) -> str | None:
        matches = [match for match in _VERB.finditer(text) if match["verb"] not in _NO_VERBS]
        if not matches:
            return None
        match = rng.choice(matches)
        frame = rng.choice(present if match["verb"].endswith("s") else past)
        return put(text, match, frame.format(v=match["verb"], b=bare(match["verb"])), "verb")

    return way


def _denied(text: str, rng: random.Random, note: str) -> str | None:
    now, then = rng.choice(
        (("denies", "denied"), ("denies", "denied"), ("disputes", "disputed"), ("rejects", "rejected"))
    )
    return replaced(text, _REPORT, lambda match: then if match[0].lower().endswith("d") else now, rng)


def _not_to(text: str, rng: random.Random, note: str) -> str | None:
    cue = rng.choice(("not to ", "not to ", "never to "))
    return replaced(text, _TO, lambda match: cue, rng)


def _no_wish(text: str, rng: random.Random, note: str) -> str | None:
    wish = rng.choice(("has no wish", "refuses", "declines", "is reluctant", "is not going", "has no intention"))
    return replaced(text, _WISH, lambda match: wish, rng)


def _no_thing(text: str, rng: random.Random, note: str) -> str | None:
    much = rng.choice(("no", "no", "little"))
    return replaced(text, _THING, lambda match: f"{match['verb']} {much} ", rng)


def _without(text: str, rng: random.Random, note: str) -> str | None:
    return replaced(text, _WITH, lambda match: "without", rng)


def _lack_of(text: str, rng: random.Random, note: str) -> str | None:
    return replaced(text, _OWN, lambda match: f"{match['whose']} lack of {match['what']}", rng)


def _framed(text: str, rng: random.Random, note: str) -> str | None:
    frame = rng.choice(("There is no evidence that ", "It is not the case that ", "It is untrue that "))
    return frame + text[0].lower() + text[1:] if _BEGINS.match(text) else None


NEGATION_WAYS: Mapping[str, Way] = {
    "auxiliary": _at_auxiliary,
    "contracted": _contracted,
    "does not": _at_verb(("does not {b}", "doesn't {b}"), ("did not {b}", "didn't {b}", "did not {b}")),
    "never": _at_verb(("never {v}", "rarely {v}", "hardly ever {v}"), ("never {v}", "rarely {v}", "at no point {v}")),
    "no longer": _at_verb(
        ("no longer {v}", "has stopped wanting to {b}"), ("no longer {v}", "had stopped wanting to {b}")
    ),
    "fails to": _at_verb(
        ("fails to {b}", "refuses to {b}", "is unable to {b}", "declines to {b}"),
        ("failed to {b}", "refused to {b}", "was unable to {b}", "declined to {b}"),
    ),
    "denied": _denied,
    "not to": _not_to,
    "no wish": _no_wish,
    "no thing": _no_thing,
    "without": _without,
    "lack of": _lack_of,
    "framed": _framed,
}

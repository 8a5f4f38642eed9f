"""How a sentence negates: what kind of "no" it is, and whether the words around it go with one.

Notes mostly negate what somebody thinks, wants or has ("does not see it as a problem"), with words that go with a no
("any", "yet", "much"). A "not" put into, or taken out of, a sentence that was written the other way round stands beside
words that do not: "will not explore", "did not express some doubt", "does show any signs". Names and numbers tell
nothing of this, so that the head that looks for turned sentences gets it as numbers of its own.
"""

from __future__ import annotations

import re

_NEGATION = re.compile(
    r"\b(?:(?P<aux>wo|will|would|ca|can|could|should|may|might|must|is|are|was|were|am|has|have|had|does|do|did)"
    r"(?: (?:also |still |currently )?not|n['’]t)|(?P<cannot>cannot)"
    r"|(?P<deny>den(?:y|ies|ied|ying)|(?:disput|reject)(?:e?s|ed|ing))"
    r"|(?P<refuse>(?:refus|declin|fail)(?:es?|ed|ing|s)? to)|(?P<unable>un(?:able|willing) to)"
    r"|(?P<never>never|no longer|hardly|rarely|seldom|scarcely|barely|untrue)"
    r"|(?P<no>no|without|none|nothing|neither|nor|lack\w*)|(?P<bare>not))\b"
    r"\s*(?:(?:really|fully|very|currently|always|necessarily|entirely|quite|even)\s+)?(?P<next>[a-z'’-]+)?",
    re.IGNORECASE,
)
_MODALS = frozenset(("wo", "will", "would", "ca", "can", "could", "should", "may", "might", "must"))
_BE = frozenset(("is", "are", "was", "were", "am"))
_PERFECT = frozenset(("has", "have", "had"))
_MENTAL = frozenset(
    (
        "see", "think", "view", "consider", "feel", "want", "like", "know", "believe", "have", "care", "perceive",
        "need", "understand", "mind", "enjoy", "plan", "intend", "wish", "remember", "drink", "smoke", "use", "agree",
        "get",
    )
)  # fmt: skip
_SPEECH = frozenset(
    (
        "report", "state", "mention", "express", "appear", "seem", "show", "demonstrate", "exhibit", "describe",
        "note", "recognize", "acknowledge", "share", "identify", "discuss", "explore", "provide", "indicate", "admit",
        "display", "present", "endorse",
    )
)  # fmt: skip
_GOES_WITH_NO = re.compile(
    r"\b(?:any|anyone|anything|yet|anymore|at all|much|ever|either|until|but|other than|enough)\b", re.IGNORECASE
)
_GOES_WITHOUT = re.compile(r"\b(?:some|also|already|both|somewhat|various|several)\b", re.IGNORECASE)
_UNSURE = frozenset(("sure", "certain", "confident", "ready", "interested", "only"))
_AFTER = 50
# "Does consider", but not "do the dishes", "do so" or "did well".
_EMPHATIC = re.compile(
    r"\b(?:do|does|did) (?:also |still )?(?!(?:not|so|it|that|this|the|a|an|their|his|her|some|any|all|more|less|well|"
    r"better|what|things?|something|homework|research|work|you|they|he|she|we|to|for|in|with|and|or)\b)[a-z]+\b",
    re.IGNORECASE,
)
_STRAY = re.compile(r"\b(?:any|anything|anyone|yet|anymore|at all|much)\b", re.IGNORECASE)
_MAY_HOLD_ANY = re.compile(
    r"\b(?:not|no|never|without|un\w+|lack\w*|rather|if|whether|den\w+|nor|barely|hardly|than|how|too|so|very|"
    r"refus\w+|declin\w+)\b|n['’]t",
    re.IGNORECASE,
)
_TURNED_BACK = re.compile(r"\b(?:still|often)\b", re.IGNORECASE)
_LONG = 100

_KINDS = {
    "cannot": "no_modal", "deny": "no_deny", "refuse": "no_deny", "unable": "no_unable", "never": "no_never",
    "no": "no_no", "bare": "no_bare",
}  # fmt: skip

# Wordings that notes seldom use of what is so: "motivated not to quit", "without his family", "has no increased".
_SELDOM = {
    "seldom_to": r"\b(?:not|never) to\b",
    "seldom_never": r"\b(?:never|at no point|hardly|rarely|seldom|scarcely|barely)\b",
    "seldom_without": r"\bwithout (?!any|signs?|plan|intent|\w+ing\b)",
    "seldom_without_any": r"\bwithout (?:any|signs?|plan|intent|\w+ing\b)",
    "seldom_garbled": r"\bno (?:to|his|her|the|been|a|their|that)\b|"
    r"\b(?:ha[sd]|have|is|was|are|were) no \w+(?:ed|ing|en)\b",
    "seldom_lack": r"\b(?:his|her|their|client['’]s|the) lack of\b",
    "seldom_frame": r"\bno evidence that\b|\bnot the case\b|\buntrue\b|\bnot true\b",
    "seldom_denied_clause": r"\b(?:den(?:y|ies|ied)|disput\w+|reject\w*) "
    r"(?:that|his|her|their|the|a|an|feeling|being|having|wanting)\b",
    "seldom_denies": r"\b(?:den(?:y|ies|ied)|disput\w+|reject\w*)\b",
    "seldom_refuses": r"\b(?:refus|declin|fail)\w*\b",
    "seldom_thing": r"\b(?:has|have|had|shows?|showed|express\w*|reports?|reported|experienc\w+|feels?|sees|with|"
    r"having|demonstrat\w+|given) no\b",
    "seldom_wish": r"\b(?:stopped|stops) wanting\b|\bno (?:wish|intention|desire)\b|\breluctant to\b",
}  # fmt: skip
_SELDOM_SAID = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _SELDOM.items()}

NAMES = (
    "no_modal", "no_be", "no_perfect", "no_mental", "no_speech", "no_other_verb", "no_bare", "no_deny", "no_unable",
    "no_never", "no_no", "no_any", "no_some", "no_sure", "no_ing", "no_place", "no_tail", "no_count", "no_will",
    "yes_emphatic", "yes_any", "yes_still",
    *_SELDOM,
)  # fmt: skip


def negation_wording(text: str) -> dict[str, float]:
    """A value for each of ``NAMES``: 0 or 1, but for where the first and last negation stand and how many there are."""
    found = dict.fromkeys(NAMES, 0.0)
    matches = list(_NEGATION.finditer(text))
    for match in matches:
        found[_kind(match)] = 1.0
        follows = (match["next"] or "").lower()
        after = follows + text[match.end() : match.end() + _AFTER]
        found["no_will"] = max(found["no_will"], float((match["aux"] or "").lower() in ("will", "wo")))
        found["no_ing"] = max(found["no_ing"], float(bool(match["aux"]) and follows.endswith("ing")))
        found["no_any"] = max(found["no_any"], float(bool(_GOES_WITH_NO.search(after))))
        found["no_some"] = max(found["no_some"], float(bool(_GOES_WITHOUT.search(after))))
        found["no_sure"] = max(found["no_sure"], float(follows in _UNSURE))
    if matches:
        found["no_place"] = matches[0].start() / len(text)
        found["no_tail"] = (len(text) - matches[-1].end()) / _LONG
        found["no_count"] = float(len(matches))
    found["yes_emphatic"] = float(bool(_EMPHATIC.search(text)))
    found["yes_any"] = float(bool(_STRAY.search(text)) and not _MAY_HOLD_ANY.search(text))
    found["yes_still"] = float(bool(_TURNED_BACK.search(text)))
    return found | {name: float(bool(pattern.search(text))) for name, pattern in _SELDOM_SAID.items()}


def _kind(match: re.Match[str]) -> str:
    if not match["aux"]:
        return next(name for group, name in _KINDS.items() if match[group])
    auxiliary, follows = match["aux"].lower(), (match["next"] or "").lower()
    if auxiliary in _MODALS:
        return "no_modal"
    if auxiliary in _BE:
        return "no_be"
    if auxiliary in _PERFECT:
        return "no_perfect"
    return "no_mental" if follows in _MENTAL else "no_speech" if follows in _SPEECH else "no_other_verb"

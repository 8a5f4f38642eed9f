"""Claims that only someone in the room can make: appearance, affect, speech, eye contact, orientation."""

from __future__ import annotations

import re
from dataclasses import dataclass

_STOCK = re.compile(
    r"\boriented (?:x ?[34]|times (?:three|four)|to (?:person|time|place|situation))|\bA ?& ?O ?x ?\d|\bAAO ?x ?\d"
    r"|\bWNL\b|\bwithin normal limits\b|\b(?:good|fair|intact|appropriate) (?:insight|judge?ment)\b"
    r"|\binsight and judge?ment\b|\bthought process(?:es)? (?:is|was|are|were)? ?(?:linear|logical|coherent|intact)"
    r"|\bunremarkable\b|\bno acute distress\b|\bNAD\b|\bappropriately (?:dressed|groomed)\b|\bwell[- ]groomed\b"
    r"|\b(?:no|without) (?:signs?|evidence|indication)s? of (?:formal )?"
    r"(?:thought disorder|psychosis|intoxication|withdrawal)",
    re.IGNORECASE,
)
_MANNER = (
    r"calm|cooperative|relaxed|alert|oriented|groomed|dressed|attentive|tearful|restless|fidget\w*|agitated|guarded|"
    r"tired|fatigued|dishevel\w*|well[- ]kept|comfortable|tense|nervous|anxious|hesitant|engaged|responsive|"
    r"distracted|disengaged|withdrawn|reserved|frustrated|defensive|reflective|thoughtful|uncertain|receptive|"
    r"open|motivated|stressed|overwhelmed|sad|happy|upset|concerned|pleasant|talkative|quiet|subdued|forthcoming"
)
_STRONG = re.compile(
    r"\baffect\b|\beye contact\b|\bbody language\b|\bgroom\w*|\bdress(?:ed|es)\b|\bcasual (?:dress|clothes|attire)\b"
    r"|\battire\b|\bwell[- ](?:hydrated|nourished)\b|\b(?:smell|odou?r) of \w+ (?:noted|present|on|was)\b"
    r"|\byawn\w*|\bpostur\w*|\bdemeanou?r\b|\bgait\b"
    r"|\bfacial expression|\bappearance (?:is|was)\b|\b(?:psycho)?motor\b|\bnon-?verbal\b|\bfidget\w*|\btearful"
    r"|\boriented\b|\borientation\b(?! (?:toward|program))|\bthought (?:process|content|disorder)"
    r"|\b(?:rate|tone|volume) of (?:speech|voice)|\btone of voice\b|\bspeech\b|\bspoke "
    r"(?:in|with|softly|clearly|quickly)"
    r"|\b(?:his|her|their|client'?s) (?:tone|voice)\b|\btone (?:was|is|and)\b|\bvoice (?:was|is)\b"
    r"|\bmental status\b|\bMSE\b|\beuthymic\b|\bcongruent\b|\bmood (?:was|is|appear\w*|seem\w*)\b"
    r"|\bdistress during the session\b|\bsigns? of (?:distress|intoxication|withdrawal|agitation)\b",
    re.IGNORECASE,
)
_LOOKS = re.compile(
    rf"\b(?:appear(?:s|ed)?|seem(?:s|ed)?|present(?:s|ed)?(?: as)?) (?:to be )?(?:\w+ly )?(?:{_MANNER})\b",
    re.IGNORECASE,
)
_PLAIN_MANNER = re.compile(
    r"^(?:the )?(?:client|patient|pt|cl|he|she|they)? ?(?:is|was|were)? ?"
    r"(?:calm|cooperative|alert|tearful|oriented|pleasant|relaxed)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Observation:
    """``words`` is what in the claim only the eye or ear can know; ``stock``: a phrase used of everybody."""

    words: str
    stock: bool
    certain: bool


def observation_in(text: str) -> Observation | None:
    """The first wording of an observation in ``text``, if there is one."""
    stock = _STOCK.search(text)
    if stock:
        return Observation(stock.group(), True, True)
    strong = _STRONG.search(text) or _PLAIN_MANNER.search(text)
    if strong:
        return Observation(strong.group(), False, True)
    seems = _LOOKS.search(text)
    return Observation(seems.group(), False, False) if seems else None

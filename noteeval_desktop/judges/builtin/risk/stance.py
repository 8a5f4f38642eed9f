"""Who is in danger, when, and whether it was affirmed: told apart by the words around the phrase."""

from __future__ import annotations

import re

from noteeval_desktop.domain.risk import RiskKind, Stance

_NEGATION = re.compile(
    r"\b(?:no|not|never|none|denie[sd]|deny|denying|without|zero|nor|neither|nobody|no one|rather than)\b|n't\b"
)
_CLAUSE = re.compile(r"[,;:.!?]|\b(?:but|so|because|and then|although|though|until|except|and i|or i)\b")
_REACH = 48
_FILLER = re.compile(r", (?:like|you know|um+|uh+|er),? ")
_PAST = re.compile(
    r"\bused to\b|\bwhen i was (?!drunk|high|drinking|using|out|angry|upset)|\byears? ago\b|\bmonths ago\b|"
    r"\bin (?:high school|college|school|the past|my (?:teens|twenties|"
    r"thirties|youth|childhood))\b|\bas an? (?:child|kid|teen\w*|boy|girl|adult)\b|\bback (?:in|then|"
    r"when)\b|\bonce\b|\blast "
    r"(?:summer|winter|spring|autumn|fall|year)\b|\bhistory of\b|\b(?:previous|prior|past|earlier) \w*|"
    r"\ba long time\b|"
    r"\bat the time\b|\bpreviously\b|\bhad (?:a \w+ episode|been|thoughts|an)\b|\bsince i was\b|"
    r"\bgrowing up\b|\b(?:tried|attempted)\b|"
    r"\boverdosed\b|\bod'?ed\b|\bod'd\b|\bmolest(?:ed)?\b|\bwas (?:\w+ )?(?:raped|abused|molested|beaten|"
    r"hit|assaulted)\b|\bpumped\b|"
    r"\bgave me narcan|\bgive me narcan|\btouched me\b|\binterfered\b|\bhad (?:his|her) way|"
    r"\btook an? overdose|\bthings happened\b|"
    r"\bturned blue\b|\bfell out on\b|\btook my (?:\w+ )?(?:kids|children)\b|\bin (?:19|20)\d\d\b|"
    r"\bstopped breathing\b"
)
_RECENT = re.compile(
    r"\b(?:again|now|today|tonight|yesterday|lately|recently|still|this (?:week|month|morning|year)|"
    r"last (?:night|week|month)|"
    r"these days|every (?:day|night)|anymore|any more|(?:mon|tues|wednes|thurs|fri|satur|sun)day|currently|"
    r"at the moment)\b"
)
KIN = (
    r"(?:brother|sister|mother|father|mum|mom|dad|son|daughter|wife|husband|partner|boyfriend|girlfriend|friend|mate|"
    r"cousin|uncle|aunt|roommate|flatmate|colleague|neighbou?r|boss|nephew|niece|grand\w+|ex|coworker|"
    r"classmate|teacher|"
    r"stepson|stepdaughter|man|woman|guy|girl|boy|kid|someone|somebody|people|patient|parents)"
)
_OTHER_SUBJECT = re.compile(
    rf"\b(?:(?:my|our|his|her|your|a|the|an|their) (?:\w+ ){{0,2}}{KIN}(?:'s)?(?! (?:told|asked|"
    rf"said to) me (?:that )?i\b)|dad|mum|mom|"
    r"he|she|they)\b(?!.*\b(?:i|i'm|i've|i'd|i'll|(?:gave|give|giving|found|find|brought|bring|made|make) me)\b)"
)
_OTHER_VICTIM = re.compile(rf"\b(?:her|him|them|{KIN})\b(?!.*\b(?:me|us|myself)\b)")
_NEVER_DONE = re.compile(r"\bnever\b(?!.*\b(?:let|allow|wake|been born))|\bnobody (?:is|has)\b")
_REFLEXIVE_OTHER = re.compile(r"\b(?:himself|herself|themselves|his own|her own|their own)\b")
_OWN = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|myself|us)\b")
_TOUCHES_SELF = re.compile(
    r"\b(?:me|us|myself|my (?:\w+ )?(?:hair|throat|neck|wrist|arm|phone|money|food|wages|bed|room|name|mind|"
    r"thoughts|head|flat|house|home|door))\b"
)
_QUESTION_START = re.compile(
    r"^(?:and |so |but |okay |ok |um |well )*(?:do|did|does|have|has|had|are|is|was|were|any|can|could|"
    r"would|will|who|what|when|"
    r"how|why|where|should)\b"
)
_YES = re.compile(
    r"^(?:yes|yeah|yep|yup|sometimes|often|a little|a bit|maybe|i guess|all the time|always|mm-?hmm|uh-?huh|sure)\b"
)
_NO = re.compile(
    r"^(?:(?:um|uh|well|oh|god|i mean|er),? )*(?:no\b|nope|nah|never|none|not (?:at all|once|any|this|since|"
    r"lately|for)|nothing(?=\W*$|[.,;!]| (?:like that|at all|lately|recently|since|now|of the (?:kind|sort)))|"
    r"i (?:don't|haven't|didn't|would never|wouldn't)|absolutely not|of course not)"
)
# "In the spring, yeah. Not since then."
_NOT_SINCE = re.compile(
    r"\b(?:not|nothing|none) since\b|\b(?:not|n't) (?:had|felt|thought|done|wanted) (?:it|that|them) since\b"
)
# "Not now. In my twenties I took an overdose" tells of the past.
_NOT_NOW = re.compile(r"^(?:well,? |no,? )?not (?:now|today|recently|currently|right now|these days|any ?more)\b")
_NOT_REALLY = re.compile(r"^(?:not really|not always|hardly|it depends|no\b|nope|never|i don't)")
_SAFETY_QUESTION = re.compile(r"\bsafe\b")
_EVER_DONE = re.compile(
    r"\bhave you ever|\bdid (?:you|anyone|anybody|he|she)|\bhas (?:anyone|anybody)|\bever (?:tried|"
    r"attempted|been|taken|had)\b"
)
_OF_THE_CLIENT = re.compile(r"\byou(?:'ve|'re|'d|r)?\b")
# "No. I mean, there are the pills in the bathroom": a denial that goes on like this is none to rely on.
_HEDGED = re.compile(
    r"\b(?:but|though|although|except|sometimes|i mean|there(?:'s| is| are)|still|not (?:really|yet)|only|maybe|"
    r"i guess|kind of|sort of|pills|guns?|thought about|wish|if i)\b"
)
# "No. I was sad for a while, but I never wanted to die" denies twice.
_NEVER = re.compile(
    r"\b(?:but|though|although),? (?:i )?(?:(?:have |would )?never|wouldn't|didn't|don't)(?: ever| really)? "
    r"(?:want(?:ed)?|wish(?:ed)?|thought|think|do|did|act|tried|hurt|harm|kill)\b[^.!?]*"
)
_LIVES_OF_OTHERS = (RiskKind.CHILD_AT_RISK, RiskKind.ELDER_AT_RISK)


# "No. God, no. I'm fed up sometimes, but no" denies; with one of these behind the no it does not.
_ENDS_NO = re.compile(r"\b(?:but|so),? (?:definitely |just |honestly )?no(?:,? never|t that|pe)?\W*$")
_SPOKEN_OF = re.compile(
    r"\b(?:think\w*|thought\w*|wish\w*|pills?|guns?|die|dying|dead|kill\w*|hurt\w*|harm\w*|plan\w*|cut\w*|if i|i mean"
    r"|there(?:'s| is| are)|not yet|wake|gone|end\w*|urge\w*|crosse?[sd]?)\b"
)


def is_question(folded: str, therapist: bool) -> bool:
    return folded.rstrip("\"' ").endswith("?") or (therapist and bool(_QUESTION_START.match(folded)))


def opens_with_answer(folded: str) -> bool:
    """Whether a turn begins with a yes, a no or what stands for one."""
    return folded.startswith(("yes", "yeah", "no", "not ")) or any(p.match(folded) for p in (_YES, _NO, _NOT_NOW))


def affirms(folded: str) -> bool:
    """Whether a turn begins with a yes or with what stands for one."""
    return bool(_YES.match(folded))


def stance_of(folded: str, match: re.Match[str] | None, kind: RiskKind, therapist: bool) -> Stance:
    """Stance of one sentence; ``match`` is None where only the meaning spoke, and the whole sentence counts."""
    if therapist and (is_question(folded, therapist) or not _OF_THE_CLIENT.search(folded)):
        return Stance.ASKED
    start, end = match.span() if match else (len(folded), len(folded))
    before = _CLAUSE.split(_FILLER.sub(" ", folded[max(0, start - _REACH) : start]))[-1]
    if (
        match
        and _NEGATION.search(before)
        and not re.search(r"\b(?:can't|cannot|couldn't) (?:stop|help|promise)\b", before)
    ):
        return Stance.DENIED
    if match and kind is RiskKind.ABUSE and _NEVER_DONE.search(match.group()):
        return Stance.DENIED
    if _about_another(folded, start, end, kind):
        return Stance.OTHER_PERSON
    if _PAST.search(folded) and not _RECENT.search(folded):
        return Stance.PAST
    return Stance.CURRENT


def _about_another(folded: str, start: int, end: int, kind: RiskKind) -> bool:
    if kind in _LIVES_OF_OTHERS:
        return False
    phrase, before = folded[start:end], folded[:start]
    if kind is RiskKind.ABUSE and (_TOUCHES_SELF.search(folded) or not _OTHER_VICTIM.search(folded)):
        return False
    if kind in (RiskKind.ABUSE, RiskKind.HARM_TO_OTHERS):
        other = _OTHER_SUBJECT.search(before + " " + phrase)
        return bool(other) and not _OWN.search(folded)
    if _REFLEXIVE_OTHER.search(phrase):
        return True
    if kind is RiskKind.PSYCHOSIS and _TOUCHES_SELF.search(folded[start:]):
        return False
    return bool(_OTHER_SUBJECT.search(before)) and not _OWN.search(phrase)


def stance_of_answer(question: str, answer: str) -> Stance:
    """Stance of a client's answer to a question about danger; both folded. What is no denial counts as said."""
    if _SAFETY_QUESTION.search(question):
        return Stance.CURRENT if _NOT_REALLY.match(answer) else Stance.DENIED if _YES.match(answer) else Stance.CURRENT
    if _NOT_SINCE.search(answer) and not _RECENT.search(answer):
        return Stance.PAST
    if _NO.match(answer):
        firm = not _HEDGED.search(_NEVER.sub(" ", answer)) or (
            _ENDS_NO.search(answer) and not _SPOKEN_OF.search(answer)
        )
        return Stance.DENIED if firm else Stance.CURRENT
    if _NOT_NOW.match(answer):
        return Stance.CURRENT if _HEDGED.search(answer) else Stance.PAST
    if _PAST.search(answer) and not _RECENT.search(answer):
        return Stance.PAST
    if _EVER_DONE.search(question) and not _RECENT.search(answer) and len(answer.split()) <= 6:
        return Stance.PAST
    return Stance.CURRENT

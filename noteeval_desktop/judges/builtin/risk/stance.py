"""Who is in danger, when, and whether it was affirmed: told apart by the words around the phrase."""

from __future__ import annotations

import re

from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.judges.builtin.text.words import patterns

_WORDS = patterns("risk_context.json")
_REACH = 48
_FILLER = re.compile(r", (?:like|you know|um+|uh+|er),? ")
_SAFETY_QUESTION = re.compile(r"\bsafe\b")
_OF_THE_CLIENT = re.compile(r"\byou(?:'ve|'re|'d|r)?\b")
_LIVES_OF_OTHERS = (RiskKind.CHILD_AT_RISK, RiskKind.ELDER_AT_RISK)


def is_question(folded: str, therapist: bool) -> bool:
    return folded.rstrip("\"' ").endswith("?") or (therapist and bool(_WORDS["question_start"].match(folded)))


def opens_with_answer(folded: str) -> bool:
    """Whether a turn begins with a yes, a no or what stands for one."""
    openings = (_WORDS[name] for name in ("yes", "no", "not_now"))
    return folded.startswith(("yes", "yeah", "no", "not ")) or any(opening.match(folded) for opening in openings)


def affirms(folded: str) -> bool:
    """Whether a turn begins with a yes or with what stands for one."""
    return bool(_WORDS["yes"].match(folded))


def stance_of(folded: str, match: re.Match[str] | None, kind: RiskKind, therapist: bool) -> Stance:
    """Stance of one sentence; ``match`` is None where only the meaning spoke, and the whole sentence counts."""
    if therapist and (is_question(folded, therapist) or not _OF_THE_CLIENT.search(folded)):
        return Stance.ASKED
    start, end = match.span() if match else (len(folded), len(folded))
    before = _WORDS["clause"].split(_FILLER.sub(" ", folded[max(0, start - _REACH) : start]))[-1]
    if (
        match
        and _WORDS["negation"].search(before)
        and not re.search(r"\b(?:can't|cannot|couldn't) (?:stop|help|promise)\b", before)
    ):
        return Stance.DENIED
    if match and kind is RiskKind.ABUSE and _WORDS["never_done"].search(match.group()):
        return Stance.DENIED
    if _about_another(folded, start, end, kind):
        return Stance.OTHER_PERSON
    if _WORDS["past"].search(folded) and not _WORDS["recent"].search(folded):
        return Stance.PAST
    return Stance.CURRENT


def _about_another(folded: str, start: int, end: int, kind: RiskKind) -> bool:
    if kind in _LIVES_OF_OTHERS:
        return False
    phrase, before = folded[start:end], folded[:start]
    if kind is RiskKind.ABUSE and (_WORDS["touches_self"].search(folded) or not _WORDS["other_victim"].search(folded)):
        return False
    if kind in (RiskKind.ABUSE, RiskKind.HARM_TO_OTHERS):
        other = _WORDS["other_subject"].search(before + " " + phrase)
        return bool(other) and not _WORDS["own"].search(folded)
    if _WORDS["reflexive_other"].search(phrase):
        return True
    if kind is RiskKind.PSYCHOSIS and _WORDS["touches_self"].search(folded[start:]):
        return False
    return bool(_WORDS["other_subject"].search(before)) and not _WORDS["own"].search(phrase)


def stance_of_answer(question: str, answer: str) -> Stance:
    """Stance of a client's answer to a question about danger; both folded. What is no denial counts as said."""
    if _SAFETY_QUESTION.search(question):
        denied = _WORDS["yes"].match(answer) and not _WORDS["not_really"].match(answer)
        return Stance.DENIED if denied else Stance.CURRENT
    if _WORDS["not_since"].search(answer) and not _WORDS["recent"].search(answer):
        return Stance.PAST
    if _WORDS["no"].match(answer):
        firm = not _WORDS["hedged"].search(_WORDS["never"].sub(" ", answer)) or (
            _WORDS["ends_no"].search(answer) and not _WORDS["spoken_of"].search(answer)
        )
        return Stance.DENIED if firm else Stance.CURRENT
    if _WORDS["not_now"].match(answer):
        return Stance.CURRENT if _WORDS["hedged"].search(answer) else Stance.PAST
    if _WORDS["past"].search(answer) and not _WORDS["recent"].search(answer):
        return Stance.PAST
    if _WORDS["ever_done"].search(question) and not _WORDS["recent"].search(answer) and len(answer.split()) <= 6:
        return Stance.PAST
    return Stance.CURRENT

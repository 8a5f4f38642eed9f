"""What the session holds of a danger that a note denies: the client's no, or no question at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Citation, Role, Transcript, cite
from noteeval_desktop.judges.builtin.risk_denial import dangers_denied

_SHOWN_WORDS = 12
# A denial among much else is one part of a sentence, which the rest may bear out.
_BARE_WORDS = 8
_SIDES = (
    (
        "suicide or self-harm",
        frozenset({RiskKind.SUICIDE, RiskKind.SELF_HARM, RiskKind.OVERDOSE}),
        # Whatever may be a question about it in words that the ledger does not know: then nothing is said.
        re.compile(
            r"\b(?:safe\w*|suicid\w*|kill\w*|hurt\w*|harm\w*|cut(?:ting)?|die|dying|dead|death|alive|living|live|"
            r"wake|end(?:ing)? (?:it|things|your)|dark\w*|"
            r"crisis|better off|risk\w*|go on|giv(?:e|ing) up|plans?|urges?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "harm to others",
        frozenset({RiskKind.HARM_TO_OTHERS, RiskKind.ABUSE, RiskKind.CHILD_AT_RISK}),
        re.compile(
            r"\b(?:safe\w*|homicid\w*|(?:kill|hurt|harm)\w*\b(?! (?:yourself|your ?self|you)\b)|violen\w*|aggress\w*|"
            r"hit\w*|attack\w*|risk\w*|(?:any(?:one|body)|some(?:one|body)) else|others?|danger\w*|physical\w*)\b",
            re.IGNORECASE,
        ),
    ),
)


@dataclass(frozen=True)
class Asked:
    """``unasked``: all that a bare denial denies is asked nowhere. ``citations`` are the question and the answer."""

    rationale: str
    citations: tuple[Citation, ...]
    unasked: bool


def asked_about(text: str, spoken: Sequence[RiskFinding], transcript: Transcript) -> Asked | None:
    """Of the dangers that ``text`` denies; None where it denies none, or the session neither answers nor leaves it
    out for certain. ``spoken`` is the session's ledger."""
    kinds = dangers_denied(text)
    sides = [side for side in _SIDES if kinds & side[1]]
    said_no = [(name, risk) for name, own, _ in sides for risk in spoken if risk.kind in own and _is_no(risk)]
    said_no.sort(key=lambda one: one[1].kind not in kinds)
    never = [name for name, own, words in sides if not _comes_up(own, words, spoken, transcript)]
    if (not said_no and len(never) < len(sides)) or not sides:
        return None
    if not said_no:
        rationale = f"Nothing in the session asks about {' or '.join(never)}; keep the denial only if you asked."
        return Asked(rationale, (), len(text.split()) <= _BARE_WORDS)
    risk = said_no[0][1]
    rationale = f"Asked about this, the client says “{_opening(transcript.turns[risk.turns[-1]].text)}”."
    if never:
        rationale += f" Nothing in the session asks about {never[0]}; keep that part only if you asked."
    return Asked(rationale, tuple(cite(transcript.turns[turn]) for turn in risk.turns), False)


def _is_no(risk: RiskFinding) -> bool:
    return risk.stance is Stance.DENIED and len(risk.turns) > 1 and not risk.by_meaning


def _comes_up(
    kinds: frozenset[RiskKind], words: re.Pattern[str], spoken: Sequence[RiskFinding], transcript: Transcript
) -> bool:
    asked = (turn.text for turn in transcript.turns if turn.role is not Role.CLIENT)
    return any(risk.kind in kinds for risk in spoken) or any(words.search(text) for text in asked)


def _opening(text: str) -> str:
    words = text.split()
    return " ".join(words[:_SHOWN_WORDS]).rstrip(".,") + ("…" if len(words) > _SHOWN_WORDS else "")

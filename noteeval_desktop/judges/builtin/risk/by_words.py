"""What known words say of danger where there is no encoder: a phrase decides, and cues around it how it was meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from noteeval_desktop.domain.risk import Stance
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.judges.builtin.risk.head import STANCES, Reading
from noteeval_desktop.judges.builtin.risk.lexicon import RiskLexicon, risk_lexicon
from noteeval_desktop.judges.builtin.risk.talk import KINDS, Said

_CLAUSE = re.compile(r"[,;:.!?]|\b(?:but|so|because|and then|although|though|until|and i|or i)\b")
_FILLER = re.compile(r", (?:like|you know|um+|uh+|er),? ")
_SHORT_ANSWER = 12
_SELF = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|myself)\b")


def read_by_words(turns: Sequence[Turn], said: Said) -> Reading:
    """A turn with a phrase of danger is one, and so is a short answer to a question with one."""
    lexicon = risk_lexicon()
    danger = np.zeros(len(turns))
    kinds = np.zeros((len(turns), len(KINDS)), dtype=np.float32)
    stances = np.zeros((len(turns), len(STANCES)), dtype=np.float32)
    for number in np.flatnonzero(said.known.any(axis=1)).tolist():
        place = int(said.owner[number])
        if turns[place].role is Role.THERAPIST and _states_limits(said.words[number], turns[place].text, lexicon):
            continue
        stance = stance_by_words(said.words[number], turns[place].role is Role.THERAPIST, lexicon)
        danger[place] = 1
        kinds[place] = np.maximum(kinds[place], said.known[number])
        stances[place, STANCES.index(stance)] = 1
    for turn in turns[1:]:
        asked = STANCES.index(Stance.ASKED)
        before = turns[turn.index - 1]
        if not stances[before.index, asked] or turn.role is Role.THERAPIST or before.role is not Role.THERAPIST:
            continue
        answer = stance_of_answer(turn.text.lower().replace("’", "'"), lexicon)
        if danger[turn.index] or answer is not None:
            stances[turn.index] = 0
            stances[turn.index, STANCES.index(answer or Stance.CURRENT)] = 1
            kinds[turn.index] = np.maximum(kinds[turn.index], kinds[before.index])
            danger[turn.index] = 1
    return Reading(danger, kinds, stances, said.known.max(axis=1, initial=0.0))


def _states_limits(words: str, turn: str, lexicon: RiskLexicon) -> bool:
    """Whether a therapist names the exceptions to confidentiality; a question is none of these."""
    said, unless = lexicon.confidence
    return bool(unless.search(words) and said.search(turn.lower().replace("’", "'"))) and not words.endswith("?")


def stance_by_words(words: str, therapist: bool, lexicon: RiskLexicon) -> Stance:
    """Of one sentence that holds a phrase of danger, folded."""
    if therapist:
        return Stance.ASKED
    start = min((match.start() for _, match in lexicon.matches(words)), default=len(words))
    before = _CLAUSE.split(_FILLER.sub(" ", words[:start]))[-1]
    cues = lexicon.cues
    if cues["negation"].search(before):
        return Stance.DENIED
    if cues["long_ago"].search(words) and not cues["recent"].search(words):
        return Stance.PAST
    if (cues["kin"].search(before) or cues["third"].search(before)) and not _SELF.search(words):
        return Stance.OTHER_PERSON
    return Stance.CURRENT


def stance_of_answer(words: str, lexicon: RiskLexicon) -> Stance | None:
    """Of a client's turn behind a question about danger; None where it does not answer."""
    cues = lexicon.cues
    if cues["opens_no"].search(words):
        return Stance.CURRENT if cues["hedge"].search(words) else Stance.DENIED
    if len(words.split()) > _SHORT_ANSWER and not cues["opens_yes"].search(words):
        return None
    if cues["long_ago"].search(words) and not cues["recent"].search(words):
        return Stance.PAST
    return Stance.CURRENT

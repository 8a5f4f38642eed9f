"""Sentences of a plan that name a method for coming sessions.

The trained readers know the plans of their authors, whole sentences on what "the therapist will" do: of nine short
plans that name a method ("Continue EMDR. RTC 1 wk.") they found it in one. Of TN-Eval's 105 notes 27 name one in the
plan: in 26 a therapist marked the item, and the readers found it in all 27, so that nothing changes there.
"""

from __future__ import annotations

import re

ITEM = "plan-interventions"
# How probable the item is then: the share of therapists who marked it in those notes.
CHANCE = 0.81
_METHOD = re.compile(
    r"\b(?:cbt|dbt|emdr|erp|ifs|mbct|cpt|(?-i:ACT)|acceptance and commitment|motivational interview\w*"
    r"|cognitive (?:behaviou?ral|restructuring|processing|reframing)"
    r"|restructuring|reframing|exposure (?!to\b)\w+|exposure therapy|desensiti[sz]ation|behaviou?ral activation"
    r"|activity scheduling|grounding|mindfulness|relaxation|(?:paced|deep|slow|diaphragmatic) breathing"
    r"|breathing exercises?"
    r"|sleep hygiene|stimulus control|role[- ]?plays?|role[- ]?playing|psycho-?education|problem[- ]solving"
    r"|coping (?:skills?|strateg\w+)|distress tolerance|emotion(?:al)? regulation|interpersonal effectiveness"
    r"|(?:communication|social|assertiveness) (?:skills?|training)|relapse prevention|processing of|supportive tx"
    r"|(?:narrative|play|art|family|couples|interpersonal|solution[- ]focused|supportive) therapy|guided imagery"
    r"|radical acceptance|urge surfing|chain analysis|safety planning)\b",
    re.IGNORECASE,
)
# What the client is to do at home is another item, and what is not to be done is none.
_HOMEWORK = re.compile(
    r"^\W*(?:home ?work|hw|(?:the )?(?:client|patient|pt|ct|he|she|they)\b.{0,25}?"
    r"\b(?:will|to|agree\w*|is|was|has|should))\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:no|not|never|without|declin\w+|refus\w+|discontinu\w+|stop\w*|paus\w+|defer\w*|instead of|complet\w+)\b",
    re.IGNORECASE,
)


def names_one(sentence: str) -> bool:
    """ "Continue EMDR", and neither "Client will use deep breathing daily" nor "Stop exposure therapy"."""
    return bool(_METHOD.search(sentence)) and not _HOMEWORK.search(sentence) and not _NOT_DONE.search(sentence)

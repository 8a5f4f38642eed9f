"""Who is who in a case: which names are one person's, and what that person is to the client."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.masking import IdentifierKind, disjoint, same_form

_CALLED = {
    "DOCTOR": r"dr\.?|doctor|psychiatrist|pcp|gp",
    "SPOUSE": "wife|husband|spouse",
    "PARTNER": "partner|girlfriend|boyfriend|fianc[eé]e?|gf|bf",
    "MOTHER": "mother|mom|mum",
    "FATHER": "father|dad",
    "SISTER": "sister|sis",
    "BROTHER": "brother|bro",
    "SON": "son",
    "DAUGHTER": "daughter|dtr",
    "FRIEND": "friend",
    "COLLEAGUE": "colleague|co-?worker",
    "BOSS": "boss|manager|mgr|supervisor",
    "TEACHER": "teacher",
    "AUNT": "aunt|auntie",
    "UNCLE": "uncle",
    "COUSIN": "cousin",
    "NEIGHBOR": "neighbou?r",
    "SPONSOR": "sponsor",
    "PET": "dog|cat|puppy|kitten",
}
_ANY = "|".join(f"(?P<{role}>{words})" for role, words in _CALLED.items())
_BEFORE = re.compile(rf"\b(?:{_ANY})(?:['’]s name is| named| is named| is called| called)? [\"“]?$", re.I)
_BEHIND = re.compile(rf"[\"”]? \((?:(?:his|her|their|my|the|pt['’]?s|client['’]?s) )?(?:{_ANY})\b", re.I)
_NEAR = 40


def people(
    texts: Sequence[str], finder: IdentifierFinder, speakers: Mapping[str, str]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """By name, in ``same_form``: the full name that it is a part of, where it is of one only; and by full name what the
    person is, where all texts agree. ``speakers``: labels and their roles."""
    told: dict[str, set[str]] = {same_form(label): {role.upper()} - {"OTHER"} for label, role in speakers.items()}
    for text in texts:
        for one in disjoint(text, finder.find(text)):
            if one.kind is IdentifierKind.PERSON:
                before = _BEFORE.search(text[max(0, one.span.start - _NEAR) : one.span.start])
                found = before or _BEHIND.match(text, one.span.end)
                roles = told.setdefault(same_form(one.text), set())
                if found and found.lastgroup:
                    roles.add(found.lastgroup)
    whole = {}
    for name in told:
        owners = [other for other in told if name != other and set(name.split()) < set(other.split())]
        if len(owners) == 1:
            whole[name] = owners[0]
    known = {same_form(label) for label in speakers}
    for name, owner in whole.items():
        if owner not in known:
            told[owner] |= told[name]
    return whole, {name: next(iter(roles)) for name, roles in told.items() if len(roles) == 1}

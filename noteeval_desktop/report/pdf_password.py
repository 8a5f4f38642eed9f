"""Passwords of a PDF: which ones every reader of PDFs can open again, and how strong one looks."""

from __future__ import annotations

import stringprep
from enum import StrEnum

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError

SHORTEST, MOST_BYTES = 8, 127
_SO_FEW_DIFFERENT = 5
_FAIR, _STRONG = 12, 16
_WORDS = 4
_PROHIBITED = (
    stringprep.in_table_a1,
    stringprep.in_table_c12,
    stringprep.in_table_c21_c22,
    stringprep.in_table_c3,
    stringprep.in_table_c4,
    stringprep.in_table_c5,
    stringprep.in_table_c6,
    stringprep.in_table_c7,
    stringprep.in_table_c8,
    stringprep.in_table_c9,
)


class Strength(StrEnum):
    WEAK = "weak"
    FAIR = "fair"
    STRONG = "strong"


def strength(password: str) -> Strength:
    """By length and variety alone: a guess, which knows no dictionary and no birthday."""
    different = len(set(password.lower()))
    if len(password) < _FAIR or different < _SO_FEW_DIFFERENT:
        return Strength.WEAK
    long = len(password) >= _STRONG or len(set(password.split())) >= _WORDS
    return Strength.STRONG if long and different > _SO_FEW_DIFFERENT else Strength.FAIR


def checked(password: str) -> str:
    """The password, if PDF readers agree on its bytes (SASLprep, RFC 4013). Raises InputError, without the password."""
    what = tr("The password")
    if len(password) < SHORTEST:
        problem = tr("is shorter than {count} characters").format(count=SHORTEST)
        raise InputError(what, problem, tr("Choose a longer one."))
    if len(password.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        problem = tr("is longer than {count} bytes, which is as much as a PDF can hold").format(count=MOST_BYTES)
        raise InputError(what, problem, tr("Shorten it."))
    if any(prohibited(character) for character in password for prohibited in _PROHIBITED):
        problem = tr("has characters that PDF readers disagree about")
        raise InputError(what, problem, tr("Use letters, digits, signs and plain spaces."))
    right_to_left = [stringprep.in_table_d1(character) for character in password]
    if any(right_to_left) and not all(right_to_left):
        raise InputError(what, tr("mixes directions of writing"), tr("Use letters of one direction only."))
    return password

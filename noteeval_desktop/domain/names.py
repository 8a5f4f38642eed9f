"""When two names are one person's."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_TITLES = frozenset(["dr", "prof", "professor", "mr", "mrs", "ms", "mx", "phd", "psyd", "md", "rev"])
# Cyrillic and Greek letters that look like Latin ones.
_ALIKE = str.maketrans("авсԁеѕіјкмнорԛтухһԝαοιρυν", "abcdesijkmhopqtyxhwaoipuv")


def name_words(name: str) -> frozenset[str]:
    """What is left of a name without titles, accents, case, hidden signs and letters that only look alike."""
    plain = unicodedata.normalize("NFKD", name)
    seen = "".join(sign for sign in plain if unicodedata.category(sign) not in ("Mn", "Cf"))
    found = frozenset(_WORD.findall(seen.casefold().translate(_ALIKE)))
    return found - _TITLES or found


def same_name(one: str, other: str) -> bool:
    """ "Dr. Quinn" and "quinn"."""
    return bool(name_words(one)) and name_words(one) == name_words(other)


def may_be(one: str, other: str) -> bool:
    """Also "Quinn" and "Dr Alex Quinn": to a reader they are one person."""
    mine, theirs = name_words(one), name_words(other)
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)

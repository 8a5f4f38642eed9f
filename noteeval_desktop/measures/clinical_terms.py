"""Words and phrases with a clinical meaning, found by a lexicon (``resources/lexicons/clinical_terms.json``).

In place of MedCAT and scispaCy over UMLS, which the published metrics use and whose licence forbids passing it on. It
knows no abbreviation that it does not list, no misspelling, and not whether a term is denied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from noteeval_desktop import paths
from noteeval_desktop.domain.text import Span

_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_LONGEST = 5


@dataclass(frozen=True)
class ClinicalTerms:
    """``terms`` in lower case, their words joined by one space; a word with one of ``endings`` is a term of its own."""

    terms: frozenset[str]
    endings: tuple[str, ...]
    excepted: frozenset[str]

    def find(self, text: str) -> tuple[Span, ...]:
        """Where terms stand, the longest first at each place, without overlap; plurals in -s and -es count."""
        words = list(_WORD.finditer(text))
        lowered = [word.group().lower() for word in words]
        found, at = [], 0
        while at < len(words):
            length = next((n for n in range(_LONGEST, 0, -1) if self._is_term(lowered[at : at + n], n)), 0)
            if length:
                found.append(Span(words[at].start(), words[at + length - 1].end()))
            at += length or 1
        return tuple(found)

    def _is_term(self, words: list[str], length: int) -> bool:
        if len(words) < length:
            return False
        joined = " ".join(words)
        forms = {joined, joined.removesuffix("s"), joined.removesuffix("es")}
        if forms & self.terms:
            return True
        return length == 1 and not forms & self.excepted and any(form.endswith(self.endings) for form in forms)


@cache
def clinical_terms() -> ClinicalTerms:
    """The lexicon that ships with the program."""
    data = paths.lexicon("clinical_terms.json")
    terms = (term for group in data["terms"].values() for term in group.split(", "))
    return ClinicalTerms(frozenset(terms), tuple(data["endings"].split(", ")), frozenset(data["not_terms"].split(", ")))

"""Whose note it is: no other client's name or plan, no pronouns that the note's own head contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from noteeval_desktop.compliance.earlier import another_client
from noteeval_desktop.documents.note_head import fields
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity

PRIVACY = tr("HIPAA Privacy Rule, 45 CFR part 164")
_PRONOUNS = {
    "she": ("she", "her", "hers", "herself"),
    "he": ("he", "him", "his", "himself"),
    "they": ("they", "them", "their", "theirs", "themself", "themselves"),
}
# "Client reports that he …": whoever a client tells of has a noun of his own first.
_OF_THE_CLIENT = re.compile(
    r"\b(?:client|patient|pt)\.?\s(?:also\s)?(?:reports?|reported|states?|stated|says|said|shared|shares|notes|noted"
    r"|describes?|described|denies|denied|feels|felt|believes)(?:\sthat)?\s(?P<own>he|she|they)\b"
    r"|\b(?:client|patient|pt)\b(?:\s\w+){1,4}?\s(?P<self>himself|herself|themself)\b",
    re.IGNORECASE,
)


def identity(case: Case) -> Iterator[Remark]:
    yield from _names(case)
    yield from _pronouns(case)
    if case.plan is not None and another_client(case.note.text, case.plan.text):
        says = tr("The treatment plan names a different client than the note. Check whose plan it is.")
        yield Remark(RemarkKind.IDENTITY, "other-plan", says, PRIVACY, severity=Severity.HIGH)


def _names(case: Case) -> Iterator[Remark]:
    """Full names: "Grace" alone may be anybody's sister."""
    text, background = case.note.text, case.background
    if background is None:
        return
    for name in background.others:
        parts = [re.escape(part) for part in re.split(r"[\s,]+", name.strip()) if len(part.strip(".")) > 1]
        if len(parts) < 2:
            continue
        in_order = r"\s+".join(parts)
        if found := re.search(rf"\b(?:{in_order}|{parts[-1]},\s*{parts[0]})\b", text, re.IGNORECASE):
            says = tr("The library has another client of this name. Check whose note this is.")
            yield Remark(
                RemarkKind.IDENTITY, "other-client", says, PRIVACY, Span(*found.span()), severity=Severity.HIGH
            )


def _pronouns(case: Case) -> Iterator[Remark]:
    text = case.note.text
    stated = next((field.value for field in fields(text) if field.label == "pronouns"), "")
    own = {family for family, forms in _PRONOUNS.items() if set(re.findall(r"\w+", stated.lower())) & set(forms)}
    if not own:
        return
    for found in _OF_THE_CLIENT.finditer(text):
        word = "own" if found["own"] else "self"
        family = next(family for family, forms in _PRONOUNS.items() if found[word].lower() in forms)
        if family not in own:
            says = tr("The note’s header gives the client’s pronouns as {stated}.").format(stated=stated)
            yield Remark(RemarkKind.IDENTITY, "pronouns", says, PRIVACY, Span(*found.span(word)))

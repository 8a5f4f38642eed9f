"""Who wrote the note, and as what: asked of a note with a head, which is meant to be a whole record."""

from __future__ import annotations

import re
from collections.abc import Iterator

from noteeval_desktop.documents.note_head import fields, signatures
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.placeholders import placeholder
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.verdicts import Severity

SIGNATURES = tr("Payers’ signature requirements, such as Medicare’s; see your payer’s current text")
_FIELDS = 2  # from so many on a note has a head
_CREDENTIAL = re.compile(
    r"(?-i:\b(?:L?I?CSW|LCSW-?\w|LMSW|LSW|ASW|MSW|AMFT|LMFT|MFT|LPCC?|LCPC|LPC-?A|LMHC|LCMHC|APCC|PMHNP|APRN|ARNP|NP|RN|MD"
    r"|DO|MA|MS|MEd|EdD|BCBA|LADC|LCADC|CADC|LAC|NCC|CRC)\b)|\b(?:psy\.?d|ph\.?d|ed\.?d|m\.?d|m\.?a|m\.?s|m\.?ed)\b"
    r"|counsell?or|therapist|psycholog|psychiatr|social\sworker|clinician|intern\b|trainee|student|resident",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[*_\s]*(?:electronically\s)?(?:signed(?:\sby)?|(?:(?:clinician|therapist|provider|supervisor)(?:['’]s)?\s)?signature)"
    r"[\s*_:]*|[\W_]*\bdate\b[\W_]*$",
    re.IGNORECASE,
)
_WRITER = ("clinician", "therapist", "provider", "counselor", "counsellor")


def signature(case: Case) -> Iterator[Remark]:
    text = case.note.text
    if len(fields(text)) < _FIELDS:
        return
    lines = signatures(text)
    named = any(field.label in _WRITER and _CREDENTIAL.search(field.value) for field in fields(text))
    if not lines and not named:
        says = tr("The note has header fields but no signature. Sign it with your name, credential and the date.")
        yield Remark(RemarkKind.SIGNATURE, "signature", says, SIGNATURES, severity=Severity.LOW)
    names = {line: _LABEL.sub("", line.of(text)) for line in lines}
    empty = [line for line, name in names.items() if placeholder(name) or not re.search(r"[^\W\d_]", name)]
    if empty:
        says = tr("The signature line is still empty.")
        yield Remark(RemarkKind.SIGNATURE, "signature-empty", says, SIGNATURES, empty[0], severity=Severity.MEDIUM)
    elif lines and not named and not any(map(_CREDENTIAL.search, names.values())):
        says = tr("The signature names no credential, such as LCSW or LMFT.")
        yield Remark(RemarkKind.SIGNATURE, "credential", says, SIGNATURES, lines[0], severity=Severity.MEDIUM)

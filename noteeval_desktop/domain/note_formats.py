"""The formats of progress notes, a row each: what a note calls its places, and the SOAP sections that stand there."""

from __future__ import annotations

from dataclasses import dataclass

from noteeval_desktop.domain.note import Section

_S, _O, _A, _P = Section.SUBJECTIVE, Section.OBJECTIVE, Section.ASSESSMENT, Section.PLAN


@dataclass(frozen=True, slots=True)
class NoteFormat:
    """``places``: each one's heading, whose first letter may stand for it, and its sections, in the note's order.
    ``whole``: a note is of this format only where it has all of them, in their order."""

    name: str
    places: tuple[tuple[str, tuple[Section, ...]], ...]
    whole: bool = False


_SOAP = (("Subjective", (_S,)), ("Objective", (_O,)), ("Assessment", (_A,)), ("Plan", (_P,)))
# Where a format has no place for the clinician's reading, it stands with what happened: the same words under these
# headings are found to cover the items that they cover under SOAP's. What has no plan has what comes next in its
# evaluation.
_ACCOUNT, _EVALUATION = (_S, _O, _A), (_A, _P, _S, _O)
_IRP = (("Intervention", (_O,)), ("Response", (_A, _S, _O)), ("Plan", (_P,)))

# In this order: a note that fits two formats equally well (only "Assessment" and "Plan") is the earlier one.
FORMATS = (
    NoteFormat("SOAP", _SOAP),
    # SOAP notes have "Intervention:" as a label within a section.
    NoteFormat("SOAPIE", (*_SOAP, _IRP[0], ("Evaluation", _EVALUATION)), whole=True),
    NoteFormat("DAP", (("Data", (_S, _O)), *_SOAP[2:])),
    NoteFormat("BIRP", (("Behavior", _ACCOUNT), *_IRP)),
    NoteFormat("GIRP", (("Goals", (_A, _S)), *_IRP)),
    NoteFormat("PIRP", (("Problem", _ACCOUNT), *_IRP)),
    NoteFormat("SIRP", (("Situation", _ACCOUNT), *_IRP)),
    NoteFormat("PIE", (("Problem", _ACCOUNT), _IRP[0], ("Evaluation", _EVALUATION))),
)


def format_named(name: str) -> NoteFormat:
    """SOAP where there is no format of that name."""
    return next((one for one in FORMATS if one.name == name), FORMATS[0])

"""A progress note: one text, its sections and its sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.domain.text import Span, fingerprint


class Section(StrEnum):
    SUBJECTIVE = "subjective"
    OBJECTIVE = "objective"
    ASSESSMENT = "assessment"
    PLAN = "plan"
    UNASSIGNED = "unassigned"


SOAP = (Section.SUBJECTIVE, Section.OBJECTIVE, Section.ASSESSMENT, Section.PLAN)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the note under one heading.

    ``sections`` has two members under a heading such as "Assessment & Plan" or DAP's "Data", one
    otherwise. ``heading`` covers the heading's own characters (None for text under no heading);
    ``body`` covers what stands under it.
    """

    sections: tuple[Section, ...]
    heading: Span | None
    body: Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """``id`` is s1, s2, ... in the order of the note; ``section`` is the first of ``sections``."""

    id: str
    sections: tuple[Section, ...]
    span: Span
    text: str

    @property
    def section(self) -> Section:
        return self.sections[0]


@dataclass(frozen=True, slots=True)
class Note:
    """``sentences[i].span.of(text) == sentences[i].text``; every non-blank body character is in a sentence."""

    text: str
    blocks: tuple[Block, ...]
    sentences: tuple[Sentence, ...]
    format: str = "SOAP"
    warnings: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of ``text`` in UTF-8."""
        return fingerprint(self.text)

    def sentences_in(self, section: Section) -> tuple[Sentence, ...]:
        return tuple(sentence for sentence in self.sentences if section in sentence.sections)

    def sentence_at(self, span: Span) -> Sentence | None:
        """The one in which ``span`` begins; None in a heading, the note's head or its signature."""
        return next((sentence for sentence in self.sentences if sentence.span.contains(span.start)), None)

    def block_of(self, span: Span) -> Block | None:
        return next((block for block in self.blocks if block.body.start <= span.start < block.body.end), None)

    def home(self, section: Section, item: str = "") -> Block | None:
        """The block where a reader looks for ``section``, and in it for a rubric item: under a heading of that name,
        else where most stands together, of those that begin with the section. None where the note has no such block."""
        own = [block for block in self.blocks if section in block.sections]
        named = [block for block in own if block.heading and _is_named_for(block.heading.of(self.text), item)]
        shared = [(block.sections[0] is section and len(block.sections) > 1, len(block.sections)) for block in own]
        return next(iter(named), own[shared.index(max(shared))] if own else None)

    def section_text(self, section: Section) -> str:
        return "\n".join(block.body.of(self.text).strip() for block in self.blocks if section in block.sections)


def _is_named_for(heading: str, item: str) -> bool:
    """ "Interventions" and "I:" for objective-interventions, and for the activities that were done in the session."""
    word = heading.partition("\n")[0].strip("#*_[]:：-–— \t").lower().removesuffix("s")
    stem = {"i": "intervention", "g": "goal"}.get(word, word)
    return stem in ("intervention", "goal") and (stem in item or (stem == "intervention" and "activities" in item))


# The formats, a row each: what a note calls its places, and the SOAP sections that stand there.
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

"""What the note itself calls its sections: a DAP note is shown as Data, Assessment and Plan, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from noteeval_desktop.domain.note import SOAP, Block, Note, Section, Sentence, format_named
from noteeval_desktop.domain.rubric import is_scored
from noteeval_desktop.present.vocabulary import GENERAL, SECTION_NAMES, WHOLE_NOTE

_MARKUP = "#*_[]:：-–— \t"
T = TypeVar("T")


def heading_for(form: str, section: Section) -> str:
    """What a note of the format ``form`` calls the place of ``section``."""
    named = (name for name, sections in format_named(form).places if section in sections)
    return next(named, SECTION_NAMES[section])


def sentence_heading(note: Note, sentence: Sentence) -> str:
    block = None if note.format == "SOAP" else note.block_of(sentence.span)
    return SECTION_NAMES[sentence.section] if block is None else name_of_block(note, block)


def item_heading(note: Note, section: Section | None, item: str = "") -> str:
    """Where an item of ``section`` is looked for."""
    if section is None:
        return WHOLE_NOTE if is_scored(item) else GENERAL
    block = None if note.format == "SOAP" else note.home(section, item)
    return SECTION_NAMES[section] if block is None else name_of_block(note, block)


def name_of_block(note: Note, block: Block) -> str:
    if block.heading is None:
        return SECTION_NAMES[Section.UNASSIGNED]
    said = block.heading.of(note.text).partition("\n")[0].strip(_MARKUP)
    if len(said) == 1:
        said, places = said.upper(), format_named(note.format).places
        return next((name for name, own in places if name[0] == said and own == block.sections), said)
    return said.title() if said.isupper() else said[:1].upper() + said[1:]


def by_heading(note: Note, things: Iterable[T], heading: Callable[[T], str]) -> list[tuple[str, list[T]]]:
    """In the note's order; what belongs to no heading of it, and to the whole of it, comes last."""
    names = (
        [SECTION_NAMES[one] for one in SOAP]
        if note.format == "SOAP"
        else [name_of_block(note, one) for one in note.blocks]
    )
    groups: dict[str, list[T]] = {name: [] for name in names}
    for thing in things:
        groups.setdefault(heading(thing), []).append(thing)
    whole = groups.pop(GENERAL, [])
    return [(name, own) for name, own in [*groups.items(), (GENERAL, whole)] if own]

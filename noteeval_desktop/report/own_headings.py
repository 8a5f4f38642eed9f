"""What the note itself calls its sections: a DAP note is shown as Data, Assessment and Plan, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation
from noteeval_desktop.domain.note import SOAP, Block, Note, Section, Sentence
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.report import words

_MARKUP = "#*_[]:：-–— \t"
T = TypeVar("T")
Shares = tuple[tuple[str, float | None], ...]


def sentence_heading(note: Note, sentence: Sentence) -> str:
    block = None if note.format == "SOAP" else note.block_of(sentence.span)
    return words.SECTION_NAMES[sentence.section] if block is None else _name(note, block)


def item_heading(note: Note, section: Section | None, item: str = "") -> str:
    """Where an item of ``section`` is looked for."""
    if section is None:
        return words.GENERAL
    block = None if note.format == "SOAP" else note.home(section, item)
    return words.SECTION_NAMES[section] if block is None else _name(note, block)


def _name(note: Note, block: Block) -> str:
    if block.heading is None:
        return words.SECTION_NAMES[Section.UNASSIGNED]
    said = block.heading.of(note.text).partition("\n")[0].strip(_MARKUP)
    if len(said) == 1:
        said = said.upper()
        return words.PROBLEM if said == "P" and Section.PLAN not in block.sections else words.LETTERS.get(said, said)
    return said.title() if said.isupper() else said[:1].upper() + said[1:]


def by_heading(note: Note, things: Iterable[T], heading: Callable[[T], str]) -> list[tuple[str, list[T]]]:
    """In the note's order; what belongs to no heading of it, and to the whole of it, comes last."""
    names = (
        [words.SECTION_NAMES[one] for one in SOAP]
        if note.format == "SOAP"
        else [_name(note, one) for one in note.blocks]
    )
    groups: dict[str, list[T]] = {name: [] for name in names}
    for thing in things:
        groups.setdefault(heading(thing), []).append(thing)
    whole = groups.pop(words.GENERAL, [])
    return [(name, own) for name, own in [*groups.items(), (words.GENERAL, whole)] if own]


def completeness_shares(evaluation: Evaluation) -> Shares:
    note, items = evaluation.case.note, [item for item in evaluation.checklist if item.section is not None]
    return _shares(
        evaluation.scores.completeness,
        note,
        [(item_heading(note, item.section, item.item), item.present is True) for item in items],
    )


def conciseness_shares(evaluation: Evaluation) -> Shares:
    note, judged = evaluation.case.note, evaluation.sentences
    needs = [(sentence_heading(note, j.sentence), j.need is not None and j.need.needed is True) for j in judged]
    return _shares(evaluation.scores.conciseness, note, needs)


def faithfulness_shares(evaluation: Evaluation) -> Shares:
    note = evaluation.case.note
    claims = [(j.sentence, j.claim) for j in evaluation.sentences if j.claim is not None and not j.claim.set_aside]
    flags = [
        (sentence_heading(note, sentence), claim.verdict is Verdict.SUPPORTED)
        for sentence, claim in claims
        if claim.verdict not in (None, Verdict.OBSERVED)
    ]
    return _shares(evaluation.scores.faithfulness, note, flags)


def _shares(score: DimensionScore, note: Note, flags: Iterable[tuple[str, bool]]) -> Shares:
    if note.format == "SOAP" or not note.blocks:
        return tuple((words.SECTION_NAMES[section], share) for section, share in score.sections)
    if not score.total:
        return tuple((name, None) for name in dict.fromkeys(_name(note, block) for block in note.blocks))
    own: dict[str, list[bool]] = {_name(note, block): [] for block in note.blocks}
    for name, flag in flags:
        own.setdefault(name, []).append(flag)
    return tuple((name, sum(found) / len(found) if found else None) for name, found in own.items())

"""A rubric, which the window calls a checklist: what each section of a note should hold.

TN-Eval's (Shah et al., ACL 2025, appendix A) ships as the one in use; a practice may use another or its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from noteeval_desktop.domain.case import Case, Visit
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.domain.plain import from_plain
from noteeval_desktop.domain.text import fingerprint

GENERAL = "general"
PUBLISHED = "TN-Eval"


class Importance(StrEnum):
    MANDATORY = "mandatory"
    CONDITIONAL = "conditional"
    RECOMMENDED = "recommended"


@dataclass(frozen=True, slots=True)
class RubricItem:
    """``section`` is None for the general items, which are looked for in the whole note. ``scope``: where it ends, for
    items that others come near; empty for the rest. ``rule``: of ``item_rules`` that decides it without a judge; empty
    for none. ``formats``: of notes that it belongs in (``Note.format``), empty for all; ``visit``: to which of a
    client's."""

    id: str
    section: Section | None
    importance: Importance
    name: str
    description: str
    scope: str = ""
    rule: str = ""
    formats: tuple[str, ...] = ()
    visit: Visit = Visit.ANY

    def applies_to(self, case: Case) -> bool:
        """To be looked for in this note; also where nobody knows which visit it is about."""
        if self.formats and case.note.format not in self.formats:
            return False
        known = case.background.visit if case.background is not None else Visit.ANY
        return Visit.ANY in (self.visit, known) or self.visit is known

    @property
    def explained(self) -> str:
        return f"{self.description} {self.scope}".rstrip()

    @property
    def more(self) -> str:
        """What ``explained`` adds to the name: nothing where a form has the name alone."""
        return "" if self.explained == self.name else self.explained


@dataclass(frozen=True, slots=True)
class Rubric:
    """``source``: what it was written after, with its date."""

    name: str
    version: str
    items: tuple[RubricItem, ...]
    source: str = ""

    @property
    def titled(self) -> str:
        """ "TN-Eval 2"."""
        return f"{self.name} {self.version}".rstrip()

    @property
    def published(self) -> bool:
        """Whether it is TN-Eval's: scores compare by it, and the quick check has learned no other."""
        return self.name == PUBLISHED

    def for_judge(self, case: Case) -> Rubric:
        """What a judge is asked: the items that apply to the note and that no rule decides."""
        return replace(self, items=tuple(item for item in self.items if item.applies_to(case) and not item.rule))

    @property
    def scored_items(self) -> tuple[RubricItem, ...]:
        return tuple(item for item in self.items if is_scored(item.id))

    @property
    def general_items(self) -> tuple[RubricItem, ...]:
        return tuple(item for item in self.items if item.section is None)

    def items_of(self, section: Section) -> tuple[RubricItem, ...]:
        return tuple(item for item in self.items if item.section is section)

    def item(self, item_id: str) -> RubricItem:
        """Raises KeyError for an id that is not in the rubric."""
        for item in self.items:
            if item.id == item_id:
                return item
        raise KeyError(item_id)

    @property
    def fingerprint(self) -> str:
        """Of all that a verdict rests on."""
        return fingerprint(*map(_asked, self.items))


def _asked(item: RubricItem) -> str:
    said = f"{item.id}|{item.importance}|{item.name}|{item.explained}"
    place = section_name(item.section)
    # What TN-Eval's items leave open adds nothing: recorded answers are kept under the rubric's fingerprint.
    more = (
        "" if item.id.startswith(place) else place,
        item.rule,
        *item.formats,
        "" if item.visit == "any" else item.visit,
    )
    return "|".join((said, *filter(None, more)))


def is_scored(item: str) -> bool:
    """By its id: TN-Eval's general items are told beside the score, so that it compares with the published one."""
    return not item.startswith(f"{GENERAL}-")


def place_of(section: Section | None) -> str:
    """What an item's id begins with: one of the whole note is not called general, as what counts in no score is."""
    return "note" if section is None else section.value


def section_name(section: Section | None) -> str:
    """As files call it."""
    return GENERAL if section is None else section.value


def rubric_from_json(data: Mapping[str, Any]) -> Rubric:
    """Read what resources/schema/noteeval.checklist-1.json describes. Raises KeyError, ValueError or TypeError."""
    places = {section_name(section): section for section in (*SOAP, None)}
    items = [{**entry, "section": places[entry["section"]]} for entry in data["items"]]
    return from_plain(Rubric, {**data, "items": items})


def rubric_to_json(rubric: Rubric) -> dict[str, Any]:
    """What ``rubric_from_json`` reads; of an item without what it leaves open."""
    items: list[dict[str, Any]] = []
    for item in rubric.items:
        entry = {"id": item.id, "section": section_name(item.section), "importance": item.importance.value}
        entry |= {"name": item.name, "description": item.description}
        more = {"scope": item.scope, "rule": item.rule, "formats": list(item.formats)}
        visit = {} if item.visit is Visit.ANY else {"visit": item.visit.value}
        items.append(entry | {name: value for name, value in more.items() if value} | visit)
    return {"name": rubric.name, "version": rubric.version, "source": rubric.source, "items": items}

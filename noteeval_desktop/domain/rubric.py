"""The rubric: what each section of a note should hold. After Shah et al., TN-Eval (ACL 2025), appendix A."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.text import fingerprint


class Importance(StrEnum):
    MANDATORY = "mandatory"
    CONDITIONAL = "conditional"
    RECOMMENDED = "recommended"


@dataclass(frozen=True, slots=True)
class RubricItem:
    """``section`` is None for the general items, which are reported beside the completeness score. ``scope``: where it
    ends, for items that others come near; empty for the rest."""

    id: str
    section: Section | None
    importance: Importance
    name: str
    description: str
    scope: str = ""

    @property
    def explained(self) -> str:
        return f"{self.description} {self.scope}".rstrip()


@dataclass(frozen=True, slots=True)
class Rubric:
    name: str
    version: str
    items: tuple[RubricItem, ...]

    @property
    def section_items(self) -> tuple[RubricItem, ...]:
        return tuple(item for item in self.items if item.section is not None)

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
        return fingerprint(*(f"{item.id}|{item.importance}|{item.name}|{item.explained}" for item in self.items))


def rubric_from_json(data: Mapping[str, Any]) -> Rubric:
    """Read ``{"name", "version", "items": [{"id", "section", "importance", "name", "description"}]}``."""
    items = tuple(
        RubricItem(
            id=entry["id"],
            section=Section(entry["section"]) if entry["section"] != "general" else None,
            importance=Importance(entry["importance"]),
            name=entry["name"],
            description=entry["description"],
            scope=entry.get("scope", ""),
        )
        for entry in data["items"]
    )
    return Rubric(name=data["name"], version=data["version"], items=items)

"""Checklists of a practice's own: NoteEval's file (resources/schema/noteeval.checklist-1.json), or a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from noteeval_desktop.documents.item_rules import RULES, rule_for
from noteeval_desktop.domain.case import Visit
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.rubric import (
    GENERAL,
    Importance,
    Rubric,
    RubricItem,
    place_of,
    rubric_from_json,
    rubric_to_json,
)
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.paths import lexicon

SCHEMA = "noteeval.checklist/1"
MOST_ITEMS, MOST_CHARACTERS = 200, 1_000
_ROW = tr("Row {row}")
_HEADER_WITHIN = 10  # rows: a form has its title above
Rows = Sequence[Sequence[str]]
_JSON_REMEDY = tr("Choose a checklist that NoteEval exported, or a table as CSV, XLSX or Markdown.")


@dataclass(frozen=True, slots=True)
class Imported:
    """``problems``: rows that have to be put right before the checklist is used, each in a sentence. ``notices``: what
    the reader should know of the rest."""

    rubric: Rubric
    problems: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def checklist_bytes(rubric: Rubric) -> bytes:
    """NoteEval's file."""
    return json.dumps({"schema": SCHEMA, **rubric_to_json(rubric)}, indent=1, ensure_ascii=False).encode()


def from_file(text: str, what: str) -> Imported:
    """NoteEval's own format. Raises InputError for another, a newer version of it, and a damaged file."""
    try:
        data = from_json(text)
        schema = data.get("schema")
    except (ValueError, AttributeError) as error:
        raise InputError(what, tr("is not a checklist"), _JSON_REMEDY) from error
    if isinstance(schema, str) and schema.startswith("noteeval.checklist/") and schema != SCHEMA:
        newer = tr("was written by a newer version of NoteEval")
        raise InputError(what, newer, tr("Update NoteEval, or have the checklist exported as a table."))
    if schema != SCHEMA:
        raise InputError(what, tr("is not a checklist"), _JSON_REMEDY)
    try:
        rubric = rubric_from_json(data)
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(what, tr("is damaged"), tr("Ask for the checklist again.")) from error
    unknown = next((item.rule for item in rubric.items if item.rule and item.rule not in RULES), None)
    if unknown is not None:
        problem = tr("asks for the rule “{rule}”, which this version of NoteEval does not have")
        raise InputError(what, problem.format(rule=unknown), tr("Update NoteEval."))
    return Imported(rubric, tuple(said for _, said in _problems(list(enumerate(rubric.items, 1)), tr("Item {row}"))))


def markdown_rows(text: str) -> Rows:
    """The lines of its tables, an empty row for each other line, so that rows count as lines; a title stays."""
    rows = []
    for line in text.splitlines():
        told = line.strip()
        if told.startswith("|") and not re.fullmatch(r"[|:\s-]+", told):
            cells = re.split(r"(?<!\\)\|", told.removeprefix("|").removesuffix("|"))
            rows.append([cell.replace("\\|", "|").strip(" *_`") for cell in cells])
        else:
            rows.append([told.lstrip("# ")] if told.startswith("#") else [])
    return rows


def from_rows(rows: Rows, name: str, what: str, known: Rubric) -> Imported:
    """A table with a line of headings. ``name``: of the checklist, where no title stands above them. An item that is
    named and explained as one of ``known`` stays that one, so that what has learned it judges it.

    Raises InputError for a table that is empty or names no column of items.
    """
    if not any(any(map(str.strip, row)) for row in rows):
        raise InputError(what, tr("is empty"), tr("Write one item per row, under a heading such as “Item”."))
    found = next(((n, c) for n, row in enumerate(rows[:_HEADER_WITHIN]) if "name" in (c := _columns(row))), None)
    if found is None:
        missing = tr("has no column for the items")
        raise InputError(
            what, missing, tr("Call the first column “Item”, and others “Description”, “Section” and “Required”.")
        )
    head, columns = found
    titles = [cell.strip() for row in rows[:head] for cell in row if cell.strip()]
    numbered, wrong, elsewhere = [], list[tuple[int, str]](), dict[str, int]()
    for number, row in enumerate(rows[head + 1 :], head + 2):
        cells = {use: " ".join(row[at].split()) if at < len(row) else "" for use, at in columns.items()}
        if any(cells.values()):
            item, own = _item(cells, elsewhere, known)
            numbered.append((number, item))
            wrong += [(number, tr("{row}: {problem}.").format(row=_ROW.format(row=number), problem=one)) for one in own]
    if not numbered:
        raise InputError(what, tr("has columns but no items"), tr("Write one item per row below the headings."))
    notices = [
        tr("The column “{name}” is not used.").format(name=cell.strip())
        for at, cell in enumerate(rows[head])
        if cell.strip() and at not in columns.values()
    ]
    notices += [
        tr(
            "“{name}” is not Subjective, Objective, Assessment or Plan: {items} under it will be looked for in the "
            "whole note."
        ).format(name=place, items=counted(count, "item"))
        for place, count in elsewhere.items()
    ]
    wrong += _problems(numbered, _ROW)
    problems = tuple(said for _, said in sorted(wrong, key=lambda one: one[0]))
    rubric = Rubric(titles[0] if titles else name, "1", _with_ids([item for _, item in numbered], known))
    return Imported(rubric, problems, tuple(notices))


def _columns(row: Sequence[str]) -> dict[str, int]:
    """What is where; the first of two columns for one thing."""
    named = [cell.strip().lower().rstrip(":") for cell in row]
    found: dict[str, int] = {}
    for use, variants in _forms()["columns"].items():
        at = next((named.index(one) for one in variants if one in named), None)
        if at is not None:
            found[use] = at
    return found


def _item(cells: Mapping[str, str], elsewhere: dict[str, int], known: Rubric) -> tuple[RubricItem, list[str]]:
    """With what is wrong. Counts in ``elsewhere`` the items under a heading that is none of the four."""
    problems = []
    place = _meaning("section", cells.get("section", ""))
    if place is None:
        elsewhere[cells["section"]] = elsewhere.get(cells["section"], 0) + 1
    importance = _meaning("importance", cells.get("importance", Importance.MANDATORY.value))
    if importance is None:
        problems.append(tr("“{said}” is not must, should or may").format(said=cells["importance"]))
    visit = _meaning("visit", cells.get("visit", ""))
    if visit is None:
        problems.append(tr("“{said}” is not any, first or later session").format(said=cells["visit"]))
    name, description = cells["name"].rstrip(" :"), cells.get("description", "")
    rule = cells.get("rule", "").lower() if "rule" in cells else rule_for(name)
    if rule and rule not in RULES:
        problems.append(tr("there is no rule “{said}”; NoteEval has {rules}").format(said=rule, rules=", ".join(RULES)))
    own = RubricItem(
        cells.get("id", ""),
        None if place in (None, GENERAL) else Section(place),
        Importance(importance or Importance.MANDATORY),
        name,
        description or name,
        rule=rule,
        formats=tuple(one.upper() for one in re.split(r"[,;/\s]+", cells.get("formats", "")) if one),
        visit=Visit(visit or Visit.ANY),
    )
    for one in known.items:
        same = one.name.lower() == name.lower() and ("section" not in cells or one.section is own.section)
        if (same or one.id == own.id) and description in ("", one.description):
            return replace(one, importance=own.importance, formats=own.formats, visit=own.visit), problems
    # One that is asked in other words is another item.
    return replace(own, id="" if own.id in [one.id for one in known.items] else own.id), problems


def _meaning(use: str, said: str) -> str | None:
    """What a cell stands for; None where it is none of the words for it."""
    return next((meaning for meaning, forms in _forms()[use].items() if said.lower() in forms), None)


@lru_cache(maxsize=1)
def _forms() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """What forms call columns, and what stands in them."""
    data: Mapping[str, Mapping[str, Sequence[str]]] = lexicon("checklist_tables.json")
    return data


def _problems(numbered: Sequence[tuple[int, RubricItem]], row: str) -> Iterator[tuple[int, str]]:
    """Each with the number of its row; 0 for what is about all of them."""
    if not numbered:
        yield 0, tr("It has no items.")
    first: dict[tuple[str, Section | None], int] = {}
    ids: dict[str, int] = {}
    for number, item in numbered:
        said = row.format(row=number)
        if not item.name.strip():
            yield number, tr("{row}: the item has no text.").format(row=said)
            continue
        if max(len(item.name), len(item.explained)) > MOST_CHARACTERS:
            long = tr("{row}: the item is longer than {most} characters.")
            yield number, long.format(row=said, most=f"{MOST_CHARACTERS:,}")
        before = first.setdefault((item.name.lower(), item.section), number)
        if before != number:
            twice = tr("{row}: “{name}” is already in row {before}.")
            yield number, twice.format(row=said, name=item.name, before=before)
        elif item.id and ids.setdefault(item.id, number) != number:
            yield number, tr("{row}: its id is that of row {before}.").format(row=said, before=ids[item.id])
    if len(numbered) > MOST_ITEMS:
        said = tr("It has {items}; a checklist can have at most {most}.")
        yield 0, said.format(items=counted(len(numbered), "item"), most=MOST_ITEMS)


def _with_ids(items: Sequence[RubricItem], known: Rubric) -> tuple[RubricItem, ...]:
    made: list[RubricItem] = []
    taken = [one.id for one in (*known.items, *items)]
    for item in items:
        made.append(replace(item, id=item.id or new_id(item.section, item.name, taken)))
        taken.append(made[-1].id)
    return tuple(made)


def new_id(section: Section | None, name: str, taken: Sequence[str]) -> str:
    """ "plan-next-visit", "note-place-of-service": of an item that is a checklist's own."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "item"
    numbers = ("", *(f"-{n}" for n in range(2, len(taken) + 3)))
    return next(one for number in numbers if (one := f"{place_of(section)}-{slug}{number}") not in taken)

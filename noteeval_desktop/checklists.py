"""The checklists that a note can be judged by: the one that ships, ready-made ones, and the practice's own.

Own ones lie as NoteEval's checklist files in the user's data folder, one a file, for others to copy: they hold no
clinical text. Reads and writes the disk: call it from a job.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from noteeval_desktop import documents, paths
from noteeval_desktop.documents.checklists import Imported, checklist_bytes
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric, RubricItem, rubric_from_json
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import private_folder, write_private


def shipped_rubric() -> Rubric:
    """TN-Eval's."""
    return rubric_from_json(from_json((paths.resources() / "rubrics" / "tn-eval.json").read_bytes()))


def ready_made() -> tuple[Rubric, ...]:
    """Starting points, each after a public source."""
    return tuple(rubric for _, rubric in _ready_made())


def _ready_made() -> list[tuple[Path, Rubric]]:
    files = sorted((paths.resources() / "checklists").glob("*.json"))
    return [(file, rubric_from_json(from_json(file.read_bytes()))) for file in files]


def own_folder() -> Path:
    return paths.data_folder() / "checklists"


def own_checklists() -> tuple[tuple[Rubric, ...], tuple[str, ...]]:
    """By name, and what is wrong with files that cannot be read."""
    found, problems = _own()
    return tuple(sorted(found.values(), key=lambda one: one.name.lower())), tuple(problems)


def keep_checklist(rubric: Rubric, before: str = "") -> None:
    """``before``: the name of the one whose place it takes, its own where that is empty. Raises OSError."""
    private_folder(own_folder())
    # A name may have nothing that every file system takes, and two may differ in nothing else.
    slug = re.sub(r"[^a-z0-9]+", "-", rubric.name.lower()).strip("-")[:60]
    new = own_folder() / f"{slug or 'checklist'}-{fingerprint(rubric.name)[:8]}.json"
    write_private(_file(before or rubric.name) or new, checklist_bytes(rubric))


def remove_checklist(name: str) -> None:
    """Cases that were judged by it keep it. Raises OSError."""
    if file := _file(name):
        file.unlink()


def _file(name: str) -> Path | None:
    return next((file for file, rubric in _own()[0].items() if rubric.name == name), None)


def _own() -> tuple[dict[Path, Rubric], list[str]]:
    found, problems = dict[Path, Rubric](), list[str]()
    for file in sorted(own_folder().glob("*.json")):
        try:
            found[file] = documents.read_checklist(file, shipped_rubric()).rubric
        except InputError as error:
            problems.append(str(error))
    return found, problems


def all_known() -> Rubric:
    """Every item of every checklist, to name those that notes were judged by; the first of each id."""
    every = (item for one in (shipped_rubric(), *own_checklists()[0], *ready_made()) for item in one.items)
    known: dict[str, RubricItem] = {}
    for item in every:
        known.setdefault(item.id, item)
    return replace(shipped_rubric(), items=tuple(known.values()))


def named(name: str) -> Rubric | None:
    """A checklist that ships, a ready-made or an own one, by its name; a ready-made one by its file's, too."""
    own, shipped = own_checklists()[0], shipped_rubric()
    stems = {file.stem: rubric for file, rubric in _ready_made()}
    known = stems | {one.name.lower(): one for one in (*stems.values(), shipped, *own)}
    return known.get(name.lower())


def with_items(rubric: Rubric) -> Rubric:
    """Raises InputError for one that is still empty: it would ask for nothing, and nobody would notice."""
    if not rubric.items:
        raise InputError(rubric.name, tr("this checklist has no items yet"), tr("Add some under “Checklists…”."))
    return rubric


def asked_for(option: str) -> Imported:
    """What ``--checklist`` names: a checklist by its name, or a file. Raises InputError, also where rows of a table
    are to be put right first."""
    found = named(option)
    if found is not None:
        return Imported(with_items(found))
    read = documents.read_checklist(Path(option), shipped_rubric())
    if read.problems:
        more = tr(" (and {count} more)").format(count=len(read.problems) - 1) if read.problems[1:] else ""
        problem = tr("cannot be used as it is: {problem}{more}")
        problem = problem.format(problem=read.problems[0].rstrip("."), more=more)
        raise InputError(Path(option).name, problem, tr("Correct the table and try again."))
    return read

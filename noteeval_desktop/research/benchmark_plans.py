"""Are the links between a note and the treatment plan found, and no others? On plans with notes by several hands."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Background, Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import GoalProgress, PlanLine, Thread, TreatmentPlan
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.protocol import FollowsPlan
from noteeval_desktop.measures.agreement import share
from noteeval_desktop.report.terminal import shares_row, table

_SIGNS = re.compile(r"\W+")


@dataclass(frozen=True)
class PlannedNote:
    """A note beside its client's plan. ``links``: by sentence id and line id, how it goes there; ``untouched``: ids of
    goals."""

    author: str
    client: str
    case: Case
    plan: TreatmentPlan
    links: Mapping[tuple[str, str], GoalProgress]
    untouched: frozenset[str]


def read_planned_notes(folder: Path) -> list[PlannedNote]:
    """Of every plan in ``folder``, one file each, as ``models/training/plans/GUIDE.md`` has it. A link whose sentence
    the reader of notes divides otherwise is the first part's. Raises InputError."""
    found: list[PlannedNote] = []
    for path in sorted(folder.glob("*.json")):
        try:
            found += _of_client(path.stem, from_json(path.read_text("utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(path.name, "is no plan with notes", "See models/training/plans/GUIDE.md.") from error
    if not found:
        raise InputError(folder.name, "holds no plans with notes", "Choose a folder of JSON files.")
    return found


def _of_client(client: str, data: Mapping[str, Any]) -> Iterator[PlannedNote]:
    text = data["plan_text"]
    told = [line for goal in data["goals"] for line in (goal, *goal["objectives"])] + data["interventions"]
    places = [text.index(line["text"]) for line in told]
    lines = (PlanLine(o["id"], o["text"], Span(p, p + len(o["text"]))) for o, p in zip(told, places, strict=True))
    plan = TreatmentPlan(text, tuple(lines))
    for own in data["notes"]:
        note = parse_note(own["text"])
        links = {
            (_sentence(link["sentence"], [(s.id, s.text) for s in note.sentences]), line): GoalProgress(
                link["progress"]
            )
            for link in own["links"]
            for line in link["to"]
        }
        case = Case(Transcript(()), note, background=Background(plan=plan))
        yield PlannedNote(client[0], client, case, plan, links, frozenset(own["untouched"]))


def _sentence(wanted: str, sentences: Sequence[tuple[str, str]]) -> str:
    folded = _SIGNS.sub(" ", wanted).strip().lower()
    for sentence_id, text in sentences:
        own = _SIGNS.sub(" ", text).strip().lower()
        if own and (folded in own or own in folded):
            return sentence_id
    raise ValueError("a link's sentence is not in its note")


def run_plans(
    notes: Sequence[PlannedNote],
    judge: FollowsPlan,
    cancel: threading.Event | None = None,
) -> dict[str, Any]:
    """Shares with their intervals over clients (95 %): of the links to a line, to a goal by any of its lines, and to an
    intervention, those found, and of those given those that are right; of the links found those with the right
    progress, and of those that say one; of the goals called untouched, and of the untouched, those that agree; how
    often the goal's likeliest sentence is right, where the note speaks to it. Raises JudgeError, Cancelled."""
    counted: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for own in notes:
        for thread in judge.thread(own.case, cancel or threading.Event()):
            _count(own, thread, counted)
    return {
        "plans": len({one.client for one in notes}),
        "notes": len(notes),
        "links": sum(len(one.links) for one in notes),
        **{name: share(values) for name, values in counted.items()},
    }


def plans_text(result: Mapping[str, Any]) -> str:
    if "requests" in result:
        return tr("{count} requests.").format(count=result["requests"])
    rows = [[tr("Links to the treatment plan"), tr("Of"), tr("Share"), tr("95 % interval")]]
    rows += [[name, *shares_row(own)] for name, own in result.items() if isinstance(own, dict)]
    return table(rows)


def _count(own: PlannedNote, thread: Thread, counted: dict[str, list[tuple[str, float]]]) -> None:
    def count(name: str, values: Sequence[bool]) -> None:
        counted[name] += [(own.client, float(value)) for value in values]

    given = {(link.place, link.line): link for link in thread.note}
    for name, of_kind in _KINDS.items():
        true, said = (
            {(place, kept) for place, line in links if (kept := of_kind(line))} for links in (own.links, given)
        )
        count(f"{name}: found", [pair in said for pair in true])
        count(f"{name}: right", [pair in true for pair in said])
    both = [pair for pair in given if pair in own.links]
    count("progress right", [given[pair].progress is own.links[pair] for pair in both])
    said_so = [pair for pair in both if own.links[pair] is not GoalProgress.NONE]
    count("progress right, where it is said", [given[pair].progress is own.links[pair] for pair in said_so])
    untouched = {goal.id for goal in thread.untouched}
    count("untouched goals: found", [goal in untouched for goal in own.untouched])
    count("untouched goals: right", [goal in own.untouched for goal in untouched])
    for goal in own.plan.goals:
        likely = {one: one.probability or 1.0 for one in thread.note if _KINDS["goal"](one.line) == goal.id}
        nearest = max(likely, key=likely.__getitem__, default=None)
        if goal.id not in own.untouched and nearest is not None:
            count(
                "a goal's first sentence: right",
                [any(p == nearest.place and line.startswith(goal.id) for p, line in own.links)],
            )


# The links of each kind, a link to an objective as one to its goal.
_KINDS: dict[str, Callable[[str], str]] = {
    "line": lambda line: line,
    "goal": lambda line: line.partition(".")[0] if line.startswith("g") else "",
    "intervention": lambda line: line if line.startswith("i") else "",
}

"""One case of many: read, judged, written; whatever goes wrong with it stays with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from noteeval_desktop import documents
from noteeval_desktop.batch.pairs import Pair
from noteeval_desktop.compliance.earlier import background, day_in, in_files
from noteeval_desktop.domain.case import Background, Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import Cancelled, InputError, NoteEvalError, unexpected
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.notices import with_cuts, with_warnings
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.aggregate import Summary
from noteeval_desktop.present.problems import unjudged
from noteeval_desktop.report.files import write_json
from noteeval_desktop.report.json_layout import SCHEMA, evaluation_to_json

OVERWRITES = "its result would overwrite a transcript or a note. Choose another folder for the results."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a pair: ``status`` is done, resumed, incomplete (judge), failed (input) or cancelled.

    ``written``: its file holds what was judged. ``evaluation``: the same, where this process judged it. ``warnings``:
    of its case.
    ``reference``: ``measures.reference_metrics.METRICS`` to how much of the reference the note repeats, 0..1.
    ``found``: what ``Plan.work`` found.
    """

    pair: Pair
    status: str
    problem: str = ""
    evaluation: Mapping[str, Any] | None = None
    reference: Mapping[str, float] | None = None
    warnings: tuple[str, ...] = ()
    written: bool = False
    found: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """``jobs`` workers, each with a judge of its own; ``text`` False keeps texts out of the files.

    With ``scorecard_rubric`` a scorecard is written beside each JSON file, as a PDF and a web page. ``references``:
    notes are compared with their references, which takes the package rouge-score. ``taken``: names in the folder that
    are no results' to have. ``templates``: as ``Background`` has them.
    """

    folder: Path
    jobs: int = 1
    resume: bool = False
    text: bool = True
    scorecard_rubric: Rubric | None = None
    references: bool = False
    templates: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()
    work: Work | None = None


Work = Callable[[Pair, Callable[[], Any], Plan, threading.Event], Outcome]


def judge_pair(pair: Pair, judge: Callable[[], Judge], plan: Plan, cancel: threading.Event) -> Outcome:
    """Raises nothing. ``judge`` is asked for only where there is something to judge."""
    if cancel.is_set():
        return Outcome(pair, "cancelled")
    if pair.problem:
        return Outcome(pair, "failed", pair.problem)
    if plan.work is None and not plan.taken.isdisjoint(f"{pair.id}.{kind}" for kind in ("json", "pdf", "html")):
        return Outcome(pair, "failed", OVERWRITES)
    try:
        return (plan.work or _judged)(pair, judge, plan, cancel)
    except Cancelled:
        return Outcome(pair, "cancelled")
    except InputError as error:
        return Outcome(pair, "failed", str(error))
    except NoteEvalError as error:
        return Outcome(pair, "incomplete", str(error))
    # One row that fails takes no other with it.
    except Exception as error:
        return Outcome(pair, "incomplete", unexpected(error))


def _judged(pair: Pair, judge: Callable[[], Judge], plan: Plan, cancel: threading.Event) -> Outcome:
    case = read_case(pair, cancel, plan.templates)
    compared = _compared(pair, case, cancel) if plan.references else None
    kept = finished_before(plan, pair, case, judge())
    columns = {"columns": dict(pair.columns)} if plan.text and pair.columns else {}
    if kept is not None:
        if kept["case"].get("columns") != columns.get("columns"):
            others = {name: value for name, value in kept["case"].items() if name != "columns"}
            kept = {**kept, "case": others | columns}
            write_json(plan.folder / f"{pair.id}.json", kept)
        return Outcome(pair, "resumed", "", kept, compared, tuple(kept["case"]["warnings"]), True)
    before = judge().usage()  # of the cases that this judge had before
    end = final(evaluate(case, judge(), cancel=cancel))
    end = replace(end, evaluation=replace(with_cuts(end.evaluation), usage=end.evaluation.usage.since(before)))
    data = evaluation_to_json(end.evaluation, text=plan.text)
    data["case"] |= columns
    write_json(plan.folder / f"{pair.id}.json", data)
    if plan.scorecard_rubric is not None:
        # Here, not above: laying out a PDF loads a library that most commands do without.
        from noteeval_desktop.report.draw_html import write_html
        from noteeval_desktop.report.draw_pdf import write_pdf
        from noteeval_desktop.report.scorecard_page import scorecard_page

        page = scorecard_page(end.evaluation, rubric=plan.scorecard_rubric)
        write_html(page, plan.folder / f"{pair.id}.html")
        write_pdf(page, plan.folder / f"{pair.id}.pdf")
    warnings = tuple(end.evaluation.case.warnings)
    if end.cancelled:
        return Outcome(pair, "cancelled", "", data, None, warnings, True)
    status = "done" if end.evaluation.complete else "incomplete"
    return Outcome(pair, status, unjudged(end.evaluation), data, compared, warnings, True)


def _compared(pair: Pair, case: Case, cancel: threading.Event) -> Mapping[str, float] | None:
    """None for a row without a reference. Raises InputError, Cancelled."""
    reference = given_note(pair, "reference", cancel)
    if reference is None:
        return None
    # Here, not above: judging does without the package that it takes.
    from noteeval_desktop.measures.reference_metrics import rouge

    said, expected = (" ".join(s.text for s in note.sentences) for note in (case.note, reference))
    return rouge(expected, said)


def read_case(pair: Pair, cancel: threading.Event | None = None, templates: tuple[str, ...] = ()) -> Case:
    """Raises InputError, Cancelled."""
    transcript, note = given_transcript(pair, cancel), given_note(pair, "note", cancel)
    if transcript is None or note is None:
        raise InputError(pair.id, tr("lacks a transcript or a note"), tr("Give both."))
    known = Background(today=date.today(), templates=templates)
    if pair.others is not None:
        found, problems = in_files(pair.others, cancel)
        known = background(note, day_in(pair.date), found, problems, known)
    if "plan" in pair.texts:
        known = replace(known, plan=documents.parse_plan(pair.texts["plan"], pair.id))
    elif pair.plan is not None:
        known = replace(known, plan=documents.read_plan(pair.plan, cancel))
    return with_warnings(Case(transcript, note, label=pair.id, background=known))


def given_transcript(pair: Pair, cancel: threading.Event | None = None) -> Transcript | None:
    """None where the row has none. Raises InputError, Cancelled."""
    if "transcript" in pair.texts:
        return documents.transcript_from(pair.texts["transcript"], pair.id, pair.session)
    return documents.read_transcript(pair.transcript, pair.session, cancel) if pair.transcript else None


def given_note(pair: Pair, column: Literal["note", "reference"], cancel: threading.Event | None = None) -> Note | None:
    """None where the row has none. Raises InputError, Cancelled."""
    if column in pair.texts:
        return documents.note_from(pair.texts[column], pair.id)
    path = getattr(pair, column)
    return documents.read_note(path, cancel) if path else None


def readable(pairs: Iterable[Pair], cancel: threading.Event) -> Iterator[tuple[Pair, Case]]:
    """The rows that can be read, with what they hold; the others are told when they are judged. Raises Cancelled."""
    for pair in pairs:
        if cancel.is_set():
            raise Cancelled
        if pair.problem:
            continue
        try:
            case = read_case(pair, cancel)
        except Cancelled:
            raise
        except Exception:  # told with its row
            continue
        yield pair, case


def finished_before(plan: Plan, pair: Pair, case: Case, judge: Judge) -> Mapping[str, Any] | None:
    """The complete evaluation of the same files by the same judge, where the plan is to resume and there is one."""
    if not plan.resume:
        return None
    try:
        data: Mapping[str, Any] = from_json((plan.folder / f"{pair.id}.json").read_bytes())
        own, about = data["judge"], data["case"]
        complete = (data["schema"], data["complete"]) == (SCHEMA, True)
        found = (about["transcript_sha256"], about["note_sha256"], own["kind"], own["model"], own["version"])
        others = (own["rubric"], own["prompts"])
        Summary().add(data)  # what has not all that is summed up later is no result of ours
        tuple(about["warnings"])
        planned = (data.get("treatment_plan") or {}).get("sha256")
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    identity = judge.identity
    wanted = (case.transcript.source_sha256, case.note.sha256, identity.kind, identity.model, identity.version)
    beside = len(case.background.earlier) if case.background else 0
    same = complete and found == wanted and beside == (data.get("copied") or {"notes": 0})["notes"]
    same = same and others == (identity.rubric, identity.prompts)
    same = same and planned == (fingerprint(case.plan.text) if case.plan is not None else None)
    return data if same else None

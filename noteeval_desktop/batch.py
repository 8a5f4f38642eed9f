"""Many cases through the pipeline: a list of pairs in, a file a case and one summary out."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from noteeval_desktop import documents
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.errors import Cancelled, InputError, NoteEvalError, unexpected
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.judges.notices import with_cuts, with_warnings
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.aggregate import per_clinician, summary
from noteeval_desktop.report.files import write_json
from noteeval_desktop.report.json_layout import SCHEMA, evaluation_to_json

AGGREGATE_SCHEMA = "noteeval.aggregate/1"
_SAFE_ID = re.compile(r"[\w][\w .\-]{0,99}")
_MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the list; ``problem`` says why it cannot be judged, where it cannot.

    ``reference``: a note that somebody else wrote of the same session, to compare with. ``source``: who or what wrote
    the note; ``date``: of the session, as 2026-03-14.
    """

    id: str
    transcript: Path
    note: Path
    clinician: str = ""
    session: str | None = None
    problem: str = ""
    reference: Path | None = None
    source: str = ""
    date: str = ""

    @property
    def inputs(self) -> tuple[Path, ...]:
        files = (self.transcript, self.note, self.reference)
        return tuple(path for path in files if path is not None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a pair: ``status`` is done, resumed, incomplete (judge), failed (input) or cancelled.

    ``reference``: ``measures.reference_metrics.METRICS`` to how much of the reference the note repeats, 0..1.
    """

    pair: Pair
    status: str
    problem: str = ""
    evaluation: Mapping[str, Any] | None = None
    reference: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """``jobs`` workers, each with a judge of its own; ``text`` False keeps texts out of the files.

    With ``scorecard_rubric`` a PDF scorecard is written beside each JSON file. ``references``: notes are compared
    with their references, which takes the package rouge-score.
    """

    folder: Path
    jobs: int = 1
    resume: bool = False
    text: bool = True
    scorecard_rubric: Rubric | None = None
    references: bool = False


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Read a list with the columns transcript and note, and optionally id, clinician, reference, session,
    source, date.

    Paths are relative to the list. A row that cannot be used becomes a Pair with a ``problem``.
    Raises InputError when the list as a whole cannot be used.
    """
    text = _list_text(path)
    header = text.split("\n", 1)[0]
    reader = csv.DictReader(
        io.StringIO(text, newline=""),
        delimiter=";" if header.count(";") > header.count(",") else ",",
        strict=True,  # otherwise a quotation mark that is never closed takes the rows after it with it
    )
    names = {name.strip().lower(): name for name in reader.fieldnames or () if name}
    missing = [name for name in ("transcript", "note") if name not in names]
    if missing:
        raise InputError(path.name, f"has no column {' and '.join(missing)}", "The first line is: transcript,note")
    pairs, seen = [], set[str]()
    try:
        for number, row in enumerate(reader, start=1):
            cells = {name: (row.get(column) or "").strip() for name, column in names.items()}
            if any(cells.values()):
                pairs.append(_pair(number, cells, path.parent, seen))
    except csv.Error as error:
        raise InputError(path.name, f"is not a readable CSV file ({error})", "Export it again as CSV.") from error
    if not pairs:
        raise InputError(path.name, "lists no case", "Add a line for each transcript and its note.")
    return tuple(pairs)


def run(
    pairs: tuple[Pair, ...],
    make_judge: Callable[[], Judge],
    plan: Plan,
    cancel: threading.Event | None = None,
    report: Callable[[Outcome], None] = lambda outcome: None,
) -> tuple[Outcome, ...]:
    """Judge every pair; a bad one does not stop the others. ``report`` is called as each ends, one at a time.

    Raises JudgeError when no judge can be made.
    """
    cancel = cancel or threading.Event()
    pairs = _without_overwriting(pairs, plan)
    first, local, lock = make_judge(), threading.local(), threading.Lock()
    spare = [first]

    def judge() -> Judge:
        if not hasattr(local, "judge"):
            with lock:
                own = spare.pop() if spare else None
            local.judge = own or make_judge()
        kept: Judge = local.judge
        return kept

    def one(pair: Pair) -> Outcome:
        outcome = _outcome(pair, judge, plan, cancel)
        with lock:
            report(outcome)
        return outcome

    with ThreadPoolExecutor(max_workers=max(1, plan.jobs)) as workers:
        return tuple(workers.map(one, pairs))


def aggregate(outcomes: tuple[Outcome, ...]) -> dict[str, Any]:
    """The summary of a batch: what became of every case, and statistics over the complete ones."""
    compared = [outcome.reference for outcome in outcomes if outcome.reference is not None]
    complete = [(o.pair.clinician, o.evaluation) for o in outcomes if o.status in ("done", "resumed") and o.evaluation]
    return {
        "schema": AGGREGATE_SCHEMA,
        "judge": complete[0][1]["judge"] if complete else None,
        "cases": [
            {
                "id": outcome.pair.id,
                "clinician": outcome.pair.clinician or None,
                "source": outcome.pair.source or None,
                "date": outcome.pair.date or None,
                "status": outcome.status,
                "problem": outcome.problem or None,
                "scores": outcome.evaluation["scores"] if outcome.evaluation else None,
                "reference": outcome.reference,
            }
            for outcome in outcomes
        ],
        "reference": {name: fmean(one[name] for one in compared) for name in compared[0]} if compared else None,
        "summary": summary([evaluation for _, evaluation in complete]),
        "clinicians": per_clinician(complete),
    }


def _list_text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(path.name, "is larger than a list of cases can be", "Check that it is the right file.")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(path.name, "is not in UTF-8", "Save it as CSV UTF-8.") from error
    except OSError as error:
        raise InputError(path.name, f"cannot be read ({error.strerror})", "Check the path.") from error


def _pair(number: int, cells: Mapping[str, str], folder: Path, seen: set[str]) -> Pair:
    name = cells.get("id") or f"case-{number:03d}"
    problem = ""
    if not _SAFE_ID.fullmatch(name):
        problem = f"row {number}: the id cannot be a file name. Use letters, digits, dots, dashes and spaces."
        name = f"case-{number:03d}"
    if name.casefold() in seen:
        problem = f"row {number}: the id {name} stands twice. Give each case its own."
    elif not (cells["transcript"] and cells["note"]):
        problem = problem or f"row {number}: the transcript or the note is not named. Fill in both columns."
    seen.add(name.casefold())
    return Pair(
        id=name,
        transcript=folder / cells["transcript"],
        note=folder / cells["note"],
        clinician=cells.get("clinician", ""),
        session=cells.get("session") or None,
        problem=problem,
        reference=folder / cells["reference"] if cells.get("reference") else None,
        source=cells.get("source", ""),
        date=cells.get("date", ""),
    )


def _without_overwriting(pairs: tuple[Pair, ...], plan: Plan) -> tuple[Pair, ...]:
    """A note j.json with the id j, in the folder of the results, would be lost."""
    inputs = {os.path.realpath(path) for pair in pairs for path in pair.inputs}
    problem = "its result would overwrite a transcript or a note. Choose another folder for the results."

    def clashes(pair: Pair) -> bool:
        return any(os.path.realpath(plan.folder / f"{pair.id}{kind}") in inputs for kind in (".json", ".pdf"))

    return tuple(replace(pair, problem=problem) if clashes(pair) and not pair.problem else pair for pair in pairs)


def _outcome(pair: Pair, judge: Callable[[], Judge], plan: Plan, cancel: threading.Event) -> Outcome:
    if cancel.is_set():
        return Outcome(pair, "cancelled")
    if pair.problem:
        return Outcome(pair, "failed", pair.problem)
    target = plan.folder / f"{pair.id}.json"
    try:
        case = read_case(pair, cancel)
        compared = _compared(pair, case, cancel) if plan.references else None
        kept = finished_before(plan, pair, case, judge())
        if kept is not None:
            return Outcome(pair, "resumed", evaluation=kept, reference=compared)
        before = judge().usage()  # of the cases that this judge had before
        end = final(evaluate(case, judge(), cancel=cancel))
        end = replace(end, evaluation=replace(with_cuts(end.evaluation), usage=end.evaluation.usage.since(before)))
        data = evaluation_to_json(end.evaluation, text=plan.text)
        write_json(target, data)
        if plan.scorecard_rubric is not None:
            # Here, not above: laying out a PDF loads a library that most commands do without.
            from noteeval_desktop.report.pdf import write_pdf

            write_pdf(end.evaluation, plan.folder / f"{pair.id}.pdf", rubric=plan.scorecard_rubric)
    except Cancelled:
        return Outcome(pair, "cancelled")
    except InputError as error:
        return Outcome(pair, "failed", str(error))
    except NoteEvalError as error:
        return Outcome(pair, "incomplete", str(error))
    # One row that fails takes no other with it.
    except Exception as error:
        return Outcome(pair, "incomplete", unexpected(error))
    if end.cancelled:
        return Outcome(pair, "cancelled", evaluation=data)
    problem = " ".join(end.evaluation.problems)
    return Outcome(pair, "done" if end.evaluation.complete else "incomplete", problem, data, compared)


def _compared(pair: Pair, case: Case, cancel: threading.Event) -> Mapping[str, float] | None:
    """None for a row without a reference. Raises InputError, Cancelled."""
    if pair.reference is None:
        return None
    # Here, not above: judging does without the package that it takes.
    from noteeval_desktop.measures.reference_metrics import rouge

    reference = documents.read_note(pair.reference, cancel)
    said, expected = (" ".join(s.text for s in note.sentences) for note in (case.note, reference))
    return rouge(expected, said)


def read_case(pair: Pair, cancel: threading.Event | None = None) -> Case:
    """Raises InputError, Cancelled."""
    transcript = documents.read_transcript(pair.transcript, pair.session, cancel)
    return with_warnings(Case(transcript, documents.read_note(pair.note, cancel), label=pair.id))


def readable(pairs: Sequence[Pair], cancel: threading.Event) -> Iterator[tuple[Pair, Case]]:
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
        data: Mapping[str, Any] = json.loads((plan.folder / f"{pair.id}.json").read_bytes())
        own, about = data["judge"], data["case"]
        complete = (data["schema"], data["complete"]) == (SCHEMA, True)
        found = (about["transcript_sha256"], about["note_sha256"], own["kind"], own["model"], own["version"])
        others = (own["rubric"], own["prompts"])
        summary([data])  # what has not all that is summed up later is no result of ours
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    identity = judge.identity
    wanted = (case.transcript.source_sha256, case.note.sha256, identity.kind, identity.model, identity.version)
    same = complete and found == wanted and others == (identity.rubric, identity.prompts)
    return data if same else None


def counts(outcomes: tuple[Outcome, ...]) -> Iterator[tuple[str, int]]:
    """How many cases ended in each way, in the order of the table."""
    for status in ("done", "resumed", "incomplete", "failed", "cancelled"):
        number = sum(outcome.status == status for outcome in outcomes)
        if number:
            yield status, number

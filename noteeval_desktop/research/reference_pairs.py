"""Notes beside their references, one by one or in several processes, kept so that a later run goes on from there."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

from noteeval_desktop import batch
from noteeval_desktop.commands.run import (
    BAD_INPUT,
    CANCELLED,
    DONE,
    JUDGE_FAILED,
    Run,
    check_outputs,
    interrupted_at_once,
)
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.download import TimeLeft
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges import making
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import WINDOW, NotePair, ReferenceScorer
from noteeval_desktop.measures.clinical_terms import clinical_terms
from noteeval_desktop.report.terminal import ProgressBar
from noteeval_desktop.research.atomic_facts import WordsCompared, words_compared
from noteeval_desktop.research.facts import COUNTS, FactCounts, counted_facts, told_facts

Found = dict[str, Any]
Ask = Callable[[Any, NotePair, threading.Event], tuple[Found, str]]
_SAVED_EVERY = 30.0  # seconds


def read_list(run: Run) -> Sequence[batch.Pair]:
    """The rows of ``--pairs``, or the one note of ``--note`` and ``--reference``, which is read to see whether it can
    be. Raises InputError."""
    options = run.options
    alone = (options.note, options.reference, options.transcript)
    if options.pairs is None:
        if options.note is None or options.reference is None:
            problem, remedy = tr("needs a note and a reference"), tr("Give --note and --reference, or --pairs.")
            raise InputError(tr("The comparison"), problem, remedy)
        name, session = options.note.stem, options.session
        pair = batch.Pair(name, options.transcript, options.note, reference=options.reference, session=session)
        check_outputs({"--json": options.json, "--csv": options.csv}, alone)
        note_pair(pair, run.cancel)
        return [pair]
    if any(given is not None for given in alone):
        remedy = tr("Leave out --note, --reference and --transcript, or the list.")
        raise InputError("--pairs", tr("is used on its own"), remedy)
    with interrupted_at_once():
        listed = batch.Worklist(options.pairs, needed=("note", "reference"))
    rows = [dataclasses.replace(row, session=row.session or options.session) for row in listed]
    inputs = [options.pairs, *(file for row in rows for file in row.inputs)]
    check_outputs({"--json": options.json, "--csv": options.csv}, inputs)
    return rows


def note_pair(pair: batch.Pair, cancel: threading.Event | None = None) -> NotePair:
    """Raises InputError, Cancelled."""
    note, reference = batch.given_note(pair, "note", cancel), batch.given_note(pair, "reference", cancel)
    if note is None or reference is None:
        raise InputError(pair.id, tr("has no note or no reference"), tr("Fill in both columns."))
    return NotePair(note, reference, batch.given_transcript(pair, cancel))


def references(pairs: Collection[batch.Pair], cancel: threading.Event) -> Iterator[Note]:
    """Those that can be read; of the others it is told when their turn comes. Raises Cancelled."""
    for pair in pairs:
        with suppress(InputError):
            reference = batch.given_note(pair, "reference", cancel)
            if reference is not None and not pair.problem:
                yield reference


def compare_all(
    run: Run,
    pairs: Sequence[batch.Pair],
    make: Callable[[], Any],
    recipe: Callable[[ExitStack], Any],
    ask: Ask,
    setting: str,
    write: Callable[[list[batch.Outcome]], None],
) -> list[batch.Outcome]:
    """What became of each pair, in their order, once ``ask`` was asked about it with what ``make`` makes, or in other
    processes ``recipe``. Of what was found under the same ``setting`` by an earlier run with ``--resume``, nothing is
    asked again. ``write`` is given what there is every half minute. Raises JudgeError, InputError.
    """
    options, bar, left = run.options, ProgressBar(run.err), TimeLeft()
    work = partial(_compared, ask=ask, setting=setting, known=_known(run))
    jobs = min(options.jobs or 1, len(pairs))
    plan = batch.Plan(Path(), jobs, work=work)
    ended: list[batch.Outcome] = []
    saved = time.monotonic()

    def report(outcome: batch.Outcome) -> None:
        nonlocal left, saved
        ended.append(outcome)
        left = TimeLeft() if outcome.status == "resumed" else left  # what is found took no time
        bar.show(tr("Notes"), len(ended), len(pairs), left(len(ended), len(pairs)))
        if time.monotonic() - saved > _SAVED_EVERY:
            write(in_order())
            saved = time.monotonic()

    def in_order() -> list[batch.Outcome]:
        return sorted(ended, key=lambda outcome: outcome.pair.row)

    bar.show(tr("Notes"), 0, len(pairs), left(0, len(pairs)))
    if jobs > 1 and options.judge == "builtin" and run.anywhere:
        batch.run_in_processes(pairs, recipe, plan, run.cancel, report)
    else:
        batch.run(pairs, make, plan, run.cancel, report)
    bar.clear()
    return in_order()


def _compared(
    pair: batch.Pair,
    judge: Callable[[], Any],
    plan: batch.Plan,
    cancel: threading.Event,
    *,
    ask: Ask,
    setting: str,
    known: Mapping[str, Found],
) -> batch.Outcome:
    both = note_pair(pair, cancel)
    heard = both.session.source_sha256 if both.session is not None else ""
    key = fingerprint(setting, both.note.sha256, both.reference.sha256, heard)
    if key in known:
        return batch.Outcome(pair, "resumed", found=known[key])
    found, problem = ask(judge(), both, cancel)
    return batch.Outcome(pair, "incomplete" if problem else "done", problem, found=found | {"key": key})


def _known(run: Run) -> dict[str, Found]:
    """Key → what an earlier run wrote down, of those that were judged to the end."""
    options = run.options
    if not options.resume:
        return {}
    if options.json is None or str(options.json) == "-":
        raise InputError("--resume", tr("goes on from the file of --json"), tr("Name that file with --json."))
    try:
        notes = from_json(options.json.read_bytes())["notes"]
        return {one["key"]: one for one in notes if one.get("key") and not one.get("problem")}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        problem, remedy = tr("is not a result to go on from"), tr("Leave out --resume, or name another file.")
        raise InputError(options.json.name, problem, remedy) from error


def exit_code(run: Run, outcomes: Sequence[batch.Outcome]) -> int:
    """Says what went wrong with which note."""
    for outcome in outcomes:
        if outcome.status == "incomplete":
            run.say(tr("{note}: the judge failed: {problem}").format(note=outcome.pair.id, problem=outcome.problem))
        elif outcome.problem:
            run.say(f"{outcome.pair.id}: {outcome.problem}")
    ended = {outcome.status for outcome in outcomes}
    if "cancelled" in ended:
        return CANCELLED
    return JUDGE_FAILED if "incomplete" in ended else BAD_INPUT if "failed" in ended else DONE


def metrics_of(
    scorer: ReferenceScorer, pair: NotePair, cancel: threading.Event, *, frequencies: Mapping[str, float]
) -> tuple[Found, str]:
    """Of one pair, but for what compares within a set. Raises ModelError, Cancelled."""
    values, problem = scorer.of_pair(pair, frequencies, cancel)
    return {"metrics": values}, problem


def scorer_here(closing: ExitStack, *, rubric: Rubric, wanted: Collection[str], stemmed: bool, judged: bool) -> Any:
    """For a process of its own. Raises ModelError."""
    judge = making.builtin_judge(rubric, closing, threads=1) if judged else None
    encoder = making.encoder(closing, WINDOW, threads=1)
    return ReferenceScorer(encoder, clinical_terms(), judge, wanted=wanted, stemmed=stemmed)


def counter_here(closing: ExitStack, *, rubric: Rubric) -> Any:
    """For a process of its own. Raises ModelError."""
    return making.builtin_judge(rubric, closing, threads=1), words_compared()


def facts_of(counter: tuple[Judge, WordsCompared], pair: NotePair, cancel: threading.Event) -> tuple[Found, str]:
    """The counts of the note and of its sections, and each fact. Raises JudgeError, Cancelled."""
    told = told_facts(counter[0], pair.note, pair.reference, pair.session, counter[1], cancel)
    whole, sections = counted_facts(told)
    return {
        "facts": dataclasses.asdict(whole),
        "sections": {section.value: dataclasses.asdict(counts) for section, counts in sections.items()},
        "told": [fact.as_json() for fact in told],
    }, ""


def counts_from(found: Mapping[str, Any]) -> FactCounts:
    """Of what a judge counted one by one, as JSON has it."""
    counts = {name: int(found[name]) for name in COUNTS}
    return FactCounts(**counts | {"found": counts["reference"] - counts["omitted"]})

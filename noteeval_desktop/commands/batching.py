"""`noteeval batch` and `noteeval aggregate`."""

from __future__ import annotations

import importlib.util
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

from noteeval_desktop import batch as many
from noteeval_desktop import checklists
from noteeval_desktop.batch.results import STATUSES, Aggregate, Entry, aggregate_json, entries
from noteeval_desktop.commands.run import (
    BAD_INPUT,
    CANCELLED,
    DONE,
    JUDGE_FAILED,
    Run,
    check_outputs,
    check_scores,
    deliver_csv,
    deliver_pieces,
    interrupted_at_once,
    writable_folder,
)
from noteeval_desktop.commands.sending import as_remote, clear_to_send, write_preview
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note_rows import NoteRow, NoteState
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.notices import ANOTHER_SESSION
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.platform.processes import usable_processors
from noteeval_desktop.report.many.reading import row_of
from noteeval_desktop.report.parquet import ABOUT, AnalystTables, writing_tables
from noteeval_desktop.report.terminal import ProgressBar, table

_MOST_WORKERS = 8  # unless told otherwise: each holds about 400 MB


def batch(run: Run) -> int:
    """Many notes; a bad row does not stop the others."""
    options = run.options
    with interrupted_at_once():
        pairs = many.Worklist(options.pairs, options.shard, limit=options.limit)
    plan = _plan(run, pairs)
    if options.preview is not None:
        _preview(run, pairs, plan)
        return DONE
    judge_all = _way(run, pairs, plan)
    bar = ProgressBar(run.err)
    with many.Ledger(plan.folder, options.shard) as ledger:
        counts = judge_all(_reporter(run, ledger, bar, len(pairs)))
    bar.clear()
    if options.provider_batch and set(counts) <= {"done", "resumed"}:
        from noteeval_desktop.commands import provider

        provider.forget(options.out_dir)
    total = Aggregate()
    pieces = aggregate_json(entries([plan.folder], ledger.path), total)
    if options.aggregate:
        deliver_pieces(run, options.aggregate, pieces)
    elif options.fail_under:
        for _ in pieces:
            continue
    summary = total.result()["summary"]
    _show_counts(run, counts, summary)
    if run.cancel.is_set():
        return CANCELLED
    if counts["incomplete"] or counts["failed"]:
        return JUDGE_FAILED if counts["incomplete"] else BAD_INPUT
    return check_scores(run, summary["means"])


def _way(run: Run, pairs: many.Worklist, plan: many.Plan) -> Callable[[Callable[[many.Outcome], None]], Counter[str]]:
    """How all are to be judged, once what may be asked or sent beforehand is; takes what is told of each outcome."""
    options = run.options
    make_judge: Callable[[], Judge] = run.judge
    if options.judge == "builtin":
        recipe, jobs = partial(making.builtin_judge, run.rubric, threads=1), options.jobs or _workers()
        if options.scheduler is not None:
            # Here, not above: few have the package that it takes.
            from noteeval_desktop.batch.cluster import run_on_cluster

            return partial(run_on_cluster, pairs, recipe, replace(plan, jobs=jobs), options.scheduler, run.cancel)
        jobs = min(jobs, pairs.count_groups())
        if jobs > 1 and run.anywhere:
            return partial(many.run_in_processes, pairs, recipe, replace(plan, jobs=jobs), run.cancel)
        options.threads = options.jobs and 1
    elif options.scheduler is not None:
        raise InputError("--scheduler", tr("works with the built-in judge only"), tr("Leave it out."))
    if options.judge == "remote":
        make_judge = _cleared(run, pairs, plan)
    if options.provider_batch:
        # Here, not above: the other judges need no client.
        from noteeval_desktop.commands import provider

        make_judge = provider.judges_after_fetching(run, pairs, plan)
    return partial(many.run, pairs, make_judge, plan, run.cancel)


def _workers() -> int:
    """The cores that this process may use, or some of them."""
    return min(usable_processors(), _MOST_WORKERS)


def aggregate(run: Run) -> int:
    """The results of batches, read back one by one."""
    options = run.options
    for folder in options.folders:
        if not folder.is_dir():
            raise InputError(folder.name, tr("there is no such folder"), tr("Check the path."))
    named = {f"--{name}": getattr(options, name) for name in ("json", "parquet", "html", "pdf", "csv", "xlsx")}
    check_outputs(named, ())
    total, found = Aggregate(), _watched(run, entries(options.folders))
    rows: list[NoteRow] = []
    if options.html or options.pdf or options.csv or options.xlsx:
        found = _kept(rows, found)
    with ExitStack() as files:
        if options.parquet is not None:
            found = _into(files.enter_context(writing_tables(options.parquet)), found)
        pieces = aggregate_json(found, total)
        if options.json is not None:
            deliver_pieces(run, options.json, pieces)
        else:
            for _ in pieces:
                continue
    if not total.counts:
        raise InputError(
            options.folders[0].name, tr("holds no result of a batch"), tr("Name the folder that you gave as --out-dir.")
        )
    _write_overview(run, rows)
    summary = total.result()["summary"]
    _show_counts(run, total.counts, summary)
    run.show(_means(summary))
    return DONE


def _kept(rows: list[NoteRow], found: Iterator[Entry]) -> Iterator[Entry]:
    """An overview shows every note: a row of each is held, of a kilobyte or two."""
    for entry in found:
        if entry.evaluation is not None:
            row = row_of(entry.evaluation, {name: getattr(entry, name) for name in ABOUT})
        else:
            about = (entry.clinician, entry.source, entry.date[:7])
            state = NoteState.WAITING if entry.status == "cancelled" else NoteState.NOT_CHECKED
            row = NoteRow(entry.id, *about, complete=False, state=state, problem=entry.problem)
        rows.append(replace(row, number=len(rows) + 1, columns=entry.columns))
        yield entry


def _write_overview(run: Run, rows: list[NoteRow]) -> None:
    options = run.options
    if not rows:
        return
    # Here, not above: each loads a library that the other commands do without.
    from noteeval_desktop.report.many.figures import overview

    whole = overview(rows, checklists.all_known(), names=False)
    if options.html or options.pdf:
        from noteeval_desktop.report.draw_html import write_html
        from noteeval_desktop.report.draw_pdf import write_pdf
        from noteeval_desktop.report.many.overview_page import overview_page

        if options.html:
            write_html(overview_page(whole), options.html)
        if options.pdf:
            write_pdf(overview_page(whole), options.pdf)
    if options.csv or options.xlsx:
        from noteeval_desktop.report.many.notes_table import notes_csv, write_xlsx

        if options.csv:
            deliver_csv(run, options.csv, notes_csv(rows))
        if options.xlsx:
            write_xlsx(whole, options.xlsx)


def _into(tables: AnalystTables, found: Iterator[Entry]) -> Iterator[Entry]:
    for entry in found:
        tables.add({name: getattr(entry, name) for name in ABOUT}, entry.evaluation)
        yield entry


def _watched(run: Run, found: Iterator[Entry]) -> Iterator[Entry]:
    bar = ProgressBar(run.err)
    for number, entry in enumerate(found, start=1):
        if run.cancel.is_set():
            raise Cancelled
        yield entry
        bar.show(tr("Cases"), number, None)
    bar.clear()


def _means(summary: Mapping[str, Any]) -> str:
    rows = [["", tr("Mean"), tr("Median")]]
    for name, mean in summary["means"].items():
        if mean is not None:
            rows.append([name.capitalize(), f"{mean:.0%}", f"{summary['distributions'][name]['median']:.0%}"])
    return table(rows)


def _show_counts(run: Run, counts: Mapping[str, int], summary: Mapping[str, Any]) -> None:
    if counts:  # a part of a short list may hold nothing
        run.show(table([[one.capitalize(), str(counts[one])] for one in STATUSES if counts.get(one)]))
    if items := summary["not_judged"]["completeness"]:
        told = tr("{items} {were} not checked and {count} as not covered.")
        verbs = are(items, tr("was"), tr("were")), are(items, tr("counts"), tr("count"))
        run.note(told.format(items=counted(items, tr("checklist item")), were=verbs[0], count=verbs[1]))


def _preview(run: Run, pairs: many.Worklist, plan: many.Plan) -> None:
    judge = as_remote(run.judge())
    cases = tuple(_to_send(run, pairs, plan, judge))
    if run.options.provider_batch:
        from noteeval_desktop.commands import provider

        bodies = provider.lines(run, pairs, plan)
    else:
        bodies = (body for case in cases for some in judge.preview(case).values() for body in some)
    write_preview(run, judge, cases, bodies, run.options.preview)


def _cleared(run: Run, pairs: many.Worklist, plan: many.Plan) -> Callable[[], Judge]:
    """Makes judges, the first of them made already, once the user has agreed to send what is to be judged."""
    judge = run.judge()
    clear_to_send(run, judge, _to_send(run, pairs, plan, judge))
    spare = [judge]
    return lambda: spare.pop() if spare else run.judge()


def _to_send(run: Run, pairs: many.Worklist, plan: many.Plan, judge: Judge) -> Iterator[Case]:
    """The cases that are still to be judged. What cannot be read is told with its row, when that is judged."""
    for pair, case in many.readable(pairs, run.cancel):
        if many.finished_before(plan, pair, case, judge) is None:
            yield case


def _plan(run: Run, pairs: many.Worklist) -> many.Plan:
    """Where the results go, found writable before anything is judged."""
    options = run.options
    writable_folder(options.out_dir)
    inputs = itertools.chain([options.pairs], (path for pair in pairs for path in pair.inputs))
    results = (options.out_dir / f"{pair.id}.json" for pair in pairs)
    check_outputs({"--aggregate": options.aggregate, "--preview": options.preview}, inputs, results)
    rubric = run.rubric if options.pdf else None
    references = any(pair.reference is not None for pair in pairs)
    if references and importlib.util.find_spec("rouge_score") is None:
        run.note(tr("references are not compared: that needs the package rouge-score, in the extra measure."))
        references = False
    return many.Plan(
        options.out_dir, options.jobs or 1, options.resume, not options.no_text, rubric, references, run.templates
    )


def _reporter(run: Run, ledger: many.Ledger, bar: ProgressBar, total: int) -> Callable[[many.Outcome], None]:
    """Writes down and tells of each outcome as it comes, and moves the bar on."""
    bar.show(tr("Cases"), 0, total)
    ended = itertools.count(1)

    def report(outcome: many.Outcome) -> None:
        ledger.add(outcome)
        if outcome.problem:
            bar.clear()
            run.say(f"{outcome.pair.id}: {outcome.problem}")
        # Of a case's warnings the one that speaks of the list itself: two rows may have been mixed up.
        if ANOTHER_SESSION in outcome.warnings:
            bar.clear()
            run.say(f"{outcome.pair.id}: {ANOTHER_SESSION}")
        bar.show(tr("Cases"), next(ended), total)

    return report

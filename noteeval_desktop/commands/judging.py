"""`noteeval evaluate`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import date
from pathlib import Path

from noteeval_desktop import documents
from noteeval_desktop.commands.likert import check_marker, likert_table, likert_to_json, with_marks
from noteeval_desktop.commands.passwords import PDF_PASSWORD, new_password
from noteeval_desktop.commands.run import (
    CANCELLED,
    DONE,
    JUDGE_FAILED,
    STANDARD_INPUT,
    Run,
    check_outputs,
    check_piped,
    check_scores,
    deliver,
    deliver_csv,
    piped_in,
)
from noteeval_desktop.commands.sending import as_remote, clear_to_send, write_preview
from noteeval_desktop.compliance.earlier import beside_folder
from noteeval_desktop.documents.files import MOST_BYTES
from noteeval_desktop.domain.case import Background, Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.evaluate import Finished, Progress
from noteeval_desktop.evaluate import evaluate as judge_case
from noteeval_desktop.judges.llm.likert import Rating
from noteeval_desktop.judges.notices import ROLES_GUESSED, with_cuts, with_warnings
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.session_match import WRONG_SESSION
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.problems import unjudged
from noteeval_desktop.present.thread import thread_rows
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.json_layout import evaluation_to_json, scores_to_json
from noteeval_desktop.report.pdf_password import checked
from noteeval_desktop.report.scorecard_page import EVERYTHING
from noteeval_desktop.report.terminal import ProgressBar, evaluation_table, thread_table


def evaluate(run: Run) -> int:
    """One note against its session."""
    options = run.options
    outputs = {f"--{name}": getattr(options, name) for name in ("json", "pdf", "html", "csv", "preview")}
    check_outputs(outputs, (options.transcript, options.note, options.plan))
    check_piped(options.transcript, options.note, tr("cannot be both the session and the note"))
    password = _pdf_password(options)
    case = _case(run)
    judge = run.judge()
    if options.preview is not None:
        remote = as_remote(judge)
        remote.marks = options.likert
        bodies = (body for some in remote.preview(case).values() for body in some)
        write_preview(run, remote, [case], bodies, options.preview)
        return DONE
    if options.likert:
        check_marker(judge)
    clear_to_send(run, judge, [case])
    end = _judged(run, judge, case)
    ratings: tuple[Rating, ...] = ()
    if options.likert and not end.cancelled:
        evaluation, ratings = with_marks(run, judge, case, end.evaluation)
        end = Finished(evaluation, run.cancel.is_set())
    _write(run, end.evaluation, ratings, password)
    if end.cancelled:
        run.say(tr("cancelled; what was judged until then is in the files, marked incomplete."))
        return CANCELLED
    if end.evaluation.problems:
        said = unjudged(end.evaluation)
        run.say(
            f"{said} {tr('If it is the right one, add --right-session.')}"
            if WRONG_SESSION in said
            else tr("the judge failed. {said}").format(said=said)
        )
    if not end.evaluation.complete:
        return JUDGE_FAILED
    return check_scores(run, {name: score["note"] for name, score in scores_to_json(end.evaluation).items()})


def _case(run: Run) -> Case:
    """Read from the files, with what is to be said of them said."""
    options = run.options
    path, data = _given(options.transcript)
    transcript = documents.read_transcript(path, options.session, run.cancel, data)
    path, data = _given(options.note)
    note = documents.read_note(path, run.cancel, data)
    known = Background(today=date.today(), templates=run.templates)
    if options.earlier is not None:
        known = beside_folder(note, options.earlier, known, run.cancel)
    if options.plan is not None:
        known = replace(known, plan=documents.read_plan(options.plan, run.cancel))
    case = with_warnings(Case(transcript, note, options.label or "", options.right_session, known))
    for warning in case.warnings:
        if warning != ROLES_GUESSED:  # said with the result, on which it bears
            run.note(warning)
    return case


def _given(path: Path) -> tuple[Path, bytes | None]:
    """What is read, and what stands in it where that is piped in."""
    data = piped_in(path, MOST_BYTES)
    return (path if data is None else Path(STANDARD_INPUT)), data


def _judged(run: Run, judge: Judge, case: Case) -> Finished:
    bar = ProgressBar(run.err)
    for event in judge_case(case, judge, cancel=run.cancel):
        match event:
            case Progress():
                bar.show(event.question.value.capitalize(), event.done, event.total, event.seconds_left)
            case Finished():
                bar.clear()
                evaluation = with_cuts(event.evaluation)
                for warning in evaluation.case.warnings:
                    if warning not in case.warnings:
                        run.note(warning)
                return Finished(evaluation, event.cancelled)
    raise AssertionError("an evaluation ends with Finished")


def _write(run: Run, evaluation: Evaluation, ratings: tuple[Rating, ...], password: str) -> None:
    """The files that were asked for, then the table, where standard output is not taken by the JSON."""
    options, rubric = run.options, run.rubric
    if options.json is not None:
        data = evaluation_to_json(evaluation, text=not options.no_text)
        deliver(run, options.json, data | ({"likert": likert_to_json(ratings)} if options.likert else {}))
    if options.csv is not None:
        deliver_csv(run, options.csv, evaluation_to_csv(evaluation, text=not options.no_text))
    if options.html is not None or options.pdf is not None:
        # Here, not above: laying out a page loads libraries that the other files do without.
        from noteeval_desktop.report.draw_html import write_html
        from noteeval_desktop.report.draw_pdf import Paper, write_pdf
        from noteeval_desktop.report.scorecard_page import scorecard_page

        appendix, responses = EVERYTHING if options.appendix else (), evaluation.reading if options.responses else None
        page = scorecard_page(evaluation, rubric=rubric, responses=responses, appendix=appendix)
        if options.html is not None:
            write_html(page, options.html)
        if options.pdf is not None:
            write_pdf(page, options.pdf, paper=Paper(options.paper), password=password)
    run.show(evaluation_table(scorecard(evaluation, rubric)))
    if rows := thread_rows(evaluation):
        run.show(thread_table(rows))
    if ROLES_GUESSED in evaluation.case.warnings:
        run.show(f"note: {ROLES_GUESSED}")
    if options.likert:
        run.show(likert_table(ratings))


def _pdf_password(options: argparse.Namespace) -> str:
    """Empty for none; asked for, and refused, before anything is judged."""
    if not options.encrypt_pdf:
        return ""
    if options.pdf is None:
        raise InputError("--encrypt-pdf", tr("has no PDF to encrypt"), tr("Add --pdf OUT."))
    return checked(new_password(PDF_PASSWORD, tr("Password of the PDF")))

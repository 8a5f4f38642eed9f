"""What the window writes into files: the scorecard as PDF and web page, JSON, CSV, and the note.

Every function here reads or writes the disk, and loads a library that the first screen does without: call them from a
job.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from noteeval_desktop.errors import InputError

if TYPE_CHECKING:
    from noteeval_desktop.domain.decisions import Decision
    from noteeval_desktop.domain.evaluation import Evaluation
    from noteeval_desktop.domain.review import Review, Vouched
    from noteeval_desktop.domain.rubric import Rubric
    from noteeval_desktop.ui.case.files import Export, Settle
    from noteeval_desktop.ui.scorecard.pdf_dialog import PdfChoice

_ENOUGH_BYTES = 100_000


def _told(evaluation: Evaluation) -> Evaluation:
    """With the warnings that the command line writes into its files. Reads the whole session: call it from a job."""
    from noteeval_desktop.judges.notices import with_cuts, with_warnings

    return with_cuts(replace(evaluation, case=with_warnings(evaluation.case)))


def _masked(
    evaluation: Evaluation, decisions: tuple[Decision, ...], review: Review | None
) -> tuple[Evaluation, tuple[Decision, ...], Review | None]:
    """Raises EncoderMissing rather than tell a name that only the encoder finds."""
    from noteeval_desktop.judges.making import encoder, identifier_finder
    from noteeval_desktop.privacy.masked_evaluation import masked_scorecard

    with ExitStack() as closing:
        return masked_scorecard(evaluation, decisions, review, identifier_finder(encoder(closing)))


def by_ending(rubric: Rubric) -> dict[str, Export]:
    return {"pdf": partial(_write_scorecard, rubric), "json": _write_json, "csv": _write_csv}


def _write_json(evaluation: Evaluation, path: Path, decisions: tuple[Decision, ...], *_: object) -> None:
    from noteeval_desktop.domain.decisions import with_attested
    from noteeval_desktop.report.files import write_json
    from noteeval_desktop.report.json_layout import evaluation_to_json

    told = with_attested(_told(evaluation), decisions)
    write_json(path, evaluation_to_json(told, decisions=decisions))


def _write_csv(evaluation: Evaluation, path: Path, decisions: tuple[Decision, ...], *_: object) -> None:
    from noteeval_desktop.report.csv_layout import write_csv

    write_csv(evaluation, path, decisions=decisions)


def scorecard_bytes(
    rubric: Rubric, evaluation: Evaluation, decisions: tuple[Decision, ...], review: Review | None
) -> bytes:
    """As PDF, in memory."""
    from noteeval_desktop.report.draw_pdf import pdf_bytes
    from noteeval_desktop.report.scorecard_page import scorecard_page

    return pdf_bytes(scorecard_page(_told(evaluation), rubric=rubric, decisions=decisions, review=review))


def write_reviewed(
    rubric: Rubric,
    evaluation: Evaluation,
    path: Path,
    review: Review,
    vouched: Vouched,
    decisions: tuple[Decision, ...],
    choice: PdfChoice,
) -> None:
    """The scorecard with a review."""
    _write_scorecard(rubric, evaluation, path, decisions, choice, lambda told: told, review, vouched)


def _write_scorecard(
    rubric: Rubric,
    evaluation: Evaluation,
    path: Path,
    decisions: tuple[Decision, ...],
    choice: PdfChoice,
    settle: Settle,
    review: Review | None = None,
    vouched: Vouched | None = None,
) -> None:
    """``choice.more``: how the therapist answered or, with a review, the judge's marks beside the supervisor's."""
    from noteeval_desktop.report.draw_html import write_html
    from noteeval_desktop.report.draw_pdf import Paper, write_pdf
    from noteeval_desktop.report.fingerprints import fingerprints_of
    from noteeval_desktop.report.scorecard_page import scorecard_page

    told = _told(evaluation)
    prints, told = fingerprints_of(told, review, vouched), settle(told)
    if choice.masked:
        told, decisions, review = _masked(told, decisions, review)
    page = scorecard_page(
        told,
        rubric=rubric,
        responses=told.reading if choice.more and review is None else None,
        decisions=decisions,
        review=review,
        vouched=vouched,
        judge_marks=choice.more,
        appendix=choice.appendix,
        prints=prints,
    )
    write_pdf(page, path, paper=Paper(choice.paper), password=choice.password)
    if choice.page:
        write_html(page, path.with_suffix(".html"))


def write_note(path: Path, text: str, model: tuple[Path, str] | None) -> None:
    from noteeval_desktop import documents
    from noteeval_desktop.report.files import replacing

    as_word = path.suffix.lower() == ".docx"
    if model is not None and path == model[0]:
        content = documents.edited_note(path, model[1], text)
    elif not as_word:
        content = text.encode("utf-8")
    elif model is None:
        remedy = "Save the note as MD or TXT, or copy it with Copy note."
        raise InputError(path.name, "only a note that was opened from a Word document is saved as one", remedy)
    else:
        content = documents.edited_note(model[0], model[1], text, as_word=True)
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def looks_like_note(path: Path) -> bool:
    """By its content where it is text, by its name where that is quicker. Reads the disk: call it from a job."""
    from noteeval_desktop import documents

    name = path.name.lower()
    if path.suffix.lower() == ".pdf" or "note" in name:
        return True
    if path.suffix.lower() not in (".txt", ".md", ".json"):
        return False
    try:
        if not path.is_file():  # a pipe would be waited for
            return False
        with path.open("rb") as file:
            text = file.read(_ENOUGH_BYTES).decode("utf-8", "replace")
    except OSError:
        return False  # its reader says what is wrong with it
    return documents.looks_like_note(text) and not documents.looks_like_transcript(text)

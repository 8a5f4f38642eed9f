"""The scorecard with its review as a PDF, for whoever reviewed the note and for its author."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Review
from noteeval_desktop.ui.case.files import may_replace, scorecard_file
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.scorecard.pdf_dialog import PdfChoice, SavePdf, ask_pdf
from noteeval_desktop.ui.supervision import words, work
from noteeval_desktop.ui.supervision.work import Papers
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.jobs import problem, while_alive
from noteeval_desktop.ui.widgets.words import saved, saving


@dataclass(frozen=True, slots=True)
class Reviewed:
    """``evaluation`` is a judge's of the note that was reviewed; None where no judge has checked it."""

    case_id: str
    review: Review
    evaluation: Evaluation | None


class ReviewedPdf:
    def __init__(self, window: QWidget, access: Access, save: SavePdf, say: Callable[[str], object]) -> None:
        self._window, self._access, self._save, self._say = window, access, save, say

    def choose(self, reviewed: Reviewed) -> None:
        if reviewed.evaluation is None:
            self._say(words.NOTHING_JUDGED)
            return
        suggested = scorecard_file(reviewed.evaluation.case.label, "pdf")
        name = save_file(self._window, tr("Save the scorecard"), suggested, "PDF (*.pdf)")
        if name:
            path = Path(name if name.endswith(".pdf") else f"{name}.pdf")
            beside = tr("Add the judge's marks beside the supervisor's")
            ask_pdf(self._window, lambda choice: self.save_to(path, reviewed, choice), beside, reviewed=True)

    def save_to(self, path: Path, reviewed: Reviewed, choice: PdfChoice | None = None) -> None:
        evaluation, review, save = reviewed.evaluation, reviewed.review, self._save
        assert evaluation is not None
        wanted, page = choice or PdfChoice(), path.with_suffix(".html")

        def write(found: tuple[Papers, bool]) -> None:
            papers, taken = found
            # The file dialog asked about the PDF only.
            kept = taken and not may_replace(self._window, page.name)
            chosen = replace(wanted, page=False) if kept else wanted
            self._access.submit(
                lambda: save(evaluation, path, review, papers.vouched, papers.decisions, chosen),
                while_alive(self._window, done),
                while_alive(self._window, failed),
            )

        def done(_: object) -> None:
            self._access.note_export("reviewed-scorecard.pdf", reviewed.case_id)
            self._say(saved(path.name))

        def failed(error: Exception) -> None:
            self._say(problem(error))

        self._say(saving(path.name))
        case_id = reviewed.case_id
        self._access.run(
            lambda library: (work.papers(library, case_id, review), wanted.page and page.exists()),
            while_alive(self._window, write),
            while_alive(self._window, failed),
        )

"""Supervision as the main window sees it: a review begun, a note submitted, what came back to its author."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.present import standing
from noteeval_desktop.present.standing import whose
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseSummary
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.case.files import titled
from noteeval_desktop.ui.case.open_case import Settled
from noteeval_desktop.ui.case.opening import CaseDesk
from noteeval_desktop.ui.library.desk import LibraryDesk
from noteeval_desktop.ui.scorecard.pdf_dialog import SavePdf
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.feedback_window import FeedbackWindow, came_back, in_the_margin
from noteeval_desktop.ui.supervision.review_session import OpenReview
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.parts import tool
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import bring_up

if TYPE_CHECKING:
    from noteeval_desktop.ui.library.case_acts import CaseFile
    from noteeval_desktop.ui.supervision.endings import ReviewedPdf
    from noteeval_desktop.ui.supervision.window import ReviewWindow
    from noteeval_desktop.ui.supervision.work import Feedback
CameFrom = Literal["desk", "library", ""]


class SupervisionDesk(QObject):
    """Imports what a review needs when one is first asked for. ``help_text`` is the guide to reviewing."""

    def __init__(
        self, window: Shell, case: CaseDesk, library: LibraryDesk, rubric: Rubric, save_pdf: SavePdf, help_text: Path
    ) -> None:
        super().__init__(window)
        self._window, self._case, self._library, self._access = window, case, library, library.access
        self._rubric, self._save_pdf, self._help_text = rubric, save_pdf, help_text
        self.reviews: list[ReviewWindow] = []
        self._away: list[tuple[str, str]] = []
        self._came_back: Feedback | None = None
        self._said = ""
        self.dialog: QDialog | None = None
        self.feedback_window: FeedbackWindow | None = None
        self.sending: CaseFile | None = None
        self.pdf: ReviewedPdf | None = None
        case.session.note_opened.connect(lambda _: self._look_for_feedback())
        case.session.transcript_opened.connect(lambda _: self._close_feedback())
        case.workspace.editor.note_edited.connect(self._tell_of_changes)
        self._access.unlocked.connect(self._bring_back)
        self._access.locked.connect(self._forget_windows)
        library.locking.near.connect(self._keep_typed)
        asked, hint = window.commands["submit"].trigger, tr("Submit the note to your supervisor")
        self.submit_button = tool(tr("Submit for review…"), asked, hint=hint)

    # Reviewing

    def review(self, anew: bool = False) -> None:
        """Of the case that is chosen in the list, or is on the desk. ``anew``: under another name."""
        library, chosen = self._library, ""
        if library.list_window is not None:
            case = library.list_window.list.chosen()
            chosen = case.id if case is not None else ""
        elif library.kept is not None:
            chosen = library.kept.id
        if chosen:
            self._access.use(lambda: self.review_case(chosen, anew))
            return
        self._window.banner.say(tr("Choose the case to review in the library, then “Review as supervisor…”."))
        library.show_list()

    def review_case(self, case_id: str, anew: bool = False) -> None:
        for shown in self.reviews:
            if shown.session.shown.case_id == case_id and not anew:
                bring_up(shown)
                return

        def known(rater: Rater) -> None:
            if rater.name and not anew:
                self._begin(case_id, rater.name)
            else:
                self._ask_rater(case_id, rater)

        self._access.run(lambda library: library.supervision.rater(), known)

    def _ask_rater(self, case_id: str, known: Rater) -> None:
        from noteeval_desktop.ui.supervision.endings import AskRater

        asks = AskRater(self._window, known)

        def named() -> None:
            name = asks.name.text().strip()
            rater = Rater(name, known.credentials if name == known.name else "")
            self._access.answer(
                asks, lambda library: library.supervision.set_rater(rater), lambda _: self._begin(case_id, name)
            )

        self.dialog = asks.ask(named)

    def _begin(self, case_id: str, name: str) -> None:
        """What the judge said of the case leaves the desk first: a review begins blind. It ends where it began."""
        from noteeval_desktop.ui.supervision import work
        from noteeval_desktop.ui.supervision.endings import now

        case, library, rubric = self._case, self._library, self._rubric
        on_desk = library.kept is not None and library.kept.id == case_id
        if on_desk and not case.unsaved.settled():
            return
        if on_desk:
            case.opening.close_unasked()
        came_from: CameFrom = "desk" if on_desk else ""
        if library.list_window is not None:
            library.list_window.close()
            came_from = "library"
        show = partial(self._show_review, came_from)
        self._access.run(lambda opened: work.begin(opened, case_id, name, rubric, now), show)

    def _show_review(self, came_from: CameFrom, opened: OpenReview) -> None:
        from noteeval_desktop.ui.supervision.window import ReviewWindow

        window, size = self._window, self._window.settings.font_size
        shown = ReviewWindow(opened, self._access, self._rubric, size, self._help_text, self._save_pdf, window)
        shown.closed.connect(lambda: self._on_closed(shown, came_from))
        shown.endings.finished.connect(self._library.refresh_list)
        self.reviews.append(shown)
        bring_up(shown)

    def _on_closed(self, shown: ReviewWindow, came_from: CameFrom) -> None:
        self.reviews.remove(shown)
        case_id, review = shown.session.shown.case_id, shown.session.review
        if self._access.library is None:
            self._away.append((case_id, review.rater))
        elif self._window.isVisible() and self._case.session.transcript is None and not self.reviews:
            if came_from == "desk" and not review.blind:
                self._library.open_case(case_id)
            elif came_from:
                self._library.show_list()

    def _keep_typed(self) -> None:
        for shown in self.reviews:
            shown.comments.keep_typed()

    def _bring_back(self) -> None:
        """Reviews that locking closed go on where they were."""
        away, self._away = self._away, []
        for case_id, rater in away:
            self._begin(case_id, rater)

    def _forget_windows(self) -> None:
        """Locking closes them; what they showed goes with them."""
        self.dialog, self.pdf = None, None

    # Submitting

    def submit(self) -> None:
        """The author's step; which one depends on where the case stands."""
        kept = self._library.kept
        if kept is None:
            keep = self._window.commands["keep_case"].trigger
            said = tr("Keep the case in the library before you submit it.")
            self._window.banner.say(said, [(tr("Keep this case…"), keep)])
            return
        self._access.run(lambda library: library.cases.summary(kept.id), partial(self._submit, kept.id))

    def _submit(self, case_id: str, case: CaseSummary) -> None:
        status = case.status
        if status is CaseStatus.DRAFT:
            self._ask_submit(case_id, CaseStatus.SUBMITTED)
        elif status is CaseStatus.RETURNED:
            self._ask_submit(case_id, CaseStatus.RESUBMITTED)
        else:
            actions = [(words.EXPORT_NOW, partial(self.export, case_id))]
            if CaseStatus.DRAFT in status.next:
                back = tr("Reopen it as a draft") if status is CaseStatus.APPROVED else tr("Withdraw it")
                again = tr("The case is a draft again.")
                actions.append((back, partial(self._set_status, case_id, CaseStatus.DRAFT, again)))
            self._window.banner.say(standing.said(case.stand), actions)

    def _ask_submit(self, case_id: str, status: CaseStatus) -> None:
        from noteeval_desktop.ui.findings.risk import open_risks

        again = status is CaseStatus.RESUBMITTED
        ready = self._library.ready.text()
        risks = open_risks(self._case.session.evaluation, self._case.session.set_aside)
        counts = tr("The note is saved as a revision and counts as submitted.")
        if again:
            counts = tr("The note is saved as a revision and counts as submitted again.")
        then = tr(
            "Export the case as one encrypted file for your supervisor afterwards, who reviews it in a library of "
            "their own."
        )
        said = f"{ready}. {counts} {then}" if ready else f"{counts} {then}"
        title = tr("Submit again") if again else tr("Submit the note")
        submits = tr("Submit anyway") if risks else tr("Submit")
        asks = Asking(self._window, title, f"{risks}\n\n{said}" if risks else said, submits)
        if risks:
            asks.skip.setDefault(True)

        def submit() -> None:
            # The library writes one thing after the other: the note is saved when the status changes.
            self._library.save()
            said = tr("The note was submitted again.") if again else tr("The note was submitted.")
            self._set_status(case_id, status, said, asks, [(words.EXPORT_NOW, partial(self.export, case_id))])

        self.dialog = asks.ask(submit)

    def _set_status(
        self,
        case_id: str,
        status: CaseStatus,
        said: str,
        asks: Asking | None = None,
        actions: list[tuple[str, Callable[[], object]]] | None = None,
    ) -> None:
        def done(_: object) -> None:
            self._window.banner.say(said, actions or [])
            self._library.refresh_list()

        def change(library: Library) -> None:
            library.cases.set_status(case_id, status)

        if asks is not None:
            self._access.answer(asks, change, done)
        else:
            self._access.run(change, done)

    def export(self, case_id: str) -> None:
        """One encrypted file for the other side."""
        from noteeval_desktop.ui.library.case_acts import CaseFile

        self.sending = CaseFile(self._window, self._access, self._window.banner.say)
        self.sending.choose(case_id)

    # What came back

    def _look_for_feedback(self) -> None:
        self._case.workspace.editor.show_comments(())
        self._came_back = None
        kept = self._library.kept
        if kept is not None:
            self._read_feedback(kept.id, self._tell_of_feedback)

    def _read_feedback(self, case_id: str, done: Callable[[Feedback], object]) -> None:
        from noteeval_desktop.ui.supervision import work

        self._access.run(lambda library: work.feedback(library, case_id), done)

    def _tell_of_feedback(self, feedback: Feedback) -> None:
        kept = self._library.kept
        if kept is None or kept.id != feedback.case_id:
            return  # another case was opened meanwhile
        self._came_back, self._said = feedback, ""
        if feedback.forged:
            self._window.banner.say(" ".join(feedback.forged))
        if feedback.review is not None:
            editor, rater = self._case.workspace.editor, whose(feedback.review.rater, feedback.vouched)
            editor.show_comments(in_the_margin(feedback.review, rater, editor.note_text()))
            self._settle(feedback)
            self._tell_of_changes()

    def _tell_of_changes(self) -> None:
        """Who answered the note; and that it was changed, as soon as what was approved reads otherwise."""
        came = self._came_back
        if came is not None and came.review is not None and came.note is not None:
            changed = came.note.text != self._case.workspace.editor.note_text()
            before = self._said
            self._said = came_back(came.stand, came.review, changed, came.mine, came.vouched)
            if self._said not in ("", before):
                show = (tr("Show the marks"), self.show_feedback)
                self._window.banner.say(" ".join((*came.forged, self._said)), [show])

    def _settle(self, feedback: Feedback, judges: bool = False) -> None:
        """The note, its scores and its risks as they were settled; or as the judge has them, which is asked for."""
        self._case.session.settle(Settled() if judges else Settled(feedback.review, feedback.note))

    def save_pdf(self) -> None:
        """The scorecard of the note on the desk with the review that came back of it."""
        from noteeval_desktop.ui.supervision.endings import ReviewedPdf

        kept, session = self._library.kept, self._case.session
        review = session.settled.about(session.judged)
        if kept is not None and review is not None:
            self.pdf = ReviewedPdf(self._window, self._access, self._save_pdf, self._window.banner.say)
            judged = session.judged and titled(session.judged, self._case.files.title)
            self.pdf.choose(kept.id, review, judged)

    def show_feedback(self) -> None:
        kept = self._library.kept
        if kept is None:
            said = tr(
                "Feedback comes with a case in the library. Import the file that you were sent there, and open it."
            )
            self._window.banner.say(said)
            return
        self._read_feedback(kept.id, self._show_feedback)

    def _show_feedback(self, feedback: Feedback) -> None:
        from noteeval_desktop.ui.supervision.endings import ReviewedPdf

        if feedback.review is None or feedback.note is None:
            self._window.banner.say(tr("There is no feedback on this note yet."))
            return
        transcript = self._case.session.transcript
        if transcript is None:
            return
        shown = FeedbackWindow(feedback, self._rubric, transcript, self._case.workspace, self._window)
        self.pdf = ReviewedPdf(shown, self._access, self._save_pdf, self._window.banner.say)
        shown.pdf_asked.connect(partial(self.pdf.choose, feedback.case_id, feedback.review, feedback.judged))
        shown.submit_asked.connect(self.submit)
        shown.judges.toggled.connect(partial(self._settle, feedback))

        def forget() -> None:
            shown.judges.setChecked(False)
            shown.deleteLater()
            if self.feedback_window is shown:
                self.feedback_window = None

        shown.finished.connect(lambda _: forget())
        self._close_feedback()
        self.feedback_window = shown
        shown.show()

    def _close_feedback(self) -> None:
        """Another case is on the desk: its note has none of the quoted words."""
        if self.feedback_window is not None:
            self.feedback_window.close()

    # The parts

    def close(self) -> None:
        """After the last job, when the program ends: marks that are not on the disk yet."""
        for shown in self.reviews:
            shown.saver.finish()

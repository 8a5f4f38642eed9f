"""How a review goes on once it is marked: handed in, differences settled, returned, approved, exported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from noteeval_desktop.domain.asked import RISK_AS, RiskAnswer, risk_answers
from noteeval_desktop.domain.phrases import are, counted, listed, tr
from noteeval_desktop.domain.review import CaseStatus, Review, Signature
from noteeval_desktop.domain.reviewed import settled_evaluation, settled_marks
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseSummary
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.findings.open_risks import open_risks
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.sending import CaseFile
from noteeval_desktop.ui.scorecard.pdf_dialog import SavePdf
from noteeval_desktop.ui.supervision import words, work
from noteeval_desktop.ui.supervision.dialogs import SettleOther, Sign
from noteeval_desktop.ui.supervision.passes import STAGE_NAMES
from noteeval_desktop.ui.supervision.review_session import OpenReview, ReviewSession
from noteeval_desktop.ui.supervision.reviewed_pdf import Reviewed, ReviewedPdf
from noteeval_desktop.ui.supervision.saving import Saver
from noteeval_desktop.ui.widgets.banner import Banner
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.jobs import problem, while_alive


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


class Endings(QObject):
    """``settled`` once a difference is; ``uncovered`` once the marks are in, ``finished`` once the note is returned or
    approved."""

    settled = Signal()
    uncovered = Signal()
    finished = Signal()

    def __init__(
        self, window: QWidget, session: ReviewSession, access: Access, saver: Saver, banner: Banner, save_pdf: SavePdf
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._access = window, session, access
        self._saver, self._banner = saver, banner
        self.dialog: QDialog | None = None
        self.file = CaseFile(window, access, banner.say)
        self.pdf = ReviewedPdf(window, access, save_pdf, banner.say)

    # Handing in

    def hand_in(self) -> None:
        session = self._session
        if session.writing or not session.review.blind:
            return
        left = {stage: total - done for stage, (done, total) in session.progress().items() if done < total}
        if left:
            total = sum(left.values())
            in_each = [
                tr("{count} in {stage}").format(count=count, stage=STAGE_NAMES[stage].lower())
                for stage, count in left.items()
            ]
            said = tr("{questions} {are} still open: {in_each}. J goes to the next one.")
            questions = counted(total, "question")
            self._banner.say(said.format(questions=questions, are=are(total), in_each=", ".join(in_each)))
            return
        items, sentences = session.not_asked
        not_asked = ((items, tr("checklist item")), (sentences, "sentence"))
        parts = [counted(count, what) for count, what in not_asked if count]
        explained = tr(
            "You cannot change your marks afterwards. You then see the judge’s marks and whose note it is, and settle "
            "the differences one by one."
        )
        if parts:
            said = tr("You were not asked about {what}. There the judge’s marks stand, shown as the judge’s.")
            explained = f"{explained}\n\n{said.format(what=listed(parts))}"
        submit = tr("Submit your marks")
        asks = Asking(self._window, submit, explained, submit, tr("Not yet"))
        asks.asked.connect(lambda: self._hand_in(asks))
        self._open(asks)

    def _hand_in(self, asks: Asking) -> None:
        session, shown = self._session, self._session.shown
        review = session.handed_in(now())

        def done(uncovered: OpenReview) -> None:
            asks.accept()
            self._banner.hide()
            session.uncover(uncovered)
            self._saver.save(session.review)
            self.uncovered.emit()

        self._run(lambda library: work.hand_in(library, shown, review), review, done, asks)

    # Settling

    def settle_other(self) -> None:
        session, review = self._session, self._session.review
        if not session.found or review.signature:
            return
        difference, settled = session.found[session.at].difference, session.settlement_here
        chosen, reason = (settled.agreed, settled.reason) if settled else (difference.judge, "")
        kinds = tuple(kind.value for kind in RiskKind)
        values = kinds if difference.place.startswith(RISK_AS) else words.values(difference.dimension)
        asks = SettleOther(self._window, difference.dimension, values, chosen, reason)

        def settle() -> None:
            asks.accept()
            if session.review == review:
                session.settle(asks.value, asks.reason.text().strip())
                self.settled.emit()

        asks.asked.connect(settle)
        self._open(asks)

    # The answer

    def answer(self, key: str) -> None:
        status = self._session.answers.get(key)
        if key == "P":
            self.pdf.choose(self.reviewed)
        elif key == "X":
            self._export()
        elif status is CaseStatus.APPROVED:
            self._access.run(lambda library: library.supervision.rater(), while_alive(self, self._ask_signature))
        elif status is CaseStatus.RETURNED:
            self._give_back()

    def _export(self) -> None:
        self.file.choose(self._session.shown.case_id)

    def _give_back(self) -> None:
        review = self._session.review
        comments = words.comments(len(review.comments))
        explained = tr(
            "The note goes back with your marks and {comments}. Export the case as one encrypted file, or leave it in "
            "this library if you both work with it."
        )
        title = tr("Return it for revision")
        asks = Asking(self._window, title, explained.format(comments=comments), tr("Return it"))
        back, said = replace(review, returned=now()), tr("Returned with {comments}.").format(comments=comments)
        asks.asked.connect(lambda: self._finish(back, CaseStatus.RETURNED, None, asks, said))
        self._open(asks)

    def _ask_signature(self, known: Rater) -> None:
        session, review = self._session, self._session.review
        open_ones = len(session.found) - session.settled_count
        known = replace(known, name=review.rater) if review.rater != known.name else known
        # What the supervisor found the note to say to a danger, or to be none, is closed.
        settled = session.evaluation and settled_evaluation(session.evaluation, review)
        marks = settled_marks(review)
        opposed = [turn for turn, answer in risk_answers(marks.items).items() if answer is RiskAnswer.OPPOSITE]
        doubts = [open_risks(settled, {}, session.shown.dismissed, opposed)]
        if wrong := sum(mark.verdict in ERRORS for mark in marks.claims):
            said = tr(
                "{statements} of this note {are} marked as misinterpreted, judged otherwise or not in the session."
            )
            doubts.append(said.format(statements=counted(wrong, "statement"), are=are(wrong)))
        left = tr("{differences} {are} not settled.") if open_ones else ""
        left = left.format(differences=counted(open_ones, "difference"), are=are(open_ones))
        asks = Sign(self._window, known, left, "\n".join(filter(None, doubts)))

        def sign() -> None:
            name, credentials = asks.name.text().strip(), asks.credentials.text().strip()
            signed = replace(review, signature=Signature(name, credentials, now()))
            signing = work.Signing(name, credentials, asks.passphrase.text())
            asks.passphrase.clear()
            said = tr("Approved and signed by {name}.").format(name=name)
            self._finish(signed, CaseStatus.APPROVED, signing, asks, said)

        asks.asked.connect(sign)
        self._open(asks)

    def _finish(
        self, review: Review, status: CaseStatus, signing: work.Signing | None, asks: Asking, said: str
    ) -> None:
        session = self._session
        case_id = session.shown.case_id

        def done(reached: CaseSummary) -> None:
            asks.accept()
            session.finished(review, reached.status, reached.stand)
            self.finished.emit()
            self._banner.say(said, [(words.EXPORT_NOW, self._export)])

        self._run(lambda library: work.finish(library, case_id, review, status, signing), review, done, asks)

    @property
    def reviewed(self) -> Reviewed:
        session = self._session
        return Reviewed(session.shown.case_id, session.review, session.evaluation)

    # The parts

    def _run(self, act: Callable[[Library], object], review: Review, done: Callable[..., object], asks: Asking) -> None:
        """``review`` is what this writes: whatever still waits to be saved is older."""
        session = self._session
        session.writing = True
        self._saver.forget(review)

        def written(result: object) -> None:
            session.writing = False
            done(result)

        def failed(error: Exception) -> None:
            session.writing = False
            self._saver.forget_nothing()
            asks.show_problem(problem(error))

        self._access.run(act, while_alive(self, written), while_alive(self, failed))

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

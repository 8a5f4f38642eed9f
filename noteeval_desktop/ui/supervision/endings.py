"""How a review goes on once it is marked: handed in, differences settled, returned, approved, exported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from noteeval_desktop.domain.asked import RISK_AS
from noteeval_desktop.domain.review import CaseStatus, Review, Signature
from noteeval_desktop.domain.reviewed import settled_evaluation, settled_marks
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.findings.open_risks import open_risks
from noteeval_desktop.ui.library import words as library_words
from noteeval_desktop.ui.library.sending import CaseFile
from noteeval_desktop.ui.supervision import words, work
from noteeval_desktop.ui.supervision.dialogs import SettleOther, Sign
from noteeval_desktop.ui.supervision.reviewed_pdf import Reviewed, ReviewedPdf
from noteeval_desktop.ui.supervision.work import OpenReview
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.jobs import while_alive

if TYPE_CHECKING:
    from noteeval_desktop.store.records import CaseSummary
    from noteeval_desktop.ui.supervision.window import ReviewWindow


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


class Endings:
    def __init__(self, window: ReviewWindow) -> None:
        self._window, self._round = window, window.round
        self.dialog: QDialog | None = None
        access, say = window.around.access, window.banner.say
        self.file = CaseFile(window, access, say)
        self.pdf = ReviewedPdf(window, access, window.around.save_pdf, say)

    # Handing in

    def hand_in(self) -> None:
        marking, window = self._round.marking, self._window
        if window.waiting or not marking.review.blind:
            return
        names = [one.name for one in marking.passes]
        left = [(name, total - done) for name, (done, total) in zip(names, marking.progress(), strict=True)]
        if any(count for _, count in left):
            window.banner.say(words.still_open(left))
            return
        explained = "\n\n".join(filter(None, (words.WHY_HAND_IN, words.accepted(*marking.not_asked))))
        asks = Asking(window, words.SUBMIT_YOUR_MARKS, explained, words.SUBMIT_YOUR_MARKS, words.NOT_YET)
        asks.asked.connect(lambda: self._hand_in(asks))
        self._open(asks)

    def _hand_in(self, asks: Asking) -> None:
        window, marking, shown = self._window, self._round.marking, self._round.shown
        review = marking.handed_in(now())

        def done(uncovered: OpenReview) -> None:
            asks.accept()
            window.banner.hide()
            marking.take(uncovered.review)
            self._round.uncover(uncovered)
            window.saver.save(marking.review)
            self._window.transcript.show_transcript(self._round.transcript)
            self._rest()

        self._run(lambda library: work.hand_in(library, shown, review), review, done, asks)
        window.panel.list.setFocus()

    # Settling

    def settle_other(self) -> None:
        one, review = self._round, self._round.marking.review
        if not one.found or review.signature:
            return
        difference = one.found[one.at].difference
        settled = one.settlement_here
        chosen, reason = (settled.agreed, settled.reason) if settled else (difference.judge, "")
        kinds = tuple(kind.value for kind in RiskKind)
        values = kinds if difference.place.startswith(RISK_AS) else words.values(difference.dimension)
        asks = SettleOther(self._window, difference.dimension, values, chosen, reason)

        def settle() -> None:
            asks.accept()
            if one.marking.review == review:
                one.settle(asks.value, asks.reason.text().strip())
                self._window.changed()

        asks.asked.connect(settle)
        self._open(asks)

    # The answer

    def answer(self, key: str) -> None:
        value = next((choice.value for choice in self._round.page.choices if choice.key == key), "")
        if value == "pdf":
            self.pdf.choose(self.reviewed)
        elif value == "file":
            self.file.choose(self._round.shown.case_id)
        elif value == CaseStatus.APPROVED:
            self.approve()
        elif value == CaseStatus.RETURNED:
            self.give_back()

    def give_back(self) -> None:
        review = self._round.marking.review
        explained = words.RETURN_EXPLAINED.format(comments=words.comments(len(review.comments)))
        asks = Asking(self._window, words.RETURN_IT_FOR_REVISION, explained, words.RETURN_IT)

        def returned() -> None:
            said = words.returned_with(words.comments(len(review.comments)))
            self._window.banner.say(said, [(words.EXPORT_NOW, self._export)])

        back = replace(review, returned=now())
        asks.asked.connect(lambda: self._finish(back, CaseStatus.RETURNED, None, asks, returned))
        self._open(asks)

    def _export(self) -> None:
        self.file.choose(self._round.shown.case_id)

    def approve(self) -> None:
        window = self._window
        window.around.access.run(work.rater, while_alive(window, self._ask_signature))

    def _ask_signature(self, known: Rater) -> None:
        one, review = self._round, self._round.marking.review
        open_ones = len(one.found) - one.progress_of_differences
        known = replace(known, name=review.rater) if review.rater != known.name else known
        # What the supervisor found the note to say to a danger, or to be none, is closed.
        settled = one.evaluation and settled_evaluation(one.evaluation, review)
        risks = open_risks(settled, {}, one.shown.dismissed)
        wrong = sum(mark.verdict in ERRORS for mark in settled_marks(review).claims)
        doubts = "\n".join(filter(None, (risks, words.still_wrong(wrong))))
        asks = Sign(self._window, known, words.unsettled(open_ones), doubts)

        def sign() -> None:
            name, credentials = asks.name.text().strip(), asks.credentials.text().strip()
            signed = replace(review, signature=Signature(name, credentials, now()))
            signing = work.Signing(name, credentials, asks.passphrase.text())
            asks.passphrase.clear()

            def approved() -> None:
                self._window.banner.say(words.approved_and_signed(name), [(words.EXPORT_NOW, self._export)])

            self._finish(signed, CaseStatus.APPROVED, signing, asks, approved)

        asks.asked.connect(sign)
        self._open(asks)

    def _finish(
        self,
        review: Review,
        status: CaseStatus,
        signing: work.Signing | None,
        asks: Asking | None,
        then: Callable[[], object] = lambda: None,
    ) -> None:
        case_id = self._round.shown.case_id

        def done(reached: CaseSummary) -> None:
            if asks is not None:
                asks.accept()
            self._round.marking.take(review)
            self._round.now_is(reached)
            self._rest()
            self._window.status_changed.emit()
            then()

        self._run(lambda library: work.finish(library, case_id, review, status, signing), review, done, asks)

    @property
    def reviewed(self) -> Reviewed:
        one = self._round
        return Reviewed(one.shown.case_id, one.marking.review, one.evaluation)

    # The parts

    def _run(
        self, act: Callable[[Library], object], review: Review, done: Callable[..., object], asks: Asking | None
    ) -> None:
        """``review`` is what this writes: whatever still waits to be saved is older."""
        window = self._window
        window.waiting = True
        window.saver.forget(review)

        def failed(error: Exception) -> None:
            window.waiting = False
            window.saver.forget_nothing()
            if asks is not None:
                asks.show_problem(library_words.problem(error))
            else:
                self._tell(error)

        window.around.access.run(act, while_alive(window, done), while_alive(window, failed))

    def _rest(self) -> None:
        self._window.waiting = False
        self._window.refresh()

    def _tell(self, error: Exception) -> None:
        self._window.banner.say(library_words.problem(error))

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

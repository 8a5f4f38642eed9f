"""How a review goes on once it is marked: handed in, differences settled, returned, approved, exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from noteeval_desktop.domain.asked import RISK_AS, RiskAnswer, risk_answers
from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import are, counted, listed, tr
from noteeval_desktop.domain.review import Dimension, Review, Signature, Vouched
from noteeval_desktop.domain.reviewed import settled_evaluation, settled_marks
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseSummary
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.case.files import may_replace, scorecard_file
from noteeval_desktop.ui.findings.risk import open_risks
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.case_acts import CaseFile
from noteeval_desktop.ui.scorecard.pdf_dialog import PdfChoice, SavePdf, ask_pdf
from noteeval_desktop.ui.supervision import words, work
from noteeval_desktop.ui.supervision.passes import STAGE_NAMES
from noteeval_desktop.ui.supervision.review_session import OpenReview, ReviewSession
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.jobs import at_the_end, while_alive
from noteeval_desktop.ui.widgets.parts import choice
from noteeval_desktop.ui.widgets.shell import Banner
from noteeval_desktop.ui.widgets.words import saved, saving


class Saver(QObject):
    """``kept(Review)`` once it is on the disk; ``failed(Exception)`` where it is not, and then the next mark tries
    again.

    Typing is faster than a flushed disk: while a state is being written the newer ones wait, and only the newest is
    written next.
    """

    kept = Signal(object)
    failed = Signal(object)

    def __init__(self, access: Access, library: Library, case_id: str, parent: QObject) -> None:
        super().__init__(parent)
        self._access, self._library, self._case_id = access, library, case_id
        self._waiting: Review | None = None
        self._writing: Review | None = None
        self._last: Review | None = None

    def save(self, review: Review) -> None:
        if review == (self._waiting or self._writing or self._last):
            return
        self._waiting = review
        if self._writing is None:
            self._write()

    def forget(self, kept: Review) -> None:
        """``kept`` is being written by another job, after everything here."""
        self._waiting, self._last = None, kept

    def forget_nothing(self) -> None:
        """That job failed: whatever comes next is written."""
        self._last = None

    def _write(self) -> None:
        review, self._waiting = self._waiting, None
        if review is None:
            return
        self._writing = review
        self._access.submit(self._job(review), while_alive(self, self._on_kept), while_alive(self, self._on_failed))

    def _job(self, review: Review) -> Callable[[], None]:
        library, case_id = self._library, self._case_id
        return lambda: library.cases.save_review(case_id, review)

    def _on_kept(self, _: object) -> None:
        kept, self._writing = self._writing, None
        self._last = kept
        self.kept.emit(kept)
        self._write()

    def _on_failed(self, error: Exception) -> None:
        """The state waits for the next mark, or for closing."""
        self._waiting = self._waiting or self._writing
        self._writing = None
        self.failed.emit(error)

    def hand_over(self) -> None:
        """Before the library is locked: what waits goes into the disk's lane, ahead of the locking."""
        review, self._waiting = self._waiting, None
        if review is not None:
            self._access.submit(self._job(review), lambda _: None)

    def finish(self) -> None:
        """After the last job, when the program ends: what was not written yet."""
        review = self._waiting or self._writing
        if review is not None:
            at_the_end(self._job(review))


class AskRater(Asking):
    """Under which name the marks are kept."""

    def __init__(self, parent: QWidget, known: Rater) -> None:
        explained = tr("Your marks are saved under this name, in the encrypted library only.")
        another = tr("“Review under another name…” changes it.")
        super().__init__(parent, tr("Who reviews?"), f"{explained} {another}", tr("Start the review"))
        self.name = self.field(tr("Your name"), shown=known.name)
        self.name.selectAll()

    def problem(self) -> str:
        return "" if self.name.text().strip() else tr("Enter your name, so that your marks can be told apart.")


class SettleOther(Asking):
    """What else was agreed on, and why."""

    def __init__(self, parent: QWidget, dimension: Dimension, values: Sequence[str], chosen: str, reason: str) -> None:
        super().__init__(
            parent, tr("Something else"), tr("What was agreed, and why? Both are saved with the review."), tr("Settle")
        )
        agreed = tr("Agreed")
        self.agreed = choice(agreed, ((words.value(dimension, value), value) for value in values), chosen)
        self.agreed.setEditable(True)
        self.form.addRow(agreed, self.agreed)
        self.reason = self.field(tr("Reason"), shown=reason)
        self.reason.setFocus()

    @property
    def value(self) -> str:
        """One of the values, or words of one's own."""
        text = self.agreed.currentText().strip()
        known = self.agreed.findText(text)
        return str(self.agreed.itemData(known)) if known >= 0 else text

    def problem(self) -> str:
        if not self.value:
            return tr("Enter what was agreed.")
        return "" if self.reason.text().strip() else tr("Give the reason, for those who read it later.")


class Sign(Asking):
    """The co-signature: name, credentials; the time is now."""

    def __init__(self, parent: QWidget, known: Rater, left: str, doubts: str) -> None:
        """``left`` says what is still open, ``doubts`` what speaks against signing; empty: nothing."""
        why = tr(
            "By signing you approve the note, and confirm that you checked what you were asked about against its "
            "session. Your name, credentials and the time are saved with the case and shown on its scorecard. The "
            "passphrase of your library shows that it is you."
        )
        explained = "\n\n".join(filter(None, (doubts, f"{why} {left}".strip())))
        title = tr("Approve and sign")
        super().__init__(parent, title, explained, tr("Approve and sign anyway") if doubts else title)
        self.name = self.field(tr("Name"), shown=known.name)
        self.credentials = self.field(tr("Credentials"), shown=known.credentials)
        self.credentials.setPlaceholderText(tr("LMFT, license 12345"))
        self.passphrase = self.field(tr("Passphrase of your library"), secret=True)

    def showEvent(self, event: QShowEvent) -> None:
        """What is known as a rule is not asked again; the passphrase always is."""
        super().showEvent(event)
        next((one for one in (self.name, self.credentials) if not one.text()), self.passphrase).setFocus()

    def problem(self) -> str:
        if not self.name.text().strip():
            return tr("Enter the name to sign with.")
        if not self.credentials.text().strip():
            return tr("Enter your credentials, such as LCSW, LMFT or PsyD.")
        missing = tr("Enter the passphrase of your library: nobody else can sign with it.")
        return "" if self.passphrase.text() else missing


class ReviewedPdf:
    """The scorecard with a review; ``evaluation`` is a judge's of the note that was reviewed, None where none has
    checked it."""

    def __init__(self, window: QWidget, access: Access, save: SavePdf, say: Callable[[str], object]) -> None:
        self._window, self._access, self._save, self._say = window, access, save, say

    def choose(self, case_id: str, review: Review, evaluation: Evaluation | None) -> None:
        if evaluation is None:
            self._say(words.NOTHING_JUDGED)
            return
        suggested = scorecard_file(evaluation.case.label, "pdf")
        name = save_file(self._window, tr("Save the scorecard"), suggested, "PDF (*.pdf)")
        if name:
            path = Path(name if name.endswith(".pdf") else f"{name}.pdf")
            beside = tr("Add the judge's marks beside the supervisor's")
            save = partial(self.save_to, path, case_id, review, evaluation)
            ask_pdf(self._window, save, beside, reviewed=True)

    def save_to(
        self, path: Path, case_id: str, review: Review, evaluation: Evaluation, choice: PdfChoice | None = None
    ) -> None:
        wanted, page, save = choice or PdfChoice(), path.with_suffix(".html"), self._save

        def write(found: tuple[tuple[Vouched, tuple[Decision, ...]], bool]) -> None:
            papers, taken = found
            # The file dialog asked about the PDF only.
            kept = taken and not may_replace(self._window, page.name)
            make = partial(save, evaluation, path, review, *papers, replace(wanted, page=False) if kept else wanted)
            self._access.run_for(self._window, lambda _: make(), done, self._say)

        def done(_: object) -> None:
            self._access.note_export("reviewed-scorecard.pdf", case_id)
            self._say(saved(path.name))

        self._say(saving(path.name))
        self._access.run_for(
            self._window,
            lambda library: (work.papers(library, case_id, review), wanted.page and page.exists()),
            write,
            self._say,
        )


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
            said = tr("You were not asked about {what}. There the judge’s marks are kept, labeled as the judge’s.")
            explained = f"{explained}\n\n{said.format(what=listed(parts))}"
        submit = tr("Submit your marks")
        asks = Asking(self._window, submit, explained, submit, tr("Not yet"))
        self.dialog = asks.ask(lambda: self._hand_in(asks))

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

        self.dialog = asks.ask(settle)

    # The answer

    def answer(self, key: str) -> None:
        status = self._session.answers.get(key)
        if key == "P":
            session = self._session
            self.pdf.choose(session.shown.case_id, session.review, session.evaluation)
        elif key == "X":
            self.file.choose(self._session.shown.case_id)
        elif status is CaseStatus.APPROVED:
            self._access.run(lambda library: library.supervision.rater(), while_alive(self, self._ask_signature))
        elif status is CaseStatus.RETURNED:
            self._give_back(self._session.review)

    def _give_back(self, review: Review) -> None:
        comments = words.comments(len(review.comments))
        explained = tr(
            "The note goes back with your marks and {comments}. Export the case as one encrypted file, or leave it in "
            "this library if you both work with it."
        )
        title = tr("Return it for revision")
        asks = Asking(self._window, title, explained.format(comments=comments), tr("Return it"))
        back, said = replace(review, returned=now()), tr("Returned with {comments}.").format(comments=comments)
        self.dialog = asks.ask(lambda: self._finish(back, CaseStatus.RETURNED, "", asks, said))

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
                "{statements} of this note {are} marked as misinterpreted, judged differently or not in the session."
            )
            doubts.append(said.format(statements=counted(wrong, "statement"), are=are(wrong)))
        left = tr("{differences} {are} not settled.") if open_ones else ""
        left = left.format(differences=counted(open_ones, "difference"), are=are(open_ones))
        asks = Sign(self._window, known, left, "\n".join(filter(None, doubts)))

        def sign() -> None:
            name, credentials = asks.name.text().strip(), asks.credentials.text().strip()
            signed = replace(review, signature=Signature(name, credentials, now()))
            passphrase = asks.passphrase.text()
            asks.passphrase.clear()
            said = tr("Approved and signed by {name}.").format(name=name)
            self._finish(signed, CaseStatus.APPROVED, passphrase, asks, said)

        self.dialog = asks.ask(sign)

    def _finish(self, review: Review, status: CaseStatus, passphrase: str, asks: Asking, said: str) -> None:
        session, case_id = self._session, self._session.shown.case_id

        def done(reached: CaseSummary) -> None:
            asks.accept()
            session.finished(review, reached.status, reached.stand)
            self.finished.emit()
            self._banner.say(said, [(words.EXPORT_NOW, partial(self.file.choose, case_id))])

        self._run(lambda library: work.finish(library, case_id, review, status, passphrase), review, done, asks)

    # The parts

    def _run(self, act: Callable[[Library], object], review: Review, done: Callable[..., object], asks: Asking) -> None:
        """``review`` is what this writes: whatever still waits to be saved is older."""
        session = self._session
        session.writing = True
        self._saver.forget(review)

        def written(result: object) -> None:
            session.writing = False
            done(result)

        def failed(said: str) -> None:
            session.writing = False
            self._saver.forget_nothing()
            asks.show_problem(said)

        self._access.run_for(self, act, written, failed)

"""What the frame shows of the case and its check: its name, what goes on, the glances, the risks, what can be done."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from noteeval_desktop.domain.decisions import with_answered, with_attested
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, open_risk
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.revisions import start
from noteeval_desktop.evaluate import Progress
from noteeval_desktop.present.problems import incomplete, not_english
from noteeval_desktop.present.scores import needs_said
from noteeval_desktop.ui.case.unsaved import not_saved
from noteeval_desktop.ui.findings.glance_row import glances
from noteeval_desktop.ui.findings.risk import all_named, answers
from noteeval_desktop.ui.judging import status
from noteeval_desktop.ui.shell.commands import COMMANDS
from noteeval_desktop.ui.shell.main_window import MainWindow

LOW = 600


class Checks(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._session = window, window.session
        self._unjudged, self._told_of_drafts = "", False
        self._draft, self._kept = "", ""
        session = self._session
        session.evaluation_finished.connect(self._on_evaluation)
        session.findings_changed.connect(self._show_glances)
        session.check_started.connect(self._on_check_started)
        session.check_ended.connect(self._rest)
        session.progress_made.connect(self._on_progress)
        window.opening.changed.connect(self._show_case)
        window.autosave.saved.connect(self._on_draft)
        window.unsaved.changed.connect(self._show_unsaved)
        window.workspace.undoing.answered.connect(self._show_answered)
        edit = next(menu for menu in window.menuBar().findChildren(QMenu) if window.commands["undo"] in menu.actions())
        undo = window.commands["undo"]
        edit.aboutToShow.connect(lambda: undo.setText(window.workspace.undoing.name or tr("Undo")))
        document = window.workspace.editor.document()
        document.modificationChanged.connect(
            lambda now: window.banner.qualify(tr("The note has changed since then.") if now else "")
        )
        self._rest()
        self.enable()
        window.resized.connect(self.enable)

    def _show_case(self) -> None:
        window, session = self._window, self._session
        window.header.show_case(window.files.title if session.ready or session.label else "")
        if session.ready:
            window.pages.setCurrentWidget(window.workspace)
        elif session.transcript is None and session.note_text is None:
            window.pages.setCurrentWidget(window.empty)
            window.empty.setFocus()
            self.show_kept("")
        self.enable()

    def _on_check_started(self) -> None:
        # The line stays empty until there is progress: one that runs to and fro would be motion that nobody asked for.
        self._window.status.show_working(tr("Getting ready…") if self._session.evaluation is None else tr("Checking…"))

    def _on_progress(self, progress: Progress) -> None:
        # With nothing to count it would run to and fro.
        self._window.progress.setRange(0, progress.total or 1)
        self._window.progress.setValue(progress.done)
        self._window.status.show_working(status.working(progress))

    def _rest(self) -> None:
        self._window.progress.setRange(0, 1)
        self._window.progress.reset()
        self._window.status.show_idle()

    def _on_evaluation(self, evaluation: Evaluation) -> None:
        self._window.status.show_checked(status.checked(evaluation))
        self.enable()
        # Once, though it is found at every pause in typing; what another judge might read is offered to one.
        window = self._window
        said = "" if evaluation.complete else incomplete(evaluation)
        if said and said != self._unjudged:
            choose = (tr("Choose another judge…"), window.commands["choose_judge"].trigger)
            window.banner.say(said, [choose] if not_english(evaluation) else [])
        elif not said and window.banner.text == self._unjudged:
            window.banner.hide()
        self._unjudged = said

    def _show_glances(self) -> None:
        window, session = self._window, self._session
        evaluation, settled = session.evaluation, session.settled
        self.enable()
        window.status.show_whose(
            settled.rater
            and tr("{rater}'s marks{more}").format(
                rater=settled.rater,
                more=tr(" where the note reads as before") if settled.about(session.judged) is None else "",
            )
        )
        found = session.findings()
        risk = open_risk(evaluation, [finding.ranked for finding in found])
        editor = window.workspace.editor
        writing, top = bool(evaluation) and editor.hasFocus(), editor.mapTo(window, QPoint()).y()
        named = evaluation is not None and all_named(evaluation.risks or ())
        window.risk_banner.show_risks(risk, named, writing)
        bar = editor.verticalScrollBar()
        if writing and (bar.value() or editor.document().isUndoAvailable()):
            # What comes above the note moves its lines from under the pointer no further than it must; one that was
            # just opened is read from its first line.
            window.column.activate()
            bar.setValue(bar.value() + editor.mapTo(window, QPoint()).y() - top)
        if evaluation is None:
            window.status.show_checked("")
            self._unjudged = ""
        else:
            first = session.first_look
            shown = with_answered(evaluation, session.decisions)
            answered = answers(shown, session.all_findings, session.set_aside)
            scores = with_attested(evaluation, session.decisions.values()).scores
            # What a judge that failed or was stopped left open is no change of the note.
            before = start(settled.of(first), evaluation) if first and evaluation.complete else None
            advised = sum(finding.kind is FindingKind.UNNEEDED for finding in found)
            window.glance_row.show_glances(glances(scores, before, risk, answered, advised, needs_said(evaluation)))

    def enable(self) -> None:
        judged, ready = self._session.evaluation is not None, self._session.ready
        for command in COMMANDS:
            if command.needs:
                self._window.commands[command.name].setEnabled(judged if command.needs == "check" else ready)
        # On a low screen the note needs the room more; the scores have a tab of their own.
        self._window.glance_row.setVisible(judged and self._window.height() >= LOW)
        self._window.status.setVisible(ready)

    def _show_answered(self, said: str) -> None:
        keys = self._window.commands["undo"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self._window.status.show_done(
            tr("{said} {keys} undoes it.").format(said=said, keys=keys) if said and keys else said
        )

    def show_kept(self, said: str) -> None:
        """How the library keeps the case on the desk."""
        self._kept = said
        self._show_unsaved()

    def _show_unsaved(self) -> None:
        window, parts = self._window, self._window.unsaved.parts
        window.setWindowModified(bool(parts))
        if not parts:
            self._draft = ""
        said = " · ".join(filter(None, (not_saved(parts).rstrip("."), self._draft))) if parts else self._kept
        window.status.show_draft(said)

    def _on_draft(self, when: datetime) -> None:
        """Where no keychain guards it that is said each time, and once in full."""
        window = self._window
        open_ = self._session.note_text is not None and window.library.kept is None and not window.autosave.guarded
        self._draft = tr("draft saved {when:%H:%M}{more}").format(
            when=when, more=tr(" without a passphrase") if open_ else ""
        )
        self._show_unsaved()
        if open_ and not self._told_of_drafts and not window.banner.text:
            self._told_of_drafts = True
            window.banner.say(
                tr(
                    "A draft of this case is saved while you write. This computer has no keychain to protect it: "
                    "anyone who can open your files can read the draft. Keep the case in the library to protect it "
                    "with a passphrase."
                ),
                [(window.commands["keep_case"].text(), window.commands["keep_case"].trigger)],
            )

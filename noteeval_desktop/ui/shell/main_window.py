"""The window: puts its parts together and answers its commands."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from noteeval_desktop.domain.decisions import with_attested
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.evaluate import Progress
from noteeval_desktop.report.problems import not_english
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui import wording
from noteeval_desktop.ui.case.autosave import Autosave, now
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.drafts import Draft
from noteeval_desktop.ui.case.empty_state import EmptyState, dropped_files
from noteeval_desktop.ui.case.files import Files
from noteeval_desktop.ui.case.left_drafts import LeftDrafts
from noteeval_desktop.ui.case.legacy_text import agreed
from noteeval_desktop.ui.case.opening import Opening
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.case.workspace import Workspace
from noteeval_desktop.ui.findings.glance_row import GlanceRow, glances
from noteeval_desktop.ui.findings.risk import risks_left_out, told_wrongly
from noteeval_desktop.ui.findings.risk_banner import RiskBanner
from noteeval_desktop.ui.judging.wiring import desk_for
from noteeval_desktop.ui.library.desk import LibraryDesk
from noteeval_desktop.ui.shell.actions import (
    NEED_A_CASE,
    NEED_A_CHECK,
    fill_menus,
    make_actions,
    set_keys,
    show_recent_menu,
)
from noteeval_desktop.ui.shell.answers import answers
from noteeval_desktop.ui.shell.header import Header
from noteeval_desktop.ui.shell.outside import Outside
from noteeval_desktop.ui.shell.settings_keeper import SettingsKeeper
from noteeval_desktop.ui.shell.status_line import StatusLine
from noteeval_desktop.ui.supervision.desk import SupervisionDesk
from noteeval_desktop.ui.widgets.banner import Banner
from noteeval_desktop.ui.widgets.jobs import JobRunner
from noteeval_desktop.ui.widgets.theme import READING_SIZES, Theme


class MainWindow(QMainWindow):
    def __init__(self, session: CaseSession, jobs: JobRunner, outside: Outside, settings: Settings) -> None:
        super().__init__()
        self.setWindowTitle("NoteEval")
        self.setAcceptDrops(True)
        self._unjudged, self._told_of_drafts = "", False
        self.session, self.jobs, self.outside, self.settings = session, jobs, outside, settings
        self.theme = outside.apply_theme(settings.theme)
        self.banner = Banner()
        self.files = Files(
            self, session, jobs, outside.exports, outside.write_text, self.banner.say, outside.looks_like_note
        )
        self.autosave = Autosave(jobs, outside.drafts, self._draft, self)
        self._keeper = SettingsKeeper(jobs, outside.save_settings, self.banner.say, self)
        self.commands = make_actions(self, answers(self), settings.keys)
        self._build()
        self._connect()
        self.unsaved = Unsaved(self)
        self.opening = Opening(self)
        session.accepts = partial(agreed, self)
        self.enable()
        self.judging = desk_for(self)
        self.library = LibraryDesk(self, outside.library)
        self.judging.keep_answers_in(self.library.access)
        self.supervision = SupervisionDesk(self)
        self.left_drafts = LeftDrafts(self)
        self.autosave.find_recent(self.show_recent)
        # Not on the header: a transcript or a note can be pasted at once.
        self.empty.setFocus()

    def _build(self) -> None:
        outside = self.outside
        self.workspace = Workspace(self.session, outside.rubric, self.theme)
        self.empty = EmptyState()
        self.header = Header(self.commands, outside.icons, self.theme)
        self.glance_row = GlanceRow(self.theme)
        self.risk_banner = RiskBanner(self.theme)
        self.status = StatusLine()
        self.progress = QProgressBar()
        self.progress.setObjectName("progress_line")
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(3)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.workspace)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self.header, self.glance_row, self.progress, self.risk_banner, self.banner):
            layout.addWidget(part)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.status)
        self.setCentralWidget(body)
        self.recent_menu = fill_menus(self.menuBar(), self.commands)
        self.workspace.set_reading_size(self.settings.font_size)
        self.resize(1280, 800)
        self._restore_layout()
        self._rest()

    def _connect(self) -> None:
        session, empty = self.session, self.empty
        session.evaluation_finished.connect(self._on_evaluation)
        session.findings_changed.connect(self._show_glances)
        session.check_started.connect(self._on_check_started)
        session.check_ended.connect(self._rest)
        session.progress_made.connect(self._on_progress)
        self.autosave.saved.connect(self._on_draft)
        self.autosave.failed.connect(self.banner.say)
        self.workspace.editor.note_edited.connect(self.autosave.note_edited)
        self.workspace.place_changed.connect(self.status.show_place)
        self.status.cancel_asked.connect(session.cancel)
        self.status.step_asked.connect(self.workspace.step)
        compare = self.commands["compare_responses"]
        self.workspace.findings.responses.compare_asked.connect(compare.trigger)
        self.risk_banner.show_asked.connect(self.workspace.show_finding)
        empty.transcript.dropped.connect(self.files.open_transcript)
        empty.note.dropped.connect(self.files.open_note)
        empty.transcript.choose_asked.connect(self.files.choose_transcript)
        empty.note.choose_asked.connect(self.files.choose_note)
        empty.transcript.paste_asked.connect(self.files.paste_transcript)
        empty.note.paste_asked.connect(self.files.paste_note)
        empty.note.write_asked.connect(lambda: self.files.open_note(""))
        empty.clipboard_asked.connect(lambda: self.opening.open_clipboard())
        empty.library_asked.connect(lambda: self.library.show_list())
        empty.sample_asked.connect(lambda: self.opening.open_sample())
        empty.recent_chosen.connect(lambda case: self.opening.open_recent(case))

    def show_tab(self, number: int) -> None:
        self.workspace.findings.show_tab(number)

    def show_recent(self, cases: object) -> None:
        self.empty.show_recent(cases)
        show_recent_menu(self.recent_menu, cases, self.opening.open_recent)

    # Checking

    def _on_check_started(self) -> None:
        self.progress.setRange(0, 0)
        self.progress.setProperty("state", "busy")
        self.status.show_working("Getting ready…" if self.session.evaluation is None else "Checking…")

    def _on_progress(self, progress: Progress) -> None:
        self.progress.setRange(0, progress.total or 0)
        self.progress.setValue(progress.done)
        self.status.show_working(wording.working(progress, progress.seconds_left))

    def _rest(self) -> None:
        self.progress.setRange(0, 1)
        self.progress.reset()
        self.status.show_idle()

    def _on_evaluation(self, evaluation: Evaluation) -> None:
        self.status.show_checked(wording.checked(evaluation.usage))
        self._say_unjudged(evaluation)
        self.enable()

    def _say_unjudged(self, evaluation: Evaluation) -> None:
        """Once, though it is found at every pause in typing; what another judge might read is offered to one."""
        said = "" if evaluation.complete else wording.incomplete(evaluation)
        if said and said != self._unjudged:
            choose = ("Choose another judge…", self.commands["choose_judge"].trigger)
            self.banner.say(said, [choose] if not_english(evaluation) else [])
        elif not said and self.banner.text == self._unjudged:
            self.banner.hide()
        self._unjudged = said

    def _show_glances(self) -> None:
        evaluation = self.session.evaluation
        self.glance_row.setVisible(evaluation is not None)
        session = self.session
        risks = risks_left_out(evaluation, self.outside.rubric, session.findings(), session.set_aside)
        wrong = told_wrongly(evaluation, session.findings())
        note = evaluation.case.note.text if evaluation else ""
        self.risk_banner.show_risks(risks or (), wrong, [f.span.of(note) for f in wrong if f.span])
        if evaluation is None:
            self.status.show_checked("")
            self._unjudged = ""
            self.enable()
        else:
            first = self.session.first_look
            risk = None if risks is None else len(risks)
            scores = with_attested(evaluation, self.session.decisions.values()).scores
            # What a judge that failed or was stopped left open is no change of the note.
            before = first.scores if first and evaluation.complete else None
            self.glance_row.show_glances(glances(scores, before, risk, len(wrong)))

    def enable(self) -> None:
        judged, ready = self.session.evaluation is not None, self.session.ready
        for name in NEED_A_CHECK:
            self.commands[name].setEnabled(judged)
        for name in NEED_A_CASE:
            self.commands[name].setEnabled(ready)
        self.glance_row.setVisible(judged)
        self.status.setVisible(ready)

    # Drafts and unsaved work

    def _draft(self) -> Draft:
        text = self.workspace.editor.note_text()
        session = self.session
        decisions = tuple(session.decisions.values())
        return Draft(now(), text, session.note_path, session.transcript, decisions, session.label)

    def _on_draft(self, when: datetime) -> None:
        """Where no keychain guards it that is said each time, and once in full."""
        open_ = self.library.kept is None and not self.autosave.guarded
        self.status.show_draft(f"draft kept {when:%H:%M}{' without a passphrase' if open_ else ''}")
        if open_ and not self._told_of_drafts and not self.banner.text:
            self._told_of_drafts = True
            self.banner.say(wording.DRAFT_UNGUARDED, [("Keep this case…", self.commands["keep_case"].trigger)])

    def unsaved_settled(self) -> bool:
        """True when nothing would be lost, or the writer agrees that it may be."""
        return self.unsaved.settled()

    def keep_settings(self, settings: Settings) -> None:
        """They hold from now on, and are written soon."""
        self.settings = settings
        self._keeper.keep(settings)

    # Looks

    def choose_theme(self, name: str) -> None:
        self.keep_settings(replace(self.settings, theme=name))
        self.show_theme(self.outside.apply_theme(name))

    def show_theme(self, theme: Theme) -> None:
        self.theme = theme
        for part in (self.workspace, self.header, self.glance_row, self.risk_banner):
            part.set_theme(theme)
        self.supervision.set_theme(theme)

    def choose_keys(self, changed: dict[str, str]) -> None:
        self.keep_settings(replace(self.settings, keys=changed))
        set_keys(self.commands, changed)

    def set_size(self, pixels: int) -> None:
        size = min(max(pixels, READING_SIZES[0]), READING_SIZES[1])
        self.keep_settings(replace(self.settings, font_size=size))
        self.workspace.set_reading_size(size)

    def _restore_layout(self) -> None:
        window, _, panes = self.settings.layout.partition(":")
        if window:
            self.restoreGeometry(QByteArray.fromHex(window.encode()))
        if panes:
            self.workspace.restoreState(QByteArray.fromHex(panes.encode()))

    # Events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_files(event)
        if paths:
            event.acceptProposedAction()
            self.opening.open_files(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.unsaved_settled() or not self.library.locking.may_close():
            event.ignore()
            return
        parts = (self.saveGeometry(), self.workspace.saveState())
        layout = ":".join(bytes(part.toHex().data()).decode("ascii") for part in parts)
        self.library.access.stop_backing_up()
        self.jobs.shut_down()
        self._keeper.finish(replace(self.settings, layout=layout))
        self.judging.close()
        self.supervision.close()
        self.library.close()
        self.autosave.finish()
        event.accept()

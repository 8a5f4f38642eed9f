"""The window: puts its parts together and answers its commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QMessageBox, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from noteeval_desktop.domain.decisions import with_attested
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.evaluate import Progress
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui import wording
from noteeval_desktop.ui.actions import NEED_A_CASE, NEED_A_CHECK, fill_menus, make_actions
from noteeval_desktop.ui.answers import answers
from noteeval_desktop.ui.autosave import Autosave, now
from noteeval_desktop.ui.banner import Banner
from noteeval_desktop.ui.case_session import CaseSession
from noteeval_desktop.ui.drafting import headings_for_unassigned
from noteeval_desktop.ui.drafts import Draft, RecentCase
from noteeval_desktop.ui.empty_state import EmptyState, dropped_files
from noteeval_desktop.ui.files import Files
from noteeval_desktop.ui.findings.risk import ledger, risks_left_out
from noteeval_desktop.ui.findings.risk_banner import RiskBanner
from noteeval_desktop.ui.glance_row import GlanceRow, glances
from noteeval_desktop.ui.header import Header
from noteeval_desktop.ui.jobs import JobRunner
from noteeval_desktop.ui.judging.wiring import desk_for
from noteeval_desktop.ui.outside import Outside
from noteeval_desktop.ui.status_line import StatusLine
from noteeval_desktop.ui.theme import READING_SIZES, Theme
from noteeval_desktop.ui.workspace import Workspace


class MainWindow(QMainWindow):
    def __init__(self, session: CaseSession, jobs: JobRunner, outside: Outside, settings: Settings) -> None:
        super().__init__()
        self.setWindowTitle("NoteEval")
        self.setAcceptDrops(True)
        self.session, self.jobs, self.outside, self.settings = session, jobs, outside, settings
        self.theme = outside.apply_theme(settings.theme)
        self.banner = Banner()
        self.files = Files(self, session, jobs, outside.exports, outside.write_text, self.banner.say)
        self.autosave = Autosave(jobs, outside.drafts, self._draft, self)
        self.commands = make_actions(self, answers(self))
        self._build()
        self._connect()
        self._enable()
        self.judging = desk_for(self)
        self.autosave.find(self._offer_draft, self.empty.show_recent)

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
        fill_menus(self.menuBar(), self.commands)
        self.workspace.set_reading_size(self.settings.font_size)
        self.resize(1280, 800)
        self._restore_layout()
        self._rest()

    def _connect(self) -> None:
        session, empty = self.session, self.empty
        session.transcript_opened.connect(self._on_transcript)
        session.note_opened.connect(self._on_note)
        session.evaluation_finished.connect(self._on_evaluation)
        session.findings_changed.connect(self._show_glances)
        session.check_started.connect(self._on_check_started)
        session.check_ended.connect(self._rest)
        session.progress_made.connect(self._on_progress)
        session.failed.connect(self.banner.say)
        self.autosave.saved.connect(lambda when: self.status.show_draft(f"draft kept {when:%H:%M}"))
        self.autosave.failed.connect(self.banner.say)
        self.workspace.editor.note_edited.connect(self.autosave.note_edited)
        session.decided.connect(self.autosave.note_edited)
        self.workspace.place_changed.connect(self.status.show_place)
        self.status.cancel_asked.connect(session.cancel)
        self.status.step_asked.connect(self.workspace.step)
        self.risk_banner.show_asked.connect(self.workspace.show_finding)
        empty.transcript.dropped.connect(self.files.open_transcript)
        empty.note.dropped.connect(session.open_note)
        empty.transcript.choose_asked.connect(self.files.choose_transcript)
        empty.note.choose_asked.connect(self.files.choose_note)
        empty.transcript.paste_asked.connect(self.files.paste_transcript)
        empty.note.paste_asked.connect(self.files.paste_note)
        empty.note.write_asked.connect(lambda: session.paste_note(""))
        empty.sample_asked.connect(self.open_sample)
        empty.recent_chosen.connect(lambda case: self.open_pair(case.transcript, case.note))

    def show_tab(self, number: int) -> None:
        self.workspace.findings.show_tab(number)

    def when_settled(self, act: Callable[[], object]) -> None:
        if self.unsaved_settled():
            act()

    # Opening

    def open_sample(self) -> None:
        if self.unsaved_settled():
            self.session.label = "Sample case (fictional)"
            self.open_pair(*self.outside.sample, remember=False)

    def open_pair(self, transcript: Path, note: Path, remember: bool = True) -> None:
        if remember:
            self.session.label = "Case"
        self.files.open_transcript(transcript)
        self.session.open_note(note)

    def open_files(self, paths: list[Path]) -> None:
        self.files.open_several(paths, self.outside.looks_like_note)

    def swap(self) -> None:
        """The transcript was opened as the note, and the other way round."""
        transcript, note = self.files.transcript_path, self.session.note_path
        if transcript is None or note is None:
            self.banner.say("Only files can be swapped. Open the transcript and the note anew.")
        elif self.unsaved_settled():
            self.open_pair(note, transcript)

    def close_case(self) -> None:
        if self.unsaved_settled():
            self.session.close_case()
            self.session.label = ""
            self.header.show_case("")
            self.files.transcript_path = None
            self.autosave.discard()
            self.workspace.editor.set_note_text("")
            self.empty.transcript.show_filled("")
            self.empty.note.show_filled("")
            self.pages.setCurrentWidget(self.empty)
            self.banner.hide()
            self._enable()

    def _on_transcript(self, transcript: Transcript) -> None:
        names = ", ".join(transcript.speakers[:3])
        self.empty.transcript.show_filled(f"{len(transcript.turns)} turns · {names}")
        if transcript.warnings:
            self.banner.say(" ".join(transcript.warnings))
        self._on_opened()

    def _on_note(self, note: Note) -> None:
        self.empty.note.show_filled(f"{len(note.sentences)} sentences · {note.format}" if note.text else "Written here")
        if headings_for_unassigned(note, SOAP[0]) is not None:
            choices = [(wording.SECTION_NAMES[s], partial(self._head_unassigned, note, s)) for s in SOAP]
            self.banner.say("Some text stands under no heading. Where does it belong?", choices)
        elif note.warnings:
            self.banner.say(" ".join(note.warnings))
        self._on_opened()

    def _on_opened(self) -> None:
        self.session.label = self.session.label or "Case"
        self.header.show_case(self.session.label)
        if self.session.ready:
            self.pages.setCurrentWidget(self.workspace)
            self.workspace.editor.setFocus()
            if self.files.transcript_path and self.session.note_path and self.session.label == "Case":
                self.autosave.remember(RecentCase(self.files.transcript_path, self.session.note_path, now()))
        self._enable()

    def _head_unassigned(self, note: Note, section: Section) -> None:
        place = headings_for_unassigned(note, section)
        if place is not None and note.text == self.workspace.editor.note_text():
            self.workspace.editor.insert_after(*place)

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
        if not evaluation.complete:
            self.banner.say(wording.incomplete(evaluation))
        self._enable()

    def _show_glances(self) -> None:
        evaluation = self.session.evaluation
        self.glance_row.setVisible(evaluation is not None)
        self._show_risk()
        if evaluation is not None:
            first = self.session.first_look
            looked = evaluation.omissions is not None or evaluation.risks is not None
            risk = len(self._risks_left_out()) if looked else None
            scores = with_attested(evaluation, self.session.decisions.values()).scores
            self.glance_row.show_glances(glances(scores, first.scores if first else None, risk))

    def _risks_left_out(self) -> tuple[Finding, ...]:
        evaluation, session = self.session.evaluation, self.session
        if evaluation is None:
            return ()
        found = ledger(evaluation, self.outside.rubric, session.set_aside)
        return risks_left_out(session.findings(), found)

    def _show_risk(self) -> None:
        self.risk_banner.show_risks(self._risks_left_out())

    def _enable(self) -> None:
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

    def _offer_draft(self, drafts: object) -> None:
        assert isinstance(drafts, tuple)
        if drafts:
            draft: Draft = drafts[0]
            said = f"NoteEval closed unexpectedly. A draft of {draft.saved:%d %b, %H:%M} was kept."
            self.banner.say(said, [("Bring it back", lambda: self._recover(draft))])

    def _recover(self, draft: Draft) -> None:
        self.session.label = draft.label or "Recovered draft"
        self.session.restore(draft.transcript, draft.note_text, draft.decisions)

    def note_saved(self) -> None:
        self.workspace.editor.document().setModified(False)

    def unsaved_settled(self) -> bool:
        """True when nothing would be lost, or the writer agrees that it may be."""
        if not self.workspace.editor.document().isModified():
            return True
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText("The note has changes that are not saved.")
        box.setInformativeText("Save it with Ctrl+S, or go on without the changes.")
        go = box.addButton("Discard the changes", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Keep writing", QMessageBox.ButtonRole.RejectRole))
        box.exec()
        return box.clickedButton() is go

    # Looks

    def choose_theme(self, name: str) -> None:
        self.settings = replace(self.settings, theme=name)
        self.show_theme(self.outside.apply_theme(name))

    def show_theme(self, theme: Theme) -> None:
        self.theme = theme
        for part in (self.workspace, self.header, self.glance_row, self.risk_banner):
            part.set_theme(theme)

    def set_size(self, pixels: int) -> None:
        size = min(max(pixels, READING_SIZES[0]), READING_SIZES[1])
        self.settings = replace(self.settings, font_size=size)
        self.workspace.set_reading_size(size)

    def _restore_layout(self) -> None:
        window, _, panes = self.settings.layout.partition(":")
        if panes:
            self.restoreGeometry(QByteArray.fromHex(window.encode()))
            self.workspace.restoreState(QByteArray.fromHex(panes.encode()))

    # Events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_files(event)
        if paths and self.unsaved_settled():
            event.acceptProposedAction()
            self.open_files(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.unsaved_settled():
            event.ignore()
            return
        parts = (self.saveGeometry(), self.workspace.saveState())
        layout = ":".join(bytes(part.toHex().data()).decode("ascii") for part in parts)
        self.outside.save_settings(replace(self.settings, layout=layout))
        self.jobs.shut_down()
        self.judging.close()
        self.outside.drafts.discard()
        event.accept()

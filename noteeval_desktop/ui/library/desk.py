"""The library and the case on the desk: keeping it, saving its revisions, opening others, locking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from noteeval_desktop.domain.case import Background
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.store.drafts import Draft
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseSummary, Pending
from noteeval_desktop.ui.case.autosave import now
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.opening import CaseDesk
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.library.about import COMMANDS, About
from noteeval_desktop.ui.library.access import Access, Place
from noteeval_desktop.ui.library.dialogs import LabelCase, OpenOrReview, labels_of
from noteeval_desktop.ui.library.locking import Locking, after_note
from noteeval_desktop.ui.library.revisions import HistoryWindow, Kept
from noteeval_desktop.ui.library.screen_lock import screen_lock
from noteeval_desktop.ui.library.work import Desk, KeptCase, Loaded
from noteeval_desktop.ui.widgets.jobs import at_the_end, problem
from noteeval_desktop.ui.widgets.parts import show_once
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, explain
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import bring_up

if TYPE_CHECKING:
    from noteeval_desktop.ui.library.list_window import LibraryWindow

_MOST = 4


def tell_recent(access: Access, show: Callable[[Sequence[tuple[str, str]]], object]) -> None:
    """``show`` gets the id and the label of each; nothing once the library is locked."""

    def found(cases: Sequence[CaseSummary]) -> None:
        if access.library is not None:
            show([(case.id, case.labels.label) for case in cases])

    access.run(lambda library: library.cases.find(limit=_MOST), found)


class ReadyLine(PlainLabel):
    """Empty while nothing has been checked."""

    def __init__(self, session: CaseSession) -> None:
        super().__init__("", look="muted")
        self._session = session
        self.setObjectName("ready")
        stays = tr("A suggestion stays open until you change the note, confirm it, or dismiss it with a reason.")
        explain(self, f"{stays} {tr('You can submit with open suggestions.')}")
        session.findings_changed.connect(self.refresh)

    def refresh(self) -> None:
        session = self._session
        text = ""
        if session.evaluation is not None and session.evaluation.complete:
            text, count = tr("Ready to submit: no suggestions left"), len(session.findings())
            if count:
                text = tr("{suggestions} left").format(suggestions=counted(count, "suggestion"))
        if text != self.text():
            announce(self, text)
        self.setText(text)
        self.setAccessibleName(text)


class LibraryDesk(QObject):
    """``review`` begins the review of a case; ``forget`` empties what judges hold. ``found``: there is a library.
    ``shown(str)``, ``told(str)``: what the case is called, and how it is kept."""

    found, shown, told = Signal(), Signal(str), Signal(str)

    def __init__(
        self,
        window: Shell,
        case: CaseDesk,
        place: Place,
        rubric: Rubric,
        review: Callable[[str], object],
        forget: Callable[[], object],
    ) -> None:
        super().__init__(window)
        self._window, self._case, self._session, self._rubric, self._review = window, case, case.session, rubric, review
        self.access = Access(window, window.jobs, place, window.banner.say)

        def unsaved_on_desk() -> tuple[KeptCase | None, Desk | None]:
            unsaved = case.unsaved.note or case.unsaved.beside_note
            return self.kept, self.on_desk() if self.kept is not None and unsaved else None

        self.locking = Locking(window, case, self.access, unsaved_on_desk, screen_lock(window), forget)
        self.locking.windows_closed.connect(self._forget_windows)
        self.locking.open_asked.connect(self.open_case)
        self.locking.open_with_asked.connect(self.open_with)
        self.ready = ReadyLine(case.session)
        self.list_window: LibraryWindow | None = None
        self.labelling: LabelCase | None = None
        self.asking: OpenOrReview | None = None
        self.history_window: HistoryWindow | None = None
        self.kept: KeptCase | None = None
        self._saved_text: str | None = None
        self._expected: Transcript | None = None
        self._drafted, self._saving = False, 0
        self.about = About(window, self.access, lambda: self.list_window or window)
        self.about.deleted.connect(self._on_deleted)
        session = self._session
        session.transcript_opened.connect(self._on_transcript)
        session.note_opened.connect(self._on_note)
        session.note_opened.connect(self._look_up_client)
        self.access.unlocked.connect(self._look_up_client)
        session.evaluation_finished.connect(self._on_evaluation)
        session.decided.connect(self._save_beside_note)
        session.speakers_changed.connect(self._save_beside_note)
        session.findings_changed.connect(self._on_findings)
        # What is on the desk may not be in the library that a backup brought back: it stays, as one not kept.
        self.access.restored.connect(lambda: self._on_deleted([self.kept.id] if self.kept is not None else ()))
        self.access.unlocked.connect(self.found)

    # Keeping

    def keep(self, done: Callable[[], object] = lambda: None) -> None:
        """ "Keep this case…": the passphrase is asked now, not before. ``done`` once it is kept."""

        def ask_label() -> None:
            suggested = labels_of(self._case.workspace.editor.note_text(), now())
            asks = LabelCase(self._window, tr("Keep the case"), suggested)
            self.labelling = asks.ask(lambda: self._keep(asks, done))

        if not self._session.ready:
            self._window.banner.say(tr("Open a session and its note first. Then you can keep the case."))
        elif self.kept is not None:
            self.save(done)
        else:
            self.access.use(ask_label, tr("Keep this case"))

    def _keep(self, asks: LabelCase, done: Callable[[], object]) -> None:
        labels, desk = asks.labels, self.on_desk()

        def kept(case: KeptCase) -> None:
            asks.accept()
            self._window.banner.hide()
            self.access.back_up()
            if self._session.transcript is desk.transcript:
                self.kept, self._session.label = case, labels.label
                self.shown.emit(labels.label)
                # From now on it is drafted in the library only.
                self._case.autosave.discard()
                self._show_saved(desk)
            self.refresh_list()
            self._look_up_client()
            done()

        self.access.run(
            lambda library: work.keep(library, desk, labels),
            kept,
            lambda error: asks.show_problem(problem(error)),
        )

    def save(self, done: Callable[[], object] = lambda: None, failed: Callable[[str], object] | None = None) -> None:
        """Ctrl+S on a kept case: a revision with its scores. ``failed`` gets what went wrong, where that is not said in
        the banner."""
        kept = self.kept
        if kept is None:
            return
        desk = self.on_desk()

        def saved(_: object) -> None:
            if self.kept is kept:
                self._show_saved(desk)
            self.refresh_list()
            done()

        def not_saved(error: Exception) -> None:
            (failed or self._window.banner.say)(problem(error))

        self.access.run(lambda library: kept.save(library, desk), saved, not_saved)

    def _show_saved(self, desk: Desk) -> None:
        case = self._case
        self._saved_text = desk.note_text
        self._kept_beside_note(desk)
        case.unsaved.note_kept(desk.note_text)
        if case.unsaved.note:
            case.autosave.note_edited()
        else:
            self._drafted = False
        self.told.emit(tr("kept in the library {now:%H:%M}").format(now=now()))

    def find_plan(
        self, owner: QObject, done: Callable[[TreatmentPlan | None], object], say: Callable[[str], object]
    ) -> None:
        """The treatment plan that is kept for the client whose case is on the desk, as its labels or the note name
        them; ``done`` is never called while the library is locked."""
        kept, named = self.kept, labels_of(self._case.workspace.editor.note_text(), now()).client

        def find(library: Library) -> TreatmentPlan | None:
            client = library.cases.summary(kept.id).labels.client if kept is not None else named
            return library.cases.plan_of(client)

        self.access.run_for(owner, find, done, say)

    def on_desk(self) -> Desk:
        draft = self._case.autosave.draft()
        assert draft.transcript is not None
        return Desk(draft.transcript, draft.note_text, self._session.judged, draft.decisions, draft.on_file)

    def file_keeper(self) -> Callable[[Path, str], object]:
        """For the job that writes the note's file: a kept case knows it when it is opened again."""
        library, kept = self.access.library, self.kept
        return partial(kept.save_file, library) if library is not None and kept is not None else lambda path, text: None

    # What happens on the desk

    def _look_up_client(self) -> None:
        """What the library knows of the client, for the check."""
        kept, text, transcript = self.kept, self._session.note_text, self._session.transcript
        case_id = kept.id if kept is not None else ""

        def known(found: Background) -> None:
            same = self.kept is kept and self._session.transcript is transcript
            if same and found != self._session.background:
                self._session.know(found)

        if text:
            self.access.run(lambda library: work.background_of(library, text, case_id), known)

    def _on_transcript(self, transcript: Transcript) -> None:
        if transcript is not self._expected:
            self._let_go()

    def _on_note(self, note: Note) -> None:
        if self._expected is None:
            self._let_go()
        self._expected = None

    def _on_findings(self) -> None:
        if self._session.transcript is None:
            self._let_go()

    def _let_go(self) -> None:
        """Another case is on the desk: nothing of it may go into the one that was kept."""
        self._forget_draft()
        self.kept, self._saved_text = None, None

    def _forget_draft(self) -> None:
        """What was typed last was neither saved nor wanted: it does not come back with the case."""
        kept, drafted = self.kept, self._drafted
        self._drafted = False
        if kept is not None and drafted:
            self.access.run(lambda library: library.cases.drop_draft(kept.id))

    def _on_evaluation(self, evaluation: Evaluation) -> None:
        """The scores of a revision that was saved before they were there."""
        kept = self.kept
        if kept is not None and evaluation.complete and evaluation.case.note.text == self._saved_text:
            self.access.run(lambda library: kept.save_evaluation(library, evaluation), lambda _: self.refresh_list())

    def _save_beside_note(self) -> None:
        """At once: of answers and speakers there are no revisions."""
        kept = self.kept
        if kept is None or self.access.library is None or not self._session.ready:
            return
        desk = self.on_desk()
        self._saving += 1

        def saved(_: object) -> None:
            self._saving -= 1
            if self.kept is kept:
                self._kept_beside_note(desk)

        def not_saved(error: Exception) -> None:
            self._saving -= 1
            self._window.banner.say(problem(error))

        self.access.run(lambda library: kept.save_beside_note(library, desk), saved, not_saved)

    @property
    def saving(self) -> bool:
        """Whether answers and speakers are on their way into the library."""
        return self._saving > 0

    def _kept_beside_note(self, desk: Desk) -> None:
        self._case.unsaved.kept(desk.transcript, {decision.subject: decision for decision in desk.decisions})

    def keep_draft(self, draft: Draft) -> bool:
        """For autosave: a kept case is drafted where nobody reads it without the passphrase. False: it is not kept."""
        kept, autosave = self.kept, self._case.autosave
        if kept is None:
            return False
        self._drafted = True
        self.access.run(
            lambda library: library.cases.save_draft(kept.id, draft.note_text),
            lambda _: autosave.note_kept(kept.id, draft.saved) if self.kept is kept and self._drafted else None,
            lambda error: autosave.failed.emit(problem(error)),
        )
        return True

    # Opening

    def show_list(self) -> None:
        """A library is made where there is none: whoever is sent a case file has kept nothing yet."""
        self.access.use(self._show_list, tr("Create the library"))

    def take_in(self, path: Path) -> None:
        """A case file that was dropped or opened like a document."""

        def ask() -> None:
            self._show_list()
            if self.list_window is not None:
                self.list_window.acts.import_from(path)

        self.access.use(
            ask,
            tr("Create the library"),
            tr(
                "A case file is imported into your library. There is none on this computer yet, so it is created now. "
                "Choose a new passphrase for it. This is not the file's passphrase, which you enter next. If you skip "
                "this, nothing is imported."
            ),
        )

    def _show_list(self) -> None:
        from noteeval_desktop.ui.library.list_window import LibraryWindow

        if self.list_window is None:
            about = tuple(self._window.commands[name] for name in COMMANDS)
            shown = LibraryWindow(self.access, self._window.settings.lock_minutes, about, self._window)
            shown.acts.open_asked.connect(self.open_case)
            shown.acts.review_asked.connect(self._review)
            shown.acts.gone.connect(self.on_gone)
            shown.lock_asked.connect(self.lock)
            shown.minutes_chosen.connect(
                lambda minutes: self._window.keep_settings(replace(self._window.settings, lock_minutes=minutes))
            )
            shown.finished.connect(lambda _: self._forget_list())
            self.list_window = shown
        bring_up(self.list_window)

    def _forget_list(self) -> None:
        if self.list_window is not None:
            self.list_window.deleteLater()
            self.list_window = None
            self.found.emit()  # labels may have changed, and cases gone

    def refresh_list(self) -> None:
        if self.list_window is not None:
            self.list_window.refresh()

    def on_gone(self, case_id: str) -> None:
        """The case on the desk was deleted from the library: it is no longer a kept one."""
        if self.kept is not None and self.kept.id == case_id:
            self._drafted = False
            self._let_go()
            self._case.workspace.editor.document().setModified(True)

    def _on_deleted(self, case_ids: Sequence[str]) -> None:
        for case_id in case_ids:
            self.on_gone(case_id)
        self.refresh_list()

    def open_case(self, case_id: str) -> None:
        """Asks first where a blind review of it is pending."""

        def looked(pending: Pending | None) -> None:
            if pending is None:
                self._load(case_id, spoiling=False)
            else:
                over, load = self.list_window or self._window, partial(self._load, case_id, spoiling=True)
                self.asking = OpenOrReview(over, pending, partial(self._review, case_id), load)
                self.asking.open()

        self.access.run(lambda library: library.cases.summary(case_id).pending, looked)

    def _load(self, case_id: str, spoiling: bool) -> None:
        if self._case.unsaved.settled():
            self._forget_draft()
            self.access.run(lambda library: work.load(library, case_id, spoiling), self._put_on_desk)

    def open_with(self, case_id: str, draft: Draft, otherwise: Callable[[], object]) -> None:
        """A kept case with a text that the library could not take; ``otherwise`` where the case cannot be opened."""

        def failed(error: Exception) -> None:
            self._window.banner.say(problem(error))
            otherwise()

        self.access.run(lambda library: work.with_draft(work.load(library, case_id), draft), self._put_on_desk, failed)

    def _put_on_desk(self, loaded: Loaded) -> None:
        opening, desk = self._case.opening, loaded.desk
        if self.list_window is not None:
            self.list_window.close()
        opening.close_unasked()
        self._expected = desk.transcript

        def show() -> None:
            self._case.workspace.editor.document().setModified(loaded.unsaved)
            self._kept_beside_note(loaded.held)
            if loaded.unsaved:
                self._window.banner.say(tr("This is the text as last typed. It is not saved as a revision yet."))
            elif desk.evaluation is not None:
                self._session.show_kept(desk.evaluation, loaded.warning)

        after_note(self._session, show)
        self._session.restore(
            Draft(now(), desk.note_text, None, desk.transcript, desk.decisions, loaded.label, desk.on_file)
        )
        self.kept, self._saved_text = loaded.kept, None if loaded.unsaved else desk.note_text
        self._drafted = loaded.unsaved

    def show_history(self) -> None:
        kept = self.kept
        if kept is None:
            self._window.banner.say(tr("This case has no revisions yet. Choose “Keep this case…” in the Library menu."))
            return

        def show(revisions: tuple[Kept, ...]) -> None:
            self.history_window = show_once(HistoryWindow(revisions, self._rubric, self._window), modal=False)

        self.access.run(lambda library: work.history(library, kept.id), show)

    # Locking

    def _forget_windows(self) -> None:
        """They are closed; what they showed goes with them."""
        self._forget_list()
        self.labelling, self.asking, self.history_window = None, None, None

    def lock(self) -> None:
        """Views and clipboard emptied, the key dropped; what was being written is kept for afterwards."""
        self.locking.lock()

    def close(self) -> None:
        """After the last job, when the window closes."""
        library, kept = self.access.take_out(), self.kept
        self.locking.stop()
        if library is None:
            return
        if kept is not None and self._case.unsaved.beside_note and self._session.ready:
            desk = self.on_desk()
            at_the_end(lambda: kept.save_beside_note(library, desk))
        if kept is not None and self._drafted:
            at_the_end(lambda: library.cases.drop_draft(kept.id))
        at_the_end(library.lock)

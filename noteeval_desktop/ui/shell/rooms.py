"""Builds the window's rooms and connects them: the only place where they know of one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QByteArray, QObject

from noteeval_desktop.domain.evaluation import REMOTE, Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.thresholds import thresholds_of
from noteeval_desktop.domain.trust import Part, Trust
from noteeval_desktop.judges.protocol import Judge, Tunable, UsesChecklist
from noteeval_desktop.store.drafts import Draft, RecentCase
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.case.autosave import Autosave, now
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.checking import Checking
from noteeval_desktop.ui.case.earlier_window import show_earlier
from noteeval_desktop.ui.case.files import Files, agreed
from noteeval_desktop.ui.case.left_drafts import LeftDrafts
from noteeval_desktop.ui.case.opening import CaseDesk, Opening
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.case.workspace import Workspace
from noteeval_desktop.ui.findings.glance_row import GlanceRow
from noteeval_desktop.ui.findings.risk_banner import RiskBanner
from noteeval_desktop.ui.findings.trust import TrustWindow
from noteeval_desktop.ui.judging.checklists_window import ChecklistDesk
from noteeval_desktop.ui.judging.desk import JudgeDesk
from noteeval_desktop.ui.judging.encoder_setup import EncoderSetup
from noteeval_desktop.ui.library.desk import LibraryDesk, tell_recent
from noteeval_desktop.ui.many.desk import Around, ManyDesk
from noteeval_desktop.ui.responses.page import ResponsesPage
from noteeval_desktop.ui.shell.checks import Checks
from noteeval_desktop.ui.shell.main_window import MainWindow
from noteeval_desktop.ui.supervision.desk import SupervisionDesk
from noteeval_desktop.ui.widgets.jobs import Lane

_ROUNDS = 500


class Trusting(QObject):
    """Its page counts the practice's own reviews anew each time that it is opened while the library is."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._shipped = window, tuple[Trust, ...]()
        self.page: TrustWindow | None = None
        window.workspace.findings.card.trust_asked.connect(self.show)
        window.library.access.locked.connect(lambda: self._tell(()))

        def take(shipped: tuple[Trust, ...]) -> None:
            self._shipped = shipped
            self._tell(())

        window.jobs.call(Lane.ASIDE, "trust", window.outside.trust, take, lambda error: window.banner.say(str(error)))

    def _tell(self, own: tuple[Trust, ...]) -> None:
        self._window.workspace.findings.show_trust(self._shipped, own)

    def show(self, part: Part) -> None:
        access = self._window.library.access

        def counted(own: tuple[Trust, ...]) -> None:
            self._tell(own)
            self._open(part)

        if access.library is None:
            self._open(part)
        else:
            access.run(_own_reviews, counted)

    def _open(self, part: Part) -> None:
        self.page = TrustWindow(self._window.workspace.findings.known, part, self._window.outside.rubric, self._window)
        self.page.show()


def _own_reviews(library: Library) -> tuple[Trust, ...]:
    """Of the independent reviews, each with what the judges said of the same note."""
    # Here, not above: it loads numpy.
    from noteeval_desktop.measures.rater_tables import review_agreement
    from noteeval_desktop.report.trust import own_trust
    from noteeval_desktop.ui.supervision.work import rated

    # Each reviewer beside the judge, never beside another.
    alone = [(one, review) for one in rated(library, "", lambda: False) for review in one.reviews]
    judged = [{f"{e.judge.kind} {e.judge.model}": e for e in one.judged} for one, _ in alone]
    found = review_agreement([(one.note, [review]) for one, review in alone], judged, _ROUNDS)
    return own_trust(found, tr("Independent reviews in your library, each mark of a reviewer beside the judge's."))


def build(window: MainWindow) -> Iterator[None]:
    """Each step is short enough to be taken between two of the reader's; a case can be opened after the last."""
    _build_panes(window)
    yield
    _build_around(window)
    yield
    case, checks = _build_case(window)
    yield
    _build_judging(window)
    yield
    _build_library(window, case).told.connect(checks.show_kept)
    desk = SupervisionDesk(
        window,
        case,
        window.library,
        window.outside.rubric,
        window.outside.reviewed_pdf,
        window.outside.help_text.with_name("review.md"),
    )
    window.supervision = desk
    window.status.add(desk.submit_button)
    _build_many(window, case)
    Trusting(window)
    yield
    window.checking = Checking(window, window.session, lambda: window.library.access.library)

    def open_kept(case_id: str, unlocked: Callable[[], object]) -> None:
        def go() -> None:
            unlocked()
            window.library.open_case(case_id)

        window.library.access.use(go)

    window.left_drafts = LeftDrafts(window, case, open_kept)
    window.autosave.find_recent(window.show_recent)


def _build_panes(window: MainWindow) -> None:
    outside = window.outside
    accepts = partial(agreed, window)

    def load() -> Judge:
        judge = outside.load_judge()
        if isinstance(judge, Tunable):
            judge.tune(thresholds_of(window.settings.thresholds))
        if isinstance(judge, UsesChecklist):
            judge.use(window.checklists.in_use())
        return judge

    window.session = CaseSession(window.jobs, load, outside.rubric, accepts, window)
    responses = ResponsesPage()
    responses.compare_asked.connect(window.commands["compare_responses"].trigger)
    responses.read_asked.connect(window.session.read_responses)
    window.workspace = Workspace(window.session, outside.rubric, responses)
    window.checklists = ChecklistDesk(window, window.session, outside.rubric, lambda: window.judging.tuned())


def _build_around(window: MainWindow) -> None:
    window.glance_row, window.risk_banner = GlanceRow(), RiskBanner()
    window.column.insertWidget(1, window.glance_row)
    window.column.insertWidget(3, window.risk_banner)
    # A screen reader reads what was made last, last: the risk comes before the note that leaves it out.
    window.pages.raise_()
    window.status.raise_()
    window.pages.addWidget(window.workspace)
    window.show_size()
    window.workspace.restoreState(QByteArray.fromHex(window.settings.layout.partition(":")[2].encode()))
    window.workspace.place_changed.connect(window.status.show_place)
    window.status.cancel_asked.connect(window.session.cancel)
    window.status.step_asked.connect(window.workspace.step)
    window.status.undo_asked.connect(window.workspace.editor.undo)
    window.risk_banner.show_asked.connect(window.workspace.show_finding)


def _build_case(window: MainWindow) -> tuple[CaseDesk, Checks]:
    outside, session, editor = window.outside, window.session, window.workspace.editor

    def draft() -> Draft:
        text, path, decisions = editor.note_text(), session.note_path, tuple(session.decisions.values())
        on_file = session.note_on_file if path is not None else None  # the sample's is never written to
        holds = session.session_file, path if not window.unsaved.note else None
        return Draft(now(), text, path, session.transcript, decisions, session.label, on_file, *holds)

    window.files = Files(
        window,
        session,
        outside.exports,
        outside.write_note,
        outside.looks_like_note,
        may_open=lambda note: window.opening.may_take(note),
        open_together=lambda paths: window.opening.open_files(paths),
        take_case=lambda path: window.library.take_in(path),
        keep_file=lambda: window.library.file_keeper(),
    )
    window.autosave = Autosave(
        window.jobs, outside.drafts, draft, lambda draft: window.library.keep_draft(draft), window
    )
    window.unsaved = Unsaved(window, session, window.files, window.autosave, editor, lambda: window.library)
    window.opening = Opening(
        session,
        window.files,
        window.autosave,
        window.unsaved,
        window.workspace,
        window.empty,
        window.banner,
        outside.sample,
    )
    checks = Checks(window)
    session.everywhere = dict(window.settings.silenced)

    def silence_everywhere() -> None:
        """A language model is not asked about what is not flagged."""
        asked = window.settings.asks_private
        window.keep_settings(replace(window.settings, silenced=session.everywhere))
        if window.settings.asks_private is not asked:
            window.judging.load_again()

    def say_copied(left: str) -> None:
        """``left``: what is unfinished in the note that was copied."""
        if left:
            unfinished = tr(
                "Copied, but the note is not finished: {} is selected. Write over it and copy the note again."
            )
            window.banner.say(unfinished.format(left), passing=True)
        else:
            window.status.say(tr("The note was copied"))

    session.silenced_everywhere.connect(silence_everywhere)
    window.autosave.failed.connect(window.banner.say)
    window.workspace.earlier_asked.connect(partial(show_earlier, window, session))
    window.workspace.copied.connect(say_copied)
    window.opening.recent_changed.connect(window.show_recent)
    editor.note_edited.connect(window.autosave.note_edited)
    case = CaseDesk(session, window.workspace, window.files, window.autosave, window.unsaved, window.opening)
    return case, checks


def _build_judging(window: MainWindow) -> None:
    session, status = window.session, window.status
    outside, checklist, choose_session = window.outside, window.checklists.in_use, window.files.choose_transcript
    desk = JudgeDesk(window, session, outside.keys, outside.rubric, checklist, choose_session)
    window.judging = desk
    desk.judge_changed.connect(window.header.show_judge)
    desk.judge_changed.connect(lambda _: window.empty.show_privacy(desk.kind == REMOTE))
    desk.place_asked.connect(window.workspace.show_place)
    status.cancel_asked.connect(desk.stop_preparing)
    window.commands["cancel"].triggered.connect(desk.stop_preparing)
    window.encoder = EncoderSetup(window, session.check)
    session.encoder_missed.connect(window.encoder.offer)
    desk.restore()


def _build_library(window: MainWindow, case: CaseDesk) -> LibraryDesk:
    outside, judging = window.outside, window.judging

    def case_id() -> str:
        return desk.kept.id if desk.kept else ""

    desk = window.library = LibraryDesk(
        window,
        case,
        outside.library,
        outside.rubric,
        review=lambda case_id: window.supervision.review_case(case_id),
        forget=judging.forget,
    )
    recent = partial(tell_recent, desk.access, window.show_kept)
    for changed in (desk.found, desk.told, desk.shown):
        changed.connect(lambda *_: recent())
    desk.shown.connect(lambda _: case.opening.forget_recent())
    desk.access.locked.connect(lambda: window.offer_kept(desk.locking.unlock))
    desk.found.connect(lambda: window.empty.offer_library(True))
    desk.shown.connect(window.header.show_case)

    def offer(exists: bool) -> None:
        window.empty.offer_library(exists)
        if exists:
            window.offer_kept(lambda: desk.access.use(lambda: None))

    desk.access.find_library(offer)
    judging.keep_answers_in(desk.access)
    # What leaves the program while the library is open goes into its audit log: where to, never what.
    judging.sending.connect(lambda address, of_case: desk.access.note_sending(address, case_id() if of_case else ""))
    case.files.exported.connect(lambda kind: desk.access.note_export(f"scorecard.{kind}", case_id()))
    window.status.add(desk.ready)
    return desk


def _build_many(window: MainWindow, case: CaseDesk) -> None:
    def show_evaluation(evaluation: Evaluation) -> None:
        if case.unsaved.settled():
            about = evaluation.case
            case.opening.close_unasked()
            case.session.restore(Draft(now(), about.note.text, None, about.transcript))

    library = window.library
    around = Around(
        engaged=lambda: window.session.engaged,
        looks_like_note=window.outside.looks_like_note,
        open_pair=lambda session, note: case.opening.open_recent(RecentCase(session, note, now())),
        open_evaluation=show_evaluation,
        exported=lambda kind: library.access.note_export(kind),
    )
    desk = window.many = ManyDesk(window, window.outside.sets, around)
    window.judging.judge_changed.connect(lambda _: desk.judge_changed())
    # What is seen of many notes is no less private than the library.
    library.access.locked.connect(desk.close)

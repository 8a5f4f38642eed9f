"""The work on the case on the desk: reads it, has it judged, and says what changed."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from noteeval_desktop import documents
from noteeval_desktop.compliance.earlier import beside_folder
from noteeval_desktop.documents import SessionInfo
from noteeval_desktop.domain.case import Background
from noteeval_desktop.domain.decisions import SESSION_SUBJECT, Decision, DecisionKind
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.silencing import kind_subject, phrase_subject
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import Cancelled, EncoderMissing
from noteeval_desktop.evaluate import ABOUT_NOTE, ALL_QUESTIONS, Finished, Memory, Progress
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.platform.files import remove_killed_saves
from noteeval_desktop.present.finding import keys_of_entry
from noteeval_desktop.store.drafts import Draft
from noteeval_desktop.ui.case.engaged import CHECK, Engaged, EngineNews, Marks
from noteeval_desktop.ui.case.open_case import NOT_FLAGGED, OpenCase, Settled, Source
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, problem

STOPPED_FIRST = tr("Stopped. Nothing has been checked yet; “Check again” starts.")
STOPPED_CHECKED_BEFORE = tr("Stopped. Earlier results are still shown; “Check again” starts over.")
DEBOUNCE_MS = 400
_READING = ("transcript", "sessions", "note", "earlier")
LoadJudge = Callable[[], Judge]
T = TypeVar("T")


class CaseSession(OpenCase, QObject):
    """The open case with its work: owned by the GUI thread. Signals say what has happened; ``decided(dict)`` which
    answers stood before."""

    transcript_opened = Signal(object)
    note_opened = Signal(object)
    note_parsed = Signal(object)
    evaluation_finished = Signal(object)
    findings_changed = Signal()
    decided = Signal(object)
    silenced_everywhere = Signal()
    speakers_changed = Signal()
    progress_made = Signal(object)
    check_started = Signal()
    check_ended = Signal()
    check_stopped = Signal(object)
    check_due = Signal()
    engine_advanced = Signal(object)
    marks_given = Signal(object)
    warned = Signal(str)
    failed = Signal(str)
    check_failed = Signal(str)
    encoder_missed = Signal()

    def __init__(
        self,
        jobs: JobRunner,
        load_judge: LoadJudge,
        rubric: Rubric,
        accepts: Callable[[Transcript | Note], bool],
        parent: QObject,
    ) -> None:
        """``accepts`` is asked before what was read is put on the desk."""
        QObject.__init__(self, parent)
        OpenCase.__init__(self, rubric)
        self._jobs, self._accepts = jobs, accepts
        self.engaged = Engaged(lambda _tell: load_judge())
        self._memory = Memory()
        self._timer = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._timer.timeout.connect(self._check_if_live)

    # Opening

    def open_transcript(self, path: Path, session: str | None = None) -> None:
        self._read("transcript", lambda: documents.read_transcript(path, session), partial(self._take_transcript, path))

    def list_sessions(self, path: Path, done: Callable[[tuple[SessionInfo, ...]], object]) -> None:
        self._read("sessions", lambda: documents.list_sessions(path), done)

    def open_note(self, source: Source) -> None:
        """From a file: what saves that were killed left beside it goes."""

        def read() -> Note:
            if isinstance(source, str):
                return documents.parse_note(source)
            remove_killed_saves(source.parent)
            return documents.read_note(source)

        self._read_note(read, source)

    def open_earlier(self, folder: Path, done: Callable[[Background], object]) -> None:
        """The client's earlier notes, to find what was copied from them."""
        text, known = self.note_text or "", self.background

        def take(found: Background) -> None:
            self.know(found)
            done(found)

        self._read("earlier", lambda: beside_folder(documents.parse_note(text), folder, known), take)

    def know(self, background: Background) -> None:
        """What is known of the client from now on; a judge that takes its time hears of it with the next check."""
        self.background = background
        if self.engaged.live:
            self.check()

    def paste_transcript(self, text: str) -> None:
        self._read("transcript", lambda: documents.parse_transcript(text), partial(self._take_transcript, text))

    def _read_note(self, read: Callable[[], Note], source: Source, draft: Draft | None = None) -> None:
        self.tried_note = source

        def done(note: Note) -> None:
            if not self._accepts(note):
                return
            self.put_note(note, source, draft.on_file if draft else None, draft.decisions if draft else ())
            self.findings_changed.emit()
            self.note_opened.emit(note)
            self._check_if_live()

        self._read("note", read, done)

    def _read(self, name: str, read: Callable[[], T], done: Callable[[T], object]) -> None:
        self._jobs.call(Lane.DISK, name, read, done, self._fail)

    def _take_transcript(self, source: Source, transcript: Transcript) -> None:
        if self._accepts(transcript):
            self._show_transcript(transcript, source)
            self._check_if_live()

    def _show_transcript(self, transcript: Transcript, source: Source | None) -> None:
        self.put_transcript(transcript, source)
        self.findings_changed.emit()
        self.transcript_opened.emit(transcript)

    def restore(self, draft: Draft) -> None:
        """Put a recovered draft on the desk."""
        self.label = draft.label
        if draft.transcript is not None:
            self._show_transcript(draft.transcript, draft.session_file)
        self._read_note(lambda: documents.parse_note(draft.note_text), draft.note_file or draft.note_text, draft)

    def show_kept(self, evaluation: Evaluation, warning: str) -> None:
        """What was judged before, of the note on the desk, until it is checked again."""
        self.first_look = evaluation
        self.plan = evaluation.thread.plan if evaluation.thread is not None else self.plan
        self.reads_responses = evaluation.responses is not None
        self._show(evaluation)
        self.warned.emit(warning)
        self.evaluation_finished.emit(evaluation)

    def close_case(self) -> None:
        """What is still being read or judged of it comes no more."""
        self._timer.stop()
        checking = self.checking
        for job in (CHECK, *_READING):
            self._jobs.drop(job)
        if checking:
            self.check_ended.emit()
        self.clear()
        self.findings_changed.emit()

    def forget_texts(self) -> None:
        """No text of any case stays in memory: neither here nor in the judge, which is loaded anew. After the work that
        it is doing."""
        engaged, memory = self.engaged, self._memory

        def forget() -> None:
            memory.clear()
            documents.forget()
            re.purge()  # what was searched for
            engaged.forget()

        self._jobs.call(engaged.lane, "forget", forget, lambda _: None, self._fail)

    # Changing

    def use_plan(self, plan: TreatmentPlan | None) -> None:
        """From now on the client's treatment plan is looked at too."""
        self.plan = plan
        self.findings_changed.emit()
        self._check_if_live()

    def change_transcript(self, transcript: Transcript) -> None:
        """Roles or names were changed; turns keep their numbers."""
        self.transcript = transcript
        self.speakers_changed.emit()
        self._check_if_live()

    def edit_note(self, text: str) -> None:
        """The writer typed; a check follows when they pause."""
        self.note_text = text
        self._timer.start()

    def decide(self, kind: DecisionKind, key: str, reason: str) -> None:
        """Attest a finding or set it aside; ``bring_back`` undoes it."""
        now = datetime.now().replace(microsecond=0)
        keys = keys_of_entry(key, self.all_findings, self.decisions)
        self.change_decisions(self.decisions | {one: Decision(kind, one, reason, now) for one in keys})

    def bring_back(self, key: str) -> None:
        gone = set(keys_of_entry(key, self.all_findings, self.decisions))
        self.change_decisions({one: decision for one, decision in self.decisions.items() if one not in gone})

    def silence(self, kind: str, everywhere: bool) -> None:
        """Findings of the kind (``silencing.kind_of``) are flagged no more, here or in every case."""
        if not everywhere:
            self.decide(DecisionKind.DISMISS, kind_subject(kind), NOT_FLAGGED)
            return
        self.everywhere = self.everywhere | {kind: f"{datetime.now():%Y-%m-%d}"}
        self._tell_everywhere()

    def silence_phrase(self, phrase: str) -> None:
        """In this case alone: it may be clinical text, and is kept with the case's decisions."""
        if phrase.strip():
            self.decide(DecisionKind.DISMISS, phrase_subject(phrase), phrase.strip())

    def flag_again(self, silenced: str) -> None:
        """A kind that is silenced everywhere, or the subject of a silence of this case."""
        if silenced not in self.everywhere:
            self.bring_back(silenced)
            return
        self.everywhere = {kind: day for kind, day in self.everywhere.items() if kind != silenced}
        self._tell_everywhere()

    def _tell_everywhere(self) -> None:
        self.findings_changed.emit()
        self.silenced_everywhere.emit()

    def change_decisions(self, decisions: dict[str, Decision], gone: Collection[str] = ()) -> None:
        before = self.decisions
        self.put_decisions(decisions, gone)
        self.findings_changed.emit()
        self.decided.emit(before)
        if (SESSION_SUBJECT in decisions) is not (SESSION_SUBJECT in before):
            self.check()

    def answer_as(self, keys: Collection[str], then: Mapping[str, Decision]) -> None:
        """Of the findings ``keys`` the answers are those of ``then`` again; all other answers stay."""
        kept = {key: decision for key, decision in self.decisions.items() if key not in keys}
        self.change_decisions(kept | {key: then[key] for key in keys if key in then}, keys)

    # Checking

    @property
    def checking(self) -> bool:
        return self._jobs.running(CHECK)

    def engage(self, engaged: Engaged) -> None:
        """From now on this judge checks; the one before stops. Changes are counted anew: judges differ."""
        self.cancel()
        self.first_look = None
        self.engaged = engaged

    def recheck(self) -> None:
        """After an edit of one click: without the pause that typing is given."""
        self._timer.stop()
        self._check_if_live()

    def _check_if_live(self) -> None:
        """A judge that takes its time, or that something is sent to, is asked for each check."""
        if self.engaged.live:
            self.check()
        elif self.ready:
            self.check_due.emit()

    def check(self) -> None:
        """Judge what stands now; whatever an earlier check would still say is stale and dropped."""
        self._timer.stop()
        if self.ready and self.note_text and self.note_text.strip():
            self.engaged.gate(self._start)
        elif self.evaluation is not None:
            self._jobs.cancel(CHECK)
            self.put_judged(None)
            self.findings_changed.emit()

    def read_responses(self) -> None:
        """From now on, of this case, also how the therapist answered."""
        self.reads_responses = True
        self.check()

    def _start(self) -> None:
        if not self.ready:
            return
        engaged, memory, make_case, before = self.engaged, self._memory, self.case_maker(), self.first_look
        questions = ALL_QUESTIONS if self.reads_responses else ABOUT_NOTE
        shown = self.judged

        def work(cancel: threading.Event, emit: Emit) -> Finished:
            case = make_case()
            emit(case.note)
            return engaged.run(case, memory, cancel, emit, questions, before)

        take = partial(self._take_evaluation, shown)
        self._jobs.submit(engaged.lane, CHECK, work, take, self._end_failed, self._on_event)
        self.check_started.emit()

    def cancel(self) -> None:
        self._timer.stop()
        self._jobs.cancel(CHECK)

    def _on_event(self, event: object) -> None:
        if isinstance(event, Note):
            self.note_parsed.emit(event)
        elif isinstance(event, Progress):
            self.progress_made.emit(event)
        elif isinstance(event, EngineNews):
            self.engine_advanced.emit(event.seconds_left)
        elif isinstance(event, Marks):
            self.marks_given.emit(event)
        elif isinstance(event, str):
            self.warned.emit(event)
        elif isinstance(event, Evaluation):
            self._show(event)

    def _take_evaluation(self, before: Evaluation | None, finished: Finished) -> None:
        """``before``: what was shown when the check began; back again where it was stopped before any answer."""
        self.check_ended.emit()
        if finished.cancelled and self.engaged.live:
            self.failed.emit(STOPPED_FIRST if self.evaluation is None else STOPPED_CHECKED_BEFORE)
            return
        evaluation = finished.evaluation
        if self.first_look is None and evaluation.complete:
            self.first_look = evaluation
        same = before is not None and before.case.note == evaluation.case.note
        nothing = finished.cancelled and same and not _answered(evaluation)
        self._show(before if nothing and before is not None else evaluation)
        if finished.cancelled:
            self.check_stopped.emit(evaluation)
            kept = tr("Stopped. The results so far are shown and kept; “Check again” continues.")
            self.failed.emit(kept if self.judged is evaluation else STOPPED_CHECKED_BEFORE)
            return
        self.evaluation_finished.emit(evaluation)

    def settle(self, settled: Settled) -> None:
        """Whose marks are shown from now on."""
        self.settled = settled
        if self.judged is not None:
            self._show(self.judged)

    def _show(self, judged: Evaluation) -> None:
        self.put_judged(judged)
        self.findings_changed.emit()

    def _end_failed(self, error: Exception) -> None:
        self.check_ended.emit()
        if isinstance(error, Cancelled) and self.ready:  # stopped while the judge was getting ready or was tested
            self.failed.emit(STOPPED_FIRST if self.evaluation is None else STOPPED_CHECKED_BEFORE)
        if isinstance(error, EncoderMissing):
            self.encoder_missed.emit()
            return
        self._fail(error)
        if not isinstance(error, Cancelled):
            self.check_failed.emit(problem(error, tr("Choose “Check again”.")))

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self.failed.emit(problem(error, tr("Choose “Check again”.")))


def _answered(evaluation: Evaluation) -> bool:
    judged: list[object] = [item.present for item in evaluation.checklist]
    judged += [one.need.needed for one in evaluation.sentences if one.need]
    judged += [one.claim.verdict for one in evaluation.sentences if one.claim]
    return any(value is not None for value in judged)
